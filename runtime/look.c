/* A run that is looked at while it goes: dump-signal= writes the profile so far, progress= prints a line
 * now and then.
 *
 * The signal has a handler like any other; a system call that it interrupts is started again. Progress
 * needs none, since a signal would end the program's sleeps: a process of its own shares the
 * program's memory, reads the counters and prints. It is no child that wait would find (its end raises no
 * signal), has none of the program's files but standard error, and dies with the thread that made it;
 * it ends when it finds itself alone with the memory, because the program executed another. */
#include "runtime/runtime.h"

#include <linux/close_range.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#define SAY "==cacheprof== "
#define CALL(name, a, b, c, d)                                                                     \
	cacheprof_syscall(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define STACK_BYTES 65536

static void on_dump(int number)
{
	(void)number;
	cacheprof_write_so_far(&cacheprof_process);
}

void cacheprof_dump_start(int number)
{
	struct kernel_action dump = {(void *)on_dump, SA_RESTART | SA_ONSTACK | SA_RESTORER,
				     (void *)cacheprof_sigreturn, UINT64_MAX};

	CALL(rt_sigaction, number, &dump, 0, sizeof dump.mask);
}

static bool program_goes_on(int program)
{
	int self = cacheprof_getpid();

	return CALL(getppid, 0, 0, 0, 0) == program && CALL(kcmp, program, self, KCMP_VM, 0) <= 0;
}

static void watch(void *unused)
{
	const struct process *process = &cacheprof_process;
	struct timespec pause = {.tv_sec = process->options.progress};
	int program = process->pid;
	uint64_t totals[N_EVENTS];

	(void)unused;
	CALL(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
	CALL(close_range, 0, 1, 0, 0);
	CALL(close_range, 3, UINT32_MAX, 0, 0);
	for (;;) {
		CALL(nanosleep, &pause, 0, 0, 0);
		if (!program_goes_on(program))
			CALL(exit, 0, 0, 0, 0);
		cacheprof_totals(process, totals);
		cacheprof_print_progress(process, totals);
	}
}

void cacheprof_progress_start(void)
{
	const uint64_t all = UINT64_MAX;
	char *stack = cacheprof_mmap(STACK_BYTES);
	uint64_t mask;
	long made = -1;

	CALL(rt_sigprocmask, SIG_SETMASK, &all, &mask, sizeof mask);
	if (stack)
		made = cacheprof_spawn(watch, 0, stack + STACK_BYTES);
	CALL(rt_sigprocmask, SIG_SETMASK, &mask, 0, sizeof mask);
	if (made < 0)
		cacheprof_print(SAY "progress=: no process can be made for it\n");
}
