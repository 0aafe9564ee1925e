/* Kinds, names, arguments, lines and texts of statements: a row is a text and its dump. */
#include "tests/asmparse/parsing.h"

static const struct {
	const char *text;
	const char *dump;
} rows[] = {
	{"", ""},
	{"\n", "1 blank\n"},
	{" \t", "1 blank\n"},
	{"# c\n\n", "1 blank\n2 blank\n"},
	{"; ;", "1 blank\n1 blank\n"},
	{"/ c ; nop\n", "1 blank\n"},
	{"nop; / c\n", "1 insn name=nop\n1 blank\n"},
	{"/\n", "1 blank\n"},
	{"\f\n", "1 blank\n"},
	{"nop\r\n", "1 insn name=nop\n"},
	{"nop", "1 insn name=nop\n"},
	{"nop # c", "1 insn name=nop\n"},
	{"nop /* c */\n", "1 insn name=nop\n"},
	{"/* c */ nop\n", "1 insn name=nop\n"},
	{"/* a\n b */ nop\n", "1 blank\n2 insn name=nop\n"},
	{"nop /* a\n b */ nop\n", "1 insn name=nop\n2 insn name=nop\n"},
	{".long 1 /*\n*/\n", "1 directive name=.long args=1\n2 blank\n"},
	{"rep /*\n*/ stosb\n", "1 insn prefix-only name=rep\n2 insn name=stosb\n"},
	{".macro m /*\n*/ .endm /*\n*/ nop\n", "1 raw name=.macro\n3 insn name=nop\n"},
	{".long a\\# b; \\ # c\nnop\n",
	 "1 directive name=.long args=a\\\\# b\n1 raw\n2 insn name=nop\n"},
	{"/***/nop/**/;/*/*/nop\n", "1 insn name=nop\n1 insn name=nop\n"},
	{"nop;nop\nnop;\n", "1 insn name=nop\n1 insn name=nop\n2 insn name=nop\n2 blank\n"},

	{"a:\n", "1 label name=a\n"},
	{"a:", "1 label name=a\n"},
	{"a: ", "1 label name=a\n"},
	{"a: # c\nb:;c : d:\n", "1 label name=a\n2 label name=b\n2 label name=c\n2 label name=d\n"},
	{"a: / c\n", "1 label name=a\n"},
	{"1: nop; 22: jmp 1b\n", "1 label name=1\n1 insn name=nop\n1 label name=22\n"
				 "1 insn name=jmp [bare text=1b disp=1b]\n"},
	{".L1:.p2align 4,,10\n", "1 label name=.L1\n1 directive name=.p2align args=4,,10\n"},
	{"$a$: a.b: _: caf\303\251:\n",
	 "1 label name=$a$\n1 label name=a.b\n1 label name=_\n1 label name=caf\303\251\n"},
	{"\"a b;:\": nop\n", "1 label name=\\\"a b;:\\\"\n1 insn name=nop\n"},
	{"rep: .macro:\n", "1 label name=rep\n1 label name=.macro\n"},
	{"a: /* x\n */ \n nop\n", "1 label name=a\n2 blank\n3 insn name=nop\n"},

	{".text\n", "1 directive name=.text\n"},
	{".SET A,B; .Text\n", "1 directive name=.set args=A,B\n1 directive name=.text\n"},
	{" .long 1 , 2 # c\n", "1 directive name=.long args=1 , 2\n"},
	{" .long 1 , /* x */ 2 /* y */;nop\n",
	 "1 directive name=.long args=1 , /* x */ 2\n1 insn name=nop\n"},
	{".ascii \"a;#/*\\\"\" , \"b\"\n",
	 "1 directive name=.ascii args=\\\"a;#/*\\\\\\\"\\\" , \\\"b\\\"\n"},
	{".ascii \"a\n\\\nb\"\nnop\n",
	 "1 directive name=.ascii args=\\\"a\\n\\\\\\nb\\\"\n4 insn name=nop\n"},
	{".byte ';', '\", '#', '\\\\, '\\'', 'a\n",
	 "1 directive name=.byte args=';', '\\\", '#', '\\\\\\\\, '\\\\'', 'a\n"},
	{".section .a,\"ax\",@progbits\n",
	 "1 directive name=.section args=.a,\\\"ax\\\",@progbits\n"},
	{".set a,8/2\n", "1 directive name=.set args=a,8/2\n"},
	{".unheard-of (\n", "1 directive name=.unheard args=-of (\n"},
	{".\n", "1 directive name=.\n"},

	{"a = 1 # c\n", "1 directive name== args=a = 1\n"},
	{"a==b+1;nop\n", "1 directive name== args=a==b+1\n1 insn name=nop\n"},
	{". = . + 4\n", "1 directive name== args=. = . + 4\n"},
	{"\"a=b\" = c\n", "1 directive name== args=\\\"a=b\\\" = c\n"},
	{"a =\n", "1 directive name== args=a =\n"},

	{"rep stosb\n", "1 insn prefix=rep name=stosb\n"},
	{"rep/stosb\n", "1 insn prefix=rep name=stosb\n"},
	{"rep,stosb\n", "1 insn prefix=rep name=stosb\n"},
	{"rep;stosb\n", "1 insn prefix-only name=rep\n1 insn name=stosb\n"},
	{"LOCK\nbnd # c\n", "1 insn prefix-only name=LOCK\n2 insn prefix-only name=bnd\n"},
	{"data16 rex64\n", "1 insn prefix-only name=data16 rex64\n"},
	{" lock addr32 rex.wxb incl x\n",
	 "1 insn prefix=lock addr32 rex.wxb name=incl [bare text=x disp=x]\n"},
	{"notrack jmp *%rax\n", "1 insn prefix=notrack name=jmp [*register text=%rax]\n"},
	{"{vex}{disp32} {load} nop\n", "1 insn prefix={vex}{disp32} {load} name=nop\n"},
	{"{evex}\n", "1 insn prefix-only name={evex}\n"},
	{"wait\nwait fsave\n", "1 insn name=wait\n2 insn prefix=wait name=fsave\n"},
	{"ds ; jne,pn 1f\n",
	 "1 insn prefix-only name=ds\n1 insn name=jne,pn [bare text=1f disp=1f]\n"},
	{"repack\nescs\n", "1 insn name=repack\n2 insn name=escs\n"},
	{"lock @x\n", "1 raw\n"},

	{"# 12 \"f.S\" 1 3\nnop\n", "1 linemark number=12 args=f.S\n2 insn name=nop\n"},
	{"# 0 \"\" 2\n", "1 linemark number=0 args=\n"},
	{"#12\n", "1 linemark number=12\n"},
	{"# 12 f\n # 12 \"f\"\n# 1 \"f\" ; nop\n", "1 blank\n2 blank\n3 blank\n"},
	{"# 1 \"a\\\"b\"\n", "1 linemark number=1 args=a\\\\\\\"b\n"},

	{"#APP\nnop\n#NO_APP\nnop\n",
	 "1 blank in-asm\n2 insn in-asm name=nop\n3 blank\n4 insn name=nop\n"},
	{"\t#APP\nnop\n\t#NO_APP\n", "1 blank in-asm\n2 insn in-asm name=nop\n3 blank\n"},
	{"#APPLE\n", "1 blank\n"},
	{"nop\nf:\nnop\n.size f, .Lfunc_end0-f\nnop\n",
	 "1 insn in-asm name=nop\n2 label name=f\n3 insn name=nop\n"
	 "4 directive in-asm name=.size args=f, .Lfunc_end0-f\n5 insn in-asm name=nop\n"},
	{"nop\n.ident \"clang\"\n", "1 insn in-asm name=nop\n2 directive in-asm name=.ident args=\\\"clang\\\"\n"},
	{"f:\nnop\n.size f, .-f\n", "1 label name=f\n2 insn name=nop\n3 directive name=.size args=f, .-f\n"},
	{".size\n.ident\n", "1 directive name=.size\n2 directive name=.ident\n"},

	{".macro m a=(\n nop\n .endm # c\nnop\n", "1 raw name=.macro\n4 insn name=nop\n"},
	{".macro m\n.macro n\n.endm\n.endmacro\n.endr\n.endm;nop",
	 "1 raw name=.macro\n6 insn name=nop\n"},
	{".macro m;x: .endm\nnop", "1 raw name=.macro\n2 insn name=nop\n"},
	{".macro m\n1: .endm\na: .endm\nnop\n", "1 raw name=.macro\n4 insn name=nop\n"},
	{".att_syntax noprefix\n1: nop;.att_syntax\nnop\n",
	 "1 directive name=.att_syntax args=noprefix\n2 label naked name=1\n2 insn naked name=nop\n"
	 "2 directive naked name=.att_syntax\n3 insn name=nop\n"},
	{".code32\n.att_syntax noprefix\n.code64\n1: \"b\": .att_syntax\nnop\n",
	 "1 raw name=.code32\n5 insn name=nop\n"},
	{".MACRO m;\".endm\";/*\n.endm*/'\"';.endM\nnop", "1 raw name=.MACRO\n3 insn name=nop\n"},
	{"a: .rept 2\n.irp x,1\n.endr\n.macro\n.endr\nnop",
	 "1 label name=a\n1 raw name=.rept\n6 insn name=nop\n"},
	{".irpc x,abc\n.byte \\x\n.endr\n.rep 2;.endr\n", "1 raw name=.irpc\n4 raw name=.rep\n"},
	{".endm\n", "1 directive name=.endm\n"},
	{".intel_syntax noprefix\nret\n.macro m\n.att_syntax\n.endm\nx: ret # x\n.att_syntax prefix;nop\n",
	 "1 directive name=.intel_syntax args=noprefix\n2 insn syntax=noprefix name=ret\n"
	 "3 raw syntax=noprefix name=.macro\n6 label syntax=noprefix name=x\n6 insn syntax=noprefix name=ret\n"
	 "7 directive syntax=noprefix name=.att_syntax args=prefix\n7 insn name=nop\n"},
	{".INTEL_SYNTAX;ret;.Att_Syntax;ret\n",
	 "1 directive name=.intel_syntax\n1 insn syntax= name=ret\n1 directive syntax= name=.att_syntax\n"
	 "1 insn name=ret\n"},
	{".intel_syntax noprefix\n.code32\npush eax\n.att_syntax\n.code64\nret\n",
	 "1 directive name=.intel_syntax args=noprefix\n2 raw name=.code32\n6 insn name=ret\n"},
	{".intel_syntax noprefix\n.att_syntax noprefix\nmov eax, ebx\n.att_syntax\nret\n",
	 "1 directive name=.intel_syntax args=noprefix\n2 directive syntax=noprefix name=.att_syntax args=noprefix\n"
	 "3 insn naked name=mov [register text=eax] [register text=ebx]\n4 directive naked name=.att_syntax\n5 insn name=ret\n"},
	{".att_syntax noprefix\n.intel_syntax\nret\n.att_syntax\nret\n",
	 "1 directive name=.att_syntax args=noprefix\n2 directive naked name=.intel_syntax\n3 insn syntax= name=ret\n"
	 "4 directive syntax= name=.att_syntax\n5 insn name=ret\n"},
	{".ATT_SYNTAX noprefix\n.code32\nret\n.code64\nret\n.att_syntax prefix\nnop\n",
	 "1 directive name=.att_syntax args=noprefix\n2 raw naked name=.code32\n5 insn naked name=ret\n"
	 "6 directive naked name=.att_syntax args=prefix\n7 insn name=nop\n"},
	{".att_syntax prefix\n", "1 directive name=.att_syntax args=prefix\n"},
	{".code32\npush %eax\n.intel_syntax\n.code64\n.att_syntax\nnop\n",
	 "1 raw name=.code32\n6 insn name=nop\n"},
	{".code64\n.code16gcc\n.code64\n", "1 directive name=.code64\n2 raw name=.code16gcc\n"},
	{".end\n) \" /*\n", "1 raw name=.end\n"},
	{"nop\n.END", "1 insn name=nop\n2 raw name=.END\n"},
	{"@what ( \"(\n\" ; nop\n", "1 raw\n2 insn name=nop\n"},
	{"\"a\" b\n%rax\n", "1 raw\n2 raw\n"},
	{"12\n) (\n[", "1 raw\n2 raw\n3 raw\n"},
	{".if 0\n*** ( \n.endif\n",
	 "1 directive name=.if args=0\n2 raw\n3 directive name=.endif\n"},
};

