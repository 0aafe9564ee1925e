#include <stdio.h>
#define SIZE 1024
int arr[SIZE][SIZE];

/* walks along the rows */
int unused;
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
			arr[i][j] = (i * j);
}

int main(int argc, char **argv)
{
	cmTraverse();
	rmTraverse();
	return 0;
}
