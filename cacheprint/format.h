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
const char *format_value(char buffer[static FORMAT_ROOM], const struct column *c,
                         long double value);

/* "+1,234", "-5", "0"; "-" when there is none. */
const char *format_change(char b[static FORMAT_ROOM + 1], const struct column *c,
                          long double change);

/* A value for a table in which values may have a percentage: "1,189 ( 0.08%)"; blanks stand for
 * the percentage of nothing. With `percent` false it is format_value. */
const char *format_cell(char buffer[static FORMAT_ROOM], const struct column *c, long double value,
                        long double whole, bool percent);

/* part of whole: "1.23%", "100.0%"; "-" when the whole is zero. */
const char *format_percent(char buffer[static FORMAT_ROOM], long double part, long double whole);

/* A table of texts, filled row by row. The layout has one character a column: 'r' for numbers, at
 * the right; 'l' for words and 'c' for names and code, at the left. */
struct table;

struct table *table_new(const char *layout);
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Colours the last cell by its share in percent, if the table is printed with colours. */
void table_heat(struct table *t, long double share);

/* A line across, as wide as the table, at this place. */
void table_rule(struct table *t);

/* How a table is laid out; zero means plain. */
struct look {
	int indent;   /* blanks before each row */
	size_t width; /* the last column is shortened to fit into this many characters, or 0 */
	bool colour;
	bool markdown; /* GitHub's; then the other members do not matter */
};

/* The escape sequences around a heading; "" without colours. */
const char *emphasis_begin(const struct look *look);
const char *emphasis_end(const struct look *look);

/* Around text that is laid out in lines: a fence in Markdown. */
void format_lines(FILE *out, const struct look *look);

/* Prints and frees the table; in Markdown its first row is the head. */
void table_print(struct table *t, FILE *out, const struct look *look);

/* The escape sequences around something that has this share in percent; "" when it is not hot. */
const char *heat_begin(long double share);
const char *heat_end(long double share);

#endif
