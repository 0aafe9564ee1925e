/* References whose number or addresses are known only when they are made: string instructions with a
 * rep prefix, bit strings, xlat, vectors under a mask, gathers and scatters, tiles. Each call does what the
 * instruction behind it is about to do, in its order (the manual, 5.1). */
#include "runtime/special.h"
#include "runtime/branch.h"
#include "runtime/regions.h"
#include "runtime/strides.h"

#include <errno.h>
#include <sys/syscall.h>

enum { FLAG_DIRECTION = 1 << 10 };

/* What is being expanded. */
struct special {
	const struct saved *saved;
	const struct sink *sink;
};

static void refer(const struct special *s, const struct reference *r, uint64_t address, uint64_t size)
{
	s->sink->refer(s->sink, r->site, &address, 1, size);
}

static uint64_t load(uint64_t address, unsigned size)
{
	switch (size) {
	case 1:
		return *(const uint8_t *)address;
	case 2:
		return *(const uint16_t *)address;
	case 4:
		return *(const uint32_t *)address;
	default:
		return *(const uint64_t *)address;
	}
}

static uint64_t truncated(uint64_t value, unsigned size)
{
	return size == 8 ? value : value & (((uint64_t)1 << size * 8) - 1);
}

/* Whether scas or cmps goes on behind an iteration whose operands were equal or not. */
static bool goes_on(const struct reference *r, bool equal)
{
	return r->extra == REP_WHILE_EQUAL ? equal : r->extra == REP_WHILE_UNEQUAL ? !equal : true;
}

/* A rep prefix while it is worked out. */
struct rep {
	const struct reference *refs;
	uint32_t n;
	uint64_t at[2]; /* where the next iteration refers to */
	int64_t step;
	uint64_t left;
	uint64_t alike; /* the next so many iterations only add to counts; */
	uint64_t again; /* and so many have, so far */
};

static void branch(const struct special *s, const struct rep *rep, bool taken)
{
	if (s->sink->branch)
		s->sink->branch(s->sink, rep->refs[rep->n - 1].site + 1, taken);
}

/* The references of one iteration, or of several that need nothing else: how many. */
static uint64_t refer_next(const struct special *s, struct rep *rep)
{
	uint64_t n = 1;

	if (!rep->alike) {
		for (uint32_t i = 0; i < rep->n; i++)
			refer(s, &rep->refs[i], rep->at[i], rep->refs[i].size);
		if (s->sink->alike)
			rep->alike = s->sink->alike(s->sink, rep->refs, rep->n, rep->at, rep->step);
		return n;
	}
	if (rep->refs->extra == REP_ALWAYS && !s->sink->branch)
		n = rep->alike < rep->left ? rep->alike : rep->left;
	rep->alike -= n;
	rep->again += n;
	return n;
}

/* n = 0: one instruction. n iterations: n + 1, of which one is the block's; stopped by the
 * condition: as many as iterations. Each asks whether rcx is 0, and, after a comparison, whether to go
 * on: both are branches. */
static void run_rep(const struct special *s, const struct reference *refs, uint32_t n)
{
	const uint64_t *regs = s->saved->regs;
	uint64_t times = refs->flags & REFERENCE_ADDR32 ? (uint32_t)regs[1] : regs[1];
	struct rep rep = {.refs = refs, .n = n, .left = times, .step = refs->size};
	uint64_t done = 0;
	bool stopped = false;

	for (uint32_t i = 0; i < n; i++)
		rep.at[i] = cacheprof_address(regs, &refs[i]);
	if (s->saved->flags & FLAG_DIRECTION)
		rep.step = -rep.step;
	while (rep.left && !stopped) {
		uint64_t iterations = refer_next(s, &rep);

		branch(s, &rep, true);
		if (refs->extra != REP_ALWAYS) {
			uint64_t other = n > 1 ? load(rep.at[1], refs->size) : truncated(regs[0], refs->size);

			stopped = !goes_on(refs, load(rep.at[0], refs->size) == other);
			branch(s, &rep, !stopped);
		}
		for (uint32_t i = 0; i < n; i++)
			rep.at[i] += iterations * (uint64_t)rep.step;
		rep.left -= iterations;
		done += iterations;
	}
	if (!stopped)
		branch(s, &rep, false);
	for (uint32_t i = 0; rep.again && i < n; i++)
		s->sink->again(s->sink, refs[i].site, rep.again);
	s->sink->repeat(s->sink, refs[n - 1].site + 1, stopped ? done - 1 : done);
}

