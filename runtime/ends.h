/* How the process ends, and how others begin from it. */
#ifndef RUNTIME_ENDS_H
#define RUNTIME_ENDS_H

#include "runtime/runtime.h"

enum end {
	END_EXIT,
	END_REPLACE, /* another program may take this one's place; or it goes on, and ends later */
};

/* Writes the profile, once, if the process is the one whose counts lie in this memory; false if it is not.
 * Signals wait meanwhile. */
bool cacheprof_end(enum end end);

/* Notes whose memory this is: once, before there can be children. */
void cacheprof_ends_start(struct process *process);

/* In a child of fork, when its parent's memory has been copied; anywhere else it does nothing. */
void cacheprof_after_fork(void);

/* ---- atfork.c ---- */

/* Asks libc to call cacheprof_after_fork. */
void cacheprof_atfork_start(void);

/* ---- signals.c ---- */

/* Watches the signals that would end the process. */
void cacheprof_signals_start(void);

/* Gives the running thread a stack for them, so that the overflow of its own can be told of. */
void cacheprof_signals_thread(struct thread *thread);

/* Undoes cacheprof_signals_start; the code of the handlers may go (dlclose). */
void cacheprof_signals_stop(void);

#endif
