/* What is planted before instructions. */
#ifndef INSTRUMENT_EMIT_POINTS_H
#define INSTRUMENT_EMIT_POINTS_H

#include "instrument/emitter.h"

/* Fills in em->point_of. */
void find_points(struct emitter *em);

/* All of it that belongs to the instruction. */
void plant_before(struct emitter *em, uint32_t insn);

/* What stands behind it instead (plantable_behind in groups.h). */
void plant_behind(struct emitter *em, uint32_t insn);

#endif
