/* What the parts of the runtime share. The runtime is a guest: no libc, no malloc, no stdio; raw
 * system calls, memory from mmap, everything hidden, names begin with cacheprof_.
 *
 *	planted code -> slow_x86_64.S -> i1.c, d1.c -> ll.c        the models
 *	start.c: modules and threads register; options.c; counts.c, write.c at the end; os.c below all
 */
#ifndef RUNTIME_RUNTIME_H
#define RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/geometry.h"
#include "include/profile.h"
#include "include/site.h"
#include "runtime/plan.h"

struct thread;

#define THREAD_SLOTS 512

/* One module: executable or shared object, each with its own copy of the runtime. */
struct module {
	struct module *next;
	struct thread *threads;	   /* those that have entered it */
	struct thread *slots[THREAD_SLOTS]; /* the same by their identity: threads.c */
	bool ended;		   /* its destructors have run */
	const struct shows *shows; /* its copy's; NULL: nothing of it is shown */
	void (*turn)(const struct module *module, bool off); /* tells its copy of the runtime: regions.c */
	void (*enter)(void);	   /* the executable's: makes the running thread known to its copy; else NULL */
	uint8_t *watched;	   /* of each byte of its data, whether there is the state of a block that
				    * switches counting: toggle.c */
	const struct chunk *chunks, *chunks_end;
	char *data, *data_end;	   /* cacheprof_data, as it was loaded */
	/* The uninstrumented module, see modules.c. */
	uint64_t *text;		   /* per chunk: its section's address */
	uint64_t text_base, text_size;
	struct flat_block *flat;   /* all blocks by address */
	uint32_t n_flat;
	struct code_line *lines;   /* per I1 line, from that of text_base */
	uint32_t n_lines;
	int32_t *others;	   /* see union others */
};

/* A thread as one module knows it, with the counts of those that had the record before it. */
struct thread {
	struct thread *next;	   /* of the module's */
	struct thread *in_slot;	   /* the next in the module's slot */
	struct thread *beside;	   /* the same one in another module */
	struct module *module;
	struct here *here;	   /* the module's, of this thread; NULL: it has not entered the module */
	struct handy *handy;	   /* in this thread's copy */
	unsigned owners;	   /* threads that had the record before */
	uint64_t self;		   /* %fs:0 of its owner */
	int tid;		   /* and its number: together the identity of a thread */
	intptr_t delta;		   /* from module->data to this thread's copy */
	intptr_t discounts;	   /* from a counter of this thread to what is to be subtracted from it
				    * (regions.c); 0: nothing */
	void *signal_stack;	   /* signals.c; NULL: none */
	/* the models' state; see d1.c, i1.c */
	uint64_t *d1_rows;
	intptr_t d1_far;	   /* words from one part of a row to the next; see cache.h */
	uint64_t *i1_rows, *i1_times;
	struct held *i1_held;
	uint8_t *i1_present;	   /* of each of the module's lines, whether it is in I1 */
	uint64_t *filter, *filter_room; /* filter_room: this record's own memory for it, or NULL */
	struct predictor *predictor; /* branch.c */
	bool all_known;
	bool amid_block;	   /* show.c: has been shown some of a block, or waits for it */
	uint64_t inside;	   /* toggle.c: rsp at the entrance of the function; 0: outside */
	uint64_t inside_alternate; /* where the alternate stack begins on which that was; 0: on none */
	struct kept_plan plans[KEPT_PLANS]; /* strides.c */
};

/* What planted code and stubs must find at once; one per thread and module. For offsets in assembler
 * see site.h. The first is thread-local. Of such memory the C library has 1600 bytes for all modules that
 * a program loads by dlopen: so it is as small as it can be. */
struct here {
	uint64_t base;		   /* what places (site.h) are relative to; may be 0 */
	const void *filter;	   /* NULL: the thread is not known. Level 1 has none: then anything else */
};
extern _Thread_local struct here cacheprof_here;

/* The second lies in cacheprof_data. */
struct handy {
	struct thread *thread;
	uint64_t *d1_rows;
	intptr_t d1_beside, d1_far; /* bytes: rows from behind the filter; 0, or the second part of a row */
	struct predictor *predictor; /* the thread's, in the executable's cacheprof_data if that is one of ours */
};
extern struct handy cacheprof_handy;

