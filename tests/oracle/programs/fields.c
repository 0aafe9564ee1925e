/* Several fields within 16 bytes, or within a line's length, referred to in any order, of structures that lie anywhere
 * and are rarely in D1: which of the references misses a line depends on where the structure begins. Each piece of
 * assembly is a block. With WAITING a vector register that stubs use has a value of the program's meanwhile. */
#include <stdint.h>

#ifdef WAITING
#define LAST "\n\tvmovd %%xmm29,%%eax"
#else
#define LAST
#endif

#define SIZE (1 << 20) /* bytes */

static _Alignas(64) char memory[SIZE + 8192];
static _Alignas(64) __thread volatile char own[256];
__attribute__((used)) static _Alignas(64) char named_memory[8192] __asm__("named_memory");

/* In a structure further on each time. */
#define REFER(...) \
	do { \
		__asm__ volatile(__VA_ARGS__ LAST "\n\tjmp 1f\n1:" : : "r"(p), "r"(n) : "rax", "memory"); \
		p += 448; \
	} while (0)

/* Upwards, downwards, from the midst; in two lines; in the lines of those within 64 bytes, but further away; in turn, in
 * lines that share a set of a cache of 512 bytes. */
#define ORDERS(AT) \
	do { \
		REFER("mov " AT ",%%rax; mov 24" AT ",%%rax; mov 40" AT ",%%rax; mov %%eax,56" AT); \
		REFER("mov 56" AT ",%%rax; mov %%rax,40" AT "; mov 16" AT ",%%rax; mov " AT ",%%rax"); \
		REFER("mov 28" AT ",%%eax; mov 4" AT ",%%rax; mov 52" AT ",%%rax; mov 28" AT ",%%al; mov %%rax,20" AT); \
		REFER("mov 2" AT ",%%ax; mov 20" AT ",%%rax; mov 44" AT ",%%al; mov 60" AT ",%%eax"); \
		REFER("mov 16" AT ",%%ax; mov 72" AT ",%%rax; mov 44" AT ",%%rax; mov 1" AT ",%%al; mov 62" AT ",%%ax"); \
		REFER("mov 40" AT ",%%ax; mov -8" AT ",%%rax; mov 21" AT ",%%rax; mov 3" AT ",%%al; mov 60" AT ",%%al"); \
		REFER("mov 900" AT ",%%ax; mov 20" AT ",%%rax; mov " AT ",%%rax; mov 33" AT ",%%al; mov 950" AT ",%%al"); \
		REFER("mov 8" AT ",%%eax; mov " AT ",%%ax; mov %%al,12" AT "; mov 4" AT ",%%ax"); \
		REFER("mov 4" AT ",%%eax; mov 516" AT ",%%rax; mov 8" AT ",%%al; mov %%eax,524" AT); \
		REFER("mov " AT ",%%eax; mov 20" AT ",%%al; mov 12" AT ",%%eax"); \
		REFER("mov 20" AT ",%%ax; mov 22" AT ",%%rax; mov 30" AT ",%%al"); \
		REFER("mov 4" AT ",%%eax; mov 12" AT ",%%al; mov 2" AT ",%%al; mov 64" AT ",%%al; mov 3" AT ",%%rax"); \
	} while (0)
/* The line's bound is so many bytes behind the first field. */
#define NAMED(bound) \
	REFER("mov named_memory+40+64-" bound "(%%rip),%%rax; mov named_memory+12+64-" bound "(%%rip),%%rax\n\t" \
	      "mov %%al,named_memory+60+64-" bound "(%%rip); mov named_memory+28+64-" bound "(%%rip),%%eax")

__attribute__((noipa)) static void fields(char *p, uint64_t n)
{
	ORDERS("(%0)");
}

__attribute__((noipa)) static void indexed(char *p, uint64_t n)
{
	ORDERS("(%0,%1,8)");
}

__attribute__((noipa)) static void named(char *p, uint64_t n)
{
	NAMED("64");
	NAMED("44+1024");
	NAMED("30+2048");
	NAMED("52+3072");
	REFER("mov named_memory+4152(%%rip),%%eax; mov named_memory+4164(%%rip),%%al; mov named_memory+4158(%%rip),%%al");
}

__attribute__((noipa)) static int locals(void)
{
	return own[200] + own[180] + own[220] + own[160] + own[190];
}

int main(void)
{
	int sum = 0;

	for (uint64_t i = 0; i < 6000; i++) {
		uint64_t at = i * 2477 % SIZE;

		fields(memory + 64 + at, 0);
		fields(memory + 64 + (SIZE - 1 - at) / 4096 * 4096 + i % 64, 0);
		indexed(memory + 64 + at / 2, at / 16);
		if (i % 16 == 0) {
			named(memory, 0);
			sum += locals();
		}
	}
	return sum;
}
