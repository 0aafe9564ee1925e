/* I1. The counter of a block tells whether all lines of instructions that it fetches are present
 * (BLOCK_KNOWN). Executing such a block costs a branch that is not taken, and the time is noted: which
 * line of a set was used last matters only when one must go, and then is known from the times of the
 * blocks in it. So only misses come here. Addresses are those of the uninstrumented program.
 *
 * Time goes on so often that no two lines of one set are fetched at one time (FETCH_BYTES in site.h).
 * Where ways are smaller, or lines larger, no block is ever known, and lines are kept in the order of
 * their use. */
#include "runtime/regions.h"

/* What cold code knows of its block; see sequences_x86_64.def. */
struct fetched {
	rel chunk;
	uint32_t block;
	uint8_t moved; /* how much lower rsp is in the planted code than at the block's beginning, in words */
};

/* What a way of I1 has besides its line: where the states of the line's blocks are, if they follow one
 * another. */
struct held {
	struct block_state *states;
	uint64_t n;
	uint64_t line; /* that it is of: perhaps another than the way's, where a signal's handler came between */
};

bool cacheprof_i1_thread(struct thread *thread)
{
	size_t bytes = cache_bytes(&cacheprof_models.i1), n = bytes / sizeof *thread->i1_rows;

	thread->i1_rows = cacheprof_mmap(2 * bytes + n * sizeof *thread->i1_held);
	thread->i1_times = thread->i1_rows + n;
	thread->i1_held = (struct held *)(thread->i1_times + n);
	return thread->i1_rows;
}

static bool is_in(const struct module *m, uint64_t line)
{
	return line + -cacheprof_models.i1.line_mask > m->text_base && line < m->text_base + m->text_size;
}

/* NULL: of one that is unloaded. */
static const struct module *module_at(uint64_t line)
{
	const struct module *m = cacheprof_process.modules;

	while (m && !is_in(m, line))
		m = m->next;
	return m;
}

void cacheprof_i1_forget(const struct thread *thread, const struct module *m)
{
	const struct cache *i1 = &cacheprof_models.i1;

	for (size_t i = 0; i < cache_bytes(i1) / sizeof *thread->i1_rows; i++)
		if (thread->i1_rows[i] && is_in(m, thread->i1_rows[i]))
			thread->i1_rows[i] = 0;
}

/* The blocks of a line, and their states in the thread's copy. */
struct line_blocks {
	const struct thread *thread; /* its record in their module */
	const struct flat_block *blocks;
	uint32_t n;
	uint64_t text_base;
	char *states;		   /* NULL: of a module that is unloaded, or that the thread has not entered */
	bool together;
};

static const struct thread *in_module(const struct thread *thread, const struct module *m)
{
	const struct thread *t = thread;

	do
		if (t->module == m)
			return t;
	while ((t = t->beside) != thread);
	return 0;
}

static const struct code_line *code_line(const struct module *m, uint64_t line)
{
	uint32_t shift = cacheprof_models.i1.line_shift;

	return &m->lines[(line >> shift) - (m->text_base >> shift)];
}

/* The line is one of the record's module. */
static struct line_blocks own_blocks(const struct thread *own, uint64_t line)
{
	const struct module *m = own->module;
	struct code_line l = *code_line(m, line);

	return (struct line_blocks){own, m->flat + l.first, l.n, m->text_base, m->data + own->delta, l.together};
}

static struct line_blocks blocks_of(const struct thread *thread, uint64_t line)
{
	const struct module *m = module_at(line);
	const struct thread *own = m ? in_module(thread, m) : 0;

	return own ? own_blocks(own, line) : (struct line_blocks){0};
}

static struct block_state *state_of(const struct line_blocks *blocks, uint32_t b)
{
	return (struct block_state *)(blocks->states + blocks->blocks[b].state);
}

/* In the module of that record of the thread. */
static struct block_state *own_state(const struct thread *thread, const struct flat_block *b)
{
	return (struct block_state *)(thread->module->data + b->state + thread->delta);
}

static bool is_present(const struct thread *thread, uint64_t line)
{
	const struct cache *i1 = &cacheprof_models.i1;
	const uint64_t *row = cache_row(i1, thread->i1_rows, line);
	bool present = false;

	for (uint32_t way = 0; way < i1->ways; way++)
		present |= row[way] == line;
	return present;
}

