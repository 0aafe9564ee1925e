/* cacheprint: profile -> counts -> sums and order -> tables and annotated sources. */
#include "cacheprint/options.h"
#include "cacheprint/output.h"
#include "cacheprint/view.h"
#include "cacheprint/write.h"

#include "common/diag.h"
#include "common/path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void set_substitutions(substitution_list *list, const char *option, const path_list *from)
{
	const char *error;

	for (size_t i = 0; i < from->n; i++) {
		error = naming_substitute(list, from->at[i]);
		if (error)
			die_usage("--%s=%s: %s", option, from->at[i], error);
	}
}

/* The program that a profile is of: the first word of its command, from where the profile is. */
static const char *program_of(const struct profile *p)
{
	const char *slash = strrchr(p->path, '/');
	char *directory = slash ? xstrndup(p->path, (size_t)(slash - p->path)) : NULL;
	size_t len = 0;

	while (len < p->command.len && p->command.at[len] != ' ')
		len++;
	if (len && len < p->command.len && p->command.at[len - 1] == ';') /* of several, merged: "./a; ./a x" */
		len--;
	return path_join(directory, arena_string(p->command.at, len));
}

static void read_program(struct model *m, const char *path, const struct profile *p)
{
	const char *why = inlining_add(m->inlining, path);
	struct stat st;

	if (why)
		die_usage("%s: %s; name the program with --inline=PROGRAM", path, why);
	if (stat(path, &st) == 0 && st.st_mtime > p->modified.tv_sec)
		warn("%s is newer than %s: it may not be the program that was counted", path,
		     p->path);
}

/* Returns the path of the last one, or NULL. */
static const char *read_programs(struct model *m, const struct options *o, struct profile *const *profiles)
{
	const char *path = NULL;

	if (o->programs.n)
		m->inlining = inlining_new(&m->naming);
	for (size_t i = 0; i < o->programs.n; i++) {
		path = o->programs.at[i];
		if (path)
			read_program(m, path, profiles[0]);
		for (size_t k = 0; !o->programs.at[i] && k < o->profiles.n; k++) {
			path = program_of(profiles[k]);
			read_program(m, path, profiles[k]);
		}
	}
	return path;
}

static void read_profiles(struct model *m, const struct options *o)
{
	struct profile **profiles = xalloc(o->profiles.n, sizeof *profiles);
	const char *program, *why;

	m->naming.demangle = !o->no_demangle && o->action != ACTION_MERGE;
	set_substitutions(&m->naming.files, "mod-filename", &o->mod_filename);
	set_substitutions(&m->naming.functions, "mod-funcname", &o->mod_funcname);
	for (size_t i = 0; i < o->profiles.n; i++)
		profiles[i] = profile_open(o->profiles.at[i]);
	program = read_programs(m, o, profiles);
	for (size_t i = 0; i < o->profiles.n; i++) {
		why = model_add(m, profiles[i],
		                o->action != ACTION_PRINT && o->action != ACTION_MERGE && i == 0
		                    ? BEFORE
		                    : AFTER);
		if (why)
			die_usage("%s does not go together with %s: %s", o->profiles.at[i],
			          o->profiles.at[0], why);
	}
	if (m->inlining && !m->has_inlined)
		warn("--inline: by the debug information of %s nothing was inlined into a function of the profile; "
		     "--inline=PROGRAM names another", program);
	model_label_files(m);
	free(profiles);
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
	if (options.action != ACTION_MERGE) /* which says so itself */
		report_warn_if_caches_differ(&report);
	good = actions[options.action][options.format](&report);
	output_close(&output);
	good &= report_gates_hold(&report);
	return good ? EXIT_OK : EXIT_FAILED;
}
