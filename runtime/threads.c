/* Threads. Each has its own copy of a module's cacheprof_data; a shared object's own is that of the first thread
 * that entered it. Planted code at the entrances of functions looks whether cacheprof_here, which is
 * thread-local and empty in a new thread, says where the copy is, and comes here when it does not. %gs shows the
 * filter, and with it, in an executable, the copy. Nothing is done when a thread ends: its counts stay where they
 * are, and a later thread counts on there.
 *
 * A thread has one record (struct thread) in each module that it enters, and one set of caches and one
 * predictor for all of them. An executable's planted code wants filter and predictor in memory of
 * its own, so they move there when it is entered. A shared object, which may be unloaded, keeps nothing
 * that others use. */
#include <asm/prctl.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/branch.h"
#include "runtime/ends.h"
#include "runtime/lock.h"
#include "runtime/regions.h"

/* Aligned, since the distance from the beginning of thread-local memory is what keeps copies aligned as the module's
 * data are (map_copy); to no more, for ld 2.40 and glibc 2.36 do not agree on where variables lie in a thread-local
 * segment of a page's alignment. */
_Thread_local struct here cacheprof_here
#ifndef CACHEPROF_SHARED
	__attribute__((aligned(FILTER_LINE)))
#endif
	;
_Static_assert(offsetof(struct here, filter) == HERE_FILTER, "");
_Static_assert(offsetof(struct handy, d1_rows) == HANDY_ROWS, "");
_Static_assert(offsetof(struct handy, d1_beside) == HANDY_BESIDE, "");
_Static_assert(offsetof(struct handy, d1_far) == HANDY_FAR, "");
_Static_assert(offsetof(struct handy, predictor) == HANDY_PREDICTOR, "");
_Static_assert(sizeof(struct handy) == HANDY_SIZE, "");

static struct thread first_thread;

uint64_t cacheprof_thread_pointer(void)
{
	uint64_t fs;

	__asm__("mov %%fs:0,%0" : "=r"(fs));
	return fs;
}

static struct handy *handy_of(intptr_t delta)
{
	return (struct handy *)((char *)&cacheprof_handy + delta);
}

struct thread *cacheprof_this_thread(void)
{
	intptr_t delta = (intptr_t)(cacheprof_here.base - cacheprof_places());

	return cacheprof_here.filter ? handy_of(delta)->thread : 0;
}

/* Tells a module's planted code and stubs where the thread's things are, and lastly that it is known: a
 * signal handler may come in between. */
static void point_here(const struct thread *t)
{
	t->handy->d1_rows = t->d1_rows;
	t->handy->d1_beside = (char *)t->d1_rows - (char *)t->filter - FILTER_ROWS;
	t->handy->d1_far = t->d1_far == PART_WAYS ? 0 : t->d1_far * 8;
	t->handy->predictor = t->predictor;
	*(const void *volatile *)&t->here->filter = t->filter ? (const void *)t->filter : t;
}

static void settle(struct thread *t)
{
	uint64_t base = cacheprof_places() + (uint64_t)t->delta, gs = IN_EXECUTABLE ? base : (uint64_t)t->filter;

	if (gs && SYSCALL(arch_prctl, ARCH_SET_GS, gs)) {
		cacheprof_print(SAY "a thread cannot be counted, for the system does not let it set %%gs "
				"(arch_prctl); is that forbidden by a seccomp filter?\n");
		cacheprof_exit_group(1);
	}
	t->handy->thread = t;
	*(volatile uint64_t *)&cacheprof_here.base = base;
	point_here(t);
}

/* Whole pages that none of two pieces of memory has a part of, from the end of the lower one on. */
static void unmap_between(uint64_t end, uint64_t start)
{
	end = (end + PAGE - 1) & -PAGE;
	start &= -PAGE;
	if (start > end)
		SYSCALL(munmap, end, start - end);
}

/* An executable's copy is as far behind the filter, or before it, as the linker thought; what lies between the two is
 * given back. */
