/* From counters to counts: what a program's lines did, from what its threads counted.
 *
 * Planted code counts only how often a block was executed and which references missed. The rest is
 * known from the tables: a block's executions are those of each of its instructions and sites. So
 * the counts of a cost centre are sums of products; those of one file, function and line, which may
 * be a cost centre of many chunks (a header's function is), are then added up.
 *
 * Other threads may go on counting. Misses are read before executions, so that no site can have
 * more misses than references. */
#include "runtime/regions.h"

#include "include/profile.h"

uint8_t cacheprof_off;

/* ---- one chunk ---- */

/* A chunk's counters, added up over the threads. */
struct sums {
	uint64_t *executions; /* of each block */
	uint64_t *dynamics;
};

/* Rows of a chunk's cost centres. One comes to be when its first count does: most of a large program is not
 * executed. */
struct rows {
	const struct centre_row *centres;
	uint32_t *place; /* of each: 1 + its row's number, or 0 */
	struct count_row *at;
	size_t n;
};

static void name_row(struct count_row *row, const struct centre_row *centre)
{
	row->file = rel_at(&centre->file);
	row->function = rel_at(&centre->function);
	row->line = centre->line;
	if (!row->file)
		row->file = PROFILE_UNKNOWN;
	if (!row->function)
		row->function = PROFILE_UNKNOWN;
}

static uint64_t *events_of(struct rows *rows, uint32_t centre)
{
	uint32_t *place = &rows->place[centre];

	if (!*place) {
		rows->at[rows->n] = (struct count_row){0};
		name_row(&rows->at[rows->n], &rows->centres[centre]);
		*place = (uint32_t)++rows->n;
	}
	return rows->at[*place - 1].events;
}

/* What a kind of site counts. Extra instructions of a rep prefix have no misses of their own. */
static const struct {
	enum event refs, l1, ll;
} counts_of[] = {
	[SITE_READ] = {EV_Dr, EV_D1mr, EV_DLmr},
	[SITE_WRITE] = {EV_Dw, EV_D1mw, EV_DLmw},
	[SITE_INSN] = {EV_Ir, EV_I1mr, EV_ILmr},
};

/* A thread's copy of a per-thread array, or NULL when the chunk has none (by its level). */
static const void *array_of(const struct thread *thread, const rel *field)
{
	const char *first = rel_at(field);

	return first ? first + thread->delta : 0;
}

/* Sizes 1, 2, 4 ... 64 have a class each, all others the last. */
static unsigned size_class(unsigned size)
{
	unsigned other = PROFILE_SIZE_CLASSES - 1;

	if (!size || size & (size - 1) || size >= 1u << other)
		return other;
	return (unsigned)__builtin_ctz(size);
}

static bool site_is_gone(const struct chunk *chunk, const struct site *site)
{
	return site->kind != SITE_INSN && got_is_gone(chunk, site->got);
}

/* events: of the site's row. */
static void add_to_site(struct counts *counts, uint64_t *events, const struct site *site,
			uint64_t refs, struct misses misses)
{
	struct size_row *size = &counts->sizes[size_class(site->size)];

	events[counts_of[site->kind].refs] += refs;
	events[counts_of[site->kind].l1] += misses.l1;
	events[counts_of[site->kind].ll] += misses.ll;
	if (site->kind == SITE_READ) {
		size->reads += refs;
		size->read_l1 += misses.l1;
		size->read_ll += misses.ll;
	} else if (site->kind == SITE_WRITE) {
		size->writes += refs;
		size->write_l1 += misses.l1;
		size->write_ll += misses.ll;
	}
}

/* nopw 0x0(%rax,%rax,1), which follows what the linker left of a sequence of the large code model */
#define LARGE_NOP 6

/* Whether a general-dynamic sequence has become an initial-exec one, which ends in add x@gottpoff(%rip),%rax, and not
 * a local-exec one, which ends in lea x@tpoff(%rax),%rax (ELF Handling For Thread-Local Storage, 5.5). */
static bool is_initial_exec(const struct chunk *chunk, const struct site *site)
{
	const struct got *got = (const struct got *)rel_at(&chunk->gots) + site->got - 1;
	const uint8_t *last = (const uint8_t *)rel_at(&got->insn) + got->length - 7 -
			      (site->flags & SITE_TLS_LARGE ? LARGE_NOP : 0);

	return !(site->flags & SITE_TLS_SHORT) && last[0] == 0x48 && last[1] == 0x03 && last[2] == 0x05;
}

/* A thread-local sequence as the linker left it. */
static void add_shortened(struct counts *counts, uint64_t *events, const struct chunk *chunk, const struct site *site,
			  uint64_t n)
{
	struct site read = *site;

	read.kind = SITE_READ;
	if (site->flags & SITE_TLS_READ)
		add_to_site(counts, events, &read, is_initial_exec(chunk, site) ? 2 * n : n, (struct misses){0, 0});
	events[EV_Ir] -= n * (!!(site->flags & SITE_TLS_SHORT) + !!(site->flags & SITE_TLS_LARGE));
}

