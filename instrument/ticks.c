#include "instrument/ticks.h"

#include <stdlib.h>
#include <string.h>

#include "include/site.h"
#include "instrument/worklist.h"

/* A section in granules of the longest line: where lines begin in them is not known, and two lines of one set have
 * granules that are the same or neighbours, modulo those of the shortest way. */
#define GRANULE FETCH_LINE_MAX
#define GRANULES (FETCH_BYTES / GRANULE)
/* Blocks that one search looks at, and on the average: behind that time goes on, needed or not. */
#define SEARCH_MOST 2000
#define SEARCH_AVERAGE 100
/* How often blocks are executed is guessed by passing on what came in so many times, with this part of it. */
#define WEIGHT_ROUNDS 10
#define WEIGHT_KEPT 0.9f

/* What was executed since time went on: per granule modulo GRANULES none, the granule, or several. */
enum { NONE = UINT32_MAX, SEVERAL = UINT32_MAX - 1 };
struct executed {
	uint32_t granule[GRANULES];
};

struct range {
	uint32_t first, last; /* granules */
};

struct finder {
	const struct flow *flow;
	const bool *fetched;
	struct ticks *ticks;
	struct range *granules; /* per block */
	struct lists from;	     /* per block: those that lead to it */
	listed_vec ways;	     /* the same, as they are found */
	float *weight;		     /* per block */
	struct executed *before;     /* per block, with no ticks but where nothing is known */
	struct worklist waiting;     /* blocks */
	uint32_t *reached;	     /* per block: the last search that did */
	uint32_t searches, looked_at;
	VEC(uint32_t) queue, culprits;
};

/* ---- the graph ---- */

static void find_granules(struct finder *f)
{
	f->granules = xalloc(f->flow->blocks.n, sizeof *f->granules);
	for (uint32_t i = 0; i < f->flow->blocks.n; i++) {
		const struct block_bb *b = &f->flow->blocks.at[i];
		const struct insn *insns = &f->flow->unit->insns.at[b->first], *last = &insns[b->n - 1];

		f->granules[i] = (struct range){insns->offset / GRANULE, (last->offset + last->len - 1) / GRANULE};
	}
}

/* Calls f with each block that leads to another, and that. */
static void for_edges(struct finder *f, void (*edge)(struct finder *f, uint32_t from, uint32_t to))
{
	for (uint32_t i = 0; i < f->flow->blocks.n; i++) {
		const struct block_bb *b = &f->flow->blocks.at[i];

		if (b->next != NO_BLOCK)
			edge(f, i, b->next);
		if (b->target != NO_BLOCK)
			edge(f, i, b->target);
	}
}

static void add_edge(struct finder *f, uint32_t from, uint32_t to)
{
	VEC_PUSH(&f->ways, (struct listed){to, from});
}

static void find_edges(struct finder *f)
{
	for_edges(f, add_edge);
	lists_make(&f->from, f->flow->blocks.n, &f->ways);
	VEC_FREE(&f->ways);
}

static void weigh(struct finder *f)
{
	uint32_t n = (uint32_t)f->flow->blocks.n;
	float *next = xalloc(n, sizeof *next);

	f->weight = xalloc(n, sizeof *f->weight);
	for (int round = 0; round < WEIGHT_ROUNDS; round++) {
		for (uint32_t i = 0; i < n; i++)
			next[i] = f->ticks->before[i] ? 1 : 0;
		for (uint32_t i = 0; i < n; i++) {
			const struct block_bb *b = &f->flow->blocks.at[i];
			int ways = b->next != NO_BLOCK && b->target != NO_BLOCK ? 2 : 1;
			float kept = f->weight[i] * WEIGHT_KEPT / ways;

			if (b->next != NO_BLOCK)
				next[b->next] += kept;
			if (b->target != NO_BLOCK)
				next[b->target] += kept;
		}
		memcpy(f->weight, next, n * sizeof *next);
	}
	free(next);
}

/* ---- what is executed between two ticks ---- */

static void forget(struct executed *e)
{
	for (int g = 0; g < GRANULES; g++)
		e->granule[g] = NONE;
}

static void execute(struct executed *e, struct range r)
{
	for (uint32_t g = r.first; g <= r.last; g++)
		e->granule[g % GRANULES] = g;
}

/* Whether something executed may be of a set with the block. */
static bool conflicts(const struct executed *e, struct range r)
{
	for (uint32_t g = r.first - 1; g != r.last + 2; g++) {
		uint32_t other = e->granule[g % GRANULES];

		if (other != NONE && other != g)
			return true;
	}
	return false;
}

/* To a block, or NO_BLOCK. */
static void flow_to(struct finder *f, const struct executed *e, uint32_t block)
{
	struct executed *to;
	bool changed = false;

	if (block == NO_BLOCK || f->ticks->before[block])
		return;
	to = &f->before[block];
	for (int g = 0; g < GRANULES; g++) {
		uint32_t a = to->granule[g], b = e->granule[g];
		uint32_t both = a == NONE ? b : b == NONE || a == b ? a : SEVERAL;

		changed |= both != a;
		to->granule[g] = both;
	}
	if (changed)
		worklist_add(&f->waiting, block);
}

