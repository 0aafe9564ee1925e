/* What a report looks like: plain, in colours, or as Markdown. */
#ifndef CACHEPRINT_LOOK_H
#define CACHEPRINT_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Zero means plain. */
struct look {
	int indent; /* blanks before each row of a table */
	size_t
	    width; /* a table's last column is shortened to fit into this many characters, or 0 */
	bool colour;
	bool markdown; /* GitHub's; then the other members do not matter */
};

/* The escape sequences around something; all are "" without colours. A heading: */
const char *look_heading(const struct look *look);

/* A count that has this share in percent. */
const char *look_heat(const struct look *look, long double share);

/* A line of a source that was added (1), removed (-1) or is still the same (0). */
const char *look_change(const struct look *look, int change);

/* Ends any of these. */
const char *look_end(const struct look *look);

/* Begins or ends text that is laid out in lines: a fence in Markdown. */
void look_fence(const struct look *look, FILE *out);

#endif
