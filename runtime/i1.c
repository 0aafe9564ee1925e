/* I1. Of each block is known whether all lines that it fetches are the most recently used of their
 * sets. Fetching it then changes nothing and costs a branch that is not taken. Any other block comes
 * here, at the addresses that it would have in the
 * uninstrumented program: its lines are looked up in order.
 *
 * A line is stamped with the time when it becomes the most recently used of its set. Until another
 * one does, its last use is the set's last; so the stamps order the lines by last use, and the
 * oldest is the least recently used. When a line becomes the most recently used, the blocks that lie
 * wholly in it become known, and all blocks that have a part in the line it displaces are forgotten. A
 * block over several lines becomes known when it comes here and all of them are. */
#include "runtime/i1.h"
#include "runtime/models.h"

/* What cold code knows of its block; see sequences_x86_64.def. */
struct fetched {
	rel lines;
	rel known;
	rel chunk;
	uint32_t block;
};

/* This thread's time; in cacheprof_data, as slow_x86_64.S uses it too. */
extern uint64_t cacheprof_clock;

static size_t set_bytes(void)
{
	return offsetof(struct i1_set, way) + cacheprof_models.i1.ways * sizeof(struct i1_line *);
}

static struct i1_set *set_of(const struct thread *thread, uint64_t line)
{
	const struct cache *i1 = &cacheprof_models.i1;

	return (struct i1_set *)((char *)thread->i1_sets +
				 (line >> i1->line_shift & i1->set_mask) * set_bytes());
}

/* A place for the pointers of lines that two sections share; see make_lines. */
struct pool {
	uint8_t **next;
};

static uint8_t *known_of(const struct thread *thread, const struct module *m, uint32_t block)
{
	return (uint8_t *)m->data + m->flat[block].known + thread->delta;
}

/* Whether the entries of n blocks lie one behind the other. */
static bool adjoin(const struct module *m, uint32_t first, uint32_t n)
{
	return m->flat[first + n - 1].known == m->flat[first].known + (n - 1);
}

/* Describes one line, whose first block is b. */
static void make_line(struct thread *thread, const struct module *m, struct i1_line *l, uint64_t line,
		      uint32_t b, struct pool *pool)
{
	uint64_t end = line + -cacheprof_models.i1.line_mask;
	uint32_t first = b;

	l->set = set_of(thread, line);
	for (; b < m->n_flat && m->text_base + m->flat[b].start < end; b++) {
		bool before = m->text_base + m->flat[b].start < line;
		bool behind = m->text_base + m->flat[b].end > end;

		l->head |= before;
		l->tail |= behind;
		l->n++;
		if (b - first < I1_BLOCKS) {
			l->all |= (uint16_t)(1 << (b - first));
			l->inside |= (uint16_t)((!before && !behind) << (b - first));
		}
	}
	if (!l->n)
		return;
	if (adjoin(m, first, l->n)) {
		l->known = known_of(thread, m, first);
		return;
	}
	l->all = l->inside = 0;
	l->each = pool->next;
	for (b = first; b < first + l->n; b++)
		*pool->next++ = known_of(thread, m, b);
}

static void make_lines(struct thread *thread, const struct module *m, struct i1_line *lines)
{
	uint32_t shift = cacheprof_models.i1.line_shift, b = 0;
	uint64_t first = m->text_base >> shift, last = (m->text_base + m->text_size) >> shift;
	size_t shared = (size_t)(m->chunks_end - m->chunks) << shift; /* an instruction has a byte */
	struct pool pool = {cacheprof_mmap(shared * sizeof *pool.next)};

	for (uint64_t l = first; l <= last; l++) {
		while (b < m->n_flat && m->text_base + m->flat[b].end <= l << shift)
			b++;
		make_line(thread, m, &lines[l - first], l << shift, b, &pool);
	}
	for (b = 0; b < m->n_flat; b++) {
		uint64_t begin = (m->text_base + m->flat[b].start) >> shift;
		uint64_t more = ((m->text_base + m->flat[b].end - 1) >> shift) - begin;

		*(uint64_t *)(m->data + m->flat[b].lines + thread->delta) =
			(uint64_t)&lines[begin - first] | (more < I1_MANY ? more : I1_MANY);
	}
}

