/* Threads. Each has its own copy of every module's cacheprof_data, at one distance for all; the first
 * thread's distance is 0. Planted code at the entrances of functions looks whether cacheprof_here, which
 * is thread-local and empty in a new thread, says where the thread's copy is, and comes here when it does
 * not. In an executable %gs shows it, too. Nothing is done when a thread ends: its counts stay where they
 * are. */
#include <asm/prctl.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/models.h"

_Thread_local struct here cacheprof_here;
_Static_assert(offsetof(struct here, filter) == HERE_FILTER, "");
_Static_assert(offsetof(struct here, d1_rows) == HERE_ROWS, "");
_Static_assert(offsetof(struct here, d1_beside) == HERE_BESIDE, "");
_Static_assert(offsetof(struct here, d1_far) == HERE_FAR, "");


static struct thread first_thread;

static uint64_t thread_pointer(void)
{
	uint64_t fs;

	__asm__("mov %%fs:0,%0" : "=r"(fs));
	return fs;
}

struct thread *cacheprof_this_thread(void)
{
	return cacheprof_here.thread;
}

/* Tells this module's planted code and stubs where the thread's things are; last, that it is known: a
 * signal handler may come in between. */
static void settle(struct thread *t)
{
	uint64_t base = cacheprof_places() + (uint64_t)t->delta;

	cacheprof_syscall(SYS_arch_prctl, ARCH_SET_GS, (long)base, 0, 0, 0, 0);
	cacheprof_here.filter = t->filter;
	cacheprof_here.d1_rows = t->d1_rows;
	cacheprof_here.d1_beside = (char *)t->d1_rows - (char *)t->filter;
	cacheprof_here.d1_far = t->d1_far == PART_WAYS ? 0 : t->d1_far * 8;
	cacheprof_here.thread = t;
	*(volatile uint64_t *)&cacheprof_here.base = base;
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
}
