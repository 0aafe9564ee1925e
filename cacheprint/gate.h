/* Rules that a profile must keep, measured against another: "D1mr+D1mw <= +1%". */
#ifndef CACHEPRINT_GATE_H
#define CACHEPRINT_GATE_H

#include "cacheprint/events.h"

/* Without a sign the limit is for the value, with one for its change; in percent the change is
 * relative to what was before, except that of a rate, which is in percentage points. */
struct gate {
	const struct column *column;
	bool strict; /* < and not <= */
	bool change;
	bool relative;
	long double limit; /* a fraction when relative or for a rate */
	const char *text;  /* operator and limit as given */
};

/* Parses EXPRESSION <= LIMIT or EXPRESSION < LIMIT. Returns NULL, or what is wrong with it. */
const char *gate_parse(struct gate *g, struct events *e, const char *rule);

bool gate_holds(const struct gate *g, long double before, long double after);

#endif