/* The most that the slow paths may use of what the processor has. */
enum simd {
	SIMD_NONE,   /* x86-64 */
	SIMD_AVX2,   /* x86-64-v3; its registers are too short for a row: only strided loops and LL use it */
	SIMD_AVX512, /* x86-64-v4 */
};

enum trace_format { TRACE_LACKEY, TRACE_DIN, TRACE_BINARY };

struct options {
	char out[4096];		   /* absolute path of the profile, %p and %q{} expanded */
	char pattern[4096];	   /* the same with %p for the process's number, %% for % */
	bool own_name;		   /* the pattern has %p */
	char trace[4096];	   /* the same of the trace, for programs built with --trace */
	enum trace_format trace_format;
	bool quiet;
	int dump_signal;	   /* 0: none */
	unsigned progress;	   /* seconds from one line to the next; 0: none */
	bool continuous;	   /* the profile is written all the time */
	bool fixed_addresses;	   /* see fixed.c */
	bool first_touch;	   /* LL takes pages by numbers of its own: see pages.c */
	bool instr_at_start;
	char toggle[1024];	   /* patterns of functions, each ended by a NUL, then an empty one */
	enum simd simd;
	struct geometry i1, d1, ll;
	struct geometry ll_hardware; /* what ll was rounded from; .size 0: ll is as it was given */
};

/* What a module that was unloaded has counted. */
struct gone;

/* Of a file, a terminal, a pipe; no two have the same. */
struct file_id {
	uint64_t device, inode;
};

/* Standard error when the program started; see messages.c. */
struct messages {
	bool known;
	struct file_id id;
	char path[4096];	   /* its name, or "" */
};

/* struct sigaction as the kernel has it */
struct kernel_action {
	void *handler;
	unsigned long flags;
	void *restorer;
	uint64_t mask;
};
#define SA_RESTORER 0x04000000ul
#define N_SIGNALS 64 /* numbered from 1 */

/* signals.c: those that end the process. */
struct watched {
	uint64_t signals;	   /* a bit for each */
	void *handler, *once;	   /* what the kernel has instead of SIG_DFL, of handlers that are for once */
	struct kernel_action believed[N_SIGNALS + 1]; /* there: what the program believes that the kernel has */
	bool no_stacks;
};

/* What all modules of the process share; see process.c. */
struct process {
	uint64_t magic;
	int lock;		   /* process.c: taken while modules and threads are entered */
	bool started;
	struct module *modules;
	struct gone *gone;
	void *ll_rows;
	uint32_t **page_leaves;	   /* see pages.c */
	uint32_t last_page;
	/* Regions. Counting is on when both are. */
	bool instrumenting, collecting;
	bool collected_outside;	   /* before a thread came inside of a function that switches counting */
	uint64_t region_holder;	   /* lock.h: of who changes them */
	unsigned n_parts;	   /* files written on request */
	unsigned n_inside;	   /* threads inside of a function that switches counting */
	struct options options;
	struct messages messages;
	int level;		   /* 0: nothing instrumented has been loaded yet */
	bool branches;		   /* they are predicted */
	bool compares;		   /* --self-check */
	int pid;
	char *own;		   /* ends.c: not 0 in the memory of process pid itself; NULL: not known */
	int writer;		   /* the thread that writes the profile; 0: none, -1: beside */
	int beside;		   /* the process that look.c runs beside the program; 0: none */
	uint64_t written;	   /* Ir of the profile as it was last written */
	bool ended;		   /* it is written, and the process goes to its end */
	bool hands_over;	   /* the process beside writes it at the end */
	int asked;		   /* it is asked to: enum asked (write.c) */
	uint64_t shower;	   /* whose turn it is to show an instruction, or 0: its tid, less than 1 << 22
				    * (Linux, PID_MAX_LIMIT), and above SHOWER_FRAME; below, where its stack was then,
				    * in units of 1 << SHOWER_UNIT bytes. In one word: a signal may come in between */
#define SHOWER_FRAME 42
#define SHOWER_UNIT 5
	uint64_t only_shower;	   /* show.c: the thread that alone has shown any, by its self; 0: none has; else -1 */
	struct checked *checked;   /* see selfcheck.c */
	struct watched signals;
	const struct module *looking; /* whose copy of the runtime has the handlers, and runs beside */
	const char *const *argv;   /* NULL-ended; the program's command line */
	const char *const *envp;
	uint64_t start_ns;	   /* CLOCK_MONOTONIC at start */
};

