/* A lock that knows its holder: a signal handler must not wait for the thread that it interrupted. */
#ifndef RUNTIME_LOCK_H
#define RUNTIME_LOCK_H

#include <sys/syscall.h>

#include "runtime/runtime.h"

/* holder: 0 when it is free. self: the thread's identity. False if this thread has it already. Who waits lets others
 * run: there may be more threads than processors. */
static inline bool lock_take(uint64_t *holder, uint64_t self)
{
	uint64_t nobody = 0;

	if (__atomic_load_n(holder, __ATOMIC_RELAXED) == self)
		return false;
	while (!__atomic_compare_exchange_n(holder, &nobody, self, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED)) {
		nobody = 0;
		cacheprof_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
	}
	return true;
}

static inline void lock_give(uint64_t *holder)
{
	__atomic_store_n(holder, 0, __ATOMIC_RELEASE);
}

#endif
