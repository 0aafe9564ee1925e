/* The lines that a strided loop's streams come to, stream by stream in the order of their plan (plan.c). */
#include "runtime/streams.h"

/* In strides_x86_64.S: n lines, step bytes from one to the next, each a line or less one, through D1, and those that it
 * misses through LL; two: each with the one before it, if that has not just gone there. */
typedef struct missed lines(uint64_t line, int64_t step, uint64_t n, bool two);
lines cacheprof_steady_lines, cacheprof_ranked_lines;
lines cacheprof_steady_new_lines, cacheprof_ranked_new_lines;

/* There, for ordinary caches: the same of one page, by lines, the last one in bit 0: which ones' references come to the
 * line before, and in struct missed which lines were missed. */
typedef struct missed page_lines(uint64_t line, int64_t step, uint64_t n, uint64_t two);
page_lines cacheprof_page_lines, cacheprof_new_page_lines;

/* Of other caches than ordinary ones. */
static lines *lines_of_rows(bool are_new)
{
	if (by_prints())
		return are_new ? cacheprof_steady_new_lines : cacheprof_steady_lines;
	return are_new ? cacheprof_ranked_new_lines : cacheprof_ranked_lines;
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
void cacheprof_go_by_lines(struct run *run, uint64_t n)
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
