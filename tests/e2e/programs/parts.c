/* Clang's -fbasic-block-sections makes each way of a switch a part of its own, to which a table leads: registers that only
 * these ways read are in use where it jumps. */
#include <stdio.h>

static int table[64] = {1, 2, 3};

__attribute__((noinline)) static int sum(int x, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		switch ((x + i) % 5) {
		case 0:
			s += table[i & 63];
			break;
		case 1:
			s ^= 5 * i;
			break;
		case 2:
			s += x;
			break;
		case 3:
			s -= table[x & 63];
			break;
		default:
			s += 3;
		}
	return s;
}

int main(void)
{
	printf("%d\n", sum(3, 1000));
	return 0;
}
