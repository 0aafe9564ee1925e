/* Classifies in one place: every word of the command line meets the rows of options.def here, and
 * what it means is written into the request. */
#include "driver/options.h"

#include "common/diag.h"
#include "common/path.h"
#include "common/response.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum form { WORD, NEXT, JOINED, EITHER };

enum group { MEASURE, SHOW, PLACE, INSIDE, OLD, GROUPS };

static const char *const group_title[GROUPS] = {
    [MEASURE] = "What is measured",     [SHOW] = "What is shown",
    [PLACE] = "Where cacheprof is",     [INSIDE] = "For work on cacheprof itself",
    [OLD] = "Accepted, without effect",
};

enum own_option {
	LEVEL,
	NO_G,
	ASM,
	BRANCH_SIM,
	DRYRUN,
	VERBOSE,
	HELP,
	VERSION,
	DIRECTORY,
	TRACE,
	LIBC_MODEL,
	PLAIN_COPIES,
	SELF_CHECK,
	DUMP,
	IGNORED
};

static const struct own {
	enum group group;
	const char *spelling, *shown;
	enum form form;
	enum own_option option;
	unsigned value;
	const char *help;
} own_table[] = {
#define OWN(group, spelling, shown, form, option, value, help)                                     \
	{group, spelling, shown, form, option, value, help},
#include "driver/options.def"
};

static const char *const phase_table[] = {
#define PHASE(name) name,
#include "driver/options.def"
};

enum meaning {
	PLAIN,
	STAGE,
	DEBUG,
	PIC,
	SHARED,
	KEPT,
	MACHINE,
	GPROF,
	LTO,
	RELOCATABLE,
	LIBRARY,
	LINKER,
	LANGUAGE,
	OUTPUT,
	TOOLS,
};

static const struct gcc {
	const char *spelling;
	enum form form;
	enum meaning meaning;
	unsigned value;
} gcc_table[] = {
#define GCC(spelling, form, meaning, value) {spelling, form, meaning, value},
#include "driver/options.def"
};

struct named_kind {
	const char *name;
	enum kind kind;
};

static const struct named_kind suffix_table[] = {
#define SUFFIX(suffix, kind) {suffix, KIND_##kind},
#include "driver/options.def"
    {NULL, KIND_LINKER},
};

static const struct named_kind language_table[] = {
#define LANGUAGE(name, kind) {name, KIND_##kind},
#include "driver/options.def"
    {NULL, KIND_SOURCE},
};

#define ROWS(table) (sizeof(table) / sizeof *(table))

/* The last row, without a name, answers for what is not in the table. */
static enum kind kind_of_name(const struct named_kind *row, const char *name)
{
	while (row->name && strcmp(row->name, name))
		row++;
	return row->kind;
}

static bool takes_rest(enum form form)
{
	return form == JOINED || form == EITHER;
}

static bool fits(const char *spelling, enum form form, const char *word)
{
	return takes_rest(form) ? !strncmp(word, spelling, strlen(spelling))
	                        : !strcmp(word, spelling);
}

/* cacheprof's own options */

static const struct own *find_own(const char *word)
{
	for (size_t i = 0; i < ROWS(own_table); i++)
		if (fits(own_table[i].spelling, own_table[i].form, word))
			return &own_table[i];
	return NULL;
}

/* Of an option that is ours but for its value, as --branch-sim, the first spelling; else NULL. */
static const char *right_spelling(const char *word)
{
	size_t n = strcspn(word, "=");

	for (size_t i = 0; i < ROWS(own_table); i++)
		if (!strncmp(own_table[i].spelling, word, n) && own_table[i].spelling[n] == '=')
			return own_table[i].shown;
	return NULL;
}

static void print_phases(FILE *out)
{
	for (size_t i = 0; i < ROWS(phase_table); i++)
		fprintf(out, " %s", phase_table[i]);
	fputc('\n', out);
}

static const char *known_phase(const char *name)
{
	for (size_t i = 0; i < ROWS(phase_table); i++)
		if (!strcmp(phase_table[i], name))
			return name;
	fprintf(stderr, "cacheprof: --ddump-%s: no such phase; the phases are", name);
	print_phases(stderr);
	exit(EXIT_USAGE);
}

