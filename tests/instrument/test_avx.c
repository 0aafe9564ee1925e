/* Where the processor is known to have AVX: each row is a text, and for each of its blocks whether it is so there (+). */
#include "tests/instrument/assembling.h"

#include "instrument/avx.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define COMPILED ".ident \"GCC\"\n.text\n"
#define BY_HAND ".text\n"
#define F ".globl f\n.type f, @function\nf:\n"
#define END ".size f,.-f\n"
#define ASM(text) "#APP\n" text "#NO_APP\n"

static const struct {
	const char *text, *has;
} rows[] = {
	{COMPILED F "je .L1\nnop\n.L1:\nret\n", "---"},
	/* what a compiler uses in a part of a function it may use everywhere in it, and in no other one */
	{COMPILED F "je .L1\nvmovaps %xmm0,%xmm1\n.L1:\nret\n", "+++"},
	{COMPILED F "vmovaps %xmm0,%xmm1\nret\n" END ".type g, @function\ng:\nret\n", "+-"},
	/* inline assembly only where it is, and where all ways have come through it */
	{COMPILED F "je .L1\n" ASM("vmovaps %xmm0,%xmm1\n") ".L1:\nret\n", "-+-"},
	{COMPILED F "je .L1\n" ASM("vmovaps %xmm0,%xmm1\n") "jmp .L2\n.L1:\nret\n.L2:\nje .L3\nnop\n.L3:\nret\n", "-+-+++"},
	{COMPILED F "nop\n" ASM("1:\nvmovaps %xmm0,%xmm1\ndec %eax\njne 1b\n") "je .L1\nnop\n.L1:\nret\n", "-++++"},
	{COMPILED F "nop\n.L1:\ntest %eax,%eax\nje .L2\n" ASM("vmovaps %xmm0,%xmm1\n") "jmp .L1\n.L2:\nret\n", "--+-"},
	/* general registers need no AVX */
	{COMPILED F ASM("andn %eax,%ecx,%edx\n") "ret\n", "-"},
	/* behind calls it is still so; not where control may come from elsewhere */
	{COMPILED F ASM("vmovaps %xmm0,%xmm1\n") "call g\nret\n", "++"},
	{COMPILED F ASM("vmovaps %xmm0,%xmm1\n") "je .L1\nret\n" END ".type g, @function\ng:\n.L1:\nret\n", "++-"},
	{COMPILED F "jmp *.L5(,%rdi,8)\n.L1:\n" ASM("vmovaps %xmm0,%xmm1\n") "je .L2\n.L2:\nret\n"
	 ".section .rodata\n.L5: .quad .L1, .L2\n", "-+-"},
	/* by hand, one function for several processors */
	{BY_HAND F "je 1f\nmovaps %xmm0,%xmm1\nret\n1:\nvmovaps %xmm0,%xmm1\nje 2f\nnop\n2:\nret\n", "--+++"},
};

START_TEST(blocks)
{
	struct unit *unit = assembled(rows[_i].text);
	struct flow flow = {0};
	char text[64];
	bool *has;

	facts_find(unit);
	blocks_find(&flow, unit);
	ck_assert_uint_lt(flow.blocks.n, sizeof text);
	has = xalloc(flow.blocks.n, sizeof *has);
	avx_find(has, &flow);
	for (size_t i = 0; i < flow.blocks.n; i++)
		text[i] = has[i] ? '+' : '-';
	text[flow.blocks.n] = '\0';
	ck_assert_str_eq(text, rows[_i].has);
	free(has);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("avx");

	tcase_add_loop_test(tc, blocks, 0, COUNT(rows));
	return run_case(tc, "avx");
}
