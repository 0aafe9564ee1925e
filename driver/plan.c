/* The compiler keeps its own knowledge of its options: in the common case the plan is the user's
 * own command with a few words added. -B in front makes the compiler run our `as`, and comes before
 * the user's own because the first one wins; -g1 behind gives the profile its lines; the runtime
 * ends a link. Only -SA and .sA, which no compiler knows, are spelled out. */
#include "driver/plan.h"

#include "common/diag.h"
#include "common/path.h"
#include "driver/compiler.h"
#include "driver/parts.h"
#include "driver/uncounted.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef VEC(char *) strings;

/* How far a command is changed. */
enum treatment {
	UNTOUCHED, /* makes no code, or is diverted already */
	LINES,     /* makes code but does not assemble: -g1 is for who assembles it later */
	DIVERTED,
};

struct job {
	const struct request *req;
	const struct compiler *compiler;
	struct parts parts;
	enum treatment treatment;
	bool own_assembler; /* the compiler assembles itself unless told not to */
};

static void add(strings *argv, const char *word)
{
	VEC_PUSH(argv, (char *)word);
}

static bool has_input(const struct request *req, enum kind kind)
{
	for (size_t i = 0; i < req->words.n; i++)
		if (req->words.at[i].role == ROLE_INPUT && req->words.at[i].kind == kind)
			return true;
	return false;
}

static bool has_role(const struct request *req, enum role role)
{
	for (size_t i = 0; i < req->words.n; i++)
		if (req->words.at[i].role == role)
			return true;
	return false;
}

/* What kind of command it is */

static bool only_headers(const struct request *req)
{
	return !req->linker_input && has_input(req, KIND_HEADER);
}

static bool makes_code(const struct request *req)
{
	return req->stage >= STAGE_ASSEMBLY && (req->linker_input || only_headers(req));
}

/* Whether our -B is there already: a compiler calls itself (link-time optimisation does) through
 * a link to cacheprof. */
static bool already_diverted(const struct job *job)
{
	for (size_t i = 0; i < job->req->words.n; i++)
		if (!strcmp(job->req->words.at[i].text, job->parts.tools))
			return true;
	return false;
}

/* Whether it links what is counted. */
static bool links(const struct request *req)
{
	return req->stage >= STAGE_LINK && req->level > 0;
}

/* Whether that is a program or a shared object, which the runtime is to go into. */
static bool takes_runtime(const struct request *req)
{
	return links(req) && !req->relocatable;
}

static void refuse(const struct job *job)
{
	const struct request *req = job->req;

	if (req->gprof)
		die("-p and -pg cannot be combined with cacheprof: gprof's calls would be counted "
		    "as the program's own");
	if (req->machine)
		die("%s: only 64-bit code (-m64) can be instrumented", req->machine);
	if (job->own_assembler && req->lto)
		die("%s: its -flto makes the code inside the linker, where cacheprof cannot "
		    "instrument it; leave -flto out",
		    req->compiler);
	if (req->unique && takes_runtime(req))
		die("the linker's --unique cannot be combined with cacheprof, whose tables are spread over the "
		    "objects; leave it out");
	if (job->compiler->gnatmake && req->stage == STAGE_ANNOTATED)
		die("%s: makes no annotated assembly; use gcc -SA", req->compiler);
}

static enum treatment treatment_of(struct job *job)
{
	const struct request *req = job->req;

	if (!makes_code(req)) {
		compiler_check_is_one(job->compiler, req);
		return UNTOUCHED;
	}
	job->parts = find_parts(req->directory);
	if (already_diverted(job))
		return UNTOUCHED;
	job->own_assembler = compiler_assembles_itself(job->compiler);
	refuse(job);
	return req->stage == STAGE_ASSEMBLY || only_headers(req) ? LINES : DIVERTED;
}

/* Words of a command */

/* .sA is assembly to the compiler. A language that the user gave goes before a suffix, for gcc as
 * for us, so that -x none is what was in force. */
static void add_annotated_input(strings *argv, const char *path)
{
	add(argv, "-x");
	add(argv, "assembler");
	add(argv, path);
	add(argv, "-x");
	add(argv, "none");
}

/* The user's words as they were typed; read from response files only when one of them is unknown to
 * the compiler. */
