/* I1. The counter of a block tells whether all lines of instructions that it fetches are present
 * (BLOCK_KNOWN). Executing such a block costs a branch that is not taken, and the time is noted: which
 * line of a set was used last matters only when one must go, and then is known from the times of the
 * blocks in it. So only misses come here, where a byte for each line of the module tells which are present.
 * Addresses are those of the uninstrumented program.
 *
 * Time goes on so often that no two lines of one set are fetched at one time (FETCH_BYTES in site.h).
 * Where ways are smaller, or lines larger, no block is ever known, and lines are kept in the order of
 * their use. */
#include "runtime/regions.h"

#define USUAL_WAYS 8
#define HOST_LINE 64

/* What cold code knows of its block; see sequences_x86_64.def. */
struct fetched {
	rel block;
	uint8_t moved; /* how much lower rsp is in the planted code than at the block's beginning, in words */
};

/* What a way of I1 has besides its line: where it is marked as present, and where the states of the line's blocks
 * are, if they follow one another. */
struct held {
	uint64_t line; /* that it is of: perhaps another than the way's, where a signal's handler came between */
	uint8_t *present;
	struct block_state *states;
	uint64_t n;
};

bool cacheprof_i1_thread(struct thread *thread)
{
	size_t bytes = cache_bytes(&cacheprof_models.i1), n = bytes / sizeof *thread->i1_rows;

	thread->i1_rows = cacheprof_mmap(2 * bytes + n * sizeof *thread->i1_held);
	thread->i1_times = thread->i1_rows + n;
	thread->i1_held = (struct held *)(thread->i1_times + n);
	return thread->i1_rows;
}

bool cacheprof_i1_enter(struct thread *thread)
{
	thread->i1_present = cacheprof_mmap(thread->module->n_lines);
	return thread->i1_present;
}

static bool is_in(const struct module *m, uint64_t line)
{
	return line + -cacheprof_models.i1.line_mask > m->text_base && line < m->text_base + m->text_size;
}

void cacheprof_i1_forget(const struct thread *thread, const struct module *m)
{
	const struct cache *i1 = &cacheprof_models.i1;

	for (size_t i = 0; i < cache_bytes(i1) / sizeof *thread->i1_rows; i++)
		if (thread->i1_rows[i] && is_in(m, thread->i1_rows[i]))
			thread->i1_rows[i] = thread->i1_times[i] = 0;
}

