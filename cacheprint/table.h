/* Tables whose columns are as narrow as they can be. */
#ifndef CACHEPRINT_TABLE_H
#define CACHEPRINT_TABLE_H

#include "cacheprint/look.h"

/* Texts, filled row by row. The layout has one character a column: 'r' for numbers, at the right;
 * 'l' for words, 'c' for names and code, 'n' for names of functions, at the left. The layout must
 * outlive the table. */
struct table;

struct table *table_new(const char *layout);
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Colours the last cell by its share in percent. */
void table_heat(struct table *t, long double share);

/* A line across, as wide as the table, at this place. */
void table_rule(struct table *t);

/* Prints and frees the table; in Markdown its first row is the head. */
void table_print(struct table *t, FILE *out, const struct look *look);

#endif