extern struct process *cacheprof_the_process; /* NULL before cacheprof_process_join */
#define cacheprof_process (*cacheprof_the_process)

/* ---- process.c ---- */

/* Finds what the modules of the process share, or is the first of them and makes it. */
void cacheprof_process_join(void);

/* Whether there is memory that can be read. */
bool cacheprof_is_readable(const void *at);

void cacheprof_process_lock(void);
void cacheprof_process_unlock(void);

/* ---- arguments.c ---- */

/* What the C library gave to a constructor; where that is not what the process was started with, what was. */
void cacheprof_arguments_find(int argc, const char *const **argv, const char ***envp);

/* Notes them for the run. NULL where none were given, since instrumented code ran before our constructor. */
void cacheprof_arguments_note(struct process *process, const char *const *argv, const char *const *envp);

/* The command line as the kernel has it, NULL-ended. */
const char *const *cacheprof_command(void);

/* ---- fixed.c ---- */

/* Executes the program once more with fixed addresses, unless this is already the second time. Ends it
 * with a message and status 1 where that cannot be done. */
void cacheprof_fix_addresses(const struct process *process);

/* Takes from the environment what cacheprof_fix_addresses put there, and gives the process its personality
 * back. */
void cacheprof_hide_filling(const char **envp);

/* ---- modules.c ---- */

/* Registers the module that this copy of the runtime is linked into: checks its chunks, finds where
 * its code would be in the uninstrumented module, prepares the fetch model. Ends the process with
 * a message if the chunks do not fit together. Returns it: it lives as long as the module. */
struct module *cacheprof_module_register(void);

/* That module. */
struct module *cacheprof_own_module(void);

/* Executions of a block, from a thread's copy of chunk->counters. */
static inline uint64_t cacheprof_executions(const struct chunk *chunk, const void *counters, uint32_t block)
{
	if ((chunk->mode & CHUNK_LEVEL_MASK) < 2)
		return ((const uint64_t *)counters)[block];
	return ((const struct block_state *)counters)[block].executions & ~BLOCK_KNOWN;
}

/* This module's destructors have run. True if no other module is left that goes on: then the profile is to
 * be written. */
bool cacheprof_module_end(void);

/* Takes this module, which may be unloaded now, out of the process; what it counted is kept. An
 * executable stays. */
void cacheprof_module_leave(void);

/* Whether there is code at the address that planted code stands in. */
bool cacheprof_is_instrumented(uint64_t address);

/* The address of a chunk's section in the uninstrumented module. */
uint64_t cacheprof_text_of(const struct chunk *chunk);

/* ---- threads.c ---- */

/* %fs:0, which identifies the running thread. */
uint64_t cacheprof_thread_pointer(void);

/* What this module's places (site.h) are relative to, in its own data; slow_x86_64.S. */
uint64_t cacheprof_places(void);

/* Makes the running thread known in this module: its own counters, caches, %gs base. */
void cacheprof_thread_register(struct module *module);

/* From planted code at an entrance, in a thread that is not known. */
void cacheprof_thread_enter(void);

/* A moment after it has been waited for, if the kernel has it still. */
bool cacheprof_thread_has_ended(const struct thread *thread);

/* The module is unloaded: no thread knows its record there any more. */
void cacheprof_threads_leave(const struct module *module);

/* ---- options.c ---- */

/* Reads CACHEPROF_OPTIONS (key=value:key=value, the keys of the manual, 2.5) from
 * process->envp and fills process->options, whose defaults it sets (the built-in D1 is
 * cacheprof_d1_geometry). The output path is made absolute with the current directory.
 * An unknown key or bad value is printed and ends the process with status 1; help=1 prints the
 * keys and ends with 0. */
void cacheprof_options_read(struct process *process);

/* Makes options.out the file of a child of fork: by %p, or beside its parent's. */
void cacheprof_options_name_child(struct process *process);

/* ---- counts.c ---- */

enum event {
#define EVENT(name, when, meaning) EV_##name,
#include "include/events.def"
#undef EVENT
	N_EVENTS
};

/* The counts of one cost centre: file, function, line. */
struct count_row {
	const char *file, *function;
	uint32_t line;
	uint64_t events[N_EVENTS];
};

