/* The self-check: a second, plain simulation beside the first.
 *
 * A naive LRU (a time for every line, the oldest goes) counts executions, references and misses per
 * site and per cost centre of every instruction that is shown (show.c), and a naive predictor the
 * branches that it predicts wrongly. At the end every number is compared with what the real machinery
 * counted; what differs is printed and the program exits with status 1. The second caches are the process's,
 * as the first are; each module compares its own counts. */
#include "runtime/branch.h"
#include "runtime/regions.h"
#include "runtime/show.h"

struct naive {
	uint64_t sets, ways;
	unsigned line_shift;
	uint64_t *tags, *times; /* sets * ways; 0: never; the lowest bit is who used the line last */
};
enum user { FETCH, REFERENCE, USERS };

struct tally {
	uint64_t n, l1, ll;
};

/* What was counted for one chunk. Of branches l1 are those mispredicted. */
struct told {
	const struct chunk *chunk;
	struct tally *sites, *centres, *branches;
};

/* By the rules of the manual, 5.1, as they stand there. */
struct naive_predictor {
	uint64_t history;
	unsigned counters[128 * 128];
	uint64_t targets[512];
};

struct naive_thread {
	struct naive_thread *next;
	const uint64_t *rows; /* the same in all records of the thread */
	unsigned owners;
	struct naive i1, d1;
	struct naive_predictor predictor;
};

struct checked {
	struct naive ll;
	struct naive_thread *threads;
	uint64_t now;
	uint64_t differences;
	uint64_t unfinished; /* threads that went on when the process ended */
};

static struct told *told;

static void *checking_memory(size_t bytes)
{
	return cacheprof_memory_for(bytes, "the self-check");
}

static void naive_start(struct naive *c, struct geometry g)
{
	c->line_shift = (unsigned)__builtin_ctzl(g.line);
	c->ways = g.assoc;
	c->sets = g.size / g.line / g.assoc;
	c->tags = checking_memory(c->sets * c->ways * 8);
	c->times = checking_memory(c->sets * c->ways * 8);
}

static uint64_t oldest_of(const uint64_t *times, uint64_t ways)
{
	uint64_t oldest = 0;

	for (uint64_t w = 1; w < ways; w++)
		if (times[w] < times[oldest])
			oldest = w;
	return oldest;
}

static bool naive_line(struct naive *c, uint64_t number, enum user user)
{
	uint64_t set = number & (c->sets - 1), *tags = c->tags + set * c->ways, *times = c->times + set * c->ways;
	uint64_t way = 0;
	bool hit;

	while (way < c->ways && (tags[way] != number || !times[way]))
		way++;
	hit = way < c->ways;
	if (!hit)
		way = oldest_of(times, c->ways);
	tags[way] = number;
	times[way] = ++cacheprof_process.checked->now << 1 | user;
	return hit;
}

static bool naive_missed(struct naive *c, uint64_t address, uint64_t size, enum user user)
{
	uint64_t length = 1ul << c->line_shift, line = address & -length, last = (address + size - 1) & -length;
	bool missed = false;

	for (;; line += length) {
		missed |= !naive_line(c, line >> c->line_shift, user);
		if (line == last) /* which may be 0, behind the topmost one */
			return missed;
	}
}

/* Page by page, where LL takes addresses by pages. */
static bool naive_ll_missed(uint64_t address, uint64_t size, enum user user)
{
	struct naive *ll = &cacheprof_process.checked->ll;
	uint64_t length = 1ul << ll->line_shift, line = address & -length, last = (address + size - 1) & -length;
	bool missed = false;

	if (!cacheprof_process.options.first_touch)
		return naive_missed(ll, address, size, user);
	for (;; line += length) {
		missed |= naive_missed(ll, cacheprof_page_address(line), 1, user);
		if (line == last)
			return missed;
	}
}

static void naive_reference(struct naive *l1, struct tally *t, uint64_t address, uint64_t size, enum user user)
{
	t->n++;
	if (!size || !naive_missed(l1, address, size, user))
		return;
	t->l1++;
	t->ll += naive_ll_missed(address, size, user);
}

static struct naive_thread *naive_thread(const struct thread *thread)
{
	struct naive_thread **threads = &cacheprof_process.checked->threads, *t = *threads;

	while (t && (t->rows != thread->i1_rows || t->owners != thread->owners))
		t = t->next;
	if (t)
		return t;
	t = checking_memory(sizeof *t);
	t->rows = thread->i1_rows;
	t->owners = thread->owners;
	t->next = *threads;
	naive_start(&t->i1, cacheprof_process.options.i1);
	naive_start(&t->d1, cacheprof_process.options.d1);
	*threads = t;
	return t;
}

