/* Where something may lie below rsp. */
#ifndef INSTRUMENT_REDZONE_H
#define INSTRUMENT_REDZONE_H

#include "instrument/blocks.h"

/* Fills in block_bb.red_zone: planted code must leave the RED_ZONE bytes below rsp alone in such a block. In doubt
 * they are in use. */
void red_zones_find(struct flow *flow);

#endif
