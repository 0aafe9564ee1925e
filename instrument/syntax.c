#include "instrument/syntax.h"

/* Instructions, what may be one when it is expanded, and names given to registers. To other directives syntaxes are
 * alike. */
static bool depends(const struct asm_stmt *s)
{
	static const char *const settings[] = {"=", ".set", ".equ", ".equiv", ".eqv"};

	if (!s->syntax.p && !s->naked)
		return false;
	return s->kind == ASM_INSN || s->kind == ASM_RAW ||
	       (s->kind == ASM_DIRECTIVE && ASM_TEXT_AMONG(s->name, settings));
}

void syntax_open(const struct asm_stmt *s, FILE *out)
{
	if (!depends(s))
		return;
	if (s->naked)
		fputs("\t.att_syntax\tnoprefix\n", out);
	else
		fprintf(out, "\t.intel_syntax\t%.*s\n", (int)s->syntax.len, s->syntax.p);
}

void syntax_close(const struct asm_stmt *s, FILE *out)
{
	if (depends(s))
		fputs("\n\t.att_syntax\tprefix\n", out);
}

bool syntax_changes(const struct asm_stmt *s)
{
	return s->kind == ASM_DIRECTIVE &&
	       (asm_text_means(s->name, ".intel_syntax") || asm_text_means(s->name, ".att_syntax"));
}
