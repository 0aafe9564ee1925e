/* Misses that can be compared exactly: built static and at fixed addresses, what is measured runs
 * with its code, its data and its stack at addresses that are the same modulo the largest way of
 * any cache (512 KiB), however large the rest of the program is; and before it runs, flush() has
 * put lines of its own in every way of I1, D1 and LL. Compare the functions measured_*. */
#include <stdint.h>
#include <stdio.h>

#define FIXED (1 << 20)
#define MEASURED __attribute__((noinline, noipa, section(".text.measured")))
#define FLUSH_BYTES (16 << 20)
#define ELEMENTS (1 << 16)

static struct {
	char flush[FLUSH_BYTES];
	int array[4 * ELEMENTS]; /* 1 MiB */
	uint32_t next[ELEMENTS];
	char odd[100000];
	char stack[65536];
} fixed __attribute__((aligned(FIXED)));

typedef long function(void);

/* 48 KiB of code without a jump, more than I1 holds: 6144 instructions of 8 bytes. A line each for
 * no more than 2 KiB of it: Valgrind forgets the line of anything longer than 4 KiB. */
#define NOP "nopl 0x12345678(%rax,%rax)\n\t"
#define NOPS_4 NOP NOP NOP NOP
#define NOPS_16 NOPS_4 NOPS_4 NOPS_4 NOPS_4
#define NOPS_64 NOPS_16 NOPS_16 NOPS_16 NOPS_16
#define NOPS_256 __asm__ volatile(NOPS_64 NOPS_64 NOPS_64 NOPS_64)

/* The first in its section: its alignment is the section's. */
MEASURED __attribute__((aligned(FIXED))) static long measured_code(void)
{
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	NOPS_256;
	return 1;
}

MEASURED static long flush(void)
{
	long sum = measured_code();

	for (int i = 0; i < FLUSH_BYTES; i += 64)
		sum += fixed.flush[i];
	return sum;
}

MEASURED static long measured_rows(void)
{
	long sum = 0;

	for (int i = 0; i < 512; i++)
		for (int j = 0; j < 512; j++)
			sum += fixed.array[i * 512 + j] += i;
	return sum;
}

MEASURED static long measured_columns(void)
{
	long sum = 0;

	for (int j = 0; j < 512; j++)
		for (int i = 0; i < 512; i++)
			sum += fixed.array[i * 512 + j] += i;
	return sum;
}

MEASURED static long measured_links(void)
{
	uint32_t x = 12345, at = 0;

	for (int i = 0; i < ELEMENTS; i++) {
		x = x * 1664525 + 1013904223;
		fixed.next[i] = x >> 16;
	}
	for (int i = 0; i < 100000; i++)
		at = (fixed.next[at] + (uint32_t)i) % ELEMENTS;
	return at;
}

MEASURED static long measured_straddles(void)
{
	struct __attribute__((packed)) {
		char before[13];
		uint64_t word;
	} *odd = (void *)fixed.odd;
	long sum = 0;

	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 4700; i++)
			sum += (long)(odd[i].word += (uint64_t)i);
	return sum;
}

MEASURED static long measured_recursion(int depth)
{
	volatile long frame[20];

	frame[depth % 20] = depth;
	return depth ? measured_recursion(depth - 1) + frame[depth % 20] : 0;
}

MEASURED static long measured_stack(void)
{
	return measured_recursion(200) + measured_recursion(150);
}

MEASURED static long measured_all(void)
{
	long sum = measured_code();

	sum += measured_rows();
	sum += measured_columns();
	sum += measured_code();
	sum += measured_links();
	sum += measured_straddles();
	sum += measured_stack();
	return sum + measured_code();
}

MEASURED static long flush_and_measure(void)
{
	return flush() + measured_all();
}

/* Calls f on the fixed stack. */
static long on_fixed_stack(function *f)
{
	long result;

	__asm__ volatile("mov %%rsp, %%rbx\n\t"
			 "mov %2, %%rsp\n\t"
			 "call *%1\n\t"
			 "mov %%rbx, %%rsp"
			 : "=a"(result)
			 : "r"(f), "r"(fixed.stack + sizeof fixed.stack)
			 : "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory",
			   "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
			   "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
	return result;
}

int main(void)
{
	printf("%ld\n", on_fixed_stack(flush_and_measure));
	return 0;
}
