/* What the stubs' common case (slow_x86_64.S) is able to do: cacheprof_vectors. */
#ifndef RUNTIME_D1_H
#define RUNTIME_D1_H

#define VECTORS_NONE 0
#define VECTORS_FILTER 1 /* the rows' first parts are the filter's entries */
#define VECTORS_ROWS 2	 /* rows lie elsewhere; a filter's entry is the most recently used line only */

#endif
