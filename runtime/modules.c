/* A module: the executable or a shared object, with the chunks of all its instrumented sections.
 *
 * Instructions are fetched from the addresses that they would have in the uninstrumented module.
 * The linker put the sections of the instrumented one in the same order, only longer; so, going
 * through them by address, each section's original place follows from the original size of the ones
 * before it, its alignment, and the size of uninstrumented code in between. The first section lies
 * where it would lie without us. */
#include "runtime/branch.h"
#include "runtime/models.h"

extern const struct chunk __start_cacheprof_chunks[] __attribute__((weak, visibility("hidden")));
extern const struct chunk __stop_cacheprof_chunks[] __attribute__((weak, visibility("hidden")));
extern char __start_cacheprof_data[] __attribute__((visibility("hidden")));
extern char __stop_cacheprof_data[] __attribute__((visibility("hidden")));

static struct module this_module;

/* Foreign code between two chunks is taken to begin where functions mostly do. */
#define FOREIGN_ALIGN 16

static uint64_t align_up(uint64_t x, uint64_t align)
{
	return (x + align - 1) & -align;
}

static uint64_t text_start(const struct chunk *c)
{
	return (uint64_t)rel_at(&c->text);
}

/* Restores the heap property of order[0..n) from i down; the largest address is at the root. */
static void sift(const struct module *m, uint32_t *order, uint32_t i, uint32_t n)
{
	for (;;) {
		uint32_t child = 2 * i + 1, t;

		if (child >= n)
			return;
		if (child + 1 < n && text_start(&m->chunks[order[child + 1]]) >
					     text_start(&m->chunks[order[child]]))
			child++;
		if (text_start(&m->chunks[order[i]]) >= text_start(&m->chunks[order[child]]))
			return;
		t = order[i];
		order[i] = order[child];
		order[child] = t;
		i = child;
	}
}

static void sort_by_address(const struct module *m, uint32_t *order, uint32_t n)
{
	for (uint32_t i = n / 2; i-- > 0;)
		sift(m, order, i, n);
	while (n > 1) {
		uint32_t t = order[--n];

		order[n] = order[0];
		order[0] = t;
		sift(m, order, 0, n);
	}
}

/* Where the section would begin, given where the one before it (prev) was put. */
static uint64_t original_place(const struct chunk *c, const struct chunk *prev, uint64_t prev_place)
{
	uint64_t gap = text_start(c) - (uint64_t)rel_at(&prev->text_end);
	uint64_t place = prev_place + prev->text_size;

	if (gap >= c->align) {
		uint64_t foreign = align_up((uint64_t)rel_at(&prev->text_end), FOREIGN_ALIGN);

		place = align_up(place, FOREIGN_ALIGN) + (text_start(c) - foreign);
	}
	return align_up(place, c->align);
}

static void place_sections(struct module *m, const uint32_t *order, uint32_t n)
{
	m->text_base = n ? text_start(&m->chunks[order[0]]) : 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct chunk *c = &m->chunks[order[i]];

		m->text[order[i]] = i ? original_place(c, &m->chunks[order[i - 1]], m->text[order[i - 1]])
				      : m->text_base;
		m->text_size = m->text[order[i]] + c->text_size - m->text_base;
	}
}

static void flatten(struct module *m, const uint32_t *order, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct chunk *c = &m->chunks[order[i]];
		const struct block *b = rel_at(&c->blocks);
		uint32_t at = (uint32_t)(m->text[order[i]] - m->text_base);
		uint32_t state = (uint32_t)((const char *)rel_at(&c->counters) - m->data);

		for (uint32_t k = 0; k < c->n_blocks; k++)
			m->flat[m->n_flat++] = (struct flat_block){
			    at + b[k].offset, at + b[k].offset + b[k].length,
			    state + k * (uint32_t)sizeof(struct block_state)};
	}
}

static uint32_t lines_between(uint64_t address, uint64_t later_one)
{
	uint32_t shift = cacheprof_models.i1.line_shift;

	return (uint32_t)((later_one >> shift) - (address >> shift));
}

