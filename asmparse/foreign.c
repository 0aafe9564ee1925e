/* What LLVM's compilers pass on of the source's own assembly between functions (asm("..."), module asm,
 * global_asm!): unlike gcc they put no #APP before it, and in some outputs no comment either. But each function that
 * they compile, and each part of one, ends in a local label of theirs that its .size names. */
#include "asmparse/parser.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

static bool is_directive(const struct asm_stmt *s, const char *name)
{
	return s->kind == ASM_DIRECTIVE && asm_text_is(s->name, name);
}

/* The function of ".size function, .Lfunc_end0-function"; p NULL: it is not one that LLVM wrote. */
static struct asm_text compiled(const struct asm_stmt *s)
{
	const char *end = text_end(s->args), *comma;
	struct asm_text rest;

	if (!is_directive(s, ".size") || !s->args.len || !(comma = memchr(s->args.p, ',', s->args.len)))
		return (struct asm_text){0};
	for (rest.p = comma + 1; rest.p < end && (*rest.p == ' ' || *rest.p == '\t');)
		rest.p++;
	rest.len = (size_t)(end - rest.p);
	if (!asm_text_begins(rest, ".Lfunc_end") && !asm_text_begins(rest, ".LBB_END"))
		return (struct asm_text){0};
	return text_between(s->args.p, comma);
}

struct label {
	struct asm_text name;
	size_t stmt;
	UT_hash_handle hh;
};

static struct label *index_labels(const struct parser *p)
{
	struct label *labels = NULL, *label;

	for (size_t i = 0; i < p->stmts.n; i++) {
		const struct asm_stmt *s = &p->stmts.at[i];

		if (s->kind != ASM_LABEL || asm_text_begins(s->name, ".L"))
			continue;
		label = arena_alloc(sizeof *label);
		*label = (struct label){.name = s->name, .stmt = i};
		HASH_ADD_KEYPTR(hh, labels, label->name.p, label->name.len, label);
	}
	return labels;
}

/* Whether the compiler is LLVM's, and per statement, how many more functions begin than end there. */
static bool find_compiled(const struct parser *p, int *depth)
{
	struct label *labels = NULL, *label;
	bool llvm = false;

	for (size_t i = 0; i < p->stmts.n; i++) {
		const struct asm_stmt *s = &p->stmts.at[i];
		struct asm_text function = compiled(s);

		llvm |= is_directive(s, ".ident") && s->args.len && memmem(s->args.p, s->args.len, "clang", 5);
		if (!function.p)
			continue;
		llvm = true;
		if (!labels)
			labels = index_labels(p);
		HASH_FIND(hh, labels, function.p, function.len, label);
		if (label && label->stmt < i) {
			depth[label->stmt]++;
			depth[i]--;
		}
	}
	HASH_CLEAR(hh, labels);
	return llvm;
}

bool parser_mark_foreign(struct parser *p)
{
	int *depth = xalloc(p->stmts.n, sizeof *depth), open = 0;
	bool llvm = find_compiled(p, depth);

	for (size_t i = 0; llvm && i < p->stmts.n; i++) {
		open += depth[i];
		p->stmts.at[i].in_asm |= !open;
	}
	free(depth);
	return llvm;
}
