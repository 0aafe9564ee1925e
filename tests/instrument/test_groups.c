/* Which references are checked together: each row is a text, and its clusters: registers, displacement and bytes, with
 * two checks (wide) or one. Those of one point stand together. */
#include "tests/instrument/assembling.h"

#include "instrument/groups.h"
#include "instrument/sequence.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define F ".ident \"GCC\"\n.text\n.globl f\n.type f, @function\nf:\n"
#define PUSHES "push %r15\npush %r14\npush %r13\npush %r12\npush %rbp\npush %rbx\n"

static const struct {
	const char *text;
	const char *clusters;
} rows[] = {
    {F "mov (%rdi),%eax\nmov 4(%rdi),%ecx\nud2\n", "rdi+0:8."},
    /* ... that lie as 16 aligned bytes do, the stack behind a return address */
    {F "mov 8(%rdi),%rax\nmov 16(%rdi),%rcx\nud2\n", "rdi+8:8 rdi+16:8."},
    {F "mov -8(%rdi),%rax\nmov -16(%rdi),%rcx\nud2\n", "rdi-16:16."},
    {F "mov 4(%rdi,%rsi),%eax\nmov 12(%rdi,%rsi),%ecx\nmov 16(%rdi,%rsi),%edx\nud2\n", "rdi+4:12 rdi+16:4."},
    {F "push %rbp\npush %rbx\npush %r12\nud2\n", "rsp-8:8 rsp-24:16."},
    {F "mov (%rsp),%rax\nmov 8(%rsp),%rcx\nud2\n", "rsp+0:8 rsp+8:8."},
    {F "test %edi,%edi\nje .L1\n.L1:\nmov (%rsp),%rax\nmov 8(%rsp),%rcx\nud2\n", "rsp+0:16."},
    /* three or more within a line's length */
    {F "mov (%rdi),%eax\nmov 20(%rdi),%ecx\nud2\n", "rdi+0:4 rdi+20:4."},
    {F "mov (%rdi),%eax\nmov 20(%rdi),%ecx\nmov 40(%rdi),%esi\nud2\n", "rdi+0:44wide."},
    {F "mov (%rdi),%eax\nmov 20(%rdi),%ecx\nmov 80(%rdi),%esi\nud2\n", "rdi+0:4 rdi+20:4 rdi+80:4."},
    {F PUSHES "ud2\n", "rsp-48:48wide."},
    /* ... that follow one another, whatever is before or behind them */
    {F PUSHES "mov 8(%rdx),%rax\nud2\n", "rsp-48:48wide rdx+8:8."},
    {F "mov 8(%rdx),%rax\n" PUSHES "ud2\n", "rdx+8:8 rsp-48:48wide."},
    {F PUSHES "mov 8(%rdx),%rax\nmov (%rdi),%eax\nmov 20(%rdi),%ecx\nmov 40(%rdi),%esi\nud2\n",
     "rsp-48:48wide rdx+8:8 rdi+0:44wide."},
    /* ... with nothing of another base, or far away, in between */
    {F "mov (%rdi),%eax\nmov (%rsi),%ecx\nmov 20(%rdi),%ecx\nmov 40(%rdi),%edx\nud2\n",
     "rdi+0:4 rsi+0:4 rdi+20:4 rdi+40:4."},
    {F "mov (%rdi),%eax\nmov 4096(%rdi),%esi\nmov 20(%rdi),%ecx\nmov 40(%rdi),%edx\nud2\n",
     "rdi+0:4 rdi+4096:4 rdi+20:4 rdi+40:4."},
};

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

		for (uint32_t c = seg->first; c < seg->first + seg->n; c++) {
			const struct cluster *cl = &planned.clusters.at[c];
			size_t length = strlen(got);

			snprintf(got + length, sizeof got - length, "%s%s%+d:%u%s", length ? " " : "",
				 register_name(cl->low.base) + 1, (int)cl->low.disp, cl->span, cl->wide ? "wide" : "");
		}
		strcat(got, ".");
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
