/* toggle=FUNCTION: counting is on inside of that function, what it calls included.
 *
 * No code is planted for it. The first block of such a function is watched: it never becomes known, so
 * each execution comes to the fetch model and here. The thread is inside from then on until a block is
 * executed with the stack above where it was at the entrance: behind the return, a longjmp or a landing
 * pad. So that all blocks come here, none is known to a thread that is inside. */
#include "runtime/lock.h"
#include "runtime/regions.h"

bool cacheprof_block_is_watched(const struct thread *thread, const struct block_state *state)
{
	const struct module *m = thread->module;

	return m->watched[(const char *)state - m->data - thread->delta];
}

/* ---- which functions ---- */

/* As in Callgrind's options: * is any text, ? any character. */
static bool matches(const char *pattern, const char *name)
{
	const char *star = 0, *from = 0;

	while (*name)
		if (*pattern == '*') {
			star = pattern++;
			from = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++from;
		} else {
			return false;
		}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static const char *function_of(const struct chunk *c, const struct block *block)
{
	const uint32_t *insns = rel_at(&c->insns);
	const struct centre_row *centres = rel_at(&c->centres);

	return rel_at(&centres[insns[block->first_insn] >> 8].function);
}

/* Returns how many functions of the chunk match. Blocks stand in the order of their addresses: a
 * function begins where the name changes. */
static unsigned watch_chunk(const struct module *m, const struct chunk *c, const char *pattern)
{
	const struct block *blocks = rel_at(&c->blocks);
	const struct block_state *states = rel_at(&c->counters);
	const char *before = 0;
	unsigned n = 0;

	for (uint32_t i = 0; i < c->n_blocks; i++) {
		const char *function = function_of(c, &blocks[i]);

		if (function != before && function && matches(pattern, function)) {
			m->watched[(const char *)&states[i] - m->data] = 1;
			n++;
		}
		before = function;
	}
	return n;
}

static unsigned watch(const struct module *m, const char *pattern)
{
	unsigned n = 0;

	for (const struct chunk *c = m->chunks; c < m->chunks_end; c++)
		n += watch_chunk(m, c, pattern);
	return n;
}

/* Watches it in this module, which is an executable, and ends the process if no module has it. */
static void watch_last(const char *pattern)
{
	unsigned n = 0;

	for (const struct module *m = cacheprof_process.modules; m; m = m->next)
		n += watch(m, pattern);
	if (n)
		return;
	cacheprof_print(SAY "toggle=%s: no function of this program has such a name\n",
			pattern);
	cacheprof_exit_group(1);
}

bool cacheprof_toggle_start(struct module *module)
{
	const char *toggle = cacheprof_process.options.toggle;

	if (!toggle[0] || !cacheprof_process.level)
		return false;
	if (cacheprof_process.level < 2) {
		cacheprof_print(SAY "toggle=%s: only a program built with --level2 "
				"can do that\n", toggle);
		cacheprof_exit_group(1);
	}
	module->watched = cacheprof_memory_for((size_t)(module->data_end - module->data), "toggle=");
	for (const char *pattern = toggle; *pattern; pattern += cacheprof_strlen(pattern) + 1)
		if (IN_EXECUTABLE)
			watch_last(pattern);
		else
			watch(module, pattern);
	return true;
}

/* ---- inside and outside ---- */

/* Whether this execution of the block is to be counted, though it was when counting was off; or not,
 * though it was on. */
static void count_by_hand(struct thread *thread, const struct chunk *chunk, uint32_t block,
			  bool was_off)
{
	const void *counters = thread_array(thread, &chunk->counters);

	if (was_off != cacheprof_off)
		*discount_of(thread, chunk, counters, block) += cacheprof_off ? 1 : UINT64_MAX;
}

/* In all modules: the thread may leave the function for another one. */
static void set_inside(struct thread *thread, uint64_t rsp)
{
	uint64_t alternate = rsp ? cacheprof_alternate_stack() : 0;
	struct thread *t = thread;

	do {
		t->inside = rsp;
		t->inside_alternate = alternate;
	} while ((t = t->beside) != thread);
}

/* all: also those records whose blocks are all taken for known while counting is off, and looked at when it goes on. */
static void know_again(struct thread *thread, bool all)
{
	struct thread *t = thread;

	do
		if (all || !t->all_known)
			cacheprof_i1_know_again(t);
	while ((t = t->beside) != thread);
}

/* A handler's own stack may lie anywhere, also above that of what it interrupts. */
static bool leaves(const struct thread *thread, uint64_t rsp)
{
	if (!thread->inside)
		return false;
	if (thread->inside_alternate)
		return rsp > thread->inside || rsp < thread->inside_alternate;
	return rsp > thread->inside && !cacheprof_alternate_stack();
}

static bool enters(const struct thread *thread, const struct chunk *chunk, uint32_t block)
{
	const struct block_state *states = thread_array(thread, &chunk->counters);

	return !thread->inside && cacheprof_block_is_watched(thread, &states[block]);
}

/* A handler that came in between could leave by siglongjmp what is half done. */
void cacheprof_toggle_fetch(struct thread *thread, const struct chunk *chunk, uint32_t block,
			    uint64_t rsp)
{
	bool was_off = cacheprof_off;
	uint64_t mask;

	if (!leaves(thread, rsp) && !enters(thread, chunk, block))
		return;
	mask = signals_hold();
	if (leaves(thread, rsp)) {
		set_inside(thread, 0);
		cacheprof_regions_leave(thread->self);
		if (was_off == cacheprof_off)
			know_again(thread, true);
		count_by_hand(thread, chunk, block, was_off);
		was_off = cacheprof_off;
	}
	if (enters(thread, chunk, block)) {
		set_inside(thread, rsp);
		know_again(thread, false);
		cacheprof_regions_enter(thread->self);
		if (cacheprof_off)
			know_again(thread, true);
		count_by_hand(thread, chunk, block, was_off);
	}
	signals_let(mask);
}

/* ---- threads that end inside ---- */

/* Lets threads that are inside and have ended be outside. self: the running thread's %fs:0. */
static void leave_for_ended(uint64_t self)
{
	bool taken = lock_take(&cacheprof_process.region_holder, self);

	for (const struct module *m = cacheprof_process.modules; m; m = m->next)
		for (struct thread *t = m->threads; t; t = t->next)
			if (t->inside && cacheprof_thread_has_ended(t)) {
				set_inside(t, 0);
				cacheprof_regions_leave(self);
			}
	if (taken)
		lock_give(&cacheprof_process.region_holder);
}

/* One whose first function is watched returns from it to libc, and executes no block any more; or it ends in the
 * middle. So it is looked for when a thread was waited for, which the kernel may have for a moment still. */
void cacheprof_after_join(void);
void cacheprof_after_join(void)
{
	static const struct timespec moment = {.tv_nsec = 50000};
	enum { MOMENTS = 20 };
	const struct process *p = &cacheprof_process;
	unsigned before = p->n_inside;
	uint64_t mask;

	if (!before)
		return;
	mask = signals_hold();
	leave_for_ended(cacheprof_thread_pointer());
	for (int i = 0; i < MOMENTS && p->n_inside >= before; i++) {
		SYSCALL(nanosleep, &moment, 0);
		leave_for_ended(cacheprof_thread_pointer());
	}
	signals_let(mask);
}

void cacheprof_toggle_child(void)
{
	uint64_t self = cacheprof_thread_pointer();

	for (const struct module *m = cacheprof_process.modules; m; m = m->next)
		for (struct thread *t = m->threads; t; t = t->next)
			if (t->inside && (t->self != self || t->tid != cacheprof_process.pid)) {
				set_inside(t, 0);
				cacheprof_regions_leave(self);
			}
}
