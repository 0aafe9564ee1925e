/* References to the line of address 0, each of which faults and is stepped over by the handler: the first one misses, as
 * any line's does. Each is a block of its own, so that the handler's references come behind it. -DFIRST=0 to 3: what
 * the first reference is. -DTHREADS: how many other threads begin with one of these. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <ucontext.h>

#define LENGTH 4 /* of each of the instructions that fault */

/* Not of the set of line 0. */
static volatile int counts[64] __attribute__((aligned(256)));
#define FAULTS counts[32]

static void step_over(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += LENGTH;
	FAULTS++;
}

#define REFERENCE(insn) __asm__ volatile("jmp 1f\n1:\t" insn "\n\tjmp 2f\n2:" ::"D"(0l), "a"(0l) : "memory", "cc")

static void load(void)
{
	REFERENCE("cmpq %%rax,16(%%rdi)");
}

static void store(void)
{
	REFERENCE("movq %%rax,8(%%rdi)");
}

static void straddle(void)
{
	REFERENCE("cmpq %%rax,-4(%%rdi)");
}

static void straddle_above(void)
{
	REFERENCE("addq %%rax,60(%%rdi)");
}

static void again(void)
{
	load();
	store();
}

static void (*const all[])(void) = {load, store, straddle, straddle_above};
#define N (sizeof all / sizeof *all)

/* A thread's D1 is empty when it begins; where there are several, the self-check compares no misses of LL. */
static void *run(void *reference)
{
	static char lines[64][4096] __attribute__((aligned(4096)));

	((void (*)(void))reference)();
	again();
	for (int i = 0; i < 64; i++)
		lines[i][0]++; /* of the set of line 0, if a way is 4096 bytes */
	again();
	return NULL;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = step_over, .sa_flags = SA_SIGINFO};

	sigaction(SIGSEGV, &action, NULL);
	run((void *)all[FIRST]);
	for (size_t i = 0; i < THREADS; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, run, (void *)all[i % N]) || pthread_join(thread, NULL))
			return 1;
	}
	printf("%d\n", FAULTS);
	return 0;
}