static void run_bit(const struct special *s, const struct reference *r)
{
	unsigned width = r->extra >> 4;
	int64_t bit = (int64_t)(s->saved->regs[r->extra & 15] << (64 - width * 8)) >> (64 - width * 8);

	refer(s, r, cacheprof_address(s->saved->regs, r) + (uint64_t)(bit >> 3), 1);
}

/* From slow_x86_64.S: what a vector register has, of 16 bytes, or 32 or 64 where there are such, and a mask register,
 * where there are any. */
void cacheprof_vector(unsigned number, uint8_t to[64]);
uint64_t cacheprof_mask(unsigned number);

/* A bit for each lane that is active: of a mask register, or the sign of the lane of a vector register. */
static APART uint64_t active_lanes(const struct reference *r, unsigned size, unsigned lanes)
{
	uint64_t active = 0;
	uint8_t mask[64];

	if (r->flags & REFERENCE_EVEX)
		return cacheprof_mask(r->extra & 7) & (((uint64_t)2 << (lanes - 1)) - 1);
	cacheprof_vector(r->extra & 31, mask);
	for (unsigned i = 0; i < lanes; i++)
		active |= (uint64_t)(mask[i * size + size - 1] >> 7) << i;
	return active;
}

static void run_masked(const struct special *s, const struct reference *r, unsigned size, unsigned lanes)
{
	if (active_lanes(r, size, lanes))
		refer(s, r, cacheprof_address(s->saved->regs, r), size);
}

unsigned cacheprof_special_lanes(const uint64_t *regs, const struct reference *r, uint64_t at[MOST_LANES])
{
	unsigned size = r->size & 0xff, n = 0;
	uint64_t address = cacheprof_address(regs, r);

	for (uint64_t left = active_lanes(r, size, r->size >> 8); left; left &= left - 1)
		at[n++] = address + (unsigned)__builtin_ctzll(left) * size;
	return n;
}

static APART void run_lanes(const struct special *s, const struct reference *r, unsigned size)
{
	uint64_t at[MOST_LANES];
	unsigned n = cacheprof_special_lanes(s->saved->regs, r, at);

	s->sink->refer(s->sink, r->site, at, n, size);
}

static APART void run_gather(const struct special *s, const struct reference *r, unsigned size, unsigned lanes)
{
	struct reference scalar = *r;
	bool wide = r->flags & REFERENCE_INDEX64;
	uint64_t base, at[MOST_LANES];
	union {
		uint8_t bytes[64];
		int64_t wide[8];
		int32_t narrow[16];
	} index;
	unsigned n = 0;

	scalar.index = 0xff;
	base = cacheprof_address(s->saved->regs, &scalar);
	cacheprof_vector(r->index & 31, index.bytes);
	for (uint64_t left = active_lanes(r, size, lanes); left; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctzll(left);

		at[n++] = base + (uint64_t)(wide ? index.wide[i] : index.narrow[i]) * r->scale;
	}
	s->sink->refer(s->sink, r->site, at, n, size);
}

/* What ldtilecfg loads (SDM, volume 1, 18.2). */
struct tile_config {
	uint8_t palette, start_row, reserved[14];
	uint16_t row_bytes[16];
	uint8_t rows[16];
};

