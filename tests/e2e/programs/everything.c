/* What compilers make of C beyond the ordinary: for flags.t.sh, which builds it with one flag after
 * the other. It prints the same with every one, and ends with status 3. */
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf env;
static int total(int n, ...)
{
	va_list ap;
	int s = 0;
	double d = 0;
	va_start(ap, n);
	for (int i = 0; i < n; i++) {
		s += va_arg(ap, int);
		d += va_arg(ap, double);
	}
	va_end(ap);
	return s + (int)(d * 10);
}
static int interpret(const unsigned char *code, int x)
{
	static const void *const ops[] = {&&add, &&mul, &&jnz, &&end};
	const unsigned char *pc = code;
	int n = 10;
	goto *ops[*pc++];
add:
	x += 3;
	goto *ops[*pc++];
mul:
	x = x * 5 % 1009;
	goto *ops[*pc++];
jnz:
	if (--n)
		pc = code;
	goto *ops[*pc++];
end:
	return x;
}
static int nested(int n)
{
	int sum = 0;
	int compare(const void *a, const void *b)
	{
		sum++;
		return *(const int *)a - *(const int *)b;
	}
	int v[16];
	for (int i = 0; i < 16; i++)
		v[i] = (i * 7 + n) % 16;
	qsort(v, 16, sizeof *v, compare);
	return v[3] * 100 + (sum > 0);
}
static int dynamic(int n)
{
	char *p = alloca(n + 1);
	int s = 0;
	memset(p, 'a' + n % 26, n);
	p[n] = 0;
	for (int i = 0; p[i]; i++)
		s += p[i] * i;
	char vla[n + 3];
	sprintf(vla, "%d", n % 100);
	return s + vla[0];
}
__attribute__((noinline)) static void *caller(void)
{
	return __builtin_return_address(0);
}
__attribute__((noinline)) static void jump(int n)
{
	volatile char room[300];
	room[n] = 1;
	if (n == 3)
		longjmp(env, n + 1);
	jump(n + 1);
	room[0] = 2;
}
static int jumping(void)
{
	volatile int r = 1;
	int x = setjmp(env);
	if (!x)
		jump(0);
	r += x;
	return r;
}
static int sw(int n)
{
	switch (n) {
	case 0:
		return 5;
	case 1:
		return 17;
	case 2:
		return 4;
	case 3:
		return 99;
	case 4:
		return 1;
	case 5:
		return 12;
	case 6:
		return 8;
	case 7:
		return 3;
	case 8:
		return 77;
	}
	return -1;
}
static int assembly(int n)
{
	int a, b;
	asm volatile("movl %2, %0\n\t1: addl $3, %0; subl $1, %2; jnz 1b\n"
	             "\t.pushsection .rodata.mine,\"a\"; .Lnumber%=: .long 42; .popsection\n\tmovl "
	             ".Lnumber%=(%%rip), %1"
	             : "=&r"(a), "=r"(b), "+r"(n)
	             :
	             : "cc", "memory");
	asm volatile(".macro twice%= r\n\taddl \\r, \\r\n\t.endm\n\ttwice%= %0" : "+r"(a));
	asm volatile("pushf\n\tpopf\n\tlock; addl $1, %0" : "+m"(b));
	asm goto("testl %0, %0; jz %l1" : : "r"(n) : "cc" : zero);
	return a + b;
zero:
	return a - b;
}
int main(int argc, char **argv)
{
	static const unsigned char code[] = {0, 1, 1, 0, 2, 3};
	printf("%d %d %d\n", total(3, 1, 1.5, 2, 2.5, 3, 3.5), interpret(code, argc), nested(argc));
	printf("%d %d %d\n", dynamic(77), caller() != 0, jumping());
	for (int i = -1; i < 10; i++)
		printf("%d ", sw(i));
	printf("%d %d\n", assembly(4), assembly(9));
	double m[20][20], s = 0;
	for (int i = 0; i < 20; i++)
		for (int j = 0; j < 20; j++)
			m[i][j] = i * 1.5 + j;
	for (int i = 0; i < 20; i++)
		for (int j = 0; j < 20; j++)
			s += m[j][i] * m[i][j];
	printf("%.3f\n", s);
	return 3;
}
