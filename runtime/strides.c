/* The references of strided loops, and the predictions of their branches, made when some iterations are over.
 *
 * Caches are ordinary, or rows steady or ranked (d1.h), and there is AVX2 or AVX-512: elsewhere planted code leaves
 * these loops their checks. So D1 has as many ways as there may be streams, and LL's sets are parts of D1's.
 *
 * Iteration by iteration, reference by reference, is always right. Faster it goes line by line. All references of a
 * loop go on by the same step, so each is a stream that comes to line after line. A set of D1 meets the streams in
 * the order in which they lie around it, the foremost first: so many iterations may be taken at once, stream by
 * stream in that order, as the foremost stream needs to come to where the last one was. As long as streams are no
 * more than ways, none of the lines that they lie in is evicted, and while they lie there only the first reference to
 * each can miss. What they leave in a set is the order of the last ones: that of the first ones, too, if each pair of
 * streams enters and leaves lines in the same order. Where they do not they are near to one another, and of different
 * sizes, or one straddles lines: then each stream gets a tail, which goes where it refers to lines for the last time.
 * LL's sets meet the streams in the same order, also where it takes pages by numbers: a page begins where D1's sets do.
 *
 * References that lie side by side, in groups, are one stream for each group instead, if no two groups are ever in one
 * set in the same iteration: each comes to one line after the other, and only whose miss each is must be told.
 *
 * The iteration before those was checked, or made up for, too: the lines where streams are known to be. */
#include "runtime/strides.h"

#include "runtime/branch.h"
#include "runtime/regions.h"
#include "runtime/special.h"
#include "runtime/strides_x86_64.h"

/* Bytes by which streams may be ahead and yet lie in one set at the same time: two lines and a reference. */
#define NEAR (3 * FILTER_LINE)

#define NEVER UINT8_MAX
_Static_assert(NEAR < NEVER, "");

/* A reference that goes on. Places are addresses; where the step is negative, their complements, so that they grow. */
struct stream {
	const struct reference *is; /* of a group, the one that comes to lines first, if that is always the same */
	int64_t step;
	uint64_t address; /* of the next iteration's */
	uint64_t front, back; /* places of its foremost byte and its last one, in the iteration before */
	uint16_t size;
	bool straddles; /* where it comes to a line it is in the one before, too */
};

struct run {
	struct thread *thread;
	const struct strided *loop;
	const struct chunk *chunk;
	struct stream streams[STRIDED_GROUPED_REFS]; /* in program order, and behind them their tails */
	struct plan plan;
	uint8_t n;
	bool back; /* of two far streams: an iteration's last reference is one of the first stream, a twin */
	/* Where all have the same step: */
	int64_t step;
	uint64_t pace; /* its bytes, without a sign */
	uint8_t pace_shift; /* pace is 1 << that, if even_pace */
	bool even_pace;
	bool are_new;  /* D1 has none of the lines that they come to, and need not get them */
	/* Lines after which streams begin one as before; if more than one, by group and line, which reference comes to
	 * it first, and whether from the one before. */
	uint8_t phases;
	uint8_t first[STRIDED_REFS][STRIDED_PHASES];
};
#define FROM_BEFORE 0x80

/* How many lines D1 and LL missed. */
struct missed {
	uint64_t l1, ll;
};

/* In strides_x86_64.S: n lines, step bytes from one to the next, each a line or less one, through D1, and those that it
 * misses through LL; two: each with the one before it, if that has not just gone there. */
typedef struct missed lines(uint64_t line, int64_t step, uint64_t n, bool two);
lines cacheprof_steady_lines, cacheprof_ranked_lines;
lines cacheprof_steady_new_lines, cacheprof_ranked_new_lines;

/* There, for ordinary caches: the same of one page, by lines, the last one in bit 0: which ones' references come to the
 * line before, and in struct missed which lines were missed. */
typedef struct missed page_lines(uint64_t line, int64_t step, uint64_t n, uint64_t two);
page_lines cacheprof_page_lines, cacheprof_new_page_lines;

/* A far stream, which comes to other lines each time, and a near one, which goes first, and does sometimes. Where both
 * are in one set the near one's line is the first again as soon as it refers to it once more: in the next iteration, if
 * that is not another line's (1); in the same one, where a twin of it follows the far one (0). Where it is the far one
 * that has a twin, behind the near one, the far one's line stays the first if the next iteration's is the last to refer
 * to the near one's (2). */
