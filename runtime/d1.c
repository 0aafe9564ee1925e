/* D1. Planted code compares the line of a reference with the filter's entry for its set: the most
 * recently used line. What differs comes here, mostly through the stubs in slow_x86_64.S, which
 * make a line the most recently used one themselves and call only for what is out of the ordinary.
 * The entry is stored first, and not in the row of ways: the next check of the set does not wait for that.
 *
 * Where two lines a check may span are never in one set, and clusters with one base cannot share a set (groups.c,
 * SAME_BASE_REACH), entries are lines, and a check that fails tells nothing of the others. Of smaller caches and of
 * other lines an entry is FILTER_LINE bytes of memory, and stands only while all lines of these are the most recently
 * used of their sets: so all checks of a segment pass only if nothing changes, and from the first that fails on the
 * segment runs in program order. With lines so small that few entries would stand, none ever does. */
#include "runtime/d1.h"
#include "runtime/mark_x86_64.h"
#include "runtime/regions.h"
#include "runtime/special.h"

#include <stddef.h>

/* Of the largest lines of which no two that references with one base are in, within 1024 bytes (groups.c,
 * SAME_BASE_REACH), can be of one set where ways have FILTER_BYTES. */
#define APART_LINE_MAX 1024

struct models cacheprof_models;

_Static_assert(offsetof(struct check, ordered) == CHECK_ORDERED, "");
_Static_assert(offsetof(struct check, n) == CHECK_N, "");
_Static_assert(offsetof(struct check, whole) == CHECK_WHOLE, "");
_Static_assert(offsetof(struct check, more) == CHECK_MORE, "");
_Static_assert(offsetof(struct check, misses) == CHECK_MISSES, "");
_Static_assert(offsetof(struct check, refs) == CHECK_REFS, "");
_Static_assert(offsetof(struct ordered, refs) == ORDERED_REFS, "");
_Static_assert(CHECK_ORDERED + ORDERED_REFS == CHECK_REFS, ""); /* first_in_line */
_Static_assert(offsetof(struct reference, site) == REFERENCE_AT_SITE, "");
_Static_assert(offsetof(struct reference, disp) == REFERENCE_AT_DISP, "");
_Static_assert(offsetof(struct reference, flags) == REFERENCE_AT_FLAGS, "");
_Static_assert(offsetof(struct reference, size) == REFERENCE_AT_SIZE, "");
_Static_assert(sizeof(struct reference) == REFERENCE_LENGTH, "");
_Static_assert(sizeof(struct misses) == 1 << MISSES_SHIFT, "");

/* What planted code and stubs read; each module has its own. Per-thread things are in cacheprof_data
 * (slow_x86_64.S). */
uint64_t cacheprof_to_place; /* from an address in cacheprof_data */
uint64_t cacheprof_d1_set_mask, cacheprof_d1_line_mask, cacheprof_d1_factor;
uint64_t cacheprof_d1_way_bytes, cacheprof_d1_rest_bytes; /* of a row's ways, or of those of its two parts */
uint32_t cacheprof_d1_plain; /* d1.h */
uint32_t cacheprof_has_avx, cacheprof_has_avx512;
uint8_t cacheprof_vectors; /* the stubs' common case: d1.h */
uint64_t cacheprof_d1_ordinary; /* a line's bytes, if caches are ordinary (d1.h) and there is AVX-512; else 0 */
uint64_t cacheprof_d1_steady; /* the same where rows are steady; else 0 */
uint64_t cacheprof_d1_ranked; /* ... are ranked */
uint8_t cacheprof_strides; /* site.h */
bool cacheprof_d1_parts; /* rows are in two parts */
uint16_t cacheprof_d1_ways; /* a bit for each way of a row, or of its second part */

/* The filter's memory, zero when it is new: an executable's is where %gs points (site.h). NULL: there is none. */
static uint64_t *filter_memory(struct thread *thread)
{
	if (!thread->filter_room)
		thread->filter_room = IN_EXECUTABLE ? (uint64_t *)(cacheprof_places() + (uint64_t)thread->delta)
						    : cacheprof_mmap(FILTER_ROOM);
	return thread->filter_room;
}

static bool same_geometry(struct geometry a, struct geometry b)
{
	return a.size == b.size && a.assoc == b.assoc && a.line == b.line;
}

