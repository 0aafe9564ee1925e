#include "instrument/strides.h"

#include <stdlib.h>
#include <string.h>

#include "include/site.h"
#include "instrument/loops.h"

#define LEAST_CHECKED 8
#define LEAST_NEAR_CHECKED 4
#define TURNS_CHECKED 16
#define MOST_CHECKED 32
#define NEAR_SIZE 8
#define NO_GROUP UINT8_MAX

/* Registers within an iteration, as value + constant: that of another register where the iteration began. */
struct follow {
	uint8_t from[16]; /* REG_NONE: something else */
	int64_t offset[16];
};

struct search {
	struct strides *strides;
	const struct flow *flow;
	const struct unit *unit;
	const struct block_bb *block;
	struct follow now;
	struct induction change[16]; /* the last one of each register */
	uint8_t changes[16];	     /* how many it has */
	uint8_t added[16];	     /* if that is the first, the register that it adds, or REG_NONE */
};

static bool is_copied_directive(const struct asm_stmt *s)
{
	return asm_text_is(s->name, ".loc");
}

/* Whether what stands there may stand twice. */
static bool may_stand_twice(const struct unit *u, uint32_t stmt)
{
	const struct asm_stmt *s = &u->file->stmts[stmt];

	switch (s->kind) {
	case ASM_BLANK:
	case ASM_LINEMARK:
		return true;
	case ASM_LABEL:
		return true; /* the copy does without */
	case ASM_DIRECTIVE:
		return is_copied_directive(s);
	default:
		return s->kind == ASM_INSN && u->stmt_insn[stmt] != UINT32_MAX;
	}
}

static bool is_simple(const struct unit *u, const struct insn *i)
{
	return i->text_stmt == i->stmt && !i->padding && !i->data && !i->unknown && !i->glued && !i->request &&
	       !i->unsure && !i->rep && !i->alias && !i->anchor && !i->by_distance && !i->rsp_change &&
	       !insn_addresses_label(u, i);
}

static bool is_strided_form(const struct ref *r)
{
	return r->form == REF_PLAIN && !r->segment && !r->addr32 && r->base != REG_IP && r->size <= FILTER_LINE;
}

static void begin(struct search *s, const struct block_bb *b)
{
	s->block = b;
	for (uint8_t r = 0; r < 16; r++) {
		s->now.from[r] = r;
		s->now.offset[r] = 0;
		s->changes[r] = 0;
		s->added[r] = REG_NONE;
	}
}

static void follow(struct search *s, uint32_t insn)
{
	const struct insn *i = &s->unit->insns.at[insn];
	uint8_t from = REG_NONE;
	int64_t offset = 0;

	if (i->move == MOVE_ADD && s->now.from[i->move_from] != REG_NONE) {
		from = s->now.from[i->move_from];
		offset = s->now.offset[i->move_from] + i->move_constant;
	}
	for (uint8_t r = 0; r < 16; r++)
		if ((i->writes | i->clobbers) >> r & 1) {
			bool adds = i->move == MOVE_ADD_REGISTER && r == i->move_to && !s->changes[r];

			s->added[r] = adds ? i->move_from : REG_NONE;
			s->now.from[r] = REG_NONE;
			s->change[r].insn = insn;
			s->changes[r]++;
		}
	if (i->move == MOVE_ADD) {
		s->now.from[i->move_to] = from;
		s->now.offset[i->move_to] = offset;
	}
}

/* Whether all of the block may be copied, and its registers followed. */
static bool can_copy(struct search *s)
{
	const struct unit *u = s->unit;
	uint32_t first = s->block->first, end = first + s->block->n;

	for (uint32_t i = first; i < end; i++)
		if (!is_simple(u, &u->insns.at[i]))
			return false;
	for (uint32_t k = u->insns.at[first].stmt; k <= u->insns.at[end - 1].stmt; k++)
		if (!may_stand_twice(u, k))
			return false;
	return true;
}

/* Adds the reference in terms of the iteration's beginning; false if that cannot be. */
static bool add_ref(struct search *s, uint32_t insn, uint32_t k)
{
	const struct ref *r = &s->unit->insns.at[insn].refs[k];
	struct strided_ref ref = {.planned = {.insn = insn, .ref = r, .at = address_of(r)}};
	struct address *at = &ref.planned.at;

	if (!is_strided_form(r))
		return false;
	if (at->base != REG_NONE) {
		if (s->now.from[at->base] == REG_NONE)
			return false;
		at->disp += s->now.offset[at->base];
		at->base = s->now.from[at->base];
	}
	if (at->index != REG_NONE) {
		if (s->now.from[at->index] == REG_NONE)
			return false;
		at->disp += s->now.offset[at->index] * at->scale;
		at->index = s->now.from[at->index];
	}
	if (at->disp != (int32_t)at->disp)
		return false;
	VEC_PUSH(&s->strides->refs, ref);
	return true;
}

