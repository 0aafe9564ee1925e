/* A matrix larger than D1, by rows and by columns. */
#include <stdio.h>

#define N 1024

static int m[N][N];

int main(void)
{
	long sum = 0;

	for (int round = 0; round < 40; round++) {
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				m[i][j] += round ^ j;
		for (int j = 0; j < N; j++)
			for (int i = 0; i < N; i++)
				sum += m[i][j];
	}
	printf("%ld\n", sum);
	return 0;
}
