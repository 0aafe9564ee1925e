/* The branches that are predicted, and where the code for it stands. */
#ifndef INSTRUMENT_PREDICT_H
#define INSTRUMENT_PREDICT_H

#include "instrument/plan.h"

/* The point of an indirect branch is before it, that of a conditional one is on each way out of it. The
 * points' insn is the branch; they need one register more for code that finds its thread's counters by
 * one (-fPIC). */
struct prediction {
	uint32_t insn;
	struct point before, taken, passed;
};

struct predicted {
	VEC(struct prediction) predictions;
	uint32_t *number;     /* per instruction: 1 + its number among its section's branches, or 0; NULL when
			       * none are predicted */
	uint32_t *prediction; /* per instruction: 1 + index into predictions; 0: no code can be planted */
	uint32_t *n_branches; /* per section; NULL as number */
};

/* Whether the instruction is a conditional branch of those. */
bool predicts_direction(const struct unit *unit, uint32_t insn);

/* The branches of the blocks that the plan counts. */
void predict_find(struct predicted *predicted, const struct flow *flow, const struct liveness *live,
		  const struct plan *plan, bool pic);

#endif
