/* Signals that end the process: the profile is written, then the signal does what it does.
 *
 * Where the disposition of such a signal is SIG_DFL, the kernel has our handler instead. The handler
 * writes the profile, makes the disposition SIG_DFL again and sends the thread the same signal again, with the
 * same siginfo; it arrives when the handler returns, at the place and with the registers of the first
 * one, which is what the core dump shows.
 *
 * The program does not see it: sigaction and its like are ours (include/libc.def). They call libc's and
 * correct what it says, then replace SIG_DFL again. A handler that is to be called once (SA_RESETHAND)
 * is replaced too, since it leaves SIG_DFL. After exec all is as it would be: the kernel itself forgets
 * handlers.
 *
 * abort(3) ends the process also where SIGABRT has a handler that returns, or is ignored: libc itself then makes
 * it SIG_DFL, which nothing sees. So the profile is written when such a handler returns (cacheprof_signal_once
 * stands for it), and beforehand where there is none; the counts of what came in between are there either way.
 *
 * Every thread has an alternate stack, because its own may be what has overflowed. It is hidden in the
 * same way, and not given to a program that asks for alternate stacks itself. */
#include "runtime/ends.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "runtime/loops.h"
#include "runtime/models.h"


#define STACK_BYTES 65536
#define BIT(signal) (UINT64_C(1) << ((signal)-1))

/* signal(7): those whose default is to end the process, of the machine's faults and others. 32 and 33
 * are libc's own. */
static const uint64_t faults = BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGABRT) | BIT(SIGBUS) | BIT(SIGFPE) |
			       BIT(SIGSEGV) | BIT(SIGSYS);
static const uint64_t others = BIT(SIGHUP) | BIT(SIGINT) | BIT(SIGQUIT) | BIT(SIGUSR1) | BIT(SIGUSR2) |
			       BIT(SIGPIPE) | BIT(SIGALRM) | BIT(SIGTERM) | BIT(SIGSTKFLT) |
			       BIT(SIGXCPU) | BIT(SIGXFSZ) | BIT(SIGVTALRM) | BIT(SIGPROF) |
			       BIT(SIGIO) | BIT(SIGPWR) | UINT64_MAX << 33;

/* ends_x86_64.S */
void cacheprof_signal_once(int number, siginfo_t *info, void *context);

static struct watched *watched(void)
{
	return &cacheprof_process.signals;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;
	int pid = cacheprof_getpid(), tid = cacheprof_gettid();

	cacheprof_loops_flush(context, true);
	if (cacheprof_end(END_EXIT) && cacheprof_shows && cacheprof_shows->compares() &&
	    !cacheprof_process.options.quiet)
		cacheprof_print(SAY "self-check: not asked, for a signal ended the program\n");
	SYSCALL(rt_sigaction, number, &watched()->believed[number], 0, sizeof(uint64_t));
	*(uint64_t *)&interrupted->uc_sigmask &= ~BIT(number);
	if (SYSCALL(rt_tgsigqueueinfo, pid, tid, number, info))
		SYSCALL(tgkill, pid, tid, number);
}

static bool is_ours(const void *handler)
{
	return handler && (handler == watched()->handler || handler == watched()->once);
}

/* Not in a child that has its parent's memory and its own dispositions. */
static bool is_watched(int number)
{
	return number > 0 && number <= N_SIGNALS && watched()->signals & BIT(number) &&
	       cacheprof_process.pid == cacheprof_getpid();
}

static struct kernel_action our_action(void)
{
	return (struct kernel_action){watched()->handler, SA_SIGINFO | SA_ONSTACK | SA_RESTORER,
				      (void *)cacheprof_sigreturn, UINT64_MAX};
}

/* Puts ours where the program has SIG_DFL, or will have. */
static void watch(int number)
{
	struct kernel_action now, ours = our_action();
	bool for_us;

	if (!is_watched(number) || SYSCALL(rt_sigaction, number, 0, &now, sizeof now.mask))
		return;
	for_us = now.handler == (void *)SIG_DFL ||
		 (now.handler != (void *)SIG_IGN && (now.flags & SA_RESETHAND || number == SIGABRT));
	if (is_ours(now.handler) || !for_us)
		return;
	watched()->believed[number] = now;
	if (now.handler != (void *)SIG_DFL) {
		ours = now;
		ours.handler = watched()->once;
		ours.flags &= ~(unsigned long)SA_RESETHAND;
		ours.flags |= SA_SIGINFO; /* the kernel tells where it comes from if asked to only */
	}
	SYSCALL(rt_sigaction, number, &ours, 0, sizeof ours.mask);
}

/* libgfortran has handlers for faults, which print where the program was, and end it. */
void cacheprof_signals_again(void);
void cacheprof_signals_again(void)
{
	const struct kernel_action ours = our_action();
	struct kernel_action now;

	for (int number = 1; number <= N_SIGNALS; number++) {
		if (!is_watched(number) || SYSCALL(rt_sigaction, number, 0, &now, sizeof now.mask) ||
		    is_ours(now.handler) || now.handler == (void *)SIG_IGN)
			continue;
		watched()->believed[number] = now;
		SYSCALL(rt_sigaction, number, &ours, 0, sizeof ours.mask);
	}
}

/* From cacheprof_signal_once: the program's handler is about to run, for the last time where it asked for that.
 * Returns it. */
