/* The streams of a strided loop: strides.c takes them, plan.c finds out how they lie to one another, and by_lines.c and
 * beside.c make what they refer to. */
#ifndef RUNTIME_STREAMS_H
#define RUNTIME_STREAMS_H

#include "runtime/strides.h"

/* Bytes by which streams may be ahead and yet lie in one set at the same time: two lines and a reference. */
#define NEAR (3 * FILTER_LINE)

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

static inline bool are_ordinary(void)
{
	return !cacheprof_models.ll_by_map;
}

static inline bool by_prints(void)
{
	return cacheprof_models.steady && !are_ordinary();
}

static inline void keep_vectors(struct kept_vectors *kept)
{
	if (by_prints())
		cacheprof_keep_vectors(kept);
}

static inline void give_vectors_back(const struct kept_vectors *kept)
{
	if (by_prints())
		cacheprof_give_vectors_back(kept);
}

static inline void add_missed(const struct run *run, const struct reference *is, const struct missed *missed)
{
	struct misses *misses = (struct misses *)thread_array(run->thread, &run->chunk->misses) + is->site;

	misses->l1 += missed->l1;
	misses->ll += missed->ll;
}

/* Bytes of a step, without its sign. */
static inline uint64_t pace_of(int64_t step)
{
	return (uint64_t)(step < 0 ? -step : step);
}

static inline uint64_t place_of(const struct stream *s, uint64_t address)
{
	return s->step < 0 ? ~address : address;
}

/* Places of the iteration that is over. */
static inline void find_place(struct stream *s)
{
	uint64_t low = s->address - (uint64_t)s->step, high = low + s->size - 1;

	s->front = place_of(s, s->step < 0 ? low : high);
	s->back = place_of(s, s->step < 0 ? high : low);
}

/* Whether a reference never lies in two lines. */
static inline bool is_aligned(const struct stream *s)
{
	uint64_t size = s->size, step = pace_of(s->step);

	return !(size & (size - 1)) && !(s->address % size) && !(step % size);
}

/* plan.c: makes run->plan, for streams that have one step, none longer than a line, or for groups. False: it is not
 * known in which order they go by lines. */
bool cacheprof_plan_streams(struct run *run);
bool cacheprof_plan_groups(struct run *run);

/* by_lines.c: n iterations more, as planned. */
void cacheprof_go_by_lines(struct run *run, uint64_t n);

/* beside.c: n iterations more of one stream, or of a far one and a near one. False: the streams are others, and have
 * not gone on. back: an iteration's last reference is one of the first stream, a twin. */
bool cacheprof_go_beside(struct run *run, uint64_t n, bool back);

#endif
