/* Which of the vector registers that planted code and stubs use are live: each row is a text, and for each of its
 * instructions that reads memory into %rax, one after the other, those that hold something there. */
#include "tests/instrument/assembling.h"

#include "instrument/liveness.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define COMPILED ".ident \"GCC\"\n.text\n"
#define F ".globl f\n.type f, @function\nf:\n"
#define G ".type g, @function\ng:\n"
#define HERE "mov (%rdi),%rax\n"

static const struct {
	const char *text;
	const char *live;
} rows[] = {
    {COMPILED F HERE "vpaddd %zmm1,%zmm2,%zmm28\n" HERE "vpaddd %zmm28,%zmm2,%zmm3\n" HERE "ret\n", "- zmm28 -"},
    {COMPILED F "vpaddd %ymm1,%ymm2,%ymm31\n" HERE "vmovdqu64 %ymm31,(%rsi)\n" HERE "ret\n", "zmm31 -"},
    {COMPILED F "vmovss (%rsi),%xmm29\n" HERE "vmovss %xmm29,(%rsi)\n" HERE "ret\n", "zmm29 -"},
    /* those that stubs do not use */
    {COMPILED F "vpaddd %zmm1,%zmm2,%zmm20\nkmovd %eax,%k3\n" HERE "vpaddd %zmm20,%zmm2,%zmm3{%k3}\nret\n", "-"},
    /* masks: what merges keeps what was there */
    {COMPILED F "kmovd %eax,%k6\n" HERE "vpaddd %zmm1,%zmm2,%zmm28{%k6}\n" HERE "vmovdqu64 %zmm28,(%rsi)\nret\n",
     "zmm28,k6 zmm28"},
    {COMPILED F "kmovd %eax,%k6\n" HERE "vpaddd %zmm1,%zmm2,%zmm28{%k6}{z}\n" HERE "vmovdqu64 %zmm28,(%rsi)\nret\n",
     "k6 zmm28"},
    {COMPILED F HERE "vpcmpeqd %zmm1,%zmm2,%k7\n" HERE "kmovd %k7,%eax\nret\n", "- k7"},
    {COMPILED F HERE "vpgatherdd (%rsi,%zmm29,4),%zmm2{%k7}\nret\n", "zmm29,k7"},
    /* the spare ones: SSE leaves upper halves as they are, AVX clears them, but for vzeroupper */
    {COMPILED F HERE "movapd %xmm1,%xmm14\n" HERE "movapd %xmm14,%xmm0\n" HERE "ret\n", "xmm14 xmm14 -"},
    {COMPILED F HERE "vmovapd %xmm1,%xmm14\n" HERE "vaddpd %xmm14,%xmm0,%xmm0\n" HERE "ret\n", "- xmm14 -"},
    {COMPILED F HERE "vcvtsi2sd %eax,%xmm15,%xmm15\n" HERE "vmovsd %xmm15,(%rsi)\n" HERE "ret\n", "xmm15 xmm15 -"},
    {COMPILED F "vmovapd %ymm1,%ymm15\n" HERE "vzeroupper\n" HERE "movapd %xmm15,%xmm0\n" HERE "ret\n",
     "xmm15 xmm15 -"},
    {COMPILED F HERE "vpgatherdd %xmm2,(%rsi,%xmm14,4),%xmm1\nret\n", "xmm14"},
    {COMPILED F "movapd %xmm1,%xmm14\n" HERE "call h@PLT\n" HERE "movapd %xmm14,%xmm0\nret\n", "- xmm14"},
    /* a loop */
    {COMPILED F "kmovd %eax,%k6\n.L1:\n" HERE "vmovdqu64 %zmm1,(%rsi){%k6}\n" HERE "dec %ecx\njne .L1\n" HERE "ret\n",
     "k6 k6 -"},
    /* calls: libc keeps nothing; a function of the unit may be known to leave a register alone */
    {COMPILED F "vpaddd %zmm1,%zmm2,%zmm28\n" HERE "call h@PLT\n" HERE "vpaddd %zmm28,%zmm2,%zmm3\nret\n", "- zmm28"},
    {COMPILED G HERE "ret\n" F "vpaddd %zmm1,%zmm2,%zmm28\ncall g\n" HERE "vpaddd %zmm28,%zmm2,%zmm3\nret\n", "zmm28 zmm28"},
    {COMPILED G HERE "ret\n" F "vpaddd %zmm1,%zmm2,%zmm28\ncall g\n" HERE "ret\n", "- -"},
    {COMPILED G "ret\n.p2align 4\n.type h, @function\nh:\n" HERE "ret\n" F "vpaddd %zmm1,%zmm2,%zmm28\ncall g\n" HERE
     "vpaddd %zmm28,%zmm2,%zmm3\nret\n", "- zmm28"},
    /* what is not understood may use them, but only where something does */
    {COMPILED F HERE "xsave (%rsi)\nkmovd %eax,%k6\nret\n", "zmm28,zmm29,zmm30,zmm31,k5,k6,k7"},
    {COMPILED F HERE "xbegin .L1\n.L1:\nret\n", "-"},
    {".text\n" F HERE "kmovd %eax,%k6\nret\n", "zmm28,zmm29,zmm30,zmm31,k5,k7"},
};

static const char *vectors_text(liveset live)
{
	static const char *const names[] = {"zmm28", "zmm29", "zmm30", "zmm31", "k5", "k6", "k7", "xmm14", "xmm15"};
	static char text[64];
	const char *between = "";

	strcpy(text, live & LIVE_VECTORS ? "" : "-");
	for (size_t i = 0; i < COUNT(names); i++)
		if (live >> LIVE_VECTOR >> i & 1) {
			strcat(strcat(text, between), names[i]);
			between = ",";
		}
	return text;
}

START_TEST(vectors)
{
	struct unit *unit = assembled(rows[_i].text);
	struct flow flow = {0};
	struct liveness live = {0};
	char got[512] = "";

	facts_find(unit);
	blocks_find(&flow, unit);
	liveness_find(&live, &flow, 0);
	for (size_t i = 0; i < unit->insns.n; i++) {
		const struct insn *insn = &unit->insns.at[i];

		if (insn->len == 3 && insn->bytes && !memcmp(insn->bytes, "\x48\x8b\x07", 3))
			strcat(strcat(got, *got ? " " : ""), vectors_text(live.before[i]));
	}
	ck_assert_str_eq(got, rows[_i].live);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("liveness");

	tcase_add_loop_test(tc, vectors, 0, COUNT(rows));
	return run_case(tc, "liveness");
}
