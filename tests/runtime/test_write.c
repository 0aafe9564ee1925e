/* The profile, the summary and the totals, of counts made by hand; and what happens when they
 * cannot be written. */
#include "runtime/runtime.h"
#include "tests/runtime/capture.h"
#include "tests/suite.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static char dir[] = "/tmp/test_write.XXXXXX";
static const char *const argv[] = {"./foo", "a b", "two\nlines\t", NULL};
static struct process process;
static bool no_memory;

static struct count_row rows[4];

/* Stands in for counts.c. Names of neighbours are shared, as there. */
bool cacheprof_counts(const struct process *p, struct counts *counts)
{
	(void)p;
	*counts = (struct counts){.rows = rows, .n = 4};
	for (unsigned i = 0; i < 4; i++)
		for (unsigned e = 0; e < N_EVENTS; e++)
			counts->totals[e] += rows[i].events[e];
	counts->sizes[2] = (struct size_row){9, 8, 7, 6, 5, 4};
	counts->sizes[7] = (struct size_row){.reads = 1};
	return !no_memory;
}

static void setup(void)
{
	static const char a[] = "/x/a.c", b[] = "b\nc.h", f[] = "f", g[] = "g";

	rows[0] = (struct count_row){a, f, 0, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
	rows[1] = (struct count_row){a, f, 7, {1}};
	rows[2] = (struct count_row){a, g, 4294967295, {0, 0, 0, 10}};
	rows[3] = (struct count_row){b, g, 1, {UINT64_C(1) << 55, 0, 1}};
	process = (struct process){.level = 2, .argv = argv, .start_ns = cacheprof_now_ns()};
	process.options.i1 = (struct geometry){1024, 1, 32};
	process.options.d1 = (struct geometry){32768, 2, 64};
	process.options.ll = (struct geometry){8388608, 16, 128};
	strcpy(dir + sizeof dir - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(process.options.out, sizeof process.options.out, "%s/out", dir);
	no_memory = false;
	umask(022);
}

static void teardown(void)
{
	char command[100];

	snprintf(command, sizeof command, "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

static void write_and_leave(void)
{
	cacheprof_write(&process, false);
	_exit(0);
}

static void write_now(void)
{
	ck_assert_int_eq(capture(write_and_leave), 0);
}

/* The file out<suffix> in the directory; the text is overwritten by the next call. */
static const char *contents(const char *suffix)
{
	static char text[200000];
	char path[8192];
	FILE *file;

	snprintf(path, sizeof path, "%s/out%s", dir, suffix);
	file = fopen(path, "r");
	ck_assert_msg(file != NULL, "%s", path);
	text[fread(text, 1, sizeof text - 1, file)] = 0;
	fclose(file);
	return text;
}

static void expect_files(const char *want)
{
	char command[200], got[200];
	FILE *ls;

	snprintf(command, sizeof command, "cd %s && ls | paste -sd' '", dir);
	ls = popen(command, "r");
	ck_assert_ptr_nonnull(fgets(got, sizeof got, ls));
	pclose(ls);
	got[strcspn(got, "\n")] = 0;
	ck_assert_str_eq(got, want);
}

#define SIZES                                                                                      \
	"desc: refs 1 B:         0 0 0 0 0 0\n"                                                    \
	"desc: refs 2 B:         0 0 0 0 0 0\n"                                                    \
	"desc: refs 4 B:         9 8 7 6 5 4\n"                                                    \
	"desc: refs 8 B:         0 0 0 0 0 0\n"                                                    \
	"desc: refs 16 B:        0 0 0 0 0 0\n"                                                    \
	"desc: refs 32 B:        0 0 0 0 0 0\n"                                                    \
	"desc: refs 64 B:        0 0 0 0 0 0\n"                                                    \
	"desc: refs other:       1 0 0 0 0 0\n"                                                    \
	"cmd: ./foo a b two\\nlines\\t\n"

START_TEST(writes_a_profile)
{
	struct stat st;

	write_now();
	ck_assert_str_eq(contents(""),
			 "desc: I1 cache:         1024 B, 32 B, direct-mapped\n"
			 "desc: D1 cache:         32768 B, 64 B, 2-way associative\n"
			 "desc: LL cache:         8388608 B, 128 B, 16-way associative\n"
			 "desc: cacheprof level:  2\n" SIZES
			 "events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw\n"
			 "fl=/x/a.c\n"
			 "fn=f\n"
			 "0 1 2 3 4 5 6 7 8 9\n"
			 "7 1 0 0 0 0 0 0 0 0\n"
			 "fn=g\n"
			 "4294967295 0 0 0 10 0 0 0 0 0\n"
			 "fl=b\\nc.h\n"
			 "fn=g\n"
			 "1 36028797018963968 0 1 0 0 0 0 0 0\n"
			 "summary: 36028797018963970 2 4 14 5 6 7 8 9\n");
	ck_assert_int_eq(stat(process.options.out, &st), 0);
	ck_assert_int_eq(st.st_mode & 07777, 0644);
	expect_files("out out.summary");
}
END_TEST

START_TEST(writes_level_1)
{
	process.level = 1;
	write_now();
	ck_assert_str_eq(contents(""), "desc: cacheprof level:  1\n" SIZES "events: Ir Dr Dw\n"
				       "fl=/x/a.c\n"
				       "fn=f\n"
				       "0 1 4 7\n"
				       "7 1 0 0\n"
				       "fn=g\n"
				       "4294967295 0 10 0\n"
				       "fl=b\\nc.h\n"
				       "fn=g\n"
				       "1 36028797018963968 0 0\n"
				       "summary: 36028797018963970 14 7\n");
}
END_TEST

START_TEST(writes_branches)
{
	process.level = 1;
	process.branches = true;
	rows[0] = (struct count_row){"/x/a.c", "f", 7, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}};
	write_now();
	ck_assert_ptr_nonnull(strstr(contents(""), "events: Ir Dr Dw Bc Bcm Bi Bim\n"));
	ck_assert_ptr_nonnull(strstr(contents(""), "7 1 4 7 10 11 12 13\n"));
}
END_TEST

#define SUMMARY                                                                                    \
	"./foo a b two\\nlines\\t\t2\tIr=36028797018963970\tI1mr=2\tILmr=4\tDr=14\tD1mr=5\tDLmr=6" \
	"\tDw=7\tD1mw=8\tDLmw=9\n"

START_TEST(appends_to_the_summary)
{
	write_now();
	write_now();
	ck_assert_str_eq(contents(".summary"), SUMMARY SUMMARY);
}
END_TEST

START_TEST(cuts_a_long_command_in_the_summary)
{
	static char word[40000];
	static const char *const long_argv[] = {"./foo", word, word + 27000, "end", NULL};

	memset(word, '\n', 30000);
	process.argv = long_argv;
	write_now();
	ck_assert_uint_eq(strcspn(contents(".summary"), "\t"), 6 + 60000 + 4);
	ck_assert_ptr_nonnull(strstr(contents(".summary"), " ...\t2\tIr="));
	ck_assert_ptr_nonnull(strstr(contents(""), "\\n end\nevents:"));
}
END_TEST

/* The lines before the last, which is about time. */
static void expect_totals(const char *want)
{
	char *last;

	write_now();
	captured[strlen(captured) - 1] = 0;
	last = strrchr(captured, '\n');
	ck_assert_ptr_nonnull(last);
	ck_assert_msg(strstr(last, " seconds, ") && strstr(last, " MIPS"), "%s", last);
	last[1] = 0;
	ck_assert_str_eq(captured, want);
}

/* The figures of a valgrind --tool=cachegrind run, and its percentages. */
START_TEST(prints_totals)
{
	memset(rows, 0, sizeof rows);
	rows[0] = (struct count_row){
	    .events = {124731, 1061, 1060, 28388, 2591, 969, 9934, 564, 305}};
	expect_totals(
	    "==cacheprof== level-2 instrumented program: run complete\n"
	    "==cacheprof==         124,731 insns\n"
	    "==cacheprof==          38,322 refs          (       28,388 rd +         9,934 wr)\n"
	    "==cacheprof==           1,061 I1  misses\n"
	    "==cacheprof==           1,060 LLi misses\n"
	    "==cacheprof==           3,155 D1  misses    (        2,591 rd +           564 wr)\n"
	    "==cacheprof==           1,274 LLd misses    (          969 rd +           305 wr)\n"
	    "==cacheprof==           2,334 LL  misses    (        2,029 rd +           305 wr)\n"
	    "==cacheprof==           0.85% I1  miss rate\n"
	    "==cacheprof==           0.85% LLi miss rate\n"
	    "==cacheprof==            8.2% D1  miss rate (         9.1% rd +          5.7% wr)\n"
	    "==cacheprof==            3.3% LLd miss rate (         3.4% rd +          3.1% wr)\n"
	    "==cacheprof==            1.4% LL  miss rate (         1.3% rd +          3.1% wr)\n");
}
END_TEST

START_TEST(prints_totals_of_level_1)
{
	process.level = 1;
	memset(rows, 0, sizeof rows);
	rows[0].events[EV_Ir] = UINT64_C(123456789012345);
	rows[0].events[EV_Dr] = UINT64_C(98765432109876);
	expect_totals("==cacheprof== level-1 instrumented program: run complete\n"
		      "==cacheprof== 123,456,789,012,345 insns\n"
		      "==cacheprof==  98,765,432,109,876 refs          (98,765,432,109,876 rd + "
		      "                 0 wr)\n");
}
END_TEST

/* The figures of a valgrind --tool=cachegrind --branch-sim=yes run, and its percentages. */
START_TEST(prints_totals_of_branches)
{
	memset(rows, 0, sizeof rows);
	rows[0] = (struct count_row){.events = {[EV_Bc] = 16300, 3015, 1087, 261}};
	process.level = 1;
	process.branches = true;
	expect_totals(
	    "==cacheprof== level-1 instrumented program: run complete\n"
	    "==cacheprof==               0 insns\n"
	    "==cacheprof==               0 refs          (            0 rd +             0 wr)\n"
	    "==cacheprof==          17,387 Branches      (       16,300 cond +         1,087 ind)\n"
	    "==cacheprof==           3,276 Mispredicts   (        3,015 cond +           261 ind)\n"
	    "==cacheprof==           18.8% Mispred rate  (        18.5% cond +         24.0% ind)\n");
}
END_TEST

START_TEST(divides_what_is_large)
{
	memset(rows, 0, sizeof rows);
	rows[0].events[EV_Ir] = UINT64_C(8000000000000000);
	rows[0].events[EV_I1mr] = UINT64_C(4000000000000000);
	rows[0].events[EV_Dr] = UINT64_MAX;
	rows[0].events[EV_D1mr] = UINT64_MAX / 10000 * 4567;
	write_now();
	ck_assert_ptr_nonnull(strstr(captured, " 50.00% I1  miss rate\n"));
	ck_assert_ptr_nonnull(strstr(captured, " 45.7% rd + "));
}
END_TEST

START_TEST(divides_by_nothing)
{
	memset(rows, 0, sizeof rows);
	write_now();
	ck_assert_ptr_nonnull(strstr(captured, "==cacheprof==           0.00% I1  miss rate\n"));
}
END_TEST

START_TEST(tells_the_speed)
{
	unsigned long seconds, centiseconds, mips;

	process.start_ns -= UINT64_C(93050000000);
	rows[3].events[EV_Ir] = UINT64_C(93050000000);
	write_now();
	ck_assert_int_eq(sscanf(strstr(captured, "wr)\n==cacheprof== 93."),
				"wr)\n==cacheprof== %lu.%lu seconds, %lu.", &seconds, &centiseconds,
				&mips),
			 3);
	ck_assert_uint_ge(centiseconds, 5);
	ck_assert_uint_ge(mips, 990);
	ck_assert_uint_le(mips, 1000);
}
END_TEST

START_TEST(is_quiet)
{
	process.options.quiet = true;
	write_now();
	ck_assert_str_eq(captured, "");
	expect_files("out out.summary");
}
END_TEST

static void write_so_far(void)
{
	cacheprof_write_so_far(&process);
}

START_TEST(has_no_summary_so_far)
{
	capture(write_so_far);
	expect_files("out");
}
END_TEST

static void write_after_the_end(void)
{
	cacheprof_write(&process, true);
	cacheprof_write(&process, false);
	cacheprof_write(&process, true);
}

START_TEST(writes_nothing_after_the_end)
{
	capture(write_after_the_end);
	ck_assert_str_eq(contents(".summary"), SUMMARY);
}
END_TEST

/* ---- what may stand in the way ---- */

static void expect_message(const char *fmt)
{
	char want[8192];

	snprintf(want, sizeof want, fmt, dir, dir);
	process.options.quiet = true;
	write_now();
	ck_assert_str_eq(captured, want);
}

START_TEST(no_such_directory)
{
	snprintf(process.options.out, sizeof process.options.out, "%s/no/out", dir);
	expect_message("==cacheprof== cannot write %s/no/out: "
		       "No such file or directory (ENOENT)\n");
}
END_TEST

START_TEST(no_place_for_the_summary)
{
	char path[8192];

	snprintf(path, sizeof path, "%s.summary", process.options.out);
	ck_assert_int_eq(mkdir(path, 0777), 0);
	expect_message("==cacheprof== cannot write %s/out.summary: Is a directory (EISDIR)\n");
	expect_files("out out.summary");
}
END_TEST

START_TEST(a_directory)
{
	ck_assert_int_eq(mkdir(process.options.out, 0777), 0);
	expect_message("==cacheprof== cannot write %s/out: Is a directory (EISDIR)\n");
	expect_files("out");
}
END_TEST

START_TEST(not_a_directory)
{
	snprintf(process.options.out, sizeof process.options.out, "/dev/null/out");
	expect_message("==cacheprof== cannot write /dev/null/out: Not a directory (ENOTDIR)\n");
}
END_TEST

START_TEST(a_full_disk)
{
	strcpy(process.options.out, "/dev/full");
	expect_message("==cacheprof== cannot write /dev/full: No space left on device (ENOSPC)\n");
}
END_TEST

START_TEST(no_memory_for_counts)
{
	no_memory = true;
	expect_message("==cacheprof== cannot write %s/out: Cannot allocate memory (ENOMEM)\n");
}
END_TEST

static void write_part(void)
{
	cacheprof_write_part(&process, process.options.out, NULL);
}

START_TEST(no_memory_for_a_part)
{
	no_memory = true;
	capture(write_part);
	ck_assert_ptr_nonnull(strstr(captured, "/out: Cannot allocate memory (ENOMEM)\n"));
}
END_TEST

static void write_amid(void)
{
	process.writer = gettid();
	write_and_leave();
}

START_TEST(the_same_thread_in_its_midst)
{
	ck_assert_int_eq(capture(write_amid), 0);
	ck_assert_int_ne(access(process.options.out, F_OK), 0);
}
END_TEST

START_TEST(a_process_beside_that_was_killed_in_its_midst)
{
	process.writer = -1;
	write_now();
	expect_files("out out.summary");
}
END_TEST

static void write_live(void)
{
	process.writer = 1;
	cacheprof_write_live(&process, true);
}

START_TEST(a_program_that_was_killed_in_its_midst)
{
	capture(write_live);
	expect_files("out");
}
END_TEST

START_TEST(a_process_beside_that_wrote_already)
{
	process.hands_over = process.ended = true;
	process.beside = 1;
	write_now();
	ck_assert_int_ne(access(process.options.out, F_OK), 0);
}
END_TEST

static void write_limited(void)
{
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, 100});
	write_and_leave();
}

/* Nothing stays under the final name, and the one before is left alone. */
START_TEST(a_file_that_is_too_large)
{
	FILE *before = fopen(process.options.out, "w");

	fputs("before", before);
	fclose(before);
	process.options.quiet = true;
	ck_assert_int_eq(capture(write_limited), 0);
	ck_assert_ptr_nonnull(strstr(captured, "/out: File too large (EFBIG)\n"));
	ck_assert_str_eq(contents(""), "before");
	expect_files("out");
}
END_TEST

static void leave_a_temporary_file_and_write(void)
{
	char path[8192];

	snprintf(path, sizeof path, "%s.tmp.%d", process.options.out, getpid());
	ck_assert_int_eq(symlink("/dev/null", path), 0);
	write_and_leave();
}

START_TEST(an_old_temporary_file)
{
	ck_assert_int_eq(capture(leave_a_temporary_file_and_write), 0);
	ck_assert_ptr_nonnull(strstr(contents(""), "summary: "));
	expect_files("out out.summary");
}
END_TEST

START_TEST(a_device_is_not_replaced)
{
	struct stat st;

	ck_assert_int_eq(symlink("/dev/null", process.options.out), 0);
	expect_message("");
	ck_assert_int_eq(lstat(process.options.out, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	expect_files("out");
}
END_TEST

static void write_to_stdout(void)
{
	strcpy(process.options.out, "/dev/stdout");
	dup2(2, 1);
	write_and_leave();
}

START_TEST(standard_output)
{
	process.options.quiet = true;
	ck_assert_int_eq(capture(write_to_stdout), 0);
	ck_assert_ptr_nonnull(strstr(captured, "\nsummary: "));
	ck_assert_int_ne(access("/dev/stdout.summary", F_OK), 0);
}
END_TEST

static void close_all_and_write(void)
{
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
	write_and_leave();
}

START_TEST(all_descriptors_closed)
{
	char first[20000];

	write_now();
	strcpy(first, contents(""));
	ck_assert_int_eq(capture(close_all_and_write), 0);
	ck_assert_str_eq(contents(""), first);
	ck_assert_str_eq(contents(".summary"), SUMMARY SUMMARY);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("write");
	TCase *c = tcase_create("write"), *w = tcase_create("obstacles");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, writes_a_profile);
	tcase_add_test(c, writes_level_1);
	tcase_add_test(c, writes_branches);
	tcase_add_test(c, appends_to_the_summary);
	tcase_add_test(c, cuts_a_long_command_in_the_summary);
	tcase_add_test(c, prints_totals);
	tcase_add_test(c, prints_totals_of_level_1);
	tcase_add_test(c, prints_totals_of_branches);
	tcase_add_test(c, divides_what_is_large);
	tcase_add_test(c, divides_by_nothing);
	tcase_add_test(c, tells_the_speed);
	tcase_add_test(c, is_quiet);
	tcase_add_test(c, has_no_summary_so_far);
	tcase_add_test(c, writes_nothing_after_the_end);
	suite_add_tcase(s, c);
	tcase_add_checked_fixture(w, setup, teardown);
	tcase_add_test(w, no_such_directory);
	tcase_add_test(w, no_place_for_the_summary);
	tcase_add_test(w, a_directory);
	tcase_add_test(w, not_a_directory);
	tcase_add_test(w, a_full_disk);
	tcase_add_test(w, no_memory_for_counts);
	tcase_add_test(w, no_memory_for_a_part);
	tcase_add_test(w, the_same_thread_in_its_midst);
	tcase_add_test(w, a_process_beside_that_was_killed_in_its_midst);
	tcase_add_test(w, a_program_that_was_killed_in_its_midst);
	tcase_add_test(w, a_process_beside_that_wrote_already);
	tcase_add_test(w, a_file_that_is_too_large);
	tcase_add_test(w, an_old_temporary_file);
	tcase_add_test(w, a_device_is_not_replaced);
	tcase_add_test(w, standard_output);
	tcase_add_test(w, all_descriptors_closed);
	suite_add_tcase(s, w);
	return s;
}

int main(void)
{
	return run_as_tap(suite());
}
