/* What a view gets: the model, the columns to show of it, and where to show it. */
#ifndef CACHEPRINT_REPORT_H
#define CACHEPRINT_REPORT_H

#include "cacheprint/compare.h"
#include "cacheprint/gate.h"
#include "cacheprint/look.h"
#include "cacheprint/model.h"
#include "cacheprint/options.h"
#include "cacheprint/output.h"
#include "cacheprint/source.h"

#include <stdio.h>

struct report {
	FILE *out;
	const struct model *model;
	const struct options *options;
	column_list function_columns;
	column_list line_columns;
	column_list sort;
	/* A function is shown when its share of sort.at[i] reaches thresholds.at[i] percent, for
	 * some i. */
	VEC(double) thresholds;
	VEC(struct gate) gates;
	struct look look;
	size_t name_width; /* longer names of functions are shortened */
};

/* Warns at this place of the report, should both go to the same terminal or pager. */
#define REPORT_WARN(r, ...) (fflush((r)->out), warn(__VA_ARGS__))

/* Chooses columns and order as the options say; ends the process when they name no event. */
void report_init(struct report *r, const struct options *o, struct model *m);

/* Where to print, and how that looks. */
void report_set_output(struct report *r, const struct output *o);

/* What a rule is about, in both profiles, and whether they all are kept. */
struct sides report_gate_sides(const struct report *r, const struct gate *g);
bool report_gates_hold(const struct report *r);

/* Do these counts, of a function, reach a threshold? */
bool report_shows(const struct report *r, const int64_t *counts);

/* Warns when the profiles were made by different caches, so that their misses cannot be compared or added up. */
void report_warn_if_caches_differ(const struct report *r);

/* Warns when the source was changed after a profile was written; of two that are compared, the second. */
void report_warn_if_newer(const struct report *r, const struct source *s);

/* The share in percent that decides about heat and thresholds; 0 when there is no whole. */
long double report_share(const struct report *r, const struct column *c, const int64_t *counts);

#endif
