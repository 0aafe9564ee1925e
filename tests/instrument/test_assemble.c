/* Pairing of statements with bytes: labels, prefixes, padding, data in text, sections. */
#include "tests/instrument/assembling.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Entries as "STMT:LEN" with p padding, d data, g glued, i.e. "0:1 1:2p". Entries of other sections
 * follow a "|". */
static const char *entries(const struct unit *unit)
{
	static char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (size_t i = 0; i < unit->insns.n; i++) {
		const struct insn *insn = &unit->insns.at[i];

		if (i)
			fputs(insn->section != insn[-1].section ? " | " : " ", out);
		fprintf(out, "%u:%u%s%s%s", insn->stmt, insn->len, insn->padding ? "p" : "",
			insn->data ? "d" : "", insn->glued ? "g" : "");
	}
	fclose(out);
	return text;
}

/* Every text is assembled as it stands, and with a condition, which makes labels dense. */
static const struct {
	const char *text;
	const char *entries;
} rows[] = {
    {"", ""},
    {"nop\n", "0:1"},
    {"nop", "0:1"},
    {"nop\nret\nmov %rax, %rbx\n", "0:1 1:1 2:3"},
    {"nop; ret; nop\n", "0:1 1:1 2:1"},
    {"f: nop\n1: ret\n", "1:1 3:1"},
    {"/* a\n b */ nop /* c */; ret # d\n", "1:1 2:1"},
    {"# 1 \"x.c\"\nnop\n# 2 \"x.c\"\nret\n", "1:1 3:1"},

    /* prefixes */
    {"lock\nincl (%rax)\nnop\n", "0:3 2:1"},
    {"nop\nlock; incl (%rax)\nnop\n", "0:1 1:3 3:1"},
    {"rep\n\n# c\nmovsb\nnop\n", "0:2 4:1"},
    {"data16 leaq x@tlsgd(%rip), %rdi\n.value 0x6666\nrex64\ncall f@PLT\nnop\n", "0:8 1:8 4:1"},
    {".byte 0x66\nleaq x@tlsgd(%rip), %rdi\n.byte 0x66\nrex64\ncall *f@GOTPCREL(%rip)\n",
     "0:8 2:8"},
    {"nop\n.byte 0x66\n.byte 0x66\nnop\n", "0:1 1:3"},
    {"nop\n.byte 0x66\n1: nop\nret\n", "0:1 1:0d 3:1 4:1"},

    /* padding */
    {"nop\n.p2align 2\nret\n", "0:1 1:3p 2:1"},
    {"nop\n.p2align 4,,3\nret\n", "0:1 2:1"},
    {"jmp f\n.balign 8\nf: ret\n", "0:2 1:6p 3:1"},
    {"movabs $1, %rax\n.balign 32\nret\n", "0:10 1:11p 1:11pg 2:1"},
    {"nop\n.p2align 2, 0xcc\nret\n", "0:1 1:1p 1:1pg 1:1pg 2:1"},
    {"jmp f\n.p2align 2, 0\nf: ret\n", "0:2 1:0d 3:1"},

    /* .byte and its kin */
    {"nop\n.byte 0x0f, 0x31\nret\n", "0:1 1:2 2:1"},
    {"nop\n.byte 0x90, 0x90\nret\n", "0:1 1:1 1:1g 2:1"},
    {"nop\n.byte 0x0f\n.byte 0x31\nret\n", "0:1 1:2 3:1"},
    {"nop\n.byte 0x90, 0x0f\n.byte 0x31\n.byte 0x90\nret\n", "0:1 1:1 1:2g 3:1 4:1"},
    {"ret\n.byte 0x90\nf: ret\n", "0:1 1:0d 3:1"},
    {"jmp *%rax\nf: .byte 0xc4, 0x62, 0xfb, 0xf6, 0xc6\nret\n", "0:2 2:5 3:1"},
    {"jmp *%rax\nt: .byte 0x90, 0x90\nnop\nret\n", "0:2 2:0d 3:1 4:1"},
    {"jmp *%rax\nt: .long 0x90909090\nret\n", "0:2 2:0d 3:1"},
    {"jmp *%rax\nt: .byte 0x06\nret\n", "0:2 2:0d 3:1"},
    {"ret\n.quad 1, f\nf: ret\n", "0:1 1:0d 3:1"},
    {"ret\n.long 1\n.long 2\nt: .long 3\nf: ret\n", "0:1 1:0d 4:0d 6:1"},
    {"jmp f\nf: .byte 0xf3, 0xc3\n", "0:2 2:2"},
    {"jmp f\n.long 5\nf: .byte 0xf3, 0xc3\n", "0:2 1:0d 3:2"},
    {"ret\n.type f, @function\nf: .byte 0xf3, 0xc3\n", "0:1 3:2"},
    {"ret\nf: .byte 0xf3, 0xc3\n", "0:1 2:0d"},
    /* ... to which branches lead that the linker completes */
    {"ret\nf: .byte 0xf3, 0xc3\n.section .text.a,\"ax\"\ncall f\n", "0:1 2:2 | 4:5"},
    {"ret\n\"f g\": .byte 0xf3, 0xc3\n.globl \"f g\"\njmp \"f g\"@PLT\n", "0:1 2:2 4:5"},
    {"ret\n1: .byte 0xf3, 0xc3\n1: .byte 0xf3, 0xc3\n.section .text.a,\"ax\"\njne 1b\n", "0:1 2:0d 4:2 | 6:6"},
    {"ret\nf: .byte 0xf3, 0xc3\n.section .text.a,\"ax\"\njmp *f\n", "0:1 2:0d | 4:7"},
    {"ret\nf: .byte 0xf3, 0xc3\n.section .text.a,\"ax\"\njmp *f(,%rax,8)\nlea f(%rip), %rax\n",
     "0:1 2:0d | 4:7 5:7"},
    {"ret\nnop\n.byte 0x90\n.type f, @function\nf = . + 0x40000000\n", "0:1 1:1 2:0d"},
    {"ret\nnop\n.byte 0x90\n.type f, @function\nf = . - 16\n", "0:1 1:1 2:0d"},
    {"ret\nint3\n.quad 0x9090909090909090\n", "0:1 1:1 2:0d"},
    {"ret\nint3\nt: .quad 0x9090909090909090\n", "0:1 1:1 3:0d"},
    {"ret\nnop\nint3\n.balign 8\nt: .byte 0x90, 0x90\n", "0:1 1:1 2:1 3:5p 5:0d"},
    {"ret\nt: int3\n.byte 0x90\nret\n", "0:1 2:1 3:1 4:1"},
    {"syscall\n.ascii \"PPP\"\nret\n", "0:2 1:0d 2:1"},
    /* ... led to from what is before them, or not */
    {"ret\nint3\n.byte 0x90, 0x90\n", "0:1 1:1 2:0d"},
    {"ret\nt: nop\n.byte 0x90, 0x90\n", "0:1 2:1 3:1 3:1g"},
    {"clc\nnop\n.byte 0x90, 0x90\n", "0:1 1:1 2:1 2:1g"},
    {"clc\n.byte 0x06\nt: .byte 0x90, 0x90\n", "0:1 1:0d 3:0d"},
    {"ret\nvpdpbssd (%rax), %ymm1, %ymm2\n.byte 0x90, 0x90\n", "0:1 1:5 2:1 2:1g"},
    {"jmp f\n.byte 0x90, 0x90\n", "0:5 1:0d"},
    {"jne 1f\n.byte 0x90, 0x90\n1: ret\n", "0:2 1:1 1:1g 3:1"},
    {"jmp 1f\njmp 2f\n1: .byte 0xf3, 0xc3\n2: .byte 0xf3, 0xc3\n", "0:2 1:2 3:2 5:2"},
    {"jmp *%rax\n.text 1\n.byte 0x90\n.text\nt: .byte 0x90\n", "0:2 5:0d 2:0d"},
    {".text 1\nt: nop\n.byte 0x90, 0x90\n.text\nret\n", "5:1 2:1 3:1 3:1g"},
    {".type f, @function\nf: .byte 0xeb, 4\n.long 5\nret\n", "2:6g 4:1"},
    {"clc\n.byte 0xeb, 4\n.long 5\nret\n", "0:1 1:6 3:1"},
    {"ret\n.byte 0xeb, 4\n.long 5\nret\n", "0:1 1:0d 3:1"},
    {"clc\n.byte 0x75, 4\n.long 0\nret\n", "0:1 1:2 2:2 2:2g 3:1"},
    {"clc\n.byte 0xeb, 2\n.long 0\nret\n", "0:1 1:2 2:2 2:2g 3:1"},
    {"clc\n.byte 0xeb, 0\nret\n", "0:1 1:2 2:1"},
    /* ... behind what may not come back */
    {"call f\nt: .byte 0x90, 0x90\n.section .rodata\n.quad t\n", "0:5 2:0d"},
    {"call f\nt: .byte 0x90, 0x90\nret\nlea t(%rip), %rax\n", "0:5 2:0d 3:1 4:7"},
    {"syscall\nnop\nint3\nt: .byte 0x90, 0x90\nret\nmov $t, %eax\n", "0:2 1:1 2:1 4:0d 5:1 6:5"},
    {"int $0x80\n$t: .byte 0x90, 0x90\nret\nmov $$t, %eax\n", "0:2 2:0d 3:1 4:5"},
    {"call f\n.globl t\nt: .byte 0x90, 0x90\n", "0:5 3:0d"},
    {"call f\nt: .byte 0x90, 0x90\nret\n", "0:5 2:1 2:1g 3:1"},
    {"call f\nt: .byte 0x90, 0x90\nret\njmp t\n", "0:5 2:1 2:1g 3:1 4:2"},
    {"call f\nt: .byte 0x90, 0x90\n.section .debug_x\n.quad t\n", "0:5 2:1 2:1g"},
    {"clc\nt: .byte 0x90, 0x90\nret\nlea t(%rip), %rax\n", "0:1 2:1 2:1g 3:1 4:7"},
    {"nop\n.globl t\nt: .byte 0x90, 0x90\n", "0:1 3:1 3:1g"},
    {".ident \"GCC\"\ncall f\n.globl t\nt: .byte 0x90, 0x90\n", "1:5 4:1 4:1g"},
    {".ident \"GCC\"\n#APP\ncall f\n.globl t\nt: .byte 0x90, 0x90\n#NO_APP\n",
     "2:5 5:0d"},
    /* ... a string that is a jump, over what may be written over */
    {".type f, @function\nf: .ascii \"\\353\\t\"\nnopw 512(%rax,%rax)\nret\n", "2:2 3:9 4:1"},
    {"nop\n.ascii \"\\353\\t\"\nnopw 512(%rax,%rax)\nret\n", "0:1 1:2 2:9 3:1"},
    {"nop\n.ascii \"\\353\\010\"\nnopw 512(%rax,%rax)\nret\n", "0:1 1:0d 2:9 3:1"},
    {"nop\n.ascii \"\\353\\012\"\nnopw 512(%rax,%rax)\nret\n", "0:1 1:0d 2:9 3:1"},
    {"nop\n.ascii \"\\353\\376\"\nret\n", "0:1 1:0d 2:1"},
    {"nop\n.ascii \"\\353\\tP\"\nnopw 512(%rax,%rax)\nret\n", "0:1 1:0d 2:9 3:1"},
    {"nop\n.ascii \"\\353\\001\"\nnop\n.long 0x06060606\nret\n", "0:1 1:0d 2:1 3:0d 4:1"},
    {"nop\n.ascii \"\\377\\340\"\nret\n", "0:1 1:0d 2:1"},
    {"nop\n.string16 \"\\353\"\nret\n", "0:1 1:0d 2:1"},
    {"nop\n.ascii \"t\\t\"\nnopw 512(%rax,%rax)\nret\n", "0:1 1:0d 2:9 3:1"},
    {"ret\nt: .ascii \"\\353\\t\"\nnopw 512(%rax,%rax)\nret\n", "0:1 2:0d 3:9 4:1"},
    {"syscall\n.byte 0x90\n.asciz \"P\"\n.string \"P\"\nret\n", "0:2 1:0d 4:1"},
    {"syscall\n.quad 0x9090909090909090\nret\n", "0:2 1:0d 2:1"},
    {"syscall\n.double 1.5\n.long 0\nret\n", "0:2 1:0d 3:1"},
    {"syscall\n.long 0x90909090\nret\n", "0:2 1:1 1:1g 1:1g 1:1g 2:1"},
    {"call 1f\n.quad 0x9090909090909090\n1: pop %rax\nret\n", "0:5 1:0d 3:1 4:1"},
    {"call 1f\n.byte 0x90\n.ascii \"PP\"\n1: pop %rax\nret\n", "0:5 1:0d 4:1 5:1"},
    {"call 1f\n.byte 0x90\nnop\n1: pop %rax\nret\n", "0:5 1:1 2:1 4:1 5:1"},
    {".globl f\ncall f\n.byte 0x90\nf: pop %rax\nret\n", "1:5 2:0d 4:1 5:1"},
    {".globl f\ncall f@PLT\n.byte 0x90\nnop\nf: pop %rax\nret\n", "1:5 2:1 3:1 5:1 6:1"},
    {"call 1f\n.byte 0x90\n.data\n1: nop\n", "0:5 1:1"},
    {"nop\nint3\n.byte 0x90\nret\n", "0:1 1:1 2:1 3:1"},
    {"nop\n.byte 0x06\nret\n", "0:1 1:0d 2:1"},
    {"ret\n.skip 5\nnop\n", "0:1 1:0d 2:1"},
    {"nop\n.skip 2, 0x90\nret\n", "0:1 1:1 1:1g 2:1"},
    {"nop\n.nops 3\nret\n", "0:1 1:3 2:1"},
    {"nop\n.org 4, 0x90\nret\n", "0:1 1:1 1:1g 1:1g 2:1"},
    /* ... and what moves on without */
    {"nop\n. = . + 3\nret\n", "0:1 1:0d 2:1"},
    {"nop\n.=.+3\nret\n", "0:1 1:0d 2:1"},
    {"nop\n.set ., . + 3\nret\n", "0:1 1:0d 2:1"},
    {"nop\n.equ . , . + 3\nret\n", "0:1 1:0d 2:1"},
    {"nop\n.set .x, . + 3\n.y = 3\nret\n", "0:1 3:1"},
    {"ret\n.ascii \"ab\"\n.string \"c\"\n", "0:1 1:0d"},

    /* more than one instruction of a statement */
    {"fstenv (%rax)\nnop\n", "0:1 0:2g 1:1"},
    {".macro two a\nnop\nmov \\a, %rbx\n.endm\ntwo %rax\nret\n", "1:1 1:3g 2:1"},
    {"nop\n.rept 2\nnop\n.endr\nret\n", "0:1 1:1 1:1g 2:1"},
    {".irp r, %rax, %rbx\npush \\r\n.endr\nret\n", "0:1 0:1g 1:1"},
    {"nop\n.intel_syntax noprefix\nmov rax, rbx\nret\n.att_syntax prefix\nret\n",
     "0:1 2:3 3:1 5:1"},
    {"nop\n.att_syntax noprefix\nmov rax, rbx\nret\n.att_syntax prefix\nret\n",
     "0:1 2:3 3:1 5:1"},
    {".att_syntax noprefix\nnop\n.section .text.a,\"ax\"\nmov rax, rbx\nret\n",
     "1:1 | 3:3 4:1"},
    {"ret\n.code32\nmov %eax, %ebx\n.code64\nret\n", "0:1 1:0d 2:1"},
    {"ret\n.CODE32\nmov %eax, %ebx\n.CODE64\nret\n", "0:1 1:0d 2:1"},
    {"vpdpbssd (%rax), %ymm1, %ymm2\nret\n", "0:5 1:1"},

    /* sections */
    {"nop\n.section .text.a,\"ax\"\nret\n.text\nret\n", "0:1 4:1 | 2:1"},
    {"nop\n.data\n.long 5\n.text\nret\n", "0:1 4:1"},
    {"nop\n.section .rodata\n1: .long 5\n.previous\nret\n", "0:1 5:1"},
    {"nop\n.pushsection .text.b,\"ax\",@progbits\nret\n.popsection\nret\n", "0:1 4:1 | 2:1"},
    {"nop\n.subsection 1\nret\n.previous\nnop\n.text 1\nnop\n", "0:1 4:1 2:1 6:1"},
    {"nop\n.p2align 2\n.subsection 1\nret\n.previous\n", "0:1 1:3p 3:1"},
    {".section .x\nnop\n.section .y,\"ax\"\nret\n.section .y\nnop\n", "3:1 5:1"},
    {".section .init\nnop\n", "1:1"},
    {".section .eh.c,\"ax\"\n.text\n.section .eh.c\njmp 1f\n.byte 0x48,0x83\n1: ret\n", "3:2 4:0d 6:1"},
    {".bss\n.skip 8\n.text\nnop\n", "3:1"},
    /* ... that conditions choose */
    {".if 1\n.text\n.else\n.data\n.endif\nnop\n"
     ".pushsection .rodata\n.popsection\njmp 1f\n.byte 0x48,0x83\n1: ret\n", "5:1 8:2 9:0d 11:1"},
    {".if 1\n.text\n.else\n.data\n.endif\nnop\n"
     ".section .rodata\n.previous\njmp 1f\n.byte 0x48,0x83\n1: ret\n", "5:1 8:2 9:0d 11:1"},
    {".if 1\n.else\n.pushsection .rodata\n.endif\nnop\n.pushsection .data\n.popsection\n.if 1\n.else\n.popsection\n.endif\n"
     "jmp 1f\n.byte 0x48,0x83\n1: ret\n", "4:1 11:2 12:0d 14:1"},
    {".data\n.if 0\n.text\n.endif\n.previous\njmp 1f\n.byte 0x48,0x83\n1: ret\n", "5:2 6:0d 8:1"},
    {".if 1\n.if 1\n.endif\n.text\n.else\n.data\n.endif\njmp 1f\n.byte 0x48,0x83\n1: ret\n", "7:2 8:0d 10:1"},
    {"nop\n.nop\nret\n", "0:1 1:1 2:1"},
};

