/* argp prints the help from the table options.def; the same rows say where an argument goes. */
#include "cacheprint/options.h"

#include "cacheprint/output.h"
#include "common/diag.h"
#include "include/profile.h"

#include <argp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *argp_program_version = "cacheprint " CACHEPROF_VERSION;

#define THRESHOLD_DEFAULT 0.1 /* as cg_annotate's */

enum id {
#define GROUP(number, heading)
#define OPTION(id, name, short, argument, optional, kind, member, value, help) ID_##id,
#include "cacheprint/options.def"
#undef GROUP
#undef OPTION
};

enum kind { LIST, TEXT, VALUE, COUNT, PERCENT, YES_NO, CHOICE };

static const struct rule {
	const char *name;
	enum kind kind;
	size_t offset;
	int value;
	const char *words; /* of a choice */
} rules[] = {
#define GROUP(number, heading)
#define OPTION(id, name, short, argument, optional, kind, member, value, help)                     \
	[ID_##id] = {name, kind, offsetof(struct options, member), value, argument},
#include "cacheprint/options.def"
#undef GROUP
#undef OPTION
};

/* Keys of options without a short form are above the characters. */
#define KEY(id, short) ((short) ? (short) : 1000 + ID_##id)

static const struct argp_option table[] = {
#define GROUP(number, heading) {0, 0, 0, 0, heading, number},
#define OPTION(id, name, short, argument, optional, kind, member, value, help)                     \
	{name, KEY(id, short), argument, (optional) ? OPTION_ARG_OPTIONAL : 0, help, 0},
#include "cacheprint/options.def"
#undef GROUP
#undef OPTION
    {0, 0, 0, 0, "Other:", -1},
    {0},
};

static const struct rule *find_rule(int key)
{
#define GROUP(number, heading)
#define OPTION(id, name, short, argument, optional, kind, member, value, help)                     \
	if (key == KEY(id, short))                                                                 \
		return &rules[ID_##id];
#include "cacheprint/options.def"
#undef GROUP
#undef OPTION
	return NULL;
}

static bool take_yes_no(struct argp_state *state, const char *arg)
{
	if (arg && strcmp(arg, "yes") != 0 && strcmp(arg, "no") != 0)
		argp_error(state, "'%s' is neither yes nor no", arg);
	return !arg || strcmp(arg, "yes") == 0;
}

static int take_count(struct argp_state *state, const char *arg)
{
	char *end;
	long n = strtol(arg, &end, 10);

	if (end == arg || *end || n < 0 || n > 1000000000)
		argp_error(state, "'%s' is not a number of lines or directories", arg);
	return (int)n;
}

/* A trailing "%" is tolerated, as in cg_annotate. */
static double take_percent(struct argp_state *state, const char *arg)
{
	char *end;
	double p = strtod(arg, &end);

	end += *end == '%';
	if (end == arg || *end || !(p >= 0 && p <= 100))
		argp_error(state, "'%s' is not a percentage", arg);
	return p;
}

/* Which of the words in "one|two|three" it is, from 1; the first when there is none. */
static int take_choice(struct argp_state *state, const char *arg, const char *words)
{
	size_t len;
	int n = 1;

	for (const char *word = words; arg; word += len + 1, n++) {
		len = strcspn(word, "|");
		if (strlen(arg) == len && strncmp(arg, word, len) == 0)
			return n;
		if (!word[len]) {
			argp_error(state, "'%s' is none of %s", arg, words);
			break;
		}
	}
	return n;
}

/* Of several options that set one member to this and that there can be one. */
static void take_value(struct argp_state *state, const struct rule *rule, int *member)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].offset == rule->offset && rules[i].value == *member && *member != rule->value)
			argp_error(state, "--%s and --%s do not go together", rules[i].name, rule->name);
	*member = rule->value;
}

