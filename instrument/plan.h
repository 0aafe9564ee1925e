/* What is planted where: the points of the code, with the registers that planted code may use. */
#ifndef INSTRUMENT_PLAN_H
#define INSTRUMENT_PLAN_H

#include "instrument/conserve.h"
#include "instrument/copies.h"
#include "instrument/groups.h"
#include "instrument/history.h"
#include "instrument/loops.h"
#include "instrument/stamps.h"
#include "instrument/strides.h"

/* Bytes below rsp that leaf functions use (psABI 3.2.2): planted code steps over them. */
#define RED_ZONE 128

/* How a level uses the plan. */
struct level {
	bool count;	/* blocks are counted */
	bool simulate;	/* references and fetches are checked */
	bool branches;	/* branches are predicted */
	bool show;	/* and every instruction is shown to who watches (runtime/show.h) */
};
extern const struct level levels[3];

/* One point: planted before its instruction, in this order: entry, count, segments. */
struct point {
	uint32_t insn;
	bool enter;		     /* a thread may come in here */
	bool count;		     /* counts its block */
	bool fetch;		     /* fetches its block: are its lines present? */
	bool stamp;		     /* and notes the time */
	bool tick_before, tick_after; /* and makes time go on (site.h, FETCH_BYTES) */
	uint32_t segment, n_segments; /* planned.segments checked here */
	uint8_t a, b;		     /* registers to use, or REG_NONE where not needed */
	uint8_t rax_kept;	     /* register that holds rax while rax holds the flags, or REG_NONE */
	uint8_t spare[SPARES];	     /* registers that xmm13 to xmm15 hold the values of meanwhile, or REG_NONE */
	bool vectors_live;	     /* those that stubs would use (vectorset) */
	bool flags_in_rax;
	bool flags_pushed;
	regset pushed;		     /* saved on the stack, behind a red zone */
	bool red_zone;		     /* what is planted must leave one alone */
	int32_t rsp_moved;	     /* bytes that rsp is lower in the planted code */
};

struct plan {
	VEC(struct point) points; /* by instruction; several of one where its segments use too many registers */
	uint32_t *counter;	  /* per block: its number among its section's blocks that count, or
				   * UINT32_MAX: it is not instrumented */
	uint32_t *n_counters;	  /* per section */
	struct conserved conserved;
	struct stamps stamps;
	struct loops loops;
	struct strides strides;
	struct history history;
};

/* plan->loops is filled in already, with registers that are free there. In live registers that hold branches' history
 * become alive. copies: NULL where functions have none. */
void plan_make(struct plan *plan, const struct flow *flow, struct liveness *live,
	       const struct planned *planned, const struct level *level, bool pic, const struct copies *copies);

/* --ddump-use-bbs */
void plan_dump(const struct plan *plan, const struct flow *flow, FILE *out);

#endif
