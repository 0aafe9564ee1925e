/* Loops of one block whose addresses go on by constants.
 *
 * All references of such a loop can be worked out when it is left: from how often it ran, which a register counts
 * (loops.h), and from what its registers are then. So behind its text a second one stands, without checks, in which it
 * goes on once it has run a few times; where that is left, or has run 32767 times more, the runtime goes through all
 * that was referred to (runtime/strides.c), line by line and not reference by reference. Short loops never come there.
 * Where branches are predicted it goes through those of the loop's branch, too, until one more changes nothing; planted
 * code predicts the one that leaves the loop.
 *
 * The order in which the caches see references is the program's: while the loop runs nothing else refers.
 *
 * References that lie side by side, to the fields of a structure or of a loop that is unrolled, are a group if they
 * come to each line that they go over. A group is one stream as long as no other one is near, which the runtime looks
 * at; which of its references comes to a line first depends on where in the line the structure begins.
 *
 * That is faster by AVX2 or AVX-512, in caches that are ordinary or whose rows are steady or ranked (runtime/d1.h);
 * elsewhere the loop keeps its checks. */
#ifndef INSTRUMENT_STRIDES_H
#define INSTRUMENT_STRIDES_H

#include "instrument/groups.h"

/* A register that the loop changes, once in an iteration. */
struct induction {
	uint8_t reg;
	int32_t step;
	uint8_t by;    /* and by what is in this register, which stays the same, if it is not REG_NONE */
	uint32_t insn; /* by this instruction */
};

/* A reference of it, in terms of registers as they are where an iteration begins. */
struct strided_ref {
	struct planned_ref planned;
	int64_t step; /* bytes, from an iteration to the next */
	uint8_t by;   /* and so many times what is in this register, if it is not REG_NONE */
	uint8_t times;
	bool twin;    /* one before it is of the same bytes */
	uint8_t group; /* this and the next two as of struct strided_reference */
	uint16_t behind, extent;
};

struct stride {
	uint32_t block;
	uint8_t checked; /* iterations that are checked, 4 to 32 */
	uint8_t groups;	 /* if not 0, of references that may be streams; else each is one by itself */
	uint32_t first_ref, n_refs;
	uint32_t first_induction, n_inductions;
};

struct loops;

struct strides {
	VEC(struct stride) loops; /* by block */
	VEC(struct strided_ref) refs;
	VEC(struct induction) inductions;
	uint32_t *of; /* per block: 1 + its number among the loops, or 0; NULL where there are none */
};

/* Those that can be, whatever counts them; their references have no sites yet. */
void strides_find(struct strides *strides, const struct flow *flow, const struct liveness *live);

/* Only those that a register counts. place: per block, the instruction before which it is counted. */
void strides_keep(struct strides *strides, const struct flow *flow, const struct planned *planned,
		  const struct loops *loops, const uint32_t *place);

/* The block's, or NULL. */
const struct stride *stride_of(const struct strides *strides, uint32_t block);

#endif