static void check_entries(const char *text, const char *wanted)
{
	struct unit *unit = assembled(text);

	check_cover(unit);
	ck_assert_str_eq(entries(unit), wanted);
}

/* Never instructions, where others would be: zeros, for whole ones. */
static const char *const never_code[] = {
	".8byte 0", ".ascii \"P\"", ".asciz \"\\0\"", ".bfloat16 0", ".dc.a 0", ".dc.d 0", ".dc.s 0", ".dc.x 0",
	".dcb.d 1, 0", ".dcb.s 1, 0", ".dcb.x 1, 0", ".dfloat 0", ".double 0", ".ffloat 0", ".float 0", ".hfloat 0",
	".octa 0", ".quad 0", ".single 0", ".sleb128 -48", ".string \"\\0\"",
	".string16 \"\"", ".string32 \"\"", ".string64 \"\"", ".string8 \"\\0\"", ".tfloat 0", ".uleb128 80",
};

START_TEST(table)
{
	char *text = xasprintf("syscall\n%s\nret\n", never_code[_i]);

	check_entries(text, "0:2 1:0d 2:1");
}
END_TEST

START_TEST(sparse)
{
	check_entries(rows[_i].text, rows[_i].entries);
}
END_TEST

START_TEST(dense)
{
	char *text = xasprintf("%s\n.if 1\n.endif\n", rows[_i].text);

	check_entries(text, rows[_i].entries);
}
END_TEST

