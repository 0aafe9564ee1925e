/* Loops that gcc makes of references under a mask, of gathers and of scatters where it may: values that are only changed
 * where a condition holds, a table that is looked up for each, and a permutation. */
#include <stdio.h>
#include <stdlib.h>

#define N 20000
#define COLOURS 256
#define KERNEL __attribute__((noipa))

static float heights[N], rain[N], water[N];
static int next[N], order[N];
static float colour[COLOURS], picture[N], moved[N];
static int shade[N], place[N];

KERNEL static void pour(void)
{
	for (int i = 0; i < N; i++)
		if (heights[i] < rain[i])
			water[i] += (rain[i] - heights[i]) * 0.5f;
}

KERNEL static void step(void)
{
	for (int i = 0; i < N; i++) {
		if (next[i] > 50)
			order[i] = next[i] - 7;
		else
			next[i] = order[i] + 11;
	}
}

KERNEL static void paint(void)
{
	for (int i = 0; i < N; i++)
		picture[i] = colour[shade[i]] * 0.5f;
}

KERNEL static void scatter(void)
{
	for (int i = 0; i < N; i++)
		moved[place[i]] = picture[i];
}

static void begin(void)
{
	for (int i = 0; i < N; i++) {
		heights[i] = (float)(i * 37 % 101);
		rain[i] = (float)(i * 53 % 89);
		next[i] = i * 31 % 97;
		shade[i] = i * 7 % COLOURS;
		place[i] = (int)(i * 7919L % N);
	}
	for (int i = 0; i < COLOURS; i++)
		colour[i] = (float)i / COLOURS;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100;
	double sum = 0;

	begin();
	for (int t = 0; t < rounds * 100; t++) {
		pour();
		step();
		paint();
		scatter();
		heights[t % N] += 1;
	}
	for (int i = 0; i < N; i++)
		sum += water[i] + order[i] + moved[i];
	printf("%.3f\n", sum);
	return 0;
}
