/* Control comes into a function and leaves it by ways that are not seen: it is called, it returns, it
 * calls functions that may not return, it ends in an endless loop. All these lead to one node, OUTSIDE, about which
 * nothing is known. So a derivation goes across a call only if the called function surely returns: exit, longjmp, an
 * exception, a client request, or an endless loop, can be nowhere in it. Signal handlers that leave a block between two
 * of its instructions are not thought of, here as elsewhere: a block is executed as a whole. */
#include "instrument/conserve.h"

#include "instrument/callees.h"
#include "instrument/worklist.h"

#include <stdlib.h>
#include <string.h>

#define OUTSIDE 0
#define LOOP_DEPTH 6	 /* nesting beyond this makes no difference */

/* The two ends of a block. */
static uint32_t in(uint32_t block) { return 1 + 2 * block; }
static uint32_t out(uint32_t block) { return 2 + 2 * block; }

struct solver {
	const struct flow *flow;
	const uint32_t *counter;
	struct conserved *conserved;
	bool pic, copies;
	struct lists from; /* per block: those that lead to it */
	struct worklist waiting;
	bool *ends;	  /* per block: control may come from it to where its function ends */
	bool *returns;	  /* per function, at the number of the whole of it: surely */
	uint32_t n_nodes;
	uint32_t *node;	  /* union-find over the ends: those that branches connect are one */
	uint32_t *tree;	  /* and over those: those that blocks of the spanning trees connect */
	uint32_t *first;  /* per node: of its blocks in incident; one more at the end */
	uint32_t *incident;
	uint32_t *degree; /* per node: blocks of the trees not yet derived */
	uint32_t *last;	  /* their numbers, exclusive-or'ed: where one is left, that one's */
	VEC(uint32_t) leaves;
};

static uint32_t find(uint32_t *parent, uint32_t x)
{
	while (parent[x] != x)
		x = parent[x] = parent[parent[x]];
	return x;
}

static bool unite(uint32_t *parent, uint32_t x, uint32_t y)
{
	x = find(parent, x);
	y = find(parent, y);
	parent[x > y ? x : y] = x > y ? y : x;
	return x != y;
}

static bool can_count(const struct solver *s, uint32_t block)
{
	return s->counter[block] != UINT32_MAX;
}

/* ---- endless loops ---- */

static void list_from(struct solver *s)
{
	const struct flow *flow = s->flow;
	listed_vec all = {0};

	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const uint32_t to[] = {flow->blocks.at[i].next, flow->blocks.at[i].target};

		for (size_t k = 0; k < sizeof to / sizeof *to; k++)
			if (to[k] != NO_BLOCK)
				VEC_PUSH(&all, (struct listed){to[k], i});
	}
	lists_make(&s->from, flow->blocks.n, &all);
	VEC_FREE(&all);
}

/* The block, and all that lead to it. */
static void add_leading(struct solver *s, bool *to, uint32_t block)
{
	worklist_add(&s->waiting, block);
	while (worklist_take(&s->waiting, &block)) {
		if (to[block])
			continue;
		to[block] = true;
		for (uint32_t k = s->from.first[block]; k < s->from.first[block + 1]; k++)
			worklist_add(&s->waiting, s->from.item[k]);
	}
}

static void find_ends(struct solver *s)
{
	s->ends = xalloc(s->flow->blocks.n, sizeof *s->ends);
	for (uint32_t i = 0; i < s->flow->blocks.n; i++) {
		const struct block_bb *b = &s->flow->blocks.at[i];

		if (b->next == NO_BLOCK && b->target == NO_BLOCK)
			add_leading(s, s->ends, i);
	}
}

/* ---- functions that return ---- */

/* Whether where the block calls or jumps something else of that name may be: another unit's, or another module's. */
static bool may_be_replaced(const struct solver *s, const struct block_bb *b)
{
	return b->weak || (s->pic && b->replaceable);
}

/* Whether control that goes to the block, in a function of the unit, comes back. */
static bool comes_back(const struct solver *s, uint32_t block)
{
	uint32_t f = s->flow->blocks.at[block].function;

	return f != NO_FUNCTION && s->returns[s->flow->functions.at[f].whole];
}