static void apply_own(struct request *req, const struct own *row, const char *rest)
{
	switch (row->option) {
	case LEVEL:
		req->level = row->value;
		break;
	case NO_G:
		req->no_g = true;
		break;
	case ASM:
		req->by_assembly = true;
		break;
	case BRANCH_SIM:
		req->branch_sim = row->value;
		break;
	case DRYRUN:
		req->dryrun = true;
		break;
	case VERBOSE:
		req->verbose = true;
		break;
	case HELP:
		req->help = true;
		break;
	case VERSION:
		req->version = true;
		break;
	case DIRECTORY:
		req->directory = rest;
		break;
	case TRACE:
		req->trace = true;
		break;
	case LIBC_MODEL:
		req->libc_model = row->value;
		break;
	case PLAIN_COPIES:
		req->plain_copies = row->value;
		break;
	case SELF_CHECK:
		req->self_check = true;
		break;
	case DUMP:
		VEC_PUSH(&req->dumps, known_phase(rest));
		break;
	case IGNORED:
		break;
	}
}

/* Returns the first word that is no option: the compiler. */
static char **read_own(struct request *req, char **word)
{
	for (; *word && **word == '-'; word++) {
		const struct own *row = find_own(*word);
		const char *right = row ? NULL : right_spelling(*word);

		if (right)
			die_usage("%s: it is written %s (see cacheprof --help)", *word, right);
		if (!row)
			die_usage("unknown option %s; options of the compiler go behind its name: "
			          "cacheprof gcc %s ... (see cacheprof --help)",
			          *word, *word);
		apply_own(req, row, *word + strlen(row->spelling));
	}
	return word;
}

/* The compiler's words */

static const struct gcc *find_gcc(const char *word)
{
	const struct gcc *best = NULL;

	for (size_t i = 0; i < ROWS(gcc_table); i++) {
		const struct gcc *row = &gcc_table[i];

		if (fits(row->spelling, row->form, word) &&
		    (!best || strlen(row->spelling) >= strlen(best->spelling)))
			best = row;
	}
	return best;
}

static bool is_one_of(const char *word, size_t len, const char *const *spellings)
{
	for (; *spellings; spellings++)
		if (len == strlen(*spellings) && !strncmp(word, *spellings, len))
			return true;
	return false;
}

static bool asks_relocatable(const char *word, size_t len)
{
	return is_one_of(word, len, (const char *const[]){"-r", "-i", "-Ur", "--relocatable", NULL});
}

static bool asks_shared(const char *word, size_t len)
{
	return is_one_of(word, len, (const char *const[]){"-shared", "--shared", "-Bshareable", "--Bshareable", NULL});
}

/* Whether it makes an output section of each input section, all or those that the pattern names, ours among them. */
static bool makes_unique(const char *word, size_t len)
{
	static const char option[] = "-unique";
	char *pattern;
	bool ours;

	if (len && *word == '-' && word[1] == '-') {
		word++;
		len--;
	}
	if (len < strlen(option) || strncmp(word, option, strlen(option)))
		return false;
	if (len == strlen(option))
		return true;
	if (word[strlen(option)] != '=')
		return false;
	pattern = xstrndup(word + strlen(option) + 1, len - strlen(option) - 1);
	ours = !fnmatch(pattern, "cacheprof_data", 0);
	free(pattern);
	return ours;
}

/* Words for the linker, separated by commas. What is no option may be an archive that is linked;
 * -Wl,--version alone is a question. */
static void read_linker_words(struct request *req, const char *words)
{
	while (*words) {
		size_t len = strcspn(words, ",");

		req->relocatable |= asks_relocatable(words, len);
		req->shared |= asks_shared(words, len);
		req->unique |= makes_unique(words, len);
		req->linker_input |= len && *words != '-';
		words += len + (words[len] == ',');
	}
}

static void apply_gcc(struct request *req, const struct gcc *row, const char *argument)
{
	switch (row->meaning) {
	case STAGE:
		if (row->value < req->stage)
			req->stage = row->value;
		break;
	case DEBUG:
		req->debug = row->value;
		break;
	case PIC:
		req->pic = row->value;
		break;
	case SHARED:
		req->pic = req->shared = true;
		break;
	case KEPT:
		VEC_PUSH(&req->kept, argument);
		break;
	case MACHINE:
		req->machine = row->value == 64 ? NULL : row->spelling;
		break;
	case GPROF:
		req->gprof = true;
		break;
	case LTO:
		req->lto = row->value;
		break;
	case RELOCATABLE:
		req->relocatable = true;
		break;
	case LINKER:
		read_linker_words(req, argument);
		break;
	case LIBRARY:
		req->linker_input = true;
		break;
	case LANGUAGE:
		req->language = strcmp(argument, "none") ? argument : NULL;
		break;
	case PLAIN:
	case OUTPUT:
	case TOOLS:
		break;
	}
}

