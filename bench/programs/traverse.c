/* A matrix larger than D1, by rows and by columns. The sum depends on the order: gcc cannot interchange the loops. */
#include <stdio.h>
#include <stdlib.h>

#define N 1024

static int m[N][N];

int main(int argc, char **argv)
{
	int rounds = 80 * (argc > 1 ? atoi(argv[1]) : 100) / 100;
	unsigned long sum = 0;

	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				m[i][j] += round ^ j;
		for (int j = 0; j < N; j++)
			for (int i = 0; i < N; i++)
				sum = 31 * sum + m[i][j];
	}
	printf("%lu\n", sum);
	return 0;
}
