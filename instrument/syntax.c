#include "instrument/syntax.h"

#include <string.h>
#include <strings.h>

static bool is(struct asm_text t, const char *directive)
{
	return t.len == strlen(directive) && !strncasecmp(t.p, directive, t.len);
}

/* Instructions, what may be one when it is expanded, and names given to registers. To other directives syntaxes are
 * alike. */
static bool depends(const struct asm_stmt *s)
{
	static const char *const settings[] = {"=", ".set", ".equ", ".equiv", ".eqv"};

	if (!s->syntax.p)
		return false;
	for (size_t i = 0; s->kind == ASM_DIRECTIVE && i < sizeof settings / sizeof *settings; i++)
		if (is(s->name, settings[i]))
			return true;
	return s->kind == ASM_INSN || s->kind == ASM_RAW;
}

void syntax_open(const struct asm_stmt *s, FILE *out)
{
	if (depends(s))
		fprintf(out, "\t.intel_syntax\t%.*s\n", (int)s->syntax.len, s->syntax.p);
}

void syntax_close(const struct asm_stmt *s, FILE *out)
{
	if (depends(s))
		fputs("\n\t.att_syntax\tprefix\n", out);
}

bool syntax_changes(const struct asm_stmt *s)
{
	return s->kind == ASM_DIRECTIVE && (is(s->name, ".intel_syntax") || is(s->name, ".att_syntax"));
}