/* The block's other lines; line itself is. */
static bool others_present(const struct thread *thread, const struct line_blocks *blocks,
			   const struct flat_block *b, uint64_t line)
{
	uint64_t end = blocks->text_base + b->end;
	uint64_t l = (blocks->text_base + b->start) & cacheprof_models.i1.line_mask;

	for (; l < end; l += -cacheprof_models.i1.line_mask)
		if (l != line && !is_present(thread, l))
			return false;
	return true;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t last_fetch(const struct thread *thread, uint64_t line, const struct held *held)
{
	struct line_blocks blocks;
	uint64_t last = 0;

	if (held->line == line) {
		for (uint64_t b = 0; b < held->n; b++)
			last = later(held->states[b].fetched, last);
		return last;
	}
	blocks = blocks_of(thread, line);
	for (uint32_t b = 0; b < blocks.n; b++)
		last = later(state_of(&blocks, b)->fetched, last);
	return last;
}

static void forget_blocks(const struct thread *thread, uint64_t line)
{
	struct line_blocks blocks = blocks_of(thread, line);

	for (uint32_t b = 0; b < blocks.n; b++)
		state_of(&blocks, b)->executions &= ~BLOCK_KNOWN;
}

static void forget_held(const struct thread *thread, uint64_t line, const struct held *held)
{
	if (held->line != line) {
		forget_blocks(thread, line);
		return;
	}
	for (uint64_t b = 0; b < held->n; b++)
		held->states[b].executions &= ~BLOCK_KNOWN;
}

/* The times may stay: what is fetched from now on is later. */
void cacheprof_i1_renew(struct thread *thread)
{
	size_t bytes = cache_bytes(&cacheprof_models.i1);

	for (size_t i = 0; i < bytes / sizeof *thread->i1_rows; i++)
		if (thread->i1_rows[i])
			forget_blocks(thread, thread->i1_rows[i]);
	cacheprof_memset(thread->i1_rows, 0, bytes);
	cacheprof_memset(thread->i1_times, 0, bytes);
}

/* Whether the toggled functions let the block be known, even if its lines are present. */
static bool may_be_known(const struct thread *thread, const struct block_state *state)
{
	return !cacheprof_toggling || (!thread->inside && !cacheprof_block_is_watched(thread, state));
}

/* Of a line that is present now. Its first block and its last may have lines besides it, the others have not. */
static void know_blocks(const struct thread *thread, const struct line_blocks *blocks, uint64_t line)
{
	uint32_t b = 0, end = blocks->n;

	if (!end)
		return;
	if (!others_present(thread, blocks, &blocks->blocks[0], line))
		b++;
	if (!others_present(thread, blocks, &blocks->blocks[end - 1], line))
		end--;
	for (; b < end; b++) {
		struct block_state *state = state_of(blocks, b);

		if (may_be_known(blocks->thread, state))
			state->executions |= BLOCK_KNOWN;
	}
}

/* The way of an empty place of the set, or of the line that was used last the longest ago. times has
 * for each line a time when it was used, though perhaps not the last; one whose last use is no later than
 * the times of all others is the oldest. */
static uint32_t oldest_way(const struct thread *thread, const uint64_t *row, uint64_t *times,
			   const struct held *held)
{
	uint32_t ways = cacheprof_models.i1.ways;

	for (uint32_t w = 0; w < ways; w++)
		if (!row[w])
			return w;
	for (;;) {
		uint64_t least = UINT64_MAX, second = UINT64_MAX;
		uint32_t way = 0;

		for (uint32_t w = 0; w < ways; w++) {
			bool older = times[w] < least;

			second = older ? least : times[w] < second ? times[w] : second;
			way = older ? w : way;
			least = older ? times[w] : least;
		}
		times[way] = last_fetch(thread, row[way], &held[way]);
		if (times[way] <= second)
			return way;
	}
}

/* A line of the thread's own module. True if it missed. */
static bool fetch_line(struct thread *thread, uint64_t line)
{
	const struct cache *i1 = &cacheprof_models.i1;
	uint64_t *row = cache_row(i1, thread->i1_rows, line);
	uint64_t *times = cache_row(i1, thread->i1_times, line);
	struct held *held = thread->i1_held + (row - thread->i1_rows);
	struct line_blocks blocks;
	uint32_t way;

	if (!cacheprof_models.times)
		return !cache_touch(i1, thread->i1_rows, PART_WAYS, line);
	if (is_present(thread, line))
		return false;
	blocks = own_blocks(thread, line);
	__builtin_prefetch(blocks.blocks);
	way = oldest_way(thread, row, times, held);
	if (row[way])
		forget_held(thread, row[way], &held[way]);
	row[way] = line;
	times[way] = *thread->clock;
	held[way] = blocks.together ? (struct held){state_of(&blocks, 0), blocks.n, line} : (struct held){0};
	know_blocks(thread, &blocks, line);
	return true;
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

static void know_present(const struct thread *thread)
{
	const struct cache *i1 = &cacheprof_models.i1;

	for (uint64_t set = 0; set <= i1->set_mask; set++) {
		const uint64_t *row = cache_row(i1, thread->i1_rows, set << i1->line_shift);

		for (uint32_t way = 0; way < i1->ways && row[way]; way++) {
			struct line_blocks blocks = blocks_of(thread, row[way]);

			know_blocks(thread, &blocks, row[way]);
		}
	}
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

/* From slow_x86_64.S; rsp is the planted code's. */
void cacheprof_i1_fetch(const struct fetched *f, uint64_t rsp);
void cacheprof_i1_fetch(const struct fetched *f, uint64_t rsp)
{
	const struct chunk *chunk = rel_at(&f->chunk);
	const struct block *block = (const struct block *)rel_at(&chunk->blocks) + f->block;
	struct thread *thread = cacheprof_this_thread();
	uint64_t start = cacheprof_text_of(chunk) + block->offset, end = start + block->length;
	uint64_t line = start & cacheprof_models.i1.line_mask;
	uint32_t missed = UINT32_MAX;

	if (cacheprof_toggling)
		cacheprof_toggle_fetch(thread, chunk, f->block, rsp + 8ul * f->moved);
	if (cacheprof_off)
		return;
	for (; line < end; line += -cacheprof_models.i1.line_mask) {
		struct toucher t = first_touch(chunk, block, start, line);
		struct misses *misses = misses_of(thread, chunk, block, t);

		/* All this lies far apart, and is not in the host's own caches where the program is large. */
		__builtin_prefetch(code_line(thread->module, line));
		__builtin_prefetch(misses, 1);
		if (!fetch_line(thread, line))
			continue;
		if (t.insn != missed) {
			misses->l1++;
			misses->ll += cacheprof_ll_reference(t.start, t.size);
		}
		missed = t.insn;
	}
}
