/* Gates: what a rule means. */
#include "cacheprint/gate.h"
#include "tests/cacheprint/suite.h"

#include <math.h>
#include <stdio.h>

static const char *names[] = {"Ir", "Dr", "Dw", "D1mr", "D1mw"};

static struct gate gate(const char *rule)
{
	struct events e;
	struct gate g;

	events_init(&e, names, 5);
	ck_assert_msg(gate_parse(&g, &e, rule) == NULL, "%s", rule);
	return g;
}

static bool holds(const char *rule, long double before, long double after)
{
	struct gate g = gate(rule);

	return gate_holds(&g, before, after);
}

START_TEST(limits_changes)
{
	ck_assert(holds("D1mr+D1mw <= +1%", 100, 101));
	ck_assert(!holds("D1mr+D1mw <= +1%", 100, 102));
	ck_assert(!holds("D1m < +1%", 100, 101));
	ck_assert(holds("D1m<=+0%", 100, 100));
	ck_assert(!holds("D1m<=-10%", 100, 95));
	ck_assert(holds("D1m<=-10%", 100, 90));
	ck_assert(holds("D1m <= +5", 100, 105));
	ck_assert(!holds("D1m <= +5", 100, 106));
	ck_assert(holds("D1m <= +1%", 0, 0));
	ck_assert(!holds("D1m <= +1%", 0, 1));
}
END_TEST

/* Decimal fractions are rounded, the limits that are made of them are not. */
START_TEST(limits_are_exact)
{
	char rule[40];

	for (int tenths = 1; tenths <= 1000; tenths++) {
		snprintf(rule, sizeof rule, "D1m <= +%d.%d%%", tenths / 10, tenths % 10);
		ck_assert_msg(holds(rule, 9000, 9000 + 9 * tenths), "%s", rule);
		ck_assert_msg(!holds(rule, 9000, 9001 + 9 * tenths), "%s", rule);
		ck_assert_msg(holds(rule, 1e15L, 1e15L + 1e12L * tenths), "%s", rule);
		ck_assert_msg(!holds(rule, 1e15L, 1e15L + 1e12L * tenths + 1), "%s", rule);
		snprintf(rule, sizeof rule, "D1m%% <= %d.%d%%", tenths / 10, tenths % 10);
		ck_assert_msg(holds(rule, 0, tenths / 1000.0L), "%s", rule);
		snprintf(rule, sizeof rule, "D1m%% <= +%d.%d%%", tenths / 10, tenths % 10);
		ck_assert_msg(holds(rule, 0.07L, 0.07L + tenths / 1000.0L), "%s", rule);
	}
	ck_assert(!holds("D1m% < 1.3%", 0, 0.013L));
	ck_assert(!holds("D1m < +1.3%", 9000, 9117));
	ck_assert(!holds("D1m <= +0%", 1e15L, 1e15L + 1));
}
END_TEST

START_TEST(limits_values)
{
	ck_assert(holds("Ir <= 1000", 1, 1000));
	ck_assert(!holds("Ir < 1000", 1, 1000));
	ck_assert(holds("D1m% <= 5%", 0.5L, 0.04L));
	ck_assert(!holds("D1m% <= 5%", 0.04L, 0.06L));
	ck_assert(holds("D1m% <= +0.5%", 0.040L, 0.044L));
	ck_assert(!holds("D1m% <= +0.5%", 0.040L, 0.046L));
	ck_assert(holds("D1m% <= 5%", 0.5L, NAN));
}
END_TEST

START_TEST(takes_expressions)
{
	int64_t counts[] = {100, 10, 20, 3, 4};

	ck_assert_double_eq((double)column_value(gate(" Ir + 2*(D1m) <= +1%").column, counts), 114);
	ck_assert_str_eq(gate(" Ir + D1m <= +1% ").column->name, "Ir + D1m");
	ck_assert_str_eq(gate(" Ir + D1m <= +1% ").text, "<= +1%");
}
END_TEST

START_TEST(refuses_bad_rules)
{
	static const char *const rules[] = {
	    "",     "D1m",       "D1m <= ",    "D1m <= 5%", "D1m% <= 5", "Foo <= 3",  "D1m > 3",
	    "<= 3", "D1m <= 3x", "D1m <= inf", "D1m <= +",  "D1m = 3",   "D1m <= +-3"};
	struct events e;
	struct gate g;

	events_init(&e, names, 5);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		ck_assert_msg(gate_parse(&g, &e, rules[i]) != NULL, "%s", rules[i]);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {limits_changes, limits_are_exact, limits_values, takes_expressions,
	                        refuses_bad_rules};

	return RUN_SUITE("gate", tests);
}