struct size_row { /* one reference size: reads and writes */
	uint64_t reads, read_l1, read_ll, writes, write_l1, write_ll;
};

struct counts {
	/* Sorted by file, function, line; each once; only rows with a count. Equal names of
	 * neighbours are the same pointer. */
	struct count_row *rows;
	size_t n;
	uint64_t totals[N_EVENTS];
	struct size_row sizes[PROFILE_SIZE_CLASSES]; /* 1, 2, 4, 8, 16, 32, 64, other */
};

/* Adds up all threads' counters of all modules. The rows live until the next call. False when there
 * is no memory for it. */
bool cacheprof_counts(const struct process *process, struct counts *counts);

/* Adds up the totals only, without memory and beside whoever counts. */
void cacheprof_totals(const struct process *process, uint64_t totals[N_EVENTS]);

/* Works out the executions of the blocks that have no counter, as the counters stand now: before
 * thread_executions (regions.h) is asked. */
void cacheprof_derive(const struct module *modules);

/* Keeps what a module has counted when the module itself goes. Without memory for it that is lost, which
 * is said. */
void cacheprof_counts_keep(struct process *process, struct module *module);

/* ---- rows.c ---- */

/* Sorts counts->rows and makes one of those of the same file, function and line. False when there is
 * no memory for it. */
bool cacheprof_rows_merge(struct counts *counts);

/* ---- write.c ---- */

/* Writes the profile (under a temporary name beside it, then renamed), appends to the summary
 * file and, unless quiet, prints the totals. What fails is said once on stderr. Nothing if that was
 * already the last time. */
void cacheprof_write(struct process *process, bool last);

/* Writes the profile as it is so far; nothing if another one is being written. */
void cacheprof_write_so_far(struct process *process);

/* Writes what was counted since the last part, or the start, to a file of its own. reason: why, or
 * NULL. */
void cacheprof_write_part(struct process *process, const char *path, const char *reason);

/* Prints a line with the totals so far. */
void cacheprof_print_progress(const struct process *process, const uint64_t totals[N_EVENTS]);

/* As cacheprof_write_so_far, if anything was counted since, for the process beside the program; the program's threads
 * are all gone: gone. */
void cacheprof_write_live(struct process *process, bool gone);

/* In the process beside: cacheprof_write, if the program waits for it at its end. */
void cacheprof_write_asked(struct process *process);

/* Nobody writes a profile in between, and no module is taken out. False: the thread itself writes one, or
 * another does and wait is false. */
bool cacheprof_writing_begin(struct process *process, bool wait);
void cacheprof_writing_end(struct process *process);

/* ---- look.c ---- */

/* Lets dump-signal= write the profile, and begins progress= and continuous=. */
void cacheprof_look_start(struct process *process);

/* Before the program shuts itself off from files: lets a process beside it write the profile at its end, which cannot
 * any more itself. */
void cacheprof_look_hand_over(struct process *process);

/* Begins anew in a child, which has its parent's settings. */
void cacheprof_look_child(struct process *process);

/* Ends what cacheprof_look_start began; its code may go. */
void cacheprof_look_stop(struct process *process);
/* ---- messages.c ---- */

/* Notes what standard error is. */
void cacheprof_messages_start(struct process *process);

/* A descriptor of what standard error was at the start, or a negative number if there is none any more; for
 * cacheprof_messages_close. */
int cacheprof_messages_open(void);
void cacheprof_messages_close(int fd);

/* ---- file.c ---- */

/* A file that appears under its name when it is complete. */
struct file {
	const char *path;
	char temporary[4096 + 32]; /* "": written in place */
	int fd;
};

/* The path must stay where it is until the file is complete. Returns 0 or an errno. */
int cacheprof_file_create(struct file *file, const char *path);

/* Closes the file, and gives it its name unless error, the errno of what failed until now, is set: then
 * it is removed. Returns 0 or the first errno. */
int cacheprof_file_complete(struct file *file, int error);

/* As open, which gives a descriptor or a negative errno; never one of the standard descriptors. */
int cacheprof_file_open(const char *path, int flags);

/* Returns error, the errno of what failed until now, or if that is 0 that of closing. */
int cacheprof_file_close(int fd, int error);

