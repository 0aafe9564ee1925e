/* The verdict for continuous integration: each rule, and for a broken one the lines that got worse.
 */
#include "cacheprint/format.h"
#include "cacheprint/table.h"
#include "cacheprint/view.h"

#include "common/diag.h"

#include <stdlib.h>
#include <string.h>

#define GUILTY_LINES 10

struct guilty {
	long double before, after;
	const struct file *file;
	uint32_t line;
	const char *text;
};

typedef VEC(struct guilty) guilty_list;

static void put_rule(struct table *t, const struct gate *g, struct sides v)
{
	char b[FORMAT_ROOM + 1];
	long double change = v.after - v.before;

	table_cell(t, "%s", gate_holds(g, v.before, v.after) ? "ok" : "BROKEN");
	table_cell(t, "%s", g->column->name);
	table_cell(t, "%s", g->text);
	table_cell(t, "%s", format_value(b, g->column, v.before));
	table_cell(t, "%s", format_value(b, g->column, v.after));
	table_cell(t, "%s", format_change(b, g->column, change));
	if (g->column->percent)
		table_cell(t, "%s", "");
	else
		table_cell(t, "%s", format_percent_change(b, change, v.before));
}

static const char *copy_text(const struct comparison *c, const struct change *change)
{
	const struct source *s = change->after ? c->after : c->before;
	uint32_t line = change->after ? change->after : change->before;
	struct text text;

	if (!s || !line || line > source_count_lines(s))
		return "";
	text = source_line(s, line);
	while (text.len && (*text.at == ' ' || *text.at == '\t'))
		text.at++, text.len--;
	return arena_string(text.at, text.len);
}

static void find_guilty(const struct report *r, const struct column *column,
                        const struct file *file, guilty_list *list)
{
	static const int64_t none[READER_MAX_EVENTS];
	struct comparison c;

	compare_file(&c, r->model, file, NULL, r->options);
	for (size_t i = 0; i < c.changes.n; i++) {
		const struct change *change = &c.changes.at[i];
		const int64_t *before = change->counts_before ? change->counts_before : none;
		const int64_t *after = change->counts_after ? change->counts_after : none;
		struct guilty g = {column_value(column, before), column_value(column, after), file,
		                   change->after ? change->after : change->before, NULL};

		if (!(g.after > g.before))
			continue;
		g.text = copy_text(&c, change);
		VEC_PUSH(list, g);
	}
	compare_free(&c);
}

static int compare_guilty(const void *pa, const void *pb)
{
	const struct guilty *a = pa, *b = pb;
	long double x = a->after - a->before, y = b->after - b->before;

	if (x != y)
		return x < y ? 1 : -1;
	if (a->file != b->file)
		return strcmp(a->file->name, b->file->name);
	return (a->line > b->line) - (a->line < b->line);
}

static void print_guilty(const struct report *r, const struct column *c, const guilty_list *list)
{
	static const char *const heads[] = {"BEFORE", "AFTER", "CHANGE", "LINE", "SOURCE"};
	struct table *t = table_new("rrrcc");
	char b[FORMAT_ROOM + 1];

	fprintf(r->out, "Lines with more %s:\n\n", c->name);
	for (size_t i = 0; i < 5; i++)
		table_cell(t, "%s", heads[i]);
	table_rule(t);
	for (size_t i = 0; i < list->n && i < GUILTY_LINES; i++) {
		const struct guilty *g = &list->at[i];

		table_cell(t, "%s", format_value(b, c, g->before));
		table_cell(t, "%s", format_value(b, c, g->after));
		table_cell(t, "%s", format_change(b, c, g->after - g->before));
		table_cell(t, "%s:%u", g->file->label, g->line);
		table_cell(t, "%s", names_shorten(g->text, r->name_width));
	}
	table_print(t, r->out, &r->look);
	if (list->n > GUILTY_LINES)
		fprintf(r->out, "  and %zu more\n", list->n - GUILTY_LINES);
	fputc('\n', r->out);
}

/* A rate is no sum over lines, so nobody is guilty of it. */
static void explain(const struct report *r, const struct column *c)
{
	guilty_list list = {0};

	if (!c->shares)
		return;
	for (const struct file *f = r->model->files; f; f = f->hh.next)
		find_guilty(r, c, f, &list);
	if (list.n) {
		qsort(list.at, list.n, sizeof *list.at, compare_guilty);
		print_guilty(r, c, &list);
	}
	VEC_FREE(&list);
}

bool view_gate(const struct report *r)
{
	static const char *const heads[] = {"", "RULE", "LIMIT", "BEFORE", "AFTER", "CHANGE", "%"};
	struct table *t = table_new("lccrrrr");

	for (size_t i = 0; i < 7; i++)
		table_cell(t, "%s", heads[i]);
	table_rule(t);
	for (size_t i = 0; i < r->gates.n; i++)
		put_rule(t, &r->gates.at[i], report_gate_sides(r, &r->gates.at[i]));
	table_print(t, r->out, &r->look);
	fputc('\n', r->out);
	for (size_t i = 0; i < r->gates.n; i++) {
		struct sides v = report_gate_sides(r, &r->gates.at[i]);

		if (!gate_holds(&r->gates.at[i], v.before, v.after))
			explain(r, r->gates.at[i].column);
	}
	return true;
}
