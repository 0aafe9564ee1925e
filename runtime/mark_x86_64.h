/* Whether a block is known (BLOCK_KNOWN), changed by one instruction: a signal's handler may execute the block and
 * count that. x86-64 only. */
#ifndef RUNTIME_MARK_X86_64_H
#define RUNTIME_MARK_X86_64_H

#include "include/site.h"

static inline void mark_known(struct block_state *state)
{
	__asm__("orq %1,%0" : "+m"(state->executions) : "r"(BLOCK_KNOWN) : "cc");
}

static inline void mark_unknown(struct block_state *state)
{
	__asm__("andq %1,%0" : "+m"(state->executions) : "r"(~BLOCK_KNOWN) : "cc");
}

#endif