static bool map_beside_filter(struct thread *t)
{
	int64_t at = (int64_t)((uint64_t)t->module->data - cacheprof_places());
	int64_t end = at + (t->module->data_end - t->module->data);
	int64_t first = at < 0 ? at : 0, last = at < 0 ? FILTER_ROOM : end;
	uint64_t place, filter;

	if (at < FILTER_ROOM && end > 0) {
		cacheprof_print(SAY "this program's thread-local variables are just so large that its "
				"counters have no place; with one of %lu bytes more they have\n", end);
		cacheprof_exit_group(1);
	}
	place = (uint64_t)cacheprof_mmap((size_t)(last - first) + FILTER_LINE);
	filter = (place - (uint64_t)first + FILTER_LINE - 1) & -FILTER_LINE;
	t->delta = (intptr_t)(filter - cacheprof_places());
	if (place && at > 0)
		unmap_between(filter + FILTER_ROOM, filter + (uint64_t)at);
	else if (place)
		unmap_between(filter + (uint64_t)end, filter);
	return place != 0;
}

/* A copy of the module's data; a shared object's is at the same place in its page. */
static bool map_copy(struct thread *t)
{
	uint64_t from = (uint64_t)t->module->data & -PAGE;
	char *place;

	if (IN_EXECUTABLE)
		return map_beside_filter(t);
	place = cacheprof_mmap((size_t)((uint64_t)t->module->data_end - from));
	t->delta = (intptr_t)((uint64_t)place - from);
	return place;
}

/* ---- records by where their thread's memory is, of which there may be thousands ---- */

/* By Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4). */
static unsigned slot_of(uint64_t self)
{
	return (unsigned)((self * 0x9e3779b97f4a7c15) >> 32) % THREAD_SLOTS;
}

static void put_into_slot(struct thread *t)
{
	struct thread **slot = &t->module->slots[slot_of(t->self)];

	t->in_slot = *slot;
	*slot = t;
}

static void take_from_slot(struct thread *t)
{
	struct thread **link = &t->module->slots[slot_of(t->self)];

	while (*link != t)
		link = &(*link)->in_slot;
	*link = t->in_slot;
}

/* The running thread's record in a module, or NULL. */
static struct thread *find_in(const struct module *m)
{
	uint64_t self = cacheprof_thread_pointer();
	int tid = cacheprof_gettid();

	for (struct thread *t = m->slots[slot_of(self)]; t; t = t->in_slot)
		if (t->self == self && t->tid == tid)
			return t;
	return 0;
}

/* Its record in another module, or NULL. */
static struct thread *find_beside(const struct module *own)
{
	struct thread *t = 0;

	for (struct module *m = cacheprof_process.modules; m && !t; m = m->next)
		t = m == own ? 0 : find_in(m);
	return t;
}

/* Brings what all records of the thread share into this module's memory. */
static void move_here(struct thread *t)
{
	if (cacheprof_process.level >= 2)
		cacheprof_models_move(t);
	if (cacheprof_process.branches)
		cacheprof_branches_move(t);
	for (struct thread *b = t->beside; b != t; b = b->beside) {
		b->filter = t->filter;
		b->d1_rows = t->d1_rows;
		b->d1_far = t->d1_far;
		b->predictor = t->predictor;
		if (b->here)
			point_here(b);
	}
}

static bool share_caches(struct thread *t, struct thread *beside)
{
	t->d1_rows = beside->d1_rows;
	t->d1_far = beside->d1_far;
	t->i1_rows = beside->i1_rows;
	t->i1_times = beside->i1_times;
	t->i1_held = beside->i1_held;
	t->filter = beside->filter;
	t->predictor = beside->predictor;
	t->owners = beside->owners;
	t->inside = beside->inside;
	t->inside_alternate = beside->inside_alternate;
	t->beside = beside->beside;
	beside->beside = t;
	if (IN_EXECUTABLE)
		move_here(t);
	return true;
}

static bool make_caches(struct thread *t)
{
	t->beside = t;
	return (!cacheprof_process.branches || cacheprof_branches_thread(t)) &&
	       (cacheprof_process.level < 2 || cacheprof_models_thread(t));
}

/* Makes a new record and puts it into the module's list. */
static struct thread *add_thread(struct module *m)
{
	struct thread *t = m->threads ? cacheprof_mmap(sizeof *t) : &first_thread;
	struct thread *beside = find_beside(m);

