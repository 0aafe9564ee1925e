/* What a linker does with symbols and sections: indirect functions, clones, constructors in order,
 * weak symbols, aliases, sections of their own. */
#include <stdio.h>
#include <stdlib.h>
static int plain(int x)
{
	return x + 1;
}
static int fancy(int x)
{
	return x + 2;
}
__attribute__((noinline)) static int weigh(const char *s)
{
	int sum = 0;

	while (*s)
		sum += *s++;
	return sum;
}
static int (*pick(void))(int)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("sse2") && weigh("called before the program's start") ? fancy : plain;
}
int (*pick_too(void))(int) __attribute__((alias("pick")));
int chosen(int) __attribute__((ifunc("pick")));
static int (*pick2(void))(int)
{
	return fancy;
}
static int hidden(int) __attribute__((ifunc("pick2")));
int (*pointer)(int) = chosen;
__attribute__((target_clones("avx2", "default"))) double dot(const double *a, const double *b,
                                                             int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += a[i] * b[i];
	return s;
}
__attribute__((constructor(101))) static void first(void)
{
	puts("first");
}
__attribute__((constructor(102))) static void second(void)
{
	puts("second");
}
__attribute__((destructor(101))) static void last(void)
{
	puts("last");
}
static void at(void)
{
	puts("atexit");
}
int versioned(int x)
{
	return x * 2;
}
extern int weak(int) __attribute__((weak));
int alias(int) __attribute__((alias("versioned2")));
int versioned2(int x)
{
	return x * 3;
}
__attribute__((section(".text.special"))) int special(int x)
{
	return x ^ 5;
}
__attribute__((section("my.text"))) int odd_section(int x)
{
	return x ^ 9;
}
__attribute__((naked)) int nak(int x)
{
	__asm__("lea 7(%rdi), %eax; ret");
}
int main(void)
{
	double a[64];
	for (int i = 0; i < 64; i++)
		a[i] = i;
	atexit(at);
	printf("%d %d %d %g %d %d\n", chosen(1), hidden(2), pointer(3), dot(a, a, 64),
	       weak ? weak(1) : -1, alias(4));
	printf("%d %d %d\n", special(1), odd_section(2), nak(1));
	return 0;
}
