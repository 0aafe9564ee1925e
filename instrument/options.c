#include "instrument/options.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "common/diag.h"
#include "common/mem.h"
#include "common/response.h"
#include "instrument/sequence.h"

/* gas's options whose value is the next word. */
static const char *const with_value[] = {"-I", "--defsym", "--debug-prefix-map"};

/* And those of them that name a file for dependencies. */
static const char *const dependencies[] = {"-MD", "--MD"};

/* gas's options with which there is nothing to assemble. */
static const char *const only_asks[] = {"--version", "-version", "--help", "--target-help"};

/* gas's options of whose code nothing can be told, or that cannot go with planted code, as patterns of fnmatch(3), and
 * why. */
static const struct refused {
	const char *option, *why;
} refused[] = {
	{"--32", "32-bit code cannot be instrumented; compile for x86-64 or without cacheprof"},
	{"--x32", "32-bit code cannot be instrumented; compile for x86-64 or without cacheprof"},
	{"-R", "data that are assembled into the text section cannot be told from code; leave it away, or assemble "
	       "without cacheprof"},
	{"-mlfence-after-load=y*", "a fence behind every load cannot be told from the program's own instructions; "
				   "leave it away, or assemble without cacheprof"},
	{"--scfi=*", "gas makes no CFI of planted code, which it cannot follow; leave it away, or assemble without "
		     "cacheprof"},
};

/* gas's options that change branches, by NOPs and prefixes: also within what is planted, which must
 * keep its shape. Programs do the same without. And the one by which it refuses SSE, which is planted: in the user's
 * own text it has found none. And that for SFrame, which cannot describe what is planted, of which gas warns: who finds
 * none unwinds by .eh_frame. */
static const char *const not_for_planted[] = {"-malign-branch", "-mbranches-within-32B-boundaries", "-madd-bnd-prefix",
					       "-msse-check", "--gsframe"};

/* gas's options for debug information: about a text without .loc, that is of the lines of that text. */
static const char *const debugging[] = {"-g", "--gen-debug", "--gdwarf", "--gstabs"};

static const char *const phases[N_PHASES] = {
	[PHASE_PREPARSED] = "preparsed", [PHASE_PARSED] = "parsed",
	[PHASE_SIMPLIFIED] = "simplified", [PHASE_IDENT_BBS] = "ident-bbs",
	[PHASE_USE_BBS] = "use-bbs",	 [PHASE_ANNOTATED] = "annotated",
	[PHASE_CCS] = "ccs",		 [PHASE_SYNTH] = "synth",
	[PHASE_PEEPHOLE] = "peephole",
};

/* The bits of a vectorset, in the compiler's names. */
static const char *const vector_names[] = {"xmm28", "xmm29", "xmm30", "xmm31", "k5", "k6", "k7",
					    "xmm13", "xmm14", "xmm15"};

static bool is_one_of(const char *word, const char *const *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(word, table[i]))
			return true;
	return false;
}

#define IS_ONE_OF(word, table) is_one_of(word, table, sizeof table / sizeof *table)

/* The files that gas writes beside the object: returns how many words ask for one at argv[i]. */
static int n_report_words(struct options *o, char **argv)
{
	if (!strncmp(argv[0], "-a", 2))
		return 1;
	if (!strncmp(argv[0], "--MD=", 5)) {
		o->dependencies = argv[0] + 5;
		return 1;
	}
	if (!IS_ONE_OF(argv[0], dependencies) || !argv[1])
		return 0;
	o->dependencies = argv[1];
	return 2;
}

/* Puts the reports, which are made of the text as it was given, behind the n other options and those of syntax. */
static void keep_reports(struct options *o, char **reports, int n_reports, int n, bool intel, bool naked)
{
	if (!n_reports)
		return;
	o->report_argv = xalloc((size_t)(n + n_reports) + 3, sizeof *o->report_argv);
	memcpy(o->report_argv, o->argv, (size_t)n * sizeof *o->argv);
	if (intel)
		o->report_argv[n++] = "-msyntax=intel";
	if (naked)
		o->report_argv[n++] = "-mnaked-reg";
	memcpy(o->report_argv + n, reports, (size_t)n_reports * sizeof *reports);
}

/* Planted code is in AT&T syntax; so the text itself says in which the rest is. */
static const char *syntax_of(bool intel, bool naked)
{
	if (intel)
		return naked ? ".intel_syntax noprefix" : ".intel_syntax prefix";
	return naked ? ".att_syntax noprefix" : NULL;
}

static void refuse(const char *option)
{
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		if (!fnmatch(refused[i].option, option, 0))
			die("%s: %s", option, refused[i].why);
}

