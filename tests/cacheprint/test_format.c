/* Numbers as text. */
#include "cacheprint/format.h"
#include "cacheprint/table.h"
#include "tests/cacheprint/suite.h"

#include <math.h>
#include <string.h>

static char b[FORMAT_ROOM];

START_TEST(puts_commas)
{
	ck_assert_str_eq(format_count(b, 0), "0");
	ck_assert_str_eq(format_count(b, 999), "999");
	ck_assert_str_eq(format_count(b, 1000), "1,000");
	ck_assert_str_eq(format_count(b, -1234567), "-1,234,567");
	ck_assert_str_eq(format_count(b, INT64_MAX), "9,223,372,036,854,775,807");
	ck_assert_str_eq(format_count(b, INT64_MIN), "-9,223,372,036,854,775,808");
}
END_TEST

START_TEST(puts_percentages_as_cachegrind)
{
	ck_assert_str_eq(format_percent(b, 1, 3), "33.33%");
	ck_assert_str_eq(format_percent(b, 1, 1), "100.0%");
	ck_assert_str_eq(format_percent(b, 99994, 100000), "99.99%");
	ck_assert_str_eq(format_percent(b, 99996, 100000), "100.0%");
	ck_assert_str_eq(format_percent(b, 0, 5), "0.00%");
	ck_assert_str_eq(format_percent(b, 5, 0), "-");
	ck_assert_str_eq(format_percent(b, 0, 0), "-");
	ck_assert_str_eq(format_percent(b, -1, 2), "-50.0%");
}
END_TEST

START_TEST(puts_values)
{
	struct column whole = {.whole = true}, fraction = {0}, rate = {.percent = true};

	ck_assert_str_eq(format_value(b, &whole, 1234567), "1,234,567");
	ck_assert_str_eq(format_value(b, &whole, INT64_MAX), "9,223,372,036,854,775,807");
	ck_assert_str_eq(format_value(b, &fraction, -1234.567L), "-1,234.57");
	ck_assert_str_eq(format_value(b, &fraction, 0.001L), "0.00");
	ck_assert_str_eq(format_value(b, &rate, 0.125L), "12.50%");
	ck_assert_str_eq(format_value(b, &rate, NAN), "-");
	ck_assert_str_eq(format_value(b, &whole, 1e300L), "1e+300");
}
END_TEST

START_TEST(aligns_tables)
{
	struct table *t = table_new("lrl");
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (int i = 0; i < 3; i++)
		table_cell(t, "%.*s", i + 1, "HEAD");
	table_rule(t);
	table_cell(t, "\xc3\xa4\xc3\xb6");
	table_cell(t, "1,000");
	table_cell(t, "x");
	table_print(t, out, &(struct look){.indent = 2});
	fclose(out);
	ck_assert_str_eq(text, "  H      HE  HEA\n"
	                       "  --------------\n"
	                       "  \xc3\xa4\xc3\xb6  1,000  x\n");
	free(text);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {
	    puts_commas,
	    puts_percentages_as_cachegrind,
	    puts_values,
	    aligns_tables,
	};

	return RUN_SUITE("format", tests);
}
