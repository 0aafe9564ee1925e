/* The plan: every point at which code is planted and what it may use there. */
#include "instrument/plan.h"

#include <stdlib.h>
#include <string.h>

#include "include/site.h"
#include "instrument/borrow.h"
#include "instrument/predict.h"
#include "instrument/requests.h"
#include "instrument/sequence.h"
#include "instrument/ticks.h"

const struct level levels[3] = {
	{.count = false},
	{.count = true},
	{.count = true, .simulate = true},
};

struct planner {
	struct plan *plan;
	const struct flow *flow;
	const struct unit *unit;
	const struct liveness *live;
	const struct planned *planned;
	const struct level *level;
	bool pic;
	const struct copies *copies;
	struct ticks ticks;
	bool *behind_call; /* per block: come to from where control left for other functions */
	uint32_t segment; /* the next not yet placed */
};

static bool checks(const struct planner *pl, const struct point *p)
{
	for (uint32_t i = 0; i < p->n_segments; i++) {
		const struct segment *seg = &pl->planned->segments.at[p->segment + i];

		for (uint32_t c = seg->first; c < seg->first + seg->n; c++)
			if (!pl->planned->clusters.at[c].special)
				return true;
	}
	return false;
}

static uint8_t counting_register(const struct planner *pl, const struct point *p)
{
	return pl->plan->loops.counter[pl->unit->insns.at[p->insn].block];
}

/* Whether the point counts its block there. */
static bool in_register(const struct planner *pl, const struct point *p)
{
	return p->count && counting_register(pl, p) != REG_NONE;
}

/* Registers for what is planted there. */
static int needed(const struct planner *pl, const struct point *p)
{
	int count = pl->pic * ((p->count && !in_register(pl, p)) || p->fetch) + p->stamp;

	if (checks(pl, p))
		return pl->level->simulate || pl->pic ? CHECK_REGISTERS : 1;
	return p->enter && pl->pic && !count ? 1 : count;
}

static bool destroys_flags(const struct point *p, bool checked)
{
	return p->count || p->fetch || p->enter || checked;
}

/* Registers that hold addresses for later points of the same instruction, though the program may be done with
 * them. */
static regset used_behind(const struct planner *pl, const struct point *p)
{
	const struct segment *all = pl->planned->segments.at;
	regset used = 0;

	for (uint32_t i = pl->segment; pl->level->simulate && i < pl->planned->segments.n; i++) {
		if (all[i].point != p->insn)
			break;
		used |= all[i].used;
	}
	return used;
}

/* Bytes that an operation with a constant takes there besides what all take. */
static int constant_bytes(uint8_t r)
{
	return r == RAX ? -1 : r >= R8;
}

/* A check's mask goes to b. */
static void order_registers(struct point *p)
{
	if (p->b != REG_NONE && constant_bytes(p->a) < constant_bytes(p->b)) {
		uint8_t a = p->a;

		p->a = p->b;
		p->b = a;
	}
}

static void choose_registers(const struct planner *pl, struct point *p)
{
	liveset live = pl->live->before[p->insn] | used_behind(pl, p);
	int need = needed(pl, p);
	regset cfa = pl->unit->insns.at[p->insn].cfa, used = 0;

	for (uint32_t i = 0; i < p->n_segments; i++)
		used |= pl->planned->segments.at[p->segment + i].used;
	if (in_register(pl, p))
		used |= 1u << counting_register(pl, p);
	p->vectors_live = pl->live->before[p->insn] & LIVE_STUBS;
	p->red_zone = pl->flow->blocks.at[pl->unit->insns.at[p->insn].block].red_zone;
	borrow_registers(p, live, cfa, used, need, destroys_flags(p, checks(pl, p)));
	order_registers(p);
}

/* Who is shown every instruction sees the first ones too, when their block is counted and its thread known. */
static bool may_begin(const struct planner *pl, uint32_t insn)
{
	if (!plantable(pl->unit, insn))
		return plantable_behind(pl->flow, insn);
	return pl->level->show || !splits_prologue(pl->flow, insn);
}