static void add_misses(const struct chunk *chunk, const struct thread *thread,
		       struct counts *counts, struct rows *rows)
{
	const struct site *sites = rel_at(&chunk->sites);
	const struct misses *misses = array_of(thread, &chunk->misses);
	const struct misses *fetches = array_of(thread, &chunk->fetches);

	for (uint32_t i = 0; fetches && i < chunk->n_centres; i++)
		if (fetches[i].l1) {
			events_of(rows, i)[EV_I1mr] += thread_count(thread, &fetches[i].l1);
			events_of(rows, i)[EV_ILmr] += thread_count(thread, &fetches[i].ll);
		}
	for (uint32_t i = 0; misses && i < chunk->n_sites; i++)
		if (misses[i].l1)
			add_to_site(counts, events_of(rows, sites[i].centre), &sites[i], 0,
				    (struct misses){thread_count(thread, &misses[i].l1),
						    thread_count(thread, &misses[i].ll)});
}

static void add_mispredicts(const struct chunk *chunk, const struct thread *thread, struct rows *rows)
{
	const struct branch *b = rel_at(&chunk->branches);
	const uint64_t *mispredicts = array_of(thread, &chunk->mispredicts);

	for (uint32_t i = 0; i < chunk->n_branches; i++, b++)
		if (mispredicts[i] && !got_is_gone(chunk, b->got))
			events_of(rows, b->centre)[b->kind == PREDICT_TARGET ? EV_Bim : EV_Bcm] +=
			    thread_mispredicts(thread, &mispredicts[i]);
}

/* Of a thread that stands in the middle of things, what comes out can be one less than nothing. */
static void derive(const struct chunk *chunk, const struct thread *thread)
{
	const void *counters = array_of(thread, &chunk->counters);
	const uint32_t *d = rel_at(&chunk->derivations);
	uint64_t *derived = thread_array(thread, &chunk->derived);

	for (uint32_t i = 0; i < chunk->n_derived; i++) {
		int64_t sum = 0;

		for (uint32_t n = *d++; n; n--, d++) {
			int64_t executions = (int64_t)thread_executions(thread, chunk, counters, *d >> 1);

			sum += *d & 1 ? -executions : executions;
		}
		derived[i] = sum > 0 ? (uint64_t)sum : 0;
	}
}

static void add_counters(const struct chunk *chunk, const struct thread *thread, struct sums *sums)
{
	const void *counters = array_of(thread, &chunk->counters);
	const uint64_t *dynamics = array_of(thread, &chunk->dynamics);

	for (uint32_t i = 0; counters && i < chunk->n_blocks; i++)
		sums->executions[i] += thread_executions(thread, chunk, counters, i);
	for (uint32_t i = 0; dynamics && i < chunk->n_dynamics; i++)
		sums->dynamics[i] += thread_count(thread, &dynamics[i]);
}

static void add_instructions(const struct chunk *chunk, const struct sums *sums,
			     struct rows *rows)
{
	const struct block *blocks = rel_at(&chunk->blocks);
	const uint32_t *insns = rel_at(&chunk->insns);

	for (uint32_t b = 0; b < chunk->n_blocks; b++) {
		const uint32_t *insn = insns + blocks[b].first_insn;

		if (!sums->executions[b])
			continue;
		for (uint32_t i = 0; i < blocks[b].n_insns; i++)
			events_of(rows, insn[i] >> 8)[EV_Ir] += sums->executions[b];
	}
}

static void add_references(const struct chunk *chunk, const struct sums *sums,
			   struct counts *counts, struct rows *rows)
{
	const struct site *sites = rel_at(&chunk->sites);

	for (const struct site *s = sites; s < sites + chunk->n_sites; s++) {
		const uint64_t *executed =
		    s->flags & SITE_DYNAMIC ? sums->dynamics : sums->executions;

		if (!executed[s->block])
			continue;
		if (site_is_gone(chunk, s))
			add_shortened(counts, events_of(rows, s->centre), chunk, s, executed[s->block]);
		else
			add_to_site(counts, events_of(rows, s->centre), s, executed[s->block], (struct misses){0, 0});
	}
}

static void add_branches(const struct chunk *chunk, const struct sums *sums, struct rows *rows)
{
	const struct branch *b = rel_at(&chunk->branches);

	for (const struct branch *end = b + chunk->n_branches; b < end; b++) {
		const uint64_t *executed =
		    b->kind == PREDICT_REPEAT ? sums->dynamics : sums->executions;

		if (executed[b->block] && !got_is_gone(chunk, b->got))
			events_of(rows, b->centre)[b->kind == PREDICT_TARGET ? EV_Bi : EV_Bc] +=
			    executed[b->block];
	}
}