/* Each of a block's granules changes twice at most. */
static void find_executed(struct finder *f)
{
	const struct flow *flow = f->flow;
	uint32_t from;

	f->before = xalloc(flow->blocks.n, sizeof *f->before);
	worklist_make(&f->waiting, flow->blocks.n);
	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		forget(&f->before[i]);
		worklist_add(&f->waiting, i);
	}
	while (worklist_take(&f->waiting, &from)) {
		struct executed e = f->before[from];

		if (f->fetched[from])
			execute(&e, f->granules[from]);
		flow_to(f, &e, flow->blocks.at[from].next);
		flow_to(f, &e, flow->blocks.at[from].target);
	}
	worklist_free(&f->waiting);
}

/* ---- ticks ---- */

/* Where control may come from, that nothing is known of. */
static void tick_where_unknown(struct finder *f, const bool *behind_call)
{
	const struct flow *flow = f->flow;

	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];

		f->ticks->before[i] |= b->entry || b->outer || b->odd || flow->by_hand || behind_call[i] ||
				       f->from.first[i] == f->from.first[i + 1];
		if (b->callee != NO_BLOCK)
			f->ticks->before[b->callee] = true;
	}
}

static void tick_between_sections(struct finder *f, uint32_t from, uint32_t to)
{
	const struct block_bb *blocks = f->flow->blocks.at;

	f->ticks->before[to] |= blocks[from].section != blocks[to].section;
}

static void tick_behind(struct finder *f, uint32_t block)
{
	if (block == NO_BLOCK || f->ticks->before[block])
		return;
	f->ticks->before[block] = true;
	if (!f->fetched[block])
		worklist_add(&f->waiting, block);
}

/* Where nothing can be planted time does not go on: it does before what is come to from there. */
static void tick_behind_others(struct finder *f)
{
	const struct flow *flow = f->flow;
	uint32_t block;

	worklist_make(&f->waiting, flow->blocks.n);
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		if (f->ticks->before[i] && !f->fetched[i] && flow->blocks.at[i].reachable)
			worklist_add(&f->waiting, i);
	while (worklist_take(&f->waiting, &block)) {
		tick_behind(f, flow->blocks.at[block].next);
		tick_behind(f, flow->blocks.at[block].target);
	}
	worklist_free(&f->waiting);
}

/* One of those that lead to what is searched from. */
static void look_at(struct finder *f, uint32_t block, struct range conflicting)
{
	struct executed e;

	if (f->reached[block] == f->searches || f->ticks->after[block])
		return;
	f->reached[block] = f->searches;
	f->looked_at++;
	forget(&e);
	if (f->fetched[block])
		execute(&e, f->granules[block]);
	if (conflicts(&e, conflicting))
		VEC_PUSH(&f->culprits, block);
	else if (!f->ticks->before[block])
		VEC_PUSH(&f->queue, block);
}

/* Finds the last blocks on all ways to the block, since time goes on, that may be of a set with it. False if it
 * takes too long. */
static bool find_culprits(struct finder *f, uint32_t block)
{
	uint64_t may_look_at = (uint64_t)SEARCH_AVERAGE * f->flow->blocks.n;

	f->searches++;
	f->queue.n = f->culprits.n = 0;
	VEC_PUSH(&f->queue, block);
	for (size_t i = 0; i < f->queue.n; i++) {
		uint32_t at = f->queue.at[i];

		for (uint32_t k = f->from.first[at]; k < f->from.first[at + 1]; k++)
			look_at(f, f->from.item[k], f->granules[block]);
		if (f->queue.n > SEARCH_MOST || f->looked_at > may_look_at)
			return false;
	}
	return true;
}

static void separate(struct finder *f, uint32_t block)
{
	bool all = find_culprits(f, block);
	float behind = 0;

	for (size_t i = 0; i < f->culprits.n; i++)
		behind += f->weight[f->culprits.at[i]];
	if (!all || (f->culprits.n && behind >= f->weight[block])) {
		f->ticks->before[block] = true;
		return;
	}
	for (size_t i = 0; i < f->culprits.n; i++)
		f->ticks->after[f->culprits.at[i]] = true;
}

void ticks_find(struct ticks *ticks, const struct flow *flow, const bool *behind_call, const bool *fetched)
{
	struct finder f = {.flow = flow, .fetched = fetched, .ticks = ticks};

	ticks->before = xalloc(flow->blocks.n, sizeof *ticks->before);
	ticks->after = xalloc(flow->blocks.n, sizeof *ticks->after);
	f.reached = xalloc(flow->blocks.n, sizeof *f.reached);
	find_granules(&f);
	find_edges(&f);
	tick_where_unknown(&f, behind_call);
	for_edges(&f, tick_between_sections);
	tick_behind_others(&f);
	weigh(&f);
	find_executed(&f);
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		if (fetched[i] && !ticks->before[i] && conflicts(&f.before[i], f.granules[i]))
			separate(&f, i);
	VEC_FREE(&f.queue);
	VEC_FREE(&f.culprits);
	free(f.reached);
	free(f.granules);
	lists_free(&f.from);
	free(f.weight);
	free(f.before);
}

void ticks_free(struct ticks *ticks)
{
	free(ticks->before);
	free(ticks->after);
}
