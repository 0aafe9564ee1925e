/* libFuzzer target: whatever parses prints as it was, its statements tile the text, and every part
 * lies inside its statement, but for Intel syntax's displacements. What does not parse must be told, not crash.
 *
 *   make build/fuzz/fuzz_asmparse
 *   build/fuzz/fuzz_asmparse -close_fd_mask=2 corpus tests/asmparse/samples
 *
 * The arena is never freed: give -runs= and start again. What ends the process leaves its memory to
 * that end; so leaks are looked for only in inputs that parse. */
#include "asmparse/asm.h"
#include "common/diag.h"

#include <sanitizer/lsan_interface.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf given_up;

static void give_up(void)
{
	longjmp(given_up, 1);
}

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void check_inside(const struct asm_stmt *s, struct asm_text part)
{
	require(!part.p || (part.p >= s->text.p && part.p + part.len <= s->text.p + s->text.len));
}

static void check_operand(const struct asm_stmt *s, const struct asm_operand *o)
{
	require(o->text.p && o->text.len);
	check_inside(s, o->text);
	check_inside(s, o->segment);
	if (!s->syntax.p) /* there it may be put together */
		check_inside(s, o->disp);
	check_inside(s, o->base);
	check_inside(s, o->index);
	check_inside(s, o->scale);
	require(o->kind != ASM_OP_MEMORY || o->segment.p || o->base.p || o->index.p || o->scale.p || s->syntax.p);
	require(o->kind != ASM_OP_MEMORY || o->segment.p || o->base.p || o->index.p || o->scale.p || o->disp.p);
	require(o->kind != ASM_OP_BARE || o->disp.p);
}

static void check_statements(const struct asm_file *file)
{
	const char *at = file->text;
	unsigned line = 1;

	for (size_t i = 0; i < file->n; i++) {
		const struct asm_stmt *s = &file->stmts[i];

		require(s->text.p == at && s->text.len && s->line == line);
		for (; at < s->text.p + s->text.len; at++)
			line += *at == '\n';
		check_inside(s, s->name);
		check_inside(s, s->args);
		check_inside(s, s->prefix);
		for (uint32_t k = 0; k < s->n_operands; k++)
			check_operand(s, &s->operands[k]);
		require(s->name.len || (s->kind != ASM_INSN && s->kind != ASM_LABEL));
	}
	require(at == file->text + file->len);
}

static void check_output(const struct asm_file *file)
{
	char *printed;
	size_t len;
	FILE *out = open_memstream(&printed, &len);

	require(asm_print(file, out));
	require(len == file->len && !memcmp(printed, file->text, len));
	asm_dump_preparsed(file, out);
	asm_dump_parsed(file, out);
	fclose(out);
	free(printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Does it parse? Nothing of this is a leak. */
static bool parses(const char *text, size_t size)
{
	volatile bool ok = false;

	__lsan_disable();
	if (!setjmp(given_up)) {
		free(asm_parse("fuzz.s", text, size)->stmts);
		ok = true;
	}
	__lsan_enable();
	return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct asm_file *file;

	diag_at_exit(give_up);
	if (!parses((const char *)data, size))
		return 0;
	file = asm_parse("fuzz.s", (const char *)data, size);
	check_statements(file);
	check_output(file);
	free(file->stmts);
	return 0;
}
