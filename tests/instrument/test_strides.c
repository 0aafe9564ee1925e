/* Which loops of one block run without checks: each row is a loop's text, and what it refers to, reference by
 * reference, where an iteration begins and how far it goes on, and how many groups these are; or that it is none of
 * them. rbx ends it. */
#include "tests/instrument/assembling.h"

#include "include/site.h"
#include "instrument/blocks.h"
#include "instrument/loops.h"
#include "instrument/strides.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define NONE "none"
#define EIGHT(text) text text text text text text text text

static const struct {
	const char *body, *told;
	unsigned checked;
} rows[] = {
	/* one, up and down, and its twin */
	{"movl (%rdi), %eax\nadd $4, %rdi\n", "rdi+0 4", 32},
	{"movl (%rdi), %eax\nsub $8, %rdi\n", "rdi+0 -8", 16},
	{"movl 4(%rdi), %eax\nlea 8(%rdi), %rdi\nmovl %eax, -4(%rdi)\n", "rdi+4 8, rdi+4 8 twin", 16},
	{"incb (%rdi)\ninc %rdi\n", "rdi+0 1", 32},
	/* by an index, and by a copy of a register */
	{"movb (%rsi,%rcx), %al\nmovb %al, (%rdi,%rcx)\ninc %rcx\n", "rsi+0+rcx*1 1, rdi+0+rcx*1 1", 32},
	{"addq table(,%rcx,8), %rax\nadd $2, %rcx\n", "0+rcx*8 16", 8},
	{"mov %rdi, %rdx\nadd $8, %rdi\nmovq 8(%rdx), %rax\n", "rdi+8 8", 16},
	/* of other sizes, but with the same step */
	{"movb 3(%rdi), %al\nmovups (%rsi), %xmm0\nadd $16, %rsi\nadd $16, %rdi\n", "rdi+3 16, rsi+0 16", 8},
	/* several with a step of a line, or with longer ones, or different ones */
	{"movq (%rdi), %rax\nmovq (%rsi), %rax\nadd $64, %rdi\nadd $64, %rsi\n", "rdi+0 64, rsi+0 64", 4},
	{"vmovups (%rdi), %zmm0\nvmovups (%rsi), %zmm0\nadd $64, %rdi\nadd $64, %rsi\n",
	 "rdi+0 64, rsi+0 64", 4},
	{"movq (%rdi), %rax\nmovq (%rsi), %rax\nadd $72, %rdi\nadd $72, %rsi\n", NONE, 0},
	{"movq (%rdi), %rax\nmovq (%rsi), %rax\nadd $8, %rdi\nadd $16, %rsi\n", NONE, 0},
	/* fields, in groups; no field */
	{"movq (%rdi), %rax\nmovq 8(%rdi), %rdx\nadd $24, %rdi\n", "rdi+0 24, rdi+8 24; 1", 16},
	{"movb (%rdi), %al\nmovb 2(%rdi), %dl\nsub $3, %rdi\n", "rdi+0 -3, rdi+2 -3; 1", 16},
	{"movq (%rdi), %rax\nmovl 4(%rdi), %edx\nadd $24, %rdi\n", "rdi+0 24, rdi+4 24; 1", 16},
	{"movq (%rdi), %rax\nmovl (%rdi), %edx\nsub $24, %rdi\n", "rdi+0 -24, rdi+0 -24; 1", 16},
	{"movq (%rdi), %rax\nmovq 24(%rdi), %rdx\nadd $24, %rdi\n", "rdi+0 24, rdi+24 24; 1", 16},
	{"movq (%rdi), %rax\nmovq 8(%rsi), %rdx\nadd $24, %rdi\nadd $24, %rsi\n", "rdi+0 24, rsi+8 24", 5},
	{"movq (%rdi), %rax\nmovq 8(%rdi), %rdx\nadd $32, %rdi\n", "rdi+0 32, rdi+8 32; 1", 4},
	/* an unrolled loop, or fields, that come to each line: with gaps of no line */
	{"vmovups 64(%rdi), %zmm1\nvmovups (%rdi), %zmm0\nvmovups %zmm0, 64(%rdi)\nadd $128, %rdi\n",
	 "rdi+64 128, rdi+0 128, rdi+64 128 twin; 1", 16},
	{"vmovups 64(%rdi), %zmm1\nvmovups (%rdi), %zmm0\nvmovups %zmm0, (%rsi)\nvmovups %zmm1, 64(%rsi)\n"
	 "add $128, %rdi\nadd $128, %rsi\n",
	 "rdi+64 128, rdi+0 128, rsi+0 128, rsi+64 128; 2", 16},
	{"movq (%rdi), %rax\nmovq 71(%rdi), %rdx\nadd $128, %rdi\n", "rdi+0 128, rdi+71 128; 1", 16},
	{"movq (%rdi), %rax\nmovq 72(%rdi), %rdx\nadd $128, %rdi\n", NONE, 0},
	{"movq 72(%rdi), %rax\nmovq (%rdi), %rdx\nadd $128, %rdi\n", NONE, 0},
	{"movq 72(%rdi), %rax\nmovq 36(%rdi), %rcx\nmovq %rcx, (%rdi)\nsub $128, %rdi\n",
	 "rdi+72 -128, rdi+36 -128, rdi+0 -128; 1", 16},
	{"movq (%rdi), %rax\nmovq 57(%rdi), %rdx\nadd $128, %rdi\n", "rdi+0 128, rdi+57 128; 1", 16},
	{"movq (%rdi), %rax\nmovq 56(%rdi), %rdx\nadd $128, %rdi\n", NONE, 0},
	/* several groups; in one place, too, if these are never in one set at the same time; no group where no two
	 * references are in one */
	{"movq (%rdi), %rax\naddq 8(%rdi), %rax\nmovq %rax, (%rsi)\nadd $16, %rdi\nadd $16, %rsi\n",
	 "rdi+0 16, rdi+8 16, rsi+0 16; 2", 8},
	{"movups 16(%rdi), %xmm0\nmovups (%rsi), %xmm0\nmovups (%rdi), %xmm0\nadd $-32, %rdi\nadd $-32, %rsi\n",
	 "rdi+16 -32, rsi+0 -32, rdi+0 -32; 2", 4},
	{"movq (%rdi), %rax\naddq 8(%rdi), %rax\nmovq 400(%rdi), %rcx\nadd $8, %rdi\n",
	 "rdi+0 8, rdi+8 8, rdi+400 8; 2", 16},
	{"movq (%rdi), %rax\naddq 8(%rdi), %rax\nmovq 4111(%rdi), %rcx\nadd $8, %rdi\n",
	 "rdi+0 8, rdi+8 8, rdi+4111 8", 16},
	{"movq (%rdi), %rax\nmovq 71(%rdi), %rdx\nmovq (%rsi), %rcx\nadd $8, %rdi\nadd $8, %rsi\n",
	 "rdi+0 8, rdi+71 8, rsi+0 8; 2", 16},
	{"movq (%rdi), %rax\nmovq 72(%rdi), %rdx\nmovq (%rsi), %rcx\nadd $8, %rdi\nadd $8, %rsi\n",
	 "rdi+0 8, rdi+72 8, rsi+0 8", 16},
	{"movq (%rdi), %rax\nmovq 8(%rdi), %rdx\nmovq %rax, (%rsi)\nadd $24, %rdi\nadd $24, %rsi\n",
	 "rdi+0 24, rdi+8 24, rsi+0 24; 2", 16},
	{"movq (%rdi), %rax\nmovq 8(%rdi), %rdx\nmovq %rax, (%rsi)\nadd $24, %rdi\nadd $16, %rsi\n", NONE, 0},
	/* ... nine references, of eight lines; not seventeen, or of nine lines, or by a register */
	{"movb (%rdi), %al\nmovb 1(%rdi), %al\nmovb 2(%rdi), %al\nmovb 3(%rdi), %al\nmovb 4(%rdi), %al\n"
	 "movb 5(%rdi), %al\nmovb 6(%rdi), %al\nmovb 7(%rdi), %al\nmovb %al, (%rdi)\nadd $7, %rdi\n",
	 "rdi+0 7, rdi+1 7, rdi+2 7, rdi+3 7, rdi+4 7, rdi+5 7, rdi+6 7, rdi+7 7, "
	 "rdi+0 7 twin; 1", 16},
	{EIGHT("movb (%rdi), %al\n") EIGHT("movb (%rdi), %al\n") "movb (%rdi), %al\nadd $7, %rdi\n", NONE, 0},
	{"movq (%rdi), %rax\nmovq 8(%rdi), %rdx\nadd $72, %rdi\n", NONE, 0},
	{"movq (%rdi), %rax\nmovq 8(%rdi), %rdx\nadd %rsi, %rdi\n", NONE, 0},
	/* a far one alone, or with a near one beside it */
	{"movq (%rdi), %rax\nadd $4160, %rdi\n", "rdi+0 4160", 8},
	{"movq (%rdi), %rax\nadd %rsi, %rdi\n", "rdi+0 rsi*1", 8},
	{"movq (%rdi,%rcx,8), %rax\nadd %rsi, %rcx\n", "rdi+0+rcx*8 rsi*8", 8},
	{"movq (%rdi), %rax\nimul (%rdx), %rax\nadd %rsi, %rdi\nadd $8, %rdx\n", "rdi+0 rsi*1, rdx+0 8", 8},
	{"movq (%rdi), %rax\naddq %rax, (%rdx)\nadd $2400, %rdi\n", "rdi+0 2400, rdx+0 0", 8},
	/* whose lines are all of one set */
	{"movq (%rdi), %rax\nadd $4096, %rdi\n", "rdi+0 4096", 32},
	{"movq (%rdi), %rax\nsub $8192, %rdi\n", "rdi+0 -8192", 32},
	{"movq (%rdi), %rax\nmovb (%rdx), %cl\nadd $4096, %rdi\ninc %rdx\n", "rdi+0 4096, rdx+0 1", 32},
	{"movq (%rdi), %rax\nmovq (%rsi), %rax\nadd $4096, %rdi\nadd $4096, %rsi\n", NONE, 0},
	/* not if the near one is long, or its step is no part of a line, or the step changes */
	{"movq (%rdi), %rax\nmovups (%rdx), %xmm0\nadd $2400, %rdi\nadd $16, %rdx\n", NONE, 0},
	{"movq (%rdi), %rax\nmovq (%rdx), %rax\nadd $2400, %rdi\nadd $24, %rdx\n", NONE, 0},
	{"movq (%rdi), %rax\nadd %rsi, %rdi\ninc %rsi\n", NONE, 0},
	{"add %rsi, %rdi\nmovq (%rdi), %rax\n", NONE, 0},
	/* always at the same place, at places that are read, in steps, at none */
	{"movq (%rdi), %rax\n", NONE, 0},
	{"movq (%rdi), %rdi\n", NONE, 0},
	{"movq (%rdi), %rax\nadd $4, %rdi\nmovq (%rdi), %rax\nadd $4, %rdi\n", NONE, 0},
	{"addl $4, %edi\nmovb (%rdi), %al\n", NONE, 0},
	{"add %rsi, %rdi\n", NONE, 0},
	/* of a thread, by the place of the instruction, by a push, by a string instruction */
	{"movb %fs:(%rdi), %al\ninc %rdi\n", NONE, 0},
	{"movb table(%rip), %al\ninc %rdi\n", NONE, 0},
	{"push %rax\npop %rax\n", NONE, 0},
	{"movsb\n", NONE, 0},
	/* what cannot stand twice */
	{"1:\nmovb (%rdi), %al\ninc %rdi\n.pushsection .data\n.quad 1b\n.popsection\n", NONE, 0},
	{"movb (%rdi), %al\n.cfi_remember_state\n.cfi_restore_state\ninc %rdi\n", NONE, 0},
	{"movb (%rdi), %al\n.p2align 5\ninc %rdi\n", NONE, 0},
	{"movb (%rdi), %al\n.loc 1 2\ninc %rdi\n", "rdi+0 1", 32},
};

