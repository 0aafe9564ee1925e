/* The main program of a unit test: a table of test functions, TAP on standard output. */
#ifndef TESTS_CACHEPRINT_SUITE_H
#define TESTS_CACHEPRINT_SUITE_H

#include <check.h>
#include <stdlib.h>

static inline int run_suite(const char *name, const TTest *const *tests, size_t n)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, tcase);
	for (size_t i = 0; i < n; i++)
		tcase_add_test(tcase, tests[i]);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define RUN_SUITE(name, tests) run_suite(name, tests, sizeof(tests) / sizeof *(tests))

#endif
