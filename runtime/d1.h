/* What the stubs' common case (slow_x86_64.S) is able to do: cacheprof_vectors. */
#ifndef RUNTIME_D1_H
#define RUNTIME_D1_H

#define VECTORS_NONE 0
#define VECTORS_BEHIND 1 /* the rows, or their first parts, lie behind the filter's entries (site.h) */
#define VECTORS_ROWS 2	 /* they lie elsewhere */

/* Their shortest way is for ordinary caches: VECTORS_BEHIND, rows of D1 and of LL in one part, and compact
 * rows of LL (ll.c) whose lines are the filter's and whose tags begin at this bit of an address. */
#define LL_TAG_AT 16
#define LL_ROW 64 /* bytes of a compact row */

#endif
