/* Numbers as text, and tables whose columns are as narrow as they can be. */
#ifndef CACHEPRINT_FORMAT_H
#define CACHEPRINT_FORMAT_H

#include "cacheprint/events.h"

#include <stdio.h>

#define FORMAT_ROOM 64

/* "12,594,205" */
const char *format_count(char buffer[static FORMAT_ROOM], int64_t count);

/* A column's value: a count, a number with two decimals, or a percentage; "-" when there is none
 * (a division by zero). */
const char *format_value(char buffer[static FORMAT_ROOM], const struct column *c, long double value);

/* part of whole: " 1.23%", "100.0%"; "-" when the whole is zero. */
const char *format_percent(char buffer[static FORMAT_ROOM], long double part, long double whole);

/* A table of texts, filled row by row. The layout has one character a column: 'l' or 'r' for the
 * side to align to. */
struct table;

struct table *table_new(const char *layout);
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A line across, as wide as the table, at this place. */
void table_rule(struct table *t);

/* Prints with this many blanks before each row, and frees the table. */
void table_print(struct table *t, FILE *out, int indent);

#endif
