/* Doing what was planned. */
#ifndef DRIVER_RUN_H
#define DRIVER_RUN_H

#include "driver/plan.h"

/* Prints the commands, one a line, quoted so that a shell would run them. */
void run_print(FILE *out, const struct plan *plan);

/* Runs the steps and returns the exit status: the first that is not 0. A single step replaces this
 * process; when one of several dies of a signal, so do we, and no further step is run. */
int run_plan(const struct plan *plan);

#endif