static struct told *told_of(const struct chunk *chunk)
{
	const struct module *m = cacheprof_own_module();
	struct told *t;

	if (!told)
		told = checking_memory((size_t)(m->chunks_end - m->chunks) * sizeof *told);
	if (!cacheprof_process.checked) {
		cacheprof_process.checked = checking_memory(sizeof *cacheprof_process.checked);
		naive_start(&cacheprof_process.checked->ll, cacheprof_process.options.ll);
	}
	t = &told[chunk - m->chunks];
	if (!t->chunk) {
		t->chunk = chunk;
		t->sites = checking_memory(chunk->n_sites * sizeof *t->sites);
		t->centres = checking_memory(chunk->n_centres * sizeof *t->centres);
		t->branches = checking_memory((chunk->n_branches + 1) * sizeof *t->branches);
	}
	return t;
}

static void check_fetch(const struct place *place, uint32_t centre, uint64_t address, uint64_t size)
{
	naive_reference(&naive_thread(place->thread)->i1, &told_of(place->chunk)->centres[centre], address, size,
			FETCH);
}

static void check_reference(const struct place *place, uint32_t site, uint64_t address, uint64_t size)
{
	naive_reference(&naive_thread(place->thread)->d1, &told_of(place->chunk)->sites[site], address, size,
			REFERENCE);
}

static void check_repeats(const struct place *place, uint32_t site, uint64_t n)
{
	told_of(place->chunk)->sites[site].n += n;
}

static uint64_t branch_address(const struct place *place, uint32_t branch)
{
	return cacheprof_text_of(place->chunk) +
	       ((const struct branch *)rel_at(&place->chunk->branches))[branch].offset;
}

static void check_direction(const struct place *place, uint32_t branch, bool taken)
{
	struct naive_predictor *p = &naive_thread(place->thread)->predictor;
	struct tally *t = &told_of(place->chunk)->branches[branch];
	unsigned *counter = &p->counters[(p->history & 127) << 7 | (branch_address(place, branch) & 127)];

	t->n++;
	t->l1 += taken != (*counter >= 2);
	if (taken && *counter < 3)
		++*counter;
	if (!taken && *counter > 0)
		--*counter;
	p->history = p->history << 1 | taken;
}

static void check_target(const struct place *place, uint32_t branch, uint64_t target)
{
	uint64_t *stored = &naive_thread(place->thread)->predictor.targets[branch_address(place, branch) & 511];
	struct tally *t = &told_of(place->chunk)->branches[branch];

	t->n++;
	t->l1 += *stored != target;
	*stored = target;
}

/* Threads, but for the running one, that are in the midst of a block. Of what they are just doing ours may have counted
 * more than has been shown, or less; and where it is derived, so may other blocks. */
static uint64_t unfinished(void)
{
	uint64_t n = 0;

	for (const struct thread *t = cacheprof_own_module()->threads; t; t = t->next)
		n += t->amid_block && t->self != cacheprof_thread_pointer();
	return n;
}

/* at_once: how often one execution of everything that is compared counts. */
static void compare(const char *what, const struct centre_row *at, const char *count, uint64_t plain,
		    uint64_t ours, uint64_t at_once)
{
	uint64_t difference = plain > ours ? plain - ours : ours - plain;

	if (difference <= at_once * unfinished())
		return;
	if (cacheprof_process.checked->differences++ < 50)
		cacheprof_print(SAY "self-check: %s:%u (%s): %s %s: plain %lu, ours %lu\n",
				rel_at(&at->file), at->line, rel_at(&at->function), what, count, plain, ours);
}

/* Of several threads, which was the first to ask LL is not the same in both simulations. */
static bool is_single(void)
{
	const struct naive_thread *threads = cacheprof_process.checked->threads;

	return threads && !threads->next;
}

static void compare_ll(const char *what, const struct centre_row *at, uint64_t plain, uint64_t ours)
{
	if (is_single())
		compare(what, at, "LL misses", plain, ours, 1);
}

static uint64_t counted(const struct chunk *c, uint32_t block)
{
	uint64_t n = 0;

	for (const struct thread *t = cacheprof_own_module()->threads; t; t = t->next)
		n += thread_executions(t, c, thread_array(t, &c->counters), block);
	return n;
}

static uint64_t dynamic(const struct chunk *c, uint32_t number)
{
	uint64_t n = 0;

	for (const struct thread *t = cacheprof_own_module()->threads; t; t = t->next)
		n += thread_count(t, (uint64_t *)thread_array(t, &c->dynamics) + number);
	return n;
}

