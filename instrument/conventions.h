/* Which calling conventions functions keep (liveness.c). */
#ifndef INSTRUMENT_CONVENTIONS_H
#define INSTRUMENT_CONVENTIONS_H

#include "instrument/liveness.h"

#define BIT(r) (1u << (r))
#define CALLER_SAVED (REGS_ALL & ~CALLEE_SAVED)
#define RETURNED (BIT(RAX) | BIT(RDX))

struct conventions {
	regset *read;	/* per block: registers that instructions from it on read before they are written */
	liveset *saved; /* per function, at the number of the whole of it: caller-saved registers that it leaves as
			 * they were */
	liveset *lost;	/* likewise: those that it, or what it calls, changes without having looked at them: no caller
			 * keeps anything there */
	liveset around;	/* what functions of other conventions save, but for those that keep all: in all of the unit */
	liveset across; /* what callers may keep across what is not of the unit, besides what they read behind it */
};

/* Whether the block calls what is not known, by the usual convention. */
bool is_unknown_call(const struct flow *flow, const struct block_bb *b);

/* kept: what every function leaves as it was. conventions_free wants it back. */
void conventions_find(struct conventions *conventions, const struct flow *flow, liveset kept);
void conventions_free(struct conventions *conventions);

#endif
