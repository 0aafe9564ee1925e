/* Operands and their parts, one row each: text as written, the operand as dumped. */
#include "tests/asmparse/parsing.h"

static const struct {
	const char *text;
	const char *operand;
} rows[] = {
	{"%rax", "register text=%rax"},
	{"% rax", "register text=% rax"},
	{"%st", "register text=%st"},
	{"%st(1)", "register text=%st(1)"},
	{"% st ( 7 )", "register text=% st ( 7 )"},
	{"*%rax", "*register text=%rax"},
	{"* %rax", "*register text=%rax"},
	{"%zmm1{%k1}", "register text=%zmm1{%k1}"},
	{"%zmm1{%k1} {z}", "register text=%zmm1{%k1} {z}"},
	{"%zmm1 { %k1 } { z }", "register text=%zmm1 { %k1 } { z }"},

	{"$1", "immediate text=$1"},
	{"$ -1", "immediate text=$ -1"},
	{"$foo", "immediate text=$foo"},
	{"$foo$bar+4", "immediate text=$foo$bar+4"},
	{"$(1+2)*3", "immediate text=$(1+2)*3"},
	{"$~(1<<4)", "immediate text=$~(1<<4)"},
	{"$'a'", "immediate text=$'a'"},
	{"$'a+1", "immediate text=$'a+1"},
	{"$';'", "immediate text=$';'"},
	{"$'#'", "immediate text=$'#'"},
	{"$','", "immediate text=$','"},
	{"$'('", "immediate text=$'('"},
	{"$'\\n'", "immediate text=$'\\\\n'"},
	{"$'\\''", "immediate text=$'\\\\''"},
	{"$_GLOBAL_OFFSET_TABLE_-.L2", "immediate text=$_GLOBAL_OFFSET_TABLE_-.L2"},
	{"$1f-1b", "immediate text=$1f-1b"},
	{"$a*b", "immediate text=$a*b"},
	{"$5%3", "immediate text=$5%3"},

	{"(%rax)", "memory text=(%rax) base=rax"},
	{"*(%rax)", "*memory text=(%rax) base=rax"},
	{"( % rax )", "memory text=( % rax ) base=rax"},
	{"8(%rsp)", "memory text=8(%rsp) disp=8 base=rsp"},
	{"-8 (%rsp)", "memory text=-8 (%rsp) disp=-8 base=rsp"},
	{"(%rax,%rcx)", "memory text=(%rax,%rcx) base=rax index=rcx"},
	{"(%rax,%rcx,8)", "memory text=(%rax,%rcx,8) base=rax index=rcx scale=8"},
	{"(%rax, %rcx , 1<<3)", "memory text=(%rax, %rcx , 1<<3) base=rax index=rcx scale=1<<3"},
	{"(,%rcx,8)", "memory text=(,%rcx,8) index=rcx scale=8"},
	{"(,%rcx)", "memory text=(,%rcx) index=rcx"},
	{"x(,1)", "memory text=x(,1) disp=x scale=1"},
	{"(%rax,1)", "memory text=(%rax,1) base=rax scale=1"},
	{"(%rdi,%zmm2,4){%k1}", "memory text=(%rdi,%zmm2,4){%k1} base=rdi index=zmm2 scale=4"},
	{"(%rax){1to16}", "memory text=(%rax){1to16} base=rax"},
	{"8+sym(%rip)", "memory text=8+sym(%rip) disp=8+sym base=rip"},
	{"sym@GOTPCREL(%rip)", "memory text=sym@GOTPCREL(%rip) disp=sym@GOTPCREL base=rip"},
	{"*foo@TLSCALL(%rax)", "*memory text=foo@TLSCALL(%rax) disp=foo@TLSCALL base=rax"},
	{"*.L4(,%rax,8)", "*memory text=.L4(,%rax,8) disp=.L4 index=rax scale=8"},
	{"((0)+((0)&15)*4)(%rsp)",
	 "memory text=((0)+((0)&15)*4)(%rsp) disp=((0)+((0)&15)*4) base=rsp"},
	{"-(4*2)+foo-.(%rbp)", "memory text=-(4*2)+foo-.(%rbp) disp=-(4*2)+foo-. base=rbp"},
	{"\"a b\"(%rip)", "memory text=\\\"a b\\\"(%rip) disp=\\\"a b\\\" base=rip"},
	{"caf\303\251(%rip)", "memory text=caf\303\251(%rip) disp=caf\303\251 base=rip"},
	{"$foo(%rip)", "other text=$foo(%rip)"},
	{"foo+$bar(%rip)", "memory text=foo+$bar(%rip) disp=foo+$bar base=rip"},

	{"%fs:0", "memory text=%fs:0 segment=fs disp=0"},
	{"%fs: 0", "memory text=%fs: 0 segment=fs disp=0"},
	{"*%gs:(%rax)", "*memory text=%gs:(%rax) segment=gs base=rax"},
	{"%fs:x@tpoff", "memory text=%fs:x@tpoff segment=fs disp=x@tpoff"},
	{"%fs:sym@tpoff+8(%rax,%rbx,2)",
	 "memory text=%fs:sym@tpoff+8(%rax,%rbx,2) segment=fs disp=sym@tpoff+8 base=rax index=rbx"
	 " scale=2"},

	{"foo", "bare text=foo disp=foo"},
	{"*foo", "*bare text=foo disp=foo"},
	{"foo@PLT", "bare text=foo@PLT disp=foo@PLT"},
	{"1f", "bare text=1f disp=1f"},
	{".+2", "bare text=.+2 disp=.+2"},
	{"0x10", "bare text=0x10 disp=0x10"},
	{"(foo)", "bare text=(foo) disp=(foo)"},
	{"foo*2", "bare text=foo*2 disp=foo*2"},
	{"foo/2", "bare text=foo/2 disp=foo/2"},
	{"0{%k1}", "bare text=0{%k1} disp=0"},

	{"{sae}", "other text={sae}"},
	{"{rn-sae}", "other text={rn-sae}"},
	{"\\arg", "bare text=\\\\arg disp=\\\\arg"},
	{"8*0(digest)", "other text=8*0(digest)"},
	{"a b", "other text=a b"},
	{"\"a\" \"b\"", "other text=\\\"a\\\" \\\"b\\\""},
	{"(%rax)(%rbx)", "other text=(%rax)(%rbx)"},
	{"(%rax+4) x", "other text=(%rax+4) x"},
	{"()", "other text=()"},
	{"(a,b)", "other text=(a,b)"},
	{"<a b>", "other text=<a b>"},
	{"* *", "other text=* *"},
	{"\\#x", "bare text=\\\\#x disp=\\\\#x"},
	{"{", "other text={"},
	{"%", "other text=%"},
};

