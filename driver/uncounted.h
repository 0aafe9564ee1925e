/* Objects of a link that bring in code which is not counted. */
#ifndef DRIVER_UNCOUNTED_H
#define DRIVER_UNCOUNTED_H

#include "driver/options.h"
#include "driver/parts.h"

/* Warns of objects among the inputs that hold code and that cacheprof did not make, in one line; with -v of each
 * of them, otherwise of the first few. So it does of archives that are given by a relative path, as those of the
 * tree that is built are, and not thin. Other libraries, our own parts, and the C library's and the compiler's own
 * start files, are as they are. What cannot be read is left to the linker's own words. */
void uncounted_warn(const struct request *req, const struct parts *parts);

#endif
