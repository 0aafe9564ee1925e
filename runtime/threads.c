/* Threads. Each has its own copy of every module's cacheprof_data, at one distance for all, which is
 * the base of its %gs: `incq %gs:counter(%rip)`. The first thread's distance is 0. A new thread
 * inherits %gs from the one that made it; planted code at the entrances of functions compares the
 * thread pointer (%fs:0) with the owner of what %gs shows, and comes here when they differ. Nothing is
 * done when a thread ends: its counts stay where they are, and a thread that comes later and finds
 * that the owner is gone goes on with them. */
#include <asm/prctl.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/models.h"

/* In cacheprof_data: one per thread. */
extern uint64_t cacheprof_owner;
extern struct thread *cacheprof_self;
extern void *cacheprof_filter_base;
extern uint64_t *cacheprof_d1_rows;
extern intptr_t cacheprof_d1_beside, cacheprof_d1_far; /* bytes: rows from filter; 0, or parts of rows */

static struct thread first_thread;

static uint64_t thread_pointer(void)
{
	uint64_t fs;

	__asm__("mov %%fs:0,%0" : "=r"(fs));
	return fs;
}

struct thread *cacheprof_this_thread(void)
{
	struct thread *t;

	__asm__("mov %%gs:cacheprof_self(%%rip),%0" : "=r"(t));
	return t;
}

static void *in_copy(const struct thread *t, void *variable)
{
	return (char *)variable + t->delta;
}

static void set_gs(const struct thread *t)
{
	cacheprof_syscall(SYS_arch_prctl, ARCH_SET_GS, t->delta, 0, 0, 0, 0);
}

/* Tells this module's planted code and stubs where the thread's things are. */
static void settle(struct thread *t)
{
	*(struct thread **)in_copy(t, &cacheprof_self) = t;
	*(void **)in_copy(t, &cacheprof_filter_base) = t->filter;
	*(uint64_t **)in_copy(t, &cacheprof_d1_rows) = t->d1_rows;
	*(intptr_t *)in_copy(t, &cacheprof_d1_beside) = (char *)t->d1_rows - (char *)t->filter;
	*(intptr_t *)in_copy(t, &cacheprof_d1_far) = t->d1_far == PART_WAYS ? 0 : t->d1_far * 8;
	*(uint64_t *)in_copy(t, &cacheprof_owner) = t->self;
}

#define PAGE 4096ul

/* Maps a copy of the module's data at the distance; false when the place is taken. */
static bool map_copy(const struct module *m, intptr_t delta)
{
	uint64_t from = (uint64_t)m->data & -PAGE, to = ((uint64_t)m->data_end + PAGE - 1) & -PAGE;
	long at = cacheprof_syscall(SYS_mmap, (long)(from + (uint64_t)delta), (long)(to - from),
				    PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);

	return at == (long)(from + (uint64_t)delta);
}

/* A distance at which nothing lies yet: a free place for the first module's copy, found by the
 * kernel, then the same distance for the others. */
static bool map_copies(struct thread *t)
{
	const struct module *m = cacheprof_process.modules;
	size_t bytes = (size_t)(m->data_end - m->data) + 2 * PAGE;
	char *place = cacheprof_mmap(bytes);

	if (!place)
		return false;
	cacheprof_syscall(SYS_munmap, (long)place, (long)bytes, 0, 0, 0, 0);
	t->delta = (intptr_t)((uint64_t)place - ((uint64_t)m->data & -PAGE));
	for (; m; m = m->next)
		if (!map_copy(m, t->delta))
			return false;
	return true;
}

static struct thread *new_thread(void)
{
	struct thread *t = cacheprof_process.threads ? cacheprof_mmap(sizeof *t) : &first_thread;

	if (!t || (t != &first_thread && !map_copies(t)) ||
	    (cacheprof_process.level >= 2 && !cacheprof_models_thread(t)))
		return 0;
	do
		t->next = cacheprof_process.threads;
	while (!__atomic_compare_exchange_n(&cacheprof_process.threads, &t->next, t, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
	return t;
}

void cacheprof_thread_register(void)
{
	struct thread *t = new_thread();

	if (!t) {
		cacheprof_print("==cacheprof== no memory for a thread's counters\n");
		cacheprof_exit_group(1);
	}
	t->self = thread_pointer();
	t->tid = cacheprof_gettid();
	settle(t);
	set_gs(t);
}