/* Of the blocks from first on those that begin before the line's end. */
static struct code_line blocks_from(const struct module *m, uint32_t first, uint64_t line, uint64_t line_end)
{
	struct code_line l = {.first = first};
	const struct flat_block *b = m->flat + first;
	const struct flat_block *last;

	while (l.n < UINT16_MAX && first + l.n < m->n_flat && m->text_base + b[l.n].start < line_end)
		l.n++;
	if (!l.n)
		return l;
	last = &b[l.n - 1];
	l.state = b->state;
	l.together = last->state == b->state + (l.n - 1) * sizeof(struct block_state);
	if (m->text_base + b->start < line)
		l.before = (uint16_t)lines_between(m->text_base + b->start, line);
	if (m->text_base + last->end > line_end)
		l.behind = (uint16_t)lines_between(line, m->text_base + last->end - 1);
	return l;
}

/* For the tables of the module. */
static void *table(size_t bytes)
{
	return cacheprof_memory_for(bytes, "where the program's code lies");
}

static void index_lines(struct module *m)
{
	uint32_t shift = cacheprof_models.i1.line_shift, b = 0;
	uint64_t first = m->text_base >> shift;

	m->n_lines = lines_between(m->text_base, m->text_base + m->text_size) + 1;
	m->lines = table(m->n_lines * sizeof *m->lines);
	for (uint64_t l = first; l < first + m->n_lines; l++) {
		while (b < m->n_flat && m->text_base + m->flat[b].end <= l << shift)
			b++;
		m->lines[l - first] = blocks_from(m, b, l << shift, (l + 1) << shift);
	}
}

/* Only one block has a line's beginning inside of it. */
static void note_touches(struct module *m, const struct chunk *c, const struct block *b, uint64_t start)
{
	const uint32_t *insn = (const uint32_t *)rel_there(&c->insns) + b->first_insn;
	const struct cache *i1 = &cacheprof_models.i1;
	uint64_t at = start, line = (start & i1->line_mask) - i1->line_mask;

	for (; line < start + b->length; line -= i1->line_mask) {
		for (; at + (*insn & 0xff) <= line; insn++)
			at += *insn & 0xff;
		m->lines[lines_between(m->text_base, line)].touch = (line - at) << 32 | *insn;
	}
}

static void find_touches(struct module *m)
{
	for (const struct chunk *c = m->chunks; c < m->chunks_end; c++) {
		const struct block *b = rel_at(&c->blocks);

		for (uint32_t k = 0; k < c->n_blocks; k++)
			note_touches(m, c, &b[k], m->text[c - m->chunks] + b[k].offset);
	}
}

/* The blocks whose times tell that of block b: how many, then which; NULL where it notes its own. */
static const uint32_t *times_of(const struct chunk *c, uint32_t b)
{
	const uint32_t *times = rel_there(&c->times);

	return times[b] ? times + times[b] : 0;
}

/* As many as find_others may need. */
static size_t room_for_others(const struct module *m)
{
	size_t room = 0;

	for (const struct chunk *c = m->chunks; c < m->chunks_end; c++) {
		const struct block *b = rel_at(&c->blocks);

		for (uint32_t k = 0; k < c->n_blocks; k++)
			if (times_of(c, k))
				room += *times_of(c, k) * (lines_between(0, b[k].length) + 2ul);
	}
	return room * (OTHERS_NEAR + 1);
}

static bool has_other(const struct module *m, const struct code_line *l, int32_t other)
{
	if (l->together && other >= 0 && other < l->n)
		return true;
	for (uint32_t i = 0; i < l->n_others; i++)
		if (m->others[l->others.list + i] == other)
			return true;
	return false;
}

/* To the line's list. One too far for a union others is there so often that they need a list. */
static void add_other(struct module *m, struct code_line *l, int32_t other, uint32_t *n)
{
	int times = other == (int16_t)other ? 1 : OTHERS_NEAR + 1;

	if (!l->n_others)
		l->others.list = *n;
	for (int i = 0; i < times; i++) {
		m->others[(*n)++] = other;
		l->n_others++;
	}
}

