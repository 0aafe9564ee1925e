/* Threads whose references come to LL in no certain order. */
#include <pthread.h>
#include <stdio.h>

static int shared[1 << 14];

static void *sum(void *step)
{
	long total = 0;

	for (int round = 0; round < 50; round++)
		for (unsigned i = 0; i < sizeof shared / sizeof *shared; i += (unsigned)(size_t)step)
			total += shared[i]++ & 1;
	return (void *)(total & 1);
}

int main(void)
{
	pthread_t threads[3];

	for (size_t i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, sum, (void *)(16 + i));
	for (size_t i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 0;
}
