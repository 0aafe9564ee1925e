/* Cost centres: what .file, .loc, line marks and symbols say. */
#include "tests/instrument/assembling.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* "file:line function" of each instruction that is no padding; what repeats is left out. */
static const char *centres(const struct unit *unit)
{
	static char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	uint32_t last = UINT32_MAX;

	for (size_t i = 0; i < unit->insns.n; i++) {
		const struct insn *insn = &unit->insns.at[i];
		const struct centre *c = &unit->centres.at[insn->centre];

		if (insn->centre == last)
			continue;
		fprintf(out, "%s%s:%u %s", i ? ", " : "", unit->files.at[c->file], c->line,
			unit->functions.at[c->function]);
		last = insn->centre;
	}
	fclose(out);
	return text;
}

static const char *centres_of(const char *name, const char *text)
{
	struct unit *unit = xalloc(1, sizeof *unit);

	ck_assert_int_eq(try_unit(unit, name, text, NULL), 0);
	lines_find(unit, NULL, false);
	ck_assert_str_eq(unit->files.at[0], "???");
	ck_assert_str_eq(unit->functions.at[0], "???");
	return centres(unit);
}

#define DWARF5 ".file \"a.c\"\n.file 0 \"/d\" \"a.c\"\n.file 1 \"a.c\"\n"
#define F ".type f, @function\nf:\n"

