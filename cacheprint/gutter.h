/* The columns of counts at the left of an annotated text. */
#ifndef CACHEPRINT_GUTTER_H
#define CACHEPRINT_GUTTER_H

#include "cacheprint/report.h"

struct gutter {
	const struct report *r;
	int *widths; /* of each of the report's line_columns */
	int pad;     /* blanks behind them, so that the tabs of the text stand where they should */
};

/* As wide as the names of the events; to be released with gutter_free. */
void gutter_init(struct gutter *g, const struct report *r);
void gutter_free(struct gutter *g);

/* Makes room for these counts. */
void gutter_widen(struct gutter *g, const int64_t *counts);

/* To be called when all is wide enough and the text has tabs. */
void gutter_align_tabs(struct gutter *g);

/* Prints the names of the events, with a newline. */
void gutter_print_names(const struct gutter *g);

/* Prints counts, or dots for NULL, and what separates them from the text. */
void gutter_print(const struct gutter *g, const int64_t *counts);

/* Prints the sums of a function and the line that says which share of all they are. */
void gutter_print_head(const struct gutter *g, const char *name, const int64_t *sums);

#endif
