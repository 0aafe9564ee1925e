#include "instrument/history.h"

#include <stdlib.h>
#include <string.h>

#include "instrument/conserve.h"
#include "instrument/groups.h"

/* Flags wait in rax. */
#define CANDIDATES (REGS_ALL & ~(1u << RSP | 1u << RAX))

struct finder {
	const struct flow *flow;
	const struct liveness *live;
	const bool *predicted;
	const float *weight;
	bool pic;
	regset *through; /* per block: dead in all of it */
	regset *behind;	 /* per block: dead at its end, where a prediction leaves it, or it is loaded */
	regset *before;	 /* per block: hold the history where it begins */
	VEC(uint32_t) changed;
};

/* Those that are dead at the instruction, if that leaves enough for everything else that is planted there. */
static regset dead_at(const struct finder *f, uint32_t insn)
{
	const struct insn *i = &f->flow->unit->insns.at[insn];
	regset dead = CANDIDATES & ~(f->live->before[insn] | i->reads | i->writes | i->clobbers);

	return __builtin_popcount(dead) > 1 + f->pic ? dead : 0;
}

/* What a rep prefix does has branches of its own. Where references are checked it is not branches that are waited
 * for. */
static bool keeps_history(const struct insn *i)
{
	switch (i->branch) {
	case BRANCH_NONE:
	case BRANCH_JUMP:
	case BRANCH_COND:
	case BRANCH_SHORT:
		return !i->rep && !i->n_refs;
	default:
		return false;
	}
}

/* The one block that control goes to behind it, or NO_BLOCK. */
static uint32_t goes_to(const struct finder *f, uint32_t block)
{
	const struct block_bb *b = &f->flow->blocks.at[block];

	switch (f->flow->unit->insns.at[b->first + b->n - 1].branch) {
	case BRANCH_NONE:
		return b->next;
	case BRANCH_JUMP:
		return b->target;
	default:
		return NO_BLOCK;
	}
}

uint32_t history_place(const struct flow *flow, uint32_t block)
{
	const struct block_bb *b = &flow->blocks.at[block];
	const struct insn *insns = flow->unit->insns.at;
	uint32_t i = b->first + b->n - 1;

	while (i > b->first && insns[i].padding && insns[i - 1].padding)
		i--;
	return i;
}

/* Whether a loop begins behind the block, for which the history may be loaded. */
static bool leads_into_loop(const struct finder *f, uint32_t block)
{
	uint32_t to = goes_to(f, block);

	return to != NO_BLOCK && f->weight && f->weight[to] >= LOOP_WEIGHT / 2 * f->weight[block] &&
	       plantable(f->flow->unit, history_place(f->flow, block));
}

/* Those that are in all of the block. */
static regset dead_through(const struct finder *f, const struct block_bb *b)
{
	regset dead = CANDIDATES;

	for (uint32_t i = b->first; i < b->first + b->n; i++)
		dead &= keeps_history(&f->flow->unit->insns.at[i]) ? dead_at(f, i) : 0;
	return dead;
}

static void reach(struct finder *f, uint32_t block, regset holding)
{
	if (block == NO_BLOCK || !(f->before[block] & ~holding))
		return;
	f->before[block] &= holding;
	VEC_PUSH(&f->changed, block);
}

static void go_on(struct finder *f, uint32_t block)
{
	const struct block_bb *b = &f->flow->blocks.at[block];
	regset holding = f->behind[block] | (f->predicted[block] ? 0 : f->before[block] & f->through[block]);

	reach(f, b->next, holding);
	reach(f, b->target, holding);
}

/* Where control comes from elsewhere no register holds it. */
static void find_before(struct finder *f)
{
	const struct flow *flow = f->flow;

	memset(f->before, 0xff, flow->blocks.n * sizeof *f->before);
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		if (flow->blocks.at[i].entry || flow->blocks.at[i].outer || flow->blocks.at[i].odd)
			f->before[i] = 0;
	for (size_t k = 0; k < flow->functions.n; k++)
		for (size_t i = 0; i < flow->functions.at[k].taken.n; i++)
			f->before[flow->functions.at[k].taken.at[i]] = 0;
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		go_on(f, i);
	while (f->changed.n)
		go_on(f, f->changed.at[--f->changed.n]);
}

static uint32_t function_of(const struct finder *f, uint32_t block)
{
	uint32_t function = f->flow->blocks.at[block].function;

	return function == NO_FUNCTION ? NO_FUNCTION : f->flow->functions.at[function].whole;
}

typedef float score[16];

/* Per function, how often a branch would find the history in each register. */
static score *find_scores(const struct finder *f)
{
	score *scores = xalloc(f->flow->functions.n, sizeof *scores);

	for (uint32_t i = 0; i < f->flow->blocks.n; i++) {
		uint32_t function = function_of(f, i);

		for (int r = 0; r < 16 && f->predicted[i] && function != NO_FUNCTION; r++)
			if (f->before[i] & f->through[i] & 1u << r)
				scores[function][r] += f->weight ? f->weight[i] : 1;
	}
	return scores;
}

static uint8_t best(const float *of)
{
	uint8_t r = 0;

	for (uint8_t k = 1; k < 16; k++)
		if (of[k] > of[r])
			r = k;
	return of[r] > 0 ? r : REG_NONE;
}

static bool holds(const struct finder *f, uint32_t block, uint8_t r)
{
	return f->before[block] & f->through[block] & 1u << r;
}

static void use_register(struct history *history, const struct finder *f, struct liveness *live, uint32_t block,
			 uint8_t r)
{
	const struct block_bb *b = &f->flow->blocks.at[block];
	bool held = holds(f, block, r), leaves = f->behind[block] & 1u << r;

	if (f->predicted[block] && held)
		history->from[block] = r;
	if (leaves && (f->predicted[block] || (!held && holds(f, goes_to(f, block), r))))
		history->to[block] = r;
	for (uint32_t i = b->first; held && i < b->first + b->n; i++)
		live->before[i] |= 1u << r;
}

void history_none(struct history *history, const struct flow *flow)
{
	history->from = xalloc(flow->blocks.n, sizeof *history->from);
	history->to = xalloc(flow->blocks.n, sizeof *history->to);
	memset(history->from, REG_NONE, flow->blocks.n);
	memset(history->to, REG_NONE, flow->blocks.n);
}

void history_find(struct history *history, const struct flow *flow, struct liveness *live, const bool *predicted,
		  const float *weight, bool pic)
{
	struct finder f = {.flow = flow, .live = live, .predicted = predicted, .weight = weight, .pic = pic};
	score *scores;

	f.through = xalloc(flow->blocks.n, sizeof *f.through);
	f.behind = xalloc(flow->blocks.n, sizeof *f.behind);
	f.before = xalloc(flow->blocks.n, sizeof *f.before);
	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];

		f.through[i] = dead_through(&f, b);
		if (predicted[i] || leads_into_loop(&f, i))
			f.behind[i] = dead_at(&f, b->first + b->n - 1);
	}
	find_before(&f);
	scores = find_scores(&f);
	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		uint32_t function = function_of(&f, i);
		uint8_t r = function == NO_FUNCTION ? REG_NONE : best(scores[function]);

		if (r != REG_NONE)
			use_register(history, &f, live, i, r);
	}
	free(scores);
	free(f.through);
	free(f.behind);
	free(f.before);
	VEC_FREE(&f.changed);
}