static void read_command_line(struct options *o, char **argv)
{
	int argc = 0, n = 1, inputs = 0, n_reports = 0, words;
	bool intel = false, naked = false;
	char **reports;

	while (argv[argc])
		argc++;
	reports = xalloc((size_t)argc + 1, sizeof *reports);
	o->argv = xalloc((size_t)argc + 2, sizeof *o->argv);
	o->output = "a.out";
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-o") && i + 1 < argc) {
			o->output = argv[++i];
		} else if (!strncmp(argv[i], "-o", 2) && argv[i][2]) {
			o->output = argv[i] + 2;
		} else if (!strcmp(argv[i], "-") || !strcmp(argv[i], "--")) {
			inputs++;
		} else if (argv[i][0] != '-') {
			o->input = argv[i];
			inputs++;
		} else if ((words = n_report_words(o, argv + i))) {
			memcpy(reports + n_reports, argv + i, (size_t)words * sizeof *reports);
			n_reports += words;
			i += words - 1;
		} else if (!strncmp(argv[i], "-msyntax=", 9)) {
			intel = !strcmp(argv[i] + 9, "intel");
		} else if (!strcmp(argv[i], "-mnaked-reg")) {
			naked = true;
		} else {
			o->plain |= IS_ONE_OF(argv[i], only_asks);
			o->argv[n++] = argv[i];
			refuse(argv[i]);
			if (IS_ONE_OF(argv[i], with_value) && i + 1 < argc)
				o->argv[n++] = argv[++i];
		}
	}
	if (inputs > 1)
		die("several assembly files in one call of the assembler cannot be instrumented; "
		    "assemble them one by one");
	o->syntax = syntax_of(intel, naked);
	keep_reports(o, reports, n_reports, n, intel, naked);
	free(reports);
}

/* gcc knows the old registers by their names of 64, 32 and 16 bits. */
static bool is_named(uint8_t r, const char *name)
{
	return !strcmp(name, register_name(r) + 1) ||
	       (r < R8 && (!strcmp(name, register_name32(r) + 1) || !strcmp(name, register_name32(r) + 2)));
}

/* Planted code uses no registers but these. */
static void keep_register(struct options *o, const char *name)
{
	name += *name == '%';
	for (uint8_t r = 0; r < 16; r++)
		if (is_named(r, name))
			o->kept |= 1u << r;
	for (size_t i = 0; i < sizeof vector_names / sizeof *vector_names; i++)
		if (!strcmp(name, vector_names[i]))
			o->kept |= (liveset)1 << (LIVE_VECTOR + i);
}

static void read_word(struct options *o, const char *word)
{
	if (!strncmp(word, "level", 5) && word[5] >= '0' && word[5] <= '2' && !word[6])
		o->level = word[5] - '0';
	else if (!strcmp(word, "annotate"))
		o->annotate = true;
	else if (!strcmp(word, "asm"))
		o->by_assembly = true;
	else if (!strcmp(word, "copies"))
		o->copies = true;
	else if (!strcmp(word, "libc-model"))
		o->libc_model = true;
	else if (!strcmp(word, "pic"))
		o->pic = true;
	else if (!strcmp(word, "show"))
		o->show = true;
	else if (!strcmp(word, "branches"))
		o->branches = true;
	else if (!strcmp(word, "verbose"))
		o->verbose = true;
	else if (!strncmp(word, "keep-", 5))
		keep_register(o, word + 5);
	else if (!strncmp(word, "dump-", 5))
		for (int p = 0; p < N_PHASES; p++)
			o->dump[p] |= !strcmp(word + 5, phases[p]);
	else
		die("CACHEPROF_ANN: '%s' is not known", word);
}

/* A command line without the options that begin with one of the names. */
static char **without(char **argv, const char *const *names, size_t n_names)
{
	size_t n = 0, kept = 0;
	char **copy;

	while (argv[n])
		n++;
	copy = xalloc(n + 1, sizeof *copy);
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < n_names && strncmp(argv[i], names[k], strlen(names[k])))
			k++;
		if (k == n_names)
			copy[kept++] = argv[i];
	}
	return copy;
}

#define WITHOUT(argv, names) without(argv, names, sizeof names / sizeof *names)

char **options_without_debug(char **argv)
{
	return WITHOUT(argv, debugging);
}

void options_read(struct options *o, char **argv)
{
	const char *as = getenv("CACHEPROF_AS"), *words = getenv("CACHEPROF_ANN");
	char *copy = xstrdup(words ? words : ""), *save = NULL;

	*o = (struct options){.level = 2};
	read_command_line(o, response_expand(argv));
	if (!as)
		die("CACHEPROF_AS is not set; this program is run by cacheprof, not by hand");
	o->argv[0] = xstrdup(as);
	if (o->report_argv)
		o->report_argv[0] = o->argv[0];
	o->planted_argv = WITHOUT(o->argv, not_for_planted);
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		read_word(o, w);
	free(copy);
	if (!strcmp(o->output, "-") && !o->annotate && !o->plain)
		die("an object cannot be written to standard output; name a file by -o");
}