static void add_chunk(const struct module *module, const struct chunk *chunk, struct sums *sums,
		      struct counts *counts, struct rows *rows)
{
	cacheprof_memset(sums->executions, 0, chunk->n_blocks * sizeof *sums->executions);
	cacheprof_memset(sums->dynamics, 0, chunk->n_dynamics * sizeof *sums->dynamics);
	for (const struct thread *t = module->threads; t; t = t->next) {
		add_misses(chunk, t, counts, rows);
		add_mispredicts(chunk, t, rows);
		add_counters(chunk, t, sums);
	}
	add_instructions(chunk, sums, rows);
	add_references(chunk, sums, counts, rows);
	add_branches(chunk, sums, rows);
}

/* ---- all chunks ---- */

#define EACH_CHUNK(modules, m, c)                                                                  \
	for (const struct module *m = (modules); m; m = m->next)                                   \
		for (const struct chunk *c = m->chunks; c < m->chunks_end; c++)

void cacheprof_derive(const struct module *modules)
{
	EACH_CHUNK(modules, m, c)
		for (const struct thread *t = m->threads; t; t = t->next)
			derive(c, t);
}

struct gone {
	struct gone *next;
	struct counts counts;
};

static bool has_counts(const struct count_row *row)
{
	uint64_t any = 0;

	for (unsigned e = 0; e < N_EVENTS; e++)
		any |= row->events[e];
	return any;
}

