/* Shows the program to its watchers. Before every instruction the planted code shows it here, as it is
 * about to run, with the registers of that moment: no blocks, no groups, no filter. Shares the tables
 * and the working out of special addresses with the runtime, and nothing of the models. */
#include "runtime/show.h"
#include "runtime/branch.h"

#include <sys/syscall.h>
#include <time.h>

#include "runtime/lock.h"
#include "runtime/regions.h"

/* The trace ends before the self-check, which may end the process. */
static const struct watcher *const *const watchers[] = {&cacheprof_trace, &cacheprof_selfcheck};

static const char *const one_of_them __attribute__((used)) = &cacheprof_watching;

#define EACH_WATCHER(w)                                                                            \
	for (const struct watcher *const *const *w = watchers;                                     \
	     w < watchers + sizeof watchers / sizeof *watchers; w++)                               \
		if (**w)

struct showing {
	struct sink sink;
	struct place place;
};

static void show_references(const struct sink *sink, uint32_t site, const uint64_t *addresses, unsigned n,
			    uint64_t size)
{
	for (unsigned i = 0; i < n; i++)
		EACH_WATCHER(w)
			(**w)->refer(&((const struct showing *)sink)->place, site, addresses[i], size);
}

static void show_repeats(const struct sink *sink, uint32_t site, uint64_t n)
{
	EACH_WATCHER(w)
		(**w)->repeat(&((const struct showing *)sink)->place, site, n);
}

static void show_direction(const struct place *place, uint32_t branch, bool taken)
{
	EACH_WATCHER(w)
		if ((**w)->direction)
			(**w)->direction(place, branch, taken);
}

static void show_repeat_branch(const struct sink *sink, uint32_t site, bool taken)
{
	const struct place *place = &((const struct showing *)sink)->place;
	const struct site *sites = rel_at(&place->chunk->sites);

	if (place->chunk->n_branches)
		show_direction(place, sites[site].got - 1, taken);
}

/* Whether a condition holds: of jcc (SDM, appendix B.1.4.7), loopne, loope, loop or jrcxz. */
static bool holds(const struct saved *saved, unsigned condition)
{
	uint64_t f = saved->flags, rcx = saved->regs[1];
	bool carry = f & 1, parity = f & 4, zero = f & 64, sign = f & 128, overflow = f & 2048;
	const bool of_flags[8] = {overflow, carry,  zero,		carry || zero,
				  sign,	    parity, sign != overflow, zero || sign != overflow};
	bool none;

	if (condition < CONDITION_LOOP)
		return of_flags[condition >> 1] != (condition & 1);
	rcx -= (condition & 3) != 3;
	none = condition & CONDITION_ECX ? !(uint32_t)rcx : !rcx;
	switch (condition & 3) {
	case 0:
		return !none && !zero;
	case 1:
		return !none && zero;
	case 2:
		return !none;
	default:
		return none;
	}
}

/* Where an indirect branch finds its target. */
static uint64_t slot_of(const struct chunk *chunk, const struct saved *saved, const struct shown *shown,
			const struct branch *b)
{
	const struct got *got = (const struct got *)rel_at(&chunk->gots) + b->got - 1;
	const uint8_t *insn;
	int32_t distance;

	if (!b->got)
		return cacheprof_address(saved->regs, &shown->refs[shown->target]);
	insn = rel_at(&got->insn);
	cacheprof_memcpy(&distance, insn + got->disp_at, sizeof distance);
	return (uint64_t)insn + got->length + (uint64_t)(int64_t)distance;
}

static void show_target(const struct place *place, const struct saved *saved, const struct shown *shown,
			const struct branch *b)
{
	uint64_t target = b->target != 0xff
			      ? saved->regs[b->target]
			      : *(const uint64_t *)slot_of(place->chunk, saved, shown, b);

	EACH_WATCHER(w)
		if ((**w)->target)
			(**w)->target(place, shown->branch - 1, target);
}

static void show_branch(const struct place *place, const struct saved *saved, const struct shown *shown)
{
	const struct branch *b = (const struct branch *)rel_at(&place->chunk->branches) + shown->branch - 1;

	if (b->kind == PREDICT_DIRECTION)
		show_direction(place, shown->branch - 1, holds(saved, b->condition));
	else if (!got_is_gone(place->chunk, b->got))
		show_target(place, saved, shown, b);
}

static void show_fetches(const struct place *place, const struct shown *shown)
{
	const struct chunk *chunk = place->chunk;
	const struct block *block = (const struct block *)rel_at(&chunk->blocks) + shown->block;
	const uint32_t *insns = (const uint32_t *)rel_at(&chunk->insns) + block->first_insn;
	uint64_t address = cacheprof_text_of(chunk) + block->offset;

	for (uint32_t i = 0; i < shown->insn; i++)
		address += insns[i] & 0xff;
	for (uint32_t i = shown->insn; i < shown->insn + shown->n_insns; i++) {
		EACH_WATCHER(w)
			(**w)->fetch(place, insns[i] >> 8, address, insns[i] & 0xff);
		address += insns[i] & 0xff;
	}
}

