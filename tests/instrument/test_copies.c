/* Which functions have a plain copy, and what is in it. */
#include "tests/instrument/assembling.h"

#include "instrument/anchors.h"
#include "instrument/copies.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

#define COMPILED ".ident \"GCC\"\n.text\n"
#define BEGIN(name) ".type " name ", @function\n" name ":\n"
#define END(name) ".size " name ", .-" name "\n"
#define F(body) ".globl f\n" BEGIN("f") body END("f")
#define G(body) BEGIN("g") body END("g")

static struct copies copies;
static struct unit *unit;
static struct flow flow;

static void find(const char *text)
{
	struct liveness live = {0};

	unit = assembled(text);
	flow = (struct flow){0};
	copies = (struct copies){0};
	facts_find(unit);
	anchors_find(unit);
	blocks_find(&flow, unit);
	liveness_find(&live, &flow, 0);
	copies_find(&copies, &flow, &live);
}

static const struct {
	const char *text;
	const char *copied; /* functions, each behind a blank */
} rows[] = {
    {COMPILED F("nop\nret\n") G("ret\n"), " f g"},
    {COMPILED F("jmp .L1\n.L1:\nret\n"), " f"},
    /* labels that are more than a function's own */
    {COMPILED F("inside:\nret\n"), ""},
    {COMPILED F("nop\n" BEGIN("g") "ret\n" END("g") "ret\n"), ""},
    {COMPILED F("nop\n.L1:\nret\n") G("jmp .L1\n"), " f"},
    {COMPILED F("nop\n.L1:\nret\n") ".set .L2, .L1-f\n.data\n.long .L2\n", ""},
    {COMPILED F(".L1:\nlea .L1(%rip),%rax\nmovabs $_GLOBAL_OFFSET_TABLE_-.L1,%rcx\nret\n"), ""},
    {COMPILED BEGIN("\"a b\"") "ret\n.size \"a b\", .-\"a b\"\n" G("ret\n"), " g"},
    /* numbers are labels of their own in each */
    {COMPILED F("1:\ndec %eax\njne 1b\nret\n"), " f"},
    {COMPILED F("1:\ndec %eax\njne 1b\nret\n") G("mov $1,%eax\nmov %eax,1(%rdi)\nret\n"), " f g"},
    {COMPILED ".intel_syntax noprefix\n" F("1:\ndec eax\njne 1b\nret\n") G("mov eax, 1\nret\n"), " f g"},
    {COMPILED F("jmp 1f\nret\n") G("nop\n1:\nret\n"), " g"},
    /* but their addresses would be others; those beside a name or here, too */
    {COMPILED F("lea 1f(%rip),%rax\n1:\nret\n") G("ret\n"), " g"},
    {COMPILED F("push $1f\n1:\nret\n") G("ret\n"), " g"},
    {COMPILED F("ret\n") G("lea 1f(%rip),%rax\nret\n1:\nret\n"), " f"},
    {COMPILED F("nop\n1:\nret\n") G("lea 1b(%rip),%rax\nret\n"), ""},
    {COMPILED F("jmp *t(,%rax,8)\n1:\nnop\nret\n") ".data\nt: .quad 1b\n", ""},
    {COMPILED F("lea .L1+1(%rip),%rax\n.L1:\nnop\nret\n") G("lea 0(%rip),%rax\nret\n"), ""},
    /* without an end; in the midst of data, conditions, macros; by distance */
    {COMPILED F("ret\n") BEGIN("g") "ret\n", " f"},
    {COMPILED F("ret\n.byte 6\n") G("ret\n"), " g"},
    {COMPILED ".if 1\n.endif\n" F("ret\n"), ""},
    {COMPILED ".macro m\nnop\n.endm\n" F("m\nret\n"), ""},
    {COMPILED F("jmp .+2\nret\n"), ""},
    /* inline assembly that goes elsewhere */
    {COMPILED F("#APP\n.pushsection .note,\"\"\n.popsection\n#NO_APP\nret\n") G("ret\n"), " g"},
    {COMPILED F("nop\n.subsection 1\n.L1:\nret\n.subsection 0\njmp .L1\n"), ""},
    {COMPILED F("nop\n.text 1\n.L1:\nret\n.text 0\njmp .L1\n"), ""},
    /* tables; flags that are in use where a look would stand */
    {COMPILED F("jmp *t(,%rax,8)\n.L1:\nnop\n.L2:\nret\n") ".data\nt: .quad .L1, .L2\n", " f"},
    {COMPILED F("cmp $1,%eax\njmp *t(,%rax,8)\n.L1:\nje .L2\nnop\n.L2:\nret\n") ".data\nt: .quad .L1\n", ""},
    {COMPILED F("je .L1\nnop\n.L1:\nret\n"), ""},
    {COMPILED F("call h\nje .L1\nnop\n.L1:\nret\n") G("call h\nxbegin .L2\nxend\n.L2:\nret\n"), ""},
    {COMPILED F("call g\nret\n") G("ret\n"), " f g"},
    /* symbols that mean something else behind it */
    {COMPILED ".set x, 8\n.equ y, 1\nz = 1\n" F("mov $x,%eax\nret\n") G("mov x+4(%rdi),%eax\nret\n") BEGIN("h")
	 ".cfi_startproc\n.cfi_adjust_cfa_offset z\nret\n.cfi_endproc\n" END("h") BEGIN("i") "mov $y,%eax\nret\n"
	 END("i") ".set x, 16\nz = 2\n", " i"},
    /* what reaches 127 bytes, over looks */
    {COMPILED F("jrcxz .L1\ncall h\n.L1:\nret\n") G("inc %eax\n1:\nnop\nloop 1b\njrcxz 1f\nnop\n1:\nret\n"), " g"},
    {COMPILED F("1:\nnop\nloop 1b\nret\n") G("jrcxz 1f\nnop\n1:\nret\n"), " g"},
    {COMPILED F("1:\nnop\ncall h\nloop 1b\nret\n") G("jrcxz .L1\nnop\n.p2align 4\n.L1:\nret\n"), ""},
    {COMPILED F("jrcxz .L1\ncall h\nendbr64\nnop\n.L1:\nret\n"), ""},
    /* a call for the address that it pushes; one whose ret must stand behind it */
    {COMPILED F("call .L1\n.L1:\npop %rax\nret\n"), ""},
    {COMPILED F("call __morestack\nret\nnop\nret\n"), ""},
    /* unwinding that is described by hand */
    {COMPILED F(".L1:\nnop\n.L2:\nret\n") ".section .eh_frame,\"a\"\n.long .L2-.\n", ""},
    {COMPILED F(".cfi_startproc\n.cfi_personality 3,p\n.cfi_lsda 3,.L9\ncall g\n.L1:\nret\n.cfi_endproc\n")
	 ".section .gcc_except_table,\"a\"\n.L9:\n.uleb128 .L1-f\n", " f"},
    {COMPILED F("nop\n.L1:\nret\n") G("nop\n.L2:\nret\n") ".section .gcc_except_table,\"a\"\n.long .L1-f, .L2-g\n", ""},
    /* as clang ends a function */
    {COMPILED ".globl f\n" BEGIN("f") ".cfi_startproc\nret\n" END("f") ".cfi_endproc\n" G("ret\n"), " f g"},
    /* NOPs that are written over where they are known */
    {COMPILED F(".section __patchable_function_entries,\"awo\",@progbits,f\n.quad .LPFE1\n.text\n.LPFE1:\nnop\nnop\n"
		"ret\n")
	 ".section __patchable_function_entries\n.quad .LPFE2\n.text\n.LPFE2:\nnop\n" G("nop\nret\n") BEGIN("h")
	 "ret\n" END("h"), " h"},
    /* written by hand; an ifunc's resolver */
    {".text\n" F("ret\n"), ""},
    {COMPILED ".globl f\n.type f, @gnu_indirect_function\nf:\nret\n" END("f") G("ret\n"), " g"},
};