static bool call_returns(const struct solver *s, const struct block_bb *b)
{
	const struct insn *last = &s->flow->unit->insns.at[b->first + b->n - 1];

	if (b->callee == NO_BLOCK)
		return callee_returns(last);
	/* A call of what is no function is for the address that it pushes: a thunk's goes anywhere. */
	return !s->copies && s->flow->blocks.at[b->callee].entry && !may_be_replaced(s, b) && comes_back(s, b->callee);
}

/* Whether inline assembly in the block gives rsp another value, as that of another stack, or returns by itself. */
static bool leaves_stack(const struct solver *s, const struct block_bb *b)
{
	const struct unit *u = s->flow->unit;

	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		const struct insn *insn = &u->insns.at[i];

		if (u->file->stmts[insn->stmt].in_asm &&
		    (insn->branch == BRANCH_RET || ((insn->writes | insn->clobbers) >> RSP & 1)))
			return true;
	}
	return false;
}

/* Whether the block leads to nothing but a return. */
static bool leads_back(const struct solver *s, const struct block_bb *b)
{
	const struct insn *last = &s->flow->unit->insns.at[b->first + b->n - 1];

	if (b->opaque || last->unsure || (b->leaves && !callee_returns(last)) || leaves_stack(s, b))
		return false;
	switch (last->branch) {
	case BRANCH_NONE:
	case BRANCH_RET:
	case BRANCH_JUMP:
	case BRANCH_COND:
	case BRANCH_SHORT:
		return (b->next == NO_BLOCK || comes_back(s, b->next)) &&
		       (b->target == NO_BLOCK || (!may_be_replaced(s, b) && comes_back(s, b->target)));
	case BRANCH_CALL:
	case BRANCH_CALL_INDIRECT:
		return call_returns(s, b);
	default:
		return false;
	}
}

/* Puts the block's function on the list if it is now known not to return surely. */
static void look_at(struct solver *s, uint32_t block, struct worklist *lost)
{
	const struct block_bb *b = &s->flow->blocks.at[block];
	uint32_t whole;

	if (b->function == NO_FUNCTION || !b->reachable)
		return;
	whole = s->flow->functions.at[b->function].whole;
	if (!s->returns[whole] || (s->ends[block] && leads_back(s, b)))
		return;
	s->returns[whole] = false;
	worklist_add(lost, whole);
}

/* Per function, at the number of the whole of it, blocks that lead to it or call it. */
static void list_comers(const struct solver *s, struct lists *comers)
{
	const struct flow *flow = s->flow;
	listed_vec all = {0};

	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];
		const uint32_t to[] = {b->next, b->target, b->callee};

		for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
			uint32_t f = to[k] == NO_BLOCK ? NO_FUNCTION : flow->blocks.at[to[k]].function;

			if (f != NO_FUNCTION && f != b->function)
				VEC_PUSH(&all, (struct listed){flow->functions.at[f].whole, i});
		}
	}
	lists_make(comers, flow->functions.n, &all);
	VEC_FREE(&all);
}

/* Per function, by the numbers of wholes, those that it calls or jumps to, and the other way round. */
static void list_calls(const struct flow *flow, struct lists *callees, struct lists *callers)
{
	listed_vec to = {0}, from = {0};

	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];
		const uint32_t ways[] = {b->next, b->target, b->callee};

		for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
			uint32_t f = b->function;
			uint32_t g = ways[k] == NO_BLOCK ? NO_FUNCTION : flow->blocks.at[ways[k]].function;

			if (f == NO_FUNCTION || g == NO_FUNCTION)
				continue;
			f = flow->functions.at[f].whole;
			g = flow->functions.at[g].whole;
			if (f == g && ways[k] != b->callee)
				continue;
			VEC_PUSH(&to, (struct listed){f, g});
			VEC_PUSH(&from, (struct listed){g, f});
		}
	}
	lists_make(callees, flow->functions.n, &to);
	lists_make(callers, flow->functions.n, &from);
	VEC_FREE(&to);
	VEC_FREE(&from);
}

