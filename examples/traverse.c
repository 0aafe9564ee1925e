/* The example of cacheprof's first manual (1999): the same stores in two
   orders. arr lies in memory row by row, so cmTraverse uses all the ints of a
   cache line in turn, and rmTraverse one int of each line. */
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
