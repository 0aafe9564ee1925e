/* write_profile LEVEL FILE: a profile of 200 rows whose instructions are 1 + ... + 200; with level
 * 0 one of level 2 without a row. */
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

static struct count_row rows[200];

bool cacheprof_counts(const struct process *process, struct counts *counts)
{
	static const char *const files[] = {"/usr/include/a.h", "b.c"};
	static const char *const functions[] = {"f", "g"};

	*counts = (struct counts){.rows = rows, .n = process->argv ? 200 : 0};
	for (unsigned i = 0; i < counts->n; i++) {
		rows[i] = (struct count_row){files[i / 100], functions[i / 50 % 2], i, {i + 1}};
		for (unsigned e = 1; e < i % N_EVENTS; e++)
			rows[i].events[e] = i * e % 7;
		for (unsigned e = 0; e < N_EVENTS; e++)
			counts->totals[e] += rows[i].events[e];
	}
	return true;
}

int main(int argc, char **argv)
{
	static struct process process = {
		.options = {.i1 = GEOMETRY_I1_DEFAULT, .d1 = GEOMETRY_D1_DEFAULT,
			    .ll = GEOMETRY_LL_DEFAULT, .quiet = true},
	};

	if (argc != 3)
		return 2;
	process.level = atoi(argv[1]) ? atoi(argv[1]) : 2;
	process.argv = atoi(argv[1]) ? (const char *const *)argv : NULL;
	strcpy(process.options.out, argv[2]);
	cacheprof_write(&process, false);
	return 0;
}
