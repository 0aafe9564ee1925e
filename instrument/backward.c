#include "instrument/backward.h"

#include <stdlib.h>

uint32_t whole_function(const struct flow *flow, uint32_t block)
{
	uint32_t fn = flow->blocks.at[block].function;

	return fn == NO_FUNCTION ? fn : flow->functions.at[fn].whole;
}

static void list_from(struct backward *b)
{
	listed_vec all = {0};

	for (uint32_t i = 0; i < b->flow->blocks.n; i++) {
		const struct block_bb *block = &b->flow->blocks.at[i];
		const uint32_t to[] = {block->next, block->target, block->callee};

		for (size_t k = 0; k < sizeof to / sizeof *to; k++)
			if (to[k] != NO_BLOCK)
				VEC_PUSH(&all, (struct listed){to[k], i});
	}
	lists_make(&b->from, b->flow->blocks.n, &all);
	VEC_FREE(&all);
}

static void list_jumps(struct backward *b)
{
	const struct flow *flow = b->flow;
	listed_vec all = {0};

	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *block = &flow->blocks.at[i];
		uint32_t fn = whole_function(flow, i);

		if (fn != NO_FUNCTION &&
		    flow->unit->insns.at[block->first + block->n - 1].branch == BRANCH_JUMP_INDIRECT)
			VEC_PUSH(&all, (struct listed){fn, i});
	}
	lists_make(&b->jumps, flow->functions.n, &all);
	VEC_FREE(&all);
}

void backward_begin(struct backward *b, const struct flow *flow)
{
	*b = (struct backward){.flow = flow};
	b->in = xalloc(flow->blocks.n, sizeof *b->in);
	b->taken = xalloc(flow->functions.n, sizeof *b->taken);
	b->is_taken = xalloc(flow->blocks.n, sizeof *b->is_taken);
	for (size_t f = 0; f < flow->functions.n; f++)
		for (size_t i = 0; i < flow->functions.at[f].taken.n; i++)
			b->is_taken[flow->functions.at[f].taken.at[i]] = true;
	list_from(b);
	list_jumps(b);
	worklist_make(&b->waiting, flow->blocks.n);
	for (uint32_t i = (uint32_t)flow->blocks.n; i-- > 0;)
		worklist_add(&b->waiting, i);
}

bool backward_next(struct backward *b, uint32_t *block)
{
	return worklist_take(&b->waiting, block);
}

static void wait_all(struct backward *b, const struct lists *lists, uint32_t list)
{
	for (uint32_t k = lists->first[list]; k < lists->first[list + 1]; k++)
		worklist_add(&b->waiting, lists->item[k]);
}

static void add_taken(struct backward *b, uint32_t function, uint32_t set)
{
	if ((b->taken[function] | set) == b->taken[function])
		return;
	b->taken[function] |= set;
	wait_all(b, &b->jumps, function);
}

void backward_add(struct backward *b, uint32_t block, uint32_t set)
{
	if ((b->in[block] | set) == b->in[block])
		return;
	b->in[block] |= set;
	wait_all(b, &b->from, block);
	if (b->is_taken[block])
		add_taken(b, whole_function(b->flow, block), b->in[block]);
}

uint32_t backward_taken(const struct backward *b, uint32_t function)
{
	return function == NO_FUNCTION ? 0 : b->taken[function];
}

void backward_end(struct backward *b)
{
	free(b->taken);
	free(b->is_taken);
	lists_free(&b->from);
	lists_free(&b->jumps);
	worklist_free(&b->waiting);
}
