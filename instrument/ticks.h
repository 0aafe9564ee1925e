/* Where time goes on.
 *
 * I1's misses are told by times: a block notes the time when it is executed, and of the lines of a set the one goes
 * that was used last at the earliest time (runtime/i1.c). So between executions of two lines of one set time must go
 * on: before a block, where on some way there, since time went on last, code was executed whose lines may be of a
 * set with the block's, or behind that code. It is planted where it seems to be executed less often, for each time
 * waits for the one before it: many ways lead to where an interpreter goes on to its next instruction, and few of
 * its instructions share a set with that.
 *
 * Ways of I1 are multiples of FETCH_BYTES (site.h) long. Code of one section whose places are not near such a
 * multiple from one another has no two lines of one set; of other sections, functions and calls nothing is
 * known. */
#ifndef INSTRUMENT_TICKS_H
#define INSTRUMENT_TICKS_H

#include "instrument/blocks.h"

struct ticks {
	bool *before, *after; /* per block: time goes on before it is executed, or behind it */
};

/* behind_call: per block, that control may come there from anywhere; fetched: that it is instrumented. Takes time
 * in proportion to the number of blocks. */
void ticks_find(struct ticks *ticks, const struct flow *flow, const bool *behind_call, const bool *fetched);

void ticks_free(struct ticks *ticks);

#endif
