"""The pictures of bench/RESULTS.md, as SVG: bars of the programs, and lines of what grows.

They have no background, and colours that can be read on a light and on a dark page.
"""
import math
from xml.sax.saxutils import escape, quoteattr

STYLE = '''
text { font: 11px sans-serif; fill: #24292f }
.title { font-weight: bold }
.axis { stroke: #8c959f; stroke-width: 1 }
.grid { stroke: #8c959f; stroke-width: 0.4 }
.native { fill: #8c959f; stroke: #8c959f }
.level1 { fill: #2da44e; stroke: #2da44e }
.level2 { fill: #1f7ae0; stroke: #1f7ae0 }
.cachegrind { fill: #d4692a; stroke: #d4692a }
polyline { stroke-width: 2; fill: none !important }
rect { stroke: none !important }
@media (prefers-color-scheme: dark) { text { fill: #d0d7de } }
'''
NAMES = {'native': 'native', 'level1': 'level 1', 'level2': 'level 2', 'cachegrind': 'Cachegrind'}


def element(kind, text=None, **attributes):
    words = ''.join(f' {name.rstrip("_").replace("_", "-")}={quoteattr(number(value))}'
                    for name, value in attributes.items())
    return f'<{kind}{words}/>' if text is None else f'<{kind}{words}>{escape(text)}</{kind}>'


def number(value):
    return f'{value:.2f}'.rstrip('0').rstrip('.') if isinstance(value, float) else str(value)


def line(x1, y1, x2, y2, style):
    return element('line', x1=x1, y1=y1, x2=x2, y2=y2, class_=style)


def label(x, y, text, anchor='start', style='label'):
    return element('text', text, x=x, y=y, text_anchor=anchor, class_=style)


def legend(x, y, entries):
    """A coloured square and a name for each (style, name)."""
    parts = []
    for style, name in entries:
        parts += [element('rect', x=x, y=y - 9, width=10, height=10, class_=style), label(x + 14, y, name)]
        x += 40 + 6 * len(name)
    return parts


def document(width, height, title, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img">')
    return '\n'.join([head, element('title', title), f'<style>{STYLE}</style>', *parts, '</svg>', ''])


# Bars: a panel for each set of flags, in it a group for each program, on a logarithmic scale.
BAR = 11
GROUP = 4 * BAR + 10
NAME_WIDTH = 80
PANEL = 450
SCALE = 320
LEAST, GREATEST = 0.5, 64


def bar_length(ratio):
    clipped = min(max(ratio, LEAST), GREATEST)
    return SCALE * math.log(clipped / LEAST) / math.log(GREATEST / LEAST)


def bar_group(x, y, name, ratios):
    parts = [label(x + NAME_WIDTH - 6, y + 2.5 * BAR, name, 'end')]
    for i, (way, ratio) in enumerate(ratios.items()):
        if ratio is None:
            parts.append(label(x + NAME_WIDTH + 3, y + (i + 1) * BAR - 1, 'not measured'))
            continue
        length = bar_length(ratio)
        parts.append(element('rect', x=x + NAME_WIDTH, y=y + i * BAR, width=length, height=BAR - 1, class_=way))
        parts.append(label(x + NAME_WIDTH + length + 3, y + (i + 1) * BAR - 1, f'{ratio:.3g}'))
    return parts


def bar_panel(x, title, groups):
    bottom = 50 + GROUP * len(groups)
    parts = [label(x + NAME_WIDTH, 38, title, style='title')]
    for mark in (1, 2, 4, 8, 16, 32, 64):
        at = x + NAME_WIDTH + bar_length(mark)
        parts += [line(at, 46, at, bottom, 'grid'), label(at, bottom + 14, str(mark), 'middle')]
    for i, (name, ratios) in enumerate(groups):
        parts += bar_group(x, 50 + i * GROUP, name, ratios)
    return parts


def bars(panels):
    """panels: (title, groups); a group is (name, {way: ratio to native, or None})."""
    parts = legend(NAME_WIDTH, 16, NAMES.items())
    for i, (title, groups) in enumerate(panels):
        parts += bar_panel(i * PANEL, title, groups)
    height = 50 + GROUP * max((len(groups) for _, groups in panels), default=0) + 40
    caption = 'processor time relative to the native program, logarithmic scale'
    parts.append(label(NAME_WIDTH, height - 8, caption))
    return document(PANEL * max(len(panels), 1), height, 'Processor time relative to native', parts)


# Lines: a panel for each thing that grows, from nothing on both axes.
PLOT_WIDTH, PLOT_HEIGHT = 190, 110
CELL_WIDTH, CELL_HEIGHT = 280, 180
CELLS = 3


def curve(x, y, points, x_end, y_end, style):
    at = [(x + PLOT_WIDTH * px / x_end, y + PLOT_HEIGHT * (1 - py / y_end)) for px, py in points]
    parts = [element('polyline', points=' '.join(f'{px:.1f},{py:.1f}' for px, py in at), class_=style)]
    return parts + [element('circle', cx=px, cy=py, r=3, class_=style) for px, py in at]


def line_panel(x, y, title, unit, curves):
    x_end = max(px for points in curves.values() for px, _ in points)
    y_end = max(py for points in curves.values() for _, py in points) * 1.05
    bottom, left = y + PLOT_HEIGHT, x + 55
    parts = [label(left, y - 8, title, style='title'), line(left, y, left, bottom, 'axis'),
             line(left, bottom, left + PLOT_WIDTH, bottom, 'axis'), label(left, bottom + 14, '0', 'middle'),
             label(left + PLOT_WIDTH, bottom + 14, f'{x_end:g} {unit}', 'end'),
             label(left - 4, y + 9, f'{y_end:.2g} s', 'end'), label(left - 4, bottom, '0', 'end')]
    for way, points in curves.items():
        parts += curve(left, y, points, x_end, y_end, way)
    return parts


def lines(panels):
    """panels: (title, unit of x, {way: points})."""
    parts = legend(55, 16, [('native', 'native (or gcc)'), ('level2', 'level 2 (or cacheprof, cacheprint)')])
    for i, panel in enumerate(panels):
        parts += line_panel(i % CELLS * CELL_WIDTH, 50 + i // CELLS * CELL_HEIGHT, *panel)
    rows = -(-len(panels) // CELLS)
    return document(CELL_WIDTH * CELLS, 50 + CELL_HEIGHT * max(rows, 1), 'Processor time of work that grows', parts)