START_TEST(chooses)
{
	char names[64] = "";

	find(rows[_i].text);
	for (size_t i = 0; i < flow.functions.n; i++)
		if (copies.copy_of[i])
			strcat(strcat(names, " "), flow.functions.at[i].name);
	ck_assert_str_eq(names, rows[_i].copied);
}
END_TEST

static char *printed(bool tables)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (uint32_t i = 0; i < unit->file->n; i++) {
		const struct copied_piece *p = copies_piece(&copies, i);

		if (p && p->table == tables)
			copies_print(&copies, i, out);
	}
	fclose(out);
	return text;
}

/* Branches and exceptions stay in the copy; addresses are the function's; static functions are called by
 * their copies. */
START_TEST(renames)
{
	find(COMPILED ".file 1 \"f.c\"\n.section .text.unlikely,\"ax\"\n.LCOLDB0:\n.text\n"
	     F(".LFB0:\n.cfi_startproc\n.cfi_lsda 3,.L9\n.loc 1 1\ncall g\n.L1:\nlea .L1(%rip),%rax\ncall f\n"
	       "test %eax,%eax\njne f.cold\nret\n.cfi_endproc\n.section .text.unlikely\n.cfi_startproc\n" BEGIN("f.cold")
	       ".L2:\njmp .L1\n.cfi_endproc\n" END("f.cold") ".text\n")
	     G("ret\n")
	     ".section .gcc_except_table,\"a\"\n.L9:\n.uleb128 .L1-.LFB0\n.uleb128 .L2-.LCOLDB0\n");
	ck_assert_uint_eq(copies.made.n, 2);
	ck_assert_str_eq(printed(false),
			 "\t.type\tf.plain,@function\nf.plain:\n.Lcpq1:\n.cfi_startproc\n.cfi_lsda 3,.Lcpq7\n"
			 "call g.plain\n.Lcpq2:\nlea .L1(%rip),%rax\ncall f\ntest %eax,%eax\n"
			 "jne f.cold.plain\nret\n.cfi_endproc\n"
			 ".cfi_startproc\n\t.type\tf.cold.plain,@function\nf.cold.plain:\n.Lcpq6:\njmp .Lcpq2\n"
			 ".cfi_endproc\n\t.size\tf.cold.plain,.-f.cold.plain\n\t.size\tf.plain,.-f.plain\n"
			 "\t.type\tg.plain,@function\ng.plain:\nret\n\t.size\tg.plain,.-g.plain\n");
	ck_assert_str_eq(printed(true), ".Lcpq7:\n.uleb128 .Lcpq2-.Lcpq1\n.uleb128 .Lcpq6-f.cold.plain\n");
}
END_TEST

