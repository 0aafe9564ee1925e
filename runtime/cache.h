/* A set-associative LRU cache whose shape is known when the program starts. Pure: a struct, rows and a
 * line in; hit or miss out. The rows are laid out as cachesim.h says, so that the D1 simulator that
 * cachegen wrote, this one and the assembler stubs work on the same state; or in parts of PART_WAYS ways
 * each, at a distance (d1.c). Steady rows (d1.h) are steady.c's own. */
#ifndef RUNTIME_CACHE_H
#define RUNTIME_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/cachesim.h"

#define PART_WAYS 8 /* one register of the stubs' common case */

struct cache {
	uint32_t ways;
	uint32_t line_shift;
	uint32_t row_shift; /* log2 of the words from one row to the next */
	uint64_t set_mask;
	uint64_t line_mask; /* of an address: clears the bits inside the line */
};

static inline struct cache cache_of(struct geometry g)
{
	struct cache c = {.ways = g.assoc, .line_mask = -(uint64_t)g.line};

	c.line_shift = (uint32_t)__builtin_ctz(g.line);
	c.row_shift = (uint32_t)__builtin_ctzll(CACHESIM_ROW_WAYS(g.assoc));
	c.set_mask = g.size / g.line / g.assoc - 1;
	return c;
}

/* Bytes of all rows. */
static inline size_t cache_bytes(const struct cache *c)
{
	return (size_t)(c->set_mask + 1) << c->row_shift << 3;
}

static inline uint64_t *cache_row(const struct cache *c, uint64_t *rows, uint64_t line)
{
	return rows + ((line >> c->line_shift & c->set_mask) << c->row_shift);
}

static inline uint64_t *cache_way(uint64_t *row, intptr_t far, uint32_t way)
{
	return row + (intptr_t)(way / PART_WAYS) * far + way % PART_WAYS;
}

/* No line's address. */
#define NO_LINE 1

/* Of rows that are all 0: the only set that line 0 could be in has no line. A program may refer to that, and go on by a
 * handler. */
static inline void cache_none(const struct cache *c, uint64_t *rows, intptr_t far)
{
	for (uint32_t way = 0; way < c->ways; way++)
		*cache_way(rows, far, way) = NO_LINE;
}

/* cache_touch of a row in one piece, as cachegen writes it: each way takes over what the way before it held, the first
 * one moved, until the line is found. Meanwhile a handler misses the one that is taken over. */
static inline bool row_touch(uint64_t *row, uint32_t ways, uint64_t line, uint64_t moved)
{
	for (uint32_t way = 0; way < ways; way++) {
		uint64_t held = row[way];

		row[way] = moved;
		if (held == line)
			return true;
		moved = held;
	}
	return false;
}

/* Makes line (an address with the bits inside the line clear) the most recently used of its set.
 * True if it was there. far: words from one part of a row to the next, PART_WAYS for rows in one piece. A
 * signal handler may do the same in between: the row stays a row. */
static inline bool cache_touch(const struct cache *c, uint64_t *rows, intptr_t far, uint64_t line)
{
	uint64_t *row = cache_row(c, rows, line);
	uint32_t way = 0;
	bool hit = true;

	if (far == PART_WAYS)
		return row_touch(row, c->ways, line, line);
	while (*cache_way(row, far, way) != line)
		if (++way == c->ways) {
			hit = false;
			way--;
			break;
		}
	for (; way > 0; way--)
		*cache_way(row, far, way) = *cache_way(row, far, way - 1);
	row[0] = line;
	return hit;
}

#endif