static enum role role_of(const struct gcc *row)
{
	switch (row->meaning) {
	case OUTPUT:
		return ROLE_OUTPUT;
	case TOOLS:
		return ROLE_TOOLS;
	case STAGE:
		return row->value == STAGE_ANNOTATED ? ROLE_SA : ROLE_OPTION;
	default:
		return ROLE_OPTION;
	}
}

static enum kind kind_of_input(const char *language, const char *path)
{
	const char *dot = strrchr(path_base(path), '.');

	if (language)
		return kind_of_name(language_table, language);
	return dot ? kind_of_name(suffix_table, dot + 1) : KIND_LINKER;
}

static void read_input(struct request *req, const char *path)
{
	struct word word = {path, ROLE_INPUT, kind_of_input(req->language, path)};

	if (word.kind != KIND_HEADER)
		req->linker_input = true;
	VEC_PUSH(&req->words, word);
}

/* Reads one option with its argument; returns the last word that it took. */
static char **read_option(struct request *req, char **word)
{
	const struct gcc *row = find_gcc(*word);
	enum role role = row ? role_of(row) : ROLE_OPTION;
	const char *argument = row ? *word + strlen(row->spelling) : "";

	VEC_PUSH(&req->words, (struct word){*word, role, KIND_LINKER});
	if (row && !*argument && (row->form == NEXT || row->form == EITHER) && word[1]) {
		argument = *++word;
		VEC_PUSH(&req->words, (struct word){argument, role, KIND_LINKER});
	}
	if (row)
		apply_gcc(req, row, argument);
	return word;
}

/* What gnatmake's words are for from there on. */
static bool begins_section(const char *word)
{
	static const char *const sections[] = {"-margs", "-bargs", "-cargs", "-largs"};

	for (size_t i = 0; i < ROWS(sections); i++)
		if (!strcmp(word, sections[i]))
			return true;
	return false;
}

static void read_compiler_words(struct request *req)
{
	bool for_binder = false; /* gnatbind's words mean something else: -E makes code */

	for (char **word = response_expand(req->given); *word; word++) {
		if (begins_section(*word))
			for_binder = !strcmp(*word, "-bargs");
		if (for_binder)
			VEC_PUSH(&req->words, (struct word){*word, ROLE_OPTION, KIND_LINKER});
		else if (**word == '-' && (*word)[1])
			word = read_option(req, word);
		else
			read_input(req, *word);
	}
}

static bool is_cacheprof(const char *word)
{
	return !strcmp(path_base(word), "cacheprof");
}

void options_read(struct request *req, char **argv)
{
	const char *name = argv[0] ? path_base(argv[0]) : "cacheprof";

	*req = (struct request){.level = 2, .stage = STAGE_LINK};
	if (strncmp(name, "cacheprof", strlen("cacheprof")) == 0) {
		char **word = read_own(req, argv + 1);

		/* cmake puts its launcher before CC="cacheprof gcc": twice is as good as once */
		while (*word && is_cacheprof(*word))
			word = read_own(req, word + 1);
		req->own = argv + 1;
		req->n_own = (size_t)(word - req->own);
		req->compiler = *word;
		req->given = *word ? word + 1 : word;
	} else {
		req->compiler = name;
		req->given = argv + 1;
	}
	if (req->level < 2 && (req->self_check || req->trace))
		die_usage("--%s is at level 2 only", req->self_check ? "self-check" : "trace");
	read_compiler_words(req);
}

void options_help(FILE *out)
{
	fputs("usage: cacheprof [options] gcc ...\n"
	      "Runs a compile, assemble or link command so that the program counts its\n"
	      "instructions, memory references and cache misses; cacheprint shows the result.\n",
	      out);
	for (enum group group = 0; group < GROUPS; group++) {
		fprintf(out, "\n%s:\n", group_title[group]);
		for (size_t i = 0; i < ROWS(own_table); i++)
			if (own_table[i].group == group && own_table[i].shown)
				fprintf(out, "  %-18s  %s\n", own_table[i].shown,
				        own_table[i].help);
		if (group == INSIDE) {
			fputs("  PHASE is one of\n   ", out);
			print_phases(out);
		}
	}
	fputs("\nAlso for gcc: -SA stops at annotated assembly, foo.sA, which is an input like\n"
	      "any other.\n",
	      out);
}
