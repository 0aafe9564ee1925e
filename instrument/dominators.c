#include "instrument/dominators.h"

#include <stdlib.h>

struct finder {
	const struct graph *g;
	struct dominators *d;
	uint32_t *rank;	  /* per node: its place in order, from the end; that of what all ways begin at is n */
	uint32_t *next;	  /* per node: of those that it leads to the next to go to */
	uint32_t ranked;
	bool *seen;
	VEC(uint32_t) way;
};

static void visit(struct finder *f, uint32_t node)
{
	if (f->seen[node])
		return;
	f->seen[node] = true;
	f->next[node] = f->g->to->first[node];
	VEC_PUSH(&f->way, node);
}

/* Depth first: a node is ranked when all that it leads to are. */
static void rank_from(struct finder *f, uint32_t node)
{
	visit(f, node);
	while (f->way.n) {
		uint32_t at = f->way.at[f->way.n - 1];

		if (f->next[at] < f->g->to->first[at + 1]) {
			visit(f, f->g->to->item[f->next[at]++]);
		} else {
			f->way.n--;
			f->rank[at] = f->ranked;
			f->d->order[f->g->n - ++f->ranked] = at;
		}
	}
}

static void rank_all(struct finder *f)
{
	for (uint32_t i = 0; i < f->g->n; i++)
		if (f->g->begins[i])
			rank_from(f, i);
	for (uint32_t i = 0; i < f->g->n; i++)
		if (!f->seen[i]) {
			f->g->begins[i] = true;
			rank_from(f, i);
		}
}

/* The last that all ways to both go through. */
static uint32_t common(const struct finder *f, uint32_t a, uint32_t b)
{
	while (a != b)
		if (f->rank[a] < f->rank[b])
			a = f->d->nearest[a];
		else
			b = f->d->nearest[b];
	return a;
}

static uint32_t nearest(const struct finder *f, uint32_t node)
{
	const struct lists *from = f->g->from;
	uint32_t all = UINT32_MAX;

	if (f->g->begins[node])
		return f->g->n;
	for (uint32_t k = from->first[node]; k < from->first[node + 1]; k++) {
		uint32_t one = from->item[k];

		if (f->d->nearest[one] != UINT32_MAX)
			all = all == UINT32_MAX ? one : common(f, all, one);
	}
	return all;
}

void dominators_find(struct dominators *d, const struct graph *g)
{
	struct finder f = {.g = g, .d = d};
	bool changed = true;

	d->nearest = xalloc(g->n + 1, sizeof *d->nearest);
	d->order = xalloc(g->n, sizeof *d->order);
	f.rank = xalloc(g->n + 1, sizeof *f.rank);
	f.next = xalloc(g->n, sizeof *f.next);
	f.seen = xalloc(g->n, sizeof *f.seen);
	rank_all(&f);
	f.rank[g->n] = g->n;
	for (uint32_t i = 0; i < g->n; i++)
		d->nearest[i] = UINT32_MAX;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < g->n; i++) {
			uint32_t node = d->order[i], now = nearest(&f, node);

			changed |= now != d->nearest[node];
			d->nearest[node] = now;
		}
	}
	free(f.rank);
	free(f.next);
	free(f.seen);
	VEC_FREE(&f.way);
}

void dominators_free(struct dominators *d)
{
	free(d->nearest);
	free(d->order);
}
