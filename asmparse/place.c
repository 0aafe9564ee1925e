/* Places for messages. Nothing is computed for them while parsing: when one is wanted, the statements before
 * it tell which line of the source the compiler was at. */
#include "asmparse/parser.h"

#include <string.h>

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
static const char *file_name(const struct asm_file *file, unsigned number)
{
	for (size_t i = file->n; i--;) {
		const struct asm_stmt *s = &file->stmts[i];
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
static void find_source(const struct asm_file *file, size_t before, unsigned line, struct loc *loc)
{
	bool marks = true;

	for (size_t i = before; i-- && !loc->source;) {
		const struct asm_stmt *s = &file->stmts[i];
		struct asm_text args = s->args;

		if (s->mark_line && !args.len) {
			marks = false;
		} else if (s->mark_line && marks) {
			loc->source = arena_string(args.p, args.len);
			loc->source_line = s->number + line - s->mark_line - 1;
		} else if (s->kind == ASM_DIRECTIVE && asm_text_is(s->name, ".loc")) {
			loc->source = file_name(file, take_number(&args));
			loc->source_line = take_number(&args);
			break;
		}
	}
}

struct loc parser_place(const struct asm_file *file, size_t before, unsigned line)
{
	struct loc loc = {.file = file->name, .line = line};

	find_source(file, before, line, &loc);
	return loc;
}

struct loc asm_place(const struct asm_file *file, size_t stmt)
{
	return parser_place(file, stmt, file->stmts[stmt].line);
}
