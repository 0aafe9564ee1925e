/* What passes need that go over blocks until nothing changes any more, so that the time they take grows with
 * the number of blocks, whatever leads from where to where. */
#ifndef INSTRUMENT_WORKLIST_H
#define INSTRUMENT_WORKLIST_H

#include "common/mem.h"

#include <stdbool.h>
#include <stdint.h>

/* Numbers that are to be looked at, first come, first served, each waiting once at a time. */
struct worklist {
	uint32_t *ring;
	bool *waits;
	uint32_t room, first, n;
};

/* Of numbers below room. worklist_free wants it back. */
void worklist_make(struct worklist *w, size_t room);
void worklist_add(struct worklist *w, uint32_t number);

/* False if none waits. */
bool worklist_take(struct worklist *w, uint32_t *number);
void worklist_free(struct worklist *w);

/* Numbers on several lists: those on list i are item[first[i]] to item[first[i + 1] - 1]. */
struct lists {
	uint32_t *first, *item;
};

struct listed {
	uint32_t list, item;
};

typedef VEC(struct listed) listed_vec;

/* n lists with what is listed, the last of it first. lists_free wants them back. */
void lists_make(struct lists *l, size_t n, const listed_vec *listed);
void lists_free(struct lists *l);

#endif
