/* D1's rows whose lines stay in their ways (d1.h), for C. A signal handler may do the same in between anywhere: the
 * order is stored at once. The stubs (slow_x86_64.S) and strided loops work on them as this does. */
#include "runtime/d1.h"
#include "runtime/models.h"

#include <stddef.h>

/* Ways in the order of their numbers: one of them is the least recently used one always. */
void cacheprof_steady_none(const struct thread *thread)
{
	for (uint64_t at = 0; at < FILTER_BYTES; at += FILTER_LINE)
		*(uint64_t *)((char *)thread->filter + at + STEADY_ORDER) = 0x7f3f1f0f07030100;
}

#define ONES 0x0101010101010101u

/* A bit for each way that has the line: all are looked at, as which it is cannot be foreseen. */
static unsigned ways_with(const uint64_t *ways, uint64_t line)
{
	unsigned with = 0;

	for (unsigned way = 0; way < PART_WAYS; way++)
		with |= (unsigned)(ways[way] == line) << way;
	return with;
}

/* The lowest byte that is 0; the highest one if a handler has come between and none is. */
static unsigned lowest_zero(uint64_t bytes)
{
	return (unsigned)__builtin_ctzll(((bytes - ONES) & ~bytes & ONES << 7) | (uint64_t)1 << 63) / 8;
}

bool cacheprof_touch_steady(const struct thread *thread, uint64_t line)
{
	char *entry = (char *)thread->filter + (line & FILTER_MASK);
	uint64_t *ways = (uint64_t *)(entry + FILTER_ROWS), *prints = (uint64_t *)(entry + STEADY_PRINTS);
	uint64_t *order = (uint64_t *)(entry + STEADY_ORDER), all;
	unsigned with = ways_with(ways, line), way = with ? (unsigned)__builtin_ctz(with) : lowest_zero(*order);

	ways[way] = line;
	all = 0xffull << 8 * way;
	*prints ^= (*prints ^ (line >> STEADY_TAG_AT) * STEADY_PRINTER) & all;
	*order = (*order | all) & ~(ONES << way);
	return with;
}

void cacheprof_order_steady(const struct thread *thread, uint64_t line, uint64_t *lines)
{
	const char *entry = (const char *)thread->filter + (line & FILTER_MASK);
	const uint64_t *ways = (const uint64_t *)(entry + FILTER_ROWS);
	const uint8_t *order = (const uint8_t *)(entry + STEADY_ORDER);

	cacheprof_memset(lines, 0, PART_WAYS * sizeof *lines);
	for (unsigned way = 0; way < PART_WAYS; way++) {
		unsigned later = PART_WAYS - 1;

		for (unsigned other = 0; other < PART_WAYS; other++)
			later -= order[way] >> other & 1;
		lines[later] = ways[way];
	}
}

/* ---- ranked rows ---- */

/* For the stubs, too. Of each way: */
struct {
	uint64_t order[RANKED_WAYS];  /* its number in each rank, exclusive-or start */
	uint64_t newest[RANKED_WAYS]; /* its number in the rank of the most recently used one */
	uint64_t start; /* what the order is at first */
} cacheprof_ranked;
_Static_assert(offsetof(typeof(cacheprof_ranked), newest) == RANKED_NEWEST &&
	       offsetof(typeof(cacheprof_ranked), start) == RANKED_START, "");

#define RANKS 0x1111111111111111ul

void cacheprof_ranked_start(unsigned ways)
{
	uint64_t start = 0;

	for (unsigned way = 0; way < ways; way++)
		start |= (uint64_t)way << 4 * way;
	for (unsigned way = 0; way < ways; way++) {
		cacheprof_ranked.order[way] = start ^ way * RANKS;
		cacheprof_ranked.newest[way] = (uint64_t)way << 4 * (ways - 1);
	}
	cacheprof_ranked.start = start;
}

bool cacheprof_touch_ranked(const struct thread *thread, uint64_t line)
{
	unsigned n = cacheprof_models.d1.ways, way = 0, rank = 0;
	char *filter = (char *)thread->filter, *entry = filter + (line & FILTER_MASK);
	uint64_t *ways = (uint64_t *)(filter + FILTER_ROWS + RANKED_ROW * (line & FILTER_MASK));
	uint64_t *prints = (uint64_t *)(entry + RANKED_PRINTS), *order = (uint64_t *)(entry + RANKED_ORDER);
	uint64_t now = *order ^ cacheprof_ranked.start, earlier, all;
	bool hit;

	while (way < n && ways[way] != line)
		way++;
	hit = way < n;
	if (!hit)
		way = now & 15;
	while ((now >> 4 * rank & 15) != way)
		rank++;
	earlier = (1ul << 4 * rank) - 1;
	*order = ((now & earlier) | (now >> 4 & ~earlier) | cacheprof_ranked.newest[way]) ^ cacheprof_ranked.start;
	if (hit)
		return true;
	ways[way] = line;
	all = 0xfful << 8 * (way / 2);
	prints[way % 2] ^= (prints[way % 2] ^ (line >> STEADY_TAG_AT) * STEADY_PRINTER) & all;
	return false;
}

void cacheprof_order_ranked(const struct thread *thread, uint64_t line, uint64_t *lines)
{
	const char *filter = (const char *)thread->filter, *entry = filter + (line & FILTER_MASK);
	const uint64_t *ways = (const uint64_t *)(filter + FILTER_ROWS + RANKED_ROW * (line & FILTER_MASK));
	uint64_t now = *(const uint64_t *)(entry + RANKED_ORDER) ^ cacheprof_ranked.start;

	for (unsigned rank = cacheprof_models.d1.ways; rank--; now >>= 4)
		lines[rank] = ways[now & 15];
}
