/* The compiler keeps its own knowledge of its options: in the common case the plan is the user's own
 * command with a few words added. -B in front makes the compiler run our `as`; -g1 behind gives the profile its lines; the
 * runtime goes to the end of a link. Only -SA and .sA, which no compiler knows, are spelled out differently. */
#include "driver/plan.h"

#include "common/diag.h"
#include "driver/compiler.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where cacheprof's own parts are. */
struct parts {
	char *self;      /* this program */
	char *tools;     /* the option -B<libexec>/cacheprof/ */
	char *as;        /* cacheann, under the name by which gcc calls it */
	char *selfcheck; /* the plain simulator, for --self-check */
	char *runtime;
};

typedef VEC(char *) strings;

/* Parts */

static char *own_path(void)
{
	char *path = realpath("/proc/self/exe", NULL);

	if (!path)
		die("cannot find out where this program is:");
	return path;
}

/* The directory above bin/, if nobody said another. */
static char *root_directory(const char *asked, const char *self)
{
	const char *set = getenv("CACHEPROFDIR");
	char *real;

	if (!asked && set && *set)
		asked = set;
	if (!asked)
		return dirname(dirname(xstrdup(self)));
	real = realpath(asked, NULL);
	if (!real)
		die("%s: cacheprof's directory:", asked);
	return real;
}

static struct parts find_parts(const char *asked)
{
	char *self = own_path();
	char *root = root_directory(asked, self);

	return (struct parts){
	    .self = self,
	    .tools = xasprintf("-B%s/libexec/cacheprof/", root),
	    .as = xasprintf("%s/libexec/cacheprof/as", root),
	    .selfcheck = xasprintf("%s/lib/cacheprof/selfcheck.o", root),
	    .runtime = xasprintf("%s/lib/cacheprof/cacheprof.o", root),
	};
}

static char *need(char *path, int mode)
{
	if (access(path, mode))
		die("a part of cacheprof is missing (is it built? CACHEPROFDIR and --cacheprofdir= say "
		    "where it is): %s:",
		    path);
	return path;
}

/* The compiler */

static char *find_compiler(const char *name, const struct parts *parts)
{
	char *path = program_find(name, parts->self);

	if (path)
		return path;
	if (errno == ENOENT)
		die_status(127, "%s: compiler not found", name);
	die_status(126, "%s: cannot run the compiler:", name);
}

static bool is_clang(const char *program)
{
	const char *slash = strrchr(program, '/');
	char *answer;

	if (strstr(slash ? slash : program, "clang"))
		return true;
	answer = program_ask(program, (char *[]){(char *)program, (char *)"--version", NULL});
	return answer && strstr(answer, "clang");
}

/* What the compiler runs as its assembler, with `first` (NULL: nothing) before the user's own options
 * of that kind. */
static char *ask_assembler(const char *program, const struct request *req, char *first)
{
	strings argv = {0};

	VEC_PUSH(&argv, (char *)program);
	if (first)
		VEC_PUSH(&argv, first);
	for (size_t i = 0; i < req->words.n; i++)
		if (req->words.at[i].role == ROLE_TOOLS)
			VEC_PUSH(&argv, (char *)req->words.at[i].text);
	VEC_PUSH(&argv, (char *)"-print-prog-name=as");
	VEC_PUSH(&argv, NULL);
	return program_ask(program, argv.at);
}

static char *real_assembler(const char *program, const struct request *req,
			    const struct parts *parts)
{
	char *answer = ask_assembler(program, req, NULL);
	char *found = answer ? program_find(answer, parts->as) : NULL;

	if (!found)
		die("%s: cannot find the assembler that it uses (%s -print-prog-name=as)",
		    req->compiler, req->compiler);
	return *found == '/' ? found : realpath(found, NULL);
}

static void check_diverted(const char *program, const struct request *req,
			   const struct parts *parts)
{
	char *answer = ask_assembler(program, req, parts->tools);

	if (!answer || !same_file(answer, parts->as))
		die("%s: does not take its assembler from where -B says, so what it compiles would not "
		    "be instrumented; use a gcc that was not configured --with-as=, or compile to "
		    "assembly (-S) with it and assemble that by `cacheprof gcc -c`",
		    req->compiler);
}

/* Refusals */

