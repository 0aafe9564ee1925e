/* Where planted code that moves rsp must say so to unwinders. */
#include "instrument/cfi.h"
#include "tests/instrument/assembling.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* A letter for each instruction: y where the CFA is a distance from rsp. */
static const char *seen(const char *text)
{
	static char answers[64];
	struct asm_file *file = asm_parse("t.s", text, strlen(text));
	struct cfi cfi;
	size_t n = 0;

	cfi_begin(&cfi, file);
	for (size_t i = 0; i < file->n; i++) {
		cfi_follow(&cfi, &file->stmts[i]);
		if (file->stmts[i].kind == ASM_INSN)
			answers[n++] = cfi_on_rsp(&cfi) ? 'y' : '-';
	}
	answers[n] = '\0';
	cfi_end(&cfi);
	return answers;
}

static const struct {
	const char *text, *expected;
} rows[] = {
    {"nop\n.cfi_startproc\nnop\n.cfi_endproc\nnop\n", "-y-"},
    {".cfi_startproc\npush %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset 6, -16\nnop\nmov %rsp, %rbp\n"
     ".cfi_def_cfa_register 6\nnop\nleave\n.cfi_def_cfa 7, 8\nret\n.cfi_endproc\n",
     "yyy--y"},
    {".cfi_startproc\n.cfi_def_cfa rbp, 16\nnop\n.cfi_def_cfa %rsp , 8\nnop\n.cfi_endproc\n", "-y"},
    /* States that are put aside, one in the other. */
    {".cfi_startproc\n.cfi_remember_state\n.cfi_def_cfa_register 6\nnop\n.cfi_remember_state\n"
     ".cfi_def_cfa 7, 8\nnop\n.cfi_restore_state\nnop\n.cfi_restore_state\nnop\n.cfi_endproc\n",
     "-y-y"},
    /* An expression, as for functions that align their stack; a saved register is none. */
    {".cfi_startproc\n.cfi_escape 0x10,0x6,0x2,0x76,0\nnop\n.cfi_escape 0xf,0x3,0x76,0x78,0x6\nnop\n"
     ".cfi_def_cfa 7, 8\nnop\n.cfi_endproc\n",
     "y-y"},
    {".cfi_startproc simple\nnop\n.cfi_def_cfa 7, 8\nnop\n.cfi_endproc\n", "-y"},
    /* Each section has an FDE of its own. */
    {".cfi_startproc\nnop\n.section .text.unlikely\nnop\n.cfi_startproc\nnop\n.cfi_def_cfa 6, 16\n"
     ".text\nnop\n.cfi_endproc\nnop\n.section .text.unlikely\nnop\n.cfi_def_cfa 7, 8\nnop\n.cfi_endproc\n",
     "y-yy--y"},
    {".cfi_startproc\n.pushsection .fixup,\"ax\"\nnop\n.popsection\nnop\n.cfi_endproc\n", "-y"},
    /* What gas sees may be another. */
    {".macro begin\n.cfi_startproc\n.endm\n.cfi_startproc\nnop\n.cfi_endproc\n", "-"},
    {".macro there\n.section .fixup\n.endm\n.cfi_startproc\nnop\n.cfi_endproc\n", "-"},
    {".ifdef CFI\n.cfi_startproc\n.endif\nnop\n", "-"},
    {".cfi_startproc\nnop\n.subsection 1\nnop\n.subsection 0\n.cfi_endproc\n", "--"},
    {".macro three\nnop\n.endm\n.cfi_startproc\nnop\n.cfi_endproc\n", "y"},
};

START_TEST(follows)
{
	ck_assert_str_eq(seen(rows[_i].text), rows[_i].expected);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("cfi");

	tcase_add_loop_test(tc, follows, 0, COUNT(rows));
	return run_case(tc, "cfi");
}
