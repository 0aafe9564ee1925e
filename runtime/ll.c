/* The last-level cache, which all threads share. Two threads may change one row at the same time; a
 * row is then still a row of lines, and the order of two threads' accesses is chance anyway.
 *
 * The usual shape, sixteen ways and lines of 64 bytes, has compact rows: sixteen tags of 32 bits,
 * which fill one line of the host, most recently used first. A tag is the line's number without its
 * set bits. Rows are scattered: a program that strides by pages would else walk the host's own
 * cache by pages too. The stubs (slow_x86_64.S) work on compact rows as this does. */
#include "runtime/models.h"

#define WAYS 16
/* A user-space line's number has 47 - 6 bits, of which a tag must hold what is left of the set's. */
#define FEWEST_SETS (1u << (47 - 6 - 32))

uint64_t cacheprof_ll_set_mask, cacheprof_ll_tag_shift;
uint32_t *cacheprof_ll_rows; /* NULL: not compact */

bool cacheprof_ll_start(const struct cache *ll)
{
	size_t bytes = (ll->set_mask + 1) * WAYS * sizeof *cacheprof_ll_rows;

	cacheprof_ll_set_mask = ll->set_mask;
	cacheprof_ll_tag_shift = (uint64_t)__builtin_ctzll(ll->set_mask + 1);
	if (ll->ways != WAYS || ll->line_shift != 6 || ll->set_mask + 1 < FEWEST_SETS)
		return (cacheprof_models.ll_rows = cacheprof_mmap(cache_bytes(ll)));
	cacheprof_ll_rows = cacheprof_mmap(bytes);
	return cacheprof_ll_rows;
}

static bool touch_compact(uint64_t line)
{
	uint64_t number = line >> 6, set = number & cacheprof_ll_set_mask;
	uint32_t tag = (uint32_t)(number >> cacheprof_ll_tag_shift);
	uint32_t *row = cacheprof_ll_rows + (set ^ set >> 6) * WAYS;
	unsigned way = 0;
	bool hit;

	while (way < WAYS - 1 && row[way] != tag)
		way++;
	hit = row[way] == tag;
	for (; way > 0; way--)
		row[way] = row[way - 1];
	row[0] = tag;
	return hit;
}

bool cacheprof_ll_reference(uint64_t address, uint64_t size)
{
	const struct cache *ll = &cacheprof_models.ll;
	uint64_t line = address & ll->line_mask, last = (address + size - 1) & ll->line_mask;
	bool missed = false;

	for (;; line += -ll->line_mask) {
		missed |= !(cacheprof_ll_rows ? touch_compact(line)
					      : cache_touch(ll, cacheprof_models.ll_rows, line));
		if (line == last)
			return missed;
	}
}
