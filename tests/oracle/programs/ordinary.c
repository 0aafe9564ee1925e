/* Ordinary C, a function for each habit of compilers: what they make of it at the various -O is
 * what is counted. */
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

static int matrix[64][64];
static char text[1000];
static __thread long tls_sum;
struct node {
	struct node *left, *right;
	int key;
};
struct large {
	long word[20];
};

NOINLINE static int traverse_rows(void)
{
	int sum = 0;

	for (int i = 0; i < 64; i++)
		for (int j = 0; j < 64; j++)
			sum += matrix[i][j] ^= i + j;
	return sum;
}

NOINLINE static int traverse_columns(void)
{
	int sum = 0;

	for (int j = 0; j < 64; j++)
		for (int i = 0; i < 64; i++)
			sum += matrix[i][j] += i * j;
	return sum;
}

NOINLINE static int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

NOINLINE static struct node *insert(struct node *tree, struct node *new)
{
	if (!tree)
		return new;
	if (new->key < tree->key)
		tree->left = insert(tree->left, new);
	else
		tree->right = insert(tree->right, new);
	return tree;
}

static int depth(const struct node *tree)
{
	int left, right;

	if (!tree)
		return 0;
	left = depth(tree->left);
	right = depth(tree->right);
	return 1 + (left > right ? left : right);
}

NOINLINE static int tree(void)
{
	static struct node nodes[200];
	struct node *root = NULL;
	unsigned x = 12345;

	for (int i = 0; i < 200; i++) {
		x = x * 1103515245 + 12345;
		nodes[i].key = (int)(x >> 16);
		root = insert(root, &nodes[i]);
	}
	return depth(root);
}

NOINLINE static int dispatch(int c)
{
	switch (c & 15) {
	case 0: return c + 1;
	case 1: return c * 3;
	case 2: return c - 5;
	case 3: return c ^ 77;
	case 4: return -c;
	case 5: return c >> 1;
	case 6: return fibonacci(c & 3);
	case 7: return c | 8;
	case 9: return c & 9;
	case 11: return c % 11;
	default: return c / 3;
	}
}

NOINLINE static int switches(void)
{
	int sum = 0;

	for (int i = 0; i < 300; i++)
		sum += dispatch(i * 7);
	return sum;
}

NOINLINE static int computed_goto(void)
{
	static const unsigned char code[] = {0, 1, 0, 2, 1, 1, 0, 2, 2, 3};
	static void *const labels[] = {&&add, &&twice, &&less, &&end};
	const unsigned char *pc = code;
	int x = 1;

	goto *labels[*pc++];
add:
	x += 5;
	goto *labels[*pc++];
twice:
	x *= 2;
	goto *labels[*pc++];
less:
	x -= 3;
	goto *labels[*pc++];
end:
	return x;
}

NOINLINE static struct large make_large(long seed)
{
	struct large l;

	for (int i = 0; i < 20; i++)
		l.word[i] = seed * i;
	return l;
}

NOINLINE static long sum_large(struct large l, int n)
{
	long sum = n;

	for (int i = 0; i < 20; i++)
		sum += l.word[i];
	return sum;
}

NOINLINE static long structures(void)
{
	struct large a = make_large(3), b = a;

	b.word[7] = sum_large(a, 4);
	return sum_large(b, 5);
}

NOINLINE static int sum_arguments(int n, ...)
{
	va_list ap;
	int sum = 0;

	va_start(ap, n);
	while (n--)
		sum += va_arg(ap, int);
	va_end(ap);
	return sum;
}

