/* Loops of one block, whose last executions are in a register. */
#ifndef RUNTIME_LOOPS_H
#define RUNTIME_LOOPS_H

#include "runtime/runtime.h"

/* A signal came to the running thread, with this context (sigaction(2)): if it interrupted such a loop, adds to
 * its counter what the register holds, which then counts on from zero. for_good: the thread is not to go on there;
 * the register gets the value that it has natively. */
void cacheprof_loops_flush(void *context, bool for_good);

#endif
