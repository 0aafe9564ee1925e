/* For tests: reads assembly files through the parser.
 *
 *   asmcat FILE...            prints them again
 *   asmcat --check FILE...    says which of them do not come out byte for byte; status 1 if any
 *   asmcat --rebuild FILE     prints names, arguments and operands put together from their parts,
 *                             which must assemble to the same object
 *   asmcat --preparsed FILE   the dumps
 *   asmcat --parsed FILE
 *   asmcat --time FILE...     processor time of the parse, and sizes */
#include "asmparse/asm.h"
#include "common/diag.h"
#include "common/mem.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static char *read_file(const char *name, size_t *len)
{
	FILE *f = fopen(name, "rb");
	size_t room = 1 << 16;
	char *text = xalloc(room, 1);

	if (!f)
		die("%s:", name);
	for (*len = 0; (room - *len) && !feof(f);) {
		*len += fread(text + *len, 1, room - *len, f);
		if (*len == room)
			text = xrealloc(text, room *= 2, 1);
	}
	fclose(f);
	return xrealloc(text, *len + 1, 1);
}

static bool same(const struct asm_file *file)
{
	char *printed;
	size_t len;
	FILE *out = open_memstream(&printed, &len);
	bool ok = asm_print(file, out);

	fclose(out);
	ok = ok && len == file->len && !memcmp(printed, file->text, len);
	free(printed);
	if (!ok)
		printf("%s: differs\n", file->name);
	return ok;
}

static void put(const char *before, struct asm_text t, const char *after)
{
	if (t.p)
		printf("%s%.*s%s", before, (int)t.len, t.p, after);
}

static void rebuild_memory(const struct asm_operand *o)
{
	const char *end = o->text.p + o->text.len, *paren = memrchr(o->text.p, ')', o->text.len);
	const char *from = paren ? paren : o->text.p;
	const char *brace = memchr(from, '{', (size_t)(end - from));

	put("%", o->segment, ":");
	put("", o->disp, "");
	if (o->base.p || o->index.p || o->scale.p) {
		put("(%", o->base, "");
		printf(o->base.p ? "" : "(");
		put(",%", o->index, "");
		put(",", o->scale, "");
		printf(")");
	}
	if (brace)
		printf("%.*s", (int)(end - brace), brace);
}

/* Where a word before a place ends: "QWORD PTR", "OFFSET", "short". */
static const char *behind_words(struct asm_text t)
{
	static const char *const words[] = {"ptr", "offset", "flat:", "short"};
	const char *last = t.p, *end = t.p + t.len;

	for (const char *p = t.p; p < end; p++)
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if ((size_t)(end - p) > strlen(words[i]) && !strncasecmp(p, words[i], strlen(words[i])) &&
			    (p == t.p || strchr(" \t[", p[-1])))
				last = p + strlen(words[i]);
	return *t.p == '[' && last > t.p ? NULL : last;
}

static void rebuild_intel(const struct asm_operand *o)
{
	const char *words = behind_words(o->text), *brace = memchr(o->text.p, '{', o->text.len);

	if (!words || (o->kind != ASM_OP_MEMORY && o->kind != ASM_OP_BARE && o->kind != ASM_OP_IMMEDIATE)) {
		put("", o->text, "");
		return;
	}
	printf("%.*s ", (int)(words - o->text.p), o->text.p);
	if (o->kind == ASM_OP_MEMORY) {
		put("", o->segment, ":");
		if (o->base.p || o->index.p) {
			put("", o->disp, "");
			put("[", o->base, o->index.p ? "+" : "]");
			printf(o->base.p ? "" : "[");
			put("", o->index, "");
			put("*", o->scale, "");
			printf(o->index.p ? "]" : "");
		} else {
			put("[", o->disp, "]");
		}
	} else {
		put("", o->disp, "");
	}
	if (brace)
		printf("%.*s", (int)(o->text.p + o->text.len - brace), brace);
}

static void rebuild_intel_insn(const struct asm_stmt *s)
{
	put("", s->prefix, " ");
	put("", s->name, " ");
	for (uint32_t i = s->n_operands; i-- > 0;) {
		rebuild_intel(&s->operands[i]);
		printf(i ? "," : "");
	}
}

static void rebuild_insn(const struct asm_stmt *s)
{
	put("", s->prefix, " ");
	put("", s->name, " ");
	for (uint32_t i = 0; i < s->n_operands; i++) {
		const struct asm_operand *o = &s->operands[i];

		printf("%s%s", i ? "," : "", o->indirect ? "*" : "");
		if (o->kind == ASM_OP_MEMORY)
			rebuild_memory(o);
		else
			put("", o->text, "");
	}
}

static void rebuild(const struct asm_stmt *s)
{
	switch (s->kind) {
	case ASM_BLANK:
		break;
	case ASM_LABEL:
		put("", s->name, ":");
		break;
	case ASM_DIRECTIVE:
		put("\t", asm_text_is(s->name, "=") ? (struct asm_text){"", 0} : s->name, " ");
		put("", s->args, "");
		break;
	case ASM_INSN:
		(s->syntax.p ? rebuild_intel_insn : rebuild_insn)(s);
		break;
	case ASM_LINEMARK:
	case ASM_RAW:
		put("", s->text, "");
		break;
	}
	putchar('\n');
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool handle(const char *mode, const char *name)
{
	size_t len;
	char *text = read_file(name, &len);
	double start = now();
	struct asm_file *file = asm_parse(name, text, len);
	double seconds = now() - start;

	if (!strcmp(mode, "--check"))
		return same(file);
	if (!strcmp(mode, "--preparsed"))
		asm_dump_preparsed(file, stdout);
	else if (!strcmp(mode, "--parsed"))
		asm_dump_parsed(file, stdout);
	else if (!strcmp(mode, "--time"))
		printf("%s: %zu bytes, %zu statements, %.3f s\n", name, len, file->n, seconds);
	else if (!strcmp(mode, "--rebuild"))
		for (size_t i = 0; i < file->n; i++)
			rebuild(&file->stmts[i]);
	else
		return asm_print(file, stdout);
	return true;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 && !strncmp(argv[1], "--", 2) ? argv[1] : "";
	bool ok = true;

	diag_program("asmcat");
	for (int i = *mode ? 2 : 1; i < argc; i++)
		ok &= handle(mode, argv[i]);
	return !ok;
}
