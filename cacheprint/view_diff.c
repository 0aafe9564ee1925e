/* Two profiles: what the second has more or less than the first. Shares are of the first one's
 * totals, so that the rows can be added. */
#include "cacheprint/choose.h"
#include "cacheprint/format.h"
#include "cacheprint/table.h"
#include "cacheprint/view.h"

#include "common/diag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIFF_CONTEXT 3

static void put_change(struct table *t, const struct column *c, long double change)
{
	char b[FORMAT_ROOM + 1];

	table_cell(t, "%s", format_change(b, c, change));
}

static void put_value(struct table *t, const struct column *c, long double value)
{
	char b[FORMAT_ROOM];

	table_cell(t, "%s", format_value(b, c, value));
}

/* part of whole, with a sign. */
static void put_share(struct table *t, long double part, long double whole)
{
	char b[FORMAT_ROOM + 1];

	table_cell(t, "%s", format_percent_change(b, part, whole));
}

static void put_heads(struct table *t, const char *const *heads, size_t n)
{
	for (size_t i = 0; i < n; i++)
		table_cell(t, "%s", heads[i]);
	table_rule(t);
}

static void put_total(const struct report *r, struct table *t, const struct column *c)
{
	struct sides v = compare_sides(c, r->model->before, r->model->totals, r->model->events.n);

	table_cell(t, "%s", c->name);
	put_value(t, c, v.before);
	put_value(t, c, v.after);
	put_change(t, c, v.after - v.before);
	if (c->percent)
		table_cell(t, "%s", "");
	else
		put_share(t, v.after - v.before, v.before);
}

static bool contains(const column_list *list, const struct column *c)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i] == c)
			return true;
	return false;
}

static void print_totals(const struct report *r)
{
	static const char *const heads[] = {"EVENT", "BEFORE", "AFTER", "CHANGE", "%"};
	struct table *t = table_new("lrrrr");

	put_heads(t, heads, 5);
	for (size_t i = 0; i < r->line_columns.n; i++)
		put_total(r, t, r->line_columns.at[i]);
	for (size_t i = 0; i < r->function_columns.n; i++)
		if (!contains(&r->line_columns, r->function_columns.at[i]))
			put_total(r, t, r->function_columns.at[i]);
	table_print(t, r->out, &r->look);
	fputc('\n', r->out);
}

static void print_profile(const struct report *r, const char *label, const struct profile *p)
{
	fprintf(r->out, "%-18s%s (", label, p->path);
	format_text(r->out, p->command);
	fputs(")\n", r->out);
}

static void print_head(const struct report *r)
{
	const struct profile *a = r->model->profiles.at[0], *b = r->model->profiles.at[1];

	look_fence(&r->look, r->out);
	print_profile(r, "Before:", a);
	print_profile(r, "After:", b);
	look_fence(&r->look, r->out);
	fputc('\n', r->out);
}

/* The first sort column in full, of the others the change. */
static char *layout(const struct report *r)
{
	VEC(char) text = {0};

	for (size_t i = 0; i < 4 + r->function_columns.n; i++)
		VEC_PUSH(&text, 'r');
	if (contains(&r->function_columns, r->sort.at[0]))
		text.n--;
	VEC_PUSH(&text, 'n');
	VEC_PUSH(&text, 0);
	return text.at;
}

static void put_function_heads(const struct report *r, struct table *t)
{
	const struct column *main = r->sort.at[0];

	table_cell(t, "%s BEFORE", main->name);
	table_cell(t, "AFTER");
	table_cell(t, "CHANGE");
	table_cell(t, "%%");
	for (size_t i = 0; i < r->function_columns.n; i++)
		if (r->function_columns.at[i] != main)
			table_cell(t, "%s", r->function_columns.at[i]->name);
	table_cell(t, "FUNCTION (FILE)");
	table_rule(t);
}

static void put_function(const struct report *r, struct table *t, const struct function *f)
{
	const struct column *main = r->sort.at[0];
	struct sides v = compare_sides(main, f->before, f->sums, r->model->events.n);

	put_value(t, main, v.before);
	put_value(t, main, v.after);
	put_change(t, main, v.after - v.before);
	table_heat(t, report_share(r, main, f->sums));
	put_share(t, v.after - v.before, column_value(main, r->model->before));
	table_heat(t, report_share(r, main, f->sums));
	for (size_t i = 0; i < r->function_columns.n; i++) {
		const struct column *c = r->function_columns.at[i];

		if (c == main)
			continue;
		v = compare_sides(c, f->before, f->sums, r->model->events.n);
		put_change(t, c,
		           c->percent && (isnan(v.before) || isnan(v.after)) ? NAN
		                                                             : v.after - v.before);
	}
	table_cell(t, "%s (%s)%s", names_fit(f->name, r->name_width), f->file->label,
	           !f->before ? " new" : "");
}

static bool differs(const struct report *r, const int64_t *sums)
{
	for (unsigned i = 0; i < r->model->events.n; i++)
		if (sums[i])
			return true;
	return false;
}

static void print_functions(const struct report *r)
{
	char *columns = layout(r), b[FORMAT_ROOM];
	struct table *t = table_new(columns);
	size_t rest = 0, same = 0;

	put_function_heads(r, t);
	for (size_t i = 0; i < r->model->functions.n; i++) {
		const struct function *f = r->model->functions.at[i];

		if (!differs(r, f->sums))
			same++;
		else if (!report_shows(r, f->sums))
			rest++;
		else
			put_function(r, t, f);
	}
	table_print(t, r->out, &r->look);
	fprintf(r->out, "  Functions that are the same: %s;", format_count(b, (int64_t)same));
	fprintf(r->out, " with smaller changes: %s.\n\n", format_count(b, (int64_t)rest));
	free(columns);
}

