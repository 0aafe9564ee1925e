#include "cacheprint/gate.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Takes blanks off both ends, into the arena. */
static const char *trimmed(const char *s, size_t len)
{
	while (len && isspace((unsigned char)*s))
		s++, len--;
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	return arena_string(s, len);
}

static const char *parse_limit(struct gate *g, const char *limit)
{
	bool percent;
	char *end;

	g->change = *limit == '+' || *limit == '-';
	if (!isdigit((unsigned char)limit[g->change]) && limit[g->change] != '.')
		return "the limit is not a number";
	g->limit = strtold(limit, &end);
	percent = *end == '%';
	if (end[percent])
		return "the limit is not a number";
	if (percent)
		g->limit /= 100;
	g->relative = percent && g->change && !g->column->percent;
	if (percent && !g->change && !g->column->percent)
		return "a percentage that is no change (+1%) needs a rate, like D1m%";
	if (!percent && g->column->percent)
		return "the limit of a rate is a percentage";
	return NULL;
}

const char *gate_parse(struct gate *g, struct events *e, const char *rule)
{
	const char *op = strpbrk(rule, "<>="), *limit, *error;

	if (!op || *op != '<')
		return "EXPRESSION <= LIMIT is needed";
	limit = op + 1 + (op[1] == '=');
	*g = (struct gate){.strict = op[1] != '=', .text = trimmed(op, strlen(op))};
	g->column = events_column(e, trimmed(rule, (size_t)(op - rule)), &error);
	return g->column ? parse_limit(g, trimmed(limit, strlen(limit))) : error;
}

/* Fractions that differ by less are the same number, rounded on different ways. */
#define ROUNDING 1e-17L

bool gate_holds(const struct gate *g, long double before, long double after)
{
	long double value = g->change ? after - before : after, limit = g->limit;

	if (isnan(value))
		return true;
	if (g->relative && before != 0)
		value /= fabsl(before);
	else if (g->relative)
		limit = 0;
	if ((g->relative || g->column->percent) && fabsl(value - limit) < ROUNDING * (1 + fabsl(limit)))
		value = limit;
	return g->strict ? value < limit : value <= limit;
}