static void refuse(const struct request *req, bool clang)
{
	if (req->gprof)
		die("-p and -pg cannot be combined with cacheprof: gprof's calls would be counted as "
		    "the program's own");
	if (req->bits != 64)
		die("-m%s: only 64-bit code (-m64) can be instrumented",
		    req->bits == 16 ? "16" : "32, -mx32");
	if (clang && req->lto)
		die("clang's -flto makes its code inside the linker, where cacheprof cannot instrument "
		    "it; leave -flto out");
}

/* Whether a word of the command is already our -B: a compiler that calls itself through a link to
 * cacheprof (link-time optimisation does). */
static bool already_diverted(const struct request *req, const struct parts *parts)
{
	for (char **word = req->given; *word; word++)
		if (!strcmp(*word, parts->tools))
			return true;
	return false;
}

static bool has_input(const struct request *req, enum kind kind)
{
	for (size_t i = 0; i < req->words.n; i++)
		if (req->words.at[i].role == ROLE_INPUT && req->words.at[i].kind == kind)
			return true;
	return false;
}

static bool only_headers(const struct request *req)
{
	return !req->inputs && has_input(req, KIND_HEADER);
}

static bool makes_code(const struct request *req)
{
	return req->stage >= STAGE_ASSEMBLY && (req->inputs || only_headers(req));
}

/* Steps */

/* The words behind the user's own. -g1 only where something is compiled: clang warns of an option
 * that it does not use. */
static void add_compiler_options(strings *argv, const struct request *req, bool clang)
{
	bool lines = has_input(req, KIND_SOURCE) || has_input(req, KIND_HEADER) ||
		     (!clang && has_input(req, KIND_ASSEMBLY));

	if (!req->debug && !req->no_g && lines)
		VEC_PUSH(argv, (char *)"-g1");
	if (clang)
		VEC_PUSH(argv, (char *)"-fno-integrated-as");
}

static void add_runtime(strings *argv, const struct request *req, const struct parts *parts)
{
	if (req->language) {
		VEC_PUSH(argv, (char *)"-x");
		VEC_PUSH(argv, (char *)"none");
	}
	if (req->self_check && req->level == 2)
		VEC_PUSH(argv, need(parts->selfcheck, R_OK));
	VEC_PUSH(argv, need(parts->runtime, R_OK));
}

static bool links(const struct request *req)
{
	return req->stage == STAGE_LINK && req->inputs && !req->relocatable && req->level > 0;
}

static void add_step(struct plan *plan, strings *argv)
{
	VEC_PUSH(argv, NULL);
	VEC_PUSH(&plan->steps, (struct step){argv->at});
}

static void add_text(strings *argv, const struct word *word)
{
	VEC_PUSH(argv, (char *)word->text);
}

static strings start_step(const struct request *req, const struct parts *parts)
{
	strings argv = {0};

	VEC_PUSH(&argv, (char *)req->compiler);
	VEC_PUSH(&argv, parts->tools);
	return argv;
}

/* The user's words as they were typed; spelled out, response files and all, only when one of them
 * is of a kind that the compiler does not know. */
static void add_user_words(strings *argv, const struct request *req)
{
	if (!has_input(req, KIND_ANNOTATED)) {
		for (char **word = req->given; *word; word++)
			VEC_PUSH(argv, *word);
		return;
	}
	for (size_t i = 0; i < req->words.n; i++) {
		const struct word *word = &req->words.at[i];
		bool ours = word->role == ROLE_INPUT && word->kind == KIND_ANNOTATED;

		if (ours) {
			VEC_PUSH(argv, (char *)"-x");
			VEC_PUSH(argv, (char *)"assembler");
		}
		add_text(argv, word);
		if (ours) {
			VEC_PUSH(argv, (char *)"-x");
			VEC_PUSH(argv, (char *)"none");
		}
	}
}

static void plan_untouched(struct plan *plan, const struct request *req)
{
	strings argv = {0};

	VEC_PUSH(&argv, (char *)req->compiler);
	for (char **word = req->given; *word; word++)
		VEC_PUSH(&argv, *word);
	add_step(plan, &argv);
}

/* -S and the precompilation of headers call no assembler, but what they leave is compiled with -g1 later. */
static void plan_without_assembler(struct plan *plan, const struct request *req)
{
	strings argv = {0};

	VEC_PUSH(&argv, (char *)req->compiler);
	for (char **word = req->given; *word; word++)
		VEC_PUSH(&argv, *word);
	add_compiler_options(&argv, req, false);
	add_step(plan, &argv);
}

