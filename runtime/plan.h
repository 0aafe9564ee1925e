/* How the streams of a strided loop go by lines: plan.c makes plans, and each thread keeps some. */
#ifndef RUNTIME_PLAN_H
#define RUNTIME_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "include/site.h"

struct strided;

/* Of streams of one step. It is the same wherever they lie so to one another. */
struct plan {
	uint64_t gap;	/* bytes around D1's sets from the foremost stream on to the last one: the widest gap */
	uint8_t n_parts; /* with tails */
	bool is_known;	/* whether it is known how: else the rest is nothing */
	bool spread;	/* no two streams are near to one another, around D1's sets */
	bool meets;	/* streams lie in other lines of the same sets at the same time */
	bool in_step;	/* none may come to a second line before all others have come to one */
	uint8_t order[STRIDED_GROUPED_REFS];
	/* Bytes until a stream comes to where another one was, whose lines are then at the front; or NEVER */
	uint8_t alone[STRIDED_GROUPED_REFS];
};
#define NEVER UINT8_MAX

/* Of a loop, and of how its streams lay. */
#define KEPT_PLANS 32
struct kept_plan {
	uint32_t changes; /* odd: it is just being written */
	uint8_t n;
	const struct strided *loop; /* the step of so many streams is always the same */
	uint64_t phase;
	uint64_t behind[STRIDED_REFS]; /* bytes from the first stream on */
	struct plan plan;
};

#endif
