/* What a view gets, and the views. */
#ifndef CACHEPRINT_VIEW_H
#define CACHEPRINT_VIEW_H

#include "cacheprint/compare.h"
#include "cacheprint/format.h"
#include "cacheprint/gate.h"
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
	VEC(double)
	thresholds; /* a function is shown when its share of sort.at[i] reaches
	             * thresholds.at[i] percent, for some i */
	VEC(struct gate) gates;
	struct look look;
	size_t name_width; /* longer names of functions are shortened */
};

/* Warns at this place of the report, should both go to the same terminal or pager. */
#define REPORT_WARN(r, ...) (fflush((r)->out), warn(__VA_ARGS__))

/* Chooses columns and order as the options say; ends the process when they name no event. */
void report_init(struct report *r, const struct options *o, struct model *m);

void report_set_output(struct report *r, const struct output *o);

/* What a rule is about, in both profiles, and whether they all are kept. */
struct sides report_gate_sides(const struct report *r, const struct gate *g);
bool report_gates_hold(const struct report *r);

/* Do these counts, of a function, reach a threshold? */
bool report_shows(const struct report *r, const int64_t *counts);

/* The share in percent that decides about heat and thresholds; 0 when there is no whole. */
long double report_share(const struct report *r, const struct column *c, const int64_t *counts);

/* Where the numbers come from: command, caches, files read. */
void view_header(const struct report *r);

/* The whole program: references, misses and rates, then every event. */
void view_totals(const struct report *r);

/* References by size. Nothing when the profile does not tell them. */
void view_sizes(const struct report *r);

/* The functions that reach a threshold, sorted; grouped if the options say so. */
void view_functions(const struct report *r);

/* The sources that were named, or all of functions shown, annotated; what was not found; coverage.
 * False when something that was named is not in the profile or has no text. */
bool view_sources(const struct report *r);

/* Two profiles: totals, functions and sources that differ. False as for view_sources. */
bool view_diff(const struct report *r);

/* The rules, and which lines broke them. */
bool view_gate(const struct report *r);

/* All that the profiles say, as JSON. */
bool view_json(const struct report *r);

/* Every program point, or every function of two profiles, as CSV. */
bool view_csv(const struct report *r);
bool view_csv_diff(const struct report *r);

/* A page with all of it. */
bool view_html(const struct report *r);

#endif