static void plan_one_command(struct plan *plan, const struct request *req,
			     const struct parts *parts, bool clang)
{
	strings argv = start_step(req, parts);

	add_user_words(&argv, req);
	add_compiler_options(&argv, req, clang);
	if (links(req))
		add_runtime(&argv, req, parts);
	add_step(plan, &argv);
}

/* foo.sA in the working directory, as gcc names foo.o. */
static char *annotated_name(const char *input)
{
	const char *slash = strrchr(input, '/');
	const char *base = slash ? slash + 1 : input;
	const char *dot = strrchr(base, '.');

	return xasprintf("%.*s.sA", (int)(dot ? (size_t)(dot - base) : strlen(base)), base);
}

static bool has_output(const struct request *req)
{
	for (size_t i = 0; i < req->words.n; i++)
		if (req->words.at[i].role == ROLE_OUTPUT)
			return true;
	return false;
}

/* The command for one input (an index of words), or with the user's own -o for all of them together. */
static void plan_annotated(struct plan *plan, const struct request *req, const struct parts *parts,
			   bool clang, size_t input)
{
	strings argv = start_step(req, parts);

	for (size_t i = 0; i < req->words.n; i++) {
		const struct word *word = &req->words.at[i];

		if (word->role != ROLE_SA &&
		    (word->role != ROLE_INPUT || i == input || has_output(req)))
			add_text(&argv, word);
	}
	add_compiler_options(&argv, req, clang);
	VEC_PUSH(&argv, (char *)"-c");
	if (!has_output(req)) {
		VEC_PUSH(&argv, (char *)"-o");
		VEC_PUSH(&argv, annotated_name(req->words.at[input].text));
	}
	add_step(plan, &argv);
}

static void plan_all_annotated(struct plan *plan, const struct request *req,
			       const struct parts *parts, bool clang)
{
	for (size_t i = 0; i < req->words.n; i++) {
		const struct word *word = &req->words.at[i];

		if (word->role != ROLE_INPUT)
			continue;
		if (word->kind == KIND_LINKER || word->kind == KIND_ANNOTATED)
			warn("%s: unused, because -SA stops before it", word->text);
		else if (plan->steps.n == 0 || !has_output(req))
			plan_annotated(plan, req, parts, clang, i);
	}
}

/* Settings: what cacheann is told */

static void add_word(char **words, const char *prefix, const char *word)
{
	*words = xasprintf("%s%s%s%s", *words, **words ? " " : "", prefix, word);
}

static char *annotator_words(const struct request *req)
{
	char *words = xasprintf("level%u", req->level);

	if (req->stage == STAGE_ANNOTATED)
		add_word(&words, "", "annotate");
	if (req->pic)
		add_word(&words, "", "pic");
	if (req->self_check)
		add_word(&words, "", "selfcheck");
	if (req->verbose)
		add_word(&words, "", "verbose");
	for (size_t i = 0; i < req->dumps.n; i++)
		add_word(&words, "dump-", req->dumps.at[i]);
	return words;
}

static void plan_diverted(struct plan *plan, const struct request *req, const struct parts *parts,
			  bool clang)
{
	char *as = real_assembler(plan->program, req, parts);

	need(parts->as, X_OK);
	check_diverted(plan->program, req, parts);
	VEC_PUSH(&plan->settings, xasprintf("CACHEPROF_AS=%s", as));
	VEC_PUSH(&plan->settings, xasprintf("CACHEPROF_ANN=%s", annotator_words(req)));
	if (req->stage == STAGE_ANNOTATED)
		plan_all_annotated(plan, req, parts, clang);
	else
		plan_one_command(plan, req, parts, clang);
}

void plan_make(struct plan *plan, const struct request *req)
{
	struct parts parts = find_parts(req->directory);
	bool clang;

	*plan = (struct plan){.program = find_compiler(req->compiler, &parts)};
	if (!makes_code(req) || already_diverted(req, &parts)) {
		plan_untouched(plan, req);
		return;
	}
	clang = is_clang(plan->program);
	refuse(req, clang);
	if (req->stage == STAGE_ASSEMBLY || only_headers(req))
		plan_without_assembler(plan, req);
	else
		plan_diverted(plan, req, &parts, clang);
}
