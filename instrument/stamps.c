#include "instrument/stamps.h"

#include "instrument/dominators.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* Blocks whose times tell one block's. */
#define SOURCES_MOST 4

/* Classes of which at least one is executed where another is. */
struct sources {
	uint32_t n, at[SOURCES_MOST];
};

/* Blocks of which either all or none are executed between two ticks are one class. Of a class each is on all ways to
 * the next, and its number is the first one's. */
struct class {
	uint32_t noting; /* the fetched one that seems to be executed the least, or NONE */
	struct sources sources;
	bool needed; /* as a source */
	uint32_t times;	 /* as in stamps */
};

struct finder {
	const struct flow *flow;
	const struct ticks *ticks;
	const bool *fetched;
	const float *weight;
	struct stamps *stamps;
	listed_vec ways;
	struct lists to, from;	/* per block, between two ticks */
	bool *begins, *ends;	/* per block: control may come from elsewhere, or go there */
	struct dominators before, behind;
	uint32_t *class_of;	/* per block */
	struct class *classes;	/* by number */
};

/* ---- the graph ---- */

static void add_way(struct finder *f, uint32_t from, uint32_t to)
{
	if (to == NO_BLOCK)
		return;
	if (f->ticks->after[from] || f->ticks->before[to] || !goes_on_within(f->flow, &f->flow->blocks.at[from]))
		f->ends[from] = f->begins[to] = true;
	else
		VEC_PUSH(&f->ways, (struct listed){from, to});
}

static void turn(listed_vec *ways)
{
	for (size_t i = 0; i < ways->n; i++)
		ways->at[i] = (struct listed){ways->at[i].item, ways->at[i].list};
}

static void find_ways(struct finder *f)
{
	uint32_t n = (uint32_t)f->flow->blocks.n;

	f->begins = xalloc(n, sizeof *f->begins);
	f->ends = xalloc(n, sizeof *f->ends);
	blocks_named(f->flow, f->begins);
	for (uint32_t i = 0; i < n; i++) {
		const struct block_bb *b = &f->flow->blocks.at[i];

		f->begins[i] |= f->ticks->before[i];
		f->ends[i] |= !goes_on_within(f->flow, b);
		add_way(f, i, b->next);
		add_way(f, i, b->target);
	}
	lists_make(&f->to, n, &f->ways);
	turn(&f->ways);
	lists_make(&f->from, n, &f->ways);
	VEC_FREE(&f->ways);
	dominators_find(&f->before, &(struct graph){n, &f->to, &f->from, f->begins});
	dominators_find(&f->behind, &(struct graph){n, &f->from, &f->to, f->ends});
}

/* ---- classes ---- */

static void find_classes(struct finder *f)
{
	uint32_t n = (uint32_t)f->flow->blocks.n;

	f->class_of = xalloc(n, sizeof *f->class_of);
	f->classes = xalloc(n, sizeof *f->classes);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t block = f->before.order[i], nearest = f->before.nearest[block];
		bool same = nearest != n && f->behind.nearest[nearest] == block;
		uint32_t number = f->class_of[block] = same ? f->class_of[nearest] : block;
		struct class *c = &f->classes[number];

		if (!same)
			c->noting = NONE;
		if (f->fetched[block] && (c->noting == NONE || f->weight[block] < f->weight[c->noting]))
			c->noting = block;
	}
}

/* Adds the class, or its own sources. False if there are too many, or it has none that is fetched. */
static bool add_sources(const struct finder *f, struct sources *to, uint32_t class)
{
	const struct class *c = &f->classes[class];
	const struct sources own = {.n = 1, .at = {class}}, *from = c->sources.n ? &c->sources : &own;

	if (c->noting == NONE || to->n + from->n > SOURCES_MOST)
		return false;
	memcpy(to->at + to->n, from->at, from->n * sizeof *to->at);
	to->n += from->n;
	return true;
}

/* Whether one of those beside the block is executed if and only if the block is. nearest: dominators on that side. */
static bool gather(const struct finder *f, struct sources *to, uint32_t block, const struct lists *beside,
		   const uint32_t *nearest)
{
	to->n = 0;
	for (uint32_t k = beside->first[block]; k < beside->first[block + 1]; k++) {
		uint32_t other = beside->item[k], class = f->class_of[other];

		if (other == block)
			continue;
		if (nearest[other] != block || class == f->class_of[block] || !add_sources(f, to, class))
			return false;
	}
	return to->n > 0;
}

static void try_block(struct finder *f, uint32_t block)
{
	struct class *c = &f->classes[f->class_of[block]];
	struct sources found;

	if (c->sources.n || c->needed || c->noting == NONE)
		return;
	if ((f->ends[block] || !gather(f, &found, block, &f->to, f->before.nearest)) &&
	    (f->begins[block] || !gather(f, &found, block, &f->from, f->behind.nearest)))
		return;
	c->sources = found;
	for (uint32_t i = 0; i < found.n; i++)
		f->classes[found.at[i]].needed = true;
}

/* From the last blocks on, so that what has sources of its own is known. */
static void find_sources(struct finder *f)
{
	for (uint32_t i = (uint32_t)f->flow->blocks.n; i-- > 0;)
		try_block(f, f->before.order[i]);
}

/* ---- what comes out ---- */

static uint32_t times_of(struct finder *f, uint32_t class, uint32_t section)
{
	struct class *c = &f->classes[class];
	times_vec *times = &f->stamps->sections[section];

	if (c->times)
		return c->times;
	c->times = (uint32_t)times->n + 1;
	VEC_PUSH(times, c->sources.n ? c->sources.n : 1);
	if (!c->sources.n)
		VEC_PUSH(times, c->noting);
	for (uint32_t i = 0; i < c->sources.n; i++)
		VEC_PUSH(times, f->classes[c->sources.at[i]].noting);
	return c->times;
}

static void tell(struct finder *f, uint32_t block)
{
	uint32_t class = f->class_of[block];
	const struct class *c = &f->classes[class];

	f->stamps->noted[block] = !c->sources.n && c->noting == block;
	if (!f->stamps->noted[block])
		f->stamps->times[block] = times_of(f, class, f->flow->blocks.at[block].section);
}

void stamps_find(struct stamps *stamps, const struct flow *flow, const struct ticks *ticks, const bool *fetched,
		 const float *weight)
{
	struct finder f = {.flow = flow, .ticks = ticks, .fetched = fetched, .weight = weight, .stamps = stamps};
	uint32_t n = (uint32_t)flow->blocks.n;

	stamps->noted = xalloc(n, sizeof *stamps->noted);
	stamps->times = xalloc(n, sizeof *stamps->times);
	stamps->sections = xalloc(flow->unit->sections.n, sizeof *stamps->sections);
	if (!weight) {
		memset(stamps->noted, true, n * sizeof *stamps->noted);
		return;
	}
	find_ways(&f);
	find_classes(&f);
	find_sources(&f);
	for (uint32_t i = 0; i < n; i++)
		if (fetched[i])
			tell(&f, i);
	lists_free(&f.to);
	lists_free(&f.from);
	dominators_free(&f.before);
	dominators_free(&f.behind);
	free(f.begins);
	free(f.ends);
	free(f.class_of);
	free(f.classes);
}

void stamps_free(struct stamps *stamps, size_t n_sections)
{
	for (size_t i = 0; i < n_sections; i++)
		VEC_FREE(&stamps->sections[i]);
	free(stamps->sections);
	free(stamps->noted);
	free(stamps->times);
}