static void add_user_words(strings *argv, const struct request *req)
{
	if (!has_role(req, ROLE_SA) && !has_input(req, KIND_ANNOTATED)) {
		for (char **word = req->given; *word; word++)
			add(argv, *word);
		return;
	}
	for (size_t i = 0; i < req->words.n; i++) {
		const struct word *word = &req->words.at[i];

		if (word->role == ROLE_INPUT && word->kind == KIND_ANNOTATED)
			add_annotated_input(argv, word->text);
		else if (word->role != ROLE_SA)
			add(argv, word->text);
	}
}

static bool has_word(const struct request *req, const char *const *spellings)
{
	for (size_t i = 0; i < req->words.n; i++)
		for (const char *const *s = spellings; *s; s++)
			if (!strcmp(req->words.at[i].text, *s))
				return true;
	return false;
}

/* -g0 is no wish for debug information, and comes before ours. clang warns of options that it does
 * not use, so -g1 is only there when something is compiled. Lines are what .loc says, which a compiler
 * that writes .debug_line itself leaves out; the last such option wins. */
static void add_compiler_options(strings *argv, const struct job *job)
{
	const struct request *req = job->req;
	bool used = job->compiler->gnatmake || has_input(req, KIND_SOURCE) || has_input(req, KIND_HEADER) ||
	            (!job->own_assembler && has_input(req, KIND_ASSEMBLY));

	if (used && !req->debug && !req->no_g)
		add(argv, "-g1");
	if (has_word(req, (const char *const[]){"-gno-as-loc-support", NULL}))
		add(argv, "-gas-loc-support");
	if (job->own_assembler && job->treatment == DIVERTED)
		add(argv, "-fno-integrated-as");
}

/* Both want what only level 2 knows: where the code lies in the uninstrumented program. */
static bool shows(const struct request *req)
{
	return (req->self_check || req->trace) && req->level == 2;
}

/* ld.lld takes the relocations of planted code (site.h, places) only where addresses are fixed. */
static void help_lld(strings *argv, const struct request *req)
{
	const char *instead = "-no-pie";

	if (!has_word(req, (const char *const[]){"-fuse-ld=lld", NULL}) ||
	    has_word(req, (const char *const[]){"-no-pie", "-static", NULL}))
		return;
	if (req->shared || has_word(req, (const char *const[]){"-static-pie", NULL}))
		instead = "-fuse-ld=bfd";
	warn("ld.lld links instrumented code at fixed addresses only: %s is added", instead);
	add(argv, instead);
}

/* crt1.o, Scrt1.o, rcrt1.o, gcrt1.o */
static bool names_start_file(const struct request *req)
{
	static const char end[] = "crt1.o";

	for (size_t i = 0; i < req->words.n; i++) {
		const char *name = req->words.at[i].text;
		size_t len = strlen(name);

		if (len >= sizeof end - 1 && !strcmp(name + len - (sizeof end - 1), end))
			return true;
	}
	return false;
}

static bool names_library(const struct request *req)
{
	for (size_t i = 0; i < req->words.n; i++) {
		const char *word = req->words.at[i].text;

		if (!strncmp(word, "-l", 2) || strstr(word, ".so"))
			return true;
	}
	return false;
}

/* At a fixed address and with no library there is nothing to load, and so no loader. */
static bool is_static(const struct request *req)
{
	static const char *const asked[] = {"-static", "-static-pie", NULL};
	static const char *const alone[] = {"-nostdlib", NULL};
	static const char *const fixed[] = {"-no-pie", NULL};

	return has_word(req, asked) || (has_word(req, alone) && has_word(req, fixed) && !names_library(req));
}

/* Where the C library is not at the start of a static program, that must itself make the thread-local
 * storage that planted code lives in, as few do. */
static void warn_if_bare(const struct request *req)
{
	static const char *const bare[] = {"-nostdlib", "-nostartfiles", NULL};

	if (has_word(req, bare) && is_static(req) && !names_start_file(req))
		warn("a static program without the C library's start files has no thread-local storage, "
		     "without which planted code crashes: unless it makes that itself, build it without "
		     "cacheprof");
}

