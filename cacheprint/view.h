/* What a view gets, and the views. */
#ifndef CACHEPRINT_VIEW_H
#define CACHEPRINT_VIEW_H

#include "cacheprint/model.h"
#include "cacheprint/source.h"

#include <stdio.h>

struct report {
	FILE *out;
	const struct model *model;
	column_list function_columns;
	column_list line_columns;
	column_list sort;
	VEC(double) thresholds; /* a function is shown when its share of sort.at[i] reaches
				 * thresholds.at[i] percent, for some i */
	const path_list *directories;
};

/* Where the numbers come from: command, caches, files read. */
void view_header(const struct report *r);

/* The whole program: references, misses and rates, then every event. */
void view_totals(const struct report *r);

/* References by size. Nothing when the profile does not tell them. */
void view_sizes(const struct report *r);

/* The functions that reach a threshold, sorted. */
void view_functions(const struct report *r);

/* The annotated file. `named` is what the user called it, or NULL. False when its source was not
 * found; the counts are printed all the same. */
bool view_annotate(const struct report *r, const struct file *file, const char *named);

#endif