/* The instruction of the block before which its counter stands: the first where that needs no
 * saving of flags, else the first at all; UINT32_MAX if planting is impossible. */
static uint32_t counter_place(const struct planner *pl, const struct block_bb *b)
{
	uint32_t first = UINT32_MAX;

	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		if (!may_begin(pl, i))
			continue;
		if (!(pl->live->before[i] & LIVE_STATUS))
			return i;
		if (first == UINT32_MAX)
			first = i;
	}
	return first;
}

/* A thread comes in at what is visible, and at functions whose address is known elsewhere; while counting is off
 * it may pass there unseen, and come in at others. Where calls return in other threads, it comes in behind them and
 * at labels that are taken. */
static bool is_entrance(const struct planner *pl, uint32_t index)
{
	const struct flow *flow = pl->flow;
	const struct block_bb *b = &flow->blocks.at[index];

	if (b->outer || (flow->moves && pl->behind_call[index]))
		return true;
	if (!b->entry || flow->functions.at[b->function].whole != b->function)
		return false;
	if (copies_want_known(pl->copies, b->first))
		return true;
	return flow->functions.at[b->function].address_taken;
}

static uint32_t entrance_place(const struct planner *pl, const struct block_bb *b)
{
	for (uint32_t i = b->first; i < b->first + b->n; i++)
		if (may_begin(pl, i))
			return i;
	return UINT32_MAX;
}

/* Nops that are to be patched have no place for a look. Bytes that are not known for instructions have none either, but
 * may be a jump (clang's -fxray-instrument). */
static bool leaves_look(const struct planner *pl, uint32_t index)
{
	const struct block_bb *b = &pl->flow->blocks.at[index];
	const struct insn *last = &pl->unit->insns.at[b->first + b->n - 1];

	return b->next == index + 1 && last->branch == BRANCH_NONE && !last->data &&
	       entrance_place(pl, b) == UINT32_MAX;
}

/* Whether threads are looked for there: where an entrance has no place for that, it is done in the block behind it. */
static bool has_look(const struct planner *pl, uint32_t index)
{
	while (!is_entrance(pl, index)) {
		if (!index || !leaves_look(pl, index - 1))
			return false;
		index--;
	}
	return true;
}

static bool ends_in_call(const struct planner *pl, const struct block_bb *b)
{
	return is_call(&pl->unit->insns.at[b->first + b->n - 1]);
}

/* From its plain copy a function goes on at a client request, in the midst of a block: time did not go on before it. */
static bool ends_in_copys_request(const struct planner *pl, const struct block_bb *b)
{
	return pl->copies && requests_end(pl->unit, b->first + b->n - 1);
}

/* Blocks behind calls, landing pads and targets of indirect jumps among them. */
static void find_behind_calls(struct planner *pl)
{
	const struct flow *flow = pl->flow;

	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];

		if (b->next != NO_BLOCK)
			pl->behind_call[b->next] |= ends_in_call(pl, b) || b->opaque || ends_in_copys_request(pl, b);
	}
	for (size_t f = 0; f < flow->functions.n; f++)
		for (size_t i = 0; i < flow->functions.at[f].taken.n; i++)
			pl->behind_call[flow->functions.at[f].taken.at[i]] = true;
}

static void find_times(struct planner *pl)
{
	bool *fetched = xalloc(pl->flow->blocks.n, sizeof *fetched);

	for (uint32_t i = 0; i < pl->flow->blocks.n; i++)
		fetched[i] = pl->plan->counter[i] != UINT32_MAX;
	ticks_find(&pl->ticks, pl->flow, pl->behind_call, fetched);
	stamps_find(&pl->plan->stamps, pl->flow, &pl->ticks, fetched, pl->plan->conserved.weight);
	free(fetched);
}

/* The return of a function that may be a signal's handler: what it interrupted goes on at another
 * time. */
