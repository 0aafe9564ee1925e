/* Where functions begin in their sources. */
#ifndef CACHEPRINT_HEADS_H
#define CACHEPRINT_HEADS_H

#include "cacheprint/model.h"
#include "cacheprint/source.h"

/* The line of its file above which a function's sums are best shown; 0 when no line of it is known.
 * The source may be NULL. */
uint32_t heads_first_line(const struct function *f, const struct source *s);

#endif
