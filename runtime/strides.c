/* The references of strided loops, and the predictions of their branches, made when some iterations are over.
 *
 * Caches are ordinary, or rows steady or ranked (d1.h), and there is AVX2 or AVX-512: elsewhere planted code leaves
 * these loops their checks. So D1 has as many ways as there may be streams, and LL's sets are parts of D1's.
 *
 * Iteration by iteration, reference by reference, is always right. Faster it goes line by line (plan.c, by_lines.c), or
 * a far stream beside a near one (beside.c).
 *
 * The iteration before those was checked, or made up for, too: the lines where streams are known to be. */
#include "runtime/branch.h"
#include "runtime/regions.h"
#include "runtime/special.h"
#include "runtime/streams.h"

_Static_assert(offsetof(struct kept_vectors, in_use) == KEPT_IN_USE, "");

touch *cacheprof_touch_of_rows(void)
{
	if (by_prints())
		return cacheprof_steady_touch;
	return cacheprof_models.ranked ? cacheprof_ranked_touch : cacheprof_touch;
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
	struct stream twin;

	set_stream(&twin, regs, last, n);
	if (!cacheprof_go_beside(run, n, last->twin && is_of_first(run, &twin)))
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
	if (!cacheprof_plan_groups(run) || !find_all_first(run))
		return false;
	cacheprof_go_by_lines(run, n);
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
	if (cacheprof_plan_streams(run) && !run->plan.meets) {
		cacheprof_go_by_lines(run, n);
		return;
	}
	take_streams(run, regs, n, true);
	if (cacheprof_plan_streams(run)) {
		cacheprof_go_by_lines(run, n - 1);
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
