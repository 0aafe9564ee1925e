/* Which blocks need a counter.
 *
 * What comes into a block goes out of it, so that many blocks' executions follow from those of others: a
 * join has as many as the branch before it, the way that is not taken those that the other leaves
 * over. Knuth and Stevenson (Optimal measurement points for program frequency counts, BIT 13, 1973) give
 * the fewest counters: draw each block as an edge from where control comes in to where it goes out, make
 * one node of all ends that branches connect, and count what is not in a spanning tree. The tree is the
 * one of the heaviest blocks, by a guess of how often they are executed. */
#ifndef INSTRUMENT_CONSERVE_H
#define INSTRUMENT_CONSERVE_H

#include "instrument/blocks.h"

#define LOOP_WEIGHT 8.0f /* iterations that a loop is thought to have */

struct term {
	uint32_t block;
	bool minus;
};

/* The executions of block are the sum of n terms from first on. */
struct derivation {
	uint32_t block;
	uint32_t first, n;
};

/* Of one section. A derivation's terms are counted, or derived before it. */
struct derivations {
	VEC(struct derivation) blocks;
	VEC(struct term) terms;
};

struct conserved {
	uint32_t *derived; /* per block: 1 + its number among the section's derivations, or 0 if it is
			    * counted */
	struct derivations *sections;
	float *weight; /* per block: the guess; NULL in code written by hand */
};

/* counter: per block, its number among those of its section that can have a counter; UINT32_MAX: it cannot.
 * pic: the code may become part of a shared object. copies: functions have plain copies, from which control may come
 * behind each call of a function of the unit. Takes time in proportion to the number of blocks times its logarithm. */
void conserve_find(struct conserved *conserved, const struct flow *flow, const uint32_t *counter, bool pic,
		   bool copies);

#endif
