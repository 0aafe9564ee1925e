/* What is changed by one instruction, as a signal's handler may come before or behind it: whether a block is known
 * (BLOCK_KNOWN), which the handler may execute and count, and other words of the thread's. x86-64 only. */
#ifndef RUNTIME_MARK_X86_64_H
#define RUNTIME_MARK_X86_64_H

#include <stdbool.h>

#include "include/site.h"

static inline void mark_known(struct block_state *state)
{
	__asm__("orq %1,%0" : "+m"(state->executions) : "r"(BLOCK_KNOWN) : "cc");
}

static inline void mark_unknown(struct block_state *state)
{
	__asm__("andq %1,%0" : "+m"(state->executions) : "r"(~BLOCK_KNOWN) : "cc");
}

/* *at becomes value if it was before. Returns whether it was. */
static inline bool replace_if(uint64_t *at, uint64_t before, uint64_t value)
{
	bool was;

	__asm__ volatile("cmpxchgq %3,%1" : "=@ccz"(was), "+m"(*at), "+a"(before) : "r"(value));
	return was;
}

/* *at becomes value. Returns what it was. */
static inline uint64_t exchange(uint64_t *at, uint64_t value)
{
	__asm__ volatile("xchgq %0,%1" : "+r"(value), "+m"(*at));
	return value;
}

#endif