static void add_others(struct module *m, struct code_line *l, const struct chunk *c, const uint32_t *times, uint32_t *n)
{
	intptr_t first = (const char *)rel_at(&c->counters) - (m->data + l->state);

	for (uint32_t i = 1; i <= *times; i++) {
		int32_t other = (int32_t)(first / (intptr_t)sizeof(struct block_state) + times[i]);

		if (!has_other(m, l, other))
			add_other(m, l, other, n);
	}
}

/* Which blocks' times tell when a line was used, besides its own blocks'. Blocks come by address, so that those of a
 * line follow one another. */
static void find_others(struct module *m, const uint32_t *order, uint32_t n_chunks)
{
	uint32_t n = 0;

	m->others = table(room_for_others(m) * sizeof *m->others);
	for (uint32_t i = 0; i < n_chunks; i++) {
		const struct chunk *c = &m->chunks[order[i]];
		const struct block *b = rel_at(&c->blocks);

		for (uint32_t k = 0; k < c->n_blocks; k++) {
			uint64_t start = m->text[order[i]] + b[k].offset;
			uint32_t line = lines_between(m->text_base, start);
			uint32_t last = lines_between(m->text_base, start + b[k].length - 1);

			for (; times_of(c, k) && line <= last; line++)
				add_others(m, &m->lines[line], c, times_of(c, k), &n);
		}
	}
}

/* Most lines have few, which then are beside what else is asked of them. */
static void place_others(struct module *m)
{
	for (struct code_line *l = m->lines; l < m->lines + m->n_lines; l++) {
		union others near = {0};

		if (!l->n_others || l->n_others > OTHERS_NEAR)
			continue;
		for (uint32_t i = 0; i < l->n_others; i++)
			near.near[i] = (int16_t)m->others[l->others.list + i];
		l->others = near;
	}
}

/* The linked bytes tell whether the operand is still one. */
static void look_at_gots(const struct chunk *c)
{
	const struct got *got = rel_at(&c->gots);

	for (uint32_t i = 0; i < c->n_gots; i++, got++) {
		const uint8_t *insn = rel_at(&got->insn);
		struct got_words *words = (struct got_words *)rel_at(&got->words);
		const uint8_t *disp = insn + got->disp_at;
		uint64_t slot;
		int32_t distance;

		if ((disp[-2] | disp[-1] << 8) != got->original) {
			*words = (struct got_words){0, FILTER_NEVER};
			continue;
		}
		cacheprof_memcpy(&distance, disp, sizeof distance);
		slot = (uint64_t)insn + got->length + (uint64_t)(int64_t)distance;
		*words = (struct got_words){slot, slot & FILTER_MASK};
	}
}

static const char *difference(const struct chunk *c, uint16_t mode)
{
	if (c->version != SITE_VERSION)
		return "versions of cacheprof";
	return (c->mode ^ mode) == CHUNK_BRANCHES ? "--branch-sim" : "levels";
}

static void refuse_mixture(const char *what)
{
	cacheprof_print(SAY "this program mixes objects of different %s; "
			"compile all of it in one way\n", what);
	cacheprof_exit_group(1);
}

/* Nothing would be compared, or written, and no difference found. */
static void refuse_watchers(void)
{
	cacheprof_print(SAY "this program was linked with --self-check or --trace and compiled without; "
			"compile it with that, too\n");
	cacheprof_exit_group(1);
}

static bool compares(const struct shows *shows)
{
	return shows && shows->compares();
}

/* The first of the process's modules of which something is instrumented decides what all of them are to be. */
static void check_chunks(const struct module *m)
{
	struct process *p = &cacheprof_process;
	uint16_t mode, others = (uint16_t)p->level | (p->branches ? CHUNK_BRANCHES : 0);

	if (m->chunks == m->chunks_end)
		return;
	mode = m->chunks->mode;
	for (const struct chunk *c = m->chunks; c < m->chunks_end; c++)
		if (c->version != SITE_VERSION || c->mode != mode)
			refuse_mixture(difference(c, mode));
	if (cacheprof_shows && !(mode & CHUNK_SHOWN))
		refuse_watchers();
	if (p->level && (mode & (CHUNK_LEVEL_MASK | CHUNK_BRANCHES)) != others)
		refuse_mixture((mode ^ others) & CHUNK_LEVEL_MASK ? "levels" : "--branch-sim");
	if (p->level && compares(cacheprof_shows) != p->compares)
		refuse_mixture("--self-check");
	p->level = mode & CHUNK_LEVEL_MASK;
	p->branches = mode & CHUNK_BRANCHES;
	p->compares = compares(cacheprof_shows);
}