static struct misses misses_of(const rel *array, uint32_t i)
{
	struct misses sum = {0, 0};

	for (const struct thread *t = cacheprof_own_module()->threads; t; t = t->next) {
		const struct misses *m = (const struct misses *)thread_array(t, array) + i;

		sum.l1 += thread_count(t, &m->l1);
		sum.ll += thread_count(t, &m->ll);
	}
	return sum;
}

static void compare_sites(const struct told *t)
{
	const struct site *site = rel_at(&t->chunk->sites);
	const struct centre_row *centres = rel_at(&t->chunk->centres);

	for (uint32_t i = 0; i < t->chunk->n_sites; i++, site++) {
		uint64_t n = site->flags & SITE_DYNAMIC ? dynamic(t->chunk, site->block)
							: counted(t->chunk, site->block);
		struct misses m = misses_of(&t->chunk->misses, i);
		const struct centre_row *at = &centres[site->centre];
		const char *what = site->kind == SITE_WRITE ? "write" : site->kind == SITE_READ ? "read" : "rep";
		uint64_t at_once = site->flags & SITE_DYNAMIC ? UINT32_MAX : 1; /* any number */

		if (site->flags & SITE_TLS)
			continue;
		if (site->kind != SITE_INSN && got_is_gone(t->chunk, site->got))
			n = 0;
		compare(what, at, "executions", t->sites[i].n, n, at_once);
		compare(what, at, "D1 misses", t->sites[i].l1, m.l1, at_once);
		compare_ll(what, at, t->sites[i].ll, m.ll);
	}
}

static void compare_fetches(const struct told *t)
{
	const struct centre_row *centres = rel_at(&t->chunk->centres);
	const struct block *block = rel_at(&t->chunk->blocks);
	const uint32_t *insns = rel_at(&t->chunk->insns);
	uint64_t *sums = checking_memory(t->chunk->n_centres * 2 * sizeof *sums);
	uint64_t *n_insns = sums + t->chunk->n_centres;

	for (uint32_t b = 0; b < t->chunk->n_blocks; b++)
		for (uint32_t i = 0; i < block[b].n_insns; i++) {
			sums[insns[block[b].first_insn + i] >> 8] += counted(t->chunk, b);
			n_insns[insns[block[b].first_insn + i] >> 8]++;
		}
	for (uint32_t i = 0; i < t->chunk->n_centres; i++) {
		struct misses m = misses_of(&t->chunk->fetches, i);

		compare("instructions", &centres[i], "executions", t->centres[i].n, sums[i], n_insns[i]);
		compare("instructions", &centres[i], "I1 misses", t->centres[i].l1, m.l1, n_insns[i]);
		compare_ll("instructions", &centres[i], t->centres[i].ll, m.ll);
	}
}

static void compare_branches(const struct told *t)
{
	const struct branch *b = rel_at(&t->chunk->branches);
	const struct centre_row *centres = rel_at(&t->chunk->centres);

	for (uint32_t i = 0; i < t->chunk->n_branches; i++, b++) {
		const char *what = b->kind == PREDICT_TARGET ? "indirect branch" : "branch";
		uint64_t mispredicts = 0, at_once = b->kind == PREDICT_REPEAT ? UINT32_MAX : 1;

		if (b->unplaced || got_is_gone(t->chunk, b->got))
			continue;
		for (const struct thread *h = cacheprof_own_module()->threads; h; h = h->next)
			mispredicts += thread_mispredicts(
			    h, (uint64_t *)thread_array(h, &t->chunk->mispredicts) + i);
		compare(what, &centres[b->centre], "executions", t->branches[i].n,
			b->kind == PREDICT_REPEAT ? dynamic(t->chunk, b->block)
						  : counted(t->chunk, b->block), at_once);
		compare(what, &centres[b->centre], "mispredicts", t->branches[i].l1, mispredicts, at_once);
	}
}

/* When the line of that address was used last; 0: it is not there. */
static uint64_t time_of(const struct naive *c, uint64_t set, uint64_t address)
{
	for (uint64_t w = set * c->ways; w < (set + 1) * c->ways; w++)
		if (c->times[w] && c->tags[w] << c->line_shift == address)
			return c->times[w];
	return 0;
}

/* Of a set's lines that the user used last, the one that was before that time; UINT64_MAX: there is none. */
static uint64_t last_before(const struct naive *c, uint64_t set, enum user user, uint64_t before)
{
	uint64_t last = UINT64_MAX;

	for (uint64_t w = set * c->ways; w < (set + 1) * c->ways; w++)
		if (c->times[w] && (c->times[w] & 1) == user && c->times[w] < before &&
		    (last == UINT64_MAX || c->times[w] > c->times[last]))
			last = w;
	return last;
}

