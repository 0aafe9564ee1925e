/* The psABI (3.2.2) gives functions the 128 bytes below rsp, their red zone. What is called overwrites it; so
 * compilers keep values there only in functions that call nothing, and in others no more than registers that a
 * prologue stores before it lowers rsp (gcc -mtune=k8). A function has none, then, if it calls others by the
 * calling convention, and neither an operand nor a register leads below rsp as far as a block shows where that is.
 *
 * A function without calls has none if rsp serves for push, pop, ret and operands above it only: what is below it
 * cannot be read any more, since push, which alone lowers it, writes first.
 *
 * All that holds for what compilers write. Assembly written by hand, a file of it or a block with inline assembly, may
 * have a red zone, and inline assembly that uses rsp gives all of its function one: who knows where it leads. */
#include "instrument/redzone.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "instrument/groups.h"

/* What a function's instructions do. */
enum {
	CALLS = 1,   /* others, by the calling convention */
	BELOW = 2,   /* refer to what lies below rsp, or may do so */
	HANDLES = 4, /* use rsp otherwise than push, pop, call, ret and operands above it do */
};

/* How far from rsp at the block's beginning registers point. Where rsp is aligned it is lower than it says here. */
struct pointers {
	regset known;
	int64_t at[16];
};

static bool in_asm(const struct unit *unit, const struct insn *i)
{
	return unit->file->stmts[i->stmt].in_asm;
}

static bool based_on_rsp(const struct insn *i)
{
	for (unsigned r = 0; r < i->n_refs; r++)
		if (i->refs[r].base == RSP)
			return true;
	return false;
}

static bool uses_rsp(const struct insn *i)
{
	return ((i->reads | i->writes | i->clobbers) >> RSP & 1) || i->rsp_change || based_on_rsp(i);
}

static bool is_named(struct asm_text t, const char *name)
{
	size_t sign = t.len && *t.p == '%';

	return t.len - sign == strlen(name) && !strncasecmp(t.p + sign, name, t.len - sign);
}

/* As an operand of its own. */
static bool names_rsp(const struct unit *unit, const struct insn *i)
{
	static const char *const names[] = {"rsp", "esp", "sp", "spl"};
	const struct asm_stmt *s = i->text_stmt == UINT32_MAX ? NULL : &unit->file->stmts[i->text_stmt];

	if (!s)
		return uses_rsp(i);
	for (uint32_t o = 0; o < s->n_operands; o++)
		for (size_t n = 0; n < sizeof names / sizeof *names; n++)
			if (s->operands[o].kind == ASM_OP_REGISTER && is_named(s->operands[o].text, names[n]))
				return true;
	return false;
}

static bool has_index_on_rsp(const struct insn *i)
{
	for (unsigned r = 0; r < i->n_refs; r++)
		if (i->refs[r].base == RSP && i->refs[r].index != REG_NONE)
			return true;
	return false;
}

static bool handles_rsp(const struct unit *unit, const struct insn *i)
{
	regset all = i->reads | i->writes | i->clobbers;

	return ((i->writes | i->clobbers) >> RSP & 1) || ((all >> RSP & 1) && !based_on_rsp(i)) ||
	       (i->move == MOVE_ADD && (i->move_to == RSP || i->move_from == RSP)) || has_index_on_rsp(i) ||
	       names_rsp(unit, i);
}

/* Where push and call store. */
static bool is_own(const struct insn *i, const struct ref *r)
{
	return r->base == RSP && r->kind == REF_WRITE && r->disp == -(int64_t)r->size &&
	       (i->rsp_change < 0 || is_call(i));
}

static bool leads_below(const struct pointers *p, const struct insn *i)
{
	for (unsigned r = 0; r < i->n_refs; r++) {
		const struct ref *ref = &i->refs[r];

		if (ref->base < 16 && (p->known >> ref->base & 1) &&
		    p->at[ref->base] + ref->disp < p->at[RSP] && !is_own(i, ref))
			return true;
	}
	return i->move == MOVE_ADD && i->move_to != RSP && (p->known >> i->move_from & 1) &&
	       p->at[i->move_from] + i->move_constant < p->at[RSP];
}

static bool calls_by_convention(const struct unit *unit, uint32_t insn)
{
	const struct insn *i = &unit->insns.at[insn];
	struct asm_text name = i->branch == BRANCH_CALL ? i->target_symbol : i->refs[0].symbol;

	if (!is_call(i) || in_asm(unit, i) || is_tls_call(i) ||
	    (insn + 1 < unit->insns.n && unit->insns.at[insn + 1].after_morestack))
		return false;
	return i->branch == BRANCH_CALL ? name.p && !asm_text_begins(name, ".L") && !is_odd_callee(name)
					: !name.p || !is_odd_callee(name);
}

static unsigned doings(const struct unit *unit, uint32_t insn, const struct pointers *p)
{
	const struct insn *i = &unit->insns.at[insn];

	if (i->unknown || i->data || i->branch == BRANCH_BARRIER || (in_asm(unit, i) && uses_rsp(i)) ||
	    leads_below(p, i))
		return BELOW;
	return (handles_rsp(unit, i) ? HANDLES : 0) | (calls_by_convention(unit, insn) ? CALLS : 0);
}

static void follow(struct pointers *p, const struct insn *i)
{
	bool moves = i->move == MOVE_ADD && (p->known >> i->move_from & 1);
	int64_t to = moves ? p->at[i->move_from] + i->move_constant : 0;

	p->known &= ~(i->writes | i->clobbers) | 1u << RSP;
	if (moves) {
		p->at[i->move_to] = to;
		p->known |= 1u << i->move_to;
	}
	p->at[RSP] += i->rsp_change;
}

static unsigned doings_of_block(const struct unit *unit, struct block_bb *b)
{
	struct pointers p = {.known = 1u << RSP};
	unsigned done = 0;

	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		done |= doings(unit, i, &p);
		b->red_zone |= in_asm(unit, &unit->insns.at[i]);
		follow(&p, &unit->insns.at[i]);
	}
	return done;
}

static bool may_have_one(unsigned done)
{
	return (done & BELOW) || (done & (CALLS | HANDLES)) == HANDLES;
}

void red_zones_find(struct flow *flow)
{
	unsigned *done = xalloc(flow->functions.n, sizeof *done);

	for (size_t i = 0; i < flow->blocks.n; i++) {
		struct block_bb *b = &flow->blocks.at[i];
		unsigned by_block = doings_of_block(flow->unit, b);

		if (b->function != NO_FUNCTION)
			done[flow->functions.at[b->function].whole] |= by_block;
	}
	for (size_t i = 0; i < flow->blocks.n; i++) {
		struct block_bb *b = &flow->blocks.at[i];

		b->red_zone |= flow->by_hand || b->function == NO_FUNCTION ||
			       may_have_one(done[flow->functions.at[b->function].whole]);
	}
	free(done);
}
