/* Must not be instrumented: a breakpoint may be in whatever planted code calls. */
#define _GNU_SOURCE
#include "interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#define MOST 100000
#define PAGE 4096ul
#define TRAP 256 /* a flag */
#define INT3 0xcc

static struct place {
	unsigned char *instruction;
	int before; /* how often that was executed before, in the stretch */
} places[MOST];
static int n_places, before;
static const struct place *wanted;
static unsigned char original;
static void (*wanted_handler)(void);
static volatile enum { IDLE, RECORDS, WAITS, STEPS, CAME } state;

static void trap(int number, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)number, (void)info;
	if (state == RECORDS) {
		if (n_places < MOST)
			places[n_places++].instruction = (unsigned char *)r[REG_RIP];
	} else if (state == STEPS) {
		*wanted->instruction = INT3;
		r[REG_EFL] &= ~TRAP;
		state = WAITS;
	} else if (state == WAITS) {
		*wanted->instruction = original;
		r[REG_RIP]--;
		if (before++ < wanted->before) {
			r[REG_EFL] |= TRAP;
			state = STEPS;
		} else {
			state = CAME;
			wanted_handler();
		}
	}
}

/* That breakpoints can be planted. */
static void make_writable(const unsigned char *instruction)
{
	unsigned char *page = (unsigned char *)((unsigned long)instruction & -PAGE);

	if (mprotect(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
		perror("mprotect");
		exit(2);
	}
}

void interrupt_at(int at, void handler(void))
{
	static unsigned char nowhere;
	const struct sigaction action = {.sa_sigaction = trap, .sa_flags = SA_SIGINFO};
	unsigned char *to = &nowhere;

	sigaction(SIGTRAP, &action, 0);
	state = at == INTERRUPT_RECORD ? RECORDS : at == INTERRUPT_NEVER ? IDLE : WAITS;
	wanted_handler = handler;
	before = 0;
	if (at >= 0) {
		wanted = &places[at];
		to = wanted->instruction;
		original = *to;
	}
	__asm__ volatile("movb %0, %1\n\tlea -128(%%rsp),%%rsp\n\tpushfq\n\torq %2,(%%rsp)\n\tpopfq\n\tlea 128(%%rsp),%%rsp" ::
		"i"(INT3), "m"(*to), "r"(state == RECORDS ? (unsigned long)TRAP : 0ul) : "cc", "memory");
}

/* How often each was executed before, and that breakpoints can be planted. */
static void look_at_places(void)
{
	for (int i = 0; i < n_places; i++) {
		for (int earlier = 0; earlier < i; earlier++)
			places[i].before += places[earlier].instruction == places[i].instruction;
		make_writable(places[i].instruction);
	}
}

int interrupt_end(void)
{
	int came;

	__asm__ volatile("lea -128(%%rsp),%%rsp\n\tpushfq\n\tandl %0,(%%rsp)\n\tpopfq\n\tlea 128(%%rsp),%%rsp" ::
		"i"(~TRAP) : "cc", "memory");
	came = state == CAME;
	if (state == RECORDS)
		look_at_places();
	state = IDLE;
	return came;
}

int interrupt_places(void)
{
	return n_places;
}
