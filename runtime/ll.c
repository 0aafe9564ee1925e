/* The last-level cache, which all threads share. Two threads may change one row at the same time; a
 * row is then still a row of lines, and the order of two threads' accesses is chance anyway. */
#include "runtime/models.h"

bool cacheprof_ll_reference(uint64_t address, uint64_t size)
{
	const struct cache *ll = &cacheprof_models.ll;
	uint64_t line = address & ll->line_mask, last = (address + size - 1) & ll->line_mask;
	bool missed = false;

	for (;; line += -ll->line_mask) {
		missed |= !cache_touch(ll, cacheprof_models.ll_rows, line);
		if (line == last)
			return missed;
	}
}
