/* From what the user asked to the commands that do it. */
#ifndef DRIVER_PLAN_H
#define DRIVER_PLAN_H

#include "driver/options.h"

struct step {
	char **argv; /* ends with NULL */
};

struct plan {
	const char *program;        /* what every step runs */
	VEC(char *) settings;       /* "NAME=VALUE", added to the environment of every step */
	VEC(struct step) steps;     /* in this order; never empty, but for a -SA without work */
};

/* Looks for cacheprof's own parts, finds and asks the compiler, and fills in the plan. Dies, naming the reason,
 * when the command asks for what cacheprof cannot do or when the result would silently not be instrumented. */
void plan_make(struct plan *plan, const struct request *req);

#endif
