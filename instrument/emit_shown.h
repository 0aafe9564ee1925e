/* What is planted for who watches every instruction. */
#ifndef INSTRUMENT_EMIT_SHOWN_H
#define INSTRUMENT_EMIT_SHOWN_H

#include "instrument/emitter.h"

/* Before the instruction; what is planted for it otherwise stands before that. */
void plant_shown(struct emitter *em, uint32_t at);

#endif
