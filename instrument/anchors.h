/* Places in inline assembly that data names, and that are looked up by whoever handles a fault there (tables of where
 * to go on behind one, as kernels and emulators have them), or written over while the program runs (jumps that are
 * switched on and off, -fpatchable-function-entry). */
#ifndef INSTRUMENT_ANCHORS_H
#define INSTRUMENT_ANCHORS_H

#include "instrument/unit.h"

/* Fills in insn.anchor, and glues together what is written over as a whole. */
void anchors_find(struct unit *unit);

#endif
