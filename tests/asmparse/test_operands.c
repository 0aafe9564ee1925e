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
	{"st", "bare text=st disp=st"},
	{"8-st(1)", "other text=8-st(1)"},
};

/* Behind .att_syntax noprefix. */
static const struct {
	const char *text;
	const char *operand;
} naked_rows[] = {
	{"rax", "register text=rax"},
	{"%rax", "register text=%rax"},
	{"*R10", "*register text=R10"},
	{"st", "register text=st"},
	{"ST ( 1 )", "register text=ST ( 1 )"},
	{"%st(1)", "register text=%st(1)"},
	{"zmm31{k1}{z}", "register text=zmm31{k1}{z}"},
	{"raxx", "bare text=raxx disp=raxx"},
	{"rax.L1", "bare text=rax.L1 disp=rax.L1"},
	{"$raxx", "immediate text=$raxx"},
	{"8(rsp)", "memory text=8(rsp) disp=8 base=rsp"},
	{"*(,rax,8)", "*memory text=(,rax,8) index=rax scale=8"},
	{"x+8(rip)", "memory text=x+8(rip) disp=x+8 base=rip"},
	{"fs:-8(r12 , % rcx,2)", "memory text=fs:-8(r12 , % rcx,2) segment=fs disp=-8 base=r12 index=rcx scale=2"},
	{"fs:0", "memory text=fs:0 segment=fs disp=0"},
	{"(area)", "bare text=(area) disp=(area)"},
};

/* In Intel syntax. */
static const struct {
	const char *text;
	const char *operand;
} intel_rows[] = {
	{"rax", "register text=rax"},
	{"%rax", "register text=%rax"},
	{"R8D", "register text=R8D"},
	{"r15b", "register text=r15b"},
	{"xmm31", "register text=xmm31"},
	{"zmm1{k1}{z}", "register text=zmm1{k1}{z}"},
	{"zmm1 { k1 } { z }", "register text=zmm1 { k1 } { z }"},
	{"k7", "register text=k7"},
	{"st", "register text=st"},
	{"st(1)", "register text=st(1)"},
	{"% st ( 1 )", "other text=% st ( 1 )"},
	{"cr3", "register text=cr3"},
	{"fs", "register text=fs"},
	{"r", "bare text=r disp=r"},
	{"r8x", "bare text=r8x disp=r8x"},
	{"r123", "bare text=r123 disp=r123"},
	{"xmm1b", "bare text=xmm1b disp=xmm1b"},
	{"raxx", "bare text=raxx disp=raxx"},

	{"1", "immediate text=1 disp=1"},
	{"-1", "immediate text=-1 disp=-1"},
	{"- -1", "immediate text=- -1 disp=1"},
	{"0x10+3*4", "immediate text=0x10+3*4 disp=0x10+3*4"},
	{"(1+2)*3", "immediate text=(1+2)*3 disp=(1+2)*3"},
	{"~1", "immediate text=~1 disp=~1"},
	{"1<<4", "immediate text=1<<4 disp=1<<4"},
	{"'a'", "immediate text='a' disp='a'"},
	{"'a", "immediate text='a disp='a"},
	{"','", "immediate text=',' disp=','"},
	{"'\\''", "immediate text='\\\\'' disp='\\\\''"},
	{"OFFSET foo", "immediate text=OFFSET foo disp=foo"},
	{"offset flat:foo+8", "immediate text=offset flat:foo+8 disp=foo+8"},
	{"OFFSET FLAT:.LC0", "immediate text=OFFSET FLAT:.LC0 disp=.LC0"},

	{"[rax]", "memory text=[rax] base=rax"},
	{"[%rax]", "memory text=[%rax] base=rax"},
	{"QWORD PTR [rax]", "memory text=QWORD PTR [rax] base=rax"},
	{"qword ptr[rax]", "memory text=qword ptr[rax] base=rax"},
	{"[QWORD PTR .L4[0+rax*8]]", "memory text=[QWORD PTR .L4[0+rax*8]] disp=.L4+0 index=rax scale=8"},
	{"[rsp+8]", "memory text=[rsp+8] disp=8 base=rsp"},
	{"[ 8 + rsp ]", "memory text=[ 8 + rsp ] disp=8 base=rsp"},
	{"[rsp-8]", "memory text=[rsp-8] disp=-8 base=rsp"},
	{"[rsp+4*2-1]", "memory text=[rsp+4*2-1] disp=4*2-1 base=rsp"},
	{"[rsp+(4+2)*2]", "memory text=[rsp+(4+2)*2] disp=(4+2)*2 base=rsp"},
	{"[rax+rcx]", "memory text=[rax+rcx] base=rax index=rcx"},
	{"[rax+rcx*8]", "memory text=[rax+rcx*8] base=rax index=rcx scale=8"},
	{"[8*rcx+rax]", "memory text=[8*rcx+rax] base=rax index=rcx scale=8"},
	{"[rcx*8][rax].4", "memory text=[rcx*8][rax].4 disp=.4 base=rax index=rcx scale=8"},
	{"8[rax]", "memory text=8[rax] disp=8 base=rax"},
	{"-8[rbp]", "memory text=-8[rbp] disp=-8 base=rbp"},
	{"foo[rip]", "memory text=foo[rip] disp=foo base=rip"},
	{"[rip+foo]", "memory text=[rip+foo] disp=foo base=rip"},
	{"foo[rip+8]", "memory text=foo[rip+8] disp=foo+8 base=rip"},
	{"[foo-8+rip]", "memory text=[foo-8+rip] disp=foo-8 base=rip"},
	{"[8+foo]", "memory text=[8+foo] disp=8+foo"},
	{"DWORD BCST foo[rip]", "memory text=DWORD BCST foo[rip] disp=foo base=rip"},
	{"DWORD PTR foo", "memory text=DWORD PTR foo disp=foo"},
	{"foo@GOTPCREL[rip]", "memory text=foo@GOTPCREL[rip] disp=foo@GOTPCREL base=rip"},
	{"\"a b\"[rip]", "memory text=\\\"a b\\\"[rip] disp=\\\"a b\\\" base=rip"},
	{"[rdi+zmm2*4]{k1}", "memory text=[rdi+zmm2*4]{k1} base=rdi index=zmm2 scale=4"},
	{"dword ptr [rax]{1to16}", "memory text=dword ptr [rax]{1to16} base=rax"},
	{"fs:0", "memory text=fs:0 segment=fs disp=0"},
	{"fs:[rax]", "memory text=fs:[rax] segment=fs base=rax"},
	{"QWORD PTR fs:x@tpoff", "memory text=QWORD PTR fs:x@tpoff segment=fs disp=x@tpoff"},
	{"[rax+mask-rdx]", "other text=[rax+mask-rdx]"},
	{"[rax+rcx+rdx]", "other text=[rax+rcx+rdx]"},
	{"[rax*rcx]", "other text=[rax*rcx]"},
	{"[rax*foo]", "other text=[rax*foo]"},
	{"[(rax)+8]", "other text=[(rax)+8]"},
	{"[rax+(8 shl 1)]", "other text=[rax+(8 shl 1)]"},
	{"[rax+foo and 7]", "other text=[rax+foo and 7]"},

	{"foo", "bare text=foo disp=foo"},
	{"foo+8", "bare text=foo+8 disp=foo+8"},
	{"foo@PLT", "bare text=foo@PLT disp=foo@PLT"},
	{"short foo", "bare text=short foo disp=foo"},
	{"1f", "bare text=1f disp=1f"},
	{"SHORT 20b", "bare text=SHORT 20b disp=20b"},
	{"1f+2", "bare text=1f+2 disp=1f+2"},
	{"0x1b", "immediate text=0x1b disp=0x1b"},
	{"0b1", "immediate text=0b1 disp=0b1"},
	{"[rip+1b]", "memory text=[rip+1b] disp=1b base=rip"},
	{"NEAR PTR foo", "bare text=NEAR PTR foo disp=foo"},
	{"short", "bare text=short disp=short"},
	{".+2", "bare text=.+2 disp=.+2"},

	{"{sae}", "other text={sae}"},
	{"rax+8", "other text=rax+8"},
	{"x:y", "other text=x:y"},
	{"[]", "other text=[]"},
	{"[", "other text=["},
	{"{", "other text={"},
	{"+", "other text=+"},
	{"OFFSET", "other text=OFFSET"},
};

