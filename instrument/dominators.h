/* Which nodes of a graph lie on every way to a node. */
#ifndef INSTRUMENT_DOMINATORS_H
#define INSTRUMENT_DOMINATORS_H

#include "instrument/worklist.h"

/* Ways begin at some of its nodes. */
struct graph {
	uint32_t n;
	const struct lists *to, *from; /* per node: those that it leads to, and those that lead to it */
	bool *begins;		       /* per node */
};

struct dominators {
	uint32_t *nearest; /* per node: the last one, but for itself, that all ways to it go through; n: none */
	uint32_t *order;   /* all nodes, each behind its nearest dominator */
};

/* Nodes that no way leads to are made to begin some. Mostly takes time in proportion to the graph's size (Cooper,
 * Harvey and Kennedy, A Simple, Fast Dominance Algorithm, 2001). dominators_free wants them back. */
void dominators_find(struct dominators *d, const struct graph *g);
void dominators_free(struct dominators *d);

#endif
