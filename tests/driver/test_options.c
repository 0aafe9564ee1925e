#include "driver/options.h"

#include "common/diag.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

static struct request req;

/* Reads a command line given as one string of words. */
static void read_line(const char *line)
{
	VEC(char *) argv = {0};
	char *copy = xstrdup(line);

	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		VEC_PUSH(&argv, word);
	VEC_PUSH(&argv, NULL);
	options_read(&req, argv.at);
}

static size_t inputs(void)
{
	size_t n = 0;

	for (size_t i = 0; i < req.words.n; i++)
		n += req.words.at[i].role == ROLE_INPUT;
	return n;
}

static enum kind kind_of_last(void)
{
	const struct word *last = &req.words.at[req.words.n - 1];

	ck_assert_int_eq(last->role, ROLE_INPUT);
	return last->kind;
}

START_TEST(own_options)
{
	read_line("/x/bin/cacheprof --level1 --level2 -v --dryrun --no-g --trace --self-check -H16m -K1m "
	          "--cacheprofdir=/a/b --ddump-ccs --ddump-peephole gcc -v --level1 foo.c");
	ck_assert_uint_eq(req.level, 2);
	ck_assert(req.verbose && req.dryrun && req.no_g && req.trace && req.self_check);
	ck_assert(!req.help && !req.version);
	ck_assert_str_eq(req.directory, "/a/b");
	ck_assert_uint_eq(req.dumps.n, 2);
	ck_assert_str_eq(req.dumps.at[0], "ccs");
	ck_assert_str_eq(req.dumps.at[1], "peephole");
	ck_assert_str_eq(req.compiler, "gcc");
	ck_assert_str_eq(req.given[0], "-v");
	ck_assert_str_eq(req.given[2], "foo.c");
}
END_TEST

START_TEST(defaults)
{
	read_line("cacheprof gcc");
	ck_assert_uint_eq(req.level, 2);
	ck_assert_int_eq(req.stage, STAGE_LINK);
	ck_assert(!req.linker_input && !req.debug && !req.pic && !req.machine && !req.directory);
	read_line("cacheprof --help");
	ck_assert(req.help && !req.compiler);
	read_line("cacheprof --version");
	ck_assert(req.version && !req.compiler);
}
END_TEST

START_TEST(masquerade)
{
	read_line("/home/me/bin/x86_64-linux-gnu-gcc-12 --version -c foo.c");
	ck_assert_str_eq(req.compiler, "x86_64-linux-gnu-gcc-12");
	ck_assert_str_eq(req.given[0], "--version");
	ck_assert(!req.version);
}
END_TEST

static const char *const wrong[] = {
    "cacheprof --oink gcc foo.c", "cacheprof -c gcc foo.c", "cacheprof --level3 gcc",
    "cacheprof --ddump-moo gcc",  "cacheprof --ddump- gcc", "cacheprof --dryrun=1 gcc",
};

START_TEST(usage_errors)
{
	read_line(wrong[_i]);
}
END_TEST

static const struct {
	const char *line;
	enum stage stage;
} stages[] = {
    {"foo.c", STAGE_LINK},
    {"-c foo.c", STAGE_OBJECT},
    {"--compile foo.c", STAGE_OBJECT},
    {"-SA foo.c", STAGE_ANNOTATED},
    {"-c -SA foo.c", STAGE_ANNOTATED},
    {"-S foo.c", STAGE_ASSEMBLY},
    {"-SA foo.c -S", STAGE_ASSEMBLY},
    {"-c foo.c -S", STAGE_ASSEMBLY},
    {"-E -c foo.c", STAGE_PREPROCESS},
    {"-c foo.c -E", STAGE_PREPROCESS},
    {"-M foo.c", STAGE_PREPROCESS},
    {"-MM foo.c", STAGE_PREPROCESS},
    {"-MD -MP -MF foo.d -c foo.c", STAGE_OBJECT},
    {"-MMD foo.c", STAGE_LINK},
    {"-fsyntax-only foo.c", STAGE_PREPROCESS},
    {"-### foo.c", STAGE_PROBE},
    {"--version", STAGE_PROBE},
    {"--help=optimizers", STAGE_PROBE},
    {"-dumpversion", STAGE_PROBE},
    {"-dumpmachine", STAGE_PROBE},
    {"-print-search-dirs", STAGE_PROBE},
    {"-print-prog-name=as", STAGE_PROBE},
    {"-dM -E foo.c", STAGE_PREPROCESS},
    {"-o -c foo.c", STAGE_LINK},
    {"-D -c foo.c", STAGE_LINK},
    {"-save-temps -pipe foo.c", STAGE_LINK},
};

