/* The annotated source, for view_sources. */
#ifndef CACHEPRINT_ANNOTATE_H
#define CACHEPRINT_ANNOTATE_H

#include "cacheprint/choose.h"

/* What the annotated lines account for. */
struct coverage {
	int64_t *annotated; /* beside a line of text */
	int64_t *unplaced;  /* no line is known, or none is there */
};

/* Prints an annotated file. False when its text is not found; the counts are printed all the same
 * if the user named it. */
bool annotate(const struct report *r, const struct choice *choice, struct coverage *coverage);

#endif