void *cacheprof_signal_used(int number);
void *cacheprof_signal_used(int number)
{
	struct kernel_action left = watched()->believed[number], now;
	void *handler = left.handler;

	SYSCALL(rt_sigaction, number, 0, &now, sizeof now.mask);
	if (now.handler == watched()->once && left.flags & SA_RESETHAND) {
		left.handler = (void *)SIG_DFL;
		SYSCALL(rt_sigaction, number, &left, 0, sizeof left.mask);
		watch(number);
	}
	return handler;
}

/* From cacheprof_signal_once: the handler of SIGABRT has returned. abort's own signal is the thread's to itself. */
void cacheprof_abort_handled(int number, const siginfo_t *info);
void cacheprof_abort_handled(int number, const siginfo_t *info)
{
	(void)number;
	if (info->si_code == SI_TKILL && info->si_pid == cacheprof_getpid())
		cacheprof_end(END_REPLACE);
}

void cacheprof_before_abort(void);
void cacheprof_before_abort(void)
{
	struct kernel_action now;

	if (!SYSCALL(rt_sigaction, SIGABRT, 0, &now, sizeof now.mask) && now.handler == (void *)SIG_IGN)
		cacheprof_end(END_REPLACE);
}

void cacheprof_signals_start(void)
{
	/* The kernel itself keeps signals from the first process of a container while they are SIG_DFL. */
	watched()->signals = cacheprof_getpid() == 1 ? faults : faults | others;
	watched()->handler = (void *)on_signal;
	watched()->once = (void *)cacheprof_signal_once;
	for (int number = 1; number <= N_SIGNALS; number++)
		watch(number);
}

void cacheprof_signals_stop(void)
{
	for (int number = 1; number <= N_SIGNALS; number++) {
		struct kernel_action now;

		if (is_watched(number) && !SYSCALL(rt_sigaction, number, 0, &now, sizeof now.mask) &&
		    is_ours(now.handler))
			SYSCALL(rt_sigaction, number, &watched()->believed[number], 0, sizeof now.mask);
	}
	watched()->signals = 0;
	watched()->handler = watched()->once = 0;
}

/* ---- what the program asks libc ---- */

static void leave_stack(void);

int cacheprof_sigaction(int number, const struct sigaction *action, struct sigaction *old,
			int (*real)(int, const struct sigaction *, struct sigaction *));
int cacheprof_sigaction(int number, const struct sigaction *action, struct sigaction *old,
			int (*real)(int, const struct sigaction *, struct sigaction *))
{
	struct kernel_action was = {0};
	int result;

	if (number > 0 && number <= N_SIGNALS)
		was = watched()->believed[number];
	if (action && action->sa_flags & SA_ONSTACK)
		leave_stack();
	result = real(number, action, old);
	if (result)
		return result;
	if (action)
		watch(number);
	if (old && is_ours((void *)old->sa_handler)) {
		old->sa_handler = (__sighandler_t)was.handler;
		old->sa_flags = (int)was.flags;
		*(uint64_t *)&old->sa_mask = was.mask;
	}
	return 0;
}

__sighandler_t cacheprof_signal(int number, __sighandler_t handler, long,
				__sighandler_t (*real)(int, __sighandler_t));
__sighandler_t cacheprof_signal(int number, __sighandler_t handler, long unused,
				__sighandler_t (*real)(int, __sighandler_t))
{
	void *was = number > 0 && number <= N_SIGNALS ? watched()->believed[number].handler : 0;
	__sighandler_t old = real(number, handler);

	(void)unused;
	watch(number);
	return is_ours((void *)old) ? (__sighandler_t)was : old;
}

/* ---- alternate stacks ---- */

/* The last word of a stack of ours says so. */
static const void **mark_of(const stack_t *stack)
{
	return (const void **)((char *)stack->ss_sp + STACK_BYTES) - 1;
}

static bool is_our_stack(const stack_t *stack)
{
	return !(stack->ss_flags & SS_DISABLE) &&
	       stack->ss_size == STACK_BYTES - sizeof(void *) && *mark_of(stack) == watched();
}

void cacheprof_signals_thread(struct thread *thread)
{
	stack_t stack;

	if (watched()->no_stacks || SYSCALL(sigaltstack, 0, &stack) || !(stack.ss_flags & SS_DISABLE))
		return;
	if (!thread->signal_stack)
		thread->signal_stack = cacheprof_mmap(STACK_BYTES);
	if (!thread->signal_stack)
		return;
	stack = (stack_t){.ss_sp = thread->signal_stack, .ss_size = STACK_BYTES - sizeof(void *)};
	*mark_of(&stack) = watched();
	SYSCALL(sigaltstack, &stack, 0);
}

/* The program's handlers that ask for an alternate stack run on the thread's own where there is none,
 * which may be larger than ours. */
static void leave_stack(void)
{
	static const stack_t none = {.ss_flags = SS_DISABLE};
	stack_t stack;

	watched()->no_stacks = true;
	if (!SYSCALL(sigaltstack, 0, &stack) && is_our_stack(&stack))
		SYSCALL(sigaltstack, &none, 0);
}

int cacheprof_sigaltstack(const stack_t *stack, stack_t *old, long,
			  int (*real)(const stack_t *, stack_t *));
int cacheprof_sigaltstack(const stack_t *stack, stack_t *old, long unused,
			  int (*real)(const stack_t *, stack_t *))
{
	int result = real(stack, old);

	(void)unused;
	if (!result && old && is_our_stack(old))
		*old = (stack_t){.ss_flags = SS_DISABLE};
	return result;
}
