/* The main program of a unit test. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Runs the suite, which is freed, as TAP on standard output. Returns main's value. */
static inline int run_as_tap(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* The same of one case. */
static inline int run_case(TCase *tests, const char *name)
{
	Suite *suite = suite_create(name);

	suite_add_tcase(suite, tests);
	return run_as_tap(suite);
}

#endif
