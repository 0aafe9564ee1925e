/* Text without libc, and writes that fail without a signal. */
#include "runtime/runtime.h"
#include "tests/runtime/capture.h"
#include "tests/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

static char text[256];

#define EXPECT(want, ...)                                                                          \
	do {                                                                                       \
		ck_assert(cacheprof_format(text, sizeof text, __VA_ARGS__));                       \
		ck_assert_str_eq(text, want);                                                      \
	} while (0)

START_TEST(formats)
{
	EXPECT("", "");
	EXPECT("a%b", "a%%%s", "b");
	EXPECT("-2147483648 0 7", "%d %d %d", (int)0x80000000, 0, 7);
	EXPECT("4294967295 ff", "%u %x", 0xffffffffu, 255u);
	EXPECT("18446744073709551615", "%lu", UINT64_MAX);
	EXPECT("18,446,744,073,709,551,615", "%,lu", UINT64_MAX);
	EXPECT("0 999 1,000 999,999 1,000,000", "%,u %,u %,u %,u %,u", 0, 999, 1000, 999999,
	       1000000);
	EXPECT("   7 0007 1,234     x", "%4u %04u %3,lu %5s", 7, 7, (uint64_t)1234, "x");
	EXPECT("       1,234 00ab|", "%*,u %04lx%*s|", 12u, 1234, (uint64_t)0xab, 0u, "");
	EXPECT("a\\nb\\tc\\rd\\e", "%q", "a\nb\tc\rd\\e");
}
END_TEST

START_TEST(cuts_what_does_not_fit)
{
	char small[4];

	ck_assert(cacheprof_format(small, 4, "%s", "abc"));
	ck_assert(!cacheprof_format(small, 4, "%s", "abcd"));
}
END_TEST

START_TEST(strings_and_memory)
{
	char to[8];

	ck_assert_uint_eq(cacheprof_strlen(""), 0);
	ck_assert_uint_eq(cacheprof_strlen("abc"), 3);
	ck_assert_int_eq(cacheprof_strcmp("abc", "abc"), 0);
	ck_assert_int_lt(cacheprof_strcmp("ab", "abc"), 0);
	ck_assert_int_gt(cacheprof_strcmp("\xff", "a"), 0);
	cacheprof_memset(to, 'x', 8);
	cacheprof_memcpy(to + 1, "abc", 3);
	ck_assert_mem_eq(to, "xabcxxxx", 8);
}
END_TEST

START_TEST(gives_memory)
{
	struct arena arena = {0};

	errno = 0;
	for (size_t bytes = 0; bytes < 100000; bytes = bytes * 3 + 1) {
		ck_assert(cacheprof_arena_reset(&arena, bytes + 2));
		for (unsigned i = 0; i < 3; i++) {
			char *piece = cacheprof_arena_take(&arena, i < 2 ? 1 : bytes);

			ck_assert_uint_eq((uintptr_t)piece % 16, 0);
			for (size_t at = 0; at < (i < 2 ? 1 : bytes); at++)
				ck_assert_int_eq(piece[at]++, 0);
		}
	}
	ck_assert(!cacheprof_arena_reset(&arena, SIZE_MAX / 2));
	ck_assert_ptr_null(cacheprof_mmap(SIZE_MAX / 2));
	ck_assert_int_eq(errno, 0);
}
END_TEST

static struct out out;

START_TEST(writes_more_than_a_buffer)
{
	FILE *file = tmpfile();
	unsigned n = 0;
	char line[32];

	cacheprof_out_open(&out, fileno(file));
	for (unsigned i = 0; i < 100000; i++)
		cacheprof_out(&out, "line %u\n", i);
	ck_assert(cacheprof_out_flush(&out));
	ck_assert(cacheprof_out_flush(&out));
	rewind(file);
	for (; fgets(line, sizeof line, file); n++)
		ck_assert_uint_eq(strtoul(line + 5, NULL, 10), n);
	ck_assert_uint_eq(n, 100000);
}
END_TEST

START_TEST(a_closed_pipe_is_no_signal)
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	cacheprof_out_open(&out, ends[1]);
	cacheprof_out(&out, "x");
	ck_assert(!cacheprof_out_flush(&out));
	ck_assert_int_eq(out.error, EPIPE);
	dup2(ends[1], 2);
	cacheprof_print("lost");
}
END_TEST

/* In a process of its own, for check writes to a file too. */
static void write_to_the_limit(void)
{
	int fd = fileno(tmpfile());

	setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, 100});
	cacheprof_out_open(&out, fd);
	for (unsigned i = 0; i < 100000; i++)
		cacheprof_out(&out, "line %u\n", i);
	if (!cacheprof_out_flush(&out) && out.error == EFBIG && lseek(fd, 0, SEEK_END) == 100)
		_exit(0);
}

START_TEST(a_file_size_limit_is_no_signal)
{
	ck_assert_int_eq(capture(write_to_the_limit), 0);
}
END_TEST

/* The program's own mask and pending signal stay what they are. */
START_TEST(keeps_the_programs_signals)
{
	sigset_t set, now;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGPIPE);
	cacheprof_out_open(&out, ends[1]);
	cacheprof_out(&out, "x");
	cacheprof_out_flush(&out);
	sigpending(&now);
	ck_assert(sigismember(&now, SIGPIPE));
	sigprocmask(SIG_BLOCK, NULL, &now);
	ck_assert(sigismember(&now, SIGPIPE) && sigismember(&now, SIGUSR1));
	ck_assert(!sigismember(&now, SIGXFSZ));
}
END_TEST

START_TEST(a_full_disk_is_an_error)
{
	cacheprof_out_open(&out, open("/dev/full", O_WRONLY));
	cacheprof_out(&out, "x");
	ck_assert(!cacheprof_out_flush(&out));
	ck_assert_int_eq(out.error, ENOSPC);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("os");
	TCase *c = tcase_create("text"), *w = tcase_create("writing");

	tcase_add_test(c, formats);
	tcase_add_test(c, cuts_what_does_not_fit);
	tcase_add_test(c, strings_and_memory);
	tcase_add_test(c, gives_memory);
	suite_add_tcase(s, c);
	tcase_add_test(w, writes_more_than_a_buffer);
	tcase_add_test(w, a_closed_pipe_is_no_signal);
	tcase_add_test(w, a_file_size_limit_is_no_signal);
	tcase_add_test(w, keeps_the_programs_signals);
	tcase_add_test(w, a_full_disk_is_an_error);
	suite_add_tcase(s, w);
	return s;
}

int main(void)
{
	return run_as_tap(suite());
}
