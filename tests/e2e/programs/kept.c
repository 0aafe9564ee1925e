/* kept none|same|third|late|left WAY: a reference to y, behind one to x of the same set of a direct-mapped D1, is interrupted
 * at each of its instructions, what is planted and the runtime included, by a handler that refers to nothing, to x, or
 * to a third line; late: to x where the one before was to z; left: which does not return. Then two of these take turns,
 * and each of them misses each time: none is still taken for the most recently used line of its set. Prints how many
 * instructions there are, and at how many it was interrupted. */
#include "interrupt.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURNS 1000 /* more than places: one that loses them all is seen */
#define WAY 4096 /* at most */
#define FILTER 4096 /* bytes: y and z are of one entry (HACKING.md) */

static volatile char area[4 * WAY] __attribute__((aligned(WAY)));
static volatile char *disturbed;
static sigjmp_buf left;

static void disturb(void)
{
	if (disturbed)
		(void)*disturbed;
}

static void leave(void)
{
	siglongjmp(left, 1);
}

__attribute__((noipa)) static void refer(volatile char *to)
{
	(void)*to;
}

__attribute__((noipa)) static void turns(volatile char *a, volatile char *b)
{
	for (int i = 0; i < TURNS; i++) {
		(void)*a;
		(void)*b;
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "none";
	int way = argc > 2 ? atoi(argv[2]) : WAY;
	volatile char *x = area + 1024, *y = x + way, *third = y + way, *z = y + FILTER;
	volatile int interrupted = 0, n = 0;

	disturbed = !strcmp(how, "none") ? 0 : !strcmp(how, "third") ? third : x;
	for (volatile int at = INTERRUPT_NEVER; at < n; at++) {
		for (unsigned i = 0; i < sizeof area; i += 16)
			(void)area[i];
		refer(strcmp(how, "late") ? x : z);
		if (!sigsetjmp(left, 1)) {
			interrupt_at(at, strcmp(how, "left") ? disturb : leave);
			refer(y);
		}
		interrupted += interrupt_end();
		if (at == INTERRUPT_RECORD)
			n = interrupt_places();
		turns(disturbed == third ? third : x, y);
	}
	printf("%d %d\n", n, interrupted);
	return 0;
}
