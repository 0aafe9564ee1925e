/* libFuzzer target: a profile that is taken gives the rows it promised, and they add up to its totals.
 *
 *   make build/fuzz/fuzz_reader
 *   build/fuzz/fuzz_reader corpus tests/cacheprint/golden/data */
#include "cacheprint/reader.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct profile *p)
{
	int64_t totals[READER_MAX_EVENTS] = {0};
	struct text rows;
	struct row row;
	uint64_t n;

	for (size_t i = 0; i < p->sections.n; i++) {
		rows = p->sections.at[i].rows;
		for (n = 0; row_next(p, &rows, &row); n++)
			for (size_t j = 0; j < p->events.n; j++)
				totals[j] += row.counts[j];
		if (n != p->sections.at[i].n_rows)
			abort();
	}
	for (size_t j = 0; j < p->events.n; j++)
		if (totals[j] != p->totals[j])
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile p = {0};
	struct reader_error error;

	if (profile_parse(&p, (struct text){(const char *)data, size}, &error))
		check(&p);
	profile_free(&p);
	return 0;
}