struct found {
	struct strides strides;
	uint32_t block;
};

/* In the loop, which a register counts. */
static struct found find(const char *body)
{
	char *text = xasprintf(".file 1 \"t.c\"\n.text\n.type f,@function\nf:\n.cfi_startproc\nmov $9, %%ebx\n"
			       ".Lloop:\n%sdec %%rbx\njne .Lloop\nret\n.cfi_endproc\n.comm table,64\n"
			       ".ident \"a compiler\"\n", body);
	struct unit *unit = assembled(text);
	struct flow flow = {0};
	struct liveness live = {0};
	struct planned planned = {0};
	struct loops loops;
	struct found f = {.block = NO_BLOCK};
	uint32_t *place;

	facts_find(unit);
	blocks_find(&flow, unit);
	liveness_find(&live, &flow, 0);
	groups_find(&planned, &flow, &live);
	loops_none(&loops, &flow);
	place = xalloc(flow.blocks.n, sizeof *place);
	for (uint32_t i = 0; i < flow.blocks.n; i++) {
		place[i] = flow.blocks.at[i].first;
		if (flow.blocks.at[i].target == i) {
			loops.counter[i] = R11;
			f.block = i;
		}
	}
	strides_find(&f.strides, &flow, &live);
	strides_keep(&f.strides, &flow, &planned, &loops, place);
	return f;
}