static APART void run_tile(const struct special *s, const struct reference *r)
{
	uint64_t stride = r->index == 0xff ? 0 : s->saved->regs[r->index] * r->scale;
	struct reference first = *r;
	struct tile_config config;

	first.index = 0xff;
	__asm__("sttilecfg %0" : "=m"(config));
	for (uint8_t row = config.start_row; row < config.rows[r->extra & 15]; row++)
		refer(s, r, cacheprof_address(s->saved->regs, &first) + row * stride,
		      config.row_bytes[r->extra & 15]);
}

/* An operand that the linker may have relaxed away. */
static void run_got(const struct special *s, const struct reference *r)
{
	const struct got_words *words = rel_at(&r->disp);

	if (words->entry != FILTER_NEVER)
		refer(s, r, words->slot, r->size);
}

/* ---- ranges of called functions ---- */

enum { RCX = 1, RDX = 2, RSI = 6, RDI = 7 };

static uint64_t string_length(uint64_t address, uint64_t most)
{
	uint64_t n = 0;

	while (n < most && load(address + n, 1))
		n++;
	return n;
}

/* Bytes that are looked at to find where two blocks, or strings, differ. */
static uint64_t same_length(uint64_t a, uint64_t b, uint64_t most, bool strings)
{
	uint64_t n = 0;

	while (n < most) {
		uint64_t byte = load(a + n, 1), other = load(b + n++, 1);

		if (byte != other || (strings && !byte))
			break;
	}
	return n;
}

static uint64_t found_length(uint64_t address, uint8_t wanted)
{
	uint64_t n = 0, byte;

	do
		byte = load(address + n++, 1);
	while (byte && byte != wanted);
	return n;
}

struct range {
	uint64_t at, end;
};

#define MUCH (1 << 18) /* bytes: what is longer is looked at */

/* How many of n bytes are mapped. Who asks for as much as can be, as read(file, buffer, INT_MAX) does, has no buffer of
 * that size, and a function of the program's own with such a name may have other arguments. */
static uint64_t mapped(uint64_t at, uint64_t n)
{
	uint8_t pages[MUCH / PAGE];
	uint64_t from = at & -PAGE, end = at + n;

	for (uint64_t step = MUCH; from < end && step >= PAGE;)
		if (SYSCALL(mincore, from, step, pages) == -ENOMEM)
			step /= 2;
		else
			from += step;
	return from >= end ? n : from > at ? from - at : 0;
}

#define ADDRESSES ((uint64_t)1 << 56) /* that a process can have (SDM, volume 1, 3.3.7.1) */

static struct range range_of(const uint64_t *regs, const struct reference *r)
{
	uint64_t at = regs[r->base], n = 0, most = regs[r->extra == CALL_STRING_AT_MOST ? RSI : RDX];

	switch ((enum call_length)r->extra) {
	case CALL_BYTES:
		n = most;
		break;
	case CALL_ITEMS:
		n = regs[RSI] * most;
		break;
	case CALL_ITEMS_CHECKED:
		n = most * regs[RCX];
		break;
	case CALL_STRING:
		n = string_length(at, UINT64_MAX) + 1;
		break;
	case CALL_STRING_N:
	case CALL_STRING_AT_MOST:
		n = string_length(at, most);
		n += n < most;
		break;
	case CALL_FOUND:
		n = found_length(at, (uint8_t)regs[RSI]);
		break;
	case CALL_APPEND:
		at += string_length(regs[RDI], UINT64_MAX); /* fall through */
	case CALL_COPY:
		n = string_length(regs[RSI], UINT64_MAX) + 1;
		break;
	case CALL_APPEND_N:
		at += string_length(regs[RDI], UINT64_MAX);
		n = string_length(regs[RSI], most) + 1;
		break;
	case CALL_SAME_BYTES:
		n = same_length(regs[RDI], regs[RSI], most, false);
		break;
	case CALL_SAME_STRING:
		n = same_length(regs[RDI], regs[RSI], UINT64_MAX, true);
		break;
	case CALL_SAME_STRING_N:
		n = same_length(regs[RDI], regs[RSI], most, true);
	}
	/* The kernel refuses what reaches beyond. */
	if (at > ADDRESSES || n > ADDRESSES - at)
		n = 0;
	if (n > MUCH)
		n = mapped(at, n);
	return (struct range){at, at + n};
}

