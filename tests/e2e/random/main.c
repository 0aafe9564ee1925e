/* Calls what generate has made and prints what has become of all that it may change. */
#include <stdint.h>
#include <stdio.h>

#define ARENA (65536 + 4096)
#define STATE (128 + 32 * 64) /* 16 general registers, 32 vector registers */

static unsigned char arena[ARENA] __attribute__((aligned(64)));
static unsigned char state[STATE] __attribute__((aligned(64)));
unsigned char variable[512] __attribute__((aligned(64))), scratch[STATE] __attribute__((aligned(64)));
extern void (*const functions[])(void *, void *);

static void fill(unsigned char *bytes, size_t n, uint32_t seed)
{
	for (size_t i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		bytes[i] = (unsigned char)(seed >> 24);
	}
}

/* FNV-1a, 64 bits. */
static uint64_t hash(uint64_t sum, const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sum = (sum ^ bytes[i]) * 0x100000001b3;
	return sum;
}

int main(void)
{
	fill(arena, sizeof arena, 1);
	fill(state, sizeof state, 2);
	fill(variable, sizeof variable, 3);
	fill(scratch, sizeof scratch, 4);
	for (int round = 0; round < 3; round++)
		for (int i = 0; functions[i]; i++) {
			uint64_t sum = 0xcbf29ce484222325;

			functions[i](arena, state);
			sum = hash(sum, arena, sizeof arena);
			sum = hash(sum, state, sizeof state);
			sum = hash(sum, variable, sizeof variable);
			printf("%d %d %016lx\n", round, i, (unsigned long)hash(sum, scratch, sizeof scratch));
		}
	return 0;
}
