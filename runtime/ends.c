/* How the process ends, and how others begin from it.
 *
 * At exit the runtime's destructor, the last of all, writes the profile. _exit, quick_exit, exec and their
 * like are called by way of ours (include/libc.def). What kills the process is a signal: signals.c.
 *
 * A child of fork has a copy of the counts, and begins again from zero. A child that borrows its parent's
 * memory (vfork, posix_spawn) writes nothing, whatever it does: what it counts is counted in its parent.
 * The two are told apart by a page that the kernel clears in a copy. */
#include "runtime/ends.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/lock.h"
#include "runtime/regions.h"


void cacheprof_ends_start(struct process *process)
{
	char *own = cacheprof_mmap(PAGE);

	if (!own || SYSCALL(madvise, own, PAGE, MADV_WIPEONFORK))
		return;
	*own = 1;
	process->own = own;
}

/* The memory is a copy, and this is the first that is done in it. */
static bool is_copy(const struct process *p)
{
	return p->own && !*p->own;
}

/* The thread that forked is the only one here. */
static void become_child(struct process *p)
{
	struct thread *thread = cacheprof_this_thread(), *t = thread;

	if (p->own)
		*p->own = 1;
	p->pid = cacheprof_getpid();
	p->start_ns = cacheprof_now_ns();
	p->lock = 0;
	p->writer = 0;
	p->region_holder = 0;
	if (t && p->shower >> SHOWER_FRAME == (uint64_t)t->tid)
		p->shower ^= (uint64_t)(t->tid ^ p->pid) << SHOWER_FRAME;
	else
		p->shower = 0;
	p->n_parts = 0;
	p->ended = false;
	p->written = UINT64_MAX;
	if (t)
		do
			t->tid = p->pid;
		while ((t = t->beside) != thread);
	cacheprof_options_name_child(p);
}

/* A child of a bare system call instruction is noticed at its end only, and has its parent's counts. */
static bool is_own_process(struct process *p)
{
	if (is_copy(p))
		become_child(p);
	return p->pid == cacheprof_getpid();
}

bool cacheprof_end(enum end end)
{
	struct process *p = &cacheprof_process;
	uint64_t mask;

	if (!is_own_process(p))
		return false;
	mask = signals_hold();
	cacheprof_write(p, end != END_REPLACE);
	signals_let(mask);
	return true;
}

/* ---- ends ---- */

static void end(enum end end)
{
	if (cacheprof_end(end))
		cacheprof_shows_end(false);
}

void cacheprof_before_exit(void);
void cacheprof_before_exit(void)
{
	end(END_EXIT);
}

void cacheprof_before_replacement(void);
void cacheprof_before_replacement(void)
{
	end(END_REPLACE);
}

static bool at_quick_exit; /* the end is among the functions that quick_exit calls */

void cacheprof_before_quick_exit(void);
void cacheprof_before_quick_exit(void)
{
	if (!at_quick_exit)
		end(END_EXIT);
}

/* They are called last to first; so the end comes before the first of the program's. */
int cacheprof_at_quick_exit(void (*function)(void), long, long, int (*real)(void (*)(void)));
int cacheprof_at_quick_exit(void (*function)(void), long unused, long unused2,
			    int (*real)(void (*)(void)))
{
	(void)unused, (void)unused2;
	if (!at_quick_exit)
		at_quick_exit = !real(cacheprof_before_exit);
	return real(function);
}

/* Most calls of exec that fail, as when a program looks for another one in many places, are seen
 * beforehand to fail. */
static bool can_execute(int directory, const char *path)
{
	return !SYSCALL(faccessat, directory, path, X_OK);
}

void cacheprof_before_execveat(int directory, const char *path);
void cacheprof_before_execveat(int directory, const char *path)
{
	if (path && (!*path || can_execute(directory, path)))
		end(END_REPLACE);
}

void cacheprof_before_exec(const char *path);
void cacheprof_before_exec(const char *path)
{
	if (path && can_execute(AT_FDCWD, path))
		end(END_REPLACE);
}

/* A name without a slash is looked for in PATH, of an environment that is libc's. */
void cacheprof_before_execp(const char *name);
void cacheprof_before_execp(const char *name)
{
	const char *c = name;

	while (*c && *c != '/')
		c++;
	if (!*c || can_execute(AT_FDCWD, name))
		end(END_REPLACE);
}

/* Whether a child gets a copy of the memory. One that shares it must not come back from here before its
 * parent does. */
static bool copies(long number, long a)
{
	switch (number) {
	case SYS_fork:
		return true;
	case SYS_clone:
		return !(a & CLONE_VM);
	case SYS_clone3:
		return a && !(((const struct clone_args *)a)->flags & CLONE_VM);
	default:
		return false;
	}
}

/* exit ends a thread, and the process if it is the last one, which only the kernel knows. */
bool cacheprof_before_syscall(long number, long a, long b);
bool cacheprof_before_syscall(long number, long a, long b)
{
	switch (number) {
	case SYS_exit_group:
		end(END_EXIT);
		break;
	case SYS_exit:
		end(END_REPLACE);
		break;
	case SYS_execve:
		cacheprof_before_exec((const char *)a);
		break;
	case SYS_execveat:
		cacheprof_before_execveat((int)a, (const char *)b);
		break;
	case SYS_landlock_restrict_self:
		cacheprof_look_hand_over(&cacheprof_process);
		break;
	}
	return copies(number, a);
}

/* ---- children ---- */

void cacheprof_after_fork(void)
{
	struct process *p = &cacheprof_process;
	uint64_t mask;

	if (p->own ? *p->own : p->pid == cacheprof_getpid())
		return;
	mask = signals_hold();
	become_child(p);
	cacheprof_toggle_child();
	cacheprof_regions_zero();
	cacheprof_look_child(p);
	signals_let(mask);
}

/* What run_child is to call, at the top of the child's stack. */
struct child {
	int (*function)(void *);
	void *argument;
};

/* A child goes on from here to a bare exit. */
static int run_child(void *argument)
{
	const struct child *child = argument;
	int status;

	cacheprof_after_fork();
	status = child->function(child->argument);
	end(END_EXIT);
	return status;
}

/* From ends_x86_64.S: the arguments of clone(function, stack, flags, argument). */
struct libc_call {
	long r11, r10, rax, r9, r8, argument, flags, stack, function;
};

/* It runs beside its maker, with the same thread-local storage. */
static void tell_of_shared_counts(void)
{
	static bool told;

	if (!__atomic_exchange_n(&told, true, __ATOMIC_RELAXED))
		cacheprof_print(SAY "a thread made by clone without CLONE_SETTLS has its maker's counters: "
				"counts may be wrong\n");
}

void cacheprof_change_clone(struct libc_call *call);
void cacheprof_change_clone(struct libc_call *call)
{
	struct child *child = (struct child *)(call->stack & -16) - 1;

	if ((call->flags & CLONE_VM) && !(call->flags & (CLONE_SETTLS | CLONE_VFORK)))
		tell_of_shared_counts();
	if ((call->flags & CLONE_VM) || !call->function || !call->stack)
		return;
	*child = (struct child){(int (*)(void *))call->function, (void *)call->argument};
	call->function = (long)run_child;
	call->argument = call->stack = (long)child;
}

/* libc forks, and ends the parent. */
int cacheprof_daemon(int no_chdir, int no_close, long, int (*real)(int, int));
int cacheprof_daemon(int no_chdir, int no_close, long unused, int (*real)(int, int))
{
	int result;

	(void)unused;
	end(END_REPLACE);
	result = real(no_chdir, no_close);
	cacheprof_after_fork();
	return result;
}
