#include <stdio.h>

#define SIZE 1024

static int arr[SIZE][SIZE];

static void cmTraverse(void)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			arr[i][j] = i + j;
}

static void rmTraverse(void)
{
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			arr[j][i] = i + j;
}

int main(void)
{
	printf("hello, world!\n");
	cmTraverse();
	rmTraverse();
	return 0;
}