/* Which registers the system saves (SDM, XCR0). */
static uint32_t saved_by_system(void)
{
	uint32_t low, high;

	if (!(cacheprof_cpuid(1, 0).ecx >> 27 & 1))
		return 0;
	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

static bool has_avx(void)
{
	return (saved_by_system() & 0x06) == 0x06 && cacheprof_cpuid(1, 0).ecx >> 28 & 1;
}

/* Of AVX-512 F, DQ, BW and VL, and BMI1 and BMI2 (SDM, CPUID leaf 7): a hypervisor may hide some of them. */
static bool has_avx512(void)
{
	const uint32_t wanted = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31 | 1u << 3 | 1u << 8;

	return (saved_by_system() & 0xe6) == 0xe6 && (cacheprof_cpuid(7, 0).ebx & wanted) == wanted;
}

/* AVX2 and BMI1, and XGETBV that tells which of AVX's registers are in use (SDM, CPUID leaves 7 and 13). */
static bool has_avx2(void)
{
	uint32_t features = cacheprof_cpuid(7, 0).ebx;

	return has_avx() && features >> 5 & features >> 3 & 1 && cacheprof_cpuid(13, 1).eax >> 2 & 1;
}

/* While the filter is on, and where there is a row for each entry and none is longer than from one to the next, but for
 * ranked ones. */
static bool rows_are_behind_filter(void)
{
	return cacheprof_models.filter && cacheprof_d1_set_mask < FILTER_BYTES &&
	       (8u << cacheprof_models.d1.row_shift == FILTER_LINE || cacheprof_models.ranked);
}

/* Rows of more ways than a register holds are then in two parts, of which the first is more often looked
 * at, and may lie behind the filter's entries. */
static uint8_t choose_vectors(struct models *m, enum simd simd)
{
	if (!cacheprof_has_avx512 || simd < SIMD_AVX512 || !cacheprof_ll_rows || !m->filter ||
	    m->d1.ways > 2 * PART_WAYS || m->ll.line_shift < m->d1.line_shift)
		return VECTORS_NONE;
	if (m->d1.ways > PART_WAYS) {
		cacheprof_d1_parts = true;
		m->d1.row_shift = __builtin_ctz(PART_WAYS);
	}
	return rows_are_behind_filter() ? VECTORS_BEHIND : VECTORS_ROWS;
}

/* Whether it may have rows whose lines stay in their ways: steady ones or ranked ones. */
static bool suits_order(const struct models *m)
{
	return m->filter && cacheprof_d1_set_mask < FILTER_BYTES && m->d1.ways >= 2 && m->d1.ways <= RANKED_WAYS;
}

/* What would serve such caches best. With AVX-512 LL's rows are faster than its map where caches are
 * ordinary, and where D1 has too few ways for strided loops: else these are made by the map only, and so are misses of
 * references of two lines in assembler. */
static enum ll_form choose_ll(const struct models *m, bool vectors)
{
	if (m->ll.line_shift != LL_LINE_AT)
		return LL_ANY;
	if (!vectors || !m->filter || m->d1.ways > 2 * PART_WAYS || m->ll.ways > LL_ROW_WAYS || cacheprof_ll_paged)
		return LL_MAP;
	if (!suits_order(m) || m->d1.ways < STRIDED_REFS)
		return LL_ANY;
	return m->d1.ways == PART_WAYS && m->ll.ways == LL_HALVES_WAYS ? LL_HALVES : LL_MAP;
}

/* With that, where a set has a way for each line that an iteration of a loop may refer to. */
static bool choose_strides(const struct models *m, enum ll_form ll, enum simd simd)
{
	if (m->d1.ways < STRIDED_REFS)
		return false;
	return ll == LL_HALVES || ((m->steady || m->ranked) && simd >= SIMD_AVX2 && has_avx2());
}

void cacheprof_models_start(const struct options *options, int level)
{
	struct models *m = &cacheprof_models;
	uint64_t way = options->d1.size / options->d1.assoc;
	enum ll_form ll;

	cacheprof_has_avx = has_avx();
	cacheprof_has_avx512 = has_avx512();
	if (level < 2)
		return;
	cacheprof_to_place = -cacheprof_places();
	cacheprof_i1_start(options->i1);
	m->d1 = cache_of(options->d1);
	m->ll = cache_of(options->ll);
	cacheprof_ll_paged = options->first_touch;
	if (cacheprof_ll_paged)
		cacheprof_pages_start();
	m->d1_built_in = same_geometry(options->d1, cacheprof_d1_geometry);
	m->filter = way >= FILTER_BYTES && options->d1.line == FILTER_LINE;
	cacheprof_d1_set_mask = way - options->d1.line;
	ll = choose_ll(m, cacheprof_has_avx512 && options->simd >= SIMD_AVX512);
	if (!cacheprof_ll_start(&m->ll, ll))
		ll = LL_ANY;
	cacheprof_vectors = choose_vectors(m, options->simd);
	m->steady = ll != LL_ANY && suits_order(m) && m->d1.ways == PART_WAYS;
	m->ranked = ll == LL_MAP && suits_order(m) && !m->steady;
	cacheprof_d1_steady = m->steady && m->ll_by_map ? FILTER_LINE : 0;
	cacheprof_d1_ranked = m->ranked ? FILTER_LINE : 0;
	cacheprof_d1_ordinary = ll == LL_HALVES ? FILTER_LINE : 0;
	cacheprof_strides = choose_strides(m, ll, options->simd);
	if (m->ranked)
		cacheprof_ranked_start(m->d1.ways);
	cacheprof_d1_ways = (uint16_t)((1u << (options->d1.assoc - 1) % PART_WAYS << 1) - 1);
	cacheprof_d1_line_mask = m->d1.line_mask;
	cacheprof_d1_factor = ((uint64_t)8 << m->d1.row_shift << 16) / options->d1.line;
	cacheprof_d1_way_bytes = (cacheprof_d1_parts ? PART_WAYS : options->d1.assoc) * 8;
	cacheprof_d1_rest_bytes = options->d1.assoc * 8 - cacheprof_d1_way_bytes;
	cacheprof_d1_plain = (way >= FILTER_BYTES && options->d1.line <= APART_LINE_MAX ? PLAIN_APART : 0) |
			     (options->d1.line < PLAIN_LINE_MIN ? PLAIN_UNFILTERED : 0) |
			     (options->d1.line < FILTER_LINE && way <= FILTER_BYTES ? PLAIN_STANDS : 0);
}

/* ---- entries of the filter ---- */

/* Whether entries are FILTER_LINE bytes of memory, and not lines. */
static bool has_other_entries(void)
{
	return !cacheprof_models.filter && -cacheprof_models.d1.line_mask >= PLAIN_LINE_MIN;
}

/* Where entries are not D1's lines. */
static void empty_filter(const struct thread *thread)
{
	for (uint64_t at = 0; at < FILTER_BYTES; at += FILTER_LINE)
		*filter_entry(thread, at) = (uint64_t)NO_ENTRY;
}

static void clear_entries(const struct thread *thread, uint64_t line)
{
	uint64_t length = line ? -cacheprof_models.d1.line_mask : 0; /* 0: no line */

	for (uint64_t at = 0; at < length && at < FILTER_BYTES; at += FILTER_LINE)
		*(volatile uint64_t *)filter_entry(thread, line + at) = (uint64_t)NO_ENTRY;
}

/* As cache_touch. An entry that stood for a line that is no more the most recently used one would let pass whatever
 * refers to it, and nothing would end that. A signal's handler may make it stand, and perhaps not return, or make
 * another line the most recently used one: so entries go before the line does, and those of the one that went behind
 * that. */
static bool touch_with_entries(const struct thread *thread, uint64_t line)
{
	const struct cache *d1 = &cacheprof_models.d1;
	uint64_t *row = cache_row(d1, thread->d1_rows, line), before = *row;

	clear_entries(thread, before);
	if (!replace_if(row, before, line))
		before = exchange(row, line); /* a handler that comes between might do so for ever */
	clear_entries(thread, before);
	return before == line || row_touch(row + 1, d1->ways - 1, line, before);
}

/* A signal's handler may come between anywhere: what it has changed is seen behind it. */
static void set_entry(const struct thread *thread, uint64_t address)
{
	const struct cache *d1 = &cacheprof_models.d1;
	uint64_t entry = address & -(uint64_t)FILTER_LINE, line = entry & d1->line_mask;

	*(volatile uint64_t *)filter_entry(thread, entry) = entry;
	for (; line < entry + FILTER_LINE; line += -d1->line_mask)
		if (*(volatile uint64_t *)cache_row(d1, thread->d1_rows, line) != line)
			*filter_entry(thread, entry) = (uint64_t)NO_ENTRY;
}

static void set_filter(const struct thread *thread, uint64_t address)
{
	if (cacheprof_models.filter)
		*filter_entry(thread, address) = address & cacheprof_models.d1.line_mask;
	else if (has_other_entries())
		set_entry(thread, address);
}

/* Where entries are not D1's lines: as if all had been cleared and lines had been touched since. */
static void fill_filter(const struct thread *thread)
{
	const struct cache *d1 = &cacheprof_models.d1;

	empty_filter(thread);
	for (uint64_t set = 0; set <= d1->set_mask; set++) {
		uint64_t line = thread->d1_rows[set << d1->row_shift];

		if (line)
			set_filter(thread, line);
	}
}

/* ---- while counting is off ---- */

/* The filter has been put away, and checks may leave in it what makes them pass. */
uint8_t cacheprof_filter_lent;

static char kept_filter[FILTER_BYTES];
static const struct thread *lender;

/* Only while there is one thread, in one module: nobody can tell whether the filter of another still
 * exists. */
static void lend_filter(const struct thread *thread)
{
	if (!thread || thread->next || thread->module->next || cacheprof_process.modules != thread->module)
		return;
	cacheprof_memcpy(kept_filter, thread->filter, sizeof kept_filter);
	lender = thread;
	cacheprof_filter_lent = 1;
}

static void return_filter(void)
{
	if (!cacheprof_filter_lent)
		return;
	cacheprof_filter_lent = 0;
	if (has_other_entries()) /* a handler may have put it away in the midst of their being cleared */
		fill_filter(lender);
	else
		cacheprof_memcpy(lender->filter, kept_filter, sizeof kept_filter);
}

/* The stubs are told that they can do nothing themselves: they pass everything on to where it is seen
 * that counting is off. */
static struct {
	uint32_t plain;
	uint64_t ordinary, steady, ranked;
	uint8_t vectors, strides;
} able;

void cacheprof_models_pause(const struct module *module)
{
	struct thread *self = cacheprof_this_thread();

	able.plain = cacheprof_d1_plain;
	able.ordinary = cacheprof_d1_ordinary;
	able.steady = cacheprof_d1_steady;
	able.ranked = cacheprof_d1_ranked;
	able.vectors = cacheprof_vectors;
	able.strides = cacheprof_strides;
	cacheprof_d1_plain = PLAIN_OFF;
	cacheprof_d1_ordinary = 0;
	cacheprof_d1_steady = 0;
	cacheprof_d1_ranked = 0;
	cacheprof_vectors = 0;
	cacheprof_strides = 0;
	if (cacheprof_process.level < 2)
		return;
	lend_filter(module->threads);
	for (struct thread *t = module->threads; t; t = t->next)
		cacheprof_i1_keep_times(t);
	if (self)
		cacheprof_i1_know_all(self);
}

void cacheprof_models_resume(const struct module *module)
{
	if (cacheprof_process.level >= 2) {
		return_filter();
		for (struct thread *t = module->threads; t; t = t->next)
			cacheprof_i1_resume(t);
	}
	cacheprof_d1_ordinary = able.ordinary;
	cacheprof_d1_steady = able.steady;
	cacheprof_d1_ranked = able.ranked;
	cacheprof_vectors = able.vectors;
	cacheprof_strides = able.strides;
	cacheprof_d1_plain = able.plain;
}

static uint64_t *rows_behind(uint64_t *filter)
{
	return filter + FILTER_ROWS / sizeof *filter;
}

/* The filter is another, and with it rows that lie behind it. */
static void move_filter(struct thread *thread, uint64_t *filter)
{
	uint64_t *rest = thread->d1_rows + thread->d1_far;

	thread->filter = filter;
	if (!rows_are_behind_filter())
		return;
	thread->d1_rows = rows_behind(filter);
	if (cacheprof_d1_parts)
		thread->d1_far = rest - thread->d1_rows;
}

/* The words that n rows have behind their ways: the stubs compare them, too. */
static void end_rows(uint64_t *rows, uint64_t n, unsigned words, unsigned ways)
{
	for (; n && ways < words; n--, rows += words)
		for (unsigned way = ways; way < words; way++)
			rows[way] = NO_LINE;
}

/* Of a thread whose filter and rows are all 0. */
static void mark_none(const struct thread *thread)
{
	const struct cache *d1 = &cacheprof_models.d1;
	uint64_t n = d1->set_mask + 1;

	cache_none(d1, thread->d1_rows, thread->d1_far);
	*filter_entry(thread, 0) = (uint64_t)NO_ENTRY;
	if (!cacheprof_models.filter)
		empty_filter(thread);
	if (cacheprof_models.steady)
		cacheprof_steady_none(thread);
	else if (cacheprof_models.ranked)
		end_rows(thread->d1_rows, n, RANKED_WAYS, d1->ways);
	else if (cacheprof_d1_parts)
		end_rows(thread->d1_rows + thread->d1_far, n, PART_WAYS, d1->ways - PART_WAYS);
	else
		end_rows(thread->d1_rows, n, 1u << d1->row_shift, d1->ways);
}

bool cacheprof_models_thread(struct thread *thread)
{
	const struct models *m = &cacheprof_models;

	thread->filter = filter_memory(thread);
	if (!thread->filter)
		return false;
	thread->d1_rows = rows_are_behind_filter() ? rows_behind(thread->filter) : cacheprof_mmap(cache_bytes(&m->d1));
	thread->d1_far = PART_WAYS;
	if (!thread->d1_rows)
		return false;
	if (cacheprof_d1_parts) {
		uint64_t *rest = cacheprof_mmap(cache_bytes(&m->d1));

		if (!rest)
			return false;
		thread->d1_far = rest - thread->d1_rows;
	}
	mark_none(thread);
	return cacheprof_i1_thread(thread);
}

bool cacheprof_models_renew(struct thread *thread)
{
	const struct models *m = &cacheprof_models;
	uint64_t *filter = filter_memory(thread), now = *clock_of(thread->filter);

	cacheprof_i1_renew(thread);
	if (!filter)
		return false;
	cacheprof_memset(filter, 0, FILTER_ROOM);
	*clock_of(filter) = now;
	move_filter(thread, filter);
	if (!rows_are_behind_filter())
		cacheprof_memset(thread->d1_rows, 0, cache_bytes(&m->d1));
	if (cacheprof_d1_parts)
		cacheprof_memset(thread->d1_rows + thread->d1_far, 0, cache_bytes(&m->d1));
	mark_none(thread);
	return true;
}

void cacheprof_models_enter(struct thread *thread)
{
	if (!cacheprof_off || cacheprof_process.level < 2)
		return;
	return_filter();
	if (!thread->module->threads)
		lend_filter(thread);
	cacheprof_i1_know_all(thread);
}

void cacheprof_models_move(struct thread *thread)
{
	uint64_t *filter = filter_memory(thread);

	cacheprof_memcpy(filter, thread->filter, FILTER_ROOM);
	move_filter(thread, filter);
}

void cacheprof_clear_vectors(void);

void cacheprof_models_forget(void)
{
	if (cacheprof_has_avx512)
		cacheprof_clear_vectors();
}

static bool touch(struct thread *thread, uint64_t line)
{
	if (cacheprof_models.steady)
		return cacheprof_touch_steady(thread, line);
	if (cacheprof_models.ranked)
		return cacheprof_touch_ranked(thread, line);
	if (has_other_entries())
		return touch_with_entries(thread, line);
	return cache_touch(&cacheprof_models.d1, thread->d1_rows, thread->d1_far, line);
}

void cacheprof_d1_order(const struct thread *thread, uint64_t set, uint64_t *lines)
{
	const struct cache *d1 = &cacheprof_models.d1;
	uint64_t line = set << d1->line_shift, *row;

	if (cacheprof_models.steady) {
		cacheprof_order_steady(thread, line, lines);
		return;
	}
	if (cacheprof_models.ranked) {
		cacheprof_order_ranked(thread, line, lines);
		return;
	}
	row = cache_row(d1, thread->d1_rows, line);
	for (uint32_t way = 0; way < d1->ways; way++)
		lines[way] = *cache_way(row, thread->d1_far, way);
}

/* True if any of its lines missed. */
static bool look_up(struct thread *thread, uint64_t address, uint64_t size)
{
	const struct models *m = &cacheprof_models;
	uint64_t length = -m->d1.line_mask, line = address & m->d1.line_mask;
	uint64_t n = ((address + size - 1 - line) >> m->d1.line_shift) + 1;
	bool built_in = m->d1_built_in && !cacheprof_d1_parts && !m->steady && !m->ranked && !has_other_entries();
	bool missed = false;

	if (built_in)
		missed = cachesim_doref(thread->d1_rows, address, size);
	for (uint64_t i = 0; i < n && !built_in; i++)
		missed |= !touch(thread, line + i * length);
	set_filter(thread, address);
	for (uint64_t i = 1; i < n; i++)
		set_filter(thread, line + i * length);
	return missed;
}

static void missed(struct thread *thread, const struct chunk *chunk, uint32_t site, uint64_t address, uint64_t size)
{
	struct misses *misses = (struct misses *)thread_array(thread, &chunk->misses) + site;

	misses->l1++;
	misses->ll += cacheprof_ll_reference(address, size);
}

void cacheprof_d1_reference(struct thread *thread, const struct chunk *chunk, uint32_t site,
			    uint64_t address, uint64_t size)
{
	if (look_up(thread, address, size))
		missed(thread, chunk, site, address, size);
}

void cacheprof_d1_line(struct thread *thread, const struct chunk *chunk, uint32_t site, uint64_t line,
		       uint64_t address, uint64_t size)
{
	if (look_up(thread, line, 1))
		missed(thread, chunk, site, address, size);
}

void cacheprof_d1_again(struct thread *thread, uint64_t line)
{
	look_up(thread, line, 1);
}

uint64_t cacheprof_address(const uint64_t *regs, const struct reference *r)
{
	return address_at(regs, r);
}

/* Planted code counts them. */
static void run_lanes(struct thread *thread, const uint64_t *regs, const struct chunk *chunk,
		      const struct reference *r)
{
	uint64_t at[MOST_LANES];
	unsigned n = cacheprof_special_lanes(regs, r, at);

	for (unsigned i = 0; i < n; i++)
		cacheprof_d1_reference(thread, chunk, r->site, at[i], r->size & 0xff);
}

static void run(struct thread *thread, const uint64_t *regs, const struct chunk *chunk, uint32_t n,
		const struct reference *refs)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct reference *r = &refs[i];

		if (r->form == FORM_GOT) {
			const struct got_words *words = rel_at(&r->disp);

			if (words->entry != FILTER_NEVER)
				cacheprof_d1_reference(thread, chunk, r->site, words->slot, 8);
		} else if (r->form == FORM_LANES) {
			run_lanes(thread, regs, chunk, r);
		} else {
			cacheprof_d1_reference(thread, chunk, r->site, cacheprof_address(regs, r), r->size);
		}
	}
}

/* From a stub: a check that straddles, or a cache that is looked up reference by reference. The rest of the
 * segment then runs in program order, since the second line may be one that another of its checks
 * covers. It begins with this check's first reference: all before it were of checks that are done, and
 * whose lines, if they are more than a set holds, may be gone again. Those behind it that were of such
 * checks find their line as it was left. Returns where to go on instead of behind the check, or NULL. */
const void *cacheprof_d1_run(const uint64_t *regs, const struct check *check);
const void *cacheprof_d1_run(const uint64_t *regs, const struct check *check)
{
	struct thread *thread = cacheprof_this_thread();
	const struct ordered *ordered = rel_at(&check->ordered);
	uint32_t first = 0;

	if (cacheprof_off)
		return ordered ? rel_at(&ordered->end) : 0;
	if (!ordered) {
		run(thread, regs, rel_at(&check->chunk), check->n, check->refs);
		return 0;
	}
	while (ordered->refs[first].site != check->refs[0].site)
		first++;
	run(thread, regs, rel_at(&ordered->chunk), ordered->n - first, ordered->refs + first);
	return rel_at(&ordered->end);
}
