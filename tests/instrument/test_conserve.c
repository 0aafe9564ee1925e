/* Which blocks need no counter, and that what is derived for them is right: each row is a text, a run
 * through it as the numbers of its blocks, and how many of them are derived. */
#include "tests/instrument/assembling.h"

#include "instrument/conserve.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_BLOCKS 16

#define COMPILED ".ident \"GCC\"\n.text\n"
#define F ".globl f\n.type f, @function\nf:\n"
#define G ".type g, @function\ng:\n"
#define H ".type h, @function\nh:\n"
#define I ".type i, @function\ni:\n"
#define E ".type e, @function\ne:\n"

static const struct {
	const char *text;
	const char *run;
	unsigned derived;
} rows[] = {
    /* either way */
    {COMPILED F "test %eax,%eax\nje .L1\nnop\njmp .L2\n.L1:\nnop\nnop\n.L2:\nret\n", "0 1 3 0 2 3 0 2 3", 2},
    /* with padding that nothing falls into, which has no counter */
    {COMPILED F "test %eax,%eax\nje .L1\nnop\njmp .L2\n.p2align 4\n.L1:\nnop\nnop\n.L2:\nret\n", "0 1 4 0 3 4 0 3 4", 2},
    /* or none: the join is executed as often as the branch */
    {COMPILED F "test %eax,%eax\nje .L1\nnop\n.L1:\nret\n", "0 1 2 0 2 0 2", 1},
    /* a loop, and one in another */
    {COMPILED F "nop\n.L1:\ndec %eax\njne .L1\nret\n", "0 1 1 1 2 0 1 2", 1},
    {COMPILED F "nop\n.L1:\nnop\n.L2:\ndec %eax\njne .L2\ndec %ecx\njne .L1\nret\n",
     "0 1 2 2 3 1 2 3 1 2 3 4", 2},
    /* calls of what may not return, and of what does */
    {COMPILED F "nop\ncall g\nret\n", "0 0 0 1", 0},
    {COMPILED F "nop\ncall *%rax\nret\n", "0 0 1", 0},
    {COMPILED F "nop\ncall memcpy@PLT\nret\n", "0 1 0 1", 1},
    {COMPILED F "nop\ncall fwrite@PLT\nret\n", "0 0 1", 0},
    {COMPILED G "ret\n" F "call g\nret\n", "1 0 2 1 0 2", 1},
    {COMPILED G "call exit@PLT\nret\n" F "call g\nret\n", "2 0 1 3 2 0", 0},
    {COMPILED F "call g\nret\n" G "call h\nret\n.type h, @function\nh:\ntest %eax,%eax\nje .L1\nhlt\n.L1:\nret\n",
     "0 2 4 6 3 1 0 2 4 5", 1},
    {COMPILED F "nop\ntest %eax,%eax\nje exit\nnop\nret\n", "0 1 0", 0},
    /* a thunk's call is for the address that it pushes */
    {COMPILED G "call .L2\n.L1:\npause\njmp .L1\n.L2:\nmov %rax,(%rsp)\nret\n" F "call g\nret\n", "3 0 2 3 0 2 4", 0},
    {COMPILED G "nop\n.L1:\nmov %rax,(%rsp)\nret\n" F "call .L1\nret\n", "2 1", 0},
    /* what goes over to another stack, or returns by itself, in inline assembly */
    {COMPILED G "#APP\nmov %rax,%rsp\n#NO_APP\nret\n" F "call g\nret\n", "1 0 1 0", 0},
    {COMPILED G "#APP\ncmovne %rax,%rsp\n#NO_APP\nret\n" F "call g\nret\n", "1 0 1 0", 0},
    {COMPILED G "#APP\nret\n#NO_APP\n" F "call g\nret\n", "1 0 1 0", 0},
    {COMPILED G "#APP\nmov %rax,%rcx\n#NO_APP\nmov %rbp,%rsp\nret\n" F "call g\nret\n", "1 0 2", 1},
    /* ... waits for a system call, runs off its section, jumps away: for good, or as a call of libc would */
    {COMPILED G "syscall\nret\n" F "call g\nret\n", "2 0 2 0 1 3", 0},
    {COMPILED F "call g\nret\n" G "nop\n", "0 2 0 2", 0},
    {COMPILED F "call g\nret\n" G "test %eax,%eax\njne .L1\nret\n.L1:\nloop g\n", "0 2 3 1 0 2 4 2 4", 1},
    {COMPILED G "jmp exit@PLT\n" F "call g\nret\n", "1 0", 0},
    {COMPILED G "jmp memcpy@PLT\n" F "call g\nret\n", "1 0 2", 1},
    {COMPILED G "jmp *%rax\n" F "call g\nret\n", "1 0 1 0", 0},
    {COMPILED G "ud2\n" F "call g\nret\n", "1 0", 0},
    /* ... goes to what may not return: jumps there, falls into it, in a part elsewhere */
    {COMPILED H "call exit@PLT\nhlt\n" G "jmp h\n" F "call g\nret\n", "3 2 0", 0},
    {COMPILED H "call exit@PLT\nhlt\n" G "test %eax,%eax\nje h\nret\n" F "call g\nret\n", "4 2 3 5 4 2 0", 0},
    {COMPILED G "nop\n" H "call exit@PLT\nhlt\n" F "call g\nret\n", "3 0 1", 0},
    {COMPILED G "jmp .L1\n" F "call g\nret\n.section .text.unlikely,\"ax\"\n.type g.cold, @function\ng.cold:\n.L1:\n"
	      "call exit@PLT\n", "1 0 3", 0},
    {COMPILED ".weak h\n" H "ret\n" G "jmp h\n" F "call g\nret\n", "2 1 2 1", 0},
    {COMPILED ".weak g\n" G "ret\n" F "call g\nret\n", "1 0 1 0", 0},
    {COMPILED ".weak g\n" G "ret\n" H "test %eax,%eax\njne g\nret\n" F "call h\nret\n", "3 1 2 4 3 1", 0},
    /* ... or to what returns */
    {COMPILED H "ret\n" G "test %eax,%eax\nje h\nloop g\nret\n" F "call g\nret\n", "4 1 2 1 0 5 4 1 2 1 2 3 5 4 1 0 5", 1},
    {COMPILED G "call *memcpy@GOTPCREL(%rip)\nret\n" F "call g\nret\n", "2 0 1 3", 2},
    {COMPILED F "call g\nret\n" G "ret\n.p2align 4\n", "0 2 1", 1},
    /* control ends in an endless loop, for which one place in it does; or where a section does */
    {COMPILED F "nop\n.L1:\nnop\njmp .L1\n", "0 1 1 1", 0},
    {COMPILED F "nop\n.L1:\ntest %eax,%eax\nje .L2\nnop\njmp .L1\n.L2:\nnop\njmp .L1\n", "0 1 2 1 3 1 3", 1},
    {COMPILED F "nop\n.L1:\nnop\n.L2:\ndec %eax\njne .L2\njmp .L1\n", "0 1 2 2 2 3 1 2 3", 1},
    {COMPILED G "nop\n.L1:\nnop\njmp .L1\n" F "call g\n", "2 0 1 1", 0},
    {COMPILED G "test %eax,%eax\nje .L1\nret\n.L1:\nnop\njmp .L1\n" F "call g\nret\n", "3 0 1 4 3 0 2 2", 0},
    {COMPILED G "ret\n" F "call g\n", "1 0", 0},
    /* in a recursion calls are not come back from; those that are made in it, and of what leads to it, are */
    {COMPILED F "test %eax,%eax\nje .L1\ncall f\nnop\n.L1:\nret\n", "0 1 0 1 0 3", 1},
    {COMPILED F "call g\nret\n" G "test %eax,%eax\nje .L1\ncall h\nnop\n.L1:\nret\n" H "call i\ncall g\nret\n"
	      I "ret\n" E "call f\nret\n", "10 0 2 3 6 9 7 2 5 8 4 5 1 11 0 2 3 6 9 7 2 5", 3},
    /* ... nor where one half of it is a jump; nor between two */
    {COMPILED F "call g\nret\n" G "test %eax,%eax\njne f\nret\n", "0 2 0 2 0 2 3", 0},
    {COMPILED F "call f\ncall g\nret\n" G "call h\nret\n" H "call h\nret\n", "0 0 0", 0},
    /* from a part to the whole is no recursion; back to it by another function is */
    {COMPILED F "call g\nret\n" G "test %eax,%eax\nje .L1\n.L0:\nret\n"
	      ".section .text.unlikely,\"ax\"\n.type g.cold, @function\ng.cold:\n.L1:\nnop\njmp .L0\n", "0 2 4 3 1 0 2 3 1", 1},
    {COMPILED F "call g\nret\n" G "test %eax,%eax\nje .L1\n.L0:\nret\n.globl k\n.set k, g\n"
	      ".section .text.unlikely,\"ax\"\n.type g.cold, @function\ng.cold:\n.L1:\nnop\njmp .L0\n", "0 2 4 3 1 0 2 3 1", 1},
    {COMPILED H "call g\nret\n" G "test %eax,%eax\nje .L1\n.L0:\nret\n" F "call g\nret\n"
	      ".section .text.unlikely,\"ax\"\n.type g.cold, @function\ng.cold:\n.L1:\ncall h\njmp .L0\n",
     "4 2 6 0 2 3 1 7 3 5 4 2 6 0 2", 0},
    /* a label that a table names, one with a name of its own */
    {COMPILED F "jmp *t(,%rax,8)\n.L1:\nnop\n.L2:\nret\n.data\nt: .quad .L1, .L2\n", "0 1 2 0 2", 0},
#define TABLE "t: .quad .L1, .L2\n"
    {COMPILED F "jmp *t(,%rax,8)\n.L1:\nnop\n.L2:\nret\n.section .rodata\n.pushsection .debug_x\n.popsection\n" TABLE,
     "0 1 2 0 2", 0},
    {COMPILED F "jmp *t(,%rax,8)\n.L1:\nnop\n.L2:\nret\n.section .debug_x\n.pushsection .rodata\n" TABLE, "0 1 2 0 2", 0},
    {COMPILED F "jmp *t(,%rax,8)\n.L1:\nnop\n.L2:\nret\n.section .debug_x\n.data\n" TABLE, "0 1 2 0 2", 0},
    {COMPILED F "jmp *t(,%rax,8)\n.L1:\nnop\n.L2:\nret\n.section .rodata\n.section .debug_x\n.previous\n" TABLE,
     "0 1 2 0 2", 0},
    /* places that have none */
    {COMPILED F "test %eax,%eax\njne .+3\nnop\nret\n", "0 1 2 0 2", 1},
    {COMPILED F "lea .+10(%rip),%rax\njmp *%rax\nnop\nnop\nret\n", "0 2 0 2", 1},
    {COMPILED F "nop\n.globl inside\ninside:\nret\n", "0 1 1 1", 0},
    {COMPILED F "nop\ninside:\nret\n", "0 1 1 1", 0},
    {COMPILED F "nop\n.type .Lh, @function\n.Lh:\nret\n.data\n.quad .Lh\n", "0 1 1 1", 0},
    /* ... and one that a table names outside of all functions */
    {COMPILED "nop\n.L1:\nret\n" F "ret\n.data\n.quad .L1\n", "0 1 1 1 2", 0},
    /* out of the midst of a statement, and behind one that ends in a call */
    {".macro m\nje .+5\nnop\n.endm\n" COMPILED F "m\njmp .L2\n.L1:\nnop\n.L2:\nret\n", "0 1 2 0 2", 0},
    {".macro m\nje .L1\ncall g\n.endm\n" COMPILED G "ret\n" F "m\nnop\nret\n.L1:\nret\n", "1 0 2 1 3", 0},
    /* written by hand */
    {".text\n" F "test %eax,%eax\nje .L1\nnop\n.L1:\nret\n", "0 1 2 1 2", 0},
    /* sections have tables of their own */
    {COMPILED F "test %eax,%eax\nje .L1\nnop\n.L0:\nret\n.section .text.unlikely,\"ax\"\n.L1:\nnop\njmp .L0\n",
     "0 1 2 0 3 2", 0},
};