static bool add_refs(struct search *s)
{
	const struct unit *u = s->unit;

	for (uint32_t i = s->block->first; i < s->block->first + s->block->n; i++) {
		for (uint32_t k = 0; k < u->insns.at[i].n_refs; k++)
			if (!add_ref(s, i, k))
				return false;
		follow(s, i);
	}
	return true;
}

/* The register that an iteration adds to this one, or REG_NONE. */
static uint8_t added_to(const struct search *s, uint8_t r)
{
	uint8_t by = s->changes[r] == 1 ? s->added[r] : REG_NONE;

	return by != REG_NONE && !s->changes[by] ? by : REG_NONE;
}

/* How far an iteration moves a register that an address has so many times: added to the reference's step. False if that
 * is not known, or it is done in steps. */
static bool add_step(struct search *s, struct strided_ref *ref, uint8_t r, uint8_t times)
{
	uint8_t by;

	if (r == REG_NONE)
		return true;
	by = added_to(s, r);
	if (by != REG_NONE) {
		if (ref->by != REG_NONE)
			return false;
		ref->by = by;
		ref->times = times;
		return true;
	}
	ref->step += s->now.offset[r] * times;
	return s->now.from[r] == r && s->changes[r] <= 1 && ref->step == (int32_t)ref->step;
}

/* Whether it is known how far they are from one another. */
static bool are_of_one_place(const struct address *p, const struct address *q)
{
	return p->base == q->base && p->index == q->index && p->scale == q->scale &&
	       asm_text_same(p->symbol, q->symbol);
}

static bool are_same(const struct strided_ref *a, const struct strided_ref *b)
{
	const struct address *p = &a->planned.at, *q = &b->planned.at;

	return are_of_one_place(p, q) && p->disp == q->disp && a->planned.ref->size == b->planned.ref->size;
}

static void find_twins(struct strided_ref *refs, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < i; k++)
			refs[i].twin |= are_same(&refs[k], &refs[i]);
}

static uint32_t count_streams(const struct strided_ref *refs, uint32_t n)
{
	uint32_t streams = 0;

	for (uint32_t i = 0; i < n; i++)
		streams += !refs[i].twin;
	return streams;
}

static bool is_near(const struct strided_ref *r)
{
	return r->by == REG_NONE && llabs(r->step) < FILTER_LINE;
}

/* Whether the two, which go on by the same step, are less than that apart, and lines are not so many steps long. Then
 * one comes to some lines before the other, and to some behind it, and the runtime would have to make one iteration
 * after the other. */
static bool take_turns(const struct strided_ref *a, const struct strided_ref *b)
{
	const struct address *p = &a->planned.at, *q = &b->planned.at;
	int64_t step = llabs(a->step);
	int64_t ahead = p->disp - q->disp + (a->step > 0 ? a->planned.ref->size - b->planned.ref->size : 0);

	return step & (step - 1) && are_of_one_place(p, q) && ahead && llabs(ahead) < step;
}

static bool any_take_turns(const struct strided_ref *refs, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < i; k++)
			if (take_turns(&refs[i], &refs[k]))
				return true;
	return false;
}

/* Whether it gains to have the runtime make these references. They all go on by the same step, no longer than a line;
 * or there is one of any length, perhaps beside another one which is a part of a line that goes into it, or none, and
 * of a size that is mostly aligned. Twins do not count. */
static bool gain(const struct strided_ref *refs, uint32_t n)
{
	const struct strided_ref *first = &refs[0], *other = first;
	uint32_t streams = count_streams(refs, n);
	bool same = true;

	for (uint32_t i = 0; i < n; i++) {
		same &= refs[i].by == REG_NONE && refs[i].step == first->step;
		if (!refs[i].twin && i)
			other = &refs[i];
	}
	if (same)
		return first->step && (streams == 1 || (llabs(first->step) <= FILTER_LINE && !any_take_turns(refs, n)));
	if (streams == 1)
		return true;
	if (streams != 2 || is_near(first) == is_near(other))
		return false;
	if (is_near(first))
		other = first;
	if (other->planned.ref->size > NEAR_SIZE)
		return false;
	return !other->step || FILTER_LINE % llabs(other->step) == 0;
}

/* ---- groups ---- */

/* Bytes from one's lowest to the other's, which is of the same place. */
static int64_t bytes_behind(const struct strided_ref *r, const struct strided_ref *of)
{
	return r->planned.at.disp - of->planned.at.disp;
}

