/* Loops over arrays that lie alike, as large ones do whose sizes are powers of two, or that malloc takes from the kernel: what
 * is referred to in turn is of one set of a cache. Edges of an image, the game of life, a histogram of two arrays, the
 * distance of two texts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 1024
#define TEXT 4096 /* bytes; a row of distances is 16 KiB */
#define KERNEL __attribute__((noipa))

static uint8_t image[SIDE][SIDE], result[SIDE][SIDE];
static uint32_t bins[2][256];
static uint32_t distances[2][TEXT];

KERNEL static void edges(void)
{
	for (int y = 1; y < SIDE - 1; y++)
		for (int x = 1; x < SIDE - 1; x++) {
			const uint8_t *above = &image[y - 1][x], *at = &image[y][x], *below = &image[y + 1][x];
			int slope = above[1] - above[-1] + 2 * (at[1] - at[-1]) + below[1] - below[-1];

			result[y][x] = (uint8_t)(slope < 0 ? -slope : slope);
		}
}

KERNEL static void live(void)
{
	for (int y = 1; y < SIDE - 1; y++)
		for (int x = 1; x < SIDE - 1; x++) {
			const uint8_t *above = &image[y - 1][x], *at = &image[y][x], *below = &image[y + 1][x];
			int n = above[-1] + above[0] + above[1] + at[-1] + at[1] + below[-1] + below[0] + below[1];

			result[y][x] = (uint8_t)(n == 3 || (n == 2 && *at));
		}
}

KERNEL static void count(void)
{
	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++) {
			bins[0][image[y][x]]++;
			bins[1][result[y][x]]++;
		}
}

KERNEL static void compare(const uint8_t *one, const uint8_t *other)
{
	for (uint32_t i = 1; i < TEXT / 16; i++) {
		uint32_t *row = distances[i & 1], *before = distances[~i & 1];

		row[0] = i;
		for (uint32_t j = 1; j < TEXT; j++) {
			uint32_t least = before[j - 1] + (one[i] != other[j]);

			least = before[j] + 1 < least ? before[j] + 1 : least;
			row[j] = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
		}
	}
}

int main(int argc, char **argv)
{
	uint32_t seed = 1, rounds = (argc > 1 ? (uint32_t)atoi(argv[1]) : 100);
	uint64_t sum = 0;

	for (uint32_t round = 0; round < rounds; round++) {
		if (round % 16 == 0)
			for (int y = 0; y < SIDE; y++)
				for (int x = 0; x < SIDE; x++) {
					seed = seed * 1664525 + 1013904223;
					image[y][x] = seed >> 31;
				}
		edges();
		live();
		count();
		compare(image[round % SIDE], result[round * 7 % (SIDE - 4)]);
		sum += bins[0][1] + bins[1][1] + distances[1][TEXT - 1] + result[round % SIDE][round % 97];
	}
	printf("%lu\n", (unsigned long)sum);
	return 0;
}
