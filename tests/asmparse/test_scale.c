/* Time and memory are linear: each of these texts has some megabytes and would take hours if
 * anything were quadratic; check's timeout is the judge. */
#include "tests/asmparse/parsing.h"

#include "common/mem.h"

/* head, then piece again and again up to at least size bytes, then tail. */
static struct asm_file *repeat(const char *head, const char *piece, const char *tail, size_t size)
{
	size_t step = strlen(piece), times = size / step + 1;
	char *text = xalloc(strlen(head) + step * times + strlen(tail) + 1, 1),
	     *to = stpcpy(text, head);

	while (times--)
		to = stpcpy(to, piece);
	stpcpy(to, tail);
	return parse_text(text);
}

static const struct {
	const char *head, *piece, *tail;
	size_t size, statements, operands; /* operands of the last statement */
} rows[] = {
    {"", "\tmovq\t8(%rax,%rdx,8), %rbx # c\n", "nop %rax\n", 400000 * 31, 400002, 1},
    {"", "a:\n", "nop\n", 3000000 - 1, 1000001, 0},
    {"", "a:", "nop\n", 2000000 - 1, 1000001, 0},
    {".byte 1", " , 1", "\n", 1 << 20, 1, 0},
    {"mov $1", "+(1 * 2)", ", %rax\n", 1 << 20, 1, 2},
    {"m 1", ",(1)", "\n", 1 << 20, 1, (1 << 18) + 2},
    {"m 1", " (%rax)", "\n", 1 << 20, 1, 1},
    {"nop # ", "#;\"(", "\n", 1 << 20, 1, 0},
    {"nop /* ", "/ * ", "*/\n", 1 << 20, 1, 0},
    {"nop /* ", "\n/*", "*/\n", 1 << 20, 2, 0},
    {"nop", ";", "\n", 1 << 20, (1 << 20) + 2, 0},
    {"nop", " ", "\n", 1 << 20, 1, 0},
    {"nop ", "{ a ", "\n", 1 << 20, 1, 1},
    {"nop ", "% ,", "\n", 1 << 20, 1, 1},
    {"nop ", "\\ ,", "\n", 1 << 20, 1, 1},
    {"", "\"\" ", "\n", 1 << 20, 1, 0},
    {".ascii \"", "\\\"\n", "\"\n", 1 << 20, 1, 0},
    {".ascii ", "\"a\",", "\n", 1 << 20, 1, 0},
    {"# 1 \"", "a \\\\", "\"\n", 1 << 20, 1, 0},
    {"", "# 1 \"a.S\"\n", "nop\n", 1 << 20, 104859, 0},
    {".macro m\n", " .macro n\n .endm ; nop (\n", ".endm\n", 1 << 20, 1, 0},
    {"", ".rept 2\n.endr\n", "", 1 << 20, 74899, 0},
    {"", "lock ", "nop\n", 1 << 20, 1, 0},
    {"", "wait ", "\n", 1 << 20, 1, 0},
    {"", "@ ", "\n", 1 << 20, 1, 0},
};

START_TEST(scale)
{
	struct asm_file *f = repeat(rows[_i].head, rows[_i].piece, rows[_i].tail, rows[_i].size);
	ck_assert_uint_eq(f->n, rows[_i].statements);
	ck_assert_uint_eq(f->stmts[f->n - 1].n_operands, rows[_i].operands);
	check_tiles(f);
}
END_TEST

/* Parentheses and signs nest as deep as the grammar's stack, and no deeper. */
START_TEST(depth)
{
	char text[40000] = "mov ";

	memset(text + 4, '(', 4000);
	text[4004] = '1';
	memset(text + 4005, ')', 4000);
	ck_assert_int_eq(parse_text(text)->stmts[0].operands[0].kind, ASM_OP_BARE);
	memset(text + 4, '-', 30000);
	strcpy(text + 30004, "1\n");
	ck_assert(strstr(error_of(text), "nested too deeply"));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("scale");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, scale, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tc, depth);
	return run_case(tc, "scale");
}
