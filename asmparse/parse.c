/* Text -> statements. flex and bison do the work (lex.l, gram.y); here are the way in, the list of
 * statements and the errors. Nothing is computed for messages while parsing: when an error comes,
 * the statements found so far tell which line of the source the compiler was at. */
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
			    });
	s = &p->stmts.at[p->stmts.n - 1];
	p->start = text_end(upto);
	p->start_line = p->line;
	return s;
}

/* The number that t begins with, moving t behind it and the blanks that follow. */
static unsigned take_number(struct asm_text *t)
{
	unsigned n = 0;

	for (; t->len && *t->p >= '0' && *t->p <= '9'; t->p++, t->len--)
		n = n * 10 + (unsigned)(*t->p - '0');
	for (; t->len && (*t->p == ' ' || *t->p == '\t'); t->p++, t->len--)
		;
	return n;
}

/* The text between the next two quotes in t, moving t behind them; no text when there are none. */
static struct asm_text take_string(struct asm_text *t)
{
	const char *end = text_end(*t), *from, *to;

	from = memchr(t->p, '"', t->len);
	to = from ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;
	if (!to)
		return (struct asm_text){0};
	*t = text_between(to + 1, end);
	return text_between(from + 1, to);
}

/* The name that ".file number "directory" "name"" gave. The directory of number 0 is the one in
 * which the compiler ran. */
static const char *file_name(const struct parser *p, unsigned number)
{
	for (size_t i = p->stmts.n; i--;) {
		const struct asm_stmt *s = &p->stmts.at[i];
		struct asm_text args = s->args, dir, name;

		if (s->kind != ASM_DIRECTIVE || !asm_text_is(s->name, ".file") || !args.len ||
		    *args.p < '0' || *args.p > '9' || take_number(&args) != number)
			continue;
		dir = take_string(&args);
		name = take_string(&args);
		if (!name.p)
			name = dir;
		else if (number)
			return xasprintf("%.*s/%.*s", (int)dir.len, dir.p, (int)name.len, name.p);
		return name.p ? arena_string(name.p, name.len) : NULL;
	}
	return NULL;
}

/* Where in the source the compiler was at the given line: the last .loc or, in the text of an asm
 * statement or a preprocessed file, the last line mark (gcc ends the former with # 0 "" 2). */
static void find_source(const struct parser *p, unsigned line, struct loc *loc)
{
	bool marks = true;

	for (size_t i = p->stmts.n; i-- && !loc->source;) {
		const struct asm_stmt *s = &p->stmts.at[i];
		struct asm_text args = s->args;

		if (s->kind == ASM_LINEMARK && !args.len) {
			marks = false;
		} else if (s->kind == ASM_LINEMARK && marks) {
			loc->source = arena_string(args.p, args.len);
			loc->source_line = s->number + line - s->line - 1;
		} else if (s->kind == ASM_DIRECTIVE && asm_text_is(s->name, ".loc")) {
			loc->source = file_name(p, take_number(&args));
			loc->source_line = take_number(&args);
			break;
		}
	}
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
	struct loc loc = {.file = p->name, .line = p->start_line};
	struct asm_text shown;
	va_list ap;
	char *message;

	for (const char *c = p->start; c < where; c++)
		loc.line += *c == '\n';
	while (begin > p->text && begin[-1] != '\n')
		begin--;
	nl = memchr(where, '\n', (size_t)(end - where));
	loc.column = (unsigned)(where - begin) + 1;
	shown = excerpt(text_between(begin, nl ? nl : end), &loc.column);
	find_source(p, loc.line, &loc);

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
	*file = (struct asm_file){name, text, len, p.stmts.at, p.stmts.n};
	return file;
}
