/* Loses what it had from malloc, and leaves its address nowhere. */
#include <stdlib.h>

static __attribute__((noinline)) void lose(void)
{
	enum { N = 500 };
	volatile long *p = malloc(N * sizeof *p);

	for (int i = 0; i < N; i++)
		p[i] = i;
}

static __attribute__((noinline)) void overwrite_stack(void)
{
	volatile char room[4000];

	for (unsigned i = 0; i < sizeof room; i++)
		room[i] = 0;
}

int main(void)
{
	lose();
	overwrite_stack();
	return 0;
}
