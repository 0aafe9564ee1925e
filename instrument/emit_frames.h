/* What stands around planted code where registers or flags are in use. */
#ifndef INSTRUMENT_EMIT_FRAMES_H
#define INSTRUMENT_EMIT_FRAMES_H

#include "instrument/emitter.h"

/* In a block: the values of registers, or REG_NONE, go to xmm13 to xmm15, where they wait, and come back. */
void plant_to_spares(struct emitter *em, uint32_t block, const uint8_t spare[SPARES]);
void plant_from_spares(struct emitter *em, uint32_t block, const uint8_t spare[SPARES]);

/* In between what the point says is free. */
void open_frame(struct emitter *em, const struct point *p);
void close_frame(struct emitter *em, const struct point *p);

/* The address as it is while the point's frame is open. */
struct address framed(const struct point *p, struct address a);

/* Whether cold code must step over a red zone where code in the point's frame jumps to it: a frame on the stack has
 * done so itself. */
bool steps_in_frame(const struct point *p);

#endif