bool cacheprof_i1_thread(struct thread *thread)
{
	uint32_t shift = cacheprof_models.i1.line_shift;

	thread->i1_sets = cacheprof_mmap((cacheprof_models.i1.set_mask + 1) * set_bytes());
	if (!thread->i1_sets)
		return false;
	for (const struct module *m = cacheprof_process.modules; m; m = m->next) {
		struct i1_line *lines =
			cacheprof_mmap(((m->text_size >> shift) + 2) * sizeof(struct i1_line));

		if (!lines)
			return false;
		make_lines(thread, m, lines);
	}
	return true;
}

static uint8_t *block_known(const struct i1_line *l, uint32_t i)
{
	return l->all ? &l->known[i] : l->each[i];
}

static void forget_blocks(const struct i1_line *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		*block_known(l, i) = 0;
}

static void know_blocks(const struct i1_line *l)
{
	for (uint32_t i = l->head; i + l->tail < l->n; i++)
		*block_known(l, i) = 1;
}

/* Puts the line into its set in place of the oldest one. */
static void install(struct i1_line *l)
{
	uint32_t oldest = 0;

	for (uint32_t w = 0; w < cacheprof_models.i1.ways; w++) {
		if (!l->set->way[w]) {
			oldest = w;
			break;
		}
		if (l->set->way[w]->stamp < l->set->way[oldest]->stamp)
			oldest = w;
	}
	if (l->set->way[oldest])
		l->set->way[oldest]->present = l->set->way[oldest]->quick = false;
	l->set->way[oldest] = l;
	l->present = true;
	l->quick = l->all && l->n <= I1_BLOCKS;
}

static uint64_t tick(void)
{
	uint64_t *clock = (uint64_t *)((char *)&cacheprof_clock + cacheprof_this_thread()->delta);

	return ++*clock;
}

/* Makes the line the most recently used; true if it missed. */
static bool fetch_line(struct i1_line *l)
{
	struct i1_line *old = l->set->mru;
	bool hit = l->present;

	if (old == l)
		return false;
	if (old)
		forget_blocks(old);
	if (!hit)
		install(l);
	l->stamp = tick();
	l->set->mru = l;
	l->set->known = l->known;
	l->set->all = l->all;
	l->set->quick = l->quick;
	know_blocks(l);
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

static void know_own(struct thread *thread, const struct fetched *f, const struct i1_line *lines,
			uint64_t more)
{
	for (uint64_t i = 0; i <= more; i++)
		if (lines[i].set->mru != &lines[i])
			return;
	*(uint8_t *)thread_array(thread, &f->known) = 1;
}

/* From slow_x86_64.S. */
void cacheprof_i1_fetch(const struct fetched *f);
void cacheprof_i1_fetch(const struct fetched *f)
{
	const struct chunk *chunk = rel_at(&f->chunk);
	const struct block *block = (const struct block *)rel_at(&chunk->blocks) + f->block;
	struct thread *thread = cacheprof_this_thread();
	uint64_t start = cacheprof_text_of(chunk) + block->offset;
	uint64_t line = start & cacheprof_models.i1.line_mask, size = -cacheprof_models.i1.line_mask;
	uint64_t more = (start + block->length - 1 - line) >> cacheprof_models.i1.line_shift;
	struct i1_line *lines = (struct i1_line *)(*(uint64_t *)thread_array(thread, &f->lines) & -I1_LINE_SIZE);
	uint32_t missed = UINT32_MAX;

	for (uint64_t i = 0; i <= more; i++) {
		struct toucher t;

		if (!fetch_line(&lines[i]))
			continue;
		t = first_touch(chunk, block, start, line + i * size);
		if (t.insn != missed)
			count_miss(thread, chunk, block, t);
		missed = t.insn;
	}
	know_own(thread, f, lines, more);
}
