/* Text -> statements. flex and bison do the work (lex.l, gram.y); here are the way in, the list of
 * statements and the errors. */
#include "asmparse/parser.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/diag.h"

#include "asmparse/gram.h"
#include "asmparse/lex.h"

/* A message shows at most this many bytes of a line on either side of the caret. */
#define EXCERPT 60

struct asm_stmt *parser_add(struct parser *p, enum asm_kind kind, struct asm_text upto)
{
	struct asm_stmt *s;

	VEC_PUSH(&p->stmts, (struct asm_stmt){
				.kind = kind,
				.line = p->start_line,
				.text = text_between(p->start, text_end(upto)),
				.in_asm = p->in_asm,
				.syntax = p->syntax,
				.naked = p->naked,
			    });
	s = &p->stmts.at[p->stmts.n - 1];
	p->start = text_end(upto);
	p->start_line = p->line;
	return s;
}

/* A copy of the line around column that can be shown: no control bytes. Moves the column along. */
static struct asm_text excerpt(struct asm_text line, unsigned *column)
{
	size_t skip = *column > EXCERPT ? *column - EXCERPT : 0;
	size_t len = line.len - skip < 2 * EXCERPT ? line.len - skip : 2 * EXCERPT;
	char *copy = arena_string(line.p + skip, len);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)copy[i] < ' ' && copy[i] != '\t')
			copy[i] = ' ';
	*column -= (unsigned)skip;
	return (struct asm_text){copy, len};
}

void parser_die(struct parser *p, const char *where, const char *fmt, ...)
{
	const char *end = p->text + p->len, *begin = where, *nl;
	struct asm_file read = {.name = p->name, .stmts = p->stmts.at, .n = p->stmts.n};
	struct loc loc;
	unsigned line = p->start_line;
	struct asm_text shown;
	va_list ap;
	char *message;

	for (const char *c = p->start; c < where; c++)
		line += *c == '\n';
	while (begin > p->text && begin[-1] != '\n')
		begin--;
	nl = memchr(where, '\n', (size_t)(end - where));
	loc = parser_place(&read, read.n, line);
	loc.column = (unsigned)(where - begin) + 1;
	shown = excerpt(text_between(begin, nl ? nl : end), &loc.column);

	va_start(ap, fmt);
	if (vasprintf(&message, fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
	die_at(loc, shown.p, shown.len, "%s", message);
}

/* flex wants two NULs behind the text and writes into it. Other NULs (clang copies them into the
 * comment beside .byte 0) would cost it a second look at the token each time, so it sees other
 * control bytes instead. */
static char *scanner_copy(const char *text, size_t len)
{
	char *copy = xrealloc(NULL, len + 2, 1), *nul = copy;

	memcpy(copy, text, len);
	while ((nul = memchr(nul, '\0', len - (size_t)(nul - copy))))
		*nul = '\001';
	copy[len] = copy[len + 1] = '\0';
	return copy;
}

struct asm_file *asm_parse(const char *name, const char *text, size_t len)
{
	struct parser p = {.name = name, .text = text, .len = len};
	struct asm_file *file = arena_alloc(sizeof *file);
	char *copy = scanner_copy(text, len);
	void *scanner;
	int result;

	p.start = text;
	p.start_line = p.line = 1;
	p.copy = copy;
	if (gram_lex_init_extra(&p, &scanner) || !gram__scan_buffer(copy, len + 2, scanner))
		die("%s: cannot be scanned:", name);
	result = gram_parse(scanner, &p);
	assert(result != 1); /* a syntax error: the grammar takes whatever the scanner lets pass */
	if (result)
		parser_die(&p, p.last, "expression is nested too deeply");
	gram_lex_destroy(scanner);
	free(copy);
	VEC_FREE(&p.operands);
	*file = (struct asm_file){name, text, len, p.stmts.at, p.stmts.n, parser_mark_foreign(&p)};
	return file;
}
