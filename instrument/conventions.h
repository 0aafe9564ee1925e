/* Which calling conventions functions keep (liveness.c). */
#ifndef INSTRUMENT_CONVENTIONS_H
#define INSTRUMENT_CONVENTIONS_H

#include "instrument/liveness.h"

#define BIT(r) (1u << (r))
#define RETURNED (BIT(RAX) | BIT(RDX))

struct conventions {
	regset *read;	/* per block: registers that instructions from it on read before they are written */
	liveset *saved; /* per function, at the number of the whole of it: caller-saved registers that it leaves as
			 * they were */
};

/* kept: what every function leaves as it was. conventions_free wants it back. */
void conventions_find(struct conventions *conventions, const struct flow *flow, liveset kept);
void conventions_free(struct conventions *conventions);

#endif
