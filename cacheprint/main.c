/* cacheprint: profile -> counts -> sums and order -> tables -> annotated sources. */
#include "cacheprint/options.h"
#include "cacheprint/view.h"

#include "common/diag.h"

#include <stdlib.h>

/* The first of these that the profile's events allow is shown or sorted by. */
static const char *const function_columns[] = {"Ir,Refs,D1m,D1m%,LLm", "Ir,Refs"};
static const char *const sort_columns[] = {"D1m,Refs", "Ir"};

#define THRESHOLD 0.1 /* percent, as cg_annotate's */

static void choose(const struct events *e, const char *const *names, size_t n, column_list *list)
{
	for (size_t i = 0; i < n; i++)
		if (events_find_all(e, names[i], list))
			return;
	for (unsigned i = 0; i < e->n; i++)
		VEC_PUSH(list, e->known.at[i]);
}

static void read_profiles(struct model *m, const path_list *paths)
{
	const char *why;

	for (size_t i = 0; i < paths->n; i++) {
		why = model_add(m, profile_open(paths->at[i]));
		if (why)
			die_usage("%s does not go together with %s: %s", paths->at[i], paths->at[0],
				  why);
	}
	model_label_files(m);
}

static void set_columns(struct report *r, struct model *m)
{
	choose(&m->events, function_columns, 2, &r->function_columns);
	choose(&m->events, NULL, 0, &r->line_columns);
	choose(&m->events, sort_columns, 2, &r->sort);
	for (size_t i = 0; i < r->sort.n; i++)
		VEC_PUSH(&r->thresholds, THRESHOLD);
	model_sort(m->functions.at, m->functions.n, &r->sort);
}

/* False when the profile knows no such source, or there is no text of it. */
static bool annotate(const struct report *r, const char *name)
{
	file_list files = source_match(r->model, name);
	bool good = files.n > 0;

	if (!files.n)
		warn("%s is not in the profile", name);
	if (files.n > 1)
		warn("%s may be any of %zu files of the profile; here are all", name, files.n);
	for (size_t i = 0; i < files.n; i++)
		good &= view_annotate(r, files.at[i], name);
	VEC_FREE(&files);
	return good;
}

/* Static: they live to the end of the process, which frees them. */
static struct options options;
static struct model model;
static struct report report;

int main(int argc, char **argv)
{
	bool good = true;

	diag_program("cacheprint");
	options = options_parse(argc, argv);
	read_profiles(&model, &options.profiles);
	report.out = stdout;
	report.model = &model;
	report.directories = &options.directories;
	set_columns(&report, &model);
	view_header(&report);
	view_totals(&report);
	view_sizes(&report);
	view_functions(&report);
	for (size_t i = 0; i < options.sources.n; i++)
		good &= annotate(&report, options.sources.at[i]);
	if (ferror(stdout) || fflush(stdout) != 0)
		die("cannot write the output:");
	return good ? EXIT_OK : EXIT_FAILED;
}
