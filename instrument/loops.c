#include "instrument/loops.h"

#include <string.h>

#include "instrument/groups.h"

/* A branch that can be written with another target, as the statement that it is, with code behind it. */
static bool can_lead_elsewhere(const struct flow *flow, const struct block_bb *b)
{
	const struct unit *unit = flow->unit;
	uint32_t last = b->first + b->n - 1;
	const struct insn *branch = &unit->insns.at[last];

	return branch->branch == BRANCH_COND && !branch->unsure && !branch->glued &&
	       branch->text_stmt == branch->stmt && unit->stmt_insn[branch->stmt] == last &&
	       unit->file->stmts[branch->stmt].n_operands == 1 && last + 1 < unit->insns.n &&
	       !unit->insns.at[last + 1].glued;
}

static bool is_loop(const struct flow *flow, uint32_t i)
{
	const struct block_bb *b = &flow->blocks.at[i];

	return b->target == i && b->next != NO_BLOCK && !b->entry && !b->opaque && plantable(flow->unit, b->first) &&
	       flow->blocks.at[b->next].section == b->section && can_lead_elsewhere(flow, b);
}

/* An iteration of one that repeats something may take long: its count would lag behind. */
static bool is_quick(const struct flow *flow, const struct block_bb *b)
{
	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		const struct insn *insn = &flow->unit->insns.at[i];

		if (insn->rep)
			return false;
		for (int r = 0; r < insn->n_refs; r++)
			if (ref_is_dynamic(&insn->refs[r]))
				return false;
	}
	return true;
}

static uint8_t take(liveset *free)
{
	uint8_t r = *free ? (uint8_t)__builtin_ctz(*free) : REG_NONE;

	*free &= *free - 1;
	return r;
}

static void use_registers(struct loops *loops, const struct flow *flow, const struct liveness *live, uint32_t i,
			  bool pic)
{
	const struct block_bb *b = &flow->blocks.at[i];
	liveset behind = live->before[flow->blocks.at[b->next].first];
	liveset all = behind, free, unused, dead = REGS_ALL & ~(1u << RSP) & ~behind;
	regset used = 1u << RSP;
	uint8_t counter, here = REG_NONE;
	bool parked;

	for (uint32_t k = b->first; k < b->first + b->n; k++) {
		const struct insn *insn = &flow->unit->insns.at[k];

		all |= live->before[k];
		used |= insn->reads | insn->writes | insn->clobbers;
	}
	free = REGS_ALL & ~all & ~used;
	/* A handler may read what is fixed by -ffixed-REG, and unwinders what is a caller's. */
	unused = all >> LIVE_SPARE_BIT & 1 ? 0 : REGS_ALL & ~(CALLEE_SAVED | live->kept | used);
	parked = !free;
	counter = take(parked ? &unused : &free);
	if (counter == REG_NONE || behind & LIVE_STATUS)
		return;
	dead &= ~(1u << counter);
	if (pic && (here = take(&dead)) == REG_NONE)
		return;
	loops->counter[i] = counter;
	loops->here[i] = here;
	loops->parked[i] = parked;
}

void loops_none(struct loops *loops, const struct flow *flow)
{
	loops->counter = xalloc(flow->blocks.n, sizeof *loops->counter);
	loops->here = xalloc(flow->blocks.n, sizeof *loops->here);
	loops->parked = xalloc(flow->blocks.n, sizeof *loops->parked);
	memset(loops->counter, REG_NONE, flow->blocks.n);
	memset(loops->here, REG_NONE, flow->blocks.n);
}

void loops_find(struct loops *loops, const struct flow *flow, const struct liveness *live, const uint32_t *place,
		bool pic)
{
	loops_none(loops, flow);
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		if (place[i] != UINT32_MAX && !(live->before[place[i]] & LIVE_STATUS) && is_loop(flow, i) &&
		    is_quick(flow, &flow->blocks.at[i]))
			use_registers(loops, flow, live, i, pic);
}
