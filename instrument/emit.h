/* The annotated assembly: the original text, untouched, with the planted code and its tables. */
#ifndef INSTRUMENT_EMIT_H
#define INSTRUMENT_EMIT_H

#include "instrument/copies.h"
#include "instrument/predict.h"

/* The first line of annotated assembly begins with this. */
#define EMIT_MARK "# cacheprof annotated assembly"

struct emission {
	const struct flow *flow;
	const struct planned *planned;
	const struct plan *plan;
	const struct predicted *predicted;
	const struct copies *copies; /* perhaps none */
	const struct level *level;
	int level_number;
	bool pic;	/* may become part of a shared object */
	size_t *places; /* per statement: where it, and what is planted before it, begins in the output, is
			 * put there; or NULL */
	bool comments;	/* each planted sequence is marked with its cost centre */
};

/* Writes it; false on a write error. */
bool emit(const struct emission *e, FILE *out);

#endif
