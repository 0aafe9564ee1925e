/* CACHEPROF_OPTIONS: what is understood, and in which words the rest is refused. */
#include "runtime/runtime.h"
#include "tests/runtime/capture.h"
#include "tests/suite.h"

#include <string.h>
#include <sys/stat.h>

static struct process process;
static const char *given;

/* NULL: the variable is not set. */
static void read_given(void)
{
	static char text[20000];
	static const char *envp[] = {"NAME=a:b", "EMPTY=", "CACHEPROF_OPTIONSX=quiet=7", text,
				     NULL};

	if (given)
		snprintf(text, sizeof text, "CACHEPROF_OPTIONS=%s", given);
	else
		strcpy(text, "X=1");
	process.envp = envp;
	cacheprof_options_read(&process);
}

static void read_options(const char *text)
{
	given = text;
	read_given();
}

static const char *in_here(const char *name)
{
	static char path[8192];
	char here[4096];

	ck_assert_ptr_nonnull(getcwd(here, sizeof here));
	snprintf(path, sizeof path, "%s/%s", here, name);
	return path;
}

static void expect_geometry(struct geometry g, uint32_t size, uint32_t assoc, uint32_t line)
{
	ck_assert_uint_eq(g.size, size);
	ck_assert_uint_eq(g.assoc, assoc);
	ck_assert_uint_eq(g.line, line);
}

static const char *const empty[] = {NULL, "", ":", "::::"};

START_TEST(has_defaults)
{
	read_options(empty[_i]);
	ck_assert_str_eq(process.options.out, in_here("cacheprof.out"));
	ck_assert(!process.options.quiet);
	ck_assert_uint_eq(process.options.simd, SIMD_AVX512);
	expect_geometry(process.options.i1, 32768, 8, 64);
	expect_geometry(process.options.d1, 32768, 8, 64);
	expect_geometry(process.options.ll, 8388608, 16, 64);
}
END_TEST

START_TEST(reads_every_key)
{
	read_options("quiet=1::simd=none:I1=4k,2,32:--D1=1024,1,8:LL=2M,16,128:--out=/x/y:");
	ck_assert_str_eq(process.options.out, "/x/y");
	ck_assert(process.options.quiet);
	ck_assert_uint_eq(process.options.simd, SIMD_NONE);
	expect_geometry(process.options.i1, 4096, 2, 32);
	expect_geometry(process.options.d1, 1024, 1, 8);
	expect_geometry(process.options.ll, 2097152, 16, 128);
	read_options("quiet=1:quiet=0:out=a:out=b");
	ck_assert_str_eq(process.options.out, in_here("b"));
	ck_assert(!process.options.quiet);
}
END_TEST

START_TEST(knows_machines)
{
	read_options("D1=1k,1,64:cache=k6-2:I1=16k,2,32");
	expect_geometry(process.options.i1, 16384, 2, 32);
	expect_geometry(process.options.d1, 32768, 2, 32);
	expect_geometry(process.options.ll, 524288, 1, 32);
	ck_assert_uint_eq(process.options.ll_hardware.size, 0);
	read_options("cache=alder-lake");
	expect_geometry(process.options.ll, 31457280, 15, 64);
	expect_geometry(process.options.ll_hardware, 31457280, 12, 64);
	read_options("--cache=alder-lake:LL=1M,16,64");
	ck_assert_uint_eq(process.options.ll_hardware.size, 0);
	read_options("cache=host");
	ck_assert_ptr_null(geometry_invalid(process.options.ll));
}
END_TEST

START_TEST(expands_the_name)
{
	char want[64];

	snprintf(want, sizeof want, "%%a:b-%d=", getpid());
	read_options("out=%%%q{NAME}-%p%q{EMPTY}=");
	ck_assert_str_eq(process.options.out, in_here(want));
	ck_assert_int_eq(chdir("/"), 0);
	read_options("out=x");
	ck_assert_str_eq(process.options.out, "/x");
}
END_TEST

START_TEST(stays_relative_without_a_directory)
{
	char dir[] = "/tmp/test_options.XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
	ck_assert_int_eq(rmdir(dir), 0);
	read_options("out=x");
	ck_assert_str_eq(process.options.out, "x");
}
END_TEST

/* Only root can try this. */
START_TEST(set_id_programs_are_not_told)
{
	if (setresuid(1000, 0, 0) != 0)
		return;
	read_options("quiet=1:colour=1");
	ck_assert(!process.options.quiet);
	ck_assert_int_eq(setresuid(0, 0, 0), 0);
	ck_assert_int_eq(setresgid(1000, 0, 0), 0);
	read_options("quiet=1:colour=1");
	ck_assert(!process.options.quiet);
}
END_TEST

#define BAD "==cacheprof== Bad option in CACHEPROF_OPTIONS: "
#define KEYS "==cacheprof== The keys are: out quiet I1 D1 LL cache dump-signal progress continuous fixed-addresses pages simd instr-at-start toggle trace trace-format help\n"