#define MOST_RANGES 3

/* A piece of each in turn, as a copy goes. */
static APART void run_call(const struct special *s, const struct reference *refs, uint32_t n)
{
	struct range ranges[MOST_RANGES];
	bool more = true;

	for (uint32_t i = 0; i < n; i++)
		ranges[i] = range_of(s->saved->regs, &refs[i]);
	while (more) {
		more = false;
		for (uint32_t i = 0; i < n; i++) {
			struct range *r = &ranges[i];
			uint64_t end = (r->at | (CALL_PIECE - 1)) + 1;

			if (r->at >= r->end)
				continue;
			if (end > r->end)
				end = r->end;
			refer(s, &refs[i], r->at, end - r->at);
			r->at = end;
			more = true;
		}
	}
}

/* ---- */

static void run_one(const struct special *s, const struct reference *r)
{
	unsigned size = r->size & 0xff, lanes = r->size >> 8;

	switch (r->form) {
	case FORM_BIT:
		run_bit(s, r);
		break;
	case FORM_XLAT:
		refer(s, r, s->saved->regs[3] + (s->saved->regs[0] & 0xff), 1);
		break;
	case FORM_MASKED:
		run_masked(s, r, size, lanes);
		break;
	case FORM_LANES:
		run_lanes(s, r, size);
		break;
	case FORM_GATHER:
		run_gather(s, r, size, lanes);
		break;
	case FORM_GOT:
		run_got(s, r);
		break;
	case FORM_TILE:
		run_tile(s, r);
		break;
	default:
		refer(s, r, cacheprof_address(s->saved->regs, r), r->size);
	}
}

void cacheprof_special_expand(const struct saved *saved, uint32_t n, const struct reference *refs,
			      const struct sink *sink)
{
	struct special s = {saved, sink};

	if (n && refs[0].form == FORM_REP) {
		run_rep(&s, refs, n);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (refs[i].form == FORM_CALL) {
			run_call(&s, &refs[i], n - i);
			return;
		}
		run_one(&s, &refs[i]);
	}
}

/* The sink of a program's references: this thread's D1 and counters. */
struct counting {
	struct sink sink;
	struct thread *thread;
	const struct chunk *chunk;
	touch *touch; /* what makes a reference in assembler, or NULL */
	struct kept_vectors *vectors; /* that are not free, but which it uses; or NULL */
	bool kept;		      /* they have been */
};

static uint64_t *dynamic_count(const struct counting *c, const struct site *site)
{
	return (uint64_t *)thread_array(c->thread, &c->chunk->dynamics) + site->block;
}

/* Of a reference of no more than two lines, which is not at the front. */
static void touch_lines(struct counting *c, uint32_t site, uint64_t address, uint64_t size)
{
	uint64_t line = address & -(uint64_t)FILTER_LINE;
	struct misses *misses = (struct misses *)thread_array(c->thread, &c->chunk->misses) + site;
	unsigned missed;

	if (c->vectors && !c->kept) {
		cacheprof_keep_vectors(c->vectors);
		c->kept = true;
	}
	missed = c->touch(line, ((address + size - 1) ^ line) >= FILTER_LINE);

	misses->l1 += missed & TOUCH_L1 ? 1 : 0;
	misses->ll += missed & TOUCH_LL ? 1 : 0;
}

/* Most are at the front, as lanes of gathers, which are mostly side by side. Level 1 needs none of the frame. */
static APART void touch_each(struct counting *c, uint32_t site, const uint64_t *addresses, unsigned n, uint64_t size)
{
	for (unsigned i = 0; i < n; i++) {
		if (would_pass(c->thread, addresses[i], size))
			continue;
		if (c->touch && size <= FILTER_LINE)
			touch_lines(c, site, addresses[i], size);
		else
			cacheprof_d1_reference(c->thread, c->chunk, site, addresses[i], size);
	}
}

