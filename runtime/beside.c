/* A strided loop's far stream, which comes to another line each time, and perhaps a near one beside it. */
#include "runtime/streams.h"

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

static void go_beside(struct run *run, const struct stream *far, struct stream *near, uint64_t n, bool back)
{
	struct kept_vectors kept;
	struct beside b = beside_of(far, near);
	bool first = near && near < far;

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

/* Which is which; false: neither. */
static bool tell_far(struct run *run, bool back, struct stream **far, struct stream **near)
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
	if (back && *far < *near && pace_of((*near)->step) == FILTER_LINE)
		return false;
	return may_be_near(*near);
}

bool cacheprof_go_beside(struct run *run, uint64_t n, bool back)
{
	struct stream *far, *near;

	if (!tell_far(run, back, &far, &near))
		return false;
	go_beside(run, far, near, n, near && back);
	return true;
}