static bool may_end_handler(const struct planner *pl, const struct block_bb *b)
{
	return pl->unit->insns.at[b->first + b->n - 1].branch == BRANCH_RET &&
	       b->function != NO_FUNCTION && pl->flow->functions.at[b->function].address_taken;
}

/* Of the segments of a point, what is to be planted: where nothing is simulated, only the one whose references must
 * be counted when they are made. */
static void choose_segments(const struct planner *pl, struct point *p, uint32_t end)
{
	p->n_segments = end - p->segment;
	if (pl->level->simulate)
		return;
	p->n_segments = 0;
	for (uint32_t i = p->segment; i < end; i++) {
		uint32_t cluster = pl->planned->segments.at[i].first;
		const struct cluster *c = &pl->planned->clusters.at[cluster];

		for (uint32_t r = c->first; r < c->first + c->n; r++)
			if (ref_is_dynamic(pl->planned->refs.at[r].ref)) {
				p->segment = i;
				p->n_segments = 1;
				return;
			}
	}
}

/* Planted code cannot run before there is thread-local storage. */
static void number_blocks(struct planner *pl)
{
	for (uint32_t i = 0; i < pl->flow->blocks.n; i++) {
		const struct block_bb *b = &pl->flow->blocks.at[i];
		bool counts = b->reachable && counter_place(pl, b) != UINT32_MAX && !runs_early(pl->flow, b);

		pl->plan->counter[i] = counts ? pl->plan->n_counters[b->section]++ : UINT32_MAX;
	}
}

/* The segments from pl->segment on that one point before the instruction can check: their addresses must
 * leave registers for the checks. */
static void take_segments(struct planner *pl, uint32_t insn)
{
	const struct segment *all = pl->planned->segments.at;
	regset used = 1u << RSP | pl->unit->insns.at[insn].cfa;
	uint32_t i = pl->segment;

	for (; i < pl->planned->segments.n && all[i].point == insn; i++) {
		used |= all[i].used;
		if (i > pl->segment && __builtin_popcount(REGS_ALL & ~used) < CHECK_REGISTERS)
			break;
	}
	pl->segment = i;
}

static bool has_more(const struct planner *pl, uint32_t insn)
{
	return pl->segment < pl->planned->segments.n && pl->planned->segments.at[pl->segment].point == insn;
}

static void finish_point(struct planner *pl, struct point *p)
{
	take_segments(pl, p->insn);
	choose_segments(pl, p, pl->segment);
	if (p->enter || p->count || p->fetch || p->n_segments ||
	    ((pl->level->show || pl->unit->insns.at[p->insn].request) && plantable(pl->unit, p->insn))) {
		choose_registers(pl, p);
		VEC_PUSH(&pl->plan->points, *p);
	}
}

static void plan_block(struct planner *pl, uint32_t index)
{
	const struct block_bb *b = &pl->flow->blocks.at[index];
	uint32_t enter = has_look(pl, index) ? entrance_place(pl, b) : UINT32_MAX;
	uint32_t count = counter_place(pl, b);

	if (pl->plan->counter[index] == UINT32_MAX) {
		while (pl->segment < pl->planned->segments.n &&
		       pl->planned->segments.at[pl->segment].point < b->first + b->n)
			pl->segment++;
		return;
	}
	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		struct point p = {.insn = i, .enter = i == enter, .segment = pl->segment,
				  .count = i == count && !pl->plan->conserved.derived[index],
				  .fetch = i == count && pl->level->simulate};

		if (p.fetch) {
			p.stamp = pl->plan->stamps.noted[index];
			p.tick_before = pl->ticks.before[index];
			p.tick_after = pl->ticks.after[index] || may_end_handler(pl, b);
		}
		finish_point(pl, &p);
		while (has_more(pl, i)) {
			p = (struct point){.insn = i, .segment = pl->segment};
			finish_point(pl, &p);
		}
	}
}

/* But for code in which control may come and go where nothing shows it, and where threads come in or, at level 1,
 * branches are predicted: what is planted there may use the registers. */
