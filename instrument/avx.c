#include "instrument/avx.h"

#include <stdlib.h>

#include "instrument/worklist.h"

struct finder {
	const struct flow *flow;
	bool *has;
	bool *without; /* per block: control may come to it from where no AVX was used */
	struct worklist waiting;
};

static void find_used(struct finder *f)
{
	const struct unit *unit = f->flow->unit;
	bool *whole = xalloc(f->flow->functions.n, sizeof *whole);

	for (size_t i = 0; i < unit->insns.n; i++) {
		const struct insn *insn = &unit->insns.at[i];
		uint32_t fn = f->flow->blocks.at[insn->block].function;

		if (!insn->uses_vex)
			continue;
		f->has[insn->block] = true;
		if (fn != NO_FUNCTION && !f->flow->by_hand && !unit->file->stmts[insn->stmt].in_asm)
			whole[f->flow->functions.at[fn].whole] = true;
	}
	for (size_t i = 0; i < f->flow->blocks.n; i++) {
		uint32_t fn = f->flow->blocks.at[i].function;

		f->has[i] |= fn != NO_FUNCTION && whole[f->flow->functions.at[fn].whole];
	}
	free(whole);
}

static void come_without(struct finder *f, uint32_t block)
{
	if (block == NO_BLOCK || f->has[block] || f->without[block])
		return;
	f->without[block] = true;
	worklist_add(&f->waiting, block);
}

/* Where control may come from that nothing shows. */
static void find_begins(struct finder *f)
{
	const struct flow *flow = f->flow;
	bool *shown = xalloc(flow->blocks.n, sizeof *shown);

	for (size_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];

		if (b->next != NO_BLOCK)
			shown[b->next] = true;
		if (b->target != NO_BLOCK)
			shown[b->target] = true;
	}
	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];

		if (!shown[i] || b->entry || b->outer || b->odd || b->function == NO_FUNCTION)
			come_without(f, i);
		come_without(f, b->callee);
	}
	for (size_t fn = 0; fn < flow->functions.n; fn++)
		for (size_t i = 0; i < flow->functions.at[fn].taken.n; i++)
			come_without(f, flow->functions.at[fn].taken.at[i]);
	free(shown);
}

void avx_find(bool *has, const struct flow *flow)
{
	struct finder f = {.flow = flow, .has = has};
	uint32_t block;

	f.without = xalloc(flow->blocks.n, sizeof *f.without);
	find_used(&f);
	worklist_make(&f.waiting, flow->blocks.n);
	find_begins(&f);
	while (worklist_take(&f.waiting, &block)) {
		come_without(&f, flow->blocks.at[block].next);
		come_without(&f, flow->blocks.at[block].target);
	}
	worklist_free(&f.waiting);
	for (size_t i = 0; i < flow->blocks.n; i++)
		has[i] = !f.without[i];
	free(f.without);
}