/* The lowest one of those at the place of this one that are in no group. */
static const struct strided_ref *lowest_at(const struct strided_ref *refs, uint32_t n, const struct strided_ref *place)
{
	const struct strided_ref *low = place;

	for (uint32_t i = 0; i < n; i++)
		if (refs[i].group == NO_GROUP && are_of_one_place(&refs[i].planned.at, &place->planned.at) &&
		    bytes_behind(&refs[i], low) < 0)
			low = &refs[i];
	return low;
}

/* Whether it is put into the group whose lowest byte is low's and which ends so many bytes from there: if no line lies
 * in between, and it is then not longer than most. */
static bool add_to_group(struct strided_ref *r, const struct strided_ref *low, uint8_t group, int64_t most,
			 int64_t *end)
{
	int64_t behind, r_end;

	if (r->group != NO_GROUP || !are_of_one_place(&r->planned.at, &low->planned.at))
		return false;
	behind = bytes_behind(r, low);
	r_end = behind + r->planned.ref->size;
	if (behind - *end >= FILTER_LINE || r_end > most)
		return false;
	r->group = group;
	r->behind = (uint16_t)behind;
	*end = r_end > *end ? r_end : *end;
	return true;
}

/* Of those at the place of this one the lowest one that is in no group, and others beside it, become one. */
static void make_group(struct strided_ref *refs, uint32_t n, const struct strided_ref *place, uint8_t group,
		       int64_t most)
{
	const struct strided_ref *low = lowest_at(refs, n, place);
	int64_t end = 0;
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t i = 0; i < n; i++)
			more |= add_to_group(&refs[i], low, group, most, &end);
	}
	for (uint32_t i = 0; end; i++)
		if (refs[i].group == group) {
			refs[i].extent = (uint16_t)end;
			end = 0;
		}
}

/* All, into groups of so many bytes at most; how many these are. */
static uint8_t make_groups(struct strided_ref *refs, uint32_t n, int64_t most)
{
	uint8_t groups = 0;

	for (uint32_t i = 0; i < n; i++) {
		refs[i].group = NO_GROUP;
		refs[i].extent = 0;
	}
	for (uint32_t i = 0; i < n; i++)
		while (refs[i].group == NO_GROUP)
			make_group(refs, n, &refs[i], groups++, most);
	return groups;
}

/* Bytes around D1's sets from one group's lowest byte to another's. */
static uint64_t around(const struct strided_ref *from, const struct strided_ref *to)
{
	return (uint64_t)(bytes_behind(to, from) - to->behind + from->behind) % FILTER_BYTES;
}

/* Whether two groups, of which these are the first references, may be streams: unless it is known that they come to one
 * set in the same iteration. */
static bool may_be_apart(const struct strided_ref *a, const struct strided_ref *b)
{
	return !are_of_one_place(&a->planned.at, &b->planned.at) ||
	       (around(a, b) >= a->extent - 1u + FILTER_LINE && around(b, a) >= b->extent - 1u + FILTER_LINE);
}

/* Whether each group comes to all lines that it goes over, and may be a stream beside the others. */
static bool may_be_streams(const struct strided_ref *refs, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (!refs[i].extent)
			continue;
		if (llabs(refs[i].step) - refs[i].extent >= FILTER_LINE)
			return false;
		for (uint32_t k = 0; k < i; k++)
			if (refs[k].extent && !may_be_apart(&refs[i], &refs[k]))
				return false;
	}
	return true;
}

/* How many groups, which may be streams, they are; or 0. */
static uint8_t find_groups(struct strided_ref *refs, uint32_t n)
{
	uint64_t step = (uint64_t)llabs(refs[0].step), even = (step | FILTER_LINE) & -(step | FILTER_LINE);
	uint8_t groups;

	if (!step || step / even > STRIDED_PHASES)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		if (refs[i].by != REG_NONE || refs[i].step != refs[0].step)
			return 0;
	groups = make_groups(refs, n, UINT16_MAX);
	if (groups > 1)
		groups = make_groups(refs, n, STRIDED_EXTENT);
	return groups <= STRIDED_REFS && may_be_streams(refs, n) ? groups : 0;
}

static bool find_steps(struct search *s, struct stride *loop)
{
	struct strided_ref *refs = s->strides->refs.at + loop->first_ref;
	bool each;

	for (uint32_t i = 0; i < loop->n_refs; i++) {
		const struct address *at = &refs[i].planned.at;

		refs[i].by = REG_NONE;
		if (!add_step(s, &refs[i], at->base, 1) || !add_step(s, &refs[i], at->index, at->scale))
			return false;
	}
	find_twins(refs, loop->n_refs);
	each = loop->n_refs <= STRIDED_REFS && gain(refs, loop->n_refs);
	loop->groups = find_groups(refs, loop->n_refs);
	if (each && loop->groups == count_streams(refs, loop->n_refs))
		loop->groups = 0;
	return each || loop->groups;
}

