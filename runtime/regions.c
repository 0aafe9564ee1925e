/* Regions: the program, by a client request, or the user, by an option, wants parts of a run counted.
 *
 * Planted code cannot be told: it goes on counting executions. So each thread has a second copy of its
 * counters, the discounts, which are subtracted from what is counted. When counting goes off the
 * executions until then are taken from the discounts, and when it goes on again those until then are
 * added. Nobody but planted code writes a counter, so no thread needs to stand still. All else is counted
 * by slow paths, which do nothing while counting is off. Where functions have plain copies
 * (instrument/copies.h) these run meanwhile, and nothing is counted in them.
 *
 * The requests are Callgrind's and Cachegrind's, for all threads at once as there. Those of other tools
 * give what their caller has as default, which is what they do where there is no Valgrind. */
#include "runtime/regions.h"

#include "runtime/branch.h"
#include "runtime/lock.h"
#include "runtime/special.h"

bool cacheprof_toggling;

/* For slow_x86_64.S: the fetch model has no use for what comes to it. */
uint8_t cacheprof_fetch_off;

/* ---- discounts ---- */

static void make_discounts(struct thread *t)
{
	const struct module *m = t->module;
	char *place;

	if (t->discounts)
		return;
	place = cacheprof_memory_for((size_t)(m->data_end - m->data), "a region's counters");
	t->discounts = (intptr_t)((uint64_t)place - (uint64_t)m->data - (uint64_t)t->delta);
}

/* Forgets what n counters of a thread have counted. */
static void forget_counters(const struct thread *t, const rel *field, uint64_t n)
{
	uint64_t *counters = *field ? thread_array(t, field) : 0;

	for (uint64_t i = 0; counters && i < n; i++)
		*(uint64_t *)((char *)&counters[i] + t->discounts) = counters[i];
}

static void add(uint64_t *discount, uint64_t count)
{
	*discount += count;
}

static void subtract(uint64_t *discount, uint64_t count)
{
	*discount -= count;
}

static void set(uint64_t *discount, uint64_t count)
{
	*discount = count;
}

static void clear(uint64_t *discount, uint64_t count)
{
	(void)count;
	*discount = 0;
}

#define EACH_COPY(t, c)                                                                            \
	for (const struct module *m = cacheprof_process.modules; m; m = m->next)                   \
		for (struct thread *t = m->threads; t; t = t->next)                                \
			for (const struct chunk *c = m->chunks; c < m->chunks_end; c++)

static void make_all_discounts(void)
{
	for (const struct module *m = cacheprof_process.modules; m; m = m->next)
		for (struct thread *t = m->threads; t; t = t->next)
			make_discounts(t);
}

static void change_mispredicts(const struct thread *t, const struct chunk *c,
			       void (*change)(uint64_t *discount, uint64_t count))
{
	uint64_t *mispredicts = thread_array(t, &c->mispredicts);

	for (uint32_t i = 0; i < c->n_branches; i++)
		change((uint64_t *)((char *)&mispredicts[i] + t->discounts), mispredicts[i]);
}

static void change_executions(void (*change)(uint64_t *discount, uint64_t count))
{
	make_all_discounts();
	EACH_COPY(t, c) {
		void *counters = thread_array(t, &c->counters);

		for (uint32_t b = 0; b < c->n_blocks; b++)
			change(discount_of(t, c, counters, b), cacheprof_executions(c, counters, b));
		if (c->n_branches)
			change_mispredicts(t, c, change);
	}
}

/* ---- plain copies ---- */

/* From block from on, before block to: a function with a copy, and others between it and the next. */
static bool has_watched(const struct module *m, const struct chunk *c, uint32_t from, uint32_t to)
{
	const struct block_state *states = rel_at(&c->counters);

	for (uint32_t b = from; b < to; b++)
		if (m->watched[(const char *)&states[b] - m->data])
			return true;
	return false;
}

/* Lets functions go on in their plain copies while counting is off. Not so those that are watched; and
 * where a thread is inside of one the others must be seen as well, since one of them will be the first
 * outside. */
static void put_to_sleep(const struct module *m)
{
	bool off = cacheprof_off && !cacheprof_process.n_inside;

	for (const struct chunk *c = m->chunks; c < m->chunks_end; c++) {
		const uint32_t *first = rel_at(&c->copied);
		uint8_t *asleep = (uint8_t *)rel_at(&c->asleep);

		for (uint32_t i = 0; i < c->n_copied; i++) {
			uint32_t next = i + 1 < c->n_copied ? first[i + 1] : c->n_blocks;

			asleep[i] = off && !(m->watched && has_watched(m, c, first[i], next));
		}
	}
}

static void put_all_to_sleep(void)
{
	for (const struct module *m = cacheprof_process.modules; m; m = m->next)
		put_to_sleep(m);
}

/* ---- what is wanted ---- */

/* In this copy of the runtime, whose module it is. */
static void turn(const struct module *module, bool off)
{
	if (off == cacheprof_off)
		return;
	if (!off) {
		cacheprof_models_resume(module);
		cacheprof_branches_resume(module);
	}
	cacheprof_off = off;
	cacheprof_fetch_off = off && !cacheprof_toggling;
	if (off) {
		cacheprof_models_pause(module);
		cacheprof_branches_pause(module);
	}
}

