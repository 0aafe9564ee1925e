/* Loops of one block, around which registers are made free.
 *
 * What a loop that only branches back to itself does not use may wait in xmm13 to xmm15 until it is left. That is
 * the fall-through of its last branch, which leads back behind the entrance.
 *
 * A counter in memory is often what an iteration waits for. So such a loop's executions are counted in the lowest
 * byte of a register that is free all through it, or made so: from zero on where the loop is entered; to memory go
 * the 256 of each overflow, and the rest where the loop is left.
 *
 * At level 2 checks need two registers, which they get first. A register whose value went to xmm13 and back in every
 * iteration would make each wait for the one before.
 *
 * What registers hold when a signal ends the process in the loop the runtime finds by struct loop (site.h). */
#ifndef INSTRUMENT_LOOPS_H
#define INSTRUMENT_LOOPS_H

#include "instrument/liveness.h"
#include "instrument/strides.h"

struct loops {
	uint8_t *counter; /* per block: the register that counts it, or REG_NONE: it is no such loop */
	uint8_t *here;	  /* per block, in code that finds its counters by a register: one that is free behind the
			   * loop */
	uint8_t (*parked)[SPARES]; /* per block: the registers whose values wait in xmm13 to xmm15, or REG_NONE */
};

/* Whether the block is a loop around which something is planted. */
bool loops_has(const struct loops *loops, uint32_t block);

/* No block is one. */
void loops_none(struct loops *loops, const struct flow *flow);

/* Where registers are not made free for checks; loops is as loops_none left it. place: per block, the instruction
 * before which it is counted, or UINT32_MAX: it is not, or not by a counter of its own. pic: counters are found by a
 * register. */
void loops_find(struct loops *loops, const struct flow *flow, const struct liveness *live, const uint32_t *place,
		bool pic);

/* Makes registers free in loops where checks would have none: in live the registers are then dead there, and what
 * they wait in is in use. count: chooses counters, too, which are then alive there: last of all, but first where
 * the loop can do without its checks (strides). */
void loops_free_registers(struct loops *loops, const struct flow *flow, struct liveness *live,
			  const struct strides *strides, bool pic, bool count);

/* Of those, gives up what cannot count there. place: as above. */
void loops_keep(struct loops *loops, const struct flow *flow, const struct liveness *live, const uint32_t *place);

#endif
