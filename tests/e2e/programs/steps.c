/* steps none|same|away: work that a signal's handler interrupts at no instruction, or at every one. What is planted, and
 * the runtime, are interrupted as well. The handler refers to the same sets of caches, or to others.
 * Behind it all caches are filled anew, and what is then measured misses as often as if nobody had come in between.
 * Lines of this file are known to steps.t.sh by the words work and measured at their ends. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64
#define SETS 64
#define WAY (SETS * LINE)
#define FILLING (4 << 20)
#define ROUNDS 12

/* Sets of D1, and LL, by whose lines they are: of what is worked on, 3 to 7; of the handler, where it is away. */
#define WORKED 4
#define AWAY 20
#define AWAY_STACK 45
#define SUM 30
#define ASIDE 31

static char area[FILLING] __attribute__((aligned(4096)));
static struct {
	char before[SUM * LINE];
	volatile unsigned long sum;
	char between[LINE - sizeof(unsigned long)];
	volatile int steps;
	volatile unsigned frame;
	unsigned turn, set;
	double series;
} here __attribute__((aligned(4096)));
_Static_assert(__builtin_offsetof(__typeof__(here), steps) == ASIDE * LINE, "");

/* Of the lines of two sets, one in turn, and now and then a reference of two lines. */
static void interrupt(int number)
{
	char *at = area + here.turn++ * 7 % 11 * WAY + here.set * LINE;

	(void)number;
	here.steps++;
	here.frame = (unsigned)(unsigned long)__builtin_frame_address(0);
	at[LINE]++;
	if (here.turn % 5 == 0)
		at[0] += (char)*(volatile unsigned long *)(at + LINE - 4);
}

/* References that are made one by one. */
static inline void copy(char *to, const char *from)
{
	unsigned long n = 4;

	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

/* Lines that are the first, the second, or another of their set, that are missing, and that lie across two. */
__attribute__((noinline)) static unsigned long work(unsigned long seed)
{
	double series = 0, next = 1, step = (double)seed; /* in vector registers */

	for (int i = 0; i < ROUNDS; i++) {
		char *at = area + (seed >> 8) % 10 * WAY + (WORKED + (seed >> 16) % 3) * LINE; /* work */

		seed = seed * 6364136223846793005u + 1442695040888963407u;	/* work */
		here.sum += *(volatile unsigned *)(at + 8);			/* work */
		*(volatile unsigned *)(at + 12) += 3;				/* work */
		here.sum += *(volatile unsigned *)(at + WAY);			/* work */
		here.sum += *(volatile unsigned *)(at + 8);			/* work */
		here.sum += *(volatile unsigned *)(at + 2 * WAY + LINE - 2);	/* work */
		*(volatile unsigned long *)(at + 3 * WAY - 4) = seed;		/* work */
		memcpy(at + 16, at + 5 * WAY + LINE - 8, 16);			/* work */
		copy(at + 6 * WAY, at + 7 * WAY + LINE - 16);			/* work */
		series += step / next;						/* work */
		next *= 1.5;							/* work */
	}
	here.series += series;
	return seed;
}

__attribute__((noinline)) static void fill(void)
{
	for (unsigned long at = 0; at < FILLING; at += LINE)
		area[at]++;
}

/* The last lines of each set that were filled are there, in their order; more than a set holds miss. */
__attribute__((noinline)) static void measure(void)
{
	char *last = area + FILLING - 8 * WAY;

	for (int i = 0; i < 8 * SETS; i++)
		here.sum += (unsigned long)last[i * LINE];			/* measured */
	for (int way = 7; way >= 0; way--)
		for (int set = 0; set < SETS; set++)
			here.sum += (unsigned long)last[way * WAY + set * LINE]; /* measured */
	for (int i = 0; i < 3 * 9 * SETS; i++)
		here.sum += (unsigned long)last[(i % (9 * SETS) - SETS) * LINE]; /* measured */
	for (int i = 0; i < 7 * SETS; i++)
		here.sum += *(volatile unsigned long *)(last + i * LINE + LINE - 4); /* measured */
}

/* The trap flag, bit 8. */
static inline void step(int on)
{
	if (on)
		__asm__ volatile("lea -128(%%rsp),%%rsp\n\tpushfq\n\torl $256,(%%rsp)\n\tpopfq\n\tlea 128(%%rsp),%%rsp" ::: "cc", "memory");
	else
		__asm__ volatile("lea -128(%%rsp),%%rsp\n\tpushfq\n\tandl $-257,(%%rsp)\n\tpopfq\n\tlea 128(%%rsp),%%rsp" ::: "cc", "memory");
}

/* How much lower the stack must be for the handler's frame to be far from the sets that matter. */
static unsigned aside(void)
{
	raise(SIGTRAP);
	here.steps = 0;
	return (here.frame / LINE - AWAY_STACK) % SETS * LINE;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = interrupt};
	int stepping = argc > 1 && strcmp(argv[1], "none") != 0;
	unsigned long seed = 1;
	void *volatile room;

	here.set = argc > 1 && !strcmp(argv[1], "same") ? WORKED : AWAY;
	sigaction(SIGTRAP, &action, 0);
	room = __builtin_alloca(aside());
	(void)room;
	for (int i = 0; i < 3; i++) {
		if (stepping)
			step(1);
		seed = work(seed);
		if (stepping)
			step(0);
	}
	fill();
	measure();
	printf("%lu %.17g %d\n", seed, here.series, here.steps > 5000);
	return 0;
}
