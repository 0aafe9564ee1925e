/* Which blocks note the time when they are executed.
 *
 * The times of the others follow. Between two ticks (ticks.h) there is one time. So where a block is executed between
 * two ticks if and only if another one is, before or behind it, both were executed last at the same time: a branch
 * and where its ways meet again. And where it is if and only if one of several is, it was at the latest of their
 * times: a branch and the beginnings of both its ways, or where two ways meet and both their ends.
 *
 * While control is between such blocks the time of the one that was executed already is not noted yet. Until time goes
 * on nobody asks for it: no line of its set is fetched meanwhile, but by a signal's handler. */
#ifndef INSTRUMENT_STAMPS_H
#define INSTRUMENT_STAMPS_H

#include "instrument/ticks.h"

/* Of one section, one after the other: how many blocks, and which. */
typedef VEC(uint32_t) times_vec;

struct stamps {
	bool *noted;	 /* per block: its time is, when it is executed */
	uint32_t *times; /* per block: 1 + place in its section's times of those whose times tell its own; 0: its own */
	times_vec *sections;
};

/* fetched: per block, that it is instrumented; weight: how often it seems to be executed, NULL in code written by hand,
 * of which each block notes its time. */
void stamps_find(struct stamps *stamps, const struct flow *flow, const struct ticks *ticks, const bool *fetched,
		 const float *weight);

void stamps_free(struct stamps *stamps, size_t n_sections);

#endif
