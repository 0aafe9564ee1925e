/* The main program of a unit test of cacheprint: a table of test functions. */
#ifndef TESTS_CACHEPRINT_SUITE_H
#define TESTS_CACHEPRINT_SUITE_H

#include "tests/suite.h"

/* cacheprint leaves what lives to its end to the end of the process; a test that makes several of
 * such things would be told of leaks. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static inline int run_suite(const char *name, const TTest *const *tests, size_t n)
{
	TCase *tcase = tcase_create(name);

	for (size_t i = 0; i < n; i++)
		tcase_add_test(tcase, tests[i]);
	return run_case(tcase, name);
}

#define RUN_SUITE(name, tests) run_suite(name, tests, sizeof(tests) / sizeof *(tests))

#endif
