/* Code whose length something depends on. */
#ifndef INSTRUMENT_RIGID_H
#define INSTRUMENT_RIGID_H

#include "instrument/unit.h"

/* Glues the instructions that must stay as far from one another as they are, and warns that they are
 * counted only where their block has a place for it elsewhere, and their misses not at all. */
void rigid_find(struct unit *unit);

#endif
