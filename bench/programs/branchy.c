/* Integers and branches, few references: the longest chains of the Collatz problem. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	unsigned long best = 0, at = 0, end = 30000 * (argc > 1 ? atol(argv[1]) : 100);

	for (unsigned long start = 1; start < end; start++) {
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