struct beside {
	uint64_t far;	 /* its address in the next iteration */
	int64_t step;
	uint64_t near;	 /* its line */
	int64_t next;	 /* bytes from there to its next one */
	uint64_t left;	 /* iterations until it comes to that */
	uint64_t each;	 /* and, from there on, between one and the next, less one */
	uint64_t set;	 /* the place of near's entry in the filter; UINT64_MAX: there is no near one */
	uint64_t last;	 /* bytes from the far one's first byte to its last */
	int64_t again;	 /* least of left for which the near one's line is the first again */
	struct missed far_missed, near_missed;
};

_Static_assert(offsetof(struct beside, far) == BESIDE_FAR && offsetof(struct beside, step) == BESIDE_STEP &&
	       offsetof(struct beside, near) == BESIDE_NEAR && offsetof(struct beside, next) == BESIDE_NEXT &&
	       offsetof(struct beside, left) == BESIDE_LEFT && offsetof(struct beside, each) == BESIDE_EACH &&
	       offsetof(struct beside, set) == BESIDE_SET && offsetof(struct beside, last) == BESIDE_LAST &&
	       offsetof(struct beside, again) == BESIDE_AGAIN &&
	       offsetof(struct beside, far_missed) == BESIDE_FAR_MISSES &&
	       offsetof(struct beside, near_missed) == BESIDE_NEAR_MISSES, "");

/* In strides_x86_64.S: so many iterations, one or more. Of new lines the far stream's are none that D1 has, and not to
 * come there. */
typedef void lines_beside(struct beside *beside, uint64_t n);
lines_beside cacheprof_lines_beside, cacheprof_steady_lines_beside, cacheprof_ranked_lines_beside;
lines_beside cacheprof_new_lines_beside, cacheprof_steady_new_lines_beside, cacheprof_ranked_new_lines_beside;

static bool are_ordinary(void)
{
	return !cacheprof_models.ll_by_map;
}

static bool by_prints(void)
{
	return cacheprof_models.steady && !are_ordinary();
}

_Static_assert(offsetof(struct kept_vectors, in_use) == KEPT_IN_USE, "");

static void keep_vectors(struct kept_vectors *kept)
{
	if (by_prints())
		cacheprof_keep_vectors(kept);
}

static void give_vectors_back(const struct kept_vectors *kept)
{
	if (by_prints())
		cacheprof_give_vectors_back(kept);
}

touch *cacheprof_touch_of_rows(void)
{
	if (by_prints())
		return cacheprof_steady_touch;
	return cacheprof_models.ranked ? cacheprof_ranked_touch : cacheprof_touch;
}

/* Of other caches than ordinary ones. */
static lines *lines_of_rows(bool are_new)
{
	if (by_prints())
		return are_new ? cacheprof_steady_new_lines : cacheprof_steady_lines;
	return are_new ? cacheprof_ranked_new_lines : cacheprof_ranked_lines;
}

static lines_beside *lines_beside_of_rows(bool are_new)
{
	if (by_prints())
		return are_new ? cacheprof_steady_new_lines_beside : cacheprof_steady_lines_beside;
	if (cacheprof_models.ranked)
		return are_new ? cacheprof_ranked_new_lines_beside : cacheprof_ranked_lines_beside;
	return are_new ? cacheprof_new_lines_beside : cacheprof_lines_beside;
}

/* Vectors are kept. */
static void run_beside(struct beside *beside, uint64_t n, bool are_new)
{
	lines_beside_of_rows(are_new)(beside, n);
	if (beside->set != UINT64_MAX)
		beside->set = beside->near & FILTER_MASK;
}

static void add_missed(const struct run *run, const struct reference *is, const struct missed *missed)
{
	struct misses *misses = (struct misses *)thread_array(run->thread, &run->chunk->misses) + is->site;

	misses->l1 += missed->l1;
	misses->ll += missed->ll;
}

/* Bytes of a step, without its sign. */
static uint64_t pace_of(int64_t step)
{
	return (uint64_t)(step < 0 ? -step : step);
}

static uint64_t place_of(const struct stream *s, uint64_t address)
{
	return s->step < 0 ? ~address : address;
}