/* What a condition leaves out has no bytes; the statements around it are paired all the same. */
START_TEST(conditions)
{
	check_entries(".if 0\nnop\n1: ret\n.rept 2\nnop\n.endr\n.else\nhlt\nret\n.endif\nnop\n",
		      "6:1 7:1 9:1");
}
END_TEST

/* "STMT name offset", F function, G global, I ifunc. */
static const char *labels(const struct unit *unit)
{
	static char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (size_t i = 0; i < unit->labels.n; i++) {
		const struct label *l = &unit->labels.at[i];

		fprintf(out, "%s%d %s %u@%d%s%s%s", i ? ", " : "", (int)l->stmt, l->name, l->offset,
			(int)l->insn, l->function ? "F" : "", l->global ? "G" : "",
			l->ifunc ? "I" : "");
	}
	fclose(out);
	return text;
}

static const struct {
	const char *text;
	const char *labels;
} labelled[] = {
    {"f: nop\n", "0 f 0@0"},
    {".globl f\n.type f, @function\nf: nop\n.L1: ret\n1: nop\n1: nop\n.L2:\n",
     "2 f 0@0FG, 4 .L1 1@1, 6 1 2@2, 8 1 3@3, 10 .L2 4@-1"},
    {".weak f\n.type f, @gnu_indirect_function\nf: nop\n", "2 f 0@0FGI"},
    {"nop\n.p2align 2\n.L3: nop\n", "2 .L3 4@2"},
    {"nop\n.L3: .p2align 2\nnop\n", "1 .L3 1@1"},
    {"f: nop\n.globl g\n.set g, f\n", "0 f 0@0, -1 g 0@0G"},
    {"nop\n.data\n.L1: .long 1\nd: .long 2\n.text\n.L2: ret\n", "7 .L2 1@1"},
    {"\"a b\": nop\n", "0 a b 0@0"},
    {"a: b: .Lc: nop\n", "0 a 0@0, 1 b 0@0, 2 .Lc 0@0"},
    {"nop\n.section .text.x,\"ax\"\n.L1: ret\n.text\n.L2: ret\n", "5 .L2 1@1, 2 .L1 0@2"},
};

