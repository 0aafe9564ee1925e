/* The main program of a unit test: a table of test functions, TAP on standard output. */
#ifndef TESTS_CACHEPRINT_SUITE_H
#define TESTS_CACHEPRINT_SUITE_H

#include <check.h>
#include <stdlib.h>

/* cacheprint leaves what lives to its end to the end of the process; a test that makes several of
 * such things would be told of leaks. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

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