static void print_stride(FILE *out, const struct strided_ref *r)
{
	const struct address *at = &r->planned.at;

	if (at->base != REG_NONE)
		print_register(out, at->base);
	fprintf(out, "%s%lld", at->base != REG_NONE ? "+" : "", (long long)at->disp);
	if (at->index != REG_NONE) {
		fputc('+', out);
		print_register(out, at->index);
		fprintf(out, "*%u", at->scale);
	}
	if (r->by == REG_NONE) {
		fprintf(out, " %lld", (long long)r->step);
	} else {
		fputc(' ', out);
		print_register(out, r->by);
		fprintf(out, "*%u", r->times);
	}
	if (r->twin)
		fputs(" twin", out);
}

static char *told(const struct stride *loop, const struct strides *strides)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!loop)
		fputs(NONE, out);
	for (uint32_t i = 0; loop && i < loop->n_refs; i++) {
		fputs(i ? ", " : "", out);
		print_stride(out, &strides->refs.at[loop->first_ref + i]);
	}
	if (loop && loop->groups)
		fprintf(out, "; %u", loop->groups);
	fclose(out);
	return text;
}

START_TEST(loops_that_go_on_by_constants)
{
	struct found f = find(rows[_i].body);
	const struct stride *loop = f.block == NO_BLOCK ? NULL : stride_of(&f.strides, f.block);

	ck_assert_str_eq(told(loop, &f.strides), rows[_i].told);
	if (loop)
		ck_assert_uint_eq(loop->checked, rows[_i].checked);
}
END_TEST

/* A loop that nothing counts is none. */
START_TEST(loops_that_no_register_counts)
{
	struct found f = find(rows[0].body);
	struct strides none = {0};

	ck_assert_ptr_nonnull(stride_of(&f.strides, f.block));
	ck_assert_ptr_null(stride_of(&none, f.block));
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("strides");

	tcase_add_loop_test(tcase, loops_that_go_on_by_constants, 0, COUNT(rows));
	tcase_add_test(tcase, loops_that_no_register_counts);
	return run_case(tcase, "strides");
}