static bool ends_block(const struct chunk *chunk, const struct shown *shown)
{
	const struct block *block = (const struct block *)rel_at(&chunk->blocks) + shown->block;

	return shown->insn + shown->n_insns == block->n_insns;
}

/* False in a handler that has come in between. But where a handler has left by siglongjmp, who has the turn is not
 * there any more: the stack is not deeper than it was then. */
static bool take_turn(int tid, uint64_t frame)
{
	uint64_t ours = (uint64_t)tid << SHOWER_FRAME | frame >> SHOWER_UNIT, now = 0;
	unsigned turns = 0;

	while (!__atomic_compare_exchange_n(&cacheprof_process.shower, &now, ours, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED)) {
		if (now >> SHOWER_FRAME != (uint64_t)tid) {
			lock_wait(&turns);
			now = 0;
		} else if (ours < now || cacheprof_alternate_stack()) {
			return false;
		}
	}
	return true;
}

static void give_turn(bool held)
{
	if (held)
		lock_give(&cacheprof_process.shower);
}

/* Whether no other thread has shown an instruction. */
static bool is_only_shower(uint64_t self)
{
	uint64_t *only = &cacheprof_process.only_shower, now = __atomic_load_n(only, __ATOMIC_RELAXED);

	if (now != self)
		__atomic_store_n(only, now ? UINT64_MAX : self, __ATOMIC_RELAXED);
	return !now || now == self;
}

static void show_in_turn(struct thread *thread, const struct saved *saved, const struct shown *shown)
{
	struct showing s = {.sink = {.refer = show_references, .repeat = show_repeats, .branch = show_repeat_branch},
			    .place = {thread, rel_at(&shown->chunk), shown->refs}};
	bool held = take_turn(thread->tid, (uint64_t)__builtin_frame_address(0));

	show_fetches(&s.place, shown);
	cacheprof_special_expand(saved, shown->n, shown->refs, &s.sink);
	if (shown->branch)
		show_branch(&s.place, saved, shown);
	if (ends_block(s.place.chunk, shown))
		__atomic_store_n(&thread->amid_block, false, __ATOMIC_RELEASE);
	give_turn(held);
}

/* From show_x86_64.S. A handler that comes in between may wait for another thread, as where one collects garbage and
 * stops the others, and that one for the turn: where there are several, none comes. */
void cacheprof_show_instruction(const struct saved *saved, const struct shown *shown);
void cacheprof_show_instruction(const struct saved *saved, const struct shown *shown)
{
	struct thread *thread = cacheprof_this_thread();
	bool several;
	uint64_t mask = 0;

	if (cacheprof_off)
		return;
	several = !is_only_shower(thread->self);
	__atomic_store_n(&thread->amid_block, true, __ATOMIC_RELAXED); /* others see it before our turn */
	if (several)
		mask = signals_hold();
	show_in_turn(thread, saved, shown);
	if (several)
		signals_let(mask);
}

static void zero(void)
{
	EACH_WATCHER(w)
		(**w)->zero();
}

/* Whether another thread is not in the midst of a block: it may have counted the next one already. */
static bool some_are_between(void)
{
	int process = cacheprof_getpid();

	for (const struct thread *t = cacheprof_own_module()->threads; t; t = t->next)
		if (!__atomic_load_n(&t->amid_block, __ATOMIC_ACQUIRE) && t->self != cacheprof_thread_pointer() &&
		    !SYSCALL(tgkill, process, t->tid, 0))
			return true;
	return false;
}

/* Threads that go on meanwhile come to where they are to be shown an instruction, and wait there, or are in code that
 * is not. On a busy machine they take some time. */
#define TIMES_TO_COME 50
static void let_others_come(void)
{
	static const struct timespec while_they_come = {.tv_nsec = 10000000};
	unsigned times = 0;

	if (!cacheprof_own_module()->threads || !cacheprof_own_module()->threads->next)
		return;
	do
		SYSCALL(nanosleep, &while_they_come, 0);
	while (++times < TIMES_TO_COME && some_are_between());
}

static void end(void)
{
	uint64_t mask = signals_hold();
	bool held = take_turn(cacheprof_gettid(), (uint64_t)__builtin_frame_address(0));

	let_others_come();
	EACH_WATCHER(w)
		(**w)->end();
	give_turn(held);
	signals_let(mask);
}

static bool compares(void)
{
	return cacheprof_selfcheck;
}

static void report(bool by_exit)
{
	EACH_WATCHER(w)
		if ((**w)->report)
			(**w)->report(by_exit);
}

static const struct shows shows = {zero, end, compares, report};
const struct shows *const cacheprof_shows = &shows;