/* Takes away, one after the other, functions from which nothing that is left is come to. */
static void peel(bool *left, size_t n, const struct lists *next, const struct lists *before)
{
	uint32_t f, *ways = xalloc(n, sizeof *ways);
	struct worklist waiting;

	worklist_make(&waiting, n);
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = next->first[i]; k < next->first[i + 1]; k++)
			ways[i] += left[next->item[k]];
		if (left[i] && !ways[i])
			worklist_add(&waiting, i);
	}
	while (worklist_take(&waiting, &f)) {
		left[f] = false;
		for (uint32_t k = before->first[f]; k < before->first[f + 1]; k++)
			if (left[before->item[k]] && !--ways[before->item[k]])
				worklist_add(&waiting, before->item[k]);
	}
	worklist_free(&waiting);
	free(ways);
}

/* A fault, or a signal, that ends a recursion leaves as many activations as there are: what follows its calls is not
 * derived from what comes before them. What is left by peels from both sides is in a recursion, or between two. */
static void except_recursions(struct solver *s)
{
	size_t n = s->flow->functions.n;
	bool *left = xalloc(n, sizeof *left);
	struct lists callees, callers;

	memset(left, true, n * sizeof *left);
	list_calls(s->flow, &callees, &callers);
	peel(left, n, &callees, &callers);
	peel(left, n, &callers, &callees);
	for (size_t f = 0; f < n; f++)
		s->returns[f] &= !left[f];
	lists_free(&callees);
	lists_free(&callers);
	free(left);
}

/* All are thought to return until one of their blocks says that they may not, and then those that lead there. */
static void find_returns(struct solver *s)
{
	const struct flow *flow = s->flow;
	struct worklist lost;
	struct lists comers;
	uint32_t f;

	s->returns = xalloc(flow->functions.n, sizeof *s->returns);
	memset(s->returns, true, flow->functions.n * sizeof *s->returns);
	worklist_make(&lost, flow->functions.n);
	list_comers(s, &comers);
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		look_at(s, i, &lost);
	while (worklist_take(&lost, &f))
		for (uint32_t k = comers.first[f]; k < comers.first[f + 1]; k++)
			look_at(s, comers.item[k], &lost);
	worklist_free(&lost);
	lists_free(&comers);
	except_recursions(s);
}

/* ---- nodes ---- */

/* Derivations stay within a section, since each has its own tables. */
static void connect(struct solver *s, uint32_t from, uint32_t to)
{
	const struct block_bb *blocks = s->flow->blocks.at;

	if (to == NO_BLOCK)
		return;
	unite(s->node, out(from), in(to));
	if (blocks[from].section != blocks[to].section)
		unite(s->node, out(from), OUTSIDE);
}

/* Whether control goes from the block to next or target and nowhere else. */
static bool ways_are_known(const struct solver *s, const struct block_bb *b)
{
	const struct insn *last = &s->flow->unit->insns.at[b->first + b->n - 1];

	if (!is_call(last))
		return goes_on_within(s->flow, b);
	return !b->opaque && call_returns(s, b);
}

static void connect_block(struct solver *s, uint32_t i)
{
	const struct block_bb *b = &s->flow->blocks.at[i];

	connect(s, i, b->next);
	connect(s, i, b->target);
	if (!ways_are_known(s, b))
		unite(s->node, out(i), OUTSIDE);
	if (b->callee != NO_BLOCK)
		unite(s->node, in(b->callee), OUTSIDE);
	if (b->entry || b->outer || b->odd || !can_count(s, i))
		unite(s->node, in(i), OUTSIDE);
	if (!can_count(s, i))
		unite(s->node, out(i), OUTSIDE);
}

static void connect_labels(struct solver *s)
{
	bool *named = xalloc(s->flow->blocks.n, sizeof *named);

	blocks_named(s->flow, named);
	for (uint32_t i = 0; i < s->flow->blocks.n; i++)
		if (named[i])
			unite(s->node, in(i), OUTSIDE);
	free(named);
	for (size_t f = 0; f < s->flow->functions.n; f++)
		for (size_t i = 0; i < s->flow->functions.at[f].taken.n; i++)
			unite(s->node, in(s->flow->functions.at[f].taken.at[i]), OUTSIDE);
}

