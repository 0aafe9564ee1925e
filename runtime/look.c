/* A run that is looked at while it goes: dump-signal= writes the profile so far, progress= prints a line
 * now and then, continuous= writes the profile all the time. And one that shuts itself off from files, whose
 * profile somebody else must write at its end.
 *
 * The signal has a handler like any other; a system call that it interrupts is started again. The others
 * need none, since a signal would end the program's sleeps: a process of its own shares the
 * program's memory, reads the counters and prints or writes. It is no child that wait would find (its end
 * raises no signal), and has none of the program's files but standard error; what kills the program
 * does not kill it, so that it finds all counters as they were in the end. It ends with the program, or
 * when it finds itself alone with the memory, because the program executed another. */
#include "runtime/lock.h"
#include "runtime/loops.h"
#include "runtime/models.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/kcmp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#define STACK_BYTES 65536

/* Half of the tenth of a second that the manual promises: the other half is for the writing. */
#define CONTINUOUS_NS 50000000ull
#define ASKED_NS 5000000ull /* so long a program that hands its profile over may wait at its end */
#define SECOND_NS 1000000000ull

/* The kernel gives all three arguments, whatever is asked for. */
static void on_dump(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info;
	cacheprof_loops_flush(context, false);
	cacheprof_write_so_far(&cacheprof_process);
}

static void dump_start(int number)
{
	struct kernel_action dump = {(void *)on_dump, SA_RESTART | SA_ONSTACK | SA_RESTORER,
				     (void *)cacheprof_sigreturn, UINT64_MAX};

	SYSCALL(rt_sigaction, number, &dump, 0, sizeof dump.mask);
}

static void dump_stop(int number)
{
	static const struct kernel_action standard;
	struct kernel_action now;

	if (!SYSCALL(rt_sigaction, number, 0, &now, sizeof now.mask) && now.handler == (void *)on_dump)
		SYSCALL(rt_sigaction, number, &standard, 0, sizeof standard.mask);
}

/* ---- beside the program ---- */

enum state { GOES_ON, REPLACED, GONE };

/* Whether the first thread has ended and others go on. */
static bool is_headless(int program)
{
	char name[32], text[64];
	long fd, n;

	cacheprof_format(name, sizeof name, "/proc/%d/stat", program);
	fd = SYSCALL(openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : SYSCALL(read, fd, text, sizeof text);
	SYSCALL(close, fd);
	/* The state follows the program's name, which may have parentheses itself. */
	for (long i = n - 3; i >= 0; i--)
		if (text[i] == ')')
			return text[i + 2] == 'Z';
	return false;
}

/* A first thread that has ended has no memory to compare; one that is about to is taken for replaced. */
static enum state state_of(int program)
{
	if (SYSCALL(getppid) != program)
		return GONE;
	if (SYSCALL(kcmp, program, cacheprof_getpid(), KCMP_VM, 0) <= 0 || is_headless(program))
		return GOES_ON;
	return REPLACED;
}

/* Leaves what the program's descriptors, terminal and process group would do to it, or it to them. Returns
 * a descriptor that can be read when the program is gone, or a negative error. */
static int separate(const struct process *process)
{
	long fd;

	SYSCALL(setsid);
	SYSCALL(close_range, 0, 1, 0);
	SYSCALL(close_range, 3, UINT32_MAX, 0);
	fd = SYSCALL(pidfd_open, process->pid, 0);
	if (fd < 0 && !process->options.continuous)
		SYSCALL(prctl, PR_SET_PDEATHSIG, SIGKILL);
	return (int)fd;
}

static void pause_until(int program_fd, uint64_t ns)
{
	struct pollfd program = {.fd = program_fd, .events = POLLIN};
	uint64_t now = cacheprof_now_ns();
	struct timespec left = {0};

	if (ns > now)
		left = (struct timespec){(time_t)((ns - now) / SECOND_NS), (long)((ns - now) % SECOND_NS)};
	SYSCALL(ppoll, &program, 1, &left, 0);
}

static void print_progress(const struct process *process)
{
	uint64_t totals[N_EVENTS];

	cacheprof_totals(process, totals);
	cacheprof_print_progress(process, totals);
}

static void run_beside(void *unused)
{
	struct process *process = &cacheprof_process;
	const struct options *options = &process->options;
	int program = process->pid, fd = separate(process);
	uint64_t next_line = process->start_ns + options->progress * SECOND_NS, until;
	enum state state = GOES_ON, before;

	(void)unused;
	do {
		before = state;
		until = cacheprof_now_ns() + (process->hands_over ? ASKED_NS : CONTINUOUS_NS);
		pause_until(fd, until);
		cacheprof_write_asked(process);
		state = state_of(program);
		if (options->continuous && state != REPLACED)
			cacheprof_write_live(process, state == GONE);
		if (options->progress && state == GOES_ON && cacheprof_now_ns() >= next_line) {
			print_progress(process);
			next_line += options->progress * SECOND_NS;
		}
	} while (!process->ended && (state == GOES_ON || state != before) && state != GONE);
	SYSCALL(exit, 0);
}

/* what: for the sake of what. */
static void beside_start(struct process *process, const char *what)
{
	char *stack = cacheprof_mmap(STACK_BYTES);
	uint64_t mask = signals_hold();
	long made = -1;

	if (stack)
		made = cacheprof_spawn(run_beside, 0, stack + STACK_BYTES, &process->beside);
	signals_let(mask);
	if (made < 0)
		cacheprof_print(SAY "%s: no process can be made for it\n", what);
}

void cacheprof_look_start(struct process *process)
{
	if (process->options.dump_signal)
		dump_start(process->options.dump_signal);
	if (process->options.progress || process->options.continuous)
		beside_start(process, process->options.continuous ? "continuous=" : "progress=");
}

/* A process that runs beside already can write it as well. What is made here must not be unloaded before the end. */
void cacheprof_look_hand_over(struct process *process)
{
	if (process->hands_over || cacheprof_file_is_special(process->options.out))
		return;
	process->hands_over = true;
	if (!process->beside && (IN_EXECUTABLE || process->looking == cacheprof_own_module()))
		beside_start(process, "the profile of a program that uses Landlock");
	process->hands_over = process->beside;
}

void cacheprof_look_child(struct process *process)
{
	process->beside = 0;
	process->hands_over = false;
	process->options.progress = 0;
	if (process->options.continuous)
		beside_start(process, "continuous=");
}

void cacheprof_look_stop(struct process *process)
{
	int beside = process->beside;
	unsigned turns = 0;

	if (process->options.dump_signal)
		dump_stop(process->options.dump_signal);
	if (beside)
		SYSCALL(tkill, beside, SIGKILL);
	while (__atomic_load_n(&process->beside, __ATOMIC_ACQUIRE))
		lock_wait(&turns);
}
