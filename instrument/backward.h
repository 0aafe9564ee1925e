/* Sets of which is asked what holds where a block begins, and that follow from what holds behind it. */
#ifndef INSTRUMENT_BACKWARD_H
#define INSTRUMENT_BACKWARD_H

#include "instrument/blocks.h"
#include "instrument/worklist.h"

struct backward {
	const struct flow *flow;
	uint32_t *in;	 /* per block: the set at its beginning; it only grows */
	uint32_t *taken; /* per function, at the number of the whole of it: all that is in where its indirect jumps
			  * go */
	bool *is_taken;	 /* per block */
	struct lists from;  /* per block: those that lead to it or call it */
	struct lists jumps; /* per function, as above: blocks that end in an indirect jump */
	struct worklist waiting;
};

/* The number of the whole of the block's function, or NO_FUNCTION. */
uint32_t whole_function(const struct flow *flow, uint32_t block);

/* With all sets empty and all blocks to be looked at. */
void backward_begin(struct backward *b, const struct flow *flow);

/* A block to be looked at: it is new, or what holds behind it has changed. False if there is none any more. */
bool backward_next(struct backward *b, uint32_t *block);

/* Adds to what holds at the block's beginning. */
void backward_add(struct backward *b, uint32_t block, uint32_t set);

/* What holds where control may go from an indirect jump of the function, which may be NO_FUNCTION. */
uint32_t backward_taken(const struct backward *b, uint32_t function);

/* Leaves in to who began. */
void backward_end(struct backward *b);

#endif
