/* Which lines of two versions of a text are the same. */
#ifndef CACHEPRINT_ALIGN_H
#define CACHEPRINT_ALIGN_H

#include "cacheprint/source.h"

/* For each line of `after`, from 1: the line of `before` that it is, or 0 when it is new. Both
 * number upwards. To be freed; element 0 is unused. */
uint32_t *align_sources(const struct source *before, const struct source *after);

#endif
