/* Which sources are annotated, and what share of the counts that makes. */
#include "cacheprint/view.h"

#include "common/diag.h"
#include "include/profile.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(struct choice) choice_list;

static bool is_unknown(const struct file *f)
{
	return strcmp(f->name, PROFILE_UNKNOWN) == 0;
}

static bool is_chosen(const choice_list *choices, const struct file *f)
{
	for (size_t i = 0; i < choices->n; i++)
		if (choices->at[i].file == f)
			return true;
	return false;
}

static void choose(choice_list *choices, const struct file *f, const char *named)
{
	if (!is_chosen(choices, f))
		VEC_PUSH(choices, (struct choice){f, named, false});
}

/* False when the profile knows no source of that name. */
static bool choose_named(const struct report *r, choice_list *choices, const char *name)
{
	file_list files = source_match(r->model, name);
	bool found = files.n > 0;

	if (!found)
		REPORT_WARN(r, "%s is not in the profile", name);
	if (files.n > 1)
		REPORT_WARN(r, "%s may be any of %zu files of the profile; here are all", name,
		            files.n);
	for (size_t i = 0; i < files.n; i++)
		choose(choices, files.at[i], name);
	VEC_FREE(&files);
	return found;
}

/* The files of the functions that are shown, in their order. */
static void choose_shown(const struct report *r, choice_list *choices)
{
	for (size_t i = 0; i < r->model->functions.n; i++) {
		const struct function *f = r->model->functions.at[i];

		if (report_shows(r, f->sums) && !is_unknown(f->file))
			choose(choices, f->file, NULL);
	}
}

static void print_missing(const struct report *r, const choice_list *choices)
{
	bool any = false;

	for (size_t i = 0; i < choices->n; i++) {
		const struct choice *c = &choices->at[i];

		if (c->found || c->named)
			continue;
		if (!any)
			fputs("Sources of functions above that were not found (try -I, --strip, "
			      "--map):\n",
			      r->out);
		any = true;
		fprintf(r->out, "  %s\n", c->file->name);
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

/* to += sign * counts */
static void add(int64_t *to, const int64_t *counts, int sign, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		to[i] += sign * counts[i];
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
static void print_coverage(const struct report *r, const choice_list *choices,
                           const struct coverage *coverage)
{
	unsigned n = r->model->events.n;
	int64_t *missing = xalloc(n, sizeof *missing), *unknown = xalloc(n, sizeof *unknown);
	int64_t *rest = xalloc(n, sizeof *rest);
	char *layout = coverage_layout(r);
	struct table *t = table_new(layout);

	for (const struct file *f = r->model->files; f; f = f->hh.next)
		if (!is_chosen(choices, f))
			add(is_unknown(f) ? unknown : rest, f->sums, 1, n);
	for (size_t i = 0; i < choices->n; i++)
		if (!choices->at[i].found)
			add(missing, choices->at[i].file->sums, 1, n);
	for (size_t i = 0; i < r->line_columns.n; i++)
		if (r->line_columns.at[i]->shares)
			table_cell(t, "%s", r->line_columns.at[i]->name);
	table_cell(t, "COVERAGE");
	table_rule(t);
	put_coverage(r, t, "annotated above", coverage->annotated);
	put_coverage(r, t, "line unknown or past the end of its file", coverage->unplaced);
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
	const struct options *o = r->options;
	struct coverage coverage = {xalloc(r->model->events.n, sizeof(int64_t)),
	                            xalloc(r->model->events.n, sizeof(int64_t))};
	choice_list choices = {0};
	bool good = true;

	for (size_t i = 0; i < o->sources.n; i++)
		good &= choose_named(r, &choices, o->sources.at[i]);
	if (o->annotate_all)
		choose_shown(r, &choices);
	for (size_t i = 0; i < choices.n; i++) {
		view_annotate(r, &choices.at[i], &coverage);
		good &= choices.at[i].found || !choices.at[i].named;
	}
	print_missing(r, &choices);
	if (choices.n)
		print_coverage(r, &choices, &coverage);
	VEC_FREE(&choices);
	free(coverage.annotated);
	free(coverage.unplaced);
	return good;
}
