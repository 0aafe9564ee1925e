/* Plays traces through a generated simulator and through the plainest LRU there is, side by side:
 * every reference must have the same outcome. Arguments: SIZE LINE ASSOC REFERENCES, the first
 * three in numbers, to be those for which the simulator was generated. */
#include "runtime/cachesim.h"

#include <stdio.h>
#include <stdlib.h>

/* The plain LRU: nothing is kept in order; every line in the cache knows when it was last used, and
 * the one that was not used for longest makes room. */
struct plain {
	uint64_t line, assoc, sets, clock;
	struct plain_way {
		uint64_t number, used;
	} *ways; /* of set s: ways[s * assoc] on; used 0: empty */
};

static unsigned plain_line(struct plain *p, uint64_t number)
{
	struct plain_way *set = p->ways + number % p->sets * p->assoc, *oldest = set;

	for (struct plain_way *w = set; w < set + p->assoc; w++) {
		if (w->used && w->number == number) {
			w->used = ++p->clock;
			return 0;
		}
		if (w->used < oldest->used)
			oldest = w;
	}
	*oldest = (struct plain_way){number, ++p->clock};
	return 1;
}

static unsigned plain_refer(struct plain *p, uint64_t address, uint64_t size)
{
	unsigned missed = 0;

	for (uint64_t n = address / p->line; n <= (address + size - 1) / p->line; n++)
		missed |= plain_line(p, n);
	return missed;
}

static uint64_t random_state = 88172645463325252u;

static uint64_t random_number(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* The traces: a reference's number and the size of the cache -> its address and size. */
struct reference {
	uint64_t address, size;
};

static const uint64_t heap = 0x5555deadb000, stack = 0x7ffffffde123;

static struct reference anywhere(uint64_t i, uint64_t cache)
{
	(void)i;
	return (struct reference){heap + random_number() % (2 * cache), 1u << random_number() % 4};
}

static struct reference sequential(uint64_t i, uint64_t cache)
{
	return (struct reference){heap + i * 4 % (cache * 3 / 2), 4};
}

static struct reference by_columns(uint64_t i, uint64_t cache)
{
	return (struct reference){heap + (i % 64 * 4096 + i / 64 * 4) % (8 * cache), 4};
}

static struct reference straddling(uint64_t i, uint64_t cache)
{
	return (struct reference){stack - i * 13 % (2 * cache), 8};
}

static struct reference wide(uint64_t i, uint64_t cache)
{
	return (struct reference){heap + random_number() % (cache + i % 512), 64};
}

static struct reference areas(uint64_t i, uint64_t cache)
{
	return (struct reference){heap + i * 24 % (4 * cache), random_number() % 8 ? 8 : 512};
}

static struct reference stack_and_heap(uint64_t i, uint64_t cache)
{
	return i % 3 ? (struct reference){stack - random_number() % 256, 8} : anywhere(i, cache);
}

static const struct {
	const char *name;
	struct reference (*at)(uint64_t i, uint64_t cache);
} traces[] = {
	{"anywhere", anywhere},
	{"sequential", sequential},
	{"by columns", by_columns},
	{"straddling", straddling},
	{"wide", wide},
	{"areas", areas},
	{"stack and heap", stack_and_heap},
};

static uint64_t *new_rows(struct geometry g)
{
	uint64_t sets = g.size / g.line / g.assoc;
	uint64_t *rows = calloc(sets, CACHESIM_ROW_PITCH(g.assoc));

	if (!rows)
		exit(2);
	return rows;
}

/* Returns the misses, or -1 at the first difference. */
static long play(struct plain *p, uint64_t *rows, unsigned trace, uint64_t n, uint64_t cache)
{
	long misses = 0;

	for (uint64_t i = 0; i < n; i++) {
		struct reference r = traces[trace].at(i, cache);
		unsigned ours = cachesim_doref(rows, r.address, r.size);

		if (ours != plain_refer(p, r.address, r.size)) {
			printf("%s, reference %lu: %#lx,%lu: ours says %s\n", traces[trace].name, i,
			       r.address, r.size, ours ? "miss" : "hit");
			return -1;
		}
		misses += ours;
	}
	return misses;
}

int main(int argc, char **argv)
{
	struct geometry g = cacheprof_d1_geometry;
	struct plain p = {g.line, g.assoc, g.size / g.line / g.assoc, 0, NULL};
	uint64_t *rows = new_rows(g);

	p.ways = calloc(p.sets * p.assoc, sizeof *p.ways);
	if (argc != 5 || !p.ways || g.size != strtoul(argv[1], NULL, 10) ||
	    g.line != strtoul(argv[2], NULL, 10) || g.assoc != strtoul(argv[3], NULL, 10))
		return 2;
	for (unsigned t = 0; t < sizeof traces / sizeof *traces; t++) {
		long misses = play(&p, rows, t, strtoul(argv[4], NULL, 10), g.size);

		if (misses < 0)
			return 1;
		printf("%s: %ld misses\n", traces[t].name, misses);
	}
	return 0;
}
