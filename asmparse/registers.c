/* The names of registers, for where they stand without '%' (binutils 2.40, opcodes/i386-reg.tbl). */
#include "asmparse/parser.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Nothing, or one of the letters. */
static bool is_part(struct asm_text t, const char *letters)
{
	return !t.len || (t.len == 1 && strchr(letters, tolower((unsigned char)*t.p)));
}

/* r8d, xmm31, k1: a family's letters, a number, the letter of a part. */
static bool is_numbered(struct asm_text t)
{
	static const struct {
		const char *letters, *parts;
	} families[] = {{"r", "bwd"}, {"xmm", ""}, {"ymm", ""}, {"zmm", ""}, {"mm", ""}, {"tmm", ""},
			{"k", ""},    {"bnd", ""}, {"cr", ""},	{"dr", ""},  {"db", ""}, {"tr", ""}};

	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		size_t n = strlen(families[i].letters), at = n;

		if (t.len <= n || strncasecmp(t.p, families[i].letters, n))
			continue;
		while (at < t.len && isdigit((unsigned char)t.p[at]))
			at++;
		if (at > n && at <= n + 2 && is_part(text_between(t.p + at, text_end(t)), families[i].parts))
			return true;
	}
	return false;
}

bool parser_names_register(struct asm_text t)
{
	static const char *const names[] = {
		"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "eax", "ecx", "edx", "ebx", "esp", "ebp",
		"esi", "edi", "ax",  "cx",  "dx",  "bx",  "sp",	 "bp",	"si",  "di",  "al",  "cl",  "dl",  "bl",
		"ah",  "ch",  "dh",  "bh",  "spl", "bpl", "sil", "dil", "rip", "eip", "riz", "eiz", "st",  "cs",
		"ds",  "es",  "fs",  "gs",  "ss"};

	return ASM_TEXT_AMONG(t, names) || is_numbered(t);
}
