/* Jumps to where arithmetic leads from a label, and not a table: into pieces of code of one size. */
#ifndef INSTRUMENT_COMPUTED_H
#define INSTRUMENT_COMPUTED_H

#include "instrument/names.h"

/* The instruction that the arithmetic of an indirect jump sets out from; UINT32_MAX: none is seen, or what is added to
 * its address comes from memory, where gas or the linker works it out. */
uint32_t computed_from(const struct unit *unit, const struct names *names, uint32_t jump);

#endif
