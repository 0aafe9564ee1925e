/* The functions in the order of the sort events, each with its share of them and the share of all
 * functions down to it. Grouped, a row for a file (or a name) is followed by rows for its functions
 * (or files), and the cumulative share is that of the groups. */
#include "cacheprint/format.h"
#include "cacheprint/table.h"
#include "cacheprint/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row: the sums of one function, or of a group of them. */
struct entry {
	const char *name;
	const int64_t *sums;
	const struct function **functions; /* of the group; sorted */
	size_t n;
};

typedef VEC(struct entry) entry_list;

static int sort_index(const struct report *r, const struct column *c)
{
	for (size_t i = 0; i < r->sort.n; i++)
		if (r->sort.at[i] == c)
			return (int)i;
	return -1;
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
	VEC_PUSH(&text, 'n');
	VEC_PUSH(&text, 0);
	return text.at;
}

static void put_heads(const struct report *r, struct table *t, const char *name)
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
	table_cell(t, "%s", name);
	table_rule(t);
}

/* The numbers of a row; running is NULL for a row that does not count for cum-%. */
static void put_numbers(const struct report *r, struct table *t, const int64_t *sums,
                        const long double *running)
{
	char b[FORMAT_ROOM];

	for (size_t i = 0; i < r->function_columns.n; i++) {
		const struct column *c = r->function_columns.at[i];
		long double value = column_value(c, sums);
		long double whole = column_value(c, r->model->totals);
		int sorted = sort_index(r, c);

		table_cell(t, "%s", format_value(b, c, value));
		if (!c->shares)
			continue;
		table_heat(t, report_share(r, c, sums));
		table_cell(t, "%s", format_percent(b, value, whole));
		table_heat(t, report_share(r, c, sums));
		if (sorted >= 0)
			table_cell(t, "%s",
			           running ? format_percent(b, running[sorted], whole) : "");
	}
}

static void run(const struct report *r, long double *running, const int64_t *sums)
{
	for (size_t i = 0; i < r->sort.n; i++)
		running[i] += column_value(r->sort.at[i], sums);
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
	const char *separator = "";

	if (!rest)
		return;
	print_number(r, "  The remaining ", rest, "function");
	fprintf(r->out, "%s contributed less than", rest == 1 ? "" : ", each,");
	for (size_t i = 0; i < r->sort.n; i++) {
		if (isinf(r->thresholds.at[i]))
			continue;
		fprintf(r->out, "%s %g%% of %s", separator, r->thresholds.at[i],
		        r->sort.at[i]->name);
		separator = " and";
	}
	fputs(".\n", r->out);
}

static const char *shorten(const struct report *r, const char *name)
{
	return names_fit(name, r->name_width);
}

/* Prints every function by itself; returns how many are not shown. */
static size_t put_functions(const struct report *r, struct table *t, long double *running)
{
	size_t rest = 0;

	put_heads(r, t, "FUNCTION (FILE)");
	for (size_t i = 0; i < r->model->functions.n; i++) {
		const struct function *f = r->model->functions.at[i];

		if (!report_shows(r, f->sums)) {
			rest++;
			continue;
		}
		run(r, running, f->sums);
		put_numbers(r, t, f->sums, running);
		table_cell(t, "%s (%s)", shorten(r, f->name), f->file->label);
	}
	return rest;
}

static const char *group_name(const struct report *r, const struct function *f)
{
	return r->options->group == GROUP_BY_FILE ? f->file->name : f->name;
}

static int compare_group_names(const void *pa, const void *pb, void *context)
{
	const struct function *a = *(const struct function *const *)pa;
	const struct function *b = *(const struct function *const *)pb;

	return strcmp(group_name(context, a), group_name(context, b));
}

static const int64_t *sum_up(const struct report *r, const struct entry *e)
{
	int64_t *sums = arena_alloc(r->model->events.n * sizeof *sums);

	for (size_t i = 0; i < e->n; i++)
		for (unsigned j = 0; j < r->model->events.n; j++)
			sums[j] += e->functions[i]->sums[j];
	return sums;
}

static int compare_entries(const void *pa, const void *pb, void *context)
{
	const struct entry *a = pa, *b = pb;
	const struct report *r = context;
	int order = model_compare(a->sums, b->sums, &r->sort);

	return order ? order : strcmp(a->name, b->name);
}

/* Functions with the same group name become one entry; both are sorted like functions. The
 * functions of `sorted` are rearranged. */
static entry_list make_groups(const struct report *r, struct function **sorted, size_t n)
{
	entry_list groups = {0};

	qsort_r(sorted, n, sizeof *sorted, compare_group_names, (void *)r);
	for (size_t i = 0, j; i < n; i = j) {
		struct entry e = {.name = group_name(r, sorted[i])};

		for (j = i; j < n && strcmp(group_name(r, sorted[j]), e.name) == 0;)
			j++;
		model_sort(&sorted[i], j - i, &r->sort);
		e.functions = (const struct function **)&sorted[i];
		e.n = j - i;
		e.sums = sum_up(r, &e);
		VEC_PUSH(&groups, e);
	}
	if (groups.n)
		qsort_r(groups.at, groups.n, sizeof *groups.at, compare_entries, (void *)r);
	return groups;
}

/* A group and those of its functions that reach a threshold; returns how many do not. */
static size_t put_group(const struct report *r, struct table *t, const struct entry *e,
                        long double *running)
{
	bool by_file = r->options->group == GROUP_BY_FILE;
	size_t rest = 0;

	if (!report_shows(r, e->sums))
		return e->n;
	run(r, running, e->sums);
	put_numbers(r, t, e->sums, running);
	table_cell(t, "%s", by_file ? e->name : shorten(r, e->name));
	for (size_t i = 0; i < e->n; i++) {
		const struct function *f = e->functions[i];

		if (!report_shows(r, f->sums)) {
			rest++;
			continue;
		}
		put_numbers(r, t, f->sums, NULL);
		table_cell(t, "    %s", by_file ? shorten(r, f->name) : f->file->label);
	}
	return rest;
}

static size_t put_groups(const struct report *r, struct table *t, long double *running)
{
	size_t n = r->model->functions.n, rest = 0;
	struct function **functions = xalloc(n, sizeof *functions);
	entry_list groups;

	if (n)
		memcpy(functions, r->model->functions.at, n * sizeof *functions);
	groups = make_groups(r, functions, n);
	put_heads(r, t, r->options->group == GROUP_BY_FILE ? "FILE, FUNCTION" : "FUNCTION, FILE");
	for (size_t i = 0; i < groups.n; i++)
		rest += put_group(r, t, &groups.at[i], running);
	VEC_FREE(&groups);
	free(functions);
	return rest;
}

void view_functions(const struct report *r)
{
	char *columns = layout(r);
	struct table *t = table_new(columns);
	long double *running = xalloc(r->sort.n, sizeof *running);
	size_t rest;

	print_mentioned(r);
	rest = r->options->group == GROUP_NONE ? put_functions(r, t, running)
	                                       : put_groups(r, t, running);
	table_print(t, r->out, &r->look);
	print_rest(r, rest);
	fputc('\n', r->out);
	free(running);
	free(columns);
}
