/* The history of branches in a register, with --branch-sim=yes.
 *
 * A prediction reads the history that the one before has just written, and where branches are close together each
 * waits for that, 9 cycles on Zen 5. So a prediction also leaves it in a register, the same one all through a function.
 * Where all ways to a branch lead from such predictions, with the register dead ever since and no reference in between,
 * the branch takes the register's value for the history, and whether it is looks when it has been decided: a signal's
 * handler may have had branches meanwhile. No branch's count depends on this file being right, only time does. */
#ifndef INSTRUMENT_HISTORY_H
#define INSTRUMENT_HISTORY_H

#include "instrument/liveness.h"

/* Per block, for the branch at its end: registers, or REG_NONE. */
struct history {
	uint8_t *from; /* in which it is thought to be */
	uint8_t *to;   /* in which it is left; also where the block ends in no prediction: it is loaded there */
};

/* The instruction before which it is loaded at the end of a block: the last one, or padding before that. */
uint32_t history_place(const struct flow *flow, uint32_t block);

/* No block has one. */
void history_none(struct history *history, const struct flow *flow);

/* predicted: per block, whether the direction of the branch at its end is. weight: per block, a guess of how often it
 * is executed, or NULL. pic: the predictor is found by a register. In live the registers are then alive where they
 * are wanted. Takes time in proportion to the instructions. */
void history_find(struct history *history, const struct flow *flow, struct liveness *live, const bool *predicted,
		  const float *weight, bool pic);

#endif