static void find_loops(struct planner *pl)
{
	const struct flow *flow = pl->flow;
	uint32_t *place;

	if (!pl->level->count || pl->copies || flow->by_hand || (pl->level->branches && !pl->level->simulate))
		return;
	place = xalloc(flow->blocks.n, sizeof *place);
	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		bool counts = pl->plan->counter[i] != UINT32_MAX && !pl->plan->conserved.derived[i] && !has_look(pl, i);

		place[i] = counts ? counter_place(pl, &flow->blocks.at[i]) : UINT32_MAX;
	}
	if (pl->level->simulate) {
		loops_keep(&pl->plan->loops, flow, pl->live, place);
		strides_keep(&pl->plan->strides, flow, pl->planned, &pl->plan->loops, place);
	} else {
		loops_find(&pl->plan->loops, flow, pl->live, place, pl->pic);
	}
	free(place);
}

/* Branches' history in registers, which are then alive. */
static void find_history(struct plan *plan, const struct flow *flow, struct liveness *live, bool pic)
{
	bool *predicted = xalloc(flow->blocks.n, sizeof *predicted);

	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];

		predicted[i] = plan->counter[i] != UINT32_MAX && predicts_direction(flow->unit, b->first + b->n - 1);
	}
	history_find(&plan->history, flow, live, predicted, plan->conserved.weight, pic);
	free(predicted);
}

void plan_make(struct plan *plan, const struct flow *flow, struct liveness *live,
	       const struct planned *planned, const struct level *level, bool pic, const struct copies *copies)
{
	struct planner pl = {.plan = plan, .flow = flow, .unit = flow->unit, .live = live, .planned = planned,
			     .level = level, .pic = pic, .copies = copies};

	plan->counter = xalloc(flow->blocks.n, sizeof *plan->counter);
	plan->n_counters = xalloc(flow->unit->sections.n, sizeof *plan->n_counters);
	number_blocks(&pl);
	conserve_find(&plan->conserved, flow, plan->counter, pic, copies != NULL);
	pl.behind_call = xalloc(flow->blocks.n, sizeof *pl.behind_call);
	find_behind_calls(&pl);
	find_loops(&pl);
	history_none(&plan->history, flow);
	if (level->branches)
		find_history(plan, flow, live, pic);
	if (level->simulate)
		find_times(&pl);
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		plan_block(&pl, i);
	ticks_free(&pl.ticks);
	free(pl.behind_call);
}

static void dump_registers(FILE *out, regset set)
{
	for (uint8_t r = 0; r < 16; r++)
		if (set >> r & 1)
			fprintf(out, " %s", register_name(r) + 1);
}

void plan_dump(const struct plan *plan, const struct flow *flow, FILE *out)
{
	for (size_t i = 0; i < plan->points.n; i++) {
		const struct point *p = &plan->points.at[i];
		const struct insn *insn = &flow->unit->insns.at[p->insn];

		fprintf(out, "line %u: block %u%s%s, %u segments; uses",
			flow->unit->file->stmts[insn->stmt].line, insn->block,
			p->enter ? ", entrance" : "",
			p->count ? ", counted here" : p->fetch ? ", fetched here" : "",
			p->n_segments);
		if (p->count && plan->loops.counter[insn->block] != REG_NONE)
			dump_registers(out, 1u << plan->loops.counter[insn->block]);
		dump_registers(out, (p->a == REG_NONE ? 0 : 1u << p->a) |
					    (p->b == REG_NONE ? 0 : 1u << p->b));
		if (p->pushed)
			fputs("; saves", out);
		dump_registers(out, p->pushed);
		for (int s = 0; s < SPARES; s++)
			if (p->spare[s] != REG_NONE) {
				fputs("; moves", out);
				dump_registers(out, 1u << p->spare[s]);
			}
		fputs(p->flags_in_rax ? "; flags in rax" : p->flags_pushed ? "; flags pushed" : "",
		      out);
		fputc('\n', out);
	}
}