void cacheprof_module_check(void)
{
	struct module *m = &this_module;

	m->chunks = __start_cacheprof_chunks;
	m->chunks_end = __stop_cacheprof_chunks;
	m->data = __start_cacheprof_data;
	m->data_end = __stop_cacheprof_data;
	check_chunks(m);
}

/* Where the module's code is to the branch predictor and, at level 2, the fetch model. */
static void place_code(struct module *m)
{
	uint32_t n = (uint32_t)(m->chunks_end - m->chunks), blocks = 0;
	uint32_t *order = table(n * sizeof *order);

	m->text = table(n * sizeof *m->text);
	for (uint32_t i = 0; i < n; i++) {
		order[i] = i;
		blocks += m->chunks[i].n_blocks;
	}
	sort_by_address(m, order, n);
	place_sections(m, order, n);
	if (cacheprof_process.level < 2)
		return;
	m->flat = table(blocks * sizeof *m->flat);
	flatten(m, order, n);
	index_lines(m);
	find_touches(m);
	if (cacheprof_models.times) {
		find_others(m, order, n);
		place_others(m);
	}
}

struct module *cacheprof_module_register(void)
{
	struct module *m = &this_module;

	for (const struct chunk *c = m->chunks; c < m->chunks_end; c++)
		look_at_gots(c);
	if (cacheprof_process.level >= 2 || cacheprof_process.branches)
		place_code(m);
	for (const struct chunk *c = m->chunks; c < m->chunks_end; c++)
		cacheprof_branches_place(c);
	m->shows = cacheprof_shows;
	m->enter = IN_EXECUTABLE && m->chunks < m->chunks_end ? cacheprof_thread_enter : 0;
	m->next = cacheprof_process.modules;
	__atomic_store_n(&cacheprof_process.modules, m, __ATOMIC_RELEASE);
	return m;
}

struct module *cacheprof_own_module(void)
{
	return &this_module;
}

static void take_out(const struct module *m)
{
	struct module **link = &cacheprof_process.modules;

	while (*link && *link != m)
		link = &(*link)->next;
	if (*link)
		*link = m->next;
}

bool cacheprof_module_end(void)
{
	bool last = true;

	this_module.ended = true;
	for (const struct module *m = cacheprof_process.modules; m; m = m->next)
		last &= m->ended;
	return last;
}

void cacheprof_shows_end(bool by_exit)
{
	const struct shows *shows = cacheprof_shows;

	for (const struct module *m = cacheprof_process.modules; m; m = m->next)
		if (m->shows) {
			m->shows->end();
			shows = m->shows;
		}
	if (shows)
		shows->report(by_exit);
}

void cacheprof_module_leave(void)
{
	bool writing;

	if (IN_EXECUTABLE)
		return;
	if (cacheprof_shows)
		cacheprof_shows->end();
	writing = cacheprof_writing_begin(&cacheprof_process, true);
	cacheprof_process_lock();
	cacheprof_counts_keep(&cacheprof_process, &this_module);
	take_out(&this_module);
	if (cacheprof_process.level >= 2)
		for (struct thread *t = this_module.threads; t; t = t->next)
			cacheprof_i1_leave(t);
	cacheprof_threads_leave(&this_module);
	cacheprof_process_unlock();
	if (writing)
		cacheprof_writing_end(&cacheprof_process);
}

bool cacheprof_is_instrumented(uint64_t address)
{
	for (const struct module *m = cacheprof_process.modules; m; m = m->next)
		for (const struct chunk *c = m->chunks; c < m->chunks_end; c++)
			if (address >= text_start(c) && address < (uint64_t)rel_at(&c->text_end))
				return true;
	return false;
}

uint64_t cacheprof_text_of(const struct chunk *chunk)
{
	return this_module.text[chunk - this_module.chunks];
}
