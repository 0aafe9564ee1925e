/* The last-level cache, which all threads share. Two threads may change one row at the same time; a
 * row is then still a row of lines, and the order of two threads' accesses is chance anyway.
 *
 * Where D1 has steady rows or ranked ones (d1.h) it is by a map (ll_map.c).
 *
 * Else up to LL_ROW_WAYS ways have compact rows: sixteen tags of 32 bits, which fill one line of the host, most
 * recently used first; further ways lie in a second such part, all second parts behind all first ones. In an ordinary
 * cache (d1.h) a part has eight: few programs have more lines in a set, and then half as many lines of the host are all
 * that LL takes of its cache. A tag is the complement of the line's number without its set bits, or without those up
 * to LL_TAG_AT: an empty way, 0, is then no line of any program's. Rows are scattered: a program that strides by pages
 * would else walk the host's own cache by pages too. The stubs (slow_x86_64.S) work on compact rows as this does. */
#include "runtime/ll.h"

#include "runtime/d1.h"

#define PARTS 2
#define WAYS (LL_ROW_WAYS / PARTS) /* of a part, at most */
/* A user-space address has 47 bits, of which a tag must hold what is left of the set's and the line's. */
#define ADDRESS_BITS 47

uint64_t cacheprof_ll_set_mask, cacheprof_ll_tag_shift, cacheprof_ll_line_shift;
uint64_t cacheprof_ll_set_bits;
uint64_t cacheprof_ll_far; /* bytes from a row to its second part; 0: there is none */
uint16_t cacheprof_ll_ways;  /* a bit for each way of the last part */
uint8_t cacheprof_ll_paged;  /* only as a map can the stubs do that */
uint32_t *cacheprof_ll_rows; /* NULL: not compact */
static uint32_t part_ways;

_Static_assert(WAYS / 2 * sizeof *cacheprof_ll_rows == LL_HALF, "");

static bool is_compact(const struct cache *ll)
{
	unsigned set_bits = (unsigned)__builtin_ctzll(ll->set_mask + 1);

	return ll->ways <= LL_ROW_WAYS && ll->line_shift + set_bits + 32 >= ADDRESS_BITS;
}

static unsigned tag_shift(const struct cache *ll)
{
	unsigned set_bits = (unsigned)__builtin_ctzll(ll->set_mask + 1);
	unsigned enough = LL_TAG_AT > ll->line_shift ? LL_TAG_AT - ll->line_shift : 0;

	return set_bits < enough ? set_bits : enough;
}

void *cacheprof_ll_memory(size_t bytes)
{
	if (!cacheprof_process.ll_rows)
		cacheprof_process.ll_rows = cacheprof_memory_for(bytes, LL_MEMORY);
	return cacheprof_process.ll_rows;
}

/* Those of another module, if there is one: it has lines there. */
static uint64_t *plain_rows(const struct cache *ll)
{
	bool made = cacheprof_process.ll_rows;
	uint64_t *rows = cacheprof_ll_memory(cache_bytes(ll));

	if (!made)
		cache_none(ll, rows, PART_WAYS);
	return rows;
}

/* Whether it may be as is wanted. */
static bool is_able(const struct cache *ll, enum ll_form wanted)
{
	if (ll->line_shift + tag_shift(ll) != LL_TAG_AT)
		return false;
	return (wanted == LL_MAP && ll->ways <= LL_MOST) ||
	       (wanted == LL_HALVES && ll->ways == LL_HALVES_WAYS && !cacheprof_ll_paged);
}

bool cacheprof_ll_start(const struct cache *ll, enum ll_form wanted)
{
	bool able;
	size_t part;

	able = is_able(ll, wanted);
	cacheprof_models.ll_by_map = able && wanted == LL_MAP;
	part_ways = able && wanted == LL_HALVES ? WAYS / 2 : WAYS;
	part = (ll->set_mask + 1) * part_ways * sizeof *cacheprof_ll_rows;
	cacheprof_ll_set_mask = ll->set_mask;
	cacheprof_ll_line_shift = ll->line_shift;
	cacheprof_ll_set_bits = ll->set_mask << ll->line_shift;
	cacheprof_ll_tag_shift = tag_shift(ll);
	cacheprof_ll_far = ll->ways > part_ways ? part : 0;
	cacheprof_ll_ways = (uint16_t)((1u << (ll->ways - 1) % WAYS << 1) - 1);
	if (cacheprof_models.ll_by_map)
		cacheprof_ll_map_start(ll);
	else if (is_compact(ll))
		cacheprof_ll_rows = cacheprof_ll_memory(PARTS * part);
	else
		cacheprof_models.ll_rows = plain_rows(ll);
	return able;
}