/* What a descriptor stands for; all 0 where there is no such descriptor. */
struct file_id cacheprof_file_id(int fd);

/* Whether it stands for that still; never for what was all 0. */
bool cacheprof_file_is(int fd, struct file_id id);

/* Whether something that is no ordinary file has that name. */
bool cacheprof_file_is_special(const char *path);

/* Says so, in the words of strerror. */
void cacheprof_cannot_write(const char *path, int error);

/* ---- os.c: system calls and text without libc ---- */

long cacheprof_syscall(long number, long a, long b, long c, long d, long e, long f);

/* SYSCALL(name, argument...): up to six, numbers and pointers; what is not given is 0. An error is returned as the
 * negative of its number. */
#define SYSCALL(name, ...) SYSCALL_OF_6(SYS_##name, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define SYSCALL_OF_6(number, a, b, c, d, e, f, ...) \
	cacheprof_syscall(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* Another process in the same memory, which calls run on a stack of its own; run must not return. Returns its
 * number or a negative error; *number, which must stay, is its number as long as it lives, then 0. Its
 * end raises no signal. */
long cacheprof_spawn(void (*run)(void *), void *argument, char *stack_end, int *number);

/* Where the alternate stack begins that the thread runs on, in a signal handler; 0: it runs on none. */
uint64_t cacheprof_alternate_stack(void);

/* How a signal handler returns: the restorer of a struct sigaction. */
void cacheprof_sigreturn(void);

struct cpuid {
	uint32_t eax, ebx, ecx, edx;
};
struct cpuid cacheprof_cpuid(uint32_t leaf, uint32_t subleaf);

bool cacheprof_on_valgrind(void);

#define PAGE 4096ul /* bytes: PAGE_SIZE of Linux on x86-64 */
void *cacheprof_mmap(size_t bytes); /* zeroed, private; NULL on failure */

/* The same, or ends the process with a message that there is no memory for that. */
void *cacheprof_memory_for(size_t bytes, const char *what);
/* Says that, and ends the process. */
_Noreturn void cacheprof_no_memory_for(const char *what);

/* The file's first bytes, at most room; returns how many, 0 if it cannot be read. */
size_t cacheprof_read(const char *path, void *to, size_t room);

/* What the kernel told the program by that type (getauxval(3)); 0 if nothing. */
uint64_t cacheprof_auxiliary(uint64_t type);

/* A piece of memory and what is taken from it, zeroed and aligned to 16 bytes. arena_reset gives back
 * the last piece and gets one of bytes; false if it cannot. Up to ARENA_PIECES may be taken, of
 * bytes together. */
#define ARENA_PIECES 8
struct arena {
	char *base, *at;
	size_t size;
};
bool cacheprof_arena_reset(struct arena *arena, size_t bytes);
void *cacheprof_arena_take(struct arena *arena, size_t bytes);

int cacheprof_getpid(void);
int cacheprof_gettid(void);
uint64_t cacheprof_now_ns(void);
void *cacheprof_memcpy(void *to, const void *from, size_t n);
void *cacheprof_memset(void *to, int byte, size_t n);
size_t cacheprof_strlen(const char *s);
int cacheprof_strcmp(const char *a, const char *b);
_Noreturn void cacheprof_exit_group(int status);

/* What each line of a message begins with. */
#define SAY "==cacheprof== "

/* Prints where messages go (messages.c), up to 512 bytes in one write: %s, %d, %u (unsigned), %x, %lu and
 * %lx (uint64_t), %%. Before the letters, in this order: 0 to fill with zeros, the minimum width
 * (or *: an unsigned argument), a comma for thousands separators: %016lx, %12s, %*,lu.
 * %q is %s with \n for a line's end, \t and \r. */
void cacheprof_print(const char *fmt, ...);

/* The same into memory, ended by a NUL; false, and what is there is of no use, if it does not fit
 * into room bytes. */
bool cacheprof_format(char *buffer, size_t room, const char *fmt, ...);

/* The same into a buffered file writer. */
struct out {
	int fd;
	size_t n;
	int error; /* errno of the first write that failed, else 0 */
	char buffer[65536];
};
void cacheprof_out_open(struct out *out, int fd);
void cacheprof_out(struct out *out, const char *fmt, ...);
bool cacheprof_out_flush(struct out *out); /* false if any write failed */

#endif
