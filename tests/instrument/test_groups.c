/* Which references are checked together: each row is a text, and its clusters: registers, displacement and bytes, with
 * two checks (wide, and for how many references) or one. Those of one point stand together; behind them is the number
 * of its instruction, if that is not the first. */
#include "tests/instrument/assembling.h"

#include "instrument/groups.h"
#include "instrument/sequence.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define F ".ident \"GCC\"\n.text\n.globl f\n.type f, @function\nf:\n"
#define FOUR(x) x x x x
#define MOVE "mov %r8,%r8\n"
#define SIXTY FOUR(FOUR(MOVE MOVE MOVE) MOVE MOVE MOVE)
#define PUSHES "push %r15\npush %r14\npush %r13\npush %r12\npush %rbp\npush %rbx\n"

static const struct {
	const char *text;
	const char *clusters;
} rows[] = {
    {F "mov (%rdi),%eax\nmov 4(%rdi),%ecx\nud2\n", "rdi+0:8."},
    /* ... that lie as 16 aligned bytes do, the stack behind a return address */
    {F "mov 8(%rdi),%rax\nmov 16(%rdi),%rcx\nud2\n", "rdi+8:8 rdi+16:8."},
    {F "mov -8(%rdi),%rax\nmov -16(%rdi),%rcx\nud2\n", "rdi-16:16."},
    {F "mov 4(%rdi,%rsi),%eax\nmov 12(%rdi,%rsi),%ecx\nmov 16(%rdi,%rsi),%edx\nud2\n", "rdi,rsi+4:12 rdi,rsi+16:4."},
    {F "push %rbp\npush %rbx\npush %r12\nud2\n", "rsp-8:8 rsp-24:16."},
    {F "mov (%rsp),%rax\nmov 8(%rsp),%rcx\nud2\n", "rsp+0:8 rsp+8:8."},
    {F "test %edi,%edi\nje .L1\n.L1:\nmov (%rsp),%rax\nmov 8(%rsp),%rcx\nud2\n", "rsp+0:16.2"},
    {F "movups 8(%rdi),%xmm0\nmov 8(%rdi),%rax\nmov 16(%rdi),%rcx\nud2\n", "rdi+8:16."},
    {F "movups 8(%rdi),%xmm0\nmov 20(%rdi),%rcx\nud2\n", "rdi+8:16 rdi+20:8."},
    {F "movups 8(%rdi),%xmm0\nmov 4(%rdi),%rcx\nud2\n", "rdi+8:16 rdi+4:8."},
    /* three or more within a line's length */
    {F "mov (%rdi),%eax\nmov 20(%rdi),%ecx\nud2\n", "rdi+0:4 rdi+20:4."},
    {F "mov (%rdi),%eax\nmov 20(%rdi),%ecx\nmov 40(%rdi),%esi\nud2\n", "rdi+0:44wide3."},
    {F "mov (%rdi),%eax\nmov 20(%rdi),%ecx\nmov 80(%rdi),%esi\nud2\n", "rdi+0:4 rdi+20:4 rdi+80:4."},
    {F "mov (%rdi),%eax\nmov 20(%rdi),%ecx\nmov 60(%rdi),%esi\nud2\n", "rdi+0:64wide3."},
    {F "mov (%rdi),%eax\nmov 20(%rdi),%ecx\nmov 61(%rdi),%esi\nud2\n", "rdi+0:4 rdi+20:4 rdi+61:4."},
    {F "mov (%rdi),%eax\nmov 20(%rdi),%ecx\nmov 40(%rdi),%esi\nmov 200(%rdi),%edx\nud2\n",
     "rdi+0:44wide3 rdi+200:4."},
    {F "mov 200(%rdi),%edx\nmov (%rdi),%eax\nmov 20(%rdi),%ecx\nmov 40(%rdi),%esi\nud2\n",
     "rdi+200:4 rdi+0:44wide3."},
    {F PUSHES "ud2\n", "rsp-48:48wide6."},
    /* ... that follow one another, whatever is before or behind them */
    {F PUSHES "mov 8(%rdx),%rax\nud2\n", "rsp-48:48wide6 rdx+8:8."},
    {F "mov 8(%rdx),%rax\n" PUSHES "ud2\n", "rdx+8:8 rsp-48:48wide6."},
    {F PUSHES "mov 8(%rdx),%rax\nmov (%rdi),%eax\nmov 20(%rdi),%ecx\nmov 40(%rdi),%esi\nud2\n",
     "rsp-48:48wide6 rdx+8:8 rdi+0:44wide3."},
    /* ... and not by a segment's register, or what the linker may take out */
    {F "mov %fs:(%rdi),%eax\nmov %fs:20(%rdi),%ecx\nmov %fs:40(%rdi),%edx\nud2\n", "rdi+0:4 rdi+20:4 rdi+40:4."},
    {F "mov x@GOTPCREL(%rip),%rax\nmov x@GOTPCREL(%rip),%rcx\nmov x@GOTPCREL(%rip),%rdx\nud2\n",
     "rip+0:8 rip+0:8 rip+0:8."},
    /* ... with nothing of another base, or far away, in between */
    {F "mov (%rdi),%eax\nmov (%rsi),%ecx\nmov 20(%rdi),%ecx\nmov 40(%rdi),%edx\nud2\n",
     "rdi+0:4 rsi+0:4 rdi+20:4 rdi+40:4."},
    {F "mov (%rdi),%eax\nmov 4096(%rdi),%esi\nmov 20(%rdi),%ecx\nmov 40(%rdi),%edx\nud2\n",
     "rdi+0:4 rdi+4096:4 rdi+20:4 rdi+40:4."},
    {F "mov (%rdi),%eax\nmov (%rsi),%ecx\nmov 4(%rdi),%edx\nud2\n", "rdi+0:4 rsi+0:4 rdi+4:4."},
    {F "mov (%rdi),%eax\nmov 960(%rdi),%ecx\nmov 4(%rdi),%edx\nud2\n", "rdi+0:8 rdi+960:4."},
    {F "mov (%rdi),%eax\nmov 964(%rdi),%ecx\nmov 4(%rdi),%edx\nud2\n", "rdi+0:4 rdi+964:4 rdi+4:4."},
    {F "mov 4(%rdi),%eax\nmov -956(%rdi),%ecx\nmov (%rdi),%edx\nud2\n", "rdi+0:8 rdi-956:4."},
    {F "mov 4(%rdi),%eax\nmov -960(%rdi),%ecx\nmov (%rdi),%edx\nud2\n", "rdi+4:4 rdi-960:4 rdi+0:4."},
    /* of the same base: index, scale, segment and symbol, too */
    {F "mov (%rdi,%rsi),%eax\nmov 4(%rdi,%rdx),%ecx\nud2\n", "rdi,rsi+0:4 rdi,rdx+4:4."},
    {F "mov (%rdi,%rsi),%eax\nmov 4(%rdi,%rsi,2),%ecx\nud2\n", "rdi,rsi+0:4 rdi,rsi+4:4."},
    {F "mov (%rdi),%eax\nmov %fs:4(%rdi),%ecx\nud2\n", "rdi+0:4 rdi+4:4."},
    {F "mov x(%rdi),%eax\nmov x+4(%rdi),%ecx\nud2\n", "rdi+0:8."},
    {F "mov x(%rdi),%eax\nmov y+4(%rdi),%ecx\nud2\n", "rdi+0:4 rdi+4:4."},
    {F "mov x@GOTPCREL(%rip),%rax\nmov x@GOTPCREL(%rip),%rcx\nud2\n", "rip+0:8 rip+0:8."},
    /* as the registers are there */
    {F "mov (%rdi),%eax\nadd $8,%rdi\nmov (%rdi),%ecx\nud2\n", "rdi+0:12."},
    {F "mov (%rdi),%rdi\nmov 4(%rdi),%eax\nud2\n", "rdi+0:8. rdi+4:4.1"},
    {F "mov (%rdi),%eax\nmov $1,%dil\nmov 4(%rdi),%ecx\nud2\n", "rdi+0:4. rdi+4:4.2"},
    {F "lea 2(%rsi),%rcx\nmov (%rdi,%rcx,4),%eax\nud2\n", "rdi,rsi+8:4."},
    {F "pop %rbx\nmov 8(%rsp),%rax\nud2\n", "rsp+0:8 rsp+16:8."},
    /* ... whatever they were before the block */
    {F "mov (%rdi),%eax\nmov %ecx,64(%rdi)\ntest %edi,%edi\nje .L1\n.L1:\nadc (%rdi),%rdi\nxor %ecx,%ecx\nud2\n",
     "rdi+0:4 rdi+64:4. rdi+0:8.4"},
    {F "mov (%rsi),%rdi\nmov %rax,(%rdi)\nmov %ecx,64(%rdi)\ntest %edi,%edi\nje .L1\n.L1:\nmov (%rsi),%rdi\n"
     "adc (%rdi),%rdi\nxor %ecx,%ecx\nmov %rsi,%rax\nud2\n",
     "rsi+0:8 rdi+0:8 rdi+64:4.1 rsi+0:8 rdi+0:8.6"},
    /* ... those that still hold something, and that an address can have */
    {F "mov %rdi,%rcx\nmov (%rcx),%rsi\nmov (%rsi),%r8\nmov 8(%rdi,%r8),%eax\nud2\n", "rdi+0:8 rsi+0:8 rdi,r8+8:4.3"},
    {F "mov %rdx,%rcx\nmov %rsi,%rdx\nmov 64(%rcx),%eax\nud2\n", "rdx+64:4."},
    {F "mov %rsp,%rcx\nmov (%rdi,%rcx),%eax\nud2\n", "rdi,rcx+0:4.1"},
    {F "lea 0x7ffff000(%rdi),%rax\nmov 0x100(%rax),%ecx\nud2\n", "rax+256:4.1"},
    {F "lea -0x7ffff000(%rdi),%rax\nmov -0x100(%rax),%ecx\nud2\n", "rax-256:4.1"},
    {F "lea 0x7fffe000(%rax),%rdi\nmov 0x1000(%rdi),%ecx\nmov (%rax),%edx\nud2\n", "rdi+4096:4 rax+0:4.1"},
    /* where flags are not in use */
    {F "mov (%rdi),%rax\ncmp %rsi,%rax\nmov 8(%rax),%ecx\nje .L1\nud2\n.L1:\nud2\n", "rdi+0:8 rax+8:4.1"},
    {F "test %edi,%edi\nje .L1\n.L1:\nmov (%rdx),%rax\nsete %cl\nmov %rdx,%rsi\nud2\n", "rdx+0:8.4"},
    {F "cmp %rsi,%rdi\nmov 8(%rdi),%rcx\nje .L1\nud2\n.L1:\nud2\n", "rdi+8:8."},
    /* where two registers are left */
    {F "testb $1,(%rax)\ntestb $1,(%rcx)\ntestb $1,(%rdx)\ntestb $1,(%rbx)\ntestb $1,(%rbp)\ntestb $1,(%rsi)\n"
     "testb $1,(%rdi)\ntestb $1,(%r8)\ntestb $1,(%r9)\ntestb $1,(%r10)\ntestb $1,(%r11)\ntestb $1,(%r12)\n"
     "testb $1,(%r13)\ntestb $1,(%r14)\nud2\n",
     "rax+0:1 rcx+0:1 rdx+0:1 rbx+0:1 rbp+0:1 rsi+0:1 rdi+0:1 r8+0:1 "
     "r9+0:1 r10+0:1 r11+0:1 r12+0:1 r13+0:1. r14+0:1.2"},
    /* ... and not before those of the same registers that come first */
    {F "not %rax\ntestb $1,(%rax)\ntestb $1,(%rcx)\ntestb $1,(%rdx)\ntestb $1,(%rbx)\ntestb $1,(%rbp)\n"
     "testb $1,(%rsi)\ntestb $1,(%rdi)\ntestb $1,(%r8)\ntestb $1,(%r9)\ntestb $1,(%r10)\ntestb $1,(%r14)\n"
     "testb $1,(%r12)\ntestb $1,(%r13)\ntestb $1,(%r11)\ncmp %r11,%rax\ncmp %rcx,%rdx\ncmp %rbx,%rbp\n"
     "cmp %rsi,%rdi\ncmp %r8,%r9\ncmp %r10,%r14\ncmp %r12,%r13\ncmp %rax,%r13\nud2\n",
     "rax+0:1 rcx+0:1.1 rdx+0:1 rbx+0:1 rbp+0:1 rsi+0:1 rdi+0:1 r8+0:1 "
     "r9+0:1 r10+0:1 r14+0:1 r12+0:1 r13+0:1.1 r11+0:1.1"},
    /* what the runtime computes stands alone, directly before it */
    {F "mov (%rdi),%eax\nbt %rsi,(%rdx)\nmov 4(%rdi),%ecx\nud2\n", "rdi+0:4. special.1 rdi+4:4.1"},
    {F "vmovups (%rdi),%zmm0\nfxsave 64(%rdi)\nud2\n", "rdi+0:64. special.1"},
    {F "mov (%edi),%eax\nmov 4(%edi),%ecx\nud2\n", "special. special.1"},
    {F "mov 0x7ffff000(%rdi),%eax\nmov -0x7ffff001(%rdi,%rsi),%ecx\nud2\n", "special. special.1"},
    {F "mov 0x7fffefff(%rdi),%eax\nmov -0x7ffff000(%rdi),%ecx\nud2\n", "rdi+2147479551:4 rdi-2147479552:4."},
    {F "mov %gs:(%rdi),%eax\nmov %gs:4(%rdi),%ecx\nud2\n", "special. special.1"},
    {F "test %edi,%edi\nje .L1\n.L1:\nmov (%rdi),%rax\n" SIXTY "mov %r8,%r8\nadc %eax,(%edx)\nmov %rdi,%rax\nud2\n",
     "rdi+0:8.2 special.64"},
    /* not before endbr64, nor within push %rbp; mov %rsp,%rbp */
    {F "endbr64\nmov (%rdi),%eax\nud2\n", "rdi+0:4.1"},
    {F "push %rbp\nmov %rsp,%rbp\nmov (%rdi),%eax\nud2\n", "rsp+0:8 rdi+0:4.2"},
    {F "endbr64\npush %rbp\nmov %rsp,%rbp\nmov (%rdi),%eax\nud2\n", "rsp+0:8 rdi+0:4.3"},
    {F "push %rbp\nmov %rsp,%rbp\nud2\n", "rsp+0:8.2"},
    {F "push %rbp\nmov %rsp,%rbx\nmov (%rdi),%eax\nud2\n", "rsp-8:8 rdi+0:4."},
    {F "test %edi,%edi\nje .L1\n.L1:\npush %rbp\nmov %rsp,%rbp\nmov (%rdi),%eax\nud2\n", "rsp-8:8 rdi+0:4.2"},
    {F "lea 0(%rsp),%rsp\nmov (%rdi),%eax\nud2\n", "rdi+0:4."},
    {F "{disp32} lea 0(%rsp),%rsp\nmov (%rdi),%eax\nud2\n", "rdi+0:4.1"},
    /* nor between a prefix and its instruction */
    {F "mov (%rdi),%rsi\nds\nmov (%rsi),%eax\nud2\n", "rdi+0:8 rsi+0:4.1"},
    {".macro m\nmov (%rdi),%rsi\nbt %rax,(%rsi)\n.endm\n" F "m\nud2\n", "rdi+0:8."},
    /* nor for a call that the linker may take out */
    {F "lea x@TLSDESC(%rip),%rax\ncall *x@TLSCALL(%rax)\nud2\n", ""},
};

