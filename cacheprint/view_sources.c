/* Which sources are annotated, and what share of the counts that makes. */
#include "cacheprint/annotate.h"
#include "cacheprint/format.h"
#include "cacheprint/table.h"
#include "cacheprint/view.h"

#include <stdlib.h>

/* The chosen sources and what became of them. */
struct work {
	choice_list choices;
	bool *found; /* of each */
	struct coverage coverage;
};

static void print_missing(const struct report *r, const struct work *w)
{
	bool any = false;

	for (size_t i = 0; i < w->choices.n; i++) {
		const struct choice *c = &w->choices.at[i];

		if (w->found[i] || c->named)
			continue;
		if (!any)
			fputs("Sources of functions above that were not found (try -I, --strip, "
			      "--map):\n",
			      r->out);
		any = true;
		format_between(r->out, "  ", c->file->name, "\n");
	}
	if (any)
		fputc('\n', r->out);
}

static void put_coverage(const struct report *r, struct table *t, const char *what,
                         const int64_t *sums)
{
	char b[FORMAT_ROOM];
	bool any = false;

	for (unsigned i = 0; i < r->model->events.n; i++)
		any |= sums[i] != 0;
	if (!any)
		return;
	for (size_t i = 0; i < r->line_columns.n; i++) {
		const struct column *c = r->line_columns.at[i];

		if (c->shares)
			table_cell(t, "%s",
			           format_percent(b, column_value(c, sums),
			                          column_value(c, r->model->totals)));
	}
	table_cell(t, "%s", what);
}

static void add(int64_t *to, const int64_t *counts, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		to[i] += counts[i];
}

static char *coverage_layout(const struct report *r)
{
	VEC(char) text = {0};

	for (size_t i = 0; i < r->line_columns.n; i++)
		if (r->line_columns.at[i]->shares)
			VEC_PUSH(&text, 'r');
	VEC_PUSH(&text, 'l');
	VEC_PUSH(&text, 0);
	return text.at;
}

/* The counts of the profile are annotated, or there is one reason why they are not. */
static void print_coverage(const struct report *r, const struct work *w)
{
	unsigned n = r->model->events.n;
	int64_t *missing = xalloc(n, sizeof *missing), *unknown = xalloc(n, sizeof *unknown);
	int64_t *rest = xalloc(n, sizeof *rest);
	char *layout = coverage_layout(r);
	struct table *t = table_new(layout);

	for (const struct file *f = r->model->files; f; f = f->hh.next)
		if (!choose_find(&w->choices, f))
			add(choose_is_unknown(f) ? unknown : rest, f->sums, n);
	for (size_t i = 0; i < w->choices.n; i++)
		if (!w->found[i])
			add(missing, w->choices.at[i].file->sums, n);
	for (size_t i = 0; i < r->line_columns.n; i++)
		if (r->line_columns.at[i]->shares)
			table_cell(t, "%s", r->line_columns.at[i]->name);
	table_cell(t, "COVERAGE");
	table_rule(t);
	put_coverage(r, t, "annotated above", w->coverage.annotated);
	put_coverage(r, t, "line unknown or past the end of its file", w->coverage.unplaced);
	put_coverage(r, t, "source not found", missing);
	put_coverage(r, t, "in files not annotated", rest);
	put_coverage(r, t, "in unknown files", unknown);
	table_print(t, r->out, &r->look);
	fputc('\n', r->out);
	free(layout);
	free(missing);
	free(unknown);
	free(rest);
}

bool view_sources(const struct report *r)
{
	struct work w = {.coverage = {xalloc(r->model->events.n, sizeof(int64_t)),
	                              xalloc(r->model->events.n, sizeof(int64_t))}};
	bool good = choose_named(r, &w.choices);

	if (r->options->annotate_all)
		choose_shown(r, &w.choices);
	w.found = xalloc(w.choices.n, sizeof *w.found);
	for (size_t i = 0; i < w.choices.n; i++) {
		w.found[i] = annotate(r, &w.choices.at[i], &w.coverage);
		good &= w.found[i] || !w.choices.at[i].named;
	}
	print_missing(r, &w);
	if (w.choices.n)
		print_coverage(r, &w);
	VEC_FREE(&w.choices);
	free(w.found);
	free(w.coverage.annotated);
	free(w.coverage.unplaced);
	return good;
}