static void count_run(const char *run, int *executions)
{
	char *end;

	while (*run) {
		executions[strtol(run, &end, 10)]++;
		run = end;
	}
}

/* uncounted: a block that cannot have a counter, or NO_BLOCK. */
static void check_derived(const char *text, const char *run, unsigned wanted, uint32_t uncounted)
{
	struct unit *unit = assembled(text);
	struct flow flow = {0};
	struct conserved conserved;
	uint32_t counter[MAX_BLOCKS];
	int executions[MAX_BLOCKS] = {0};
	unsigned derived = 0;

	facts_find(unit);
	blocks_find(&flow, unit);
	ck_assert_uint_le(flow.blocks.n, MAX_BLOCKS);
	for (uint32_t i = 0; i < flow.blocks.n; i++)
		counter[i] = flow.blocks.at[i].reachable && i != uncounted ? i : UINT32_MAX;
	count_run(run, executions);
	for (size_t i = flow.blocks.n; i < MAX_BLOCKS; i++)
		ck_assert_int_eq(executions[i], 0);
	conserve_find(&conserved, &flow, counter, false, false);
	for (size_t s = 0; s < unit->sections.n; s++) {
		const struct derivations *d = &conserved.sections[s];

		for (size_t k = 0; k < d->blocks.n; k++) {
			const struct derivation *of = &d->blocks.at[k];
			int sum = 0;

			for (uint32_t t = of->first; t < of->first + of->n; t++) {
				const struct term *term = &d->terms.at[t];

				ck_assert_uint_le(conserved.derived[term->block], k);
				sum += term->minus ? -executions[term->block] : executions[term->block];
			}
			ck_assert_int_eq(sum, executions[of->block]);
			ck_assert_uint_eq(conserved.derived[of->block], k + 1);
			derived++;
		}
	}
	ck_assert_uint_eq(derived, wanted);
}

