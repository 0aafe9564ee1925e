"""What bench/run wrote down, and the statistics of it.

A line of the file is KIND, SUBJECT, FLAGS, WAY, X and VALUE, with tabs between; see record in lib.sh.
"""
import collections
import math
import statistics

median = statistics.median
Spread = collections.namedtuple('Spread', 'median least greatest')


def spread(values):
    """None of no values."""
    return Spread(median(values), min(values), max(values)) if values else None


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


class Measurements:
    def __init__(self, path):
        self.host = {}
        self.skipped = []
        self.values = collections.defaultdict(list)
        with open(path, encoding='utf-8') as file:
            for line in file:
                self.add(*line.rstrip('\n').split('\t', 5))

    def add(self, kind, subject, flags, way, x, value):
        if kind == 'host':
            self.host[subject] = value
        elif kind == 'skipped':
            self.skipped.append((subject, value))
        else:
            self.values[kind, subject, flags, way, x].append(float(value))

    def subjects(self, kind):
        """The (subject, flags) that have measurements of the kind, in the order in which they were made."""
        return list(dict.fromkeys(key[1:3] for key in self.values if key[0] == kind))

    def ways(self, kind, subject, flags):
        return list(dict.fromkeys(key[3] for key in self.values if key[:3] == (kind, subject, flags)))

    def of(self, kind, subject, flags, way):
        """X -> the values there."""
        return {key[4]: values for key, values in self.values.items() if key[:4] == (kind, subject, flags, way)}

    def rounds(self, kind, subject, flags, way):
        """All values, where X is the round, or is the same in all."""
        return [value for values in self.of(kind, subject, flags, way).values() for value in values]

    def ratios(self, kind, subject, flags, way, base):
        """Spread of the ratios of two ways in the same round; None where one was not measured."""
        pairs = zip(self.rounds(kind, subject, flags, way), self.rounds(kind, subject, flags, base))
        return spread([value / of for value, of in pairs])

    def one(self, kind, subject, flags, way, x='-'):
        """The median at X; 0 where nothing was measured."""
        values = self.values.get((kind, subject, flags, way, x))
        return median(values) if values else 0

    def curve(self, kind, subject, flags, way):
        """Points (x, median there), by x."""
        return sorted((float(x), median(values))
                      for x, values in self.of(kind, subject, flags, way).items())


def straight_line(points):
    """(a, b) of the line a + b x from which the points' distances, relative to them, are least."""
    weights = [1 / (y * y) for _, y in points]
    total = sum(weights)
    x0 = sum(w * x for w, (x, _) in zip(weights, points)) / total
    y0 = sum(w * y for w, (_, y) in zip(weights, points)) / total
    square = sum(w * (x - x0) ** 2 for w, (x, _) in zip(weights, points))
    slope = sum(w * (x - x0) * (y - y0) for w, (x, y) in zip(weights, points)) / square if square else 0
    return y0 - slope * x0, slope


def deviation(points):
    """The largest distance of a point from the straight line, relative to the point."""
    a, b = straight_line(points)
    return max(abs(y - a - b * x) / y for x, y in points)
