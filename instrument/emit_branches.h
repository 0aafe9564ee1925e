/* Predictions of branches, and how instructions are printed that lead elsewhere than they say. */
#ifndef INSTRUMENT_EMIT_BRANCHES_H
#define INSTRUMENT_EMIT_BRANCHES_H

#include "instrument/emitter.h"

/* Fills in em->aimed. A branch by distance must lead to where a statement begins; else it is an error. */
void find_aimed(struct emitter *em);

/* 1 + the branch's number in its section, or 0. */
uint32_t branch_of(const struct emitter *em, uint32_t insn);

/* The same, or 0 if planted code does not predict it. */
uint32_t predicted_branch(const struct emitter *em, uint32_t insn);

/* Where the second text of a strided loop is left: the prediction of the branch that has not been taken. The runtime
 * made those of the others (runtime/strides.c). */
void plant_prediction_left(struct emitter *em, uint32_t insn);

/* Loads the history before the instruction, if that is the place for it. */
void plant_history(struct emitter *em, uint32_t insn);

/* The prediction of an indirect branch, if the instruction is one that has it. */
void plant_target(struct emitter *em, uint32_t insn);

/* The statement of an instruction, with the prediction around it of a conditional branch. What it leads to is written
 * anew where it must be. */
void print_instruction(struct emitter *em, uint32_t insn, const struct asm_stmt *s);

#endif