START_TEST(derives)
{
	check_derived(rows[_i].text, rows[_i].run, rows[_i].derived, NO_BLOCK);
}
END_TEST

START_TEST(uncounted)
{
	check_derived(COMPILED F "test %eax,%eax\nje .L1\nnop\nret\n.L1:\nret\n", "0 1 0 2 0 2", 0, 1);
	check_derived(COMPILED F "test %eax,%eax\nje .L1\nnop\njmp .L2\n.L1:\nnop\n.L2:\nret\n", "0 1 3 0 2 3", 0, 1);
}
END_TEST

/* A function that another module may replace may not return. */
START_TEST(replaced)
{
	struct unit *unit = assembled(COMPILED ".globl g\n" G "ret\n" F "call g@PLT\nret\n");
	struct flow flow = {0};
	struct conserved conserved;
	const uint32_t counter[] = {0, 1, 2};

	facts_find(unit);
	blocks_find(&flow, unit);
	conserve_find(&conserved, &flow, counter, false, false);
	ck_assert_uint_eq(conserved.sections[0].blocks.n, 1);
	conserve_find(&conserved, &flow, counter, true, false);
	ck_assert_uint_eq(conserved.sections[0].blocks.n, 0);
	flow.blocks.at[1].replaceable = false; /* as of a function that no other module sees */
	conserve_find(&conserved, &flow, counter, true, false);
	ck_assert_uint_eq(conserved.sections[0].blocks.n, 1);
}
END_TEST

/* From a plain copy control may come behind a call of any function but libc's. */
START_TEST(copied)
{
	struct unit *unit = assembled(COMPILED G "ret\n" F "call g\ncall memcpy@PLT\nret\n");
	struct flow flow = {0};
	struct conserved conserved;
	const uint32_t counter[] = {0, 1, 2, 3};

	facts_find(unit);
	blocks_find(&flow, unit);
	conserve_find(&conserved, &flow, counter, false, false);
	ck_assert_uint_eq(conserved.sections[0].blocks.n, 2);
	conserve_find(&conserved, &flow, counter, false, true);
	ck_assert_uint_eq(conserved.sections[0].blocks.n, 1);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("conserve");

	tcase_add_loop_test(tc, derives, 0, COUNT(rows));
	tcase_add_test(tc, uncounted);
	tcase_add_test(tc, replaced);
	tcase_add_test(tc, copied);
	return run_case(tc, "conserve");
}
