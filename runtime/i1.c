/* I1. The counter of a block tells whether all lines of instructions that it fetches are present
 * (BLOCK_KNOWN). Executing such a block costs a branch that is not taken, and the time is noted: which
 * line of a set was used last matters only when one must go, and then is known from the times of the
 * blocks in it. So only misses come here, where a byte for each line of the module tells which are present.
 * Addresses are those of the uninstrumented program.
 *
 * Time goes on so often that no two lines of one set are fetched at one time (FETCH_BYTES in site.h).
 * Where ways are smaller, or lines larger, no block is ever known, and lines are kept in the order of
 * their use. */
#include "runtime/mark_x86_64.h"
#include "runtime/regions.h"

#define HOST_LINE 64
#define INLINE static inline __attribute__((always_inline))

/* For this one the model is compiled once more: as constants its numbers cost nothing. */
static const struct cache usual = {.ways = 8, .line_shift = 6, .row_shift = 3, .set_mask = 63, .line_mask = -64ul};

/* A way's time has the way in its lowest bits. */
#define WAY_BITS 8
#define WAYS_MAX (1u << WAY_BITS)

/* What a way of I1 has besides its line: where it is marked as present, and where the states of the line's blocks
 * are, if they follow one another, and others that tell their times. */
struct held {
	uint64_t line; /* that it is of: perhaps another than the way's, where a signal's handler came between; or 0 */
	uint8_t *present;
	struct block_state *states;
	union others others;
	uint16_t n, n_others;
};

INLINE uint64_t time_of(uint64_t time, uint64_t way)
{
	return time << WAY_BITS | way;
}

void cacheprof_i1_start(struct geometry g)
{
	struct models *m = &cacheprof_models;

	m->i1 = cache_of(g);
	m->times = g.size / g.assoc % FETCH_BYTES == 0 && g.line <= FETCH_LINE_MAX && g.assoc <= WAYS_MAX;
	m->i1_usual = m->times && m->i1.ways == usual.ways && m->i1.set_mask == usual.set_mask &&
		      m->i1.line_shift == usual.line_shift;
}

/* Of all sets. */
static size_t n_ways(void)
{
	return cache_bytes(&cacheprof_models.i1) / sizeof(uint64_t);
}

static void empty(const struct thread *thread, size_t i)
{
	size_t in_row = ((size_t)1 << cacheprof_models.i1.row_shift) - 1;

	thread->i1_rows[i] = 0;
	thread->i1_times[i] = time_of(0, i & in_row);
}

bool cacheprof_i1_thread(struct thread *thread)
{
	size_t n = n_ways();

	thread->i1_rows = cacheprof_mmap(n * (2 * sizeof *thread->i1_rows + sizeof *thread->i1_held));
	thread->i1_times = thread->i1_rows + n;
	thread->i1_held = (struct held *)(thread->i1_times + n);
	for (size_t i = 0; thread->i1_rows && i < n; i++)
		empty(thread, i);
	return thread->i1_rows;
}

static bool is_in(const struct module *m, uint64_t line)
{
	return line + -cacheprof_models.i1.line_mask > m->text_base && line < m->text_base + m->text_size;
}

/* The record of the thread in the module of the line; NULL if that is unloaded. */
static const struct thread *owner_of(const struct thread *thread, uint64_t line)
{
	const struct thread *t = thread;

	do
		if (is_in(t->module, line))
			return t;
	while ((t = t->beside) != thread);
	return 0;
}

/* Its number in the module. */
INLINE uint64_t line_index(const struct cache *i1, const struct module *m, uint64_t line)
{
	return (line >> i1->line_shift) - (m->text_base >> i1->line_shift);
}

/* In the module of that record of the thread. */
static struct block_state *own_state(const struct thread *own, const struct flat_block *b)
{
	return (struct block_state *)(own->module->data + b->state + own->delta);
}

/* Of block b of the line. */
static struct block_state *state_of(const struct thread *own, const struct code_line *l, uint32_t b)
{
	return own_state(own, &own->module->flat[l->first + b]);
}

