/* Loops that run without checks (instrument/strides.h): what they have referred to is made up for. */
#ifndef RUNTIME_STRIDES_H
#define RUNTIME_STRIDES_H

#include "runtime/models.h"

/* Counts those iterations that the loop's register has, of a loop that was interrupted at ip, and makes their
 * references and predictions; one that has begun counts as one that is over, but for its branch. Puts the register
 * back. thread: the module's record of the running thread. */
void cacheprof_strided_flush(struct thread *thread, uint64_t *regs, const struct strided *loop, const char *begin,
			     const char *ip);

#endif
