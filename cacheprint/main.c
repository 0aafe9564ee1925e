/* cacheprint: profile -> counts -> sums and order -> tables and annotated sources. */
#include "cacheprint/options.h"
#include "cacheprint/output.h"
#include "cacheprint/view.h"
#include "cacheprint/write.h"

#include "common/diag.h"

#include <stdlib.h>

static void set_substitutions(substitution_list *list, const char *option, const path_list *from)
{
	const char *error;

	for (size_t i = 0; i < from->n; i++) {
		error = naming_substitute(list, from->at[i]);
		if (error)
			die_usage("--%s=%s: %s", option, from->at[i], error);
	}
}

static void read_profiles(struct model *m, const struct options *o)
{
	const char *why;

	m->naming.demangle = !o->no_demangle && o->action != ACTION_MERGE;
	set_substitutions(&m->naming.files, "mod-filename", &o->mod_filename);
	set_substitutions(&m->naming.functions, "mod-funcname", &o->mod_funcname);
	for (size_t i = 0; i < o->profiles.n; i++) {
		why = model_add(m, profile_open(o->profiles.at[i]),
		                o->action != ACTION_PRINT && o->action != ACTION_MERGE && i == 0
		                    ? BEFORE
		                    : AFTER);
		if (why)
			die_usage("%s does not go together with %s: %s", o->profiles.at[i],
			          o->profiles.at[0], why);
	}
	model_label_files(m);
}

static bool print(const struct report *r)
{
	bool good;

	view_header(r);
	view_totals(r);
	view_sizes(r);
	view_functions(r);
	good = view_sources(r);
	return view_assembly(r) && good;
}

static bool merge(const struct report *r)
{
	write_profile(r->out, r->model);
	return true;
}

static bool diff(const struct report *r)
{
	if (r->gates.n)
		view_gate(r);
	return view_diff(r);
}

static bool (*const actions[][FORMATS])(const struct report *r) = {
    [ACTION_PRINT] = {print, view_json, view_csv, print, view_html},
    [ACTION_DIFF] = {diff, view_json, view_csv, diff, view_html},
    [ACTION_GATE] = {view_gate, view_json, view_csv, view_gate, view_html},
    [ACTION_MERGE] = {merge, merge, merge, merge, merge},
};

/* Static: they live to the end of the process, which frees them. */
static struct options options;
static struct model model;
static struct report report;

int main(int argc, char **argv)
{
	struct output output;
	bool good;

	diag_program("cacheprint");
	options = options_parse(argc, argv);
	reader_on_progress(output_progress);
	read_profiles(&model, &options);
	report_init(&report, &options, &model);
	output = output_open(options.output, options.colour, options.pager);
	report_set_output(&report, &output);
	good = actions[options.action][options.format](&report);
	output_close(&output);
	good &= report_gates_hold(&report);
	return good ? EXIT_OK : EXIT_FAILED;
}
