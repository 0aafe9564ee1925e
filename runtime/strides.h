/* Loops that run without checks (instrument/strides.h): what they have referred to is made up for. */
#ifndef RUNTIME_STRIDES_H
#define RUNTIME_STRIDES_H

#include "runtime/models.h"

/* Counts n iterations that are over, and makes their references. regs: as they were at the last one's end, by number;
 * not changed. */
void cacheprof_strided_run(struct thread *thread, const uint64_t *regs, const struct strided *loop, uint64_t n);

/* Those iterations that the loop's register has, of a loop that was interrupted at ip; one that has begun counts as one
 * that is over. Puts the register back. thread: the module's record of the running thread. */
void cacheprof_strided_flush(struct thread *thread, uint64_t *regs, const struct strided *loop, const char *begin,
			     const char *ip);

#endif
