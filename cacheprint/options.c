/* One table for argp, which prints --help from it. */
#include "cacheprint/options.h"

#include "common/diag.h"
#include "include/profile.h"

#include <argp.h>

const char *argp_program_version = "cacheprint (cacheprof) " CACHEPROF_VERSION;

static const struct argp_option table[] = {
    {0, 0, 0, 0, "Input:", 1},
    {"file", 'f', "FILE", 0, "Read the profile FILE instead of " PROFILE_DEFAULT_NAME, 1},
    {0, 0, 0, 0, "Sources:", 2},
    {"include", 'I', "DIR", 0, "Look for sources in DIR, too", 2},
    {0, 0, 0, 0, "Other:", -1},
    {0},
};

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'f':
		VEC_PUSH(&o->profiles, arg);
		return 0;
	case 'I':
		VEC_PUSH(&o->directories, arg);
		return 0;
	case ARGP_KEY_ARG:
		VEC_PUSH(&o->sources, arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

struct options options_parse(int argc, char **argv)
{
	static const struct argp argp = {
	    table, take, "[SOURCE...]",
	    "Print a cacheprof profile: the whole program, its functions, and each SOURCE "
	    "annotated line by line.",
	    0, 0, 0};
	struct options o = {0};

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	if (!o.profiles.n)
		VEC_PUSH(&o.profiles, PROFILE_DEFAULT_NAME);
	return o;
}
