/* Which registers and flags hold a value that may still be read. */
#ifndef INSTRUMENT_LIVENESS_H
#define INSTRUMENT_LIVENESS_H

#include "instrument/blocks.h"

/* Registers in bits 0..15, the status flags of a flagset from bit LIVE_FLAGS on, a vectorset
 * from LIVE_VECTOR on. */
typedef uint32_t liveset;
#define LIVE_FLAGS 16
#define LIVE_STATUS ((liveset)FLAGS_STATUS << LIVE_FLAGS)
#define LIVE_VECTOR 22
#define LIVE_VECTORS ((liveset)VECTORS_ALL << LIVE_VECTOR)
#define LIVE_STUBS ((liveset)VECTORS_STUBS << LIVE_VECTOR)
#define LIVE_SPARE ((liveset)VECTORS_SPARE << LIVE_VECTOR)
#define LIVE_SPARE_BIT (LIVE_VECTOR + SPARE_BIT)
#define LIVE_ALL (REGS_ALL | LIVE_STATUS | LIVE_VECTORS)

#define CALLEE_SAVED (1u << RBX | 1u << RBP | 1u << R12 | 1u << R13 | 1u << R14 | 1u << R15 | 1u << RSP)

struct liveness {
	liveset *before; /* per instruction of the unit */
	liveset kept;	 /* as it was given */
};

/* The calling convention (System V AMD64 ABI 1.0, 3.2) is relied on only where compilers keep
 * it: with -fipa-ra a caller keeps values in caller-saved registers across a call to a function
 * of its own unit that leaves them as they are (conventions.h), so such a call changes nothing else, what is live
 * behind it is live at the callee's ret, and its arguments are what the callee reads; callee-saved registers are
 * live at every call, for the unwinder. Microsoft's convention is known by its arguments, those that keep all
 * registers by what functions save or leave alone. kept: registers that every function leaves as they are, whatever
 * conventions say (-fcall-saved-REG, -ffixed-REG). */
void liveness_find(struct liveness *live, const struct flow *flow, liveset kept);

/* Whether a function called by that name, whatever follows it, does not follow the calling convention. */
bool is_odd_callee(struct asm_text name);

#endif
