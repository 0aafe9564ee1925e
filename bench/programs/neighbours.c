/* Loops in which each result is made of several neighbours, whose vectors are not aligned: an image convolved by 5 x 5
 * weights, the same enlarged by bilinear interpolation (by gathers, where gcc takes them), heat that spreads in three
 * dimensions. */
#include <stdio.h>
#include <stdlib.h>

#define WIDE 600 /* pixels */
#define REACH 2
#define LARGE (2 * (WIDE - 1))
#define DEEP 80 /* cells; a grid is 4 MB */
#define KERNEL __attribute__((noipa))

static float image[WIDE][WIDE], smooth[WIDE][WIDE], enlarged[LARGE][LARGE];
static float weights[2 * REACH + 1][2 * REACH + 1];
static double heat[2][DEEP][DEEP][DEEP];

KERNEL static void convolve(void)
{
	for (int y = REACH; y < WIDE - REACH; y++)
		for (int x = REACH; x < WIDE - REACH; x++) {
			float sum = 0;

			for (int dy = -REACH; dy <= REACH; dy++)
				for (int dx = -REACH; dx <= REACH; dx++)
					sum += weights[dy + REACH][dx + REACH] * image[y + dy][x + dx];
			smooth[y][x] = sum;
		}
}

KERNEL static void enlarge(void)
{
	for (int y = 0; y < LARGE; y++)
		for (int x = 0; x < LARGE; x++) {
			float from_y = (float)y * 0.5f, from_x = (float)x * 0.5f;
			int row = (int)from_y, column = (int)from_x;
			float down = from_y - (float)row, right = from_x - (float)column;
			const float *upper = &smooth[row][column], *lower = &smooth[row + 1][column];

			enlarged[y][x] = (upper[0] * (1 - right) + upper[1] * right) * (1 - down) +
					 (lower[0] * (1 - right) + lower[1] * right) * down;
		}
}

KERNEL static void spread(double (*to)[DEEP][DEEP], double (*from)[DEEP][DEEP])
{
	for (int x = 1; x < DEEP - 1; x++)
		for (int y = 1; y < DEEP - 1; y++)
			for (int z = 1; z < DEEP - 1; z++) {
				double at = from[x][y][z];

				to[x][y][z] = at + 0.1 * (from[x - 1][y][z] + from[x + 1][y][z] + from[x][y - 1][z] +
							  from[x][y + 1][z] + from[x][y][z - 1] + from[x][y][z + 1] - 6 * at);
			}
}

static void begin(void)
{
	for (int y = 0; y < WIDE; y++)
		for (int x = 0; x < WIDE; x++)
			image[y][x] = (float)(x * y % 251);
	for (int i = 0; i <= 2 * REACH; i++)
		for (int k = 0; k <= 2 * REACH; k++)
			weights[i][k] = 1.0f / (float)(1 + i + k);
	for (int x = 0; x < DEEP; x++)
		for (int y = 0; y < DEEP; y++)
			for (int z = 0; z < DEEP; z++)
				heat[0][x][y][z] = heat[1][x][y][z] = x + y + (DEEP - z);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100;
	double sum = 0;

	begin();
	for (int round = 0; round < rounds; round++) {
		convolve();
		enlarge();
		spread(heat[~round & 1], heat[round & 1]);
		sum += smooth[round % WIDE][77] + enlarged[77][round % LARGE] + heat[round & 1][round % DEEP][7][9];
		image[round % WIDE][round % 97] += 1;
	}
	printf("%.3f\n", sum);
	return 0;
}
