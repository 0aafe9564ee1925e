/* Loops of one block (loops.h). Where control enters one, registers are made free; one of them counts its iterations,
 * and goes to the block's counter where the loop is left, as the others get their values back.
 *
 * There stands the second text of a strided loop, too (strides.h): its instructions without checks, with a table from
 * which the runtime works out what they referred to. */
#include "instrument/emit_loops.h"

#include <stdlib.h>
#include <string.h>

#include "instrument/emit_branches.h"
#include "instrument/emit_frames.h"
#include "instrument/emit_shown.h"

#define LOOP_ALIGN 64 /* bytes */

static bool is_row(const struct asm_stmt *s)
{
	return s->kind == ASM_DIRECTIVE && asm_text_is(s->name, ".loc");
}

/* Before which statement: labels that only debug information names, and rows of the line table, belong to each
 * iteration. */
static uint32_t place_of_loop(const struct emitter *em, uint32_t insn, const bool *arrival)
{
	uint32_t stmt = em->unit->insns.at[insn].stmt;
	const struct asm_stmt *stmts = em->unit->file->stmts;

	while (!em->aimed[insn] && stmt &&
	       (is_row(&stmts[stmt - 1]) || (stmts[stmt - 1].kind == ASM_LABEL && !arrival[stmt - 1])))
		stmt--;
	return stmt;
}

void find_loop_places(struct emitter *em)
{
	const struct unit *u = em->unit;
	bool *arrival = xalloc(u->file->n, sizeof *arrival);

	for (size_t i = 0; i < u->labels.n; i++)
		if (u->labels.at[i].stmt != UINT32_MAX)
			arrival[u->labels.at[i].stmt] |= u->labels.at[i].arrival;
	em->loop_at = xalloc(u->file->n, sizeof *em->loop_at);
	memset(em->loop_at, 0xff, u->file->n * sizeof *em->loop_at);
	em->loop_place = xalloc(em->flow->blocks.n, sizeof *em->loop_place);
	for (uint32_t i = 0; i < em->flow->blocks.n; i++) {
		if (!loops_has(&em->e->plan->loops, i))
			continue;
		em->loop_place[i] = place_of_loop(em, em->flow->blocks.at[i].first, arrival);
		em->loop_at[em->loop_place[i]] = i;
	}
	free(arrival);
}

uint8_t loop_counter(const struct emitter *em, uint32_t block)
{
	return em->e->plan->loops.counter[block];
}

static struct slots loop_slots(const struct emitter *em, uint32_t block)
{
	const struct plan *plan = em->e->plan;

	return (struct slots){.a = plan->loops.counter[block], .b = plan->loops.here[block], .n = block,
			      .s = em->flow->blocks.at[block].section,
			      .x = plan->counter[block] * tables_counter_bytes(em->e)};
}

const struct stride *strided(const struct emitter *em, uint32_t block)
{
	return stride_of(&em->e->plan->strides, block);
}

/* What the register that counts a loop begins with: where it overflows so many iterations have begun. */
static uint16_t loop_start(const struct emitter *em, uint32_t block)
{
	const struct stride *stride = strided(em, block);

	return stride ? (uint16_t)-stride->checked : 0;
}

void plant_iteration(struct emitter *em, uint32_t block)
{
	static const enum sequence cold[2][2] = {
		{SEQ_COLD_LOOP, SEQ_COLD_LOOP_PIC},
		{SEQ_COLD_STRIDED, SEQ_COLD_STRIDED_PIC},
	};
	const struct stride *stride = strided(em, block);
	struct slots slots = loop_slots(em, block);
	char number[16];

	snprintf(number, sizeof number, "%u", block);
	slots.low = number;
	slots.y = stride ? stride->checked - 1u : 0;
	slots.n = em->number++;
	plant(em, stride ? SEQ_STRIDED_COUNT : SEQ_LOOP_COUNT, &slots);
	sequence_print(cold_branches(em, slots.s), cold[stride != NULL][em->e->pic], &slots);
	if (stride)
		plant(em, SEQ_STRIDED_STAY, &(struct slots){.n = block});
}

/* Bytes. Where fetches are simulated the linker has to align the section as it would without us: where it lies in
 * lines follows from that. */
static uint64_t loop_alignment(const struct emitter *em, uint32_t block)
{
	uint64_t align = em->unit->sections.at[em->flow->blocks.at[block].section].align;

	return em->e->level->simulate && align < LOOP_ALIGN ? align : LOOP_ALIGN;
}

/* Natively the rows of the line table that belong to the instruction begin where it is come to, and there debuggers
 * stop each time. Those before the statement end come once more. Views number labels, which cannot be written
 * twice. */
static void repeat_rows(struct emitter *em, uint32_t end_stmt)
{
	const struct asm_stmt *stmts = em->unit->file->stmts;
	static const char view[] = " view ";
	uint32_t i = end_stmt;

	while (i && em->unit->stmt_insn[i - 1] == UINT32_MAX)
		i--;
	for (; i < end_stmt; i++) {
		const char *end;

		if (!is_row(&stmts[i]))
			continue;
		end = memmem(stmts[i].args.p, stmts[i].args.len, view, strlen(view));
		fprintf(em->out, "\t.loc\t%.*s\n",
			(int)(end ? end - stmts[i].args.p : (ptrdiff_t)stmts[i].args.len), stmts[i].args.p);
	}
}

void plant_loop_begin(struct emitter *em, uint32_t block)
{
	struct slots slots = loop_slots(em, block);

	plant_to_spares(em, block, em->e->plan->loops.parked[block]);
	slots.x = loop_start(em, block);
	if (slots.a != REG_NONE)
		plant(em, SEQ_LOOP_START, &slots);
	slots.x = loop_alignment(em, block);
	plant(em, SEQ_LOOP_BEGIN, &slots);
	repeat_rows(em, em->loop_place[block]);
}