START_TEST(label)
{
	ck_assert_str_eq(labels(assembled(labelled[_i].text)), labelled[_i].labels);
}
END_TEST

START_TEST(dense_label)
{
	char *text = xasprintf("%s\n.if 1\n.endif\n", labelled[_i].text);

	ck_assert_str_eq(labels(assembled(text)), labelled[_i].labels);
}
END_TEST

static const struct {
	const char *text;
	const char *directives; /* of the sections, with spaces between */
} switched[] = {
    {"nop\n", ".text"},
    {".text\nnop\n", ".text"},
    {".text 2\nnop\n", ".text"},
    {".section .text.a,\"ax\",@progbits\nnop\n", ".text.a,\"ax\",@progbits"},
    {".section .text.a,\"ax\",@progbits\nnop\n.text\nnop\n.section .text.a\nnop\n",
     ".text .text.a,\"ax\",@progbits"},
    {".section \".text.a\",\"ax\"\nnop\n", "\".text.a\",\"ax\""},
    {".pushsection .text.a,\"ax\"\nnop\n.popsection\nnop\n", ".text .text.a,\"ax\""},
    {".pushsection .text.a, 1, \"ax\"\nnop\n", ".text.a,\"ax\""},
    {".pushsection .text, 1\nnop\n", ".text"},
    {".section .text.f,\"axG\",@progbits,f,comdat\nf: nop\n", ".text.f,\"axG\",@progbits,f,comdat"},
    {".sect .text.f,\"axG\",@progbits,f,comdat\nf: nop\n.sect.s .text.g,\"ax\"\nnop\n.section.s .text.h,\"axo\",f\nnop\n",
     ".text.f,\"axG\",@progbits,f,comdat .text.g,\"ax\" .text.h,\"axo\",f"},
    {".data\n.pushsection .text.a,\"ax\"\n.previous\n.previous\nnop\n.popsection\n.text\nnop\n",
     ".text .text.a,\"ax\""},
    {".macro cold\n.section .text.cold,\"ax\"\n.endm\ncold\nnop\n",
     "\".text.cold\",\"ax\",@progbits"},
    {".section .init\nnop\n", ".init"},
    {".section .text.b,\"ax\"\n.pushsection .rodata\n.popsection\n.previous\nnop\n", ".text"},
    {".section .text.b,\"ax\"\n.subsection 1\n.previous\nnop\n", ".text.b,\"ax\""},
    {".section .text.b,\"ax\"\n.offset 8\n.skip 4\n.previous\nnop\n", ".text.b,\"ax\""},
    {".section \".data,b\",\"ax\"\nnop\n", "\".data,b\",\"ax\""},
    {".previous\nnop\n", ".text"},
    {".popsection\nnop\n", ".text"},
};

