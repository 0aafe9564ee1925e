/* Regions: counting goes off and on while the program runs. */
#ifndef RUNTIME_REGIONS_H
#define RUNTIME_REGIONS_H

#include "runtime/models.h"

/* Counting is off, for all threads: slow paths do nothing, so that caches stay as they are, and what
 * planted code counts is not the program's. */
extern uint8_t cacheprof_off;

/* The user named functions that switch counting: toggle.c wants to see the fetches that come to the
 * model, even while counting is off. */
extern bool cacheprof_toggling;

/* As the options have it, or as it is by now if the module is not the first; it is registered, and no
 * thread has entered it. */
void cacheprof_regions_start(struct module *module, bool first);

/* Lets all counts begin again from zero; what the caches hold stays. */
void cacheprof_regions_zero(void);

/* For toggle.c, in the running thread, whose %fs:0 is self: one more thread is inside of a function, or one less.
 * With the first counting goes on, and with the last it is as it was before. */
void cacheprof_regions_enter(uint64_t self);
void cacheprof_regions_leave(uint64_t self);

/* ---- toggle.c ---- */

/* Whether any functions are named; finds those of the module. Ends the process if not even an executable,
 * which comes behind its libraries, has one. */
bool cacheprof_toggle_start(struct module *module);

/* A block that is not known is executed, and already counted; rsp: the program's. */
void cacheprof_toggle_fetch(struct thread *thread, const struct chunk *chunk, uint32_t block,
			    uint64_t rsp);

/* In a child of fork, where the parent's other threads are not. */
void cacheprof_toggle_child(void);

/* Whether the block with that state must never be known. */
bool cacheprof_block_is_watched(const struct thread *thread, const struct block_state *state);

/* A block's executions as planted code has them. */
static inline uint64_t *counter_of(const struct chunk *chunk, const void *counters, uint32_t block)
{
	size_t size = (chunk->mode & CHUNK_LEVEL_MASK) < 2 ? sizeof(uint64_t) : sizeof(struct block_state);

	return (uint64_t *)((char *)counters + block * size);
}

/* Where what is to be subtracted from a block's executions stands; see regions.c. */
static inline uint64_t *discount_of(const struct thread *t, const struct chunk *chunk,
				    const void *counters, uint32_t block)
{
	return (uint64_t *)((char *)counter_of(chunk, counters, block) + t->discounts);
}

/* What a counter that only slow paths add to has counted. */
static inline uint64_t thread_count(const struct thread *t, const uint64_t *counter)
{
	return *counter - (t->discounts ? *(const uint64_t *)((const char *)counter + t->discounts) : 0);
}

/* The same of mispredicted branches, which planted code counts. */
static inline uint64_t thread_mispredicts(const struct thread *t, const uint64_t *counter)
{
	return thread_count(t, counter) - (cacheprof_off ? *counter : 0);
}

/* The same of executions, which planted code counts, or which cacheprof_derive worked out. counters: the
 * thread's copy of chunk->counters. */
static inline uint64_t thread_executions(const struct thread *t, const struct chunk *chunk,
					 const void *counters, uint32_t block)
{
	uint32_t derived = ((const struct block *)rel_at(&chunk->blocks))[block].derived;
	uint64_t counted = cacheprof_off ? 0 : cacheprof_executions(chunk, counters, block);

	if (derived)
		return ((const uint64_t *)thread_array(t, &chunk->derived))[derived - 1];
	return counted - (t->discounts ? *discount_of(t, chunk, counters, block) : 0);
}

#endif