/* Puts *moved, whose tag that is, in front of n ways, or of those before the tag's own: then true. Else *moved is the
 * last one. */
static bool move_to_front(uint32_t *row, uint32_t n, uint32_t tag, uint32_t *moved)
{
	for (uint32_t way = 0; way < n; way++) {
		uint32_t held = row[way];

		row[way] = *moved;
		if (held == tag)
			return true;
		*moved = held;
	}
	return false;
}

static uint32_t *compact_row(const struct cache *ll, uint64_t number)
{
	uint64_t set = number & ll->set_mask;

	return cacheprof_ll_rows + (set ^ set >> 6) * part_ways;
}

void cacheprof_ll_ask_for(uint64_t line)
{
	const struct cache *ll = &cacheprof_models.ll;

	if (cacheprof_models.ll_by_map)
		cacheprof_ll_map_ask_for(line);
	else if (cacheprof_ll_rows)
		__builtin_prefetch(compact_row(ll, line >> ll->line_shift), 1);
}

static bool touch_compact(const struct cache *ll, uint64_t line)
{
	uint64_t number = line >> ll->line_shift;
	uint32_t tag = ~(uint32_t)(number >> cacheprof_ll_tag_shift), moved = tag, ways = ll->ways;
	uint32_t *row = compact_row(ll, number);

	if (ways <= part_ways)
		return move_to_front(row, ways, tag, &moved);
	return move_to_front(row, part_ways, tag, &moved) ||
	       move_to_front(row + cacheprof_ll_far / sizeof *row, ways - part_ways, tag, &moved);
}

static bool touch(const struct cache *ll, uint64_t line)
{
	if (cacheprof_models.ll_by_map)
		return cacheprof_ll_map_touch(line);
	if (cacheprof_ll_rows)
		return touch_compact(ll, line);
	return cache_touch(ll, cacheprof_models.ll_rows, PART_WAYS, line);
}

static void compact_order(const struct cache *ll, uint64_t set, uint32_t *tags)
{
	const uint32_t *row = compact_row(ll, set), *far = row + cacheprof_ll_far / sizeof *row;

	for (uint32_t way = 0; way < ll->ways; way++)
		tags[way] = way < part_ways ? row[way] : far[way - part_ways];
}

void cacheprof_ll_order(const struct thread *any, uint64_t set, uint64_t *lines)
{
	const struct cache *ll = &cacheprof_models.ll;
	uint64_t in_set = set & ((1ul << cacheprof_ll_tag_shift) - 1);
	uint32_t tags[LL_MOST];

	(void)any;
	if (!cacheprof_models.ll_by_map && !cacheprof_ll_rows) {
		cacheprof_memcpy(lines, cacheprof_models.ll_rows + (set << ll->row_shift), ll->ways * sizeof *lines);
		return;
	}
	if (cacheprof_models.ll_by_map)
		cacheprof_ll_map_order(set, tags);
	else
		compact_order(ll, set, tags);
	for (uint32_t way = 0; way < ll->ways; way++) {
		uint64_t number = (uint64_t)~tags[way] << cacheprof_ll_tag_shift | in_set;

		lines[way] = tags[way] ? number << ll->line_shift : 0;
	}
}

bool cacheprof_ll_reference(uint64_t address, uint64_t size)
{
	const struct cache *ll = &cacheprof_models.ll;
	uint64_t line = address & ll->line_mask, last = (address + size - 1) & ll->line_mask;
	bool missed = false;

	for (;; line += -ll->line_mask) {
		uint64_t at = cacheprof_ll_paged ? cacheprof_page_address(line) : line;

		missed |= !touch(ll, at);
		if (line == last)
			return missed;
	}
}

/* From a stub: D1 missed the line; refs[0] of the check is the reference that did. */
void cacheprof_ll_missed(uint64_t line, const struct check *check);
void cacheprof_ll_missed(uint64_t line, const struct check *check)
{
	const struct chunk *chunk = rel_at(&check->chunk);
	struct misses *misses =
	    (struct misses *)thread_array(cacheprof_this_thread(), &chunk->misses) + check->refs[0].site;

	misses->l1++;
	misses->ll += cacheprof_ll_reference(line, 1);
}