/* The dump of row i's operand without its quotes' clutter: name="x" becomes name=x. */
static const char *operand_of(const char *text, char *line, size_t room)
{
	const char *dump, *from;
	size_t n = 0;

	snprintf(line, room, " insn %s # comment ( \"\n", text);
	dump = parsed(line);
	from = strchr(dump, '[');
	ck_assert_msg(from, "%s: %s", text, dump);
	for (from++; from[0] != ']' || from[1] != '\n'; from++)
		if (*from != '"' || from[-1] == '\\')
			line[n++] = *from;
	line[n] = '\0';
	return line;
}

START_TEST(operand)
{
	char line[400];

	ck_assert_str_eq(operand_of(rows[_i].text, line, sizeof line), rows[_i].operand);
}
END_TEST

START_TEST(several)
{
	struct asm_stmt *s = parse_text("vgf {sae}, 8(%rax) , $1,%zmm0{%k1} {z}\n")->stmts;

	ck_assert_uint_eq(s->n_operands, 4);
	ck_assert_int_eq(s->operands[0].kind, ASM_OP_OTHER);
	ck_assert_int_eq(s->operands[1].kind, ASM_OP_MEMORY);
	ck_assert_int_eq(s->operands[2].kind, ASM_OP_IMMEDIATE);
	ck_assert_int_eq(s->operands[3].kind, ASM_OP_REGISTER);
	ck_assert(asm_text_is(s->operands[1].text, "8(%rax)"));
	ck_assert(!s->operands[3].disp.p);
}
END_TEST

/* One operand that fits no form takes the others with it. */
START_TEST(given_up)
{
	struct asm_file *f = parse_text(" m %rax, (a) b, c /* x */ # y\n nop (%rax)\n");

	ck_assert_uint_eq(f->stmts[0].n_operands, 1);
	ck_assert_int_eq(f->stmts[0].operands[0].kind, ASM_OP_OTHER);
	ck_assert(asm_text_is(f->stmts[0].operands[0].text, "%rax, (a) b, c"));
	ck_assert_uint_eq(f->stmts[1].n_operands, 1);
	ck_assert_int_eq(f->stmts[1].operands[0].kind, ASM_OP_MEMORY);
	check_tiles(f);
}
END_TEST

START_TEST(comments_between)
{
	struct asm_file *f = parse_text("mov /* ; ( \" */ 8(%rax /**/ )/*,*/, %rbx/***/\n");

	ck_assert_uint_eq(f->n, 1);
	ck_assert_uint_eq(f->stmts[0].n_operands, 2);
	ck_assert(asm_text_is(f->stmts[0].operands[0].base, "rax"));
	ck_assert(asm_text_is(f->stmts[0].operands[1].text, "%rbx"));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("operands");

	tcase_add_loop_test(tc, operand, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tc, several);
	tcase_add_test(tc, given_up);
	tcase_add_test(tc, comments_between);
	return run_case(tc, "operands");
}
