/* What cannot be parsed, and how it is told: place in the source, place in the file, the line, a
 * caret. */
#include "tests/asmparse/parsing.h"

static const struct {
	const char *text;
	const char *message;
} rows[] = {
	{"nop\n mov (%rax, %rbx\n",
	 "t.s:2: error: '(' is not closed\n   mov (%rax, %rbx\n       ^\n"},
	{" mov ((%rax); nop\n", "t.s:1: error: '(' is not closed\n   mov ((%rax); nop\n       ^\n"},
	{"\tmov 8%rax), %rbx",
	 "t.s:1: error: ')' without '('\n  \tmov 8%rax), %rbx\n  \t         ^\n"},
	{"nop\n.ascii \"abc\nnop\n",
	 "t.s:2: error: string is not closed\n  .ascii \"abc\n         ^\n"},
	{"nop; mov \"abc\n",
	 "t.s:1: error: string is not closed\n  nop; mov \"abc\n           ^\n"},
	{"\"abc", "t.s:1: error: string is not closed\n  \"abc\n  ^\n"},
	{"nop /* abc\n\n", "t.s:1: error: comment is not closed\n  nop /* abc\n      ^\n"},
	{"/*/\n", "t.s:1: error: comment is not closed\n  /*/\n  ^\n"},
	{"/* a\n b */ mov ( /*\n */ )\n",
	 "t.s:2: error: '(' is not closed\n   b */ mov ( /*\n            ^\n"},
	{".if 0\n (\n.endif\nmov (\n", "t.s:4: error: '(' is not closed\n"},
	{"nop\n\001nop\n", "t.s:2: error: control byte 0x01\n   nop\n  ^\n"},
	{"mov \033[1m\n", "t.s:1: error: control byte 0x1b\n  mov  [1m\n      ^\n"},
	{".byte \177\n", "t.s:1: error: control byte 0x7f\n"},
	{"nop\n\n.macro m (\n\nnop\n", "t.s:3: error: no .endm for this\n  .macro m (\n  ^\n"},
	{".rept 2\n.endm\n", "t.s:1: error: no .endr for this\n"},
	{".intel_syntax\nmov /*\n", "t.s:2: error: comment is not closed\n"},

	{".file \"a.c\"\n.file 1 \"a.c\"\n.loc 1 12 3\nmov (\n", "a.c:12: (t.s:4) error: '('"},
	{".file 0 \"/d\" \"a.c\"\n.loc 0 7\nmov (\n", "a.c:7: (t.s:3) error: '('"},
	{".file 12 \"/d\" \"a.h\" md5 0x1\n.file 1 \"b\"\n.loc 12 7 1 is_stmt 0\nmov (\n",
	 "/d/a.h:7: (t.s:4) error: '('"},
	{".loc 1 7\nmov (\n", "t.s:2: error: '('"},
	{".file 1 garbage\n.loc 1 7\nmov (\n", "t.s:3: error: '('"},
	{".file 1 \"a.c\"\n.loc 1 7\n#APP\n# 20 \"b.h\" 1\nnop\nmov (\n",
	 "b.h:21: (t.s:6) error: '('"},
	{".file 1 \"a.c\"\n.loc 1 7\n# 20 \"b.h\" 1\nnop\n# 0 \"\" 2\nmov (\n",
	 "a.c:7: (t.s:6) error: '('"},
	{".file 1 \"a.c\"\n# 20 \"b.h\" 1\n# 0 \"\" 2\n.loc 1 9\nmov (\n",
	 "a.c:9: (t.s:5) error: '('"},
	{"# 1 \"a.S\"\n# 1 \"<built-in>\"\n# 1 \"a.S\"\nnop\n\nmov (\n",
	 "a.S:3: (t.s:6) error: '('"},
};

START_TEST(errors)
{
	const char *message = error_of(rows[_i].text);
	const char *expected = rows[_i].message;

	ck_assert_msg(!strncmp(message, "cacheprof: ", 11), "%s", message);
	message += 11;
	ck_assert_msg(!strncmp(message, expected, strlen(expected)), "%s", message);
}
END_TEST

START_TEST(nul)
{
	static const char text[] = "nop\n\tmov\0(\n";

	ck_assert_str_eq(error_of_bytes(text, sizeof text - 1),
			 "cacheprof: t.s:2: error: control byte 0x00\n  \tmov (\n  \t   ^\n");
}
END_TEST

START_TEST(long_line)
{
	char text[1 << 16], expected[400];

	memset(text, 'a', sizeof text);
	memcpy(text + 30000, " b ( ", 5);
	text[sizeof text - 1] = '\0';
	snprintf(expected, sizeof expected,
		 "cacheprof: t.s:1: error: '(' is not closed\n  %.56s b ( %.59s\n  %59s^\n", text,
		 text, "");
	ck_assert_str_eq(error_of(text), expected);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("errors");

	tcase_add_loop_test(tc, errors, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tc, nul);
	tcase_add_test(tc, long_line);
	return run_case(tc, "errors");
}