/* The record of the thread in the module of the line; NULL if that is unloaded, or the thread has not entered it. */
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
static uint64_t line_index(const struct module *m, uint64_t line)
{
	uint32_t shift = cacheprof_models.i1.line_shift;

	return (line >> shift) - (m->text_base >> shift);
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

static struct held hold(const struct thread *own, uint64_t line)
{
	uint64_t index = line_index(own->module, line);
	const struct code_line *l = &own->module->lines[index];
	void *states = own->module->data + l->state + own->delta;

	return (struct held){line, own->i1_present + index, l->together ? states : 0, l->n};
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How many blocks a line has no processor foresees: loops over them go on in groups, and what is beyond the last
 * block is that one again. */
enum { GROUP = 4 };

static uint64_t last_of(const struct block_state *states, uint64_t n)
{
	uint64_t last = 0;

	for (uint64_t b = 0; b < n; b += GROUP)
#pragma GCC unroll GROUP
		for (uint64_t i = 0; i < GROUP; i++)
			last = later(states[earlier(b + i, n - 1)].fetched, last);
	return last;
}

static void know_all_of(struct block_state *states, uint64_t n)
{
	for (uint64_t b = 0; b < n; b += GROUP)
#pragma GCC unroll GROUP
		for (uint64_t i = 0; i < GROUP; i++)
			states[earlier(b + i, n - 1)].executions |= BLOCK_KNOWN;
}

static void forget_all_of(struct block_state *states, uint64_t n)
{
	for (uint64_t b = 0; b < n; b += GROUP)
#pragma GCC unroll GROUP
		for (uint64_t i = 0; i < GROUP; i++)
			states[earlier(b + i, n - 1)].executions &= ~BLOCK_KNOWN;
}

static uint64_t last_fetch(const struct thread *thread, uint64_t line, const struct held *held)
{
	const struct code_line *l;
	uint64_t last = 0;

	if (held->line == line && held->states)
		return last_of(held->states, held->n);
	thread = owner_of(thread, line);
	if (!thread)
		return 0;
	l = &thread->module->lines[line_index(thread->module, line)];
	for (uint32_t b = 0; b < l->n; b++)
		last = later(state_of(thread, l, b)->fetched, last);
	return last;
}

static void forget_line(const struct thread *thread, uint64_t line)
{
	const struct thread *own = owner_of(thread, line);
	const struct code_line *l;
	uint64_t index;

	if (!own)
		return;
	index = line_index(own->module, line);
	own->i1_present[index] = false;
	l = &own->module->lines[index];
	for (uint32_t b = 0; b < l->n; b++)
		state_of(own, l, b)->executions &= ~BLOCK_KNOWN;
}

static void forget_held(const struct thread *thread, uint64_t line, const struct held *held)
{
	if (held->line != line || !held->states) {
		forget_line(thread, line);
		return;
	}
	*held->present = false;
	forget_all_of(held->states, held->n);
}

/* The times may stay: what is fetched from now on is later. */
void cacheprof_i1_renew(struct thread *thread)
{
	size_t bytes = cache_bytes(&cacheprof_models.i1);

	for (size_t i = 0; i < bytes / sizeof *thread->i1_rows; i++)
		if (thread->i1_rows[i])
			forget_line(thread, thread->i1_rows[i]);
	cacheprof_memset(thread->i1_rows, 0, bytes);
	cacheprof_memset(thread->i1_times, 0, bytes);
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
static void know_blocks(const struct thread *own, uint64_t index)
{
	const struct code_line *l = &own->module->lines[index];
	const uint8_t *present = own->i1_present + index;
	struct block_state *states = (struct block_state *)(own->module->data + l->state + own->delta);
	uint32_t first = !(l->before == 1 ? present[-1] : are_present(present - l->before, l->before));
	uint32_t end = l->n - !(l->behind == 1 ? present[1] : are_present(present + 1, l->behind));

	if (first >= end)
		return;
	if (l->together && !cacheprof_toggling) {
		know_all_of(states + first, end - first);
		return;
	}
	for (uint32_t b = first; b < end; b++) {
		struct block_state *state = state_of(own, l, b);

		if (may_be_known(own, state))
			state->executions |= BLOCK_KNOWN;
	}
}

struct oldest {
	uint32_t way;
	uint64_t least, second; /* its time, and the least of the others */
};

static inline struct oldest find_oldest(const uint64_t *times, uint32_t ways)
{
	struct oldest o = {0, times[0], UINT64_MAX};

#pragma GCC unroll 8
	for (uint32_t w = 1; w < ways; w++) {
		uint64_t time = times[w];

		o.way = time < o.least ? w : o.way;
		o.second = earlier(o.second, later(time, o.least));
		o.least = earlier(o.least, time);
	}
	return o;
}

/* The way of an empty place of the set, or of the line that was used last the longest ago. times has
 * for each line one more than a time when it was used, though perhaps not the last, and 0 for an empty place; a line
 * whose last use is no later than the times of all others is the oldest. */
static uint32_t oldest_way(const struct thread *thread, const uint64_t *row, uint64_t *times,
			   const struct held *held)
{
	uint32_t ways = cacheprof_models.i1.ways;

	for (;;) {
		struct oldest o = ways == USUAL_WAYS ? find_oldest(times, USUAL_WAYS) : find_oldest(times, ways);

		if (!o.least)
			return o.way;
		times[o.way] = last_fetch(thread, row[o.way], &held[o.way]) + 1;
		if (times[o.way] <= o.second)
			return o.way;
	}
}

/* A line of the thread's own module, which I1 misses, takes the place of another. */
static void bring(struct thread *thread, uint64_t line)
{
	const struct cache *i1 = &cacheprof_models.i1;
	uint64_t *row = cache_row(i1, thread->i1_rows, line);
	uint64_t *times = cache_row(i1, thread->i1_times, line);
	struct held *held = thread->i1_held + (row - thread->i1_rows);
	uint32_t way = oldest_way(thread, row, times, held);

	if (row[way])
		forget_held(thread, row[way], &held[way]);
	row[way] = line;
	times[way] = *thread->clock + 1;
	held[way] = hold(thread, line);
	*held[way].present = true;
	know_blocks(thread, line_index(thread->module, line));
}

/* A line of the thread's own module. Without times it is there from now on. */
static bool has_line(struct thread *thread, uint64_t line)
{
	if (!cacheprof_models.times)
		return cache_touch(&cacheprof_models.i1, thread->i1_rows, PART_WAYS, line);
	return thread->i1_present[line_index(thread->module, line)];
}

/* The instruction of a block that touches a line first. */
struct toucher {
	uint32_t insn;	    /* number in the block */
	uint64_t start, size;
};

static struct toucher first_touch(const struct chunk *chunk, const struct block *block, uint64_t start,
				  uint64_t line)
{
	const uint32_t *insns = (const uint32_t *)rel_at(&chunk->insns) + block->first_insn;
	uint32_t i = 0;

	while (start + (insns[i] & 0xff) <= line)
		start += insns[i++] & 0xff;
	return (struct toucher){i, start, insns[i] & 0xff};
}

static struct misses *misses_of(const struct thread *thread, const struct chunk *chunk,
				const struct block *block, struct toucher t)
{
	const uint32_t *insns = (const uint32_t *)rel_at(&chunk->insns) + block->first_insn;

	return (struct misses *)thread_array(thread, &chunk->fetches) + (insns[t.insn] >> 8);
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

		state->executions &= ~BLOCK_KNOWN;
		if (may_be_known(thread, state))
			state->executions |= BLOCK_KNOWN;
	}
	thread->all_known = true;
}

static void know_present(const struct thread *own)
{
	for (uint64_t line = 0; line < own->module->n_lines; line++)
		if (own->i1_present[line])
			know_blocks(own, line);
}

void cacheprof_i1_keep_times(const struct thread *thread)
{
	for (uint32_t b = 0; b < thread->module->n_flat; b++) {
		struct block_state *state = own_state(thread, &thread->module->flat[b]);

		kept(thread, state)->fetched = state->fetched;
	}
}

void cacheprof_i1_resume(struct thread *thread)
{
	for (uint32_t b = 0; b < thread->module->n_flat; b++) {
		struct block_state *state = own_state(thread, &thread->module->flat[b]);

		state->fetched = kept(thread, state)->fetched;
		if (thread->all_known)
			state->executions &= ~BLOCK_KNOWN;
	}
	if (thread->all_known && cacheprof_models.times)
		know_present(thread);
	thread->all_known = false;
}

/* What a miss needs lies far apart, and is not in the host's own caches where the program is large: all of it is asked
 * for at once. */
static void ask_for(const struct thread *thread, const struct chunk *chunk, const struct block *block, uint64_t line)
{
	const struct cache *i1 = &cacheprof_models.i1;
	const uint64_t *row = cache_row(i1, thread->i1_rows, line);
	const struct held *held = thread->i1_held + (row - thread->i1_rows);
	uint64_t index = line_index(thread->module, line);

	__builtin_prefetch((const uint32_t *)rel_at(&chunk->insns) + block->first_insn);
	__builtin_prefetch(&thread->module->lines[index]);
	__builtin_prefetch(&thread->i1_present[index]);
	__builtin_prefetch(row);
	__builtin_prefetch(cache_row(i1, thread->i1_times, line));
	for (uint32_t way = 0; way < i1->ways; way += HOST_LINE / sizeof *held)
		__builtin_prefetch(&held[way]);
	cacheprof_ll_ask_for(line);
}

static uint32_t number_of(const struct chunk *chunk, const struct block *block)
{
	return (uint32_t)(block - (const struct block *)rel_at(&chunk->blocks));
}

/* From slow_x86_64.S; rsp is the planted code's. */
void cacheprof_i1_fetch(const struct fetched *f, uint64_t rsp);
void cacheprof_i1_fetch(const struct fetched *f, uint64_t rsp)
{
	const struct block *block = rel_at(&f->block);
	const struct chunk *chunk = rel_at(&block->chunk);
	struct thread *thread = cacheprof_this_thread();
	uint64_t start = cacheprof_text_of(chunk) + block->offset, end = start + block->length;
	uint64_t line = start & cacheprof_models.i1.line_mask;
	uint32_t missed = UINT32_MAX;

	ask_for(thread, chunk, block, line);
	if (cacheprof_toggling)
		cacheprof_toggle_fetch(thread, chunk, number_of(chunk, block), rsp + 8ul * f->moved);
	if (cacheprof_off)
		return;
	for (; line < end; line += -cacheprof_models.i1.line_mask) {
		struct toucher t;
		struct misses *misses;

		if (has_line(thread, line))
			continue;
		t = first_touch(chunk, block, start, line);
		misses = misses_of(thread, chunk, block, t);
		__builtin_prefetch(misses, 1);
		if (cacheprof_models.times)
			bring(thread, line);
		if (t.insn != missed) {
			misses->l1++;
			misses->ll += cacheprof_ll_reference(t.start, t.size);
		}
		missed = t.insn;
	}
}
