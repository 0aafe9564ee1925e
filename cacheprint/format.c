/* Columns take the width of their widest cell and are two blanks apart. Widths are in characters
 * of the terminal as far as UTF-8 names go: continuation bytes take no room. */
#include "cacheprint/format.h"

#include "cacheprint/names.h"
#include "common/mem.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define GAP 2
#define RULE_MAX 120 /* a line across need not be as long as the longest name */

struct table {
	const char *layout;
	size_t columns;
	VEC(char *) cells;
	VEC(const char *) begins, ends; /* escape sequences around the cells */
	VEC(size_t) rules;              /* the rows before which there is a line */
};

/* Writes the digits of text with commas between the thousands. */
static void put_commas(char *to, const char *text)
{
	size_t digits = strspn(text, "0123456789");

	for (size_t i = 0; text[i]; i++) {
		*to++ = text[i];
		if (i + 1 < digits && (digits - i - 1) % 3 == 0)
			*to++ = ',';
	}
	*to = 0;
}

const char *format_count(char buffer[static FORMAT_ROOM], int64_t count)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%llu",
	         count < 0 ? -(unsigned long long)count : (unsigned long long)count);
	buffer[0] = '-';
	put_commas(buffer + (count < 0), digits);
	return buffer;
}

/* Cachegrind's form: five characters for the number as long as it fits. */
static void put_percent(char *buffer, long double p)
{
	snprintf(buffer, FORMAT_ROOM, p > -9.995L && p < 99.995L ? "%.2Lf%%" : "%.1Lf%%", p);
}

const char *format_percent(char buffer[static FORMAT_ROOM], long double part, long double whole)
{
	if (whole == 0 || isnan(part))
		return strcpy(buffer, "-");
	put_percent(buffer, part * 100 / whole);
	return buffer;
}

const char *format_value(char buffer[static FORMAT_ROOM], const struct column *c, long double value)
{
	char digits[FORMAT_ROOM];

	if (isnan(value))
		return strcpy(buffer, "-");
	if (c->percent) {
		put_percent(buffer, value * 100);
		return buffer;
	}
	if (fabsl(value) >= 1e30L) {
		snprintf(buffer, FORMAT_ROOM, "%.6Lg", value);
		return buffer;
	}
	snprintf(digits, sizeof digits, "%.*Lf", c->whole ? 0 : 2, fabsl(value));
	buffer[0] = '-';
	put_commas(buffer + (value < 0), digits);
	return buffer;
}

const char *format_change(char b[static FORMAT_ROOM + 1], const struct column *c,
                          long double change)
{
	b[0] = '+';
	format_value(b + 1, c, change);
	return change > 0 ? b : b + 1;
}

const char *format_cell(char buffer[static FORMAT_ROOM], const struct column *c, long double value,
                        long double whole, bool percent)
{
	char share[FORMAT_ROOM];
	size_t len;

	format_value(buffer, c, value);
	if (!percent || !c->shares)
		return buffer;
	len = strlen(buffer);
	if (value == 0)
		snprintf(buffer + len, FORMAT_ROOM - len, "%9s", "");
	else
		snprintf(buffer + len, FORMAT_ROOM - len, " (%6s)",
		         format_percent(share, value, whole));
	return buffer;
}

#define HOT 10 /* percent */
#define WARM 1

const char *heat_begin(long double share)
{
	return share >= HOT ? "\x1b[1;31m" : share >= WARM ? "\x1b[33m" : "";
}

const char *heat_end(long double share)
{
	return share >= WARM ? "\x1b[0m" : "";
}

const char *emphasis_begin(const struct look *look)
{
	return look->colour ? "\x1b[1m" : "";
}

const char *emphasis_end(const struct look *look)
{
	return look->colour ? "\x1b[0m" : "";
}

struct table *table_new(const char *layout)
{
	struct table *t = xalloc(1, sizeof *t);

	t->layout = layout;
	t->columns = strlen(layout);
	return t;
}

void table_cell(struct table *t, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = xstrdup("");
	va_end(ap);
	VEC_PUSH(&t->cells, text);
	VEC_PUSH(&t->begins, "");
	VEC_PUSH(&t->ends, "");
}

void table_heat(struct table *t, long double share)
{
	t->begins.at[t->cells.n - 1] = heat_begin(share);
	t->ends.at[t->cells.n - 1] = heat_end(share);
}

void table_rule(struct table *t)
{
	VEC_PUSH(&t->rules, t->cells.n / t->columns);
}

