/* LL: what ll.c and ll_map.c, which has its ordinary case, share. */
#ifndef RUNTIME_LL_H
#define RUNTIME_LL_H

#include "runtime/models.h"

#define LL_MEMORY "the LL cache" /* for cacheprof_memory_for */

/* Zeroed memory that all modules of the process have of LL; ends the process with a message where there is none. The
 * sizes that they ask for are the same. */
void *cacheprof_ll_memory(size_t bytes);

void cacheprof_ll_map_start(const struct cache *ll);

/* Makes the line the most recently used of its set; true if it was there. */
bool cacheprof_ll_map_touch(uint64_t line);

void cacheprof_ll_map_ask_for(uint64_t line);

/* The tags of a set, as many as it has ways, the one that was used last first; 0: none. */
void cacheprof_ll_map_order(uint64_t number, uint32_t *tags);

#endif