START_TEST(ends)
{
	find(COMPILED BEGIN("g") ".cfi_startproc\nret\n.L1:\n.size g, .L1-g\n.cfi_endproc\n");
	ck_assert_str_eq(printed(false), "\t.type\tg.plain,@function\ng.plain:\n.cfi_startproc\nret\n.Lcpq1:\n"
					 "\t.size\tg.plain,.-g.plain\n.cfi_endproc\n");
}
END_TEST

/* Looks by the instructions at which they stand. */
START_TEST(looks)
{
	static const uint8_t wanted[] = {
	    COPY_LOOK_OFF | COPY_LOOK_ON | COPY_COMES, /* nop */
	    COPY_LOOK_ON_BEHIND, COPY_COMES,	       /* call h; nop */
	    0, 0,				       /* call memcpy; nop */
	    COPY_LOOK_ON_BEHIND, COPY_COMES,	       /* call *%rax; jmp *t */
	    COPY_LOOK_OFF,			       /* its label */
	    COPY_LOOK_ON_BEHIND, 0,		       /* call setjmp; endbr64 */
	};

	find(COMPILED F("nop\ncall h\nnop\ncall memcpy\nnop\ncall *%rax\njmp *t(%rip)\n.L1:\nnop\ncall i\nendbr64\nret\n")
	     ".data\nt: .quad .L1\n");
	for (size_t i = 0; i < COUNT(wanted); i++)
		ck_assert_uint_eq(copies.at[i], i == 8 ? 0 : wanted[i]);
	ck_assert_uint_eq(copies.at[10], COPY_LOOK_ON | COPY_COMES);
	ck_assert(copies.made.at[0].of_known);
	ck_assert(copies_want_known(&copies, 0));
	find(COMPILED F("lea .L1(%rip),%rax\njmp *%rax\nnop\n.L1:\nnop\nret\n"));
	ck_assert_uint_eq(copies.at[3], COPY_LOOK_OFF);
	ck_assert(copies.made.at[0].of_known);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("copies");

	tcase_add_loop_test(tc, chooses, 0, COUNT(rows));
	tcase_add_test(tc, renames);
	tcase_add_test(tc, ends);
	tcase_add_test(tc, looks);
	return run_case(tc, "copies");
}
