/* What is planted for plain copies, and their text. */
#ifndef INSTRUMENT_EMIT_COPIES_H
#define INSTRUMENT_EMIT_COPIES_H

#include "instrument/emitter.h"

/* COPY_ of the instruction, or 0. */
uint8_t copied_at(const struct emitter *em, uint32_t insn);

/* The look of a function that has a copy, at an instruction that copied_at says has one. */
void plant_look_off(struct emitter *em, uint32_t insn);

/* Puts the statement aside as it is in the copy, if it is a part of one. */
void print_copy(struct emitter *em, uint32_t stmt);

/* What has gone aside for a section, whose tables are closed. */
void print_copies(struct emitter *em, uint32_t s, const struct section_tables *t);

#endif
