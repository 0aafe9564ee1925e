/* Columns take the width of their widest cell and are two blanks apart. Widths are in characters
 * of the terminal as far as UTF-8 names go: continuation bytes take no room. */
#include "cacheprint/table.h"

#include "cacheprint/format.h"
#include "cacheprint/names.h"
#include "common/mem.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define GAP 2
#define LAST_MIN 40  /* below this the last column is not shortened */
#define RULE_MAX 120 /* a line across need not be as long as the longest name */

struct table {
	const char *layout;
	size_t columns;
	VEC(char *) cells;
	VEC(long double) shares; /* of the cells, for their colours */
	VEC(size_t) rules;       /* the rows before which there is a line */
};

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
	format_plain(text);
	VEC_PUSH(&t->cells, text);
	VEC_PUSH(&t->shares, 0);
}

void table_heat(struct table *t, long double share)
{
	t->shares.at[t->cells.n - 1] = share;
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

static void print_cell(const struct table *t, FILE *out, size_t i, const char *text,
                       const struct look *look)
{
	const char *begin = look_heat(look, t->shares.at[i]);

	fprintf(out, "%s%s%s", begin, text, *begin ? look_end(look) : "");
}

/* Of a function and its file ("f(int) (a.c)") it is the function's name that is shortened. */
static const char *shorten(const char *text, size_t width, char layout)
{
	const char *file = strrchr(text, '(');
	size_t room;

	if (layout != 'n')
		return names_shorten(text, width);
	if (!file || file == text || file[-1] != ' ')
		return names_fit(text, width);
	room = (size_t)width_of(file) + 1;
	if (room + LAST_MIN / 4 > width)
		return names_shorten(text, width);
	text = names_fit(arena_string(text, (size_t)(file - text) - 1), width - room);
	return xasprintf("%s %s", text, file);
}

static void print_row(const struct table *t, FILE *out, size_t row, const int *widths,
                      const struct look *look)
{
	for (size_t c = 0; c < t->columns; c++) {
		size_t i = row * t->columns + c;
		const char *text = t->cells.at[i];
		int room = widths[c] - width_of(text);

		if (c + 1 == t->columns && room < 0)
			text = shorten(text, (size_t)widths[c], t->layout[c]);
		put_blanks(out, (c ? GAP : 0) + (t->layout[c] == 'r' ? room : 0));
		print_cell(t, out, i, text, look);
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
	VEC_FREE(&t->shares);
	VEC_FREE(&t->rules);
	free(t);
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
		if (strchr("cn", t->layout[c]) && i >= t->columns)
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
		print_row(t, out, row, widths, look);
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
