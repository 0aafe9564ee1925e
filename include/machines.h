/* The well-known machines of machines.def as a table, for the runtime and cachegen alike. */
#ifndef CACHEPROF_MACHINES_H
#define CACHEPROF_MACHINES_H

#include "include/geometry.h"

struct caches {
	struct geometry i1, d1, ll;
};

struct machine {
	const char *name, *words;
	struct caches caches; /* of the hardware */
};

#define GEOMETRY_OF(size, assoc, line) {size, assoc, line}
static const struct machine machines[] = {
#define MACHINE(name, words, i1, d1, ll) {name, words, {GEOMETRY_OF i1, GEOMETRY_OF d1, GEOMETRY_OF ll}},
#include "include/machines.def"
#undef MACHINE
};
#undef GEOMETRY_OF
#define N_MACHINES (sizeof machines / sizeof *machines)

#endif