static void count_references(const struct sink *sink, uint32_t site_number, const uint64_t *addresses, unsigned n,
			     uint64_t size)
{
	struct counting *c = (struct counting *)sink;
	const struct site *site = (const struct site *)rel_at(&c->chunk->sites) + site_number;

	if (site->flags & SITE_DYNAMIC)
		*dynamic_count(c, site) += n;
	if ((c->chunk->mode & CHUNK_LEVEL_MASK) >= 2)
		touch_each(c, site_number, addresses, n, size);
}

/* How many more of this size lie in the line behind the one at address, or before it. */
static uint64_t more_in_line(uint64_t address, uint64_t size, int64_t step)
{
	uint64_t line = -cacheprof_models.d1.line_mask, first = address & (line - 1);

	if (first + size > line)
		return 0;
	return (step < 0 ? first : line - first - size) / size;
}

/* Where each reference stays in the line that it was last in, that line is found, and the order of its set's lines
 * becomes again what it is. */
static uint64_t count_alike(const struct sink *sink, const struct reference *refs, uint32_t n, const uint64_t *at,
			    int64_t step)
{
	const struct counting *c = (const struct counting *)sink;
	uint64_t least = UINT64_MAX;

	if ((c->chunk->mode & CHUNK_LEVEL_MASK) < 2)
		return least;
	if (cacheprof_models.d1.ways < n)
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t more = more_in_line(at[i], refs[i].size, step);

		least = more < least ? more : least;
	}
	return least;
}

static void count_again(const struct sink *sink, uint32_t site_number, uint64_t times)
{
	const struct counting *c = (const struct counting *)sink;
	const struct site *site = (const struct site *)rel_at(&c->chunk->sites) + site_number;

	if (site->flags & SITE_DYNAMIC)
		*dynamic_count(c, site) += times;
}

static void count_repeats(const struct sink *sink, uint32_t site_number, uint64_t n)
{
	const struct counting *c = (const struct counting *)sink;

	*dynamic_count(c, (const struct site *)rel_at(&c->chunk->sites) + site_number) += n;
}

static void count_branch(const struct sink *sink, uint32_t site_number, bool taken)
{
	const struct counting *c = (const struct counting *)sink;
	const struct site *site = (const struct site *)rel_at(&c->chunk->sites) + site_number;

	cacheprof_branch_repeat(c->thread, c->chunk, site->got - 1, taken);
}

static APART void expand_keeping(const struct saved *saved, const struct check *check, struct counting *c)
{
	struct kept_vectors vectors;

	c->vectors = &vectors;
	cacheprof_special_expand(saved, check->n, check->refs, &c->sink);
	if (c->kept)
		cacheprof_give_vectors_back(&vectors);
}

/* From slow_x86_64.S. free: the vector registers that stubs use are, which what makes references of ordinary caches
 * does, too. */
void cacheprof_special_run(const struct saved *saved, const struct check *check, bool free);
void cacheprof_special_run(const struct saved *saved, const struct check *check, bool free)
{
	struct counting c = {.sink = {.refer = count_references, .repeat = count_repeats, .alike = count_alike,
				      .again = count_again},
			     .thread = cacheprof_this_thread(), .chunk = rel_at(&check->chunk)};

	if (cacheprof_off)
		return;
	if (c.chunk->n_branches)
		c.sink.branch = count_branch;
	if (cacheprof_strides)
		c.touch = cacheprof_touch_of_rows();
	if (c.touch == cacheprof_touch && !free)
		c.touch = 0;
	if (c.touch == cacheprof_steady_touch)
		expand_keeping(saved, check, &c);
	else
		cacheprof_special_expand(saved, check->n, check->refs, &c.sink);
}