NOINLINE static int many_arguments(int a, long b, short c, char d, int e, int f, int g, double h,
				   int i)
{
	return a + (int)b + c + d + e + f + g + (int)h + i;
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

NOINLINE static int callbacks(void)
{
	int (*volatile function)(int) = fibonacci;
	int numbers[50];

	for (int i = 0; i < 50; i++)
		numbers[i] = i * 7919 % 101;
	qsort(numbers, 50, sizeof *numbers, compare_ints);
	return numbers[10] + function(5);
}

NOINLINE static double floats(void)
{
	double d = 1.5, sum = 0;
	float f = 0.25f;
	long double l = 3;

	for (int i = 1; i < 100; i++) {
		sum += d / i;
		f = f * 1.01f + (float)i;
		l = l * 1.0001L + sum;
		if (sum > f)
			d = -d;
	}
	return sum + (double)f + (double)l + (double)(long)d;
}

NOINLINE static uint64_t integers(void)
{
	unsigned __int128 wide = 1;
	uint64_t x = 88172645463325252u;
	int8_t small = 3;

	for (int i = 0; i < 100; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x = (x << 17) | (x >> 47);
		wide = wide * x + (unsigned)small;
		small = (int8_t)(small * 5 + (int8_t)x);
	}
	return (uint64_t)(wide >> 64) + x / 1000003 + x % 17 + (uint64_t)small;
}

NOINLINE static int strings(void)
{
	char copy[1000];

	memset(text, 'a', sizeof text - 1);
	for (size_t i = 0; i < sizeof text - 1; i += 7)
		text[i] = ' ';
	memcpy(copy, text, sizeof copy);
	copy[strlen(copy) / 2] = 'x';
	return memcmp(copy, text, sizeof copy) > 0;
}

NOINLINE static int bitfields(void)
{
	struct {
		unsigned a : 3, b : 7;
		int c : 9;
		unsigned long d : 40;
	} s = {0};

	for (int i = 0; i < 100; i++) {
		s.a += 1;
		s.b ^= s.a;
		s.c -= 3;
		s.d += s.b * 1000003u;
	}
	return (int)(s.a + s.b + (unsigned)s.c + s.d);
}

NOINLINE static int dynamic_stack(int n)
{
	int vla[n];
	char *p = alloca((size_t)n);
	int sum = 0;

	for (int i = 0; i < n; i++) {
		vla[i] = i * i;
		p[i] = (char)vla[i];
	}
	for (int i = 0; i < n; i++)
		sum += p[i] + vla[n - 1 - i];
	return sum;
}

static jmp_buf back;

NOINLINE static void jump_out(int depth_left)
{
	volatile int here = depth_left;

	if (here > 0)
		jump_out(here - 1);
	else
		longjmp(back, 3);
	tls_sum++;
}

NOINLINE static int jumps(void)
{
	volatile int times = 0;

	if (setjmp(back) < 3)
		jump_out(5);
	times++;
	return times;
}

NOINLINE static long thread_local_sum(void)
{
	for (int i = 0; i < 50; i++)
		tls_sum += i;
	return tls_sum;
}

NOINLINE static int large_frame(void)
{
	volatile char space[20000];

	for (unsigned i = 0; i < sizeof space; i += 500)
		space[i] = (char)i;
	return space[1000];
}

NOINLINE static long vectors(void)
{
	static short a[500], b[500];
	long sum = 0;

	for (int i = 0; i < 500; i++) {
		a[i] = (short)(i * 3);
		b[i] = (short)(a[i] > 700 ? a[i] - 5 : i);
	}
	for (int i = 0; i < 500; i++)
		sum += a[i] * b[i];
	return sum;
}

int main(void)
{
	struct large l = make_large(2);

	printf("%d %d\n", traverse_rows(), traverse_columns());
	printf("%d %d %d %d\n", fibonacci(12), tree(), switches(), computed_goto());
	printf("%ld %ld\n", structures(), sum_large(l, 1));
	printf("%d\n", sum_arguments(4, 1, 2, 3, 4));
	printf("%d\n", many_arguments(1, 2, 3, 4, 5, 6, 7, 8.5, 9));
	printf("%d %.3f %lu\n", callbacks(), floats(), integers());
	printf("%d %d %d\n", strings(), bitfields(), dynamic_stack(33));
	printf("%d %ld %d %ld\n", jumps(), thread_local_sum(), large_frame(), vectors());
	return 0;
}
