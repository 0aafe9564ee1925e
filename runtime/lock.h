/* A lock that knows its holder: a signal handler must not wait for the thread that it interrupted. And what must not be
 * left by a handler's siglongjmp, or by an asynchronous cancellation, in the middle. */
#ifndef RUNTIME_LOCK_H
#define RUNTIME_LOCK_H

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include "runtime/runtime.h"

/* Who waits lets others run, as there may be more threads than processors; and soon those, too, that the kernel lets
 * run only while this one sleeps (SCHED_FIFO). turns: how often this was called since it began to wait. */
static inline void lock_wait(unsigned *turns)
{
	static const struct timespec a_while = {.tv_nsec = 50000};
	enum { YIELDS = 200 };

	if (++*turns <= YIELDS)
		SYSCALL(sched_yield);
	else
		SYSCALL(nanosleep, &a_while, 0);
}

/* holder: 0 when it is free. self: the thread's identity. False if this thread has it already. */
static inline bool lock_take(uint64_t *holder, uint64_t self)
{
	uint64_t nobody = 0;
	unsigned turns = 0;

	if (__atomic_load_n(holder, __ATOMIC_RELAXED) == self)
		return false;
	while (!__atomic_compare_exchange_n(holder, &nobody, self, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED)) {
		nobody = 0;
		lock_wait(&turns);
	}
	return true;
}

static inline void lock_give(uint64_t *holder)
{
	__atomic_store_n(holder, 0, __ATOMIC_RELEASE);
}

/* No signal comes to the running thread until signals_let, which gets what signals_hold returned. */
static inline uint64_t signals_hold(void)
{
	static const uint64_t all = UINT64_MAX;
	uint64_t mask = 0;

	SYSCALL(rt_sigprocmask, SIG_SETMASK, &all, &mask, sizeof mask);
	return mask;
}

static inline void signals_let(uint64_t mask)
{
	SYSCALL(rt_sigprocmask, SIG_SETMASK, &mask, 0, sizeof mask);
}

#endif
