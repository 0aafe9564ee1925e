/* The assembly that a profile by instructions refers to. */
#ifndef INSTRUMENT_KEEP_H
#define INSTRUMENT_KEEP_H

#include <stddef.h>

#include "instrument/options.h"

/* Where the text that was read is to be found after the build, as an absolute path: the input
 * itself, or, when that is a temporary file of the compiler, a copy, which is written here. The copy
 * is called OBJECT.s; where the object is a temporary file as well, SOURCE.s in the working
 * directory. Dies when it cannot be written. */
const char *keep_assembly(const struct options *o, const char *text, size_t len);

#endif