static size_t max(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void add_gone(struct counts *counts, const struct gone *gone)
{
	cacheprof_memcpy(&counts->rows[counts->n], gone->counts.rows, gone->counts.n * sizeof *counts->rows);
	counts->n += gone->counts.n;
	for (unsigned s = 0; s < sizeof counts->sizes / sizeof *counts->sizes; s++) {
		const uint64_t *from = (const uint64_t *)&gone->counts.sizes[s];
		uint64_t *to = (uint64_t *)&counts->sizes[s];

		for (unsigned i = 0; i < sizeof *counts->sizes / sizeof *to; i++)
			to[i] += from[i];
	}
}

/* Fills counts->rows, unsorted, without those that counted nothing, and counts->sizes. */
static bool collect(const struct module *modules, const struct gone *gone, struct counts *counts)
{
	static struct arena arena;
	size_t n_centres = 0, most_centres = 0, n_blocks = 0, n_dynamics = 0;
	struct sums sums;
	struct rows rows;

	EACH_CHUNK(modules, m, c) {
		n_centres += c->n_centres;
		most_centres = max(most_centres, c->n_centres);
		n_blocks = max(n_blocks, c->n_blocks);
		n_dynamics = max(n_dynamics, c->n_dynamics);
	}
	for (const struct gone *g = gone; g; g = g->next)
		n_centres += g->counts.n;
	if (!cacheprof_arena_reset(&arena, n_centres * sizeof *rows.at + most_centres * sizeof *rows.place +
					       (n_blocks + n_dynamics) * 8))
		return false;
	sums.executions = cacheprof_arena_take(&arena, n_blocks * 8);
	sums.dynamics = cacheprof_arena_take(&arena, n_dynamics * 8);
	rows.place = cacheprof_arena_take(&arena, most_centres * sizeof *rows.place);
	counts->rows = cacheprof_arena_take(&arena, n_centres * sizeof *rows.at);
	cacheprof_derive(modules);
	EACH_CHUNK(modules, m, c) {
		rows.centres = rel_at(&c->centres);
		rows.at = counts->rows + counts->n;
		rows.n = 0;
		cacheprof_memset(rows.place, 0, c->n_centres * sizeof *rows.place);
		add_chunk(m, c, &sums, counts, &rows);
		for (size_t i = 0; i < rows.n; i++)
			if (has_counts(&rows.at[i]))
				counts->rows[counts->n++] = rows.at[i];
	}
	for (const struct gone *g = gone; g; g = g->next)
		add_gone(counts, g);
	return true;
}

bool cacheprof_counts(const struct process *process, struct counts *counts)
{
	*counts = (struct counts){0};
	if (!collect(process->modules, process->gone, counts) || !cacheprof_rows_merge(counts))
		return false;
	for (size_t i = 0; i < counts->n; i++)
		for (unsigned e = 0; e < N_EVENTS; e++)
			counts->totals[e] += counts->rows[i].events[e];
	return true;
}

static void add_branch_totals(const struct chunk *chunk, const struct thread *thread, struct count_row *row)
{
	const struct branch *branches = rel_at(&chunk->branches);
	const void *counters = array_of(thread, &chunk->counters);
	const uint64_t *dynamics = array_of(thread, &chunk->dynamics);
	const uint64_t *mispredicts = array_of(thread, &chunk->mispredicts);

	for (uint32_t i = 0; i < chunk->n_branches; i++) {
		const struct branch *b = &branches[i];
		bool target = b->kind == PREDICT_TARGET;

		if (got_is_gone(chunk, b->got))
			continue;
		row->events[target ? EV_Bi : EV_Bc] += b->kind == PREDICT_REPEAT
							   ? thread_count(thread, &dynamics[b->block])
							   : thread_executions(thread, chunk, counters, b->block);
		row->events[target ? EV_Bim : EV_Bcm] += thread_mispredicts(thread, &mispredicts[i]);
	}
}

static void add_totals(const struct chunk *chunk, const struct thread *thread, struct counts *counts,
		       struct count_row *row)
{
	const void *counters = array_of(thread, &chunk->counters);
	const uint64_t *dynamics = array_of(thread, &chunk->dynamics);
	const struct misses *misses = array_of(thread, &chunk->misses);
	const struct misses *fetches = array_of(thread, &chunk->fetches);
	const struct block *blocks = rel_at(&chunk->blocks);
	const struct site *sites = rel_at(&chunk->sites);

	for (uint32_t b = 0; counters && b < chunk->n_blocks; b++)
		row->events[EV_Ir] += thread_executions(thread, chunk, counters, b) * blocks[b].n_insns;
	for (uint32_t i = 0; fetches && i < chunk->n_centres; i++) {
		row->events[EV_I1mr] += thread_count(thread, &fetches[i].l1);
		row->events[EV_ILmr] += thread_count(thread, &fetches[i].ll);
	}
	for (uint32_t i = 0; i < chunk->n_sites; i++) {
		const struct site *site = &sites[i];
		uint64_t n = site->flags & SITE_DYNAMIC ? thread_count(thread, &dynamics[site->block])
							: thread_executions(thread, chunk, counters, site->block);
		struct misses missed = {0, 0};

		if (misses)
			missed = (struct misses){thread_count(thread, &misses[i].l1),
						 thread_count(thread, &misses[i].ll)};

		if (site_is_gone(chunk, site))
			add_shortened(counts, row->events, chunk, site, n);
		else
			add_to_site(counts, row->events, site, n, missed);
	}
	add_branch_totals(chunk, thread, row);
}

void cacheprof_totals(const struct process *process, uint64_t totals[N_EVENTS])
{
	struct counts counts = {0};
	struct count_row row = {0};

	cacheprof_derive(process->modules);
	EACH_CHUNK(process->modules, m, c)
		for (const struct thread *t = m->threads; t; t = t->next)
			add_totals(c, t, &counts, &row);
	for (const struct gone *g = process->gone; g; g = g->next)
		for (size_t i = 0; i < g->counts.n; i++)
			for (unsigned e = 0; e < N_EVENTS; e++)
				row.events[e] += g->counts.rows[i].events[e];
	cacheprof_memcpy(totals, row.events, sizeof row.events);
}

/* ---- modules that go ---- */

static const char *put_name(char **at, const char *name)
{
	size_t n = cacheprof_strlen(name) + 1;
	char *to = *at;

	cacheprof_memcpy(to, name, n);
	*at += n;
	return to;
}

/* The rows with names of their own; equal names of neighbours remain one. */
static bool copy_rows(struct counts *to, const struct counts *from)
{
	size_t bytes = from->n * sizeof *from->rows;
	char *names;

	for (size_t i = 0; i < from->n; i++)
		bytes += cacheprof_strlen(from->rows[i].file) + cacheprof_strlen(from->rows[i].function) + 2;
	*to = *from;
	to->rows = cacheprof_mmap(bytes);
	names = (char *)(to->rows + from->n);
	for (size_t i = 0; to->rows && i < from->n; i++) {
		const struct count_row *was = &from->rows[i], *before = i ? was - 1 : 0;

		to->rows[i] = *was;
		to->rows[i].file = before && before->file == was->file ? to->rows[i - 1].file
									   : put_name(&names, was->file);
		to->rows[i].function = before && before->function == was->function
					   ? to->rows[i - 1].function
					   : put_name(&names, was->function);
	}
	return to->rows;
}

void cacheprof_counts_keep(struct process *process, struct module *module)
{
	struct module alone = *module;
	struct counts counts = {0};
	struct gone *gone = cacheprof_mmap(sizeof *gone);

	alone.next = 0;
	if (!gone || !collect(&alone, 0, &counts) || !cacheprof_rows_merge(&counts) ||
	    !copy_rows(&gone->counts, &counts)) {
		cacheprof_print(SAY "no memory for the counts of an unloaded module; they are lost\n");
		return;
	}
	gone->next = process->gone;
	process->gone = gone;
}
