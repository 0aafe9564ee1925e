/* String instructions with a rep prefix: each width, both directions, from anywhere to anywhere, so that lines begin
 * and end where they like, meet in a set, or are one. */
#include <stdint.h>
#include <stdio.h>

#define BYTES 16384
#define MOST 200

static unsigned char from[BYTES] __attribute__((aligned(4096))), to[BYTES] __attribute__((aligned(4096)));
static uint64_t seed = 1;

static uint64_t any(uint64_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % n;
}

/* Iterations that are left, or what was read. */
#define INSN(name, insn)                                                                                               \
	static uint64_t name(void *d, const void *s, uint64_t n, uint64_t a)                                           \
	{                                                                                                              \
		__asm__ volatile(insn : "+D"(d), "+S"(s), "+c"(n), "+a"(a)::"memory", "cc");                           \
		return n + a;                                                                                          \
	}                                                                                                              \
	static uint64_t back_##name(void *d, const void *s, uint64_t n, uint64_t a)                                    \
	{                                                                                                              \
		__asm__ volatile("std\n\t" insn "\n\tcld" : "+D"(d), "+S"(s), "+c"(n), "+a"(a)::"memory", "cc");       \
		return n + a;                                                                                          \
	}
#define WIDTHS(kind, prefix, insn)                                                                                     \
	INSN(kind##_1, prefix insn "b")                                                                                \
	INSN(kind##_2, prefix insn "w")                                                                                \
	INSN(kind##_4, prefix insn "l")                                                                                \
	INSN(kind##_8, prefix insn "q")
WIDTHS(movs, "rep ", "movs")
WIDTHS(stos, "rep ", "stos")
WIDTHS(lods, "rep ", "lods")
WIDTHS(cmps, "repe ", "cmps")
WIDTHS(scas, "repne ", "scas")

#define OF(kind)                                                                                                       \
	kind##_1, kind##_2, kind##_4, kind##_8, back_##kind##_1, back_##kind##_2, back_##kind##_4, back_##kind##_8
static uint64_t (*const all[])(void *, const void *, uint64_t, uint64_t) = {OF(movs), OF(stos), OF(lods), OF(cmps),
									      OF(scas)};

int main(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < 4000; i++) {
		uint64_t s = MOST * 8 + any(BYTES - 2 * MOST * 8), d = MOST * 8 + any(BYTES - 2 * MOST * 8);
		unsigned char *target = i % 3 ? to : from;

		if (i % 5 == 0)
			d = s % 4096 + MOST * 8;
		sum = sum * 31 + all[i % (sizeof all / sizeof *all)](target + d, from + s, any(MOST), i % 7);
	}
	printf("%lu\n", (unsigned long)sum);
	return 0;
}
