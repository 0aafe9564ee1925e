/* Branches of all kinds, of which a predictor gets some right: patterns, data, jump tables, calls and tail
 * calls through pointers, string instructions. Needs no libc: linked with bare.S the program is all that
 * ever branches. */
typedef unsigned (*operation)(unsigned);

static unsigned seed = 1;
static unsigned data[600];

static unsigned next(void)
{
	seed = seed * 1103515245u + 12345u;
	return seed >> 16;
}

#define OPERATION(name, expression)                                                                \
	static __attribute__((noinline)) unsigned name(unsigned x)                                     \
	{                                                                                              \
		return expression;                                                                         \
	}
OPERATION(add, x + 7)
OPERATION(scale, x * 3)
OPERATION(mix, x ^ (x >> 3))
static operation volatile operations[] = {add, scale, mix};

static __attribute__((noinline)) unsigned tail(unsigned which, unsigned x)
{
	return operations[which % 3](x);
}

static __attribute__((noinline)) unsigned pointers(void)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < 400; i++)
		sum += operations[i / 7 % 3](i) + tail(next(), sum);
	return sum;
}

static __attribute__((noinline)) unsigned patterns(void)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < 2000; i++) {
		if (i % 3 == 0)
			sum += add(i);
		if (i & 8)
			sum ^= scale(i);
		if (next() % 10 == 0)
			sum += mix(sum);
		if (next() & 1)
			sum++;
		else
			sum += tail(i, sum);
	}
	return sum;
}

static __attribute__((noinline)) void sort(unsigned *a, int n)
{
	for (int i = 1; i < n; i++) {
		unsigned v = a[i];
		int k = i;

		for (; k > 0 && a[k - 1] > v; k--)
			a[k] = a[k - 1];
		a[k] = v;
	}
}

static __attribute__((noinline)) unsigned table(unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++)
		switch (next() % 9) {
		case 0: sum += 1; break;
		case 1: sum ^= 5; break;
		case 2: sum *= 3; break;
		case 3: sum -= i; break;
		case 4: sum += add(sum); break;
		case 5: sum = scale(sum); break;
		case 6: sum |= 9; break;
		case 7: sum >>= 1; break;
		default: sum = ~sum;
		}
	return sum;
}

/* Branches with nothing but registers between them. */
static __attribute__((noinline)) unsigned steps(unsigned n)
{
	unsigned sum = 0;

	for (; n != 1; sum++) {
		n = n & 1 ? 3 * n + 1 : n / 2;
		if (n % 5 > 2)
			sum += n;
	}
	return sum;
}

static __attribute__((noinline)) void strings(void)
{
	for (long n = 0; n < 40; n++) {
		void *at = data;
		long count = n % 11;

		__asm__ volatile("rep stosb" : "+D"(at), "+c"(count) : "a"(n) : "memory");
		at = data;
		count = n;
		__asm__ volatile("repne scasb" : "+D"(at), "+c"(count) : "a"(20) : "cc", "memory");
		count = n % 5 + 1;
		__asm__ volatile("1: dec %%rax; loopne 1b; jrcxz 2f; nop; 2:" : "+c"(count) : "a"(3l) : "cc");
	}
}

int main(void)
{
	unsigned sum = patterns() + pointers() + table(3000);

	for (unsigned i = 1; i < 300; i++)
		sum += steps(i);

	for (unsigned i = 0; i < sizeof data / sizeof *data; i++)
		data[i] = next();
	sort(data, sizeof data / sizeof *data);
	strings();
	return (sum + data[17]) & 63;
}
