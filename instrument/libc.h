/* Calls of libc in which a process ends, or that show it its signals. */
#ifndef INSTRUMENT_LIBC_H
#define INSTRUMENT_LIBC_H

#include <stdio.h>

#include "instrument/unit.h"

/* Prints what leads the unit's calls of them to the runtime. */
void libc_print(FILE *out, const struct unit *unit);

#endif
