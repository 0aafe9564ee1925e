/* Plays a trace in lackey's form through the D1 simulator that cachegen wrote, with which it is linked,
 * and prints the read and write misses. */
#include "runtime/cachesim.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	struct geometry g = cacheprof_d1_geometry;
	uint64_t sets = g.size / g.line / g.assoc, misses[2] = {0, 0}; /* read, written */
	uint64_t *rows = calloc(sets, CACHESIM_ROW_PITCH(g.assoc));
	unsigned long address, size;
	char kind;

	while (rows && scanf(" %c %lx,%lu", &kind, &address, &size) == 3)
		if (kind != 'I')
			misses[kind == 'S'] += cachesim_doref(rows, address, size);
	printf("%lu %lu\n", misses[0], misses[1]);
	return rows && feof(stdin) ? 0 : 1;
}
