/* What is planted before an instruction: its points, as the plan has them (plan.h), where a thread becomes known, a
 * block is counted and fetched, references are checked. Before them, so that nothing has been counted yet, the look of
 * a function that has a copy; behind them what concerns the instruction itself. */
#include "instrument/emit_points.h"

#include <string.h>

#include "include/site.h"
#include "instrument/emit_branches.h"
#include "instrument/emit_checks.h"
#include "instrument/emit_copies.h"
#include "instrument/emit_frames.h"
#include "instrument/emit_loops.h"
#include "instrument/emit_shown.h"

void find_points(struct emitter *em)
{
	const struct plan *plan = em->e->plan;

	em->point_of = xalloc(em->unit->insns.n, sizeof *em->point_of);
	memset(em->point_of, 0xff, em->unit->insns.n * sizeof *em->point_of);
	for (uint32_t i = (uint32_t)plan->points.n; i-- > 0;)
		em->point_of[plan->points.at[i].insn] = i;
}

static void plant_enter(struct emitter *em, const struct point *p)
{
	struct slots slots = {.a = p->a, .n = em->number++, .stub = "cacheprof_enter"};

	plant(em, em->e->pic ? SEQ_ENTER_PIC : SEQ_ENTER, &slots);
	plant_cold(em, p->insn, steps_in_frame(p), &slots);
}

static bool enters_before_look(const struct emitter *em, const struct point *p)
{
	return p->enter && copied_at(em, p->insn) & COPY_LOOK_OFF && copies_copy(em->e->copies, p->insn)->of_known;
}

/* Of a function that has a copy, before all else that is planted at an instruction. */
static void plant_looks(struct emitter *em, uint32_t insn)
{
	const struct point *p = em->point_of[insn] == UINT32_MAX ? NULL : &em->e->plan->points.at[em->point_of[insn]];
	uint8_t at = copied_at(em, insn);

	if (at & COPY_LOOK_OFF) {
		if (p && enters_before_look(em, p)) {
			open_frame(em, p);
			plant_enter(em, p);
			close_frame(em, p);
		}
		plant_look_off(em, insn);
	}
	if (at & COPY_COMES)
		plant(em, SEQ_PLACE_ON, &(struct slots){.n = insn});
}

/* How much the block has pushed before that instruction of it, as a prologue does. */
static uint64_t pushed_before(const struct emitter *em, uint32_t insn)
{
	const struct insn *insns = em->unit->insns.at;
	uint64_t bytes = 0;

	for (uint32_t i = em->flow->blocks.at[insns[insn].block].first; i < insn; i++)
		if (splits_prologue(em->flow, i) && insns[i].rsp_change == -8)
			bytes += 8;
	return bytes;
}

/* struct fetched, behind the slot. moved: bytes that rsp is lower than at the block's beginning. */
static void plant_fetched(const struct emitter *em, FILE *cold, const struct insn *insn, uint64_t moved)
{
	const struct block_bb *block = &em->flow->blocks.at[insn->block];
	struct slots slots = {.s = insn->section, .x = em->unit->insns.at[block->first].offset,
			      .y = tables_block_bytes(em->unit, block)};

	sequence_print(cold, SEQ_COLD_FETCHED, &slots);
	slots.x = em->first_insns[insn->block];
	sequence_print(cold, SEQ_COLD_FETCHED_INSN, &slots);
	slots.x = em->e->plan->counter[insn->block];
	slots.y = moved / 8;
	sequence_print(cold, SEQ_COLD_FETCHED_BLOCK, &slots);
}

/* Executes a block: it is counted, and its lines of instructions are fetched. */
static void plant_block(struct emitter *em, const struct point *p)
{
	const struct insn *insn = &em->unit->insns.at[p->insn];
	FILE *cold;
	bool pic = em->e->pic;
	struct slots slots = {.a = p->a, .b = p->b, .s = insn->section, .stub = "cacheprof_fetch",
			      .x = em->e->plan->counter[insn->block] * tables_counter_bytes(em->e)};
	bool in_register = loop_counter(em, insn->block) != REG_NONE;

	if (in_register && !strided(em, insn->block))
		plant_iteration(em, insn->block);
	if (pic && (p->fetch || !in_register))
		plant(em, SEQ_HERE_PIC, &slots);
	if (p->tick_before)
		plant(em, SEQ_TICK, &slots);
	if (p->count && !in_register)
		plant(em, pic ? SEQ_COUNT_PIC : SEQ_COUNT, &slots);
	if (!p->fetch)
		return;
	if (!p->count || in_register)
		plant(em, pic ? SEQ_LOOK_PIC : SEQ_LOOK, &slots);
	slots.n = em->number++;
	plant(em, SEQ_FETCH, &slots);
	if (p->stamp)
		plant(em, pic ? SEQ_STAMP_PIC : SEQ_STAMP, &slots);
	if (p->tick_after)
		plant(em, SEQ_TICK, &slots);
	cold = plant_cold(em, p->insn, steps_in_frame(p), &slots);
	plant_fetched(em, cold, insn, (uint64_t)p->rsp_moved + pushed_before(em, p->insn));
}

static void plant_point(struct emitter *em, const struct point *p)
{
	uint32_t i = p->segment, end = p->segment + p->n_segments;
	const struct planned *planned = em->e->planned;
	bool enter = p->enter && !enters_before_look(em, p);

	if (enter || p->count || p->fetch || (i < end && !is_special_segment(em, &planned->segments.at[i]))) {
		/* It may go on elsewhere: not from within a frame. */
		if (p->count && strided(em, em->unit->insns.at[p->insn].block))
			plant_iteration(em, em->unit->insns.at[p->insn].block);
		open_frame(em, p);
		if (enter)
			plant_enter(em, p);
		if (p->count || p->fetch) {
			comment(em, p->insn, "block");
			plant_block(em, p);
		}
		i = plant_run(em, p, i);
		close_frame(em, p);
	}
	while (i < end) {
		const struct segment *seg = &planned->segments.at[i++];

		comment(em, p->insn, "special");
		plant_special(em, p, &planned->clusters.at[seg->first]);
		if (i < end && !is_special_segment(em, &planned->segments.at[i])) {
			open_frame(em, p);
			i = plant_run(em, p, i);
			close_frame(em, p);
		}
	}
}

/* Behind everything that the block, which ends with it, has counted. */
static void plant_request(struct emitter *em, uint32_t insn)
{
	plant_always(em, insn, "cacheprof_request", SEQ_COLD_NO_TABLE);
}

static void plant_points(struct emitter *em, uint32_t insn)
{
	const struct plan *plan = em->e->plan;
	uint32_t p = em->point_of[insn];

	if (p == UINT32_MAX)
		return;
	for (; p < plan->points.n && plan->points.at[p].insn == insn; p++)
		plant_point(em, &plan->points.at[p]);
	if (em->e->level->show)
		plant_shown(em, insn);
	if (em->unit->insns.at[insn].request)
		plant_request(em, insn);
}

void plant_behind(struct emitter *em, uint32_t insn)
{
	if (em->point_of[insn] == UINT32_MAX || !plantable_behind(em->flow, insn))
		return;
	fputc('\n', em->out);
	plant_points(em, insn);
}

void plant_before(struct emitter *em, uint32_t insn)
{
	plant_looks(em, insn);
	if (plantable(em->unit, insn))
		plant_points(em, insn);
	plant_history(em, insn);
	plant_target(em, insn);
}