/* The dump of an operand without its quotes' clutter: name="x" becomes name=x. */
static const char *operand_of(const char *before, const char *text, char *line, size_t room)
{
	const char *dump, *from;
	size_t n = 0;

	snprintf(line, room, "%s insn %s # comment ( \"\n", before, text);
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

	ck_assert_str_eq(operand_of("", rows[_i].text, line, sizeof line), rows[_i].operand);
}
END_TEST

START_TEST(intel_operand)
{
	char line[400];

	ck_assert_str_eq(operand_of(".intel_syntax noprefix\n", intel_rows[_i].text, line, sizeof line),
			 intel_rows[_i].operand);
}
END_TEST

START_TEST(naked_operand)
{
	char line[400];

	ck_assert_str_eq(operand_of(".att_syntax noprefix\n", naked_rows[_i].text, line, sizeof line),
			 naked_rows[_i].operand);
}
END_TEST

START_TEST(intel_order)
{
	struct asm_stmt *s = parse_text(".intel_syntax noprefix\nvgf zmm0, 1 , [rax,rbx], {sae}\n")->stmts + 1;

	ck_assert_uint_eq(s->n_operands, 5);
	ck_assert_int_eq(s->operands[0].kind, ASM_OP_OTHER);
	ck_assert_int_eq(s->operands[3].kind, ASM_OP_IMMEDIATE);
	ck_assert_int_eq(s->operands[4].kind, ASM_OP_REGISTER);
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
	tcase_add_loop_test(tc, naked_operand, 0, sizeof naked_rows / sizeof *naked_rows);
	tcase_add_loop_test(tc, intel_operand, 0, sizeof intel_rows / sizeof *intel_rows);
	tcase_add_test(tc, intel_order);
	tcase_add_test(tc, several);
	tcase_add_test(tc, given_up);
	tcase_add_test(tc, comments_between);
	return run_case(tc, "operands");
}
