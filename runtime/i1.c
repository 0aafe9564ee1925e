/* I1. A block's counter carries a bit that says: all lines that the block fetches are the most
 * recently used of their sets. Fetching it then changes nothing and costs one branch that is not
 * taken. A block without the bit comes here, at the addresses that it would have in the
 * uninstrumented program: its lines are looked up in order, and the bits of all blocks in a line that
 * becomes or stops being the most recently used are set or cleared. */
#include "runtime/models.h"

/* A block by its chunk and number, as cold code has it. */
struct fetched {
	rel chunk;
	uint32_t block;
};

static uint64_t *mru_of(const struct thread *thread, uint64_t line)
{
	return cache_row(&cacheprof_models.i1, thread->i1_rows, line);
}

static bool all_mru(const struct thread *thread, const struct module *m, const struct flat_block *b)
{
	uint64_t mask = cacheprof_models.i1.line_mask;
	uint64_t line = (m->text_base + b->start) & mask, last = (m->text_base + b->end - 1) & mask;

	for (;; line += -mask) {
		if (*mru_of(thread, line) != line)
			return false;
		if (line == last)
			return true;
	}
}

static struct module *module_of(uint64_t address)
{
	struct module *m = cacheprof_process.modules;

	while (m && address - m->text_base >= m->text_size)
		m = m->next;
	return m;
}

/* Marks the blocks in a line: known says whether the line is its set's most recently used now. */
static void mark_blocks(struct thread *thread, uint64_t line, bool known)
{
	const struct cache *i1 = &cacheprof_models.i1;
	struct module *m = module_of(line);
	uint64_t end = line + -i1->line_mask;
	uint32_t b;

	if (!m && !(m = module_of(end - 1)))
		return;
	b = m->line_first[(line >> i1->line_shift) - (m->text_base >> i1->line_shift)];
	for (; b < m->n_flat && m->text_base + m->flat[b].start < end; b++) {
		uint8_t *counter = (uint8_t *)m->data + m->flat[b].counter + thread->delta;
		bool mru = known && all_mru(thread, m, &m->flat[b]);

		counter[COUNTER_MRU_BYTE] = mru ? COUNTER_MRU : 0;
	}
}

/* Makes line the most recently used; true if it missed. */
static bool fetch_line(struct thread *thread, uint64_t line)
{
	const struct cache *i1 = &cacheprof_models.i1;
	uint64_t *row = mru_of(thread, line), old = *row;
	bool hit;

	if (old == line)
		return false;
	if (old)
		mark_blocks(thread, old, false);
	hit = cache_touch(i1, thread->i1_rows, line);
	return !hit;
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

static void count_miss(struct thread *thread, const struct chunk *chunk, const struct block *block,
		       struct toucher t)
{
	const uint32_t *insns = (const uint32_t *)rel_at(&chunk->insns) + block->first_insn;
	struct misses *misses = (struct misses *)thread_array(thread, &chunk->fetches) + (insns[t.insn] >> 8);

	misses->l1++;
	misses->ll += cacheprof_ll_reference(t.start, t.size);
}

void cacheprof_i1_fetch(const struct fetched *f);
void cacheprof_i1_fetch(const struct fetched *f)
{
	const struct chunk *chunk = rel_at(&f->chunk);
	const struct block *block = (const struct block *)rel_at(&chunk->blocks) + f->block;
	struct thread *thread = cacheprof_this_thread();
	uint64_t start = cacheprof_text_of(chunk) + block->offset;
	uint64_t mask = cacheprof_models.i1.line_mask, size = -mask;
	uint64_t first = start & mask, last = (start + block->length - 1) & mask;
	uint32_t missed = UINT32_MAX;

	for (uint64_t line = first;; line += size) {
		if (fetch_line(thread, line)) {
			struct toucher t = first_touch(chunk, block, start, line);

			if (t.insn != missed)
				count_miss(thread, chunk, block, t);
			missed = t.insn;
		}
		if (line == last)
			break;
	}
	for (uint64_t line = first;; line += size) {
		if (*mru_of(thread, line) == line)
			mark_blocks(thread, line, true);
		if (line == last)
			break;
	}
}