static bool is_at_front(const struct run *run, uint64_t line)
{
	return *filter_entry(run->thread, line) == line;
}

/* One iteration, in program order. */
static void iterate(struct run *run, touch *touch_reference)
{
	for (unsigned i = 0; i < run->n; i++) {
		struct stream *s = &run->streams[i];
		uint64_t line = s->address & -(uint64_t)FILTER_LINE;
		bool two = ((s->address + s->size - 1) ^ line) >= FILTER_LINE;
		unsigned missed = two || !is_at_front(run, line) ? touch_reference(line, two) : 0;

		if (missed)
			add_missed(run, s->is, &(struct missed){1, missed & TOUCH_LL ? 1 : 0});
		s->address += (uint64_t)s->step;
	}
}

/* Places of the iteration that is over. */
static void find_place(struct stream *s)
{
	uint64_t low = s->address - (uint64_t)s->step, high = low + s->size - 1;

	s->front = place_of(s, s->step < 0 ? low : high);
	s->back = place_of(s, s->step < 0 ? high : low);
}

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

/* Whether a reference never lies in two lines. */
static bool is_aligned(const struct stream *s)
{
	uint64_t size = s->size, step = pace_of(s->step);

	return !(size & (size - 1)) && !(s->address % size) && !(step % size);
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

static bool may_go_by_lines(struct run *run)
{
	for (unsigned i = 0; i < run->n; i++) {
		find_place(&run->streams[i]);
		if (!find_straddling(run, &run->streams[i]))
			return false;
	}
	find_plan(run, false);
	return run->plan.is_known;
}

/* Lines from this one on to the end of its page, where D1's sets begin again. */
static uint64_t lines_of_page(uint64_t line, int64_t step)
{
	uint64_t set = line % FILTER_BYTES / FILTER_LINE;

	return step < 0 ? set + 1 : FILTER_BYTES / FILTER_LINE - set;
}

/* What page_lines does, for other caches than ordinary ones. */
static APART struct missed touch_one_by_one(const struct run *run, uint64_t line, int64_t step, uint64_t n,
					    uint64_t two)
{
	struct missed all = {0};

	while (n--) {
		struct missed missed = lines_of_rows(run->are_new)(line, step, 1, two >> n & 1);

		all.l1 = all.l1 << 1 | missed.l1;
		all.ll = all.ll << 1 | missed.ll;
		line += (uint64_t)step;
	}
	return all;
}

/* n lines, at most a page's. Bits as of page_lines. */
static inline struct missed touch_page(const struct run *run, uint64_t line, int64_t step, uint64_t n, uint64_t two)
{
	if (!are_ordinary())
		return touch_one_by_one(run, line, step, n, two);
	if (run->are_new)
		return cacheprof_new_page_lines(line, step, n, two);
	return cacheprof_page_lines(line, step, n, two);
}

/* Processors with AVX2 can. */
static uint64_t count_bits(uint64_t bits)
{
	__asm__("popcnt\t%0, %0" : "+r"(bits) : : "cc");
	return bits;
}

/* By n: each n-th bit, from bit 0 on. */
static const uint64_t every[STRIDED_PHASES + 1] = {
	0, UINT64_MAX, 0x5555555555555555, 0x9249249249249249, 0x1111111111111111,
	0x1084210842108421, 0x1041041041041041, 0x8102040810204081, 0x0101010101010101,
};

/* The bits of the lines of a phase, if the one in bit 0 is of phase last. */
static uint64_t bits_of_phase(const struct run *run, unsigned phase, unsigned last)
{
	return every[run->phases] << (last >= phase ? last - phase : last + run->phases - phase);
}

/* Where lines' first references take turns. */
static void touch_page_in_turn(const struct run *run, const uint8_t *first, uint64_t line, int64_t step, uint64_t n,
			       unsigned last)
{
	uint64_t two = 0;
	struct missed missed;

	for (unsigned phase = 0; phase < run->phases; phase++)
		if (first[phase] & FROM_BEFORE)
			two |= bits_of_phase(run, phase, last);
	missed = touch_page(run, line, step, n, two);
	for (unsigned phase = 0; phase < run->phases && missed.l1; phase++) {
		uint64_t bits = bits_of_phase(run, phase, last);
		struct missed counted = {count_bits(missed.l1 & bits), count_bits(missed.ll & bits)};

		add_missed(run, &run->loop->refs[first[phase] & ~FROM_BEFORE].is, &counted);
	}
}

/* n lines, from this one on, which is at a place. */
static void touch_lines(const struct run *run, const struct stream *s, uint64_t place, uint64_t n)
{
	int64_t step = s->step < 0 ? -FILTER_LINE : FILTER_LINE;
	uint64_t line = place_of(s, place) & -(uint64_t)FILTER_LINE;
	struct missed missed = {0};

	if (!are_ordinary() && run->phases == 1) {
		missed = lines_of_rows(run->are_new)(line, step, n, s->straddles);
		add_missed(run, s->is, &missed);
		return;
	}
	while (n) {
		uint64_t left = lines_of_page(line, step), now = n < left ? n : left;

		place += now * FILTER_LINE;
		if (run->phases > 1) {
			touch_page_in_turn(run, run->first[s - run->streams], line, step, now,
					   (unsigned)((place / FILTER_LINE - 1) % run->phases));
		} else {
			struct missed bits = touch_page(run, line, step, now, s->straddles ? UINT64_MAX : 0);

			missed.l1 += count_bits(bits.l1);
			missed.ll += count_bits(bits.ll);
		}
		line += now * (uint64_t)step;
		n -= now;
	}
	if (run->phases == 1)
		add_missed(run, s->is, &missed);
}

/* The lines that the stream comes to in the next iterations, which take it so many bytes further. */
static void go_on(struct run *run, unsigned part, uint64_t bytes)
{
	struct stream *s = &run->streams[part];
	uint8_t *alone = &run->plan.alone[part];
	uint64_t own = bytes < *alone || *alone == NEVER ? bytes : *alone;
	uint64_t n = ((s->front & (FILTER_LINE - 1)) + own) / FILTER_LINE;
	uint64_t next = (s->front | (FILTER_LINE - 1)) + 1;

	if (*alone != NEVER)
		*alone -= (uint8_t)own;
	s->front += own;
	if (n)
		touch_lines(run, s, next, n);
}

/* The lines that streams lie in and will refer to in the next iteration, too, in the order in which they leave them. */
static void stay(struct run *run)
{
	for (unsigned i = 0; i < run->n; i++) {
		const struct stream *s = &run->streams[run->plan.order[i]];

		for (uint64_t line = (s->back + run->pace) / FILTER_LINE; line <= s->front / FILTER_LINE; line++)
			cacheprof_d1_again(run->thread, place_of(s, line * FILTER_LINE) & -(uint64_t)FILTER_LINE);
	}
}

/* So many bytes further, D1 has had as many of the streams' lines in each set as it has ways, since they left those
 * that they were in: it has no others. */
static uint64_t filling_all(const struct run *run)
{
	uint64_t times = (cacheprof_models.d1.ways + run->n - 1) / run->n;

	return times * FILTER_BYTES + 2 * FILTER_LINE;
}

/* Whether no stream comes in n iterations to a line that another one is in or comes to. */
static bool go_apart(const struct run *run, uint64_t n)
{
	for (unsigned i = 0; i < run->n; i++)
		for (unsigned k = 0; k < i; k++) {
			const struct stream *a = &run->streams[i], *b = &run->streams[k];

			if ((a->front + n * run->pace) / FILTER_LINE >= b->back / FILTER_LINE &&
			    (b->front + n * run->pace) / FILTER_LINE >= a->back / FILTER_LINE)
				return false;
		}
	return true;
}

/* In which iteration it comes to the next line, from 0. */
static uint64_t next_line_in(const struct run *run, const struct stream *s)
{
	return (FILTER_LINE - 1 - s->front % FILTER_LINE) >> run->pace_shift;
}

static void sort_by_next_line(struct run *run)
{
	for (unsigned i = 1; i < run->plan.n_parts; i++)
		for (unsigned at = i; at; at--) {
			uint8_t later = run->plan.order[at], sooner = run->plan.order[at - 1];
			const struct stream *a = &run->streams[sooner], *b = &run->streams[later];
			uint64_t a_in = next_line_in(run, a), b_in = next_line_in(run, b);

			if (a_in < b_in || (a_in == b_in && sooner < later))
				break;
			run->plan.order[at] = sooner;
			run->plan.order[at - 1] = later;
		}
}

/* Streams may go on, one behind the other, until the foremost one is near to where the last one was; the gap is wide
 * enough for some iterations. */
static void go_all(struct run *run, uint64_t n, bool are_new)
{
	uint64_t bytes = run->plan.in_step ? FILTER_LINE : run->plan.gap - NEAR;
	uint64_t most = run->even_pace ? bytes >> run->pace_shift : bytes / run->pace;

	run->are_new = are_new;
	if (run->plan.in_step)
		sort_by_next_line(run);
	while (n) {
		uint64_t now = n < most ? n : most;

		for (unsigned i = 0; i < run->plan.n_parts; i++)
			go_on(run, run->plan.order[i], now * run->pace);
		n -= now;
	}
}

/* So many iterations more. As in run_long_beside what D1 misses for certain is left out. */
static void go_by_lines(struct run *run, uint64_t n)
{
	if (run->plan.meets && run->plan.n_parts == run->n)
		stay(run);
	if (n * run->pace > 2 * FILTER_BYTES && run->plan.n_parts == run->n && go_apart(run, n)) {
		uint64_t fill = filling_all(run) / run->pace + 1;

		if (n > 2 * fill) {
			go_all(run, fill, false);
			go_all(run, n - 2 * fill, true);
			n = fill;
		}
	}
	go_all(run, n, false);
}

/* A tail is less than two lines behind. */
_Static_assert(STRIDED_GROUPED_REFS >= 2 * STRIDED_REFS, "");
_Static_assert(FILTER_BYTES / STRIDED_REFS - 2 * FILTER_LINE - NEAR >= FILTER_LINE && STRIDED_REFS <= PART_WAYS, "");
/* The longest step of several groups, each of which comes to all lines that it goes over. */
_Static_assert(FILTER_BYTES / STRIDED_REFS - NEAR >= STRIDED_EXTENT + FILTER_LINE, "");

/* ---- a far stream, and perhaps a near one ---- */

#define LEAST_NEW 16 /* iterations by which it gains to leave D1 out */

static struct beside beside_of(const struct stream *far, struct stream *near)
{
	struct beside b = {.far = far->address, .step = far->step, .left = INT64_MAX, .set = UINT64_MAX,
			   .last = far->size - 1u, .again = 1};
	uint64_t pace;

	if (!near)
		return b;
	find_place(near);
	b.near = place_of(near, near->front) & -(uint64_t)FILTER_LINE;
	b.set = b.near & FILTER_MASK;
	b.next = near->step < 0 ? -FILTER_LINE : FILTER_LINE;
	pace = pace_of(near->step);
	if (pace) {
		unsigned shift = (unsigned)__builtin_ctzll(pace);

		b.left = ((FILTER_LINE - 1 - near->front % FILTER_LINE) >> shift);
		b.each = (FILTER_LINE >> shift) - 1;
	}
	return b;
}

/* Bytes from one of the places to the next that the far stream comes to around D1's sets. */
static uint64_t far_places(const struct beside *b)
{
	uint64_t step = (uint64_t)b->step | FILTER_BYTES;

	return step & -step;
}

/* So many iterations, and D1 has had as many of the far stream's lines as it has ways in each set that these come to:
 * it has none that were there before. */
static uint64_t filling(const struct beside *b)
{
	uint64_t places = far_places(b), times = places < FILTER_LINE ? FILTER_LINE / places : 1;

	return FILTER_BYTES / places * ((cacheprof_models.d1.ways + times - 1) / times);
}

/* Whether the far stream comes to another line in each iteration, and never to two. */
static bool has_new_lines(const struct beside *b)
{
	uint64_t places = far_places(b), room = places < FILTER_LINE ? places : FILTER_LINE;

	return pace_of(b->step) >= FILTER_LINE && b->far % room + b->last < room;
}

/* Whether the near one comes to none of those in n iterations. */
static bool are_elsewhere(const struct beside *b, uint64_t n)
{
	uint64_t comes = n > b->left ? (n - b->left - 1) / (b->each + 1) + 1 : 0;
	uint64_t near_way = comes * FILTER_LINE, far_way = (n - 1) * pace_of(b->step);
	uint64_t near = b->next < 0 ? b->near - near_way : b->near;
	uint64_t far = (b->step < 0 ? b->far - far_way : b->far) & -(uint64_t)FILTER_LINE;

	return near + near_way + FILTER_LINE <= far || far + far_way + FILTER_LINE <= near;
}

/* Where D1's sets have been filled with the far stream's lines it misses all others, and what the last ones leave there
 * does not depend on those in between. */
static void run_long_beside(struct beside *b, uint64_t n)
{
	uint64_t fill = filling(b);

	if (n > 2 * fill + LEAST_NEW && has_new_lines(b) && (b->set == UINT64_MAX || are_elsewhere(b, n))) {
		run_beside(b, fill, false);
		run_beside(b, n - 2 * fill, true);
		n = fill;
	}
	run_beside(b, n, false);
}

/* The near one's reference of the next iteration, by itself. */
static void refer_near(const struct run *run, const struct stream *near, struct beside *b)
{
	if (b->left--) {
		cacheprof_d1_again(run->thread, b->near);
		return;
	}
	b->near += (uint64_t)b->next;
	b->set = b->near & FILTER_MASK;
	b->left = b->each;
	cacheprof_d1_line(run->thread, run->chunk, near->is->site, b->near, b->near, 1);
}

static void refer_far(const struct run *run, const struct stream *far, uint64_t address)
{
	cacheprof_d1_reference(run->thread, run->chunk, far->is->site, address, far->size);
}

static APART void go_beside(struct run *run, const struct stream *far, struct stream *near, uint64_t n)
{
	struct kept_vectors kept;
	struct beside b = beside_of(far, near);
	bool first = near && near < far;
	bool back = near && run->back; /* behind the second one's reference the first one has a twin */

	if (back)
		b.again = first ? 0 : 2;
	/* Behind the far one's reference is before that of the next iteration. */
	if (near && !first) {
		refer_far(run, far, b.far);
		b.far += (uint64_t)b.step;
		n--;
	}
	if (near && b.left && (first || n)) {
		cacheprof_d1_again(run->thread, b.near);
		if (back && !first && b.left == 1)
			refer_far(run, far, b.far - (uint64_t)b.step);
	}
	keep_vectors(&kept);
	if (n)
		run_long_beside(&b, n);
	give_vectors_back(&kept);
	if (near && !first)
		refer_near(run, near, &b);
	if (back && first)
		cacheprof_d1_again(run->thread, b.near);
	if (back && !first)
		refer_far(run, far, b.far - (uint64_t)b.step);
	add_missed(run, far->is, &b.far_missed);
	if (near)
		add_missed(run, near->is, &b.near_missed);
}

/* Whether it is known when it comes to another line. */
static bool may_be_near(const struct stream *s)
{
	uint64_t pace = pace_of(s->step);

	return pace <= FILTER_LINE && !(pace & (pace - 1)) && is_aligned(s);
}

/* Whether they may, and which are. */
static bool may_go_beside(struct run *run, struct stream **far, struct stream **near)
{
	if (run->n > 2)
		return false;
	*far = &run->streams[0];
	*near = run->n > 1 ? &run->streams[1] : NULL;
	if (*near && !may_be_near(*near)) {
		*far = *near;
		*near = &run->streams[0];
	}
	if (!*near)
		return true;
	/* Then the far one's twin would follow each line's only reference. */
	if (run->back && *far < *near && pace_of((*near)->step) == FILTER_LINE)
		return false;
	return may_be_near(*near);
}

/* ---- loops ---- */

static int64_t step_of(const uint64_t *regs, const struct strided_reference *r)
{
	return r->step + (r->by == 0xff ? 0 : (int64_t)(regs[r->by] * r->times));
}

/* As it was before the last n iterations. */
static inline void set_stream(struct stream *s, const uint64_t *regs, const struct strided_reference *r, uint64_t n)
{
	s->is = &r->is;
	s->size = r->is.size;
	s->step = step_of(regs, r);
	s->address = address_at(regs, &r->is) - n * (uint64_t)s->step;
}

static void find_pace(struct run *run)
{
	run->step = run->streams[0].step;
	run->pace = pace_of(run->step);
	run->even_pace = !(run->pace & (run->pace - 1));
	run->pace_shift = (uint8_t)__builtin_ctzll(run->pace | FILTER_BYTES);
}

/* twins: those, too, that refer to what another one does. */
static void take_streams(struct run *run, const uint64_t *regs, uint64_t n, bool twins)
{
	const struct strided *loop = run->loop;

	run->phases = 1;
	run->n = 0;
	for (unsigned i = 0; i < loop->n; i++)
		if (twins || !loop->refs[i].twin)
			set_stream(&run->streams[run->n++], regs, &loop->refs[i], n);
	find_pace(run);
}

/* Whether all steps are the same and no longer than a line. */
static bool is_near(const struct run *run)
{
	if (!run->pace || run->pace > FILTER_LINE)
		return false;
	for (unsigned i = 1; i < run->n; i++)
		if (run->streams[i].step != run->step)
			return false;
	return true;
}

/* Each reference by itself. */
static void iterate_all(struct run *run, const uint64_t *regs, uint64_t n)
{
	struct kept_vectors kept;

	take_streams(run, regs, n, true);
	keep_vectors(&kept);
	while (n--)
		iterate(run, cacheprof_touch_of_rows());
	give_vectors_back(&kept);
}

static bool is_of_first(const struct run *run, const struct stream *s)
{
	const struct stream *first = &run->streams[0];

	return s->address == first->address && s->step == first->step && s->size == first->size;
}

static void run_far(struct run *run, const uint64_t *regs, uint64_t n)
{
	const struct strided_reference *last = &run->loop->refs[run->loop->n - 1];
	struct stream *far, *near, twin;

	set_stream(&twin, regs, last, n);
	run->back = last->twin && is_of_first(run, &twin);
	if (may_go_beside(run, &far, &near)) {
		go_beside(run, far, near, n);
		return;
	}
	iterate_all(run, regs, n);
}

/* ---- groups ---- */

/* Where a reference is in its group: bytes from the group's front back to its own, and to its back. */
struct part {
	int front, back;
};

static struct part part_of(const struct stream *group, const struct strided_reference *r)
{
	int front = group->step < 0 ? r->behind : group->size - (r->behind + r->is.size);

	return (struct part){front, front + r->is.size - 1};
}

/* The first reference, in program order, to a line of which so many bytes are behind its group's front; in that
 * iteration one is. FROM_BEFORE: it is in the line before, too. */
static uint8_t first_to(const struct run *run, unsigned group, int into)
{
	const struct strided_reference *refs = run->loop->refs;

	for (uint8_t i = 0;; i++) {
		struct part part;

		if (refs[i].group != group)
			continue;
		part = part_of(&run->streams[group], &refs[i]);
		if (part.front <= into && part.back > into - FILTER_LINE)
			return i | (part.back > into ? FROM_BEFORE : 0);
	}
}

/* Which references come to its lines first; false if one is the first to two lines: it may miss both, but counts
 * once. */
static bool find_first(struct run *run, unsigned group)
{
	struct stream *s = &run->streams[group];
	int pace = (int)run->pace, into = (int)(s->front % FILTER_LINE) - FILTER_LINE;
	unsigned phase = (unsigned)((s->front / FILTER_LINE + 1) % run->phases);
	uint8_t before = UINT8_MAX;

	/* into: of the line whose turn it is, in the iteration that comes to it. */
	for (unsigned k = 0; k <= run->phases; k++) {
		uint8_t first;

		if (into < 0) {
			into += (pace - 1 - into) / pace * pace;
			before = UINT8_MAX;
		}
		first = first_to(run, group, into);
		if (first & FROM_BEFORE && (first ^ before) % FROM_BEFORE == 0)
			return false;
		run->first[group][phase] = first;
		before = first;
		into -= FILTER_LINE;
		phase = phase + 1 < run->phases ? phase + 1 : 0;
	}
	return true;
}

/* Where it is always the same one. */
static void find_only_first(struct run *run, unsigned group)
{
	struct stream *s = &run->streams[group];
	uint8_t first = first_to(run, group, (int)(s->front & (run->pace - 1)));

	s->is = &run->loop->refs[first % FROM_BEFORE].is;
	s->straddles = first & FROM_BEFORE;
}

static bool find_all_first(struct run *run)
{
	for (unsigned group = 0; group < run->n; group++) {
		if (run->phases == 1)
			find_only_first(run, group);
		else if (!find_first(run, group))
			return false;
	}
	return true;
}

static void take_groups(struct run *run, const uint64_t *regs, uint64_t n)
{
	const struct strided *loop = run->loop;
	uint64_t even;

	run->n = loop->groups;
	for (unsigned i = 0; i < loop->n; i++) {
		const struct strided_reference *r = &loop->refs[i];
		struct stream *s = &run->streams[r->group];

		if (!r->extent)
			continue;
		set_stream(s, regs, r, n);
		s->address -= r->behind;
		s->size = r->extent;
		find_place(s);
	}
	find_pace(run);
	even = run->pace | FILTER_LINE;
	run->phases = (uint8_t)(run->pace / (even & -even));
}

/* False: not by groups. */
static bool go_by_groups(struct run *run, const uint64_t *regs, uint64_t n)
{
	take_groups(run, regs, n);
	find_plan(run, true);
	if (!run->plan.is_known || !find_all_first(run))
		return false;
	go_by_lines(run, n);
	return true;
}

#define FEW 32 /* references, which are made one by one sooner than it is found out how to go by lines */

static void make_references(struct run *run, const uint64_t *regs, uint64_t n)
{
	bool few = n * run->loop->n <= FEW;

	if (!few && run->loop->groups && go_by_groups(run, regs, n))
		return;
	if (few || run->loop->n > STRIDED_REFS) {
		iterate_all(run, regs, n);
		return;
	}
	take_streams(run, regs, n, false);
	if (!is_near(run)) {
		run_far(run, regs, n);
		return;
	}
	if (may_go_by_lines(run) && !run->plan.meets) {
		go_by_lines(run, n);
		return;
	}
	take_streams(run, regs, n, true);
	if (may_go_by_lines(run)) {
		go_by_lines(run, n - 1);
		n = 1;
	}
	iterate_all(run, regs, n);
}

/* The n iterations begun since references were made up for. open: the last one's branch is still to come, or was not
 * taken. That of the one before them may be among those to be predicted, too (STRIDED_OPEN). */
static void run_strided(struct thread *thread, const uint64_t *regs, const struct strided *loop, uint64_t n, bool open)
{
	struct run run;

	if (loop->branch)
		cacheprof_branch_taken(thread, rel_at(&loop->chunk), loop->branch - 1,
				       n + (regs[loop->counter] & STRIDED_OPEN ? 1 : 0) - open);
	if (!n)
		return;
	run.thread = thread;
	run.loop = loop;
	run.chunk = rel_at(&loop->chunk);
	*counter_of(run.chunk, thread_array(thread, &run.chunk->counters), loop->block) += n;
	if (cacheprof_off)
		return;
	make_references(&run, regs, n);
}

/* From planted code: the loop is left; or its register has overflown, as the next iteration began. */
void cacheprof_strided_left(struct saved *saved, const struct strided *loop);
void cacheprof_strided_left(struct saved *saved, const struct strided *loop)
{
	run_strided(cacheprof_this_thread(), saved->regs, loop,
		    (uint16_t)(saved->regs[loop->counter] - STRIDED_START), true);
	saved->regs[loop->counter] = STRIDED_START | STRIDED_OPEN;
}

void cacheprof_strided_goes_on(struct saved *saved, const struct strided *loop);
void cacheprof_strided_goes_on(struct saved *saved, const struct strided *loop)
{
	run_strided(cacheprof_this_thread(), saved->regs, loop, (uint16_t)-STRIDED_START - 1, false);
	saved->regs[loop->counter] = STRIDED_START + 1;
}

void cacheprof_strided_flush(struct thread *thread, uint64_t *regs, const struct strided *loop, const char *begin,
			     const char *ip)
{
	const struct strided_change *changes = rel_at(&loop->changes);
	const char *counted = rel_at(&loop->counted);
	bool open = ip >= counted;
	uint64_t at_end[16];

	if (ip > begin && ip < counted)
		return;
	for (unsigned i = 0; i < 16; i++)
		at_end[i] = regs[i];
	for (unsigned i = 0; open && i < loop->n_changes; i++)
		if (ip < (const char *)rel_at(&changes[i].behind))
			at_end[changes[i].reg] += (uint64_t)(int64_t)changes[i].step +
						  (changes[i].by == 0xff ? 0 : regs[changes[i].by]);
	run_strided(thread, at_end, loop, (uint16_t)(regs[loop->counter] - STRIDED_START), open);
	regs[loop->counter] = STRIDED_START | (open ? STRIDED_OPEN : 0);
}
