/* What cachegen reads (numbers) and writes (the three macros before a text that never changes).
 * That the text simulates the cache is shown by generated.t.sh. */
#include "cachegen/generate.h"
#include "tests/suite.h"

#include <stdlib.h>

static const struct {
	const char *text;
	bool good;
	uint32_t value;
} numbers[] = {
	{"1", true, 1},
	{"32768", true, 32768},
	{"32k", true, 32768},
	{"32K", true, 32768},
	{"8M", true, 8388608},
	{"8m", true, 8388608},
	{"0", true, 0},
	{"4294967295", true, UINT32_MAX},
	{"4095M", true, 4095u << 20},
	{"4294967296", false, 0},
	{"4096M", false, 0},
	{"4194304k", false, 0},
	{"99999999999999999999", false, 0},
	{"", false, 0},
	{"k", false, 0},
	{"-1", false, 0},
	{"+1", false, 0},
	{" 1", false, 0},
	{"1 ", false, 0},
	{"1kk", false, 0},
	{"1kB", false, 0},
	{"1g", false, 0},
	{"0x10", false, 0},
	{"1.5k", false, 0},
};

START_TEST(reads_a_number)
{
	uint32_t value = 0;

	ck_assert_msg(cachegen_number(numbers[_i].text, &value) == numbers[_i].good, "'%s'",
		      numbers[_i].text);
	ck_assert_uint_eq(value, numbers[_i].value);
}
END_TEST

static char *written(struct geometry g)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	ck_assert(cachegen_write(g, out));
	fclose(out);
	return text;
}

START_TEST(writes_the_geometry)
{
	char *text = written((struct geometry){49152, 12, 64});

	ck_assert_ptr_nonnull(strstr(text, "\n#define SIZE 49152u\n#define LINE 64u\n"
					   "#define ASSOC 12u\n"));
	ck_assert_ptr_nonnull(strstr(text, "49152 B, 64 B, 12-way associative"));
	ck_assert_ptr_nonnull(strstr(text, "unsigned cachesim_doref("));
	free(text);
}
END_TEST

START_TEST(names_direct_mapped)
{
	char *text = written((struct geometry){1024, 1, 32});

	ck_assert_ptr_nonnull(strstr(text, "1024 B, 32 B, direct-mapped"));
	free(text);
}
END_TEST

START_TEST(reports_a_write_error)
{
	FILE *full = fopen("/dev/full", "w");

	ck_assert_ptr_nonnull(full);
	ck_assert(!cachegen_write(GEOMETRY_D1_DEFAULT, full));
	fclose(full);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("cachegen");
	TCase *c = tcase_create("generate");

	tcase_add_loop_test(c, reads_a_number, 0, sizeof numbers / sizeof *numbers);
	tcase_add_test(c, writes_the_geometry);
	tcase_add_test(c, names_direct_mapped);
	tcase_add_test(c, reports_a_write_error);
	suite_add_tcase(s, c);
	return s;
}

int main(void)
{
	return run_as_tap(suite());
}