static void add_inductions(struct search *s, struct stride *loop)
{
	regset used = 0;

	for (uint32_t i = loop->first_ref; i < loop->first_ref + loop->n_refs; i++) {
		const struct address *at = &s->strides->refs.at[i].planned.at;

		used |= (at->base == REG_NONE ? 0 : 1u << at->base) | (at->index == REG_NONE ? 0 : 1u << at->index);
	}
	for (uint8_t r = 0; r < 16; r++)
		if (used >> r & 1 && s->changes[r]) {
			uint8_t by = added_to(s, r);
			struct induction change = {.reg = r, .by = by, .insn = s->change[r].insn,
						   .step = by == REG_NONE ? (int32_t)s->now.offset[r] : 0};

			VEC_PUSH(&s->strides->inductions, change);
			loop->n_inductions++;
		}
}

/* Whether all lines that it comes to are of one set, where each waits for the one before it until the set is full. */
static bool is_in_one_set(const struct strided_ref *r)
{
	return r->by == REG_NONE && r->step && r->step % FILTER_BYTES == 0;
}

/* What the runtime does once for a loop costs as much as some checks that fail, and these are the more frequent the
 * longer its steps are. */
static uint8_t checked_for(const struct strided_ref *r)
{
	uint64_t step = (uint64_t)llabs(r->step);

	if (is_in_one_set(r))
		return MOST_CHECKED;
	if (r->by != REG_NONE || step > FILTER_LINE)
		return LEAST_CHECKED;
	if (step > 2 * FILTER_LINE / LEAST_NEAR_CHECKED)
		return LEAST_NEAR_CHECKED;
	return (uint8_t)(step > 2 * FILTER_LINE / MOST_CHECKED ? 2 * FILTER_LINE / step : MOST_CHECKED);
}

static uint8_t checked_iterations(const struct stride *loop, const struct strided_ref *refs)
{
	uint8_t least = MOST_CHECKED;

	if (loop->groups && FILTER_LINE % llabs(refs[0].step))
		return TURNS_CHECKED;
	for (uint32_t i = 0; i < loop->n_refs; i++) {
		uint8_t checked = checked_for(&refs[i]);

		if (checked < least)
			least = checked;
	}
	return least;
}

static bool is_strided(struct search *s, uint32_t index, struct stride *loop)
{
	const struct block_bb *b = &s->flow->blocks.at[index];

	begin(s, b);
	*loop = (struct stride){.block = index, .first_ref = (uint32_t)s->strides->refs.n,
				.first_induction = (uint32_t)s->strides->inductions.n};
	if (!can_copy(s) || !add_refs(s))
		return false;
	loop->n_refs = (uint32_t)s->strides->refs.n - loop->first_ref;
	if (!loop->n_refs || loop->n_refs > STRIDED_GROUPED_REFS || !find_steps(s, loop))
		return false;
	loop->checked = checked_iterations(loop, s->strides->refs.at + loop->first_ref);
	add_inductions(s, loop);
	return true;
}

/* Whether those that the runtime uses are in use where it is left or goes round. */
static bool keeps_vectors(const struct flow *flow, const struct liveness *live, const struct block_bb *b)
{
	return (live->before[b->first] | live->before[flow->blocks.at[b->next].first]) & LIVE_STUBS;
}

void strides_find(struct strides *strides, const struct flow *flow, const struct liveness *live)
{
	struct search s = {.strides = strides, .flow = flow, .unit = flow->unit};

	strides->of = xalloc(flow->blocks.n, sizeof *strides->of);
	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];
		struct stride loop;

		if (b->target != i || b->next == NO_BLOCK || keeps_vectors(flow, live, b))
			continue;
		if (is_strided(&s, i, &loop)) {
			VEC_PUSH(&strides->loops, loop);
			strides->of[i] = (uint32_t)strides->loops.n;
		} else {
			strides->refs.n = loop.first_ref;
		}
	}
}

void strides_keep(struct strides *strides, const struct flow *flow, const struct planned *planned,
		  const struct loops *loops, const uint32_t *place)
{
	for (uint32_t i = 0; strides->of && i < flow->blocks.n; i++)
		if (loops->counter[i] == REG_NONE || place[i] != flow->blocks.at[i].first)
			strides->of[i] = 0;
	for (size_t i = 0; i < strides->refs.n; i++) {
		struct planned_ref *r = &strides->refs.at[i].planned;
		uint32_t k = (uint32_t)(r->ref - flow->unit->insns.at[r->insn].refs);

		r->site = planned->first_site[r->insn] + k;
	}
}

const struct stride *stride_of(const struct strides *strides, uint32_t block)
{
	return strides->of && strides->of[block] ? &strides->loops.at[strides->of[block] - 1] : NULL;
}