/* To gcc, which names what it makes besides the program (.gcno, .gcda, .dwo, .su, -save-temps) otherwise when there is
 * more than one input, what stands behind -Xlinker is none. gnatlink would tear the two words apart. */
static void add_linked(strings *argv, const struct job *job, char *path)
{
	if (!job->compiler->gnatmake)
		add(argv, "-Xlinker");
	add(argv, need_part(path, R_OK));
}

/* libtool names the objects that it has seen the compiler link. */
static void add_part(strings *argv, const struct job *job, char *path)
{
	if (!has_word(job->req, (const char *const[]){path, NULL}))
		add_linked(argv, job, path);
}

static void add_runtime(strings *argv, const struct job *job)
{
	const struct request *req = job->req;

	if (!takes_runtime(req))
		return;
	help_lld(argv, req);
	if (!req->shared)
		warn_if_bare(req);
	else if (req->trace && shows(req))
		die("--trace sees executables only: link a shared object without it");
	if (shows(req))
		add_part(argv, job, job->parts.show);
	if (shows(req) && req->self_check)
		add_part(argv, job, job->parts.selfcheck);
	if (shows(req) && req->trace)
		add_part(argv, job, job->parts.trace);
	add_part(argv, job, req->shared ? job->parts.shared : job->parts.runtime);
	add_linked(argv, job, job->parts.ends);
}

/* Steps */

static void start_step(strings *argv, const struct job *job)
{
	add(argv, job->compiler->name);
	if (job->treatment == DIVERTED)
		add(argv, job->parts.tools);
}

static void end_step(struct plan *plan, strings *argv)
{
	VEC_PUSH(argv, NULL);
	VEC_PUSH(&plan->steps, argv->at);
}

static void plan_command(struct plan *plan, const struct job *job)
{
	strings argv = {0};

	start_step(&argv, job);
	add_user_words(&argv, job->req);
	if (job->treatment != UNTOUCHED)
		add_compiler_options(&argv, job);
	if (job->treatment == DIVERTED)
		add_runtime(&argv, job);
	end_step(plan, &argv);
}

/* gnatmake knows few of gcc's options, and passes on what follows -cargs and -largs. With -s it does
 * not take objects that are there for new when they were compiled without cacheprof. */
static void plan_gnatmake(struct plan *plan, const struct job *job)
{
	strings argv = {0};

	add(&argv, job->compiler->name);
	add_user_words(&argv, job->req);
	add(&argv, "-margs");
	add(&argv, "-s");
	add(&argv, "-cargs");
	add(&argv, job->parts.tools);
	add_compiler_options(&argv, job);
	add(&argv, "-largs");
	add(&argv, job->parts.tools);
	add_runtime(&argv, job);
	end_step(plan, &argv);
}

/* foo.sA in the working directory, as gcc names foo.o. */
static char *annotated_name(const char *input)
{
	const char *base = path_base(input);
	const char *dot = strrchr(base, '.');

	return xasprintf("%.*s.sA", (int)(dot ? (size_t)(dot - base) : strlen(base)), base);
}

/* -SA is -c with another name for the output, and cacheann is told to leave text. */
static void plan_annotated_input(struct plan *plan, const struct job *job, const struct word *input)
{
	const struct request *req = job->req;
	strings argv = {0};

	start_step(&argv, job);
	for (size_t i = 0; i < req->words.n; i++) {
		const struct word *word = &req->words.at[i];

		if (word == input || (word->role != ROLE_INPUT && word->role != ROLE_SA))
			add(&argv, word->text);
	}
	add_compiler_options(&argv, job);
	add(&argv, "-c");
	if (!has_role(req, ROLE_OUTPUT)) {
		add(&argv, "-o");
		add(&argv, annotated_name(input->text));
	}
	end_step(plan, &argv);
}

/* Standard input, too: without -x the compiler says that it wants one. */
static bool becomes_annotated(const struct word *word)
{
	return word->role == ROLE_INPUT &&
	       (word->kind == KIND_SOURCE || word->kind == KIND_ASSEMBLY || !strcmp(word->text, "-"));
}

