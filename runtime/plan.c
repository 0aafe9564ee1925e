/* In which order the streams of a strided loop go by lines.
 *
 * All references of a loop go on by the same step, so each is a stream that comes to line after line. A set of D1 meets
 * the streams in the order in which they lie around it, the foremost first: so many iterations may be taken at once,
 * stream by stream in that order, as the foremost stream needs to come to where the last one was. As long as streams
 * are no more than ways, none of the lines that they lie in is evicted, and while they lie there only the first
 * reference to each can miss. What they leave in a set is the order of the last ones: that of the first ones, too, if
 * each pair of streams enters and leaves lines in the same order. Where they do not they are near to one another, and
 * of different sizes, or one straddles lines: then each stream gets a tail, which goes where it refers to lines for the
 * last time. LL's sets meet the streams in the same order, also where it takes pages by numbers: a page begins where
 * D1's sets do.
 *
 * References that lie side by side, in groups, are one stream for each group instead, if no two groups are ever in one
 * set in the same iteration: each comes to one line after the other, and only whose miss each is must be told. */
#include "runtime/streams.h"

/* Bytes that a place is ahead of another one around D1's sets, from -FILTER_BYTES / 2 on. */
static int64_t ahead(uint64_t place, uint64_t of)
{
	return (int64_t)((place - of + FILTER_BYTES / 2) % FILTER_BYTES) - FILTER_BYTES / 2;
}

/* Which of two streams comes first to where it makes a difference: later in program order is later. Both lie at these
 * places where iterations are counted from. */
static bool comes_first(const struct run *run, uint64_t place, uint64_t other, bool earlier)
{
	int64_t by = ahead(place, other);
	uint64_t phase = other & (run->pace - 1);
	int64_t iterations = (by + (int64_t)phase) >> run->pace_shift;

	return iterations > 0 || (!iterations && earlier);
}

/* Whether in each set the one is done with its line before the other comes to its own. */
static bool are_apart(const struct stream *a, const struct stream *b)
{
	int64_t by = ahead(a->front, b->front);
	const struct stream *first = by > 0 ? a : b;

	return (uint64_t)(by > 0 ? by : -by) >= first->front - first->back + FILTER_LINE;
}

static bool are_on_same_lines(const struct stream *a, const struct stream *b)
{
	return a->front - b->front + NEAR <= 2 * NEAR;
}

/* Whether lines of the streams that are of one set of D1 may be of one set of LL, too. */
static bool may_share_ll(const struct stream *a, const struct stream *b)
{
	uint64_t around = cacheprof_ll_set_bits + FILTER_LINE;

	return cacheprof_ll_paged || (a->front - b->front + NEAR) % around <= 2 * NEAR;
}

/* Whether it is known in which order the streams a and b, in program order, come to lines: that of their fronts. To
 * tails: whether they leave lines in another order. One that straddles takes the line before its own to LL, too, if D1
 * misses its own, perhaps behind what the other one took to that set. */
static bool are_in_order(struct run *run, const struct stream *a, const struct stream *b, bool *tails)
{
	int64_t by = ahead(a->front, b->front);
	bool same_lines = are_on_same_lines(a, b);

	if (by > NEAR || by < -NEAR)
		return true;
	run->plan.meets |= !same_lines;
	if (are_apart(a, b))
		return true;
	if (!run->even_pace)
		return same_lines && (a->front == b->front || pace_of(a->front - b->front) >= run->pace);
	if (same_lines)
		return true;
	run->plan.in_step |= (a->straddles || b->straddles) && may_share_ll(a, b);
	*tails |= comes_first(run, a->front, b->front, true) != comes_first(run, a->back, b->back, true);
	return true;
}

/* A stream straddles everywhere or nowhere if lines are so many steps long; else only one whose references are
 * aligned is known to do so nowhere. False: it is not known. */
static bool find_straddling(const struct run *run, struct stream *s)
{
	s->straddles = run->even_pace && (s->front & (run->pace - 1)) + 1 < s->size;
	return run->even_pace || is_aligned(s);
}

