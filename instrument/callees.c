/* --libc-model. libc is not instrumented; but what its block and string functions refer to follows
 * from their arguments, which stand in registers at the call. So the call gets further references
 * of a form of their own (REF_CALL), and the runtime works out how far they reach. */
#include "instrument/callees.h"

#include <string.h>

#include "common/mem.h"
#include "include/site.h"

#define MOST_RANGES 3

_Static_assert(MOST_RANGES < INSN_MAX_REFS, "a call has a reference of its own");

static const struct callee {
	const char *name;
	struct range {
		uint8_t kind, base, length; /* length 0: none */
	} ranges[MOST_RANGES];
	bool returns;
} callees[] = {
#define CALLEE(name, ...) {#name, {__VA_ARGS__}, true},
#define IO_CALLEE(name, ...) {#name, {__VA_ARGS__}, false},
#include "instrument/callees.def"
};

/* The name that is called, without @PLT or @GOTPCREL; p NULL if none. */
static struct asm_text called(const struct insn *i)
{
	static const char got[] = "@GOTPCREL";
	struct asm_text name = i->target_symbol;
	size_t n = sizeof got - 1;

	if (i->branch == BRANCH_CALL || i->branch == BRANCH_JUMP)
		return name;
	if ((i->branch != BRANCH_CALL_INDIRECT && i->branch != BRANCH_JUMP_INDIRECT) || !i->n_refs ||
	    i->refs[0].form != REF_GOT)
		return (struct asm_text){0};
	name = i->refs[0].symbol;
	if (name.len > n && !strncasecmp(name.p + name.len - n, got, n))
		name.len -= n;
	return name;
}

static const struct callee *callee_of(struct asm_text name)
{
	for (size_t i = 0; name.p && i < sizeof callees / sizeof *callees; i++)
		if (asm_text_is(name, callees[i].name))
			return &callees[i];
	return NULL;
}

bool callee_returns(const struct insn *insn)
{
	const struct callee *callee = callee_of(called(insn));

	return callee && callee->returns;
}

static bool defined_here(const struct unit *unit, const char *name)
{
	for (size_t i = 0; i < unit->labels.n; i++)
		if (!strcmp(unit->labels.at[i].name, name))
			return true;
	return false;
}

static uint32_t function_number(struct unit *unit, const char *name)
{
	for (size_t i = 0; i < unit->functions.n; i++)
		if (!strcmp(unit->functions.at[i], name))
			return (uint32_t)i;
	VEC_PUSH(&unit->functions, name);
	return (uint32_t)unit->functions.n - 1;
}

static uint32_t centre_number(struct unit *unit, struct centre centre)
{
	for (size_t i = 0; i < unit->centres.n; i++)
		if (!memcmp(&unit->centres.at[i], &centre, sizeof centre))
			return (uint32_t)i;
	VEC_PUSH(&unit->centres, centre);
	return (uint32_t)unit->centres.n - 1;
}

static void add_ranges(struct unit *unit, struct insn *insn, const struct callee *callee)
{
	struct centre centre = unit->centres.at[insn->centre];
	uint32_t number;

	centre.function = function_number(unit, callee->name);
	number = centre_number(unit, centre);
	for (const struct range *r = callee->ranges; r < callee->ranges + MOST_RANGES && r->length; r++)
		insn->refs[insn->n_refs++] = (struct ref){.kind = r->kind, .form = REF_CALL,
							  .size = CALL_PIECE, .base = r->base,
							  .index = REG_NONE, .scale = 1,
							  .mask = r->length, .centre = number};
}

void callees_find(struct unit *unit)
{
	for (size_t i = 0; i < unit->insns.n; i++) {
		struct insn *insn = &unit->insns.at[i];
		const struct callee *callee = callee_of(called(insn));

		if (callee && !insn->glued && !defined_here(unit, callee->name))
			add_ranges(unit, insn, callee);
	}
}