/* Takes the quotes around parts out of a dump; those inside are behind a backslash. */
static void strip_quotes(char *dump)
{
	char *to = dump, last = 0;

	for (; *dump; last = *dump++)
		if (*dump != '"' || last == '\\')
			*to++ = *dump;
	*to = '\0';
}

START_TEST(statements)
{
	char *dump = strdup(parsed(rows[_i].text));

	strip_quotes(dump);
	ck_assert_str_eq(dump, rows[_i].dump);
	check_tiles(parse_text(rows[_i].text));
	free(dump);
}
END_TEST

START_TEST(preparsed)
{
	char *dump;
	size_t len;
	FILE *out = open_memstream(&dump, &len);

	asm_dump_preparsed(parse_text("a: nop # \"\\\001\n\t.text"), out);
	fclose(out);
	ck_assert_str_eq(dump, "1 label \"a:\"\n1 insn \" nop # \\\"\\\\\\001\\n\"\n"
			       "2 directive \"\\t.text\"\n");
	free(dump);
}
END_TEST

/* As clang writes it. */
START_TEST(nul_in_comment)
{
	static const char text[] = ".byte 0 # \0 (\n.ascii \"\0\"\n";
	struct asm_file *file = asm_parse("t.s", text, sizeof text - 1);

	ck_assert_uint_eq(file->n, 2);
	ck_assert(asm_text_is(file->stmts[0].args, "0"));
	check_tiles(file);
}
END_TEST

START_TEST(print_reports_failure)
{
	FILE *full = fopen("/dev/full", "w");

	ck_assert(!asm_print(parse_text("nop\n"), full));
	fclose(full);
}
END_TEST

START_TEST(text_is)
{
	struct asm_text t = {"rax,", 3};

	ck_assert(asm_text_is(t, "rax"));
	ck_assert(!asm_text_is(t, "rax,"));
	ck_assert(!asm_text_is(t, "ra"));
	ck_assert(!asm_text_is((struct asm_text){0}, ""));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("statements");

	tcase_add_loop_test(tc, statements, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tc, preparsed);
	tcase_add_test(tc, nul_in_comment);
	tcase_add_test(tc, print_reports_failure);
	tcase_add_test(tc, text_is);
	return run_case(tc, "statements");
}
