/* Threads that are cancelled wherever they are: unwinding starts in planted code, in the runtime, between
 * any two instructions. Every one's cleanup must run, with what it was given. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 60 };

static long cells[1 << 16];
static int cleaned, outer_cleaned;
static volatile int started;

static void clean(void *count)
{
	++*(int *)count;
}

static void __attribute__((noinline)) work(long seed)
{
	for (unsigned long i = seed;; i = i * 6364136223846793005u + 1442695040888963407u)
		cells[i >> 48] += cells[i >> 50] + seed;
}

static void __attribute__((noinline)) guarded(long seed)
{
	pthread_cleanup_push(clean, &cleaned);
	started = 1;
	work(seed);
	pthread_cleanup_pop(0);
}

static void *run(void *seed)
{
	pthread_cleanup_push(clean, &outer_cleaned);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	guarded((long)seed);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *wait_for_ever(void *unused)
{
	pthread_cleanup_push(clean, &cleaned);
	pause();
	pthread_cleanup_pop(0);
	return unused;
}

static void cancel(void *(*what)(void *), long i, unsigned delay)
{
	pthread_t thread;
	void *result;

	started = what != run;
	if (pthread_create(&thread, NULL, what, (void *)i))
		exit(2);
	while (!started)
		usleep(100);
	usleep(delay);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	if (result != PTHREAD_CANCELED)
		exit(1);
}

int main(void)
{
	for (int i = 0; i < THREADS; i++)
		cancel(run, i, 300 + 13 * i);
	printf("%d %d\n", cleaned, outer_cleaned);
	cancel(wait_for_ever, 0, 1000);
	printf("%d\n", cleaned);
	return 0;
}
