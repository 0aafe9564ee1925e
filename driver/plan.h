/* From what the user asked to the commands that do it. */
#ifndef DRIVER_PLAN_H
#define DRIVER_PLAN_H

#include "driver/options.h"

struct plan {
	const char *program;  /* what every step runs */
	VEC(char *) settings; /* "NAME=VALUE", added to the environment of every step */
	VEC(char **) steps;   /* each the argv of a command, ended by NULL; in this order */
};

/* Looks for cacheprof's own parts, finds the compiler, asks it, and fills in the plan. Dies, naming
 * the reason, when the command asks for what cacheprof cannot do and when its result would silently
 * not be instrumented. */
void plan_make(struct plan *plan, const struct request *req);

#endif
