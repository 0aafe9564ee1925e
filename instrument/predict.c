/* Prediction of branches.
 *
 * The flags are alive before a conditional branch and mostly dead behind it, and what has to be done is
 * simple where the outcome is known. So its code stands twice: on the way that was taken, and on the
 * other. An indirect branch's target is known before it. */
#include "instrument/predict.h"

#include "instrument/borrow.h"

struct finder {
	struct predicted *predicted;
	const struct flow *flow;
	const struct unit *unit;
	const struct liveness *live;
	const struct plan *plan;
	bool pic;
};

static bool is_indirect(const struct insn *i)
{
	return i->branch == BRANCH_JUMP_INDIRECT || i->branch == BRANCH_CALL_INDIRECT;
}

static bool is_conditional(const struct insn *i)
{
	return i->branch == BRANCH_COND || i->branch == BRANCH_SHORT;
}

/* On the way from one block to another. Where a loop is entered the registers that wait meanwhile are not free yet
 * (loops.h). */
static liveset live_between(const struct finder *f, uint32_t from, uint32_t to)
{
	liveset live;

	if (to == NO_BLOCK)
		return LIVE_ALL;
	live = f->live->before[f->flow->blocks.at[to].first];
	for (int k = 0; k < SPARES && to != from; k++)
		if (f->plan->loops.parked[to][k] != REG_NONE)
			live |= (liveset)1 << f->plan->loops.parked[to][k];
	return live;
}

/* Where a loop is left its registers of ours are not given back yet (loops.h). */
static liveset live_behind(const struct finder *f, uint32_t block)
{
	liveset live = live_between(f, block, f->flow->blocks.at[block].next);

	for (int k = 0; k < SPARES; k++) {
		uint8_t r = f->plan->loops.parked[block][k];

		if (r != REG_NONE)
			live = (live & ~(1u << r)) | (liveset)1 << (LIVE_SPARE_BIT + k);
	}
	if (f->plan->loops.counter[block] != REG_NONE)
		live |= (liveset)1 << f->plan->loops.counter[block];
	return live;
}

/* A conditional branch is written anew, which needs it as a statement of one operand, its target. */
bool predicts_direction(const struct unit *unit, uint32_t insn)
{
	const struct insn *i = &unit->insns.at[insn];
	const struct asm_stmt *s = &unit->file->stmts[i->stmt];

	return is_conditional(i) && plantable(unit, insn) && i->text_stmt == i->stmt && s->n_operands == 1 &&
	       s->operands[0].kind == ASM_OP_BARE;
}

/* The target of a call of a thread-local sequence cannot be copied; nor can one relative to its
 * instruction. */
static bool can_read_target(const struct insn *i)
{
	const struct ref *r = &i->refs[0];

	if (i->target_register != REG_NONE)
		return i->target_register != RSP;
	return !is_tls_call(i) && !r->addr32 && ref_has_address(r);
}

static struct prediction prediction_at(const struct finder *f, uint32_t insn)
{
	struct point p = {.insn = insn, .red_zone = f->flow->blocks.at[f->unit->insns.at[insn].block].red_zone};

	return (struct prediction){.insn = insn, .before = p, .taken = p, .passed = p};
}

static void plan_target(struct finder *f, uint32_t insn)
{
	const struct insn *i = &f->unit->insns.at[insn];
	bool memory = i->target_register == REG_NONE;
	struct prediction p = prediction_at(f, insn);

	borrow_registers(&p.before, f->live->before[insn], i->cfa, i->reads, 1 + memory, true);
	VEC_PUSH(&f->predicted->predictions, p);
}

static void plan_direction(struct finder *f, uint32_t insn)
{
	const struct insn *i = &f->unit->insns.at[insn];
	const struct block_bb *b = &f->flow->blocks.at[i->block];
	struct prediction p = prediction_at(f, insn);
	liveset taken = live_between(f, i->block, may_leave(b) ? NO_BLOCK : b->target);
	liveset passed = live_behind(f, i->block), held = 0;
	bool flags = (taken | passed) & LIVE_STATUS;
	uint8_t to = f->plan->history.to[i->block];
	regset history = to == REG_NONE ? 0 : 1u << to, own;

	/* It lies open across the branch, and the flags, where they are needed behind, want rax. */
	own = i->reads | i->writes | (flags ? 1u << RAX : 0) | history;
	borrow_registers(&p.before, f->live->before[insn], i->cfa, own, 1 + f->pic, false);
	own = 1u << p.before.a | (f->pic ? 1u << p.before.b : 0) | history;
	for (int k = 0; k < SPARES; k++)
		held |= (liveset)(p.before.spare[k] != REG_NONE) << (LIVE_SPARE_BIT + k);
	borrow_registers(&p.taken, taken | held, i->cfa, own, 0, true);
	borrow_registers(&p.passed, passed | held, i->cfa, own, 0, true);
	VEC_PUSH(&f->predicted->predictions, p);
}

static void find_branch(struct finder *f, uint32_t insn)
{
	const struct insn *i = &f->unit->insns.at[insn];

	if (!is_indirect(i) && !is_conditional(i) && !i->rep)
		return;
	f->predicted->number[insn] = ++f->predicted->n_branches[i->section];
	if (i->rep || !plantable(f->unit, insn))
		return;
	if (predicts_direction(f->unit, insn))
		plan_direction(f, insn);
	else if (is_indirect(i) && can_read_target(i))
		plan_target(f, insn);
	else
		return;
	f->predicted->prediction[insn] = (uint32_t)f->predicted->predictions.n;
}

void predict_find(struct predicted *predicted, const struct flow *flow, const struct liveness *live,
		  const struct plan *plan, bool pic)
{
	struct finder f = {predicted, flow, flow->unit, live, plan, pic};

	predicted->number = xalloc(f.unit->insns.n, sizeof *predicted->number);
	predicted->prediction = xalloc(f.unit->insns.n, sizeof *predicted->prediction);
	predicted->n_branches = xalloc(f.unit->sections.n, sizeof *predicted->n_branches);
	for (uint32_t i = 0; i < f.unit->insns.n; i++)
		if (plan->counter[f.unit->insns.at[i].block] != UINT32_MAX)
			find_branch(&f, i);
}
