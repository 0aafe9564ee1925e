/* A hash table of open addresses that does not fit into D1. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS (1u << 17)

static uint32_t keys[SLOTS], values[SLOTS];

int main(int argc, char **argv)
{
	uint32_t seed = 1, rounds = 2400000 * (argc > 1 ? atoi(argv[1]) : 100);
	uint64_t sum = 0;

	for (uint32_t round = 0; round < rounds; round++) {
		uint32_t key, slot;

		seed = seed * 1664525 + 1013904223;
		key = (seed >> 8) % 50000 + 1;
		slot = key * 2654435761u >> 15 & (SLOTS - 1);
		while (keys[slot] && keys[slot] != key)
			slot = (slot + 1) & (SLOTS - 1);
		keys[slot] = key;
		values[slot] += round;
		sum += values[slot];
	}
	printf("%lu\n", (unsigned long)sum);
	return 0;
}
