/* The command line. */
#ifndef CACHEPRINT_OPTIONS_H
#define CACHEPRINT_OPTIONS_H

#include "cacheprint/source.h"

#include <stdbool.h>

/* What to do with the profiles. */
enum action { ACTION_PRINT, ACTION_DIFF, ACTION_GATE, ACTION_MERGE };

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_MARKDOWN, FORMAT_HTML, FORMATS };

/* What the function table is ordered by in the first place; the order of the words of --group. */
enum grouping { GROUP_NONE, GROUP_BY_FILE, GROUP_BY_FUNCTION };

#define CONTEXT_DEFAULT (-1) /* all lines of a named source, 8 around counts in others */

struct options {
	int action; /* enum action */
	int format; /* enum format */
	path_list profiles;
	path_list sources;
	path_list assembly; /* files to list beside their sources */
	path_list before;
	path_list gates;
	path_list mod_filename, mod_funcname;
	const char *show, *sort; /* NULL: not given */
	double threshold;
	path_list events;
	int group; /* enum grouping */
	path_list programs; /* that tell what was inlined; NULL: those that the profiles name */
	bool percent;
	struct source_search search;
	bool annotate_all;
	int context;
	const char *output;
	const char *html; /* NULL: not given */
	int colour;       /* enum colour */
	bool pager;
	int full_names, no_demangle;
};

/* Ends the process for --help, --version (status 0) and mistakes (status 2). The arguments are in
 * profiles as far as the action takes them for profiles, else in sources. */
struct options options_parse(int argc, char **argv);

#endif
