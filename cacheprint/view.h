/* The views: each prints one part of a report, or one form of it. */
#ifndef CACHEPRINT_VIEW_H
#define CACHEPRINT_VIEW_H

#include "cacheprint/report.h"

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

/* The assembly that was named, beside its source lines. False when it is not found or not counted. */
bool view_assembly(const struct report *r);

/* Two profiles: totals, functions and sources that differ. False as for view_sources. */
bool view_diff(const struct report *r);

/* The rules, and which lines broke them. */
bool view_gate(const struct report *r);

/* All that the profiles say, as JSON. */
bool view_json(const struct report *r);

/* Every program point, or every function of two profiles, as CSV. */
bool view_csv(const struct report *r);

/* A page with all of it. */
bool view_html(const struct report *r);

#endif
