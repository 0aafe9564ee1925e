/* Loops of one block with registers of ours. */
#ifndef RUNTIME_LOOPS_H
#define RUNTIME_LOOPS_H

#include "runtime/runtime.h"

/* A signal came to the running thread, with this context (sigaction(2)): if it interrupted such a loop, adds to
 * its counter what the register holds that counts it, which then goes on from zero. for_good: the thread is not to
 * go on there; registers get the values that they have natively. */
void cacheprof_loops_flush(void *context, bool for_good);

#endif