static bool is_different(const struct report *r, const struct change *c)
{
	if (!c->before != !c->after)
		return true;
	for (unsigned i = 0; i < r->model->events.n; i++)
		if ((c->counts_before ? c->counts_before[i] : 0) !=
		    (c->counts_after ? c->counts_after[i] : 0))
			return true;
	return false;
}

static const char *cell(const struct column *column, const struct change *c,
                        char b[static FORMAT_ROOM + 1])
{
	if (!c->counts_before && !c->counts_after)
		return ".";
	return format_change(b, column, compare_value(column, c->counts_before, c->counts_after));
}

static void print_change(const struct report *r, const struct comparison *c,
                         const struct change *change, const int *widths)
{
	const struct source *s = change->after ? c->after : c->before;
	uint32_t line = change->after ? change->after : change->before;
	int kind = (change->after != 0) - (change->before != 0);
	const char *begin = look_change(&r->look, kind);
	struct text text;
	char b[FORMAT_ROOM + 1];

	for (size_t i = 0; i < r->line_columns.n; i++)
		fprintf(r->out, "%*s  ", widths[i], cell(r->line_columns.at[i], change, b));
	fputc("- +"[kind + 1], r->out);
	if (!change->after && !change->before) {
		fputs(" <lines unknown>\n", r->out);
	} else if (s && line <= source_count_lines(s)) {
		text = source_line(s, line);
		fprintf(r->out, " %s", begin);
		format_text(r->out, text);
		fprintf(r->out, "%s\n", *begin ? look_end(&r->look) : "");
	} else {
		fprintf(r->out, " <line %u>\n", line);
	}
}

static int *measure(const struct report *r, const struct comparison *c)
{
	int *widths = xalloc(r->line_columns.n, sizeof *widths), width;
	char b[FORMAT_ROOM + 1];

	for (size_t i = 0; i < r->line_columns.n; i++) {
		widths[i] = (int)strlen(r->line_columns.at[i]->name);
		for (size_t j = 0; j < c->changes.n; j++) {
			width = (int)strlen(cell(r->line_columns.at[i], &c->changes.at[j], b));
			widths[i] = width > widths[i] ? width : widths[i];
		}
	}
	return widths;
}

/* Marks what is different, and `context` lines around it. */
static bool *mark(const struct report *r, const struct comparison *c, size_t context)
{
	bool *shown = xalloc(c->changes.n, sizeof *shown);

	for (size_t i = 0; i < c->changes.n; i++) {
		if (!is_different(r, &c->changes.at[i]))
			continue;
		for (size_t j = i > context ? i - context : 0; j <= i + context && j < c->changes.n;
		     j++)
			shown[j] = true;
	}
	return shown;
}

static void print_title(const struct report *r, const struct file *file, const struct comparison *c,
                        const int *widths)
{
	fputs(look_heading(&r->look), r->out);
	format_between(r->out, "--- Changes in: ", file->name, look_end(&r->look));
	fputc('\n', r->out);
	if (c->before)
		format_between(r->out, "--- before: ", c->before->path, "\n");
	if (!c->before && !c->after)
		fputs("--- the source was not found (try -I, --strip, --map); its lines have numbers only\n", r->out);
	else if (c->by_number)
		fputs("--- its lines are matched by number, for the old text is not known (try "
		      "--before=DIR)\n",
		      r->out);
	for (size_t i = 0; i < r->line_columns.n; i++)
		fprintf(r->out, "%*s  ", widths[i], r->line_columns.at[i]->name);
	fputs("\n\n", r->out);
}

static void print_changes(const struct report *r, const struct comparison *c, const bool *shown,
                          const int *widths)
{
	bool any = false;

	for (size_t i = 0; i < c->changes.n; i++) {
		if (!shown[i])
			continue;
		if (any && !shown[i - 1])
			fputs("--\n", r->out);
		any = true;
		print_change(r, c, &c->changes.at[i], widths);
	}
	fputc('\n', r->out);
}

static bool print_source(const struct report *r, const struct file *file, const char *named)
{
	size_t context =
	    r->options->context == CONTEXT_DEFAULT ? DIFF_CONTEXT : (size_t)r->options->context;
	struct comparison c;
	bool *shown, found;
	int *widths;

	compare_file(&c, r->model, file, named, r->options);
	widths = measure(r, &c);
	shown = mark(r, &c, context);
	found = c.after || c.before;
	if (c.after)
		report_warn_if_newer(r, c.after);
	look_fence(&r->look, r->out);
	print_title(r, file, &c, widths);
	print_changes(r, &c, shown, widths);
	look_fence(&r->look, r->out);
	free(shown);
	free(widths);
	compare_free(&c);
	return found;
}

static bool print_sources(const struct report *r)
{
	choice_list choices = {0};
	bool good = choose_named(r, &choices), found;

	if (r->options->annotate_all)
		choose_shown(r, &choices);
	for (size_t i = 0; i < choices.n; i++) {
		const struct choice *c = &choices.at[i];

		if (!c->named && !differs(r, c->file->sums))
			continue;
		found = print_source(r, c->file, c->named);
		good &= found || !c->named;
	}
	VEC_FREE(&choices);
	return good;
}

bool view_diff(const struct report *r)
{
	print_head(r);
	print_totals(r);
	print_functions(r);
	return print_sources(r);
}