static void turn_all(bool off)
{
	for (const struct module *m = cacheprof_process.modules; m; m = m->next)
		m->turn(m, off);
}

static bool wanted_off(void)
{
	return !cacheprof_process.instrumenting || !cacheprof_process.collecting;
}

static void settle(void)
{
	bool off = wanted_off();

	if (off != cacheprof_off) {
		change_executions(off ? subtract : add);
		turn_all(off);
	}
	put_all_to_sleep();
}

static void start(const char *reason)
{
	(void)reason;
	cacheprof_process.instrumenting = true;
	settle();
}

static void stop(const char *reason)
{
	(void)reason;
	cacheprof_process.instrumenting = false;
	settle();
}

static void toggle(const char *reason)
{
	(void)reason;
	cacheprof_process.collecting = !cacheprof_process.collecting;
	settle();
}

void cacheprof_regions_zero(void)
{
	change_executions(cacheprof_off ? clear : set);
	EACH_COPY(t, c) {
		forget_counters(t, &c->dynamics, c->n_dynamics);
		forget_counters(t, &c->misses, c->n_sites * (sizeof(struct misses) / 8));
		forget_counters(t, &c->fetches, c->n_centres * (sizeof(struct misses) / 8));
	}
	cacheprof_process.gone = 0;
	for (const struct module *m = cacheprof_process.modules; m; m = m->next)
		if (m->shows)
			m->shows->zero();
}

static void zero(const char *reason)
{
	(void)reason;
	cacheprof_regions_zero();
}

/* Into a file beside the profile, numbered from 1; counts begin again at zero, as with Callgrind. A device or a pipe
 * takes all parts. */
static void dump(const char *reason)
{
	static char path[sizeof ((struct process *)0)->options.out + 16];
	const char *out = cacheprof_process.options.out;

	cacheprof_format(path, sizeof path, cacheprof_file_is_special(out) ? "%s" : "%s.%u", out,
			 ++cacheprof_process.n_parts);
	cacheprof_write_part(&cacheprof_process, path, reason);
	cacheprof_regions_zero();
}

/* ---- client requests ---- */

/* valgrind.h, VG_USERREQ_TOOL_BASE */
#define TOOL(a, b) ((uint64_t)(a) << 24 | (uint64_t)(b) << 16)
#define CALLGRIND TOOL('C', 'T')
#define CACHEGRIND TOOL('C', 'G')

/* valgrind/callgrind.h, valgrind/cachegrind.h. Any other request leaves its default. */
static const struct {
	uint64_t code;
	void (*obey)(const char *reason);
	bool has_reason;
} requests[] = {
	{CALLGRIND + 0, dump, false},
	{CALLGRIND + 1, zero, false},
	{CALLGRIND + 2, toggle, false},
	{CALLGRIND + 3, dump, true},
	{CALLGRIND + 4, start, false},
	{CALLGRIND + 5, stop, false},
	{CACHEGRIND + 0, start, false},
	{CACHEGRIND + 1, stop, false},
};

/* From slow_x86_64.S: rax has the address of the request's code and its five arguments. */
void cacheprof_request_run(const struct saved *saved);
void cacheprof_request_run(const struct saved *saved)
{
	const uint64_t *words = (const uint64_t *)saved->regs[0];
	const struct thread *thread = cacheprof_this_thread();

	for (unsigned i = 0; thread && i < sizeof requests / sizeof *requests; i++) {
		uint64_t mask;

		if (words[0] != requests[i].code)
			continue;
		mask = signals_hold();
		if (lock_take(&cacheprof_process.region_holder, thread->self)) {
			requests[i].obey(requests[i].has_reason ? (const char *)words[1] : 0);
			lock_give(&cacheprof_process.region_holder);
		}
		signals_let(mask);
	}
}

void cacheprof_regions_enter(uint64_t self)
{
	struct process *p = &cacheprof_process;
	bool taken = lock_take(&p->region_holder, self);

	if (!p->n_inside++) {
		p->collected_outside = p->collecting;
		p->collecting = true;
		settle();
	}
	if (taken)
		lock_give(&p->region_holder);
}

/* Where it is the same behind the function as before it, calls that lead to it and are derived from blocks behind
 * them (instrument/conserve.h) are counted neither too often nor too seldom. */
void cacheprof_regions_leave(uint64_t self)
{
	struct process *p = &cacheprof_process;
	bool taken = lock_take(&p->region_holder, self);

	if (!--p->n_inside) {
		p->collecting = p->collected_outside;
		settle();
	}
	if (taken)
		lock_give(&p->region_holder);
}

void cacheprof_regions_start(struct module *module, bool first)
{
	const struct options *options = &cacheprof_process.options;

	cacheprof_toggling = cacheprof_toggle_start(module);
	if (first) {
		cacheprof_process.instrumenting = options->instr_at_start;
		cacheprof_process.collecting = !options->toggle[0];
	}
	module->turn = turn;
	if (!wanted_off())
		return;
	/* The others turn too, since a filter is put away only where there is one module. */
	make_all_discounts();
	turn_all(false);
	turn_all(true);
	put_all_to_sleep();
}
