/* The functions in the order of the sort events, each with its share of them and the share of all
 * functions down to it. */
#include "cacheprint/format.h"
#include "cacheprint/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>


static int sort_index(const struct report *r, const struct column *c)
{
	for (size_t i = 0; i < r->sort.n; i++)
		if (r->sort.at[i] == c)
			return (int)i;
	return -1;
}

static bool is_shown(const struct report *r, const struct function *f)
{
	for (size_t i = 0; i < r->sort.n; i++) {
		const struct column *c = r->sort.at[i];
		long double whole = column_value(c, r->model->totals);
		long double share = fabsl(column_value(c, f->sums)) * 100 / fabsl(whole);

		if (r->thresholds.at[i] == 0 || share >= r->thresholds.at[i])
			return true;
	}
	return false;
}

/* A value column, then "%" when shares make sense, then "cum-%" when it is sorted by. */
static char *layout(const struct report *r)
{
	VEC(char) text = {0};

	for (size_t i = 0; i < r->function_columns.n; i++) {
		const struct column *c = r->function_columns.at[i];

		VEC_PUSH(&text, 'r');
		if (!c->shares)
			continue;
		VEC_PUSH(&text, 'r');
		if (sort_index(r, c) >= 0)
			VEC_PUSH(&text, 'r');
	}
	VEC_PUSH(&text, 'l');
	VEC_PUSH(&text, 0);
	return text.at;
}

static void put_heads(const struct report *r, struct table *t)
{
	for (size_t i = 0; i < r->function_columns.n; i++) {
		const struct column *c = r->function_columns.at[i];

		table_cell(t, "%s", c->name);
		if (!c->shares)
			continue;
		table_cell(t, "%%");
		if (sort_index(r, c) >= 0)
			table_cell(t, "cum-%%");
	}
	table_cell(t, "FUNCTION (FILE)");
	table_rule(t);
}

static void put_function(const struct report *r, struct table *t, const struct function *f,
			 const long double *running)
{
	char b[FORMAT_ROOM];

	for (size_t i = 0; i < r->function_columns.n; i++) {
		const struct column *c = r->function_columns.at[i];
		long double value = column_value(c, f->sums);
		long double whole = column_value(c, r->model->totals);
		int sorted = sort_index(r, c);

		table_cell(t, "%s", format_value(b, c, value));
		if (!c->shares)
			continue;
		table_cell(t, "%s", format_percent(b, value, whole));
		if (sorted >= 0)
			table_cell(t, "%s", format_percent(b, running[sorted], whole));
	}
	table_cell(t, "%s (%s)", f->name, f->file->label);
}

static void print_number(const struct report *r, const char *before, size_t n, const char *noun)
{
	char b[FORMAT_ROOM];

	fprintf(r->out, "%s%s %s%s", before, format_count(b, (int64_t)n), noun, n == 1 ? "" : "s");
}

static void print_mentioned(const struct report *r)
{
	const struct model *m = r->model;

	print_number(r, "", HASH_COUNT(m->files), "source file");
	print_number(r, ", ", model_count_names(m), "function name");
	print_number(r, ", and ", m->n_rows, "program point");
	fputs("\nare mentioned in", r->out);
	for (size_t i = 0; i < m->profiles.n; i++)
		fprintf(r->out, "%s '%s'", i ? "," : "", m->profiles.at[i]->path);
	fputs(".\n\n", r->out);
}

static void print_rest(const struct report *r, size_t rest)
{
	if (!rest)
		return;
	print_number(r, "  The remaining ", rest, "function");
	fprintf(r->out, "%s contributed less than", rest == 1 ? "" : ", each,");
	for (size_t i = 0; i < r->sort.n; i++)
		fprintf(r->out, "%s %g%% of %s", i ? " and" : "", r->thresholds.at[i],
			r->sort.at[i]->name);
	fputs(".\n", r->out);
}

void view_functions(const struct report *r)
{
	size_t n = r->model->functions.n, rest = 0;
	char *columns = layout(r);
	struct table *t = table_new(columns);
	long double *running = xalloc(r->sort.n, sizeof *running);
	const struct function *f;

	print_mentioned(r);
	put_heads(r, t);
	for (size_t i = 0; i < n; i++) {
		f = r->model->functions.at[i];
		if (!is_shown(r, f)) {
			rest++;
			continue;
		}
		for (size_t j = 0; j < r->sort.n; j++)
			running[j] += column_value(r->sort.at[j], f->sums);
		put_function(r, t, f, running);
	}
	table_print(t, r->out, 2);
	print_rest(r, rest);
	fputc('\n', r->out);
	free(running);
	free(columns);
}
