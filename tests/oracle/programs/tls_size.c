/* As much thread-local memory as is asked for: N words. */
#include <stdio.h>

static _Thread_local long words[N];

int main(void)
{
	long sum = 0;

	for (long i = 0; i < 1000; i++)
		words[i * 7 % N] += i;
	for (long i = 0; i < 1000; i++)
		sum += words[i * 13 % N];
	printf("%ld\n", sum);
	return 0;
}