START_TEST(stage)
{
	read_line(xasprintf("cacheprof gcc %s", stages[_i].line));
	ck_assert_int_eq(req.stage, stages[_i].stage);
}
END_TEST

static const char *const one_input[] = {
    "-o x foo.c",        "-ox foo.c",         "-x c foo.c",          "-xc foo.c",
    "-I d foo.c",        "-Id foo.c",         "-MF f foo.c",         "-MT t -MQ q foo.c",
    "-Xlinker a foo.c",  "-T s foo.c",        "-include f foo.c",    "-u sym foo.c",
    "-L d foo.c",        "-l m foo.c",        "-isystem d foo.c",    "-aux-info f foo.c",
    "--param a=1 foo.c", "--param=a=1 foo.c", "-B d foo.c",          "-D X foo.c",
    "-imacros f foo.c",  "-e main foo.c",     "-z now foo.c",        "-wrapper a foo.c",
    "-specs f foo.c",    "-specs=f foo.c",    "-Xassembler a foo.c", "-dumpbase b foo.c",
    "-target t foo.c",   "-Ttext 1 foo.c",    "-emit-llvm foo.c",    "-framework",
    "foo.c -o",
};

START_TEST(arguments_are_no_inputs)
{
	read_line(xasprintf("cacheprof gcc -O2 %s", one_input[_i]));
	ck_assert_uint_eq(inputs(), !!strstr(one_input[_i], "foo.c"));
	ck_assert_int_eq(req.linker_input, inputs());
}
END_TEST

static const struct {
	const char *line;
	enum kind kind;
} kinds[] = {
    {"foo.c", KIND_SOURCE},
    {"foo.cc", KIND_SOURCE},
    {"foo.C", KIND_SOURCE},
    {"foo.c++", KIND_SOURCE},
    {"foo.i", KIND_SOURCE},
    {"foo.S", KIND_SOURCE},
    {"foo.F90", KIND_SOURCE},
    {"foo.mod", KIND_SOURCE},
    {"foo.rs", KIND_SOURCE},
    {"foo.cbl", KIND_SOURCE},
    {"foo.a68", KIND_SOURCE},
    {"foo.cppm", KIND_SOURCE},
    {"foo.tar.c", KIND_SOURCE},
    {"foo.s", KIND_ASSEMBLY},
    {"foo.sA", KIND_ANNOTATED},
    {"d.c/foo.sA", KIND_ANNOTATED},
    {"foo.o", KIND_LINKER},
    {"foo.a", KIND_LINKER},
    {"libfoo.so.1.2", KIND_LINKER},
    {"d.c/foo", KIND_LINKER},
    {"foo", KIND_LINKER},
    {"foo.h", KIND_HEADER},
    {"foo.hpp", KIND_HEADER},
    {"-x c -", KIND_SOURCE},
    {"-x c foo.sA", KIND_SOURCE},
    {"-x c foo.o", KIND_SOURCE},
    {"-x c -x none foo.o", KIND_LINKER},
    {"-x assembler foo", KIND_ASSEMBLY},
    {"-xassembler-with-cpp foo", KIND_SOURCE},
    {"-x c++-header foo", KIND_HEADER},
    {"--language=c foo.o", KIND_SOURCE},
};

START_TEST(kind_of_input)
{
	read_line(xasprintf("cacheprof gcc %s", kinds[_i].line));
	ck_assert_int_eq(kind_of_last(), kinds[_i].kind);
	ck_assert_int_eq(req.linker_input, kinds[_i].kind != KIND_HEADER);
}
END_TEST

static const struct {
	const char *line;
	bool debug;
} debugs[] = {
    {"-O2", false},
    {"-g", true},
    {"-g1", true},
    {"-ggdb3", true},
    {"-gdwarf-4", true},
    {"-gline-tables-only", true},
    {"--debug", true},
    {"-g -g0", false},
    {"-g0 -g", true},
    {"-ggdb0", false},
    {"-g -gz", true},
    {"-gz=zlib -gno-column-info -gsplit-dwarf -gdwarf32", false},
    {"-gstrict-dwarf -grecord-gcc-switches -gas-loc-support", false},
    {"-gctf -gctf1 -gbtf", false},
    {"-gnatwa", false},
    {"-o -g foo.c", false},
};

