#include "instrument/strides.h"

#include <stdlib.h>
#include <string.h>

#include "include/site.h"
#include "instrument/loops.h"

#define LEAST_CHECKED 8
#define LINE_CHECKED 16
#define MOST_CHECKED 32
#define NEAR_SIZE 8

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
	uint32_t streams = 0;
	bool same = true;

	for (uint32_t i = 0; i < n; i++) {
		same &= refs[i].by == REG_NONE && refs[i].step == first->step;
		streams += !refs[i].twin;
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

/* Whether no line lies between the two. */
static bool are_beside(const struct strided_ref *a, const struct strided_ref *b)
{
	const struct address *p = &a->planned.at, *q = &b->planned.at;

	return are_of_one_place(p, q) && p->disp - (q->disp + b->planned.ref->size) < FILTER_LINE &&
	       q->disp - (p->disp + a->planned.ref->size) < FILTER_LINE;
}

/* Whether they lie side by side, go on by one step, and come to each line that they go over. */
static bool join(const struct strided_ref *refs, uint32_t n)
{
	uint64_t step = (uint64_t)llabs(refs[0].step), even = (step | FILTER_LINE) & -(step | FILTER_LINE);
	int64_t low = refs[0].planned.at.disp, end = low;
	uint32_t beside = 1, before = 0; /* bits: those beside the first one, or beside those */

	if (!step || step / even > STRIDED_PHASES)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		int64_t at = refs[i].planned.at.disp;

		if (refs[i].by != REG_NONE || refs[i].step != refs[0].step)
			return false;
		low = at < low ? at : low;
		end = at + refs[i].planned.ref->size > end ? at + refs[i].planned.ref->size : end;
	}
	while (beside != before) {
		before = beside;
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t k = 0; k < n; k++)
				if (beside >> k & 1 && are_beside(&refs[i], &refs[k]))
					beside |= 1u << i;
	}
	return beside == (1u << n) - 1 && (int64_t)step - (end - low) < FILTER_LINE;
}

static bool find_steps(struct search *s, struct stride *loop)
{
	struct strided_ref *refs = s->strides->refs.at + loop->first_ref;

	for (uint32_t i = 0; i < loop->n_refs; i++) {
		const struct address *at = &refs[i].planned.at;

		refs[i].by = REG_NONE;
		if (!add_step(s, &refs[i], at->base, 1) || !add_step(s, &refs[i], at->index, at->scale))
			return false;
	}
	find_twins(refs, loop->n_refs);
	loop->joined = loop->n_refs > STRIDED_REFS || !gain(refs, loop->n_refs);
	return !loop->joined || join(refs, loop->n_refs);
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
 * longer its steps are; but those of steps of a line it does not make much faster. */
static uint8_t checked_for(const struct strided_ref *r)
{
	uint64_t step = (uint64_t)llabs(r->step);

	if (is_in_one_set(r))
		return MOST_CHECKED;
	if (step == FILTER_LINE && r->by == REG_NONE)
		return LINE_CHECKED;
	if (!is_near(r) || step > 2 * FILTER_LINE / LEAST_CHECKED)
		return LEAST_CHECKED;
	return (uint8_t)(step ? 2 * FILTER_LINE / step : MOST_CHECKED);
}

static uint8_t checked_iterations(const struct strided_ref *refs, uint32_t n)
{
	uint8_t least = MOST_CHECKED;

	for (uint32_t i = 0; i < n; i++) {
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
	if (!loop->n_refs || loop->n_refs > STRIDED_JOINED_REFS || !find_steps(s, loop))
		return false;
	/* For a stream of several references, of which most are hits, there is more to do once. */
	loop->checked = loop->joined ? MOST_CHECKED
					: checked_iterations(s->strides->refs.at + loop->first_ref, loop->n_refs);
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
