/* What is walked through (watch.c): memory references of all kinds, where registers and flags are free
 * and where none is. */
#include <string.h>

#include "watch.h"

static char bytes[1 << 16] __attribute__((aligned(64)));
static long words[8192];
static __thread int local;

/* A carry chain through memory: the flags live throughout, and no register but rsp is free. */
static void __attribute__((noinline)) crowded(long *p)
{
	__asm__ volatile("clc\n\t"
			 "mov (%%rdi),%%rax\n\t"
			 "adc %%rax,8(%%rdi)\n\t"
			 "mov 4096(%%rdi),%%rdx\n\t"
			 "adc %%rdx,64(%%rdi)\n\t"
			 "adc %%rax,%%rbx\n\tadc %%rcx,%%rdx\n\tadc %%rsi,%%r8\n\tadc %%r9,%%r10\n\t"
			 "adc %%r11,%%r12\n\tadc %%r13,%%r14\n\tadc %%r15,%%r15"
			 : "+D"(p)
			 :
			 : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
			   "r15", "cc", "memory");
}

/* Frames are told by rax, as in OpenSSL's assembly, where flags are in use and other registers are free. */
void framed(long *p);
__asm__(".text\n\t"
	".type framed,@function\n"
	"framed:\n\t"
	".cfi_startproc\n\t"
	"mov %rsp,%rax\n\t"
	".cfi_def_cfa_register %rax\n\t"
	"push %rbx\n\t"
	".cfi_offset %rbx,-16\n\t"
	"sub $32,%rsp\n\t"
	"and $-64,%rsp\n\t"
	"cmpq $5,(%rdi)\n\t"
	"jmp 1f\n"
	"1:\tmov 8(%rdi),%rcx\n\t"
	"mov $3,%edx\n\tmov $4,%esi\n\tmov $5,%r8d\n\tmov $6,%r10d\n\tmov $7,%r11d\n\t"
	"setl %r9b\n\t"
	"mov -8(%rax),%rbx\n\t"
	"mov %rax,%rsp\n\t"
	".cfi_def_cfa_register %rsp\n\t"
	"ret\n\t"
	".cfi_endproc\n\t"
	".size framed,.-framed");

void inner(int round)
{
	char copy[256], *at = bytes + 4096 * (round & 7), *to = copy;
	long n = 5;

	stage = 1;
	for (int i = 0; i < 12; i++)
		words[i * 512 + round] += bytes[i * 4096] + words[i];
	memcpy(copy, at + 60, sizeof copy);
	__asm__ volatile("rep movsb" : "+S"(at), "+D"(to), "+c"(n) : : "memory");
	*(long *)(bytes + 64 * round + 60) += copy[round] + local++;
	crowded(words + round);
	framed(words + round);
	stage = 2;
}

void __attribute__((noipa)) middle(int rounds)
{
	stage = 2;
	watch_begin();
	for (int i = 0; i < rounds; i++)
		inner(i);
	watch_end();
	stage = 0;
}

void __attribute__((noipa)) outer(int rounds)
{
	volatile long kept = rounds;

	middle(rounds);
	kept++;
}

int main(void)
{
	outer(6);
	return 0;
}