	if (!t)
		return 0;
	t->module = m;
	t->here = &cacheprof_here;
	t->self = cacheprof_thread_pointer();
	t->tid = cacheprof_gettid();
	if ((IN_EXECUTABLE || t != &first_thread) && !map_copy(t))
		return 0;
	t->handy = handy_of(t->delta);
	if (!(beside ? share_caches(t, beside) : make_caches(t)))
		return 0;
	if (cacheprof_process.level >= 2 && !cacheprof_i1_enter(t))
		return 0;
	cacheprof_models_enter(t);
	put_into_slot(t);
	t->next = m->threads;
	__atomic_store_n(&m->threads, t, __ATOMIC_RELEASE);
	return t;
}

/* ---- records of threads that have ended ---- */

bool cacheprof_thread_has_ended(const struct thread *t)
{
	return SYSCALL(tkill, t->tid, 0) == -ESRCH;
}

/* One whose thread-local memory is the running thread's, as it is where threads come one after the other;
 * else one of the next few, so that with each new thread there are looked at more than are added. */
static struct thread *find_ended(const struct module *m)
{
	enum { FEW = 4 };
	static struct thread *next;
	uint64_t self = cacheprof_thread_pointer();

	for (struct thread *t = m->slots[slot_of(self)]; t; t = t->in_slot)
		if (t->self == self && !t->inside && cacheprof_thread_has_ended(t))
			return t;
	for (int i = 0; i < FEW; i++) {
		struct thread *t = next ? next : m->threads;

		next = t ? t->next : 0;
		if (t && !t->inside && cacheprof_thread_has_ended(t))
			return t;
	}
	return 0;
}

/* Gives the records of a thread that has ended, and its caches, empty, to the running one. Their counts go
 * on. */
static struct thread *take_over(struct thread *t)
{
	int tid = cacheprof_gettid();

	if (cacheprof_process.level >= 2 && !cacheprof_models_renew(t))
		return 0;
	if (cacheprof_process.branches)
		cacheprof_branches_renew(t);
	for (struct thread *b = t->beside;; b = b->beside) {
		take_from_slot(b);
		b->self = cacheprof_thread_pointer();
		put_into_slot(b);
		b->tid = tid;
		b->here = 0;
		b->owners++;
		b->filter = t->filter;
		b->d1_rows = t->d1_rows;
		b->d1_far = t->d1_far;
		if (b == t)
			break;
	}
	t->here = &cacheprof_here;
	return t;
}

/* The record that the running thread has here because it took those of another over in another module. */
static struct thread *find_own(const struct module *m)
{
	struct thread *t = find_in(m);

	if (t && IN_EXECUTABLE)
		move_here(t);
	if (t)
		t->here = &cacheprof_here;
	return t;
}

/* While counting is off, caches and counters are not what they seem. */
static struct thread *find_thread(struct module *m)
{
	struct thread *t = find_own(m);

	if (!t && !cacheprof_off && !find_beside(m) && (t = find_ended(m)))
		t = take_over(t);
	return t ? t : add_thread(m);
}

/* A thread of a shared object's own may go on in a function of the executable that another one was in the midst
 * of, and whose entrance it has not seen: so do TBB's, by swapcontext, where a task is suspended. The executable
 * stays, and what enters it may be called when nothing is locked. */
static void enter_executable(void)
{
	void (*enter)(void) = 0;

	cacheprof_process_lock();
	for (const struct module *m = cacheprof_process.modules; m && !enter; m = m->next)
		enter = m->enter;
	cacheprof_process_unlock();
	if (enter)
		enter();
}

/* A signal handler that has not entered the module yet would wait for the thread that it interrupted. */
void cacheprof_thread_register(struct module *module)
{
	uint64_t mask = signals_hold();
	struct thread *t;

	if (!IN_EXECUTABLE)
		enter_executable();
	cacheprof_process_lock();
	t = find_thread(module);
	cacheprof_process_unlock();
	if (!t) {
		cacheprof_print(SAY "no memory for a thread's counters; with many threads at once it may be "
				"vm.max_map_count (sysctl), of which each takes four to six besides its own\n");
		cacheprof_exit_group(1);
	}
	settle(t);
	cacheprof_signals_thread(t);
	signals_let(mask);
}

void cacheprof_threads_leave(const struct module *module)
{
	for (struct thread *t = module->threads; t; t = t->next) {
		struct thread *before = t->beside;

		while (before->beside != t)
			before = before->beside;
		before->beside = t->beside;
		t->beside = t;
	}
}