static const struct {
	const char *options, *message;
} bad[] = {
	{"out", "A value is missing.\n" BAD "out\n"},
	{"quiet=1:out=", "A value is missing.\n" BAD "out=\n"},
	{"quiet", "A value is missing.\n" BAD "quiet\n"},
	{"quiet=2", "Expected 0 or 1.\n" BAD "quiet=2\n"},
	{"trace=x", "This program was not built with cacheprof --trace.\n" BAD "trace=x\n"},
	{"trace-format=text", "Expected lackey, din or binary.\n" BAD "trace-format=text\n"},
	{"simd=sse", "Expected none, avx2 or avx512.\n" BAD "simd=sse\n"},
	{"quiet=11", "Expected 0 or 1.\n" BAD "quiet=11\n"},
	{"dump-signal=STOP", "Expected a signal that can be caught: USR1, USR2, ... or its number.\n" BAD
			     "dump-signal=STOP\n"},
	{"dump-signal=65", "Expected a signal that can be caught: USR1, USR2, ... or its number.\n" BAD
			   "dump-signal=65\n"},
	{"progress=1s", "Expected seconds, from 1 to 1000000.\n" BAD "progress=1s\n"},
	{"progress=1000001", "Expected seconds, from 1 to 1000000.\n" BAD "progress=1000001\n"},
	{"fixed-addresses=yes", "Expected 0 or 1.\n" BAD "fixed-addresses=yes\n"},
	{"pages=first", "Expected virtual or first-touch.\n" BAD "pages=first\n"},
	{"help=0", "Expected 1.\n" BAD "help=0\n"},
	{"out=%z", "After % stands p, q{VARIABLE} or %.\n" BAD "out=%z\n"},
	{"out=a%", "After % stands p, q{VARIABLE} or %.\n" BAD "out=a%\n"},
	{"out=%q", "After % stands p, q{VARIABLE} or %.\n" BAD "out=%q\n"},
	{"out=%q{NAME", "After % stands p, q{VARIABLE} or %.\n" BAD "out=%q{NAME\n"},
	{"out=%q{NAM}", "The environment variable is not set.\n" BAD "out=%q{NAM}\n"},
	{"out=%q{NAME=}", "The environment variable is not set.\n" BAD "out=%q{NAME=}\n"},
	{"D1=", "A value is missing.\n" BAD "D1=\n"},
	{"D1=8192,2", "Expected SIZE,ASSOC,LINE.\n" BAD "D1=8192,2\n"},
	{"D1=8192,2,64,1", "Expected SIZE,ASSOC,LINE.\n" BAD "D1=8192,2,64,1\n"},
	{"D1=8192,2,64x", "Expected SIZE,ASSOC,LINE.\n" BAD "D1=8192,2,64x\n"},
	{"D1=,2,64", "Expected SIZE,ASSOC,LINE.\n" BAD "D1=,2,64\n"},
	{"D1=-1,2,64", "Expected SIZE,ASSOC,LINE.\n" BAD "D1=-1,2,64\n"},
	{"D1=8192,3,64", "Cache set count is not a power of two.\n" BAD "D1=8192,3,64\n"},
	{"LL=8192,0,64", "Cache set count is not a power of two.\n" BAD "LL=8192,0,64\n"},
	{"--LL=8192,2,4", "Cache line size is too small.\n" BAD "--LL=8192,2,4\n"},
	{"I1=384,2,48", "Cache line size is not a power of two.\n" BAD "I1=384,2,48\n"},
	{"I1=64,1,64", "Cache size <= line size.\n" BAD "I1=64,1,64\n"},
	{"I1=4096M,1,64",
	 "One of the cache parameters was too large and overflowed.\n" BAD "I1=4096M,1,64\n"},
	{"I1=99999999999999999999999,1,64",
	 "One of the cache parameters was too large and overflowed.\n" BAD
	 "I1=99999999999999999999999,1,64\n"},
	{"cache=486", "Unknown machine; cachegen --list prints the known ones.\n" BAD "cache=486\n"},
	{"colour=1",
	 "Unknown key in CACHEPROF_OPTIONS: colour=1\n"
	 KEYS},
	{"outer=x",
	 "Unknown key in CACHEPROF_OPTIONS: outer=x\n"
	 KEYS},
	{"---out=x",
	 "Unknown key in CACHEPROF_OPTIONS: ---out=x\n"
	 KEYS},
	{"=", "Unknown key in CACHEPROF_OPTIONS: =\n"
	      KEYS},
};

START_TEST(refuses)
{
	char want[512];
	int status;

	given = bad[_i].options;
	snprintf(want, sizeof want, "==cacheprof== %s", bad[_i].message);
	status = capture(read_given);
	ck_assert_str_eq(captured, want);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 1);
}
END_TEST

START_TEST(refuses_what_is_too_long)
{
	static const int lengths[] = {4096 - 1, 4096, 5000, 19000}; /* in any directory */
	static char text[20000] = "out=";

	memset(text + 4, 'x', (size_t)lengths[_i]);
	given = text;
	ck_assert_int_eq(WEXITSTATUS(capture(read_given)), 1);
	ck_assert_ptr_nonnull(strstr(captured, " is too long.\n" BAD "out=xxxx"));
}
END_TEST

START_TEST(prints_help)
{
	given = "help=1:colour=1";
	ck_assert_int_eq(capture(read_given), 0);
	ck_assert_ptr_nonnull(strstr(captured, "through %q{VAR} in out\n"));
	ck_assert_ptr_nonnull(strstr(captured, "==cacheprof==   out=FILE "));
	ck_assert_ptr_nonnull(strstr(captured, " %%: %\n"));
	ck_assert_ptr_nonnull(strstr(captured, "==cacheprof==   LL=SIZE,ASSOC,LINE "));
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("options");
	TCase *c = tcase_create("options");

	tcase_add_loop_test(c, has_defaults, 0, sizeof empty / sizeof *empty);
	tcase_add_test(c, reads_every_key);
	tcase_add_test(c, knows_machines);
	tcase_add_test(c, expands_the_name);
	tcase_add_test(c, stays_relative_without_a_directory);
	tcase_add_test(c, set_id_programs_are_not_told);
	tcase_add_loop_test(c, refuses, 0, sizeof bad / sizeof *bad);
	tcase_add_loop_test(c, refuses_what_is_too_long, 0, 4);
	tcase_add_test(c, prints_help);
	suite_add_tcase(s, c);
	return s;
}

int main(void)
{
	return run_as_tap(suite());
}