START_TEST(directives)
{
	struct unit *unit = assembled(switched[_i].text);
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (size_t i = 0; i < unit->sections.n; i++) {
		const struct asm_text d = unit->sections.at[i].directive;

		fprintf(out, "%s%.*s", i ? " " : "", (int)d.len, d.p);
	}
	fclose(out);
	ck_assert_str_eq(text, switched[_i].directives);
}
END_TEST

/* The labelled copy is assembled in the place of the input: its name and lines are the input's. */
static const char *messages_of(const char *text, int status)
{
	static char message[4096];
	struct unit unit;
	int fds[2], saved = dup(STDERR_FILENO);
	ssize_t n;

	ck_assert_int_eq(pipe(fds), 0);
	dup2(fds[1], STDERR_FILENO);
	close(fds[1]);
	ck_assert_int_eq(try_unit(&unit, "in.s", text, NULL), status);
	dup2(saved, STDERR_FILENO);
	close(saved);
	n = read(fds[0], message, sizeof message - 1);
	close(fds[0]);
	message[n > 0 ? n : 0] = '\0';
	return message;
}

START_TEST(errors)
{
	const char *message = messages_of("nop\nnop; frobnicate %rax\n/*\n*/ ret\n.foo\n", 1);

	ck_assert_ptr_nonnull(strstr(message, "in.s: Assembler messages:\n"));
	ck_assert_ptr_nonnull(
	    strstr(message, "in.s:2: Error: no such instruction: `frobnicate %rax'"));
	ck_assert_ptr_nonnull(strstr(message, "in.s:5: Error: unknown pseudo-op: `.foo'"));
	ck_assert_ptr_null(strstr(message, "labelled"));
}
END_TEST

