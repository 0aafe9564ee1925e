/* The contract of runtime/cachesim_doref.c, the simulator of the D1 cache that cachegen writes:
 * what it is called, how the cache's state lies in memory. The state belongs to the caller (one per
 * thread), so that planted code can look at it before it calls.
 *
 * A tag is the address of a line: a byte's address with the bits inside the line cleared. An empty
 * way holds what is no line of its set: 0, but 1 in set 0. A row holds the tags of one set, most
 * recently used first, in its first ASSOC words; the rest of a row up to the pitch is never touched.
 * Set s = address / LINE % SETS has its row at byte s * CACHESIM_ROW_PITCH(ASSOC). */
#ifndef RUNTIME_CACHESIM_H
#define RUNTIME_CACHESIM_H

#include "include/geometry.h"

#include <stdint.h>

/* Ways of a row rounded up to a power of two (a row is then found with a shift), to eight at least (it
 * then fills whole lines of the host), and the bytes from one row to the next. assoc >= 1; an integer
 * constant expression when assoc is one. */
#define CACHESIM_ROW_WAYS(assoc) ((assoc) > 8 ? UINT64_C(2) << (31 - __builtin_clz((assoc)-1)) : 8)
#define CACHESIM_ROW_PITCH(assoc) (CACHESIM_ROW_WAYS(assoc) * sizeof(uint64_t))

/* The geometry for which cachesim_doref was written; geometry_invalid() returns NULL for it. */
extern const struct geometry cacheprof_d1_geometry;

/* One reference to size >= 1 bytes from address on: looks up every line it covers, low first, and
 * makes each the most recently used of its set, in place of the least recently used if it was not
 * there. Returns 1 if any line was not there, else 0. rows: the state as above. Calls nothing,
 * reads and writes nothing but rows. */
unsigned cachesim_doref(uint64_t *rows, uint64_t address, uint64_t size);

#endif