static bool is_outside(const struct solver *s, uint32_t end)
{
	return find(s->node, end) == find(s->node, OUTSIDE);
}

/* Control ends in a loop that leads nowhere else, as by a signal, or goes on by ways that are not seen: where a section
 * ends. */
static void connect_endless(struct solver *s)
{
	uint32_t n = (uint32_t)s->flow->blocks.n;
	bool *lead_out = xalloc(n, sizeof *lead_out);

	for (uint32_t i = 0; i < n; i++)
		if (is_outside(s, out(i)))
			add_leading(s, lead_out, i);
	/* Where a loop ends is mostly what goes back to its beginning: one such place does for all that lead there. */
	for (uint32_t i = n; i-- > 0;) {
		if (lead_out[i])
			continue;
		unite(s->node, out(i), OUTSIDE);
		add_leading(s, lead_out, i);
	}
	free(lead_out);
}

/* ---- weights ---- */

/* How many loops a block is in: a branch back is one over all in between. */
static void find_depths(const struct solver *s, int *depth)
{
	int open = 0;

	for (uint32_t i = 0; i < s->flow->blocks.n; i++) {
		uint32_t to = s->flow->blocks.at[i].target;

		if (to != NO_BLOCK && to <= i) {
			depth[to]++;
			depth[i + 1]--;
		}
	}
	for (uint32_t i = 0; i < s->flow->blocks.n; i++)
		depth[i] = open += depth[i];
}

/* What comes to a block from before it, if every branch goes either way as often. */
static void find_weights(struct solver *s)
{
	size_t n = s->flow->blocks.n;
	int *depth = xalloc(n + 1, sizeof *depth);
	float *weight = s->conserved->weight;

	find_depths(s, depth);
	for (uint32_t i = 0; i < n; i++) {
		const struct block_bb *b = &s->flow->blocks.at[i];
		const uint32_t to[] = {b->next, b->target};
		float share = b->next != NO_BLOCK && b->target != NO_BLOCK ? 0.5f : 1;

		if (weight[i] == 0)
			weight[i] = 1;
		for (int k = 0; k < 2; k++)
			if (to[k] != NO_BLOCK && to[k] > i)
				weight[to[k]] += weight[i] * share;
	}
	for (uint32_t i = 0; i < n; i++)
		for (int d = 0; d < depth[i] && d < LOOP_DEPTH; d++)
			weight[i] *= LOOP_WEIGHT;
	free(depth);
}

static int heavier_first(const void *a, const void *b, void *weight)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	float p = ((const float *)weight)[x], q = ((const float *)weight)[y];

	return p != q ? (p < q ? 1 : -1) : x > y ? 1 : -1;
}

/* ---- trees ---- */

static void add_to_node(struct solver *s, uint32_t end, uint32_t block)
{
	uint32_t node = find(s->node, end);

	s->degree[node]++;
	s->last[node] ^= block;
}

static void find_trees(struct solver *s)
{
	uint32_t n = 0, *order = xalloc(s->flow->blocks.n, sizeof *order);

	for (uint32_t i = 0; i < s->flow->blocks.n; i++)
		if (can_count(s, i))
			order[n++] = i;
	qsort_r(order, n, sizeof *order, heavier_first, s->conserved->weight);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = order[k];

		if (unite(s->tree, find(s->node, in(i)), find(s->node, out(i)))) {
			add_to_node(s, in(i), i);
			add_to_node(s, out(i), i);
		}
	}
	free(order);
}

static void list_incident(struct solver *s)
{
	for (uint32_t end = 1; end < s->n_nodes; end++)
		s->first[find(s->node, end) + 1]++;
	for (uint32_t i = 0; i < s->n_nodes; i++)
		s->first[i + 1] += s->first[i];
	for (uint32_t end = s->n_nodes; end-- > 1;) {
		uint32_t node = find(s->node, end);

		/* From the back of each list; first becomes its beginning again below. */
		s->incident[--s->first[node + 1]] = end;
	}
	memmove(s->first, s->first + 1, s->n_nodes * sizeof *s->first);
	s->first[s->n_nodes] = s->n_nodes - 1;
}

