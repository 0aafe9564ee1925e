/* The same work in each of N threads, on memory of its own: threads N PERCENT KIND. KIND is "near", products of
 * small matrices, whose references mostly hit D1, or "far", a heap sort of more than D1, whose misses come to
 * the LL that all threads share. Each has its memory at the beginning of a page: otherwise the work is not the
 * same to a cache, whose sets go by the address. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 64, SIDE = 48, HEAP = 1 << 16 };

struct work {
	_Alignas(4096) pthread_t thread;
	int percent;
	double a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];
	unsigned heap[HEAP];
	unsigned long result;
};

static void multiply(struct work *w)
{
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			double sum = 0;

			for (int k = 0; k < SIDE; k++)
				sum += w->a[i][k] * w->b[k][j];
			w->c[i][j] += sum;
		}
}

static void *near(void *argument)
{
	struct work *w = argument;

	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			w->a[i][j] = i + j;
			w->b[i][j] = i - j;
		}
	for (int round = 0; round < 200 * w->percent; round++) {
		w->a[0][0] = round;
		multiply(w);
	}
	w->result = (unsigned long)w->c[1][2] + (unsigned long)w->c[0][3];
	return NULL;
}

static void sift(unsigned *heap, unsigned at, unsigned n)
{
	unsigned value = heap[at];

	for (unsigned child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && heap[child + 1] > heap[child])
			child++;
		if (heap[child] <= value)
			break;
		heap[at] = heap[child];
	}
	heap[at] = value;
}

static void sort(unsigned *heap, unsigned n)
{
	for (unsigned i = n / 2; i-- > 0;)
		sift(heap, i, n);
	while (n-- > 1) {
		unsigned greatest = heap[0];

		heap[0] = heap[n];
		heap[n] = greatest;
		sift(heap, 0, n);
	}
}

static void *far(void *argument)
{
	struct work *w = argument;
	unsigned seed = 1;

	for (int round = 0; round < w->percent; round++) {
		for (unsigned i = 0; i < HEAP; i++)
			w->heap[i] = seed = seed * 1664525 + 1013904223;
		sort(w->heap, HEAP);
		w->result += w->heap[HEAP / 2];
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct work work[THREADS_MAX];
	int threads = argc == 4 ? atoi(argv[1]) : 0;

	if (threads < 1 || threads > THREADS_MAX) {
		fprintf(stderr, "usage: threads 1..%d PERCENT near|far\n", THREADS_MAX);
		return 2;
	}
	for (int i = 0; i < threads; i++) {
		work[i].percent = atoi(argv[2]);
		if (pthread_create(&work[i].thread, NULL, strcmp(argv[3], "far") ? near : far, &work[i]))
			return 1;
	}
	for (int i = 0; i < threads; i++) {
		pthread_join(work[i].thread, NULL);
		printf("%lu\n", work[i].result);
	}
	return 0;
}
