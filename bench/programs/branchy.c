/* Integers and branches, few references: the longest chains of the Collatz problem. */
#include <stdio.h>

int main(void)
{
	unsigned long best = 0, at = 0;

	for (unsigned long start = 1; start < 1500000; start++) {
		unsigned long n = start, steps = 0;

		for (; n != 1; steps++)
			n = n & 1 ? 3 * n + 1 : n / 2;
		if (steps > best) {
			best = steps;
			at = start;
		}
	}
	printf("%lu %lu\n", at, best);
	return 0;
}
