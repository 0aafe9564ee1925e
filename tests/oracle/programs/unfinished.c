/* Two threads that go on when the process ends. */
#include <pthread.h>

#define THREADS 2
#define CELLS 1024
#define ENOUGH 100

static volatile long work[THREADS][CELLS], rounds[THREADS];

static void fill(volatile void *to, unsigned long bytes)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(0) : "memory");
}

static void *run(void *argument)
{
	volatile long *mine = argument;
	volatile long *done = &rounds[(mine - work[0]) / CELLS];
	long at = 0;

	for (;;) {
		if (mine[at] & 1)
			mine[at] += 3;
		else
			mine[at] ^= at;
		if (mine[at] % 7 == 2)
			mine[(at * 5) % CELLS]++;
		at = (at + 17) % CELLS;
		fill(mine, (unsigned long)at % 50);
		++*done;
	}
	return 0;
}

int main(void)
{
	pthread_t thread;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread, 0, run, (void *)work[i]))
			return 1;
	for (int i = 0; i < THREADS; i++)
		while (rounds[i] < ENOUGH)
			;
	return 0;
}