static const struct {
	const char *text;
	const char *centres;
} rows[] = {
    /* DWARF 5, as gcc and clang write it */
    {DWARF5 F ".loc 1 3 1\nnop\nnop\n.loc 1 4 2\nret\n", "/d/a.c:3 f, /d/a.c:4 f"},
    {DWARF5 F ".loc 1 3 1 is_stmt 0 view .LVU5\nnop\n", "/d/a.c:3 f"},
    {DWARF5 F ".loc 1 3 1 view -0\n.loc 1 5 1 is_stmt 1 discriminator 2\nnop\n", "/d/a.c:5 f"},
    {DWARF5 F ".loc\t1 3 1 prologue_end # a.c:3:1\nnop\n", "/d/a.c:3 f"},
    {".file 0 \"/d\" \"a.c\" md5 0x0123456789abcdef0123456789abcdef\n" F ".loc 0 7 1\nnop\n",
     "/d/a.c:7 f"},
    {".file 0 \"/d\" \"a.c\" md5 0x0123456789abcdef0123456789abcdef\n"
     ".file 1 \"/usr/include\" \"x.h\" md5 0x0123456789abcdef0123456789abcdef\n" F
     ".loc 1 7 1\nnop\n",
     "/usr/include/x.h:7 f"},
    {DWARF5 ".file 2 \"sub\" \"b.h\"\n.file 3 \"sub/c.h\"\n.file 4 \"/x/d.h\"\n" F
	    ".loc 2 1 1\nnop\n.loc 3 2 1\nnop\n.loc 4 3 1\nnop\n",
     "/d/sub/b.h:1 f, /d/sub/c.h:2 f, /x/d.h:3 f"},
    {DWARF5 ".file 2 \"../e/./b.h\"\n.file 3 \"/x//y/../z.h\"\n.file 4 \"../../../q.h\"\n" F
	    ".loc 2 1 1\nnop\n.loc 3 2 1\nnop\n.loc 4 1 1\nnop\n",
     "/e/b.h:1 f, /x/z.h:2 f, /q.h:1 f"},
    {".file 0 \"/d e\\\\\\\"\\303\\244\" \"a\\tb.c\"\n" F ".loc 0 1 1\nnop\n",
     "/d e\\\"\303\244/a\tb.c:1 f"},
    {".file 1 \"sub/a.c\"\n.file 0 \"/d\" \"a.c\"\n" F ".loc 1 1 1\nnop\n", "sub/a.c:1 f"},

    /* DWARF 4 */
    {".file \"a.c\"\n" F ".file 1 \"a.c\"\n.loc 1 3 1\nnop\n.file 2 \"../x.h\"\n.loc 2 9 1\nnop\n",
     "a.c:3 f, ../x.h:9 f"},
    {".file 1 \"x/../y/./a.c\"\n.file 2 \"../../b.c\"\n.file 3 \"x/../../c.c\"\n" F
     ".loc 1 3 1\nnop\n.loc 2 3\nnop\n.loc 3 3\nnop\n",
     "y/a.c:3 f, ../../b.c:3 f, ../c.c:3 f"},

    /* before the first .loc; line 0; no such file */
    {DWARF5 F "nop\n.loc 1 4 1\nnop\n", "/d/a.c:0 f, /d/a.c:4 f"},
    {DWARF5 F ".loc 1 4 1\nnop\n.loc 1 0 0\nnop\n.loc 1 5 1\nnop\n", "/d/a.c:4 f, /d/a.c:5 f"},
    {DWARF5 F ".loc 1 4 1\nnop\n.loc 1 5 1\n.loc 1 0 0\nnop\n.loc 1 6 1\nnop\n",
     "/d/a.c:4 f, /d/a.c:5 f, /d/a.c:6 f"},
    {".file \"a.c\"\n.file 1 \"b.c\"\n" F "nop\n.loc 1 4 1\nnop\n", "b.c:0 f, b.c:4 f"},

    /* rows belong to instructions and hold by address */
    {DWARF5 F ".loc 1 1 1\nnop\n.loc 1 2 1\n.byte 0x90\nnop\n", "/d/a.c:1 f, /d/a.c:2 f"},
    {DWARF5 F ".loc 1 1 1\nnop\n.loc 1 2 1\n.p2align 4\nnop\n", "/d/a.c:1 f, /d/a.c:2 f"},
    {DWARF5 F ".loc 1 1 1\nnop\n.loc 1 2 1\nlock\nincl (%rax)\n", "/d/a.c:1 f, /d/a.c:2 f"},
    {DWARF5 F ".loc 1 1 1\nnop\n.loc 1 2 1\n.byte 0x66\nleaq x@tlsgd(%rip), %rdi\n",
     "/d/a.c:1 f, /d/a.c:2 f"},
    {DWARF5 ".macro m\nnop\nnop\n.endm\n" F ".loc 1 1 1\nnop\n.loc 1 2 1\nm\n",
     "/d/a.c:1 f, /d/a.c:2 f"},
    {DWARF5 F ".loc 1 1 1\nnop\n.subsection 1\n.loc 1 2 1\nhlt\n.previous\nret\n"
	      ".loc 1 3 1\nnop\n",
     "/d/a.c:1 f, /d/a.c:3 f, /d/a.c:2 f"},
    {DWARF5 F ".loc 1 1 1\nnop\n.section .text.g,\"ax\"\n.type g, @function\ng:\n"
	      ".loc 1 2 1\nnop\n.text\nnop\n",
     "/d/a.c:1 f, /d/a.c:2 g"},
    {DWARF5 F ".loc 1 1 1\nnop\n.section .text.g,\"ax\"\n.type g, @function\ng: nop\n",
     "/d/a.c:1 f, /d/a.c:0 g"},
    {DWARF5 F "nop\n.data\n.loc 1 3 1\n.text\nnop\n", "/d/a.c:0 f, /d/a.c:3 f"},

    /* but begin at once with a view, and where another .loc follows */
    {DWARF5 F ".loc 1 1 1 view .LVU1\nnop\n.loc 1 2 1 view .LVU2\n.byte 0x90\n.loc 1 3 1\nnop\n",
     "/d/a.c:1 f, /d/a.c:2 f, /d/a.c:3 f"},
    {DWARF5 F ".loc 1 1 1\nnop\n.loc 1 2 1\n.loc 1 3 1\n.byte 0x90\nnop\n", "/d/a.c:1 f, /d/a.c:2 f, /d/a.c:3 f"},
    {DWARF5 F ".loc 1 1 1\nnop\n.loc 1 2 1 view .LVU2\n.section .text.g,\"ax\"\n.type g, @function\ng:\n"
	      "nop\n.text\nnop\n.loc 1 3 1 view .LVU3\n",
     "/d/a.c:1 f, /d/a.c:2 f, /d/a.c:0 g"},
    {DWARF5 F ".loc 1 1 1\nnop\n.loc 1 2 1 view .LVU2\n.section .text.g,\"ax\"\n.type g, @function\ng:\n"
	      "nop\n.text\n.loc 1 3 1 view .LVU3\nnop\n.section .text.g\n.loc 1 4 1 view .LVU4\nnop\n",
     "/d/a.c:1 f, /d/a.c:3 f, /d/a.c:0 g, /d/a.c:4 g"},
    {DWARF5 F ".loc 1 1 1 view .LVU1\nnop\n.subsection 1\n.loc 1 2 1 view .LVU2\nhlt\n.previous\nret\n"
	      ".loc 1 3 1 view .LVU3\n.data\n.text\n",
     "/d/a.c:1 f, /d/a.c:2 f"},

    /* inlined code goes to its file, and the function is the one it runs in */
    {DWARF5 ".file 2 \"in.h\"\n" F ".loc 1 1 1\nnop\n.LBB4:\n.loc 2 33 3\nnop\n.LBE4:\n"
	    ".loc 1 2 1\nret\n",
     "/d/a.c:1 f, /d/in.h:33 f, /d/a.c:2 f"},

    /* functions */
    {DWARF5 F
     ".loc 1 1 1\nnop\n.L2: nop\n.type g, @function\ng: nop\n.section .text.unlikely,\"ax\"\n"
     ".type f.cold, @function\nf.cold:\n.loc 1 5 1\nnop\n",
     "/d/a.c:1 f, /d/a.c:1 g, /d/a.c:5 f.cold"},
    {DWARF5 F "nop\n.p2align 4\n.type g, @function\ng: nop\n.loc 1 9 1\nret\n",
     "/d/a.c:0 f, /d/a.c:0 g, /d/a.c:9 g"},
    {"f: nop\n.globl g\ng: ret\nh: ret\n", "t.s:1 ???, t.s:3 g, t.s:4 g"},
    {".globl f\nf: nop\n.globl x\nx: ret\n.type f, @function\n", "t.s:2 f, t.s:4 f"},
    {".type f, @function\n.type g, @function\nf: g: nop\n", "t.s:3 f"},
    {".type f, @function\n.globl g\n.type g, @function\nf: g: nop\n", "t.s:4 g"},
    {".globl g, h\n.type g, @function\n.type h, @function\nh: g: nop\n", "t.s:4 h"},
    {F "nop\n.globl h\n.type h, @function\n.set h, f\n", "t.s:3 h"},
    {".type f, @gnu_indirect_function\nf: nop\n", "t.s:2 f"},
    {F "nop\n.type t, @object\n.globl t\nt: nop\n", "t.s:3 f, t.s:6 f"},

    /* hand-written: its own lines, or what line marks say */
    {F "nop\nnop; nop\nret\n", "t.s:3 f, t.s:4 f, t.s:5 f"},
    {F "# 10 \"x.S\"\nnop\n\nnop\n# 2 \"inc/../y.h\" 1\nnop\n# 20 \"x.S\" 2\nnop\n",
     "x.S:10 f, x.S:12 f, y.h:2 f, x.S:20 f"},
    {F "# 5\nnop\n", "t.s:5 f"},
    {".macro m\nnop\nnop\n.endm\n" F "m\n.rept 2\nnop\n.endr\n.byte 0x90\n",
     "t.s:7 f, t.s:8 f, t.s:11 f"},
    {F "nop\n.p2align 4\nnop\n", "t.s:3 f, t.s:5 f"},
    {".file \"a.c\"\n" F "nop\n", "t.s:4 f"},
};

