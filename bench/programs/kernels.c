/* Loops over arrays, as numerical codes and those for images and sound have them: stencils on rows of any length and of a
 * power of two, sums of products, structures, conversions. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N 20000
#define ROWS 130
#define EVEN 512 /* a row of doubles is 4096 bytes then */
#define KERNEL __attribute__((noipa))

static double grid[ROWS][ROWS], next[ROWS][ROWS + 3];
static double even_grid[ROWS][EVEN], even_next[ROWS][EVEN];
static double x[N], y[N], z[N];
static float sound[1 << 14], smooth[1 << 14];
static int16_t samples[N], filtered[N];
static int32_t steps[N], sums[N];
static uint8_t pixels[3 * N];
static struct point {
	double x, y, z;
} points[N / 4];

KERNEL static void relax(void)
{
	for (int i = 1; i < ROWS - 1; i++)
		for (int j = 1; j < ROWS - 1; j++)
			next[i][j] = grid[i - 1][j] + grid[i][j - 1] - 4 * grid[i][j] + grid[i][j + 1] + grid[i + 1][j];
}

KERNEL static void relax_even(void)
{
	for (int i = 1; i < 33; i++)
		for (int j = 1; j < EVEN - 1; j++)
			even_next[i][j] = even_grid[i - 1][j] + even_grid[i][j - 1] - 4 * even_grid[i][j] +
					  even_grid[i][j + 1] + even_grid[i + 1][j];
}

KERNEL static void add_products(double r)
{
	for (int i = 0; i < N; i++)
		z[i] = x[i] + r * y[i];
}

KERNEL static void multiply_complex(void)
{
	for (int i = 0; i < N; i += 2) {
		double real = x[i] * y[i] - x[i + 1] * y[i + 1];
		double imaginary = x[i] * y[i + 1] + x[i + 1] * y[i];

		z[i] = real;
		z[i + 1] = imaginary;
	}
}

KERNEL static void smooth_sound(void)
{
	for (int i = 1; i < (1 << 14) - 1; i++)
		smooth[i] = 0.25f * sound[i - 1] + 0.5f * sound[i] + 0.25f * sound[i + 1];
}

KERNEL static void filter(void)
{
	for (int i = 2; i < N - 2; i++)
		filtered[i] = (int16_t)((samples[i - 2] + 4 * samples[i - 1] + 6 * samples[i] + 4 * samples[i + 1] +
					 samples[i + 2]) >> 4);
}

KERNEL static void add_up(void)
{
	for (int i = 1; i < N; i++)
		sums[i] = sums[i - 1] + steps[i];
}

KERNEL static void convert(void)
{
	for (int i = 0; i < N; i++)
		y[i] = samples[i];
}

KERNEL static long brightness(void)
{
	long sum = 0;

	for (int i = 0; i < N; i++)
		sum += 3 * pixels[3 * i] + 6 * pixels[3 * i + 1] + pixels[3 * i + 2];
	return sum;
}

KERNEL static double lengths(void)
{
	double sum = 0;

	for (int i = 0; i < N / 4; i++)
		sum += points[i].x * points[i].x + points[i].y * points[i].y + points[i].z * points[i].z;
	return sum;
}

int main(int argc, char **argv)
{
	int rounds = 8000 * (argc > 1 ? atoi(argv[1]) : 100) / 100;
	double sum = 0;

	for (int i = 0; i < ROWS * ROWS; i++)
		grid[i / ROWS][i % ROWS] = i % 91;
	for (int i = 0; i < ROWS * EVEN; i++)
		even_grid[i / EVEN][i % EVEN] = i % 89;
	for (int i = 0; i < N; i++) {
		x[i] = i % 7;
		samples[i] = (int16_t)(i * 7919);
		steps[i] = i % 13;
		pixels[3 * i + 1] = (uint8_t)i;
		points[i / 4].y = i % 17;
	}
	for (int i = 0; i < 1 << 14; i++)
		sound[i] = i % 19;
	for (int round = 0; round < rounds; round++) {
		relax();
		relax_even();
		convert();
		add_products(round);
		multiply_complex();
		smooth_sound();
		filter();
		add_up();
		sum += brightness() + lengths() + next[round % 128 + 1][5] + even_next[round % 32 + 1][7] + z[round % N] +
		       smooth[round % 16000 + 1] + filtered[round % 19000 + 2] + sums[round % N];
	}
	printf("%.9g\n", sum);
	return 0;
}
