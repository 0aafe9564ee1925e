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

int main(int argc, char **argv)
{
	printf("hello, world!\n");
	cmTraverse();
	rmTraverse();
	return 0;
}
