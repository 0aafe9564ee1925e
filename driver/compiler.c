/* A compiler is asked what it is and what it runs, each time: the answers depend on its options and
 * on the environment, and cost a millisecond. */
#include "driver/compiler.h"

#include "common/diag.h"
#include "common/file.h"
#include "common/path.h"
#include "driver/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOES_BEFORE "goes before a compiler's name: cacheprof gcc ..., and with make: make CC=\"cacheprof gcc\""

/* ccache, under a compiler's name, looks through PATH for the compiler itself, and would find the
 * link to ourselves through which we were called, which would call ccache, without end. It takes
 * CCACHE_PATH for PATH: here without the directories that have such a link. */
static char *path_without_us(const char *typed)
{
	char *all = xstrdup(""), *dir, *path = getenv("PATH");
	char *rest = xstrdup(path ? path : "");

	while ((dir = strsep(&rest, ":"))) {
		if (same_file(xasprintf("%s/%s", *dir ? dir : ".", typed), own_path()))
			continue;
		all = xasprintf("%s%s%s", all, *all ? ":" : "", *dir ? dir : ".");
	}
	return xasprintf("CCACHE_PATH=%s", all);
}

/* A compiler that was hidden behind a link to ourselves goes by its full path: gcc looks for its
 * own installation through argv[0] and PATH, and would find us. */
static struct compiler *find(const char *typed)
{
	struct compiler *compiler = xalloc(1, sizeof *compiler);
	bool hidden;

	compiler->path = program_find(typed, own_path());
	if (!compiler->path && errno == ENOENT)
		die_status(127, "%s: compiler not found", typed);
	if (!compiler->path)
		die_status(126, "%s: cannot run the compiler:", typed);
	hidden = strcmp(program_find(typed, NULL), compiler->path);
	compiler->name = hidden ? compiler->path : (char *)typed;
	if (hidden && is_ccache(compiler) && !getenv("CCACHE_PATH")) {
		compiler->settings = path_without_us(typed);
		putenv(compiler->settings);
	}
	compiler->gcc = compiler;
	return compiler;
}

static bool is_launcher(const char *name)
{
	static const char *const launchers[] = {"ccache", "distcc"};

	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
		if (!strcmp(path_base(name), launchers[i]))
			return true;
	return false;
}

/* Whether the first word behind the compiler's name may be a program's. */
static bool names_command(const struct request *req)
{
	return req->given[0] && *req->given[0] && *req->given[0] != '-';
}

/* x86_64-linux-gnu-gnatmake-12 runs x86_64-linux-gnu-gcc-12. */
struct compiler *compiler_find(const struct request *req)
{
	static const char gnatmake[] = "gnatmake";
	struct compiler *compiler = find(req->compiler);
	const char *at = strstr(path_base(req->compiler), gnatmake);

	compiler->launcher = is_launcher(req->compiler) && names_command(req);
	if (at) {
		compiler->gnatmake = true;
		compiler->gcc = find(xasprintf("%.*sgcc%s", (int)(at - req->compiler),
		                               req->compiler, at + strlen(gnatmake)));
	}
	return compiler;
}

bool is_ccache(const struct compiler *compiler)
{
	char *file = realpath(compiler->path, NULL);

	return file && !strcmp(path_base(file), "ccache");
}

/* GNU's compilers say whose they are, in every language; what does not is taken for clang's kin,
 * which either knows -fno-integrated-as or says that it does not. clang itself is slow to answer.
 */
bool compiler_assembles_itself(const struct compiler *compiler)
{
	char *answer;

	if (strstr(path_base(compiler->path), "clang"))
		return true;
	answer = program_ask(compiler->path, (char *[]){compiler->name, (char *)"--version", NULL});
	return !answer || !strstr(answer, "Free Software Foundation");
}

/* What the compiler runs as its assembler, with `first` (NULL: nothing) before the user's own
 * options of that kind. */
static char *ask_assembler(const struct compiler *compiler, const struct request *req, char *first)
{
	VEC(char *) argv = {0};

	VEC_PUSH(&argv, compiler->gcc->name);
	if (first)
		VEC_PUSH(&argv, first);
	for (size_t i = 0; i < req->words.n; i++)
		if (req->words.at[i].role == ROLE_TOOLS)
			VEC_PUSH(&argv, (char *)req->words.at[i].text);
	VEC_PUSH(&argv, (char *)"-print-prog-name=as");
	VEC_PUSH(&argv, NULL);
	return program_ask(compiler->gcc->path, argv.at);
}

/* NULL: it does not answer. ours: not that one; NULL for any. */
static char *find_assembler(const struct compiler *compiler, const struct request *req, const char *ours)
{
	char *answer = ask_assembler(compiler, req, NULL);

	return answer ? program_find(answer, ours) : NULL;
}

static bool is_script(const char *path)
{
	FILE *file = fopen(path, "r");
	bool is = file && fgetc(file) == '#' && fgetc(file) == '!';

	if (file)
		fclose(file);
	return is;
}

/* gcobc, a script that hands most options on to gcobol, means by -x that a program is wanted; what is no language gcc
 * refuses itself. */
static bool has_own_x(const struct compiler *compiler, const struct request *req)
{
	return req->language && strchr(req->language, '.') && is_script(compiler->path);
}

void compiler_check_is_one(const struct compiler *compiler, const struct request *req)
{
	if (req->stage == STAGE_LINK && !is_launcher(compiler->path) && !is_ccache(compiler) &&
	    !find_assembler(compiler, req, NULL))
		die("%s is no compiler that can be asked for its assembler, so what it runs would not be "
		    "instrumented: cacheprof " GOES_BEFORE, req->compiler);
	if (req->stage == STAGE_LINK && has_own_x(compiler, req))
		die("%s: -x %s names no language, so %s would run as ever; if it is a script that runs a compiler, "
		    "cacheprof goes before that one's name: for gcobc, gcobol=\"cacheprof gcobol\" gcobc -x ...",
		    req->compiler, req->language, path_base(req->compiler));
}

char *compiler_assembler(const struct compiler *compiler, const struct request *req,
                         const struct parts *parts)
{
	char *found = find_assembler(compiler, req, parts->as);

	if (!found && names_command(req) && program_find(req->given[0], NULL))
		die("%s is no compiler that can be asked for its assembler; if it runs %s, put "
		    "cacheprof between the two: %s cacheprof %s ...",
		    req->compiler, req->given[0], req->compiler, req->given[0]);
	if (!found)
		die("%s: cannot find the assembler that it uses (%s -print-prog-name=as); if it is no compiler, "
		    "cacheprof " GOES_BEFORE, req->compiler, req->compiler);
	return *found == '/' ? found : realpath(found, NULL);
}

void compiler_check_diverted(const struct compiler *compiler, const struct request *req,
                             const struct parts *parts)
{
	char *answer = ask_assembler(compiler, req, parts->tools);

	if (!answer || !same_file(answer, parts->as))
		die("%s: does not take its assembler from where -B says, so what it compiles would "
		    "not be instrumented; use a gcc that was not configured --with-as=, or compile "
		    "to assembly with it (-S) and assemble that by `cacheprof gcc -c`",
		    req->compiler);
}
