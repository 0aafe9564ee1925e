/* Lines of few sets of LL, each time some more than the time before: they are found in each of a set's ways, and
 * missed. Some references have two lines. */
#include <stdio.h>
#include <string.h>

#define APART 19 /* two lines whose numbers differ by a multiple of 2^19 bytes share a set of up to 8 MiB of 16 ways */
#ifndef MOST
#define MOST 24
#endif

static char memory[(size_t)MOST << APART] __attribute__((aligned(64)));
static unsigned long seed = 1;

static unsigned any(unsigned n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % n;
}

/* Of 8 bytes at this place of one of so many lines. */
static unsigned long read_one(unsigned lines, unsigned place)
{
	unsigned long value;

	memcpy(&value, memory + ((size_t)any(lines) << APART) + place, sizeof value);
	return value;
}

int main(void)
{
	static const unsigned places[] = {0, 64, 1024, 2048 + 60, 4096 - 4};
	unsigned long sum = 0;

	for (unsigned lines = 1; lines <= MOST; lines++)
		for (unsigned i = 0; i < 2000; i++)
			sum += read_one(lines, places[any(sizeof places / sizeof *places)]);
	printf("%lu\n", sum);
	return 0;
}