static void add_cluster(char *got, size_t room, const struct planned *planned, const struct cluster *c)
{
	const struct address *a = &c->low;
	size_t length = strlen(got);

	got += length;
	room -= length;
	if (c->special)
		snprintf(got, room, "%sspecial", length ? " " : "");
	else
		snprintf(got, room, "%s%s%s%s%+d:%u", length ? " " : "",
			 a->base == REG_IP ? "rip" : register_name(a->base) + 1, a->index == REG_NONE ? "" : ",",
			 a->index == REG_NONE ? "" : register_name(a->index) + 1, (int)a->disp, c->span);
	if (c->wide)
		snprintf(got + strlen(got), room - strlen(got), "wide%u", c->n);
	for (uint32_t r = c->first + 1; r < c->first + c->n; r++)
		ck_assert_uint_gt(planned->refs.at[r].site, planned->refs.at[r - 1].site);
}

START_TEST(groups)
{
	struct unit *unit = assembled(rows[_i].text);
	struct flow flow = {0};
	struct liveness live = {0};
	struct planned planned = {0};
	char got[512] = "";

	facts_find(unit);
	blocks_find(&flow, unit);
	liveness_find(&live, &flow, 0);
	groups_find(&planned, &flow, &live);
	for (size_t s = 0; s < planned.segments.n; s++) {
		const struct segment *seg = &planned.segments.at[s];

		for (uint32_t c = seg->first; c < seg->first + seg->n; c++)
			add_cluster(got, sizeof got, &planned, &planned.clusters.at[c]);
		strcat(got, ".");
		if (seg->point)
			snprintf(got + strlen(got), sizeof got - strlen(got), "%u", seg->point);
	}
	ck_assert_str_eq(got, rows[_i].clusters);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("groups");

	tcase_add_loop_test(tc, groups, 0, COUNT(rows));
	return run_case(tc, "groups");
}
