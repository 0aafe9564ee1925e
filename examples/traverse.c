/* The example of cacheprof's first manual (1999): the same stores in two orders. arr is laid out row
 * by row, so that cmTraverse uses every int of a line before the next, rmTraverse one int of each. */
#include <stdio.h>

#define SIZE 1024

int arr[SIZE][SIZE];

void cmTraverse(void)
{
	int i, j;
	for (i = 0; i < SIZE; i++)
		for (j = 0; j < SIZE; j++)
			arr[i][j] = (i + j);
}

void rmTraverse(void)
{
	int i, j;
	for (i = 0; i < SIZE; i++)
		for (j = 0; j < SIZE; j++)
			arr[j][i] = (i + j);
}

int main(void)
{
	printf("hello, world!\n");
	cmTraverse();
	rmTraverse();
	return 0;
}
