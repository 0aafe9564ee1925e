/* kept none|same|third WAY: a reference to y, behind one to x of the same set of a direct-mapped D1, is interrupted at
 * its first instruction, its second, and so on, what is planted and the runtime included, by a handler that refers to
 * nothing, to x, or to a third line. Then two of the three take turns, and each of them misses each time: none is still
 * taken for the most recently used line of its set. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define STEPS 500 /* at most so many instructions in */
#define TRAP 256 /* a flag */
#define TURNS 50
#define WAY 4096 /* at most */

static volatile char area[4 * WAY] __attribute__((aligned(WAY)));
static volatile int steps, at;
static volatile char *volatile handlers;

/* From then on nothing is interrupted any more. */
static void interrupt(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info;
	if (steps++ < at)
		return;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP;
	if (handlers)
		(void)*handlers;
}

__attribute__((noipa)) static void refer(volatile char *to)
{
	(void)*to;
}

static inline void step(void)
{
	__asm__ volatile("lea -128(%%rsp),%%rsp\n\tpushfq\n\torl %0,(%%rsp)\n\tpopfq\n\tlea 128(%%rsp),%%rsp" :: "i"(TRAP) : "cc", "memory");
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
	volatile char *x = area + 1024, *y = x + way, *third = y + way;
	struct sigaction action = {.sa_sigaction = interrupt, .sa_flags = SA_SIGINFO};
	int all = 0;

	sigaction(SIGTRAP, &action, 0);
	handlers = !strcmp(how, "same") ? x : !strcmp(how, "third") ? third : 0;
	for (at = 0; at < STEPS; at++) {
		for (unsigned i = 0; i < sizeof area; i += 16)
			(void)area[i];
		refer(x);
		steps = 0;
		step();
		refer(y);
		turns(handlers == third ? third : x, y);
		all += steps;
	}
	printf("%d\n", all > STEPS * STEPS / 2);
	return 0;
}
