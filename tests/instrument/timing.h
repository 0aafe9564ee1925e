/* What the tests of ticks and stamps share: a text's blocks, and where time goes on in them. */
#ifndef TESTS_INSTRUMENT_TIMING_H
#define TESTS_INSTRUMENT_TIMING_H

#include "tests/instrument/assembling.h"

#include "instrument/ticks.h"

#define F ".ident \"GCC\"\n.text\n.globl f\n.type f, @function\nf:\n"

struct timed {
	struct unit *unit;
	struct flow flow;
	struct ticks ticks;
	bool *unknown, *fetched; /* per block: that control may come there from anywhere; that it is instrumented */
};

static inline struct timed timed(const char *text)
{
	struct timed f = {0};
	bool *led_to;
	uint32_t n;

	f.unit = assembled(text);
	facts_find(f.unit);
	blocks_find(&f.flow, f.unit);
	n = (uint32_t)f.flow.blocks.n;
	f.unknown = xalloc(n, sizeof *f.unknown);
	f.fetched = xalloc(n, sizeof *f.fetched);
	led_to = xalloc(n, sizeof *led_to);
	for (uint32_t i = 0; i < n; i++) {
		const struct block_bb *b = &f.flow.blocks.at[i];

		f.fetched[i] = b->reachable;
		f.unknown[i] |= b->entry;
		if (b->target != NO_BLOCK)
			led_to[b->target] = true;
		if (b->next != NO_BLOCK && is_call(&f.unit->insns.at[b->first + b->n - 1]))
			f.unknown[b->next] = true;
		else if (b->next != NO_BLOCK)
			led_to[b->next] = true;
	}
	for (uint32_t i = 0; i < n; i++)
		f.unknown[i] |= !led_to[i] || f.flow.blocks.at[i].section != f.flow.blocks.at[0].section;
	free(led_to);
	ticks_find(&f.ticks, &f.flow, f.unknown, f.fetched);
	return f;
}

/* Where a walk goes on from the block. */
static inline uint32_t any_way(const struct block_bb *b)
{
	return b->target == NO_BLOCK || (b->next != NO_BLOCK && rand() & 1) ? b->next : b->target;
}

#endif
