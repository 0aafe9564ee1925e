/* Planted code and its tables name the symbols of operands somewhere else than the operand stands: before it,
 * and behind the whole text. There 4b is another label, and a symbol that .set gives one value after the other
 * has its last one. So in the instruction's place such a symbol gets a name that is set only once. */
#include "instrument/aliases.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "instrument/expression.h"

struct set_name {
	struct asm_text name;
	bool again;
	UT_hash_handle hh;
};

static const char *const setting[] = {".set", ".equ", "="};

static bool sets(const struct asm_stmt *s)
{
	for (size_t i = 0; s->kind == ASM_DIRECTIVE && i < sizeof setting / sizeof *setting; i++)
		if (asm_text_is(s->name, setting[i]))
			return true;
	return false;
}

struct set_name *aliases_sets(const struct asm_file *file)
{
	struct set_name *names = NULL, *name, *next;

	for (size_t i = 0; i < file->n; i++) {
		const char *p = file->stmts[i].args.p, *end = p + file->stmts[i].args.len;
		struct asm_text text;

		if (!sets(&file->stmts[i]) || !(text = expression_next_name(&p, end)).len)
			continue;
		HASH_FIND(hh, names, text.p, text.len, name);
		if (name) {
			name->again = true;
			continue;
		}
		name = xalloc(1, sizeof *name);
		name->name = text;
		HASH_ADD_KEYPTR(hh, names, text.p, text.len, name);
	}
	HASH_ITER(hh, names, name, next) {
		if (name->again)
			continue;
		HASH_DEL(names, name);
		free(name);
	}
	return names;
}

void aliases_forget(struct set_name *names)
{
	struct set_name *name, *next;

	HASH_ITER(hh, names, name, next) {
		HASH_DEL(names, name);
		free(name);
	}
}

static bool is_set_again(struct set_name *names, struct asm_text text)
{
	struct set_name *name;

	HASH_FIND(hh, names, text.p, text.len, name);
	if (!name && *text.p == '$') /* an immediate's */
		HASH_FIND(hh, names, text.p + 1, text.len - 1, name);
	return name;
}

bool aliases_set_again(struct set_name *names, struct asm_text t)
{
	const char *p = t.p, *end = t.p + t.len;
	struct asm_text text;

	while (names && p < end && (text = expression_next_name(&p, end)).len)
		if (is_set_again(names, text))
			return true;
	return false;
}

static bool is_local(struct asm_text t)
{
	char last = t.p[t.len - 1];

	for (size_t i = 0; i + 1 < t.len; i++)
		if (!isdigit((unsigned char)t.p[i]))
			return false;
	return t.len > 1 && (last == 'b' || last == 'f');
}

static bool means_something_else(struct set_name *names, struct asm_text symbol)
{
	const char *p = symbol.p, *end = symbol.p + symbol.len;
	struct asm_text text;

	if (memchr(p, '@', symbol.len))
		return false;
	while (p < end && (text = expression_next_name(&p, end)).len)
		if (is_local(text) || is_set_again(names, text))
			return true;
	return false;
}

static void give_alias(struct unit *unit, struct insn *insn, struct ref *ref)
{
	char *name;

	if (!insn->alias) {
		VEC_PUSH(&unit->aliases, ref->symbol);
		insn->alias = (uint32_t)unit->aliases.n;
	}
	name = xasprintf(".Lcpa%u", insn->alias);
	ref->symbol = (struct asm_text){name, strlen(name)};
}

void aliases_find(struct unit *unit)
{
	struct set_name *names = aliases_sets(unit->file);

	for (size_t i = 0; i < unit->insns.n; i++) {
		struct insn *insn = &unit->insns.at[i];

		for (int r = 0; r < insn->n_refs; r++)
			if (insn->refs[r].symbol.p && means_something_else(names, insn->refs[r].symbol))
				give_alias(unit, insn, &insn->refs[r]);
	}
	aliases_forget(names);
}

void alias_print(FILE *out, const struct unit *unit, const struct insn *insn)
{
	const struct asm_text *meaning = &unit->aliases.at[insn->alias - 1];

	fprintf(out, "\t.set\t.Lcpa%u,%.*s\n", insn->alias, (int)meaning->len, meaning->p);
}