/* lines: ours of the set, in order. */
static void compare_set(const char *name, const struct naive *c, uint64_t set, enum user user, const uint64_t *lines)
{
	uint64_t way = 0, before = UINT64_MAX, w;

	for (; (w = last_before(c, set, user, before)) != UINT64_MAX; before = c->times[w]) {
		uint64_t plain = c->tags[w] << c->line_shift, time, ours;

		while (way < c->ways && (!(time = time_of(c, set, lines[way])) || (time & 1) != user))
			way++;
		ours = way < c->ways ? lines[way++] : 0;
		if (plain != ours && cacheprof_process.checked->differences++ < 50)
			cacheprof_print(SAY "self-check: %s, set %lu: plain %lx, ours %lx\n", name, set, plain, ours);
	}
}

/* Sums of misses may be equal where one that is missing makes up for one too many; but then lines are, or have been, in
 * another order. A block's fetches come to LL before its references (manual, 5.2), so each is compared by itself. */
static void compare_order(const char *name, const struct naive *c, const struct thread *t,
			  void order_of(const struct thread *t, uint64_t set, uint64_t *lines), uint64_t *lines)
{
	for (uint64_t set = 0; set < c->sets; set++) {
		order_of(t, set, lines);
		for (enum user user = 0; user < USERS; user++)
			compare_set(name, c, set, user, lines);
	}
}

static void compare_caches(const struct module *m)
{
	const struct options *o = &cacheprof_process.options;
	const struct checked *checked = cacheprof_process.checked;
	uint64_t *lines = checking_memory((o->i1.assoc + o->d1.assoc + o->ll.assoc) * sizeof *lines);

	for (const struct thread *t = m->threads; t; t = t->next)
		for (const struct naive_thread *n = checked->threads; n; n = n->next)
			if (n->rows == t->i1_rows && n->owners == t->owners) {
				compare_order("I1", &n->i1, t, cacheprof_i1_order, lines);
				compare_order("D1", &n->d1, t, cacheprof_d1_order, lines);
			}
	if (is_single())
		compare_order("LL", &checked->ll, m->threads, cacheprof_ll_order, lines);
}

static void check_zero(void)
{
	const struct module *m = cacheprof_own_module();

	for (const struct chunk *c = m->chunks; c < m->chunks_end; c++) {
		const struct told *t = told_of(c);

		cacheprof_memset(t->sites, 0, c->n_sites * sizeof *t->sites);
		cacheprof_memset(t->branches, 0, c->n_branches * sizeof *t->branches);
		cacheprof_memset(t->centres, 0, c->n_centres * sizeof *t->centres);
	}
}

static void check_end(void)
{
	const struct module *m = cacheprof_own_module();

	if (!cacheprof_process.checked) /* nothing is instrumented */
		return;
	cacheprof_derive(m);
	for (const struct chunk *c = m->chunks; c < m->chunks_end; c++) {
		const struct told *t = told_of(c);

		compare_sites(t);
		compare_fetches(t);
		compare_branches(t);
	}
	if (!unfinished() && !cacheprof_off)
		compare_caches(m);
	cacheprof_process.checked->unfinished += unfinished();
}

/* Of the C library, if the program has it. A static program may have stdio without fflush, but then glibc's part that
 * its exit calls (libio/genops.c). */
extern int fflush(void *stream) __attribute__((weak, visibility("default")));
extern int _IO_cleanup(void) __attribute__((weak, visibility("default")));

static void check_report(bool by_exit)
{
	const struct checked *checked = cacheprof_process.checked;
	uint64_t differences = checked ? checked->differences : 0;

	if (!cacheprof_process.options.quiet && checked && checked->unfinished)
		cacheprof_print(SAY "self-check: the process ends while %lu of its threads go on: counts "
				"that differ by what these are just doing are taken for equal\n",
				checked->unfinished);
	if (!cacheprof_process.options.quiet || differences)
		cacheprof_print(SAY "self-check: %lu differences\n", differences);
	if (!differences)
		return;
	if (by_exit && fflush)
		fflush(0);
	else if (by_exit && _IO_cleanup)
		_IO_cleanup();
	cacheprof_exit_group(1);
}

static const struct watcher watcher = {
	.fetch = check_fetch,
	.refer = check_reference,
	.repeat = check_repeats,
	.direction = check_direction,
	.target = check_target,
	.zero = check_zero,
	.end = check_end,
	.report = check_report,
};
const struct watcher *const cacheprof_selfcheck = &watcher;
const char cacheprof_watching __attribute__((weak)) = 0;