START_TEST(warnings)
{
	const char *message = messages_of("nop\n\n.warning \"mind\"\n", 0);

	ck_assert_ptr_nonnull(strstr(message, "in.s:3: Warning: mind"));
}
END_TEST

/* Messages of a first, sparse try are not repeated by the second. */
START_TEST(warnings_once)
{
	const char *message = messages_of("nop\nfstenv (%rax)\n.warning \"mind\"\n", 0);
	const char *first = strstr(message, "mind");

	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(strstr(first + 1, "mind"));
}
END_TEST

START_TEST(killed)
{
	static char *options[] = {"sh", "-c", "kill -9 $$", NULL};
	struct unit unit;

	ck_assert_int_eq(try_unit(&unit, "in.s", "nop\n", options), 128 + 9);
}
END_TEST

/* NOPs that keep a branch off a boundary belong to the branch, as padding. */
START_TEST(branch_alignment)
{
	static char *options[] = {"as", "-mbranches-within-32B-boundaries",
				  "-malign-branch-prefix-size=0", NULL};
	char text[200] = ".p2align 5\n1: ";
	const struct insn *insn;
	struct unit unit;

	for (int i = 0; i < 31; i++)
		strcat(text, "nop\n");
	strcat(text, "jmp 1b\nret\n");
	ck_assert_int_eq(try_unit(&unit, "t.s", text, options), 0);
	check_cover(&unit);
	ck_assert_uint_eq(unit.insns.n, 34);
	insn = &unit.insns.at[31];
	ck_assert(insn[0].padding && !insn[1].padding && insn[1].glued);
	ck_assert_uint_eq(insn[0].stmt, insn[1].stmt);
	ck_assert_uint_eq(insn[0].text_stmt, UINT32_MAX);
	ck_assert_uint_eq(insn[1].text_stmt, insn[1].stmt);
}
END_TEST

START_TEST(big)
{
	enum { N = 200000 };
	char *text = xalloc(N + 1, 4);
	struct unit *unit;

	for (int i = 0; i < N; i++)
		memcpy(text + 4 * i, "nop\n", 4);
	unit = assembled(text);
	ck_assert_uint_eq(unit->insns.n, N);
	ck_assert_uint_eq(unit->insns.at[N - 1].stmt, N - 1);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("assemble");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, sparse, 0, COUNT(rows));
	tcase_add_loop_test(tc, dense, 0, COUNT(rows));
	tcase_add_loop_test(tc, table, 0, COUNT(never_code));
	tcase_add_test(tc, conditions);
	tcase_add_loop_test(tc, label, 0, COUNT(labelled));
	tcase_add_loop_test(tc, dense_label, 0, COUNT(labelled));
	tcase_add_loop_test(tc, directives, 0, COUNT(switched));
	tcase_add_test(tc, errors);
	tcase_add_test(tc, warnings);
	tcase_add_test(tc, warnings_once);
	tcase_add_test(tc, killed);
	tcase_add_test(tc, branch_alignment);
	tcase_add_test(tc, big);
	return run_case(tc, "assemble");
}