static void plan_annotated(struct plan *plan, const struct job *job)
{
	const struct request *req = job->req;

	for (size_t i = 0; i < req->words.n; i++) {
		const struct word *word = &req->words.at[i];

		if (becomes_annotated(word))
			plan_annotated_input(plan, job, word);
		else if (word->role == ROLE_INPUT)
			warn("%s: not used, because -SA stops at annotated assembly", word->text);
	}
	if (plan->steps.n > 1 && has_role(req, ROLE_OUTPUT))
		die("cannot specify -o with -SA and several inputs");
}

/* Settings: what cacheann is told */

static char *annotator_words(const struct request *req)
{
	const struct {
		bool said;
		const char *word;
	} words[] = {
	    {req->stage == STAGE_ANNOTATED, "annotate"},
	    {req->by_assembly, "asm"},
	    {req->libc_model, "libc-model"},
	    {req->plain_copies, "copies"},
	    {req->pic, "pic"},
	    {shows(req), "show"},
	    {req->branch_sim, "branches"},
	    {req->verbose, "verbose"},
	};
	char *all = xasprintf("level%u", req->level);

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].said)
			all = xasprintf("%s %s", all, words[i].word);
	for (size_t i = 0; i < req->dumps.n; i++)
		all = xasprintf("%s dump-%s", all, req->dumps.at[i]);
	for (size_t i = 0; i < req->kept.n; i++)
		all = xasprintf("%s keep-%s", all, req->kept.at[i]);
	return all;
}

/* ccache looks at the command line, which does not tell what our settings and our assembler do to
 * the object. */
static void add_ccache_settings(struct plan *plan, const struct job *job)
{
	const char *files = getenv("CCACHE_EXTRAFILES"), *space = getenv("CCACHE_NAMESPACE");

	VEC_PUSH(&plan->settings,
	         xasprintf("CCACHE_EXTRAFILES=%s%s%s", files ? files : "",
	                   files && *files ? ":" : "", job->parts.as));
	VEC_PUSH(&plan->settings, xasprintf("CCACHE_NAMESPACE=%s cacheprof %s", space ? space : "",
	                                    annotator_words(job->req)));
	/* It keeps objects, and not what else --asm makes. */
	if (job->req->by_assembly)
		VEC_PUSH(&plan->settings, (char *)"CCACHE_DISABLE=1");
}

/* A launcher looks for a compiler in its first word: `cacheprof ccache gcc` becomes `ccache cacheprof
 * gcc`. */
static void plan_launcher(struct plan *plan, struct job *job)
{
	strings argv = {0};

	job->parts = find_parts(job->req->directory);
	add(&argv, job->compiler->name);
	add(&argv, own_path());
	for (size_t i = 0; i < job->req->n_own; i++)
		add(&argv, job->req->own[i]);
	for (char **word = job->req->given; *word; word++)
		add(&argv, *word);
	end_step(plan, &argv);
	if (is_ccache(job->compiler))
		add_ccache_settings(plan, job);
}

static void add_settings(struct plan *plan, const struct job *job)
{
	char *as = compiler_assembler(job->compiler, job->req, &job->parts);

	need_part(job->parts.as, X_OK);
	compiler_check_diverted(job->compiler, job->req, &job->parts);
	VEC_PUSH(&plan->settings, xasprintf("CACHEPROF_AS=%s", as));
	VEC_PUSH(&plan->settings, xasprintf("CACHEPROF_ANN=%s", annotator_words(job->req)));
	if (is_ccache(job->compiler))
		add_ccache_settings(plan, job);
}

void plan_make(struct plan *plan, const struct request *req)
{
	struct job job = {.req = req, .compiler = compiler_find(req)};

	*plan = (struct plan){.program = job.compiler->path};
	if (job.compiler->settings)
		VEC_PUSH(&plan->settings, job.compiler->settings);
	if (job.compiler->launcher) {
		plan_launcher(plan, &job);
		return;
	}
	job.treatment = treatment_of(&job);
	if (job.treatment == DIVERTED)
		add_settings(plan, &job);
	if (job.treatment == DIVERTED && links(req))
		uncounted_warn(req, &job.parts);
	if (job.treatment == DIVERTED && req->stage == STAGE_ANNOTATED)
		plan_annotated(plan, &job);
	else if (job.treatment == DIVERTED && job.compiler->gnatmake)
		plan_gnatmake(plan, &job);
	else
		plan_command(plan, &job);
}
