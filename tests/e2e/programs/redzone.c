/* Functions with values below rsp, and some without, whose results tell when something there was overwritten. */
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noclone))
#define N 14

long by_hand(const long *p), by_hand_calls(const long *p, long (*f)(long)), tail_by_hand(const long *p);

static long counted;
static volatile long zero;

APART static long outside(long n)
{
	counted += n;
	return n ^ counted;
}

/* A red zone; with -O0 below rbp. */
APART static long leaf(const long *p, long n)
{
	volatile long kept[N];
	long sum = 0;

	for (int i = 0; i < N; i++)
		kept[i] = p[i] + n;
	for (int i = 0; i < N; i++)
		sum = sum * 3 + kept[(i + n) % N] + p[i];
	return sum;
}

APART static long leaf_without(const long *p, long n)
{
	return p[n] + p[n + 1];
}

/* What inline assembly does to the stack is below the red zone, as it must be. */
APART static long leaf_pushing(const long *p, long n)
{
	volatile long kept[N];
	long sum = 0;

	for (int i = 0; i < N; i++) {
		kept[i] = p[i] * n;
		__asm__ volatile("lea -128(%%rsp),%%rsp\n\tpush %0\n\tpop %0\n\tlea 128(%%rsp),%%rsp" : "+r"(sum));
		sum += kept[i / 2];
	}
	return sum;
}

APART static long leaf_calling(const long *p, long n)
{
	volatile long kept[N];
	long sum = 0;

	for (int i = 0; i < N; i++) {
		kept[i] = p[i] - n;
		__asm__ volatile("lea -128(%%rsp),%%rsp\n\tcall 1f\n\tjmp 2f\n1:\taddq $3,%0\n\tret\n2:\t"
				 "lea 128(%%rsp),%%rsp" : "+r"(sum));
		sum += kept[i / 3];
	}
	return sum;
}

/* Inline assembly that has a red zone of its own, in a function that has none. */
APART static long calling_with_asm(const long *p, long n)
{
	long sum = outside(n);

	for (int i = 0; i < N; i++)
		__asm__ volatile("mov %1,-16(%%rsp)\n\tmov (%2),%1\n\tadd -16(%%rsp),%0" : "+r"(sum), "+r"(n) : "r"(&p[i])
				 : "memory");
	return sum + n;
}

APART static long of_any_size(const long *p, long n)
{
	long *kept = __builtin_alloca((size_t)n * sizeof *kept), sum = 0;

	for (long i = 0; i < n; i++)
		kept[i] = p[i % N];
	for (long i = 0; i < n; i++)
		sum = sum * 5 + kept[n - 1 - i];
	return sum;
}

APART static long of_any_size_calling(const long *p, long n)
{
	long *kept = __builtin_alloca((size_t)n * sizeof *kept), sum = 0;

	for (long i = 0; i < n; i++)
		kept[i] = outside(p[i % N]);
	for (long i = 0; i < n; i++)
		sum = sum * 5 + kept[n - 1 - i];
	return sum;
}

/* Indexed from rsp. */
APART static long calling(const long *p, long n)
{
	volatile long kept[N];

	for (int i = 0; i < N; i++)
		kept[i] = outside(p[i]);
	return kept[n % N] + kept[(n * n) % N];
}

/* Registers that a prologue may store before it lowers rsp. */
APART static long saving(const long *p, long a, long b)
{
	return outside(p[a]) + outside(p[b]) * b;
}

/* With a part in .text.unlikely. */
APART static long with_cold(const long *p, long n)
{
	volatile long kept[N];
	long sum = 0;

	for (int i = 0; i < N; i++)
		kept[i] = p[i] + 7;
	if (__builtin_expect(n == zero, 0)) {
		for (int i = 0; i < N; i++)
			sum += kept[i] * p[N - 1 - i];
		kept[0] = sum;
		if (sum == zero)
			__builtin_trap();
	}
	for (int i = 0; i < N; i++)
		sum = sum * 3 + kept[i];
	return sum;
}

int main(void)
{
	long numbers[N + 1], sum = 0;

	for (int i = 0; i <= N; i++)
		numbers[i] = i * 0x9e3779b97f4a7c15;
	for (int n = 0; n < N; n++)
		sum = sum * 7 + leaf(numbers, n) + leaf_without(numbers, n) + leaf_pushing(numbers, n) * 3 +
		      leaf_calling(numbers, n) * 5 + calling_with_asm(numbers, n) + of_any_size(numbers, n + 30) +
		      of_any_size_calling(numbers, n + 30) + calling(numbers, n) + saving(numbers, n, n / 2) +
		      with_cold(numbers, n) + by_hand(numbers) + by_hand_calls(numbers, outside) + tail_by_hand(numbers);
	printf("%lx\n", sum);
	return 0;
}
