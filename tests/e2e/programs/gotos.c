/* Computed gotos and calls through pointers whose targets the assembly names as immediates ($.L4)
 * unless it is position-independent. */
#include <stdio.h>
__attribute__((noinline)) int f(int n, int k)
{
	void *p = &&a, *q = &&b;
	int s = 0;
	asm volatile("" : "+r"(p), "+r"(q));
	while (n-- > 0) {
		goto *(n % k ? p : q);
	a:
		s += 3;
		continue;
	b:
		s = s * 5 % 1013;
		continue;
	}
	return s;
}
static int g(int x)
{
	return x + 1;
}
int main(void)
{
	int (*volatile h)(int) = g;
	printf("%d %d\n", f(1000, 3), h(4));
	return 0;
}
