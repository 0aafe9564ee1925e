/* Numbers and lines of sources as text. */
#ifndef CACHEPRINT_FORMAT_H
#define CACHEPRINT_FORMAT_H

#include "cacheprint/events.h"
#include "cacheprint/reader.h"

#include <stdio.h>

#define FORMAT_ROOM 64

/* Text that is not ours, as a line of a source without its end: control characters but tabs, which terminals might
 * take for commands, as ^X. */
void format_text(FILE *out, struct text text);

/* The same between two of ours. */
void format_between(FILE *out, const char *before, const char *text, const char *after);

/* The same for a name: as question marks, in its place. */
void format_plain(char *name);

/* "12,594,205" */
const char *format_count(char buffer[static FORMAT_ROOM], int64_t count);

/* A column's value: a count, a number with two decimals, or a percentage; "-" when there is none
 * (a division by zero). */
const char *format_value(char buffer[static FORMAT_ROOM], const struct column *c,
                         long double value);

/* "+1,234", "-5", "0"; "-" when there is none. */
const char *format_change(char b[static FORMAT_ROOM + 1], const struct column *c,
                          long double change);

/* A share as format_percent has it, with "+" before what is more than nothing. */
const char *format_percent_change(char buffer[static FORMAT_ROOM + 1], long double part, long double whole);

/* A value for a table in which values may have a percentage: "1,189 ( 0.08%)"; blanks stand for
 * the percentage of nothing. With `percent` false it is format_value. */
const char *format_cell(char buffer[static FORMAT_ROOM], const struct column *c, long double value,
                        long double whole, bool percent);

/* part of whole: "1.23%", "100.0%"; "-" when the whole is zero. */
const char *format_percent(char buffer[static FORMAT_ROOM], long double part, long double whole);

#endif