START_TEST(debug_information)
{
	read_line(xasprintf("cacheprof gcc %s foo.c", debugs[_i].line));
	ck_assert_int_eq(req.debug, debugs[_i].debug);
}
END_TEST

static const struct {
	const char *line;
	bool pic;
} pics[] = {
    {"", false},
    {"-fPIC", true},
    {"-fpic", true},
    {"-shared", true},
    {"-fPIE -shared", true},
    {"-fPIC -fPIE", false},
    {"-fPIC -fno-pic", false},
    {"-fno-PIC -fpic", true},
    {"-pie -fpie", false},
};

START_TEST(position_independence)
{
	read_line(xasprintf("cacheprof gcc %s foo.c", pics[_i].line));
	ck_assert_int_eq(req.pic, pics[_i].pic);
}
END_TEST

static const struct {
	const char *line;
	bool relocatable;
} links[] = {
    {"foo.o", false},
    {"-r foo.o", true},
    {"-Wl,-r foo.o", true},
    {"-Wl,--relocatable foo.o", true},
    {"-Wl,-z,now,-r,-x foo.o", true},
    {"-Xlinker -r foo.o", true},
    {"-Xlinker -rpath -Xlinker /d foo.o", false},
    {"-Wl,-rpath,/d,--no-relax foo.o", false},
    {"-rdynamic foo.o", false},
    {"-static -Wl,, foo.o", false},
};

START_TEST(relocatable)
{
	read_line(xasprintf("cacheprof gcc %s", links[_i].line));
	ck_assert_int_eq(req.relocatable, links[_i].relocatable);
	ck_assert(req.linker_input);
}
END_TEST

START_TEST(shared)
{
	static const char *const spellings[] = {"-shared", "--shared", "-Wl,-shared", "-Wl,--shared", "-Wl,-Bshareable",
						"-Wl,-soname,x,--shared,-x", "-Xlinker --shared"};

	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
		read_line(xasprintf("cacheprof gcc %s foo.o", spellings[i]));
		ck_assert(req.shared);
	}
	read_line("cacheprof gcc -Wl,-Bsymbolic -Wl,-soname,-x -shared-libgcc foo.o");
	ck_assert(!req.shared);
}
END_TEST

START_TEST(libraries_are_linked)
{
	read_line("cacheprof gcc -shared -o libx.so -Wl,--whole-archive,libx.a");
	ck_assert(req.linker_input);
	read_line("cacheprof gcc -lfoo");
	ck_assert(req.linker_input);
	read_line("cacheprof gcc -v -O2 -Ifoo");
	ck_assert(!req.linker_input);
	read_line("cacheprof gcc -Wl,--version -Wl,-v,,--help -Xlinker --version");
	ck_assert(!req.linker_input);
}
END_TEST

START_TEST(refused)
{
	read_line("cacheprof gcc -m32 -pg foo.c");
	ck_assert_str_eq(req.machine, "-m32");
	ck_assert(req.gprof);
	read_line("cacheprof gcc -m32 -m64 -print-file-name=x -pipe foo.c");
	ck_assert_ptr_null(req.machine);
	ck_assert(!req.gprof);
	read_line("cacheprof gcc -mx32 -p foo.c");
	ck_assert_str_eq(req.machine, "-mx32");
	ck_assert(req.gprof);
	read_line("cacheprof clang -flto=thin foo.c");
	ck_assert(req.lto);
	read_line("cacheprof clang -flto -fno-lto foo.c");
	ck_assert(!req.lto);
}
END_TEST

static Suite *suite(void)
{
	Suite *all = suite_create("options");
	TCase *own = tcase_create("of cacheprof");
	TCase *compiler = tcase_create("of the compiler");

	tcase_add_test(own, own_options);
	tcase_add_test(own, defaults);
	tcase_add_test(own, masquerade);
	tcase_add_loop_exit_test(own, usage_errors, EXIT_USAGE, 0, sizeof wrong / sizeof *wrong);
	suite_add_tcase(all, own);

#define EACH(test, rows) tcase_add_loop_test(compiler, test, 0, sizeof rows / sizeof *rows)
	EACH(stage, stages);
	EACH(arguments_are_no_inputs, one_input);
	EACH(kind_of_input, kinds);
	EACH(debug_information, debugs);
	EACH(position_independence, pics);
	EACH(relocatable, links);
	tcase_add_test(compiler, shared);
	tcase_add_test(compiler, libraries_are_linked);
	tcase_add_test(compiler, refused);
	suite_add_tcase(all, compiler);
	return all;
}

int main(void)
{
	return run_as_tap(suite());
}
