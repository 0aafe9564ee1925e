/* Statements -> text: the file itself, and the dumps that tests and people compare. */
#include "asmparse/asm.h"

#include <string.h>

static const char *const kind_names[] = {
	[ASM_BLANK] = "blank",
	[ASM_LABEL] = "label",
	[ASM_DIRECTIVE] = "directive",
	[ASM_INSN] = "insn",
	[ASM_LINEMARK] = "linemark",
	[ASM_RAW] = "raw",
};

static const char *const operand_names[] = {
	[ASM_OP_REGISTER] = "register",
	[ASM_OP_IMMEDIATE] = "immediate",
	[ASM_OP_MEMORY] = "memory",
	[ASM_OP_BARE] = "bare",
	[ASM_OP_OTHER] = "other",
};

bool asm_text_is(struct asm_text t, const char *s)
{
	return t.p && strlen(s) == t.len && !memcmp(t.p, s, t.len);
}

bool asm_text_begins(struct asm_text t, const char *s)
{
	size_t len = strlen(s);

	return t.len >= len && !memcmp(t.p, s, len);
}

bool asm_text_means(struct asm_text t, const char *word)
{
	return t.len == strlen(word) && !strncasecmp(t.p, word, t.len);
}

bool asm_text_among(struct asm_text t, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (asm_text_means(t, words[i]))
			return true;
	return false;
}

bool asm_text_same(struct asm_text a, struct asm_text b)
{
	return a.len == b.len && (a.len == 0 || !memcmp(a.p, b.p, a.len));
}

bool asm_print(const struct asm_file *file, FILE *out)
{
	for (size_t i = 0; i < file->n; i++) {
		struct asm_text t = file->stmts[i].text;

		if (fwrite_unlocked(t.p, 1, t.len, out) != t.len)
			return false;
	}
	return !fflush(out);
}

/* In quotes, on one line. */
static void print_quoted(struct asm_text t, FILE *out)
{
	putc('"', out);
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.p[i];

		if (c == '\n')
			fputs("\\n", out);
		else if (c == '\t')
			fputs("\\t", out);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			fprintf(out, "\\%03o", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

static void print_part(const char *name, struct asm_text t, FILE *out)
{
	if (!t.p)
		return;
	fprintf(out, " %s=", name);
	print_quoted(t, out);
}

static void print_operand(const struct asm_operand *o, FILE *out)
{
	fprintf(out, " [%s%s", o->indirect ? "*" : "", operand_names[o->kind]);
	print_part("text", o->text, out);
	print_part("segment", o->segment, out);
	print_part("disp", o->disp, out);
	print_part("base", o->base, out);
	print_part("index", o->index, out);
	print_part("scale", o->scale, out);
	putc(']', out);
}

void asm_dump_preparsed(const struct asm_file *file, FILE *out)
{
	for (size_t i = 0; i < file->n; i++) {
		const struct asm_stmt *s = &file->stmts[i];

		fprintf(out, "%u %s ", s->line, kind_names[s->kind]);
		print_quoted(s->text, out);
		putc('\n', out);
	}
}

void asm_dump_parsed(const struct asm_file *file, FILE *out)
{
	for (size_t i = 0; i < file->n; i++) {
		const struct asm_stmt *s = &file->stmts[i];

		fprintf(out, "%u %s", s->line, kind_names[s->kind]);
		if (s->in_asm)
			fputs(" in-asm", out);
		if (s->prefix_only)
			fputs(" prefix-only", out);
		if (s->kind == ASM_LINEMARK)
			fprintf(out, " number=%u", s->number);
		if (s->naked)
			fputs(" naked", out);
		print_part("syntax", s->syntax, out);
		print_part("prefix", s->prefix, out);
		print_part("name", s->name, out);
		print_part("args", s->args, out);
		for (uint32_t k = 0; k < s->n_operands; k++)
			print_operand(&s->operands[k], out);
		putc('\n', out);
	}
}