static void take_option(struct argp_state *state, const struct rule *rule, char *arg)
{
	void *member = (char *)state->input + rule->offset;

	switch (rule->kind) {
	case LIST:
		VEC_PUSH((path_list *)member, arg);
		break;
	case TEXT:
		*(const char **)member = arg;
		break;
	case VALUE:
		take_value(state, rule, member);
		break;
	case COUNT:
		*(int *)member = take_count(state, arg);
		break;
	case PERCENT:
		*(double *)member = take_percent(state, arg);
		break;
	case YES_NO:
		*(bool *)member = take_yes_no(state, arg);
		break;
	case CHOICE:
		*(int *)member = take_choice(state, arg, rule->words);
		break;
	}
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	const struct rule *rule;

	if (key == ARGP_KEY_ARG) {
		VEC_PUSH(&o->sources, arg);
		return 0;
	}
	rule = find_rule(key);
	if (!rule)
		return ARGP_ERR_UNKNOWN;
	take_option(state, rule, arg);
	return 0;
}

/* NULL for what means standard output, which is written in turn with what else is. */
static const char *unless_standard(const char *path)
{
	return path && strcmp(path, "-") != 0 && strcmp(path, "/dev/stdout") != 0 ? path : NULL;
}

/* --html says where to write, too; in a directory it is index.html. */
static void settle_output(struct options *o)
{
	struct stat st;

	if (!o->html) {
		o->output = unless_standard(o->output);
		return;
	}
	if (o->output)
		die_usage("--html=%s and --output=%s are two places for one page", o->html, o->output);
	if (o->format != FORMAT_TEXT)
		die_usage("--html=%s and another format do not go together", o->html);
	o->format = FORMAT_HTML;
	o->output = o->html;
	if (stat(o->html, &st) == 0 && S_ISDIR(st.st_mode))
		o->output = xasprintf("%s/index.html", o->html);
	o->output = unless_standard(o->output);
}

/* The first n arguments are profiles. */
static void move_arguments(struct options *o, size_t n)
{
	n = n < o->sources.n ? n : o->sources.n;
	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		VEC_PUSH(&o->profiles, o->sources.at[i]);
	o->sources.n -= n;
	memmove(o->sources.at, o->sources.at + n, o->sources.n * sizeof *o->sources.at);
}

static bool is_printed(const struct options *o)
{
	return !o->html && (o->format == FORMAT_TEXT || o->format == FORMAT_MARKDOWN);
}

static void settle_arguments(struct options *o)
{
	bool compares;

	if (o->gates.n && o->action == ACTION_MERGE)
		die_usage("--merge has no use for a --gate");
	if (o->action == ACTION_MERGE && (o->html || o->format != FORMAT_TEXT))
		die_usage("--merge writes a profile, in no other form");
	if (o->gates.n && o->action == ACTION_PRINT)
		o->action = ACTION_GATE;
	if (o->assembly.n && (o->action != ACTION_PRINT || !is_printed(o)))
		die_usage("--asm goes with one profile, printed as text or Markdown");
	for (size_t i = 0; i < o->search.maps.n; i++)
		if (!strchr(o->search.maps.at[i], '='))
			die_usage("--map=%s: it is written --map=OLD=NEW", o->search.maps.at[i]);
	if (o->programs.n && o->action != ACTION_PRINT)
		die_usage("--inline goes with profiles that are printed, not compared or merged");
	compares = o->action == ACTION_DIFF || o->action == ACTION_GATE;
	if (o->before.n && !compares)
		die_usage("--before goes with --diff or --gate: there is no first profile");
	if (o->action == ACTION_MERGE)
		move_arguments(o, o->sources.n);
	if (compares && o->profiles.n < 2)
		move_arguments(o, 2 - o->profiles.n);
	if (compares && o->profiles.n != 2)
		die_usage("%s needs two profiles", o->gates.n ? "--gate" : "--diff");
	if (o->action == ACTION_GATE && is_printed(o) && (o->sources.n || o->annotate_all))
		die_usage("--gate prints no sources; with --diff it does");
	if (!o->profiles.n)
		VEC_PUSH(&o->profiles, PROFILE_DEFAULT_NAME);
}

struct options options_parse(int argc, char **argv)
{
	static const struct argp argp = {
	    table,
	    take,
	    "[SOURCE...]",
	    "Print a cacheprof profile: the whole program, its functions, and each SOURCE "
	    "annotated line by line.",
	    0,
	    0,
	    0};
	struct options o = {.threshold = THRESHOLD_DEFAULT,
	                    .context = CONTEXT_DEFAULT,
	                    .colour = COLOUR_AUTO,
	                    .pager = true};

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	settle_arguments(&o);
	settle_output(&o);
	return o;
}
