/* The product of two matrices of doubles, the inner loop down a column: half of its references miss D1. */
#include <stdio.h>

#define N 300

static double a[N][N], b[N][N], c[N][N];

int main(void)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = i + j;
			b[i][j] = i - j;
		}
	for (int round = 0; round < 10; round++)
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