/* The table of a strided loop, by the numbers of the two pieces that come to it. */
static void write_strided(struct emitter *em, const struct stride *stride, uint32_t on, uint32_t left)
{
	const struct strides *strides = &em->e->plan->strides;
	const struct block_bb *b = &em->flow->blocks.at[stride->block];
	FILE *out = aside_out(&em->tables[b->section].checks);

	fprintf(out, ".Lcpk%u:\n.Lcpk%u:\n.Lcpqt%u:\n\t.long\t.Lcpc%u-.,%u,%u\n\t.byte\t%u,%u,%u,%u\n", on, left,
		stride->block, b->section, em->e->plan->counter[stride->block],
		predicted_branch(em, b->first + b->n - 1), loop_counter(em, stride->block), stride->groups,
		stride->n_refs, stride->n_inductions);
	fprintf(out, "\t.long\t.Lcpb%u-.,.Lcpqn%u-.\n", on, stride->block);
	for (uint32_t i = stride->first_ref; i < stride->first_ref + stride->n_refs; i++) {
		const struct strided_ref *r = &strides->refs.at[i];

		tables_reference(out, em->unit, &r->planned, &r->planned.at, 0);
		fprintf(out, "\t.long\t%lld\n\t.byte\t%u,%u,%u,%u\n\t.value\t%u,%u\n", (long long)r->step, r->by,
			r->times, r->twin, r->group, r->behind, r->extent);
	}
	fprintf(out, ".Lcpqn%u:\n", stride->block);
	for (uint32_t i = stride->first_induction; i < stride->first_induction + stride->n_inductions; i++) {
		const struct induction *change = &strides->inductions.at[i];

		fprintf(out, "\t.long\t.Lcpqi%u-.,%d\n\t.value\t%u,%u\n", change->insn, change->step, change->reg,
			change->by);
	}
}

/* Where an iteration of the second text begins. Returns the number of what comes to the runtime. */
static uint32_t plant_strided_iteration(struct emitter *em, const struct stride *stride)
{
	uint32_t first = em->flow->blocks.at[stride->block].first;
	struct slots slots = loop_slots(em, stride->block);

	slots.n = em->number++;
	slots.stub = "cacheprof_strided_on";
	plant(em, SEQ_STRIDED_COUNT, &slots);
	sequence_print(plant_cold(em, first, steps(em, first), &slots), SEQ_COLD_TABLE, &slots);
	plant(em, SEQ_STRIDED_ITERATION, &(struct slots){.n = stride->block});
	return slots.n;
}

static bool is_changed_by(const struct emitter *em, const struct stride *stride, uint32_t insn)
{
	for (uint32_t i = stride->first_induction; i < stride->first_induction + stride->n_inductions; i++)
		if (em->e->plan->strides.inductions.at[i].insn == insn)
			return true;
	return false;
}

/* An instruction of the loop once more. Rows of the line table are in the first text only, as are the labels that tell
 * where what was inlined begins and ends: to debuggers the second one is all of the line at the first one's end. */
static void print_strided(struct emitter *em, const struct stride *stride, uint32_t i)
{
	const struct asm_stmt *s = &em->unit->file->stmts[i];
	uint32_t insn = em->unit->stmt_insn[i];

	if (s->kind != ASM_INSN)
		return;
	if (em->e->level->show)
		plant_shown(em, insn);
	print_instruction(em, insn, s);
	if (is_changed_by(em, stride, insn))
		fprintf(em->out, ".Lcpqi%u:\n", insn);
}

static void plant_strided(struct emitter *em, const struct stride *stride)
{
	const struct block_bb *b = &em->flow->blocks.at[stride->block];
	const struct insn *insns = em->unit->insns.at;
	struct slots slots = loop_slots(em, stride->block), start = slots;
	uint32_t on, left;

	start.x = loop_start(em, stride->block);
	plant(em, SEQ_STRIDED_LEFT, &start);
	start.y = loop_alignment(em, stride->block);
	if (em->e->pic)
		plant(em, SEQ_HERE_PIC, &slots);
	plant(em, em->e->pic ? SEQ_LOOK_PIC : SEQ_LOOK, &slots);
	plant(em, SEQ_STRIDED_BEGIN, &start);
	em->strided = true;
	on = plant_strided_iteration(em, stride);
	for (uint32_t i = insns[b->first].stmt; i <= insns[b->first + b->n - 1].stmt; i++)
		print_strided(em, stride, i);
	left = plant_always(em, b->first, "cacheprof_strided", SEQ_COLD_TABLE);
	em->strided = false;
	plant_prediction_left(em, b->first + b->n - 1);
	write_strided(em, stride, on, left);
}

void plant_loop_end(struct emitter *em, uint32_t insn)
{
	uint32_t block = em->unit->insns.at[insn].block;
	const struct stride *stride = strided(em, block);
	struct slots slots = loop_slots(em, block);

	if (stride)
		plant(em, SEQ_STRIDED_COUNTED, &(struct slots){.a = slots.a, .n = block, .x = loop_start(em, block)});
	if (slots.a != REG_NONE)
		plant(em, em->e->pic ? SEQ_LOOP_COUNTED_PIC : SEQ_LOOP_COUNTED, &slots);
	if (stride)
		plant_strided(em, stride);
	plant(em, SEQ_LOOP_END, &slots);
	plant_from_spares(em, block, em->e->plan->loops.parked[block]);
}
