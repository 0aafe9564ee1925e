/* What is planted for references. */
#ifndef INSTRUMENT_EMIT_CHECKS_H
#define INSTRUMENT_EMIT_CHECKS_H

#include "instrument/emitter.h"

/* Fills in gots, got, dynamic, branch_dynamic of all sections' tables: references that are more than an address get
 * numbers. */
void number_references(struct emitter *em);

/* Where a check's table has x@dtpoff, as local-dynamic thread-local variables do, it stays in code: the linker
 * takes that for another number in data. */
void find_dtpoff(struct emitter *em);

/* The reference's number among its section's GOT operands; UINT32_MAX for others. */
uint32_t got_of(const struct section_tables *t, const struct planned_ref *r);

/* Whether it is a single cluster that the runtime looks at each time. */
bool is_special_segment(const struct emitter *em, const struct segment *seg);

/* The checks of the point's segments from i on, up to the next special one, which stands outside the frame since it
 * wants the registers as they are. Returns the number of the segment it stopped at. */
uint32_t plant_run(struct emitter *em, const struct point *p, uint32_t i);

/* A special segment's cluster. */
void plant_special(struct emitter *em, const struct point *p, const struct cluster *c);

#endif