START_TEST(attribution)
{
	ck_assert_str_eq(centres_of("t.s", rows[_i].text), rows[_i].centres);
}
END_TEST

START_TEST(own_name)
{
	ck_assert_str_eq(centres_of("sub/./x/../t.s", "nop\n"), "sub/t.s:1 ???");
}
END_TEST

/* Each file, function and centre is there once. */
START_TEST(distinct)
{
	struct unit *unit =
	    assembled(DWARF5 ".file 2 \"/d/./a.c\"\n" F ".loc 1 3 1\nnop\n.loc 1 4 1\n"
			     "nop\n.loc 2 3 1\nnop\n");

	lines_find(unit, NULL, false);
	ck_assert_uint_eq(unit->centres.n, 2);
	ck_assert_uint_eq(unit->functions.n, 2);
	ck_assert_uint_eq(unit->insns.at[0].centre, unit->insns.at[2].centre);
}
END_TEST

/* Padding has the row that begins before it, whatever comes behind. */
static const struct {
	const char *locs;
	uint32_t line;
} padded[] = {
    {".loc 1 2 1\n", 1}, {".loc 1 2 1 view .LVU2\n", 2}, {".loc 1 2 1\n.loc 1 3 1\n", 2},
    {".loc 1 2 1 view .LVU2\n.loc 1 3 1 is_stmt 0 view .LVU3\n", 3}, {".loc 1 2 1 view .LVU2\n.loc 1 3 1\n", 2},
    {".loc 1 0 1 view .LVU2\n", 1},
};

START_TEST(padding)
{
	char text[512];
	struct unit *unit;

	snprintf(text, sizeof text, DWARF5 F ".loc 1 1 1\nnop\n%s.p2align 4\n.type g, @function\ng: nop\n",
		 padded[_i].locs);
	unit = assembled(text);
	lines_find(unit, NULL, false);
	ck_assert_uint_eq(unit->insns.at[0].centre, 0);
	ck_assert_uint_gt(unit->insns.n, 2);
	for (size_t i = 1; i + 1 < unit->insns.n; i++) {
		ck_assert(unit->insns.at[i].padding);
		ck_assert_uint_eq(unit->centres.at[unit->insns.at[i].centre].line, padded[_i].line);
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("lines");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, attribution, 0, COUNT(rows));
	tcase_add_test(tc, own_name);
	tcase_add_test(tc, distinct);
	tcase_add_loop_test(tc, padding, 0, COUNT(padded));
	return run_case(tc, "lines");
}
