/* What is planted around loops of one block, and the second texts of those that are strided. */
#ifndef INSTRUMENT_EMIT_LOOPS_H
#define INSTRUMENT_EMIT_LOOPS_H

#include "instrument/emitter.h"

/* Fills in em->loop_place and em->loop_at. Wants em->aimed. */
void find_loop_places(struct emitter *em);

/* The register that counts the block, or REG_NONE. */
uint8_t loop_counter(const struct emitter *em, uint32_t block);

/* The block's stride, or NULL: it is no strided loop. */
const struct stride *strided(const struct emitter *em, uint32_t block);

/* Where control enters a loop. */
void plant_loop_begin(struct emitter *em, uint32_t block);

/* An iteration of a loop that a register counts. */
void plant_iteration(struct emitter *em, uint32_t block);

/* Where control leaves a loop: behind its branch, which is the instruction. */
void plant_loop_end(struct emitter *em, uint32_t insn);

#endif
