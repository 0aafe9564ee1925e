/* Where the processor is known to have AVX. */
#ifndef INSTRUMENT_AVX_H
#define INSTRUMENT_AVX_H

#include "instrument/blocks.h"

/* Marks such blocks: all of a function that a compiler used AVX in, as that may use it anywhere; else those that use
 * it, and those that all ways lead to through one that does. Inline assembly, and what was written by hand, may be for
 * several processors, and the code around it know when to go where. has: per block. */
void avx_find(bool *has, const struct flow *flow);

#endif