static int width_of(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

static void put_blanks(FILE *out, int n)
{
	fprintf(out, "%*s", n > 0 ? n : 0, "");
}

static void print_cell(const struct table *t, FILE *out, size_t i, const char *text, bool colour)
{
	if (colour)
		fputs(t->begins.at[i], out);
	fputs(text, out);
	if (colour)
		fputs(t->ends.at[i], out);
}

static void print_row(const struct table *t, FILE *out, size_t row, const int *widths, bool colour)
{
	for (size_t c = 0; c < t->columns; c++) {
		size_t i = row * t->columns + c;
		const char *text = t->cells.at[i];
		int room = widths[c] - width_of(text);

		if (c + 1 == t->columns && room < 0)
			text = names_shorten(text, (size_t)widths[c]);
		put_blanks(out, (c ? GAP : 0) + (t->layout[c] == 'r' ? room : 0));
		print_cell(t, out, i, text, colour);
		if (t->layout[c] != 'r' && c + 1 < t->columns)
			put_blanks(out, room);
	}
	fputc('\n', out);
}

static void print_rule(FILE *out, int indent, int width)
{
	put_blanks(out, indent);
	for (width = width < RULE_MAX ? width : RULE_MAX; width > 0; width--)
		fputc('-', out);
	fputc('\n', out);
}

/* Below this the last column is not shortened. */
#define LAST_MIN 20

/* Sets the width of each column; returns that of the table. */
static int measure(const struct table *t, int *widths, const struct look *look)
{
	size_t last = t->columns - 1;
	int total = look->indent, room;

	for (size_t i = 0; i < t->cells.n; i++) {
		int w = width_of(t->cells.at[i]);

		if (w > widths[i % t->columns])
			widths[i % t->columns] = w;
	}
	for (size_t c = 0; c < t->columns; c++)
		total += widths[c] + (c ? GAP : 0);
	if (look->width && (size_t)total > look->width) {
		room = widths[last] - (total - (int)look->width);
		room = room > LAST_MIN ? room : LAST_MIN;
		if (t->layout[last] != 'r' && room < widths[last]) {
			total -= widths[last] - room;
			widths[last] = room;
		}
	}
	return total - look->indent;
}

static void table_free(struct table *t)
{
	for (size_t i = 0; i < t->cells.n; i++)
		free(t->cells.at[i]);
	VEC_FREE(&t->cells);
	VEC_FREE(&t->begins);
	VEC_FREE(&t->ends);
	VEC_FREE(&t->rules);
	free(t);
}

/* Longer than any run of backticks in a source, one hopes. */
#define FENCE "``````````"

void format_lines(FILE *out, const struct look *look)
{
	if (look->markdown)
		fputs(FENCE "\n", out);
}

/* Code in a cell: a bar would end the cell, and a backtick the code. */
static void put_code(FILE *out, const char *text)
{
	const char *ticks = strchr(text, '`') ? "`` " : "`";

	if (!*text)
		return;
	fputs(ticks, out);
	for (; *text; text++)
		fprintf(out, *text == '|' ? "\\|" : "%c", *text);
	fputs(ticks[1] ? " ``" : ticks, out);
}

static void print_markdown(const struct table *t, FILE *out)
{
	for (size_t i = 0; i < t->cells.n; i++) {
		size_t c = i % t->columns;

		fputs(c ? " | " : "| ", out);
		if (t->layout[c] == 'c' && i >= t->columns)
			put_code(out, t->cells.at[i]);
		else
			fputs(t->cells.at[i], out);
		if (c + 1 < t->columns)
			continue;
		fputs(" |\n", out);
		for (size_t j = 0; j < t->columns && i < t->columns; j++)
			fprintf(out, "%s%s", t->layout[j] == 'r' ? "| ---: " : "| --- ",
			        j + 1 < t->columns ? "" : "|\n");
	}
	fputc('\n', out);
}

static void print_text(const struct table *t, FILE *out, const struct look *look)
{
	int *widths = xalloc(t->columns, sizeof *widths);
	int width = measure(t, widths, look);
	size_t rule = 0;

	for (size_t row = 0; row < t->cells.n / t->columns; row++) {
		for (; rule < t->rules.n && t->rules.at[rule] == row; rule++)
			print_rule(out, look->indent, width);
		put_blanks(out, look->indent);
		print_row(t, out, row, widths, look->colour);
	}
	free(widths);
}

void table_print(struct table *t, FILE *out, const struct look *look)
{
	if (look->markdown)
		print_markdown(t, out);
	else
		print_text(t, out, look);
	table_free(t);
}
