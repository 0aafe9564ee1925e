#include "common/response.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/test_response.XXXXXX";

static void in_directory(void)
{
	ck_assert(mkdtemp(directory) && !chdir(directory));
}

static void remove_directory(void)
{
	char *command;

	ck_assert_int_gt(asprintf(&command, "rm -rf %s", directory), 0);
	ck_assert_int_eq(system(command), 0);
	free(command);
}

static void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	ck_assert(out && fputs(text, out) >= 0 && !fclose(out));
}

static void expands_to(const char *first, const char *const *expected)
{
	char **words = response_expand((char *[]){(char *)"-a", (char *)first, (char *)"z", NULL});

	ck_assert_str_eq(*words++, "-a");
	for (; *expected; expected++)
		ck_assert_str_eq(*words++, *expected);
	ck_assert_str_eq(*words++, "z");
	ck_assert_ptr_null(*words);
}

#define EXPANDS_TO(first, ...) expands_to(first, (const char *const[]){__VA_ARGS__, NULL})

static const struct {
	const char *text;
	const char *words[5];
} files[] = {
    {"", {NULL}},
    {" \n\t ", {NULL}},
    {"-c foo.c", {"-c", "foo.c"}},
    {"\n-c\r\n\vfoo.c\f\n", {"-c", "foo.c"}},
    {"'a b' \"c d\"", {"a b", "c d"}},
    {"-DX='a b'\"c\"d", {"-DX=a bcd"}},
    {"a\\ b \\\"q\\\" \\\\", {"a b", "\"q\"", "\\"}},
    {"\"a\\\"b\" 'c\\'d'", {"a\"b", "c'd"}},
    {"\"it's\" 'say \"x\"'", {"it's", "say \"x\""}},
    {"'' x \"\"", {"", "x", ""}},
    {"'open end", {"open end"}},
};

START_TEST(words_of_a_file)
{
	write_file("file", files[_i].text);
	expands_to("@file", files[_i].words);
}
END_TEST

START_TEST(files_name_files)
{
	write_file("inner", "2 3");
	write_file("outer", "1 @inner 4");
	EXPANDS_TO("@outer", "1", "2", "3", "4");
}
END_TEST

START_TEST(what_cannot_be_read_stays)
{
	EXPANDS_TO("@missing", "@missing");
	EXPANDS_TO("@/tmp", "@/tmp");
	EXPANDS_TO("@", "@");
	EXPANDS_TO("a@b", "a@b");
}
END_TEST

START_TEST(a_circle_ends)
{
	write_file("circle", "@circle");
	response_expand((char *[]){(char *)"@circle", NULL});
}
END_TEST

START_TEST(a_long_file)
{
	FILE *out = fopen("long", "w");
	char **words;
	int n = 0;

	ck_assert_ptr_nonnull(out);
	for (int i = 0; i < 200000; i++)
		fprintf(out, "-DNAME%d='a b'\n", i);
	fclose(out);
	words = response_expand((char *[]){(char *)"@long", NULL});
	while (words[n])
		n++;
	ck_assert_int_eq(n, 200000);
	ck_assert_str_eq(words[199999], "-DNAME199999=a b");
}
END_TEST

static Suite *suite(void)
{
	Suite *all = suite_create("response files");
	TCase *tests = tcase_create("expansion");

	tcase_add_unchecked_fixture(tests, in_directory, remove_directory);
	tcase_add_loop_test(tests, words_of_a_file, 0, sizeof files / sizeof *files);
	tcase_add_test(tests, files_name_files);
	tcase_add_test(tests, what_cannot_be_read_stays);
	tcase_add_exit_test(tests, a_circle_ends, 1);
	tcase_add_test(tests, a_long_file);
	suite_add_tcase(all, tests);
	return all;
}

int main(void)
{
	return run_as_tap(suite());
}