/* Of its first block. */
INLINE struct block_state *states_of(const struct thread *own, const struct code_line *l)
{
	return (struct block_state *)(own->module->data + l->state + own->delta);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How many blocks a line has no processor foresees. So loops over them take four at a time, of which the last ones may
 * have been among those before, and mostly there are two such steps. */
enum { STEP = 4 };

INLINE uint64_t last_of_step(const struct block_state *s)
{
	return later(later(s[0].fetched, s[1].fetched), later(s[2].fetched, s[3].fetched));
}

/* n > 0 */
INLINE uint64_t last_of(const struct block_state *states, uint64_t n)
{
	uint64_t last;

	if (n < STEP)
		return later(later(states[0].fetched, states[n / 2].fetched), states[n - 1].fetched);
	last = later(last_of_step(states), last_of_step(states + n - STEP));
	for (uint64_t b = STEP; b + STEP < n; b += STEP)
		last = later(last, last_of_step(states + b));
	return last;
}

INLINE void mark(struct block_state *state, bool known)
{
	if (known)
		mark_known(state);
	else
		mark_unknown(state);
}

INLINE void mark_step(struct block_state *s, bool known)
{
	mark(&s[0], known);
	mark(&s[1], known);
	mark(&s[2], known);
	mark(&s[3], known);
}

/* n > 0 */
INLINE void mark_all(struct block_state *states, uint64_t n, bool known)
{
	if (n < STEP) {
		mark(&states[0], known);
		mark(&states[n / 2], known);
		mark(&states[n - 1], known);
		return;
	}
	mark_step(states, known);
	mark_step(states + n - STEP, known);
	for (uint64_t b = STEP; b + STEP < n; b += STEP)
		mark_step(states + b, known);
}

/* The same of others. */
INLINE uint64_t last_of_others(const struct module *m, const struct block_state *states, union others others,
			       uint32_t n)
{
	uint64_t last = 0;

	if (n <= OTHERS_NEAR)
		return later(states[others.near[0]].fetched, states[others.near[1]].fetched);
	for (uint32_t i = 0; i < n; i++)
		last = later(last, states[m->others[others.list + i]].fetched);
	return last;
}

INLINE uint64_t last_fetch(const struct thread *thread, uint64_t line, const struct held *held)
{
	const struct code_line *l;
	uint64_t last = 0;

	if (held->line == line && held->states && (held->n_others <= OTHERS_NEAR || is_in(thread->module, line)))
		return later(last_of(held->states, held->n),
			     last_of_others(thread->module, held->states, held->others, held->n_others));
	thread = owner_of(thread, line);
	if (!thread)
		return 0;
	l = &thread->module->lines[line_index(&cacheprof_models.i1, thread->module, line)];
	for (uint32_t b = 0; b < l->n; b++)
		last = later(state_of(thread, l, b)->fetched, last);
	return l->n ? later(last, last_of_others(thread->module, states_of(thread, l), l->others, l->n_others)) : 0;
}

static void forget_line(const struct thread *thread, uint64_t line)
{
	const struct thread *own = owner_of(thread, line);
	const struct code_line *l;
	uint64_t index;

	if (!own)
		return;
	index = line_index(&cacheprof_models.i1, own->module, line);
	own->i1_present[index] = false;
	l = &own->module->lines[index];
	for (uint32_t b = 0; b < l->n; b++)
		mark_unknown(state_of(own, l, b));
}

INLINE void forget_held(const struct thread *thread, uint64_t line, const struct held *held)
{
	if (held->line != line || !held->states) {
		forget_line(thread, line);
		return;
	}
	*held->present = false;
	mark_all(held->states, held->n, false);
}

/* The times may stay: what is fetched from now on is later. */
void cacheprof_i1_renew(struct thread *thread)
{
	for (size_t i = 0; i < n_ways(); i++) {
		if (thread->i1_rows[i])
			forget_line(thread, thread->i1_rows[i]);
		empty(thread, i);
	}
}

/* Whether the toggled functions let the block be known, even if its lines are present. */
static bool may_be_known(const struct thread *thread, const struct block_state *state)
{
	return !cacheprof_toggling || (!thread->inside && !cacheprof_block_is_watched(thread, state));
}

/* Of lines one after the other: 0 or 1 mostly. */
static bool are_present(const uint8_t *present, uint32_t n)
{
	while (n > 0 && present[n - 1])
		n--;
	return n == 0;
}

/* Of a line that is present now. Its first block may begin and its last end in other lines; those in between are all
 * in it. */
INLINE void know_blocks(const struct thread *own, const struct code_line *l, const uint8_t *present)
{
	struct block_state *states = states_of(own, l);
	uint32_t first = !(l->before == 1 ? present[-1] : are_present(present - l->before, l->before));
	uint32_t end = l->n - !(l->behind == 1 ? present[1] : are_present(present + 1, l->behind));

	if (first >= end)
		return;
	if (l->together && !cacheprof_toggling) {
		mark_all(states + first, end - first, true);
		return;
	}
	for (uint32_t b = first; b < end; b++) {
		struct block_state *state = state_of(own, l, b);

		if (may_be_known(own, state))
			mark_known(state);
	}
}

INLINE uint64_t earliest(const uint64_t *times, uint32_t ways)
{
	uint64_t least = times[0];

	if (ways == usual.ways)
		return earlier(earlier(earlier(times[0], times[1]), earlier(times[2], times[3])),
			       earlier(earlier(times[4], times[5]), earlier(times[6], times[7])));
	for (uint32_t w = 1; w < ways; w++)
		least = earlier(least, times[w]);
	return least;
}

/* The way of an empty place of the set, or of the line that was used last the longest ago. times has
 * for each line one more than a time when it was used, though perhaps not the last, and 0 for an empty place; a line
 * whose last use is no later than the times of all others is the oldest. A line whose blocks tell of no use since then
 * (they may have been unloaded with their module) is that, too. */
INLINE uint32_t oldest_way(const struct thread *thread, const struct cache *i1, const uint64_t *row, uint64_t *times,
			   const struct held *held)
{
	uint64_t oldest = earliest(times, i1->ways);

	for (;;) {
		uint32_t way = oldest % WAYS_MAX;

		if (oldest == time_of(0, way))
			return way;
		times[way] = time_of(last_fetch(thread, row[way], &held[way]) + 1, way);
		oldest = earliest(times, i1->ways);
		if (oldest == times[way])
			return way;
	}
}

/* What is written before is there when a signal's handler comes. */
INLINE void in_order(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* A way for the line: one whose line is forgotten, or that has none, and that the line is in now. */
INLINE uint32_t take_way(struct thread *thread, const struct cache *i1, uint64_t line, uint64_t *row, uint64_t *times,
			 const struct held *held)
{
	for (;;) {
		uint32_t way = oldest_way(thread, i1, row, times, held);
		uint64_t before = row[way];

		times[way] = time_of(*clock_of(thread->filter) + 1, way);
		if (before)
			forget_held(thread, before, &held[way]);
		in_order();
		if (replace_if(&row[way], before, line))
			return way;
	}
}

/* A line of the thread's own module, which I1 misses, takes the place of another.
 *
 * A signal's handler may do the same anywhere in between, and return or not. A line that is marked as present but in no
 * way would never be missed again. So a line takes a way only from the one that has been forgotten, is marked when it
 * is there, and loses its marks if it is not any more when all is done. */
INLINE void bring(struct thread *thread, const struct cache *i1, uint64_t line, uint64_t index)
{
	const struct code_line *l = &thread->module->lines[index];
	uint8_t *present = &thread->i1_present[index];
	uint64_t *row = cache_row(i1, thread->i1_rows, line);
	uint64_t *times = cache_row(i1, thread->i1_times, line);
	struct held *held = thread->i1_held + (row - thread->i1_rows);
	uint32_t way = take_way(thread, i1, line, row, times, held);

	held[way].line = 0;
	in_order();
	held[way] = (struct held){0, present, l->together ? states_of(thread, l) : 0, l->others, l->n, l->n_others};
	in_order();
	held[way].line = line;
	*present = true;
	know_blocks(thread, l, present);
	in_order();
	if (row[way] != line)
		forget_line(thread, line);
}

/* A line of the thread's own module. Without times it is there from now on. */
INLINE bool has_line(struct thread *thread, const struct cache *i1, uint64_t line, uint64_t index)
{
	if (!cacheprof_models.times)
		return cache_touch(i1, thread->i1_rows, PART_WAYS, line);
	return thread->i1_present[index];
}

/* The instruction of a block that touches a line first. */
struct toucher {
	uint64_t start, size;
	uint32_t centre; /* its number in the chunk */
};

INLINE struct toucher toucher(uint64_t start, uint32_t insn)
{
	return (struct toucher){start, insn & 0xff, insn >> 8};
}

INLINE struct toucher first_touch(const struct fetched *f, uint64_t start, uint64_t line, const struct code_line *l)
{
	if (line <= start)
		return toucher(start, f->insn);
	return toucher(line - (l->touch >> 32), (uint32_t)l->touch);
}

/* Where a block's time is kept while counting is off. */
static struct block_state *kept(const struct thread *thread, const struct block_state *state)
{
	return (struct block_state *)((char *)state + thread->discounts);
}

void cacheprof_i1_know_all(struct thread *thread)
{
	for (uint32_t b = 0; b < thread->module->n_flat; b++) {
		struct block_state *state = own_state(thread, &thread->module->flat[b]);

		mark_unknown(state);
		if (may_be_known(thread, state))
			mark_known(state);
	}
	thread->all_known = true;
}

static void know_present(const struct thread *own)
{
	for (uint64_t line = 0; line < own->module->n_lines; line++)
		if (own->i1_present[line])
			know_blocks(own, &own->module->lines[line], &own->i1_present[line]);
}

bool cacheprof_i1_enter(struct thread *thread)
{
	bool found = false;

	thread->i1_present = cacheprof_mmap(thread->module->n_lines);
	if (!thread->i1_present || !cacheprof_models.times)
		return thread->i1_present;
	for (size_t i = 0; i < n_ways(); i++) {
		uint64_t line = thread->i1_rows[i];

		if (line && is_in(thread->module, line))
			thread->i1_present[line_index(&cacheprof_models.i1, thread->module, line)] = found = true;
	}
	if (found)
		know_present(thread);
	return true;
}

void cacheprof_i1_keep_times(const struct thread *thread)
{
	for (uint32_t b = 0; b < thread->module->n_flat; b++) {
		struct block_state *state = own_state(thread, &thread->module->flat[b]);

		kept(thread, state)->fetched = state->fetched;
	}
}

/* Only those that are. */
static void know_anew(const struct thread *thread)
{
	for (uint32_t b = 0; b < thread->module->n_flat; b++)
		mark_unknown(own_state(thread, &thread->module->flat[b]));
	if (cacheprof_models.times)
		know_present(thread);
}

/* A record that was made since counting went off has kept none: none of its blocks was executed before. */
void cacheprof_i1_resume(struct thread *thread)
{
	for (uint32_t b = 0; b < thread->module->n_flat; b++) {
		struct block_state *state = own_state(thread, &thread->module->flat[b]);

		state->fetched = thread->discounts ? kept(thread, state)->fetched : 0;
	}
	if (thread->all_known)
		know_anew(thread);
	thread->all_known = false;
}

void cacheprof_i1_know_again(struct thread *thread)
{
	if (cacheprof_off)
		cacheprof_i1_know_all(thread);
	else
		know_anew(thread);
}

void cacheprof_i1_order(const struct thread *thread, uint64_t set, uint64_t *lines)
{
	const struct cache *i1 = &cacheprof_models.i1;
	size_t first = set << i1->row_shift;
	uint64_t times[WAYS_MAX];
	uint32_t n = 0;

	cacheprof_memset(lines, 0, i1->ways * sizeof *lines);
	for (uint32_t way = 0; way < i1->ways; way++) {
		uint64_t line = thread->i1_rows[first + way], time;
		uint32_t at = n;

		if (!line)
			continue;
		if (cacheprof_models.times) {
			time = later(thread->i1_times[first + way],
				     time_of(last_fetch(thread, line, &thread->i1_held[first + way]) + 1, way));
			for (; at && times[at - 1] < time; at--) {
				times[at] = times[at - 1];
				lines[at] = lines[at - 1];
			}
			times[at] = time;
		}
		lines[at] = line;
		n++;
	}
}

void cacheprof_i1_leave(struct thread *thread)
{
	if (!cacheprof_models.times)
		return;
	if (cacheprof_off)
		cacheprof_i1_resume(thread);
	for (size_t i = 0; i < n_ways(); i++) {
		uint64_t line = thread->i1_rows[i], *time = &thread->i1_times[i];

		if (!line || !is_in(thread->module, line))
			continue;
		*time = later(*time, time_of(last_fetch(thread, line, &thread->i1_held[i]) + 1, *time % WAYS_MAX));
		thread->i1_held[i] = (struct held){0};
	}
}

/* What a miss needs lies far apart, and is not in the host's own caches where the program is large: all of it is asked
 * for at once. */
INLINE void ask_for(const struct thread *thread, const struct cache *i1, uint64_t line, uint64_t index)
{
	const uint64_t *row = cache_row(i1, thread->i1_rows, line);
	const struct held *held = thread->i1_held + (row - thread->i1_rows);

	__builtin_prefetch(&thread->module->lines[index]);
	__builtin_prefetch(&thread->i1_present[index]);
	__builtin_prefetch(row);
	__builtin_prefetch(cache_row(i1, thread->i1_times, line));
#pragma GCC unroll 4
	for (uint32_t way = 0; way < i1->ways; way += HOST_LINE / sizeof *held)
		__builtin_prefetch(&held[way]);
	cacheprof_ll_ask_for(line);
}

INLINE void fetch(const struct cache *i1, const struct fetched *f, uint64_t rsp)
{
	const struct chunk *chunk = rel_there(&f->chunk);
	struct thread *thread = cacheprof_this_thread();
	uint64_t start = cacheprof_text_of(chunk) + f->offset, end = start + f->length;
	uint64_t line = start & i1->line_mask, index = line_index(i1, thread->module, line);
	uint64_t missed = 0;

	ask_for(thread, i1, line, index);
	if (cacheprof_toggling)
		cacheprof_toggle_fetch(thread, chunk, f->block, rsp + 8ul * f->moved);
	if (cacheprof_off)
		return;
	for (; line < end; line += -i1->line_mask, index++) {
		struct toucher t;
		struct misses *misses;

		if (has_line(thread, i1, line, index))
			continue;
		t = first_touch(f, start, line, &thread->module->lines[index]);
		misses = (struct misses *)thread_array(thread, &chunk->fetches) + t.centre;
		__builtin_prefetch(misses, 1);
		if (cacheprof_models.times)
			bring(thread, i1, line, index);
		if (t.start != missed) {
			misses->l1++;
			misses->ll += cacheprof_ll_reference(t.start, t.size);
		}
		missed = t.start;
	}
}

/* From slow_x86_64.S; rsp is the planted code's. */
void cacheprof_i1_fetch(const struct fetched *f, uint64_t rsp);
void cacheprof_i1_fetch(const struct fetched *f, uint64_t rsp)
{
	if (cacheprof_models.i1_usual)
		fetch(&usual, f, rsp);
	else
		fetch(&cacheprof_models.i1, f, rsp);
}