/* A stream refers to a line for the last time where this comes to it: where the back goes on to another. */
static void add_tails(struct run *run)
{
	for (unsigned i = 0; i < run->n; i++) {
		struct stream *tail = &run->streams[run->n + i];

		*tail = run->streams[i];
		tail->front = tail->back + run->pace - FILTER_LINE;
		tail->straddles = false;
	}
}

/* How far a stream's front is from the end of D1's sets, in bytes, above its number. */
static uint32_t around_of(const struct run *run, uint32_t i)
{
	return (uint32_t)(~run->streams[i].front % FILTER_BYTES) << 8 | i;
}

/* Streams, and tails, the foremost around D1's sets first. */
static void sort_around(const struct run *run, uint32_t *sorted)
{
	for (uint32_t i = 0; i < run->plan.n_parts; i++) {
		uint32_t around = around_of(run, i), at = i;

		for (; at && sorted[at - 1] > around; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = around;
	}
}

/* The streams in the order in which a set meets them, from behind the widest gap on. */
static void find_order(struct run *run)
{
	uint32_t sorted[STRIDED_GROUPED_REFS], n = run->plan.n_parts, foremost = 0;
	int64_t before, widest = 0, least = FILTER_BYTES;

	sort_around(run, sorted);
	before = (int64_t)(sorted[n - 1] >> 8) - FILTER_BYTES;
	for (uint32_t i = 0; i < n; i++) {
		int64_t gap = (sorted[i] >> 8) - before;

		foremost = gap > widest ? i : foremost;
		widest = gap > widest ? gap : widest;
		least = gap < least ? gap : least;
		before = sorted[i] >> 8;
	}
	run->plan.gap = (uint64_t)widest;
	run->plan.spread = least > NEAR;
	for (uint32_t i = 0; i < n; i++) {
		run->plan.order[i] = (uint8_t)sorted[foremost];
		foremost = foremost + 1 < n ? foremost + 1 : 0;
	}
}

/* Within a few bytes it may be the order of the program, and not that of the places. */
static void sort_near(struct run *run)
{
	for (unsigned i = 1; i < run->plan.n_parts; i++)
		for (unsigned at = i; at; at--) {
			uint8_t later = run->plan.order[at], sooner = run->plan.order[at - 1];
			const struct stream *a = &run->streams[sooner], *b = &run->streams[later];

			if (!run->even_pace || ahead(a->front, b->front) > NEAR ||
			    comes_first(run, a->front, b->front, sooner < later))
				break;
			run->plan.order[at] = sooner;
			run->plan.order[at - 1] = later;
		}
}

_Static_assert(NEAR < NEVER, "");

/* Streams that come to where others of those before them are now. */
static void find_following(struct run *run)
{
	struct plan *plan = &run->plan;

	for (unsigned i = 0; i < plan->n_parts; i++) {
		const struct stream *s = &run->streams[plan->order[i]];
		uint8_t *alone = &plan->alone[plan->order[i]];

		*alone = NEVER;
		for (unsigned k = 0; k < i && !plan->meets && !plan->spread; k++) {
			const struct stream *before = &run->streams[plan->order[k]];

			if (are_on_same_lines(before, s))
				*alone = before->front < s->front ? 0 : (uint8_t)(before->front - s->front);
		}
	}
}

static bool are_all_in_order(struct run *run, bool *tails)
{
	for (unsigned i = 0; i < run->n && !run->plan.spread; i++)
		for (unsigned k = i + 1; k < run->n; k++)
			if (!are_in_order(run, &run->streams[i], &run->streams[k], tails))
				return false;
	return true;
}

static void begin_plan(struct run *run)
{
	run->plan.n_parts = run->n;
	run->plan.is_known = run->plan.meets = run->plan.in_step = false;
	find_order(run);
}

static void make_plan(struct run *run)
{
	bool tails = false;

	begin_plan(run);
	if (!are_all_in_order(run, &tails))
		return;
	if (tails) {
		run->plan.n_parts = 2 * run->n;
		add_tails(run);
		find_order(run);
	}
	if (!run->plan.spread)
		sort_near(run);
	find_following(run);
	run->plan.is_known = true;
}

/* Of groups: those that are more than NEAR ahead are apart, since none is longer. */
_Static_assert(STRIDED_EXTENT - 1 + FILTER_LINE <= NEAR, "");
static bool are_groups_apart(const struct run *run)
{
	for (unsigned i = 0; i < run->n && !run->plan.spread; i++)
		for (unsigned k = 0; k < i; k++)
			if (!are_apart(&run->streams[i], &run->streams[k]))
				return false;
	return true;
}

static void make_plan_of_groups(struct run *run)
{
	begin_plan(run);
	for (unsigned i = 0; i < run->n; i++)
		run->plan.alone[i] = NEVER;
	run->plan.is_known = are_groups_apart(run);
}

/* ---- plans that were made before ----
 *
 * Where loops are nested, the streams of an inner one lie mostly as they did when it ran before. */

#define LEAST_KEPT 3 /* streams: for less it is made as soon */

/* What makes a difference of where the first stream is. */
static uint64_t phase_of(const struct run *run)
{
	return run->even_pace ? run->streams[0].address & (run->pace - 1) : 0;
}

static uint64_t behind_first(const struct run *run, unsigned i)
{
	return run->streams[i].address - run->streams[0].address;
}

static struct kept_plan *place_for_plan(const struct run *run)
{
	uint64_t number = (uint64_t)run->loop / sizeof(uint64_t) + run->n + phase_of(run);

	return &run->thread->plans[number % KEPT_PLANS];
}

static bool is_of(const struct kept_plan *kept, const struct run *run)
{
	if (kept->loop != run->loop || kept->n != run->n || kept->phase != phase_of(run))
		return false;
	for (unsigned i = 1; i < run->n; i++)
		if (kept->behind[i] != behind_first(run, i))
			return false;
	return true;
}

/* What is read or written before is so when a signal's handler comes, which may keep one here itself. */
static uint32_t changes_of(const struct kept_plan *kept)
{
	uint32_t changes;

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	changes = __atomic_load_n(&kept->changes, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return changes;
}

static void set_changes(struct kept_plan *kept, uint32_t changes)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&kept->changes, changes, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static bool take_kept_plan(struct run *run, const struct kept_plan *kept)
{
	uint32_t changes = changes_of(kept);

	if (changes % 2 || !is_of(kept, run))
		return false;
	run->plan = kept->plan;
	return changes_of(kept) == changes;
}

/* Where a handler has left by a jump in the midst of this, the place is not used again. */
static void keep_plan(const struct run *run, struct kept_plan *kept)
{
	uint32_t changes = changes_of(kept);

	if (changes % 2)
		return;
	set_changes(kept, changes + 1);
	kept->n = run->n;
	kept->loop = run->loop;
	kept->phase = phase_of(run);
	for (unsigned i = 1; i < run->n; i++)
		kept->behind[i] = behind_first(run, i);
	kept->plan = run->plan;
	set_changes(kept, changes + 2);
}

/* Made now or before: of groups or not, of which there are fewer than there are streams otherwise. */
static void find_plan(struct run *run, bool of_groups)
{
	struct kept_plan *kept = run->n < LEAST_KEPT ? NULL : place_for_plan(run);

	if (kept && take_kept_plan(run, kept)) {
		if (run->plan.n_parts > run->n)
			add_tails(run);
		return;
	}
	(of_groups ? make_plan_of_groups : make_plan)(run);
	if (kept)
		keep_plan(run, kept);
}

bool cacheprof_plan_streams(struct run *run)
{
	for (unsigned i = 0; i < run->n; i++) {
		find_place(&run->streams[i]);
		if (!find_straddling(run, &run->streams[i]))
			return false;
	}
	find_plan(run, false);
	return run->plan.is_known;
}

bool cacheprof_plan_groups(struct run *run)
{
	find_plan(run, true);
	return run->plan.is_known;
}
