/* The product of two matrices of doubles, the inner loop down a column: an eighth of its references miss D1. */
#include <stdio.h>
#include <stdlib.h>

#define N 300

static double a[N][N], b[N][N], c[N][N];

int main(int argc, char **argv)
{
	int rounds = 80 * (argc > 1 ? atoi(argv[1]) : 100) / 100;
	double sum = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = i + j;
			b[i][j] = i - j;
		}
	for (int round = 0; round < rounds; round++)
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++) {
				double s = round;

				for (int k = 0; k < N; k++)
					s += a[i][k] * b[k][j];
				c[i][j] += s;
			}
	for (int i = 0; i < N; i++)
		sum += c[i][(i * 7) % N];
	printf("%f\n", sum);
	return 0;
}
