/* Writes profiles. */
#ifndef CACHEPRINT_WRITE_H
#define CACHEPRINT_WRITE_H

#include "cacheprint/model.h"

#include <stdio.h>

/* The profiles of a model as one, in the format of include/profile.h. */
void write_profile(FILE *out, const struct model *m);

#endif
