/* Runs what generate has made and prints what has become of memory. Not instrumented: whatever a callee may change
 * is changed here by each call, so that planted code that takes it for kept, or for free, is found out. */
#include <stdarg.h>
#include <stdio.h>

#include "program.h"

u64 mem[1024];
double fmem[512];
long fuel;
volatile u64 sink;
jmp_buf *way_out;

/* The registers that a callee may change, System V ABI, 3.2.1. Upper halves of vector registers stay as they are. */
static void ruin(void)
{
	__asm__ volatile("movabs $0x1111111111111111, %%rax\n\t"
			 "movq %%rax, %%rcx; movq %%rax, %%rdx; movq %%rax, %%rsi; movq %%rax, %%rdi\n\t"
			 "movq %%rax, %%r8; movq %%rax, %%r9; movq %%rax, %%r10; movq %%rax, %%r11\n\t"
			 "movq %%rax, %%xmm0; movq %%rax, %%xmm1; movq %%rax, %%xmm6; movq %%rax, %%xmm8\n\t"
			 "movq %%rax, %%xmm14; movq %%rax, %%xmm15; addb $0x7f, %%al"
			 :
			 :
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm6", "xmm8",
			   "xmm14", "xmm15", "cc", "memory");
}

u64 outside(u64 x)
{
	ruin();
	return x * 3;
}

double outside_double(double x)
{
	ruin();
	return x * 0.25;
}

u64 call_back(u64 (*f)(u64), u64 x)
{
	u64 result;

	ruin();
	result = f(x + 1);
	ruin();
	return result;
}

/* The third of n's companions, and whether the second, a double, is more than 1. */
u64 outside_variadic(int n, ...)
{
	va_list args;
	u64 sum = (u64)n;

	va_start(args, n);
	(void)va_arg(args, u64);
	sum += va_arg(args, double) > 1;
	sum ^= va_arg(args, u64);
	va_end(args);
	ruin();
	return sum;
}

static void on_signal(int number)
{
	mem[40] += (u64)number;
	ruin();
}

int main(void)
{
	u64 sum = 0;

	for (u64 i = 0; i < 1024; i++)
		mem[i] = i * 0x9e3779b97f4a7c15 >> (i & 31);
	for (int i = 0; i < 512; i++)
		fmem[i] = i * 0.37 - 20;
	signal(SIGUSR1, on_signal);
	for (int round = 0; round < 3; round++) {
		ruin();
		run_a();
		ruin();
		run_b();
	}
	for (int i = 0; i < 1024; i++)
		sum = sum * 31 + mem[i];
	for (int i = 0; i < 512; i++)
		sum = sum * 31 + from_double(fmem[i]);
	printf("%016lx\n", (unsigned long)sum);
	return 0;
}
