/* Events, derived events and their arithmetic. */
#include "cacheprint/events.h"
#include "tests/cacheprint/suite.h"

#include <math.h>
#include <string.h>

static const char *level2[] = {"Ir", "I1mr", "ILmr", "Dr", "D1mr", "DLmr", "Dw", "D1mw", "DLmw"};
static const int64_t counts[] = {1000, 10, 1, 200, 20, 2, 300, 30, 3};
static struct events events;

static void level(const char **names, unsigned n)
{
	events_init(&events, names, n);
}

static double value(const char *name)
{
	const struct column *c = events_find(&events, name);

	ck_assert_msg(c != NULL, "no %s", name);
	return (double)column_value(c, counts);
}

START_TEST(derives_cachegrinds_figures)
{
	level(level2, 9);
	ck_assert_double_eq(value("Dw"), 300);
	ck_assert_double_eq(value("Refs"), 500);
	ck_assert_double_eq(value("D1m"), 50);
	ck_assert_double_eq(value("L1m"), 60);
	ck_assert_double_eq(value("LLm"), 6);
	ck_assert_double_eq(value("CEst"), 1000 + 600 + 600);
	ck_assert_double_eq_tol(value("D1m%"), 0.1, 1e-12);
	ck_assert_double_eq_tol(value("LLm%"), 6.0 / 1500, 1e-12);
	ck_assert(events_find(&events, "D1m%")->percent);
	ck_assert(!events_find(&events, "D1m%")->shares);
	ck_assert(events_find(&events, "CEst")->shares);
	ck_assert(events_find(&events, "CEst")->whole);
}
END_TEST

START_TEST(derives_only_what_is_possible)
{
	const char *level1[] = {"Ir", "Dr", "Dw"};
	const char *branches[] = {"Ir", "Bc", "Bcm", "Bi", "Bim"};

	level(level1, 3);
	ck_assert_ptr_nonnull(events_find(&events, "Refs"));
	ck_assert_ptr_null(events_find(&events, "D1m"));
	ck_assert_ptr_null(events_find(&events, "CEst"));
	level(branches, 5);
	ck_assert_ptr_nonnull(events_find(&events, "Bm%"));
	ck_assert_ptr_null(events_find(&events, "Refs"));
}
END_TEST

START_TEST(defines_events)
{
	level(level2, 9);
	ck_assert_ptr_null(events_define(&events, "cost=Ir + 10*D1mr+ 100 *(DLmr+DLmw)"));
	ck_assert_double_eq(value("cost"), 1000 + 200 + 500);
	ck_assert_ptr_null(events_define(&events, "twice=2*cost-cost/2"));
	ck_assert_double_eq(value("twice"), 3400 - 850);
	ck_assert(!events_find(&events, "twice")->whole);
	ck_assert(events_find(&events, "twice")->shares);
	ck_assert_ptr_null(events_define(&events, "left=100-10-1"));
	ck_assert_double_eq(value("left"), 89);
	ck_assert_ptr_null(events_define(&events, "zero=Ir/(Dr-200)"));
	ck_assert(isnan(value("zero")));
	ck_assert_ptr_null(events_define(&events, "sq=Ir*Ir"));
	ck_assert(!events_find(&events, "sq")->shares);
}
END_TEST

START_TEST(refuses_bad_definitions)
{
	static const char *const bad[][2] = {
	    {"x", "NAME=EXPRESSION is needed"},
	    {"=Ir", "a name is letters, digits and '_', with '%' at the end for a rate"},
	    {"1a=Ir", "a name is letters, digits and '_', with '%' at the end for a rate"},
	    {"%=Ir", "a name is letters, digits and '_', with '%' at the end for a rate"},
	    {"Ir=Dr", "an event of that name exists"},
	    {"x=", "an event or a number is missing at the end"},
	    {"x=Ir+", "an event or a number is missing at the end"},
	    {"x=*Ir", "an event or a number is missing before '*Ir'"},
	    {"x=Ir Dr", "an operator is missing before 'Dr'"},
	    {"x=(Ir", "')' is missing before ''"},
	    {"x=Ir)", "an operator is missing before ')'"},
	    {"x=Foo", "there is no event 'Foo'"},
	    {"x=1.2.3", "'1.2.3' is not a number"},
	};

	level(level2, 9);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_str_eq(events_define(&events, bad[i][0]), bad[i][1]);
}
END_TEST

START_TEST(finds_lists)
{
	column_list list = {0};

	level(level2, 9);
	ck_assert(events_find_all(&events, "Ir,D1m,D1m%", &list));
	ck_assert_uint_eq(list.n, 3);
	ck_assert(!events_find_all(&events, "Ir,Nope", &list));
	ck_assert(!events_find_all(&events, "Ir,", &list));
	ck_assert_uint_eq(list.n, 3);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {
	    derives_cachegrinds_figures,
	    derives_only_what_is_possible,
	    defines_events,
	    refuses_bad_definitions,
	    finds_lists,
	};

	return RUN_SUITE("events", tests);
}
