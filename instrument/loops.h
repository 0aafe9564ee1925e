/* Loops of one block, whose executions a register counts.
 *
 * In a loop that only branches back to itself a counter in memory is often what an iteration waits for. At level 1
 * such a loop's executions are counted in the lowest byte of a register that is free all through it, or that it
 * does not use and xmm14 keeps meanwhile: from zero on where the loop is entered; to memory go the 256 of each
 * overflow, and the rest where the loop is left. That is the fall-through of its last branch, which leads back
 * behind the entrance. What the register holds when a signal ends the process in the loop the runtime finds by
 * struct loop (site.h). */
#ifndef INSTRUMENT_LOOPS_H
#define INSTRUMENT_LOOPS_H

#include "instrument/liveness.h"

struct loops {
	uint8_t *counter; /* per block: the register that counts it, or REG_NONE: it is no such loop */
	uint8_t *here;	  /* per block, in code that finds its counters by a register: one that is free behind the
			   * loop */
	bool *parked;	  /* per block: what was in the counter waits in xmm14 */
};

/* No block is one. */
void loops_none(struct loops *loops, const struct flow *flow);

/* place: per block, the instruction before which it is counted, or UINT32_MAX: it is not, or not by a counter of
 * its own. pic: counters are found by a register. */
void loops_find(struct loops *loops, const struct flow *flow, const struct liveness *live, const uint32_t *place,
		bool pic);

#endif
