/* What the stubs' common case (slow_x86_64.S) is able to do: cacheprof_vectors. */
#ifndef RUNTIME_D1_H
#define RUNTIME_D1_H

#define VECTORS_NONE 0
#define VECTORS_FILTER 1 /* the rows' first parts are the filter's entries */
#define VECTORS_ROWS 2	 /* rows lie elsewhere; a filter's entry is the most recently used line only */

/* Their shortest way is for ordinary caches: VECTORS_FILTER, rows of D1 and of LL in one part, and compact
 * rows of LL (ll.c) whose lines are the filter's and whose tags begin at this bit of an address. */
#define LL_TAG_AT 16
#define LL_ROW 64 /* bytes of a compact row */

#endif