/* ---- derivations ---- */

static uint32_t block_of(uint32_t end)
{
	return (end - 1) / 2;
}

static bool goes_out(uint32_t end)
{
	return end % 2 == 0;
}

/* As much comes to the node as leaves it. */
static void derive(struct solver *s, uint32_t node, uint32_t block)
{
	struct derivations *to = &s->conserved->sections[s->flow->blocks.at[block].section];
	struct derivation d = {block, (uint32_t)to->terms.n, 0};
	bool arrives = find(s->node, out(block)) == node;

	for (uint32_t k = s->first[node]; k < s->first[node + 1]; k++) {
		uint32_t end = s->incident[k], other = block_of(end);
		struct term t = {other, goes_out(end) == arrives};

		if (other == block || find(s->node, in(other)) == find(s->node, out(other)))
			continue;
		VEC_PUSH(&to->terms, t);
		d.n++;
	}
	VEC_PUSH(&to->blocks, d);
	s->conserved->derived[block] = (uint32_t)to->blocks.n;
}

static void take_from(struct solver *s, uint32_t end, uint32_t block)
{
	uint32_t node = find(s->node, end);

	s->last[node] ^= block;
	if (--s->degree[node] == 1 && node != find(s->node, OUTSIDE))
		VEC_PUSH(&s->leaves, node);
}

/* From the leaves of the trees inwards. */
static void derive_all(struct solver *s)
{
	for (uint32_t node = 0; node < s->n_nodes; node++)
		if (s->degree[node] == 1 && node != find(s->node, OUTSIDE))
			VEC_PUSH(&s->leaves, node);
	for (size_t i = 0; i < s->leaves.n; i++) {
		uint32_t node = s->leaves.at[i], block = s->last[node];

		if (s->degree[node] != 1)
			continue;
		derive(s, node, block);
		take_from(s, in(block), block);
		take_from(s, out(block), block);
	}
}

static void make_solver(struct solver *s)
{
	s->n_nodes = 1 + 2 * (uint32_t)s->flow->blocks.n;
	s->node = xalloc(s->n_nodes, sizeof *s->node);
	s->tree = xalloc(s->n_nodes, sizeof *s->tree);
	for (uint32_t i = 0; i < s->n_nodes; i++)
		s->node[i] = s->tree[i] = i;
	s->conserved->weight = xalloc(s->flow->blocks.n, sizeof *s->conserved->weight);
	s->first = xalloc(s->n_nodes + 2, sizeof *s->first);
	s->incident = xalloc(s->n_nodes, sizeof *s->incident);
	s->degree = xalloc(s->n_nodes, sizeof *s->degree);
	s->last = xalloc(s->n_nodes, sizeof *s->last);
	worklist_make(&s->waiting, s->flow->blocks.n);
}

static void free_solver(struct solver *s)
{
	lists_free(&s->from);
	worklist_free(&s->waiting);
	free(s->ends);
	free(s->returns);
	free(s->node);
	free(s->tree);
	free(s->first);
	free(s->incident);
	free(s->degree);
	free(s->last);
	VEC_FREE(&s->leaves);
}

void conserve_find(struct conserved *conserved, const struct flow *flow, const uint32_t *counter, bool pic,
		   bool copies)
{
	struct solver s = {.flow = flow, .counter = counter, .conserved = conserved, .pic = pic, .copies = copies};

	conserved->derived = xalloc(flow->blocks.n, sizeof *conserved->derived);
	conserved->sections = xalloc(flow->unit->sections.n, sizeof *conserved->sections);
	/* Code that was written by hand may go where no label stands. */
	if (flow->by_hand)
		return;
	make_solver(&s);
	list_from(&s);
	find_ends(&s);
	find_returns(&s);
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		connect_block(&s, i);
	connect_labels(&s);
	connect_endless(&s);
	find_weights(&s);
	find_trees(&s);
	list_incident(&s);
	derive_all(&s);
	free_solver(&s);
}
