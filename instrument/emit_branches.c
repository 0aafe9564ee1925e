/* Branches. With --branch-sim=yes they are predicted (predict.h). What is planted for an indirect one stands before it;
 * for a conditional one it begins there and ends on each way out, so the branch is written as one around a jump.
 *
 * Others are written anew because there is more between them and their targets now: those that reach 127 bytes only,
 * and those that say how far it is, as an lea may. And the one that a loop ends with leads behind what is planted where
 * the loop is entered. */
#include "instrument/emit_branches.h"

#include <stdlib.h>

#include "common/diag.h"
#include "instrument/emit_frames.h"
#include "instrument/syntax.h"

/* Whether it is written with its target's own label. Behind prefixes in statements of their own it is as it was, and so
 * is what lies between (rigid.h). */
static bool is_aimed(const struct insn *i)
{
	return i->by_distance && i->text_stmt == i->stmt;
}

void find_aimed(struct emitter *em)
{
	const struct unit *u = em->unit;

	em->aimed = xalloc(u->insns.n, sizeof *em->aimed);
	for (uint32_t i = 0; i < u->insns.n; i++) {
		const struct insn *from = &u->insns.at[i];
		uint32_t to;

		if (insn_addresses_label(u, from))
			em->aimed[insn_addressed(u, from)] = true;
		if (!is_aimed(from))
			continue;
		to = insn_at(u, from->section, from->target);
		if (to == UINT32_MAX || u->stmt_insn[u->insns.at[to].stmt] != to)
			die_at(asm_place(u->file, from->stmt), NULL, 0,
			       "this branch leads into the midst of something; give its target a label");
		em->aimed[to] = true;
	}
}

uint32_t branch_of(const struct emitter *em, uint32_t insn)
{
	return em->e->predicted->number ? em->e->predicted->number[insn] : 0;
}

/* In the second text of a strided loop none: see plant_prediction_left. */
static const struct prediction *prediction_of(const struct emitter *em, uint32_t insn)
{
	const struct predicted *p = em->e->predicted;

	return p->number && p->prediction[insn] && !em->strided ? &p->predictions.at[p->prediction[insn] - 1] : NULL;
}

uint32_t predicted_branch(const struct emitter *em, uint32_t insn)
{
	return prediction_of(em, insn) ? branch_of(em, insn) : 0;
}

static bool is_conditional(const struct insn *i)
{
	return i->branch == BRANCH_COND || i->branch == BRANCH_SHORT;
}

static struct slots prediction_slots(struct emitter *em, const struct point *p)
{
	return (struct slots){.a = p->a, .b = p->b == REG_NONE ? p->a : p->b, .n = em->number++,
			      .s = em->unit->insns.at[p->insn].section, .x = branch_of(em, p->insn) - 1};
}

/* Where the history is thought to be before the branch, or REG_NONE. */
static uint8_t history_from(const struct emitter *em, uint32_t insn)
{
	return em->e->plan->history.from[em->unit->insns.at[insn].block];
}

static uint8_t history_to(const struct emitter *em, const struct point *p)
{
	uint8_t to = em->e->plan->history.to[em->unit->insns.at[p->insn].block];

	return to == REG_NONE ? p->a : to;
}

static void plant_prediction(struct emitter *em, const struct prediction *p)
{
	static const enum sequence sequences[2][2] = {
		{SEQ_PREDICT, SEQ_PREDICT_PIC},
		{SEQ_PREDICT_BY, SEQ_PREDICT_BY_PIC},
	};
	struct slots slots = prediction_slots(em, &p->before);

	comment(em, p->insn, "branch");
	open_frame(em, &p->before);
	slots.c = history_from(em, p->insn);
	plant(em, sequences[slots.c != REG_NONE][em->e->pic], &slots);
}

void plant_history(struct emitter *em, uint32_t insn)
{
	uint32_t block = em->unit->insns.at[insn].block;
	uint8_t to = em->e->plan->history.to[block];

	if (to != REG_NONE && insn == history_place(em->flow, block) && !prediction_of(em, insn))
		plant(em, em->e->pic ? SEQ_HISTORY_PIC : SEQ_HISTORY, &(struct slots){.a = to, .b = to});
}

static void plant_same_history(struct emitter *em, const struct point *p)
{
	struct slots slots = prediction_slots(em, p);

	slots.c = history_from(em, p->insn);
	if (slots.c == REG_NONE)
		return;
	plant(em, em->e->pic ? SEQ_SAME_HISTORY_PIC : SEQ_SAME_HISTORY, &slots);
	sequence_print(cold_branches(em, slots.s), em->e->pic ? SEQ_COLD_HISTORY_PIC : SEQ_COLD_HISTORY, &slots);
}

static void plant_direction(struct emitter *em, const struct prediction *p, bool taken)
{
	struct slots slots = prediction_slots(em, &p->before);
	const struct point *way = taken ? &p->taken : &p->passed;
	static const enum sequence sequences[2][2][2] = {
		{{SEQ_PASSED, SEQ_COLD_PASSED}, {SEQ_PASSED_PIC, SEQ_COLD_PASSED_PIC}},
		{{SEQ_TAKEN, SEQ_COLD_TAKEN}, {SEQ_TAKEN_PIC, SEQ_COLD_TAKEN_PIC}},
	};

	slots.c = history_to(em, &p->before);
	open_frame(em, way);
	plant_same_history(em, &p->before);
	plant(em, sequences[taken][em->e->pic][0], &slots);
	close_frame(em, way);
	close_frame(em, &p->before);
	sequence_print(cold_branches(em, slots.s), sequences[taken][em->e->pic][1], &slots);
}

void plant_prediction_left(struct emitter *em, uint32_t insn)
{
	const struct prediction *prediction = prediction_of(em, insn);

	if (!prediction)
		return;
	plant_prediction(em, prediction);
	plant_direction(em, prediction, false);
}

/* The target of an indirect branch as an operand of the planted code, which loads it if it must. */
static const char *target_operand(struct emitter *em, const struct point *p, const struct insn *i)
{
	struct address a = address_of(&i->refs[0]);
	char *at;

	if (i->target_register == RAX && p->rax_kept != REG_NONE)
		return register_name(p->rax_kept);
	if (i->target_register != REG_NONE)
		return register_name(i->target_register);
	a = framed(p, a);
	make_room(em, &a);
	at = em->operand;
	if (a.segment)
		at += sprintf(at, "%%%cs:", a.segment);
	address_print(at, &a, 0);
	plant(em, SEQ_LOAD_TARGET, &(struct slots){.a = p->a, .low = em->operand});
	return register_name(p->a);
}

void plant_target(struct emitter *em, uint32_t insn)
{
	const struct insn *i = &em->unit->insns.at[insn];
	const struct prediction *prediction = is_conditional(i) ? NULL : prediction_of(em, insn);
	const struct point *p;
	struct slots slots;

	if (!prediction)
		return;
	p = &prediction->before;
	slots = prediction_slots(em, p);
	comment(em, insn, "target");
	open_frame(em, p);
	slots.low = target_operand(em, p, i);
	plant(em, em->e->pic ? SEQ_TARGET_PIC : SEQ_TARGET, &slots);
	close_frame(em, p);
	sequence_print(cold_branches(em, slots.s), em->e->pic ? SEQ_COLD_TARGET_PIC : SEQ_COLD_TARGET, &slots);
}

/* jcc by the lowest four bits of its opcode. */
static const char *const conditional_jumps[] = {"jo", "jno", "jb", "jae", "je", "jne", "jbe", "ja",
						"js", "jns", "jp", "jnp", "jl", "jge", "jle", "jg"};

/* The target of a branch, as it is to be written. */
static char *target_text(const struct emitter *em, uint32_t insn, const struct asm_operand *o)
{
	const struct insn *i = &em->unit->insns.at[insn];

	if (leads_into_loop(em, insn))
		return xasprintf(em->strided ? ".Lcpq%u" : ".Lcpl%u", i->block);
	if (is_aimed(i))
		return xasprintf(".Lcpj%u", insn_at(em->unit, i->section, i->target));
	return o->disp.len ? xasprintf("%.*s", (int)o->disp.len, o->disp.p)
			   : xasprintf("%.*s", (int)o->text.len, o->text.p);
}

/* The statement with something else in place of a piece of it. */
static void print_instead(struct emitter *em, const struct asm_stmt *s, struct asm_text was, const char *text)
{
	syntax_open(s, em->out);
	fwrite(s->text.p, 1, (size_t)(was.p - s->text.p), em->out);
	fputs(text, em->out);
	fwrite(was.p + was.len, 1, (size_t)(s->text.p + s->text.len - was.p) - was.len, em->out);
	syntax_close(s, em->out);
}

static void print_with_target(struct emitter *em, uint32_t insn, const struct asm_stmt *s)
{
	char *target = target_text(em, insn, &s->operands[0]);

	print_instead(em, s, s->operands[0].text, target);
	free(target);
}

/* A lea of what is so many bytes from somewhere. */
static void print_with_address(struct emitter *em, uint32_t to, const struct asm_stmt *s)
{
	const struct asm_operand *o = &s->operands[0];
	char *label = xasprintf(".Lcpj%u", to);

	if (s->syntax.p && !(o->disp.p >= s->text.p && o->disp.p < s->text.p + s->text.len))
		die_at(asm_place(em->unit->file, (size_t)(s - em->unit->file->stmts)), NULL, 0,
		       "this address is so many bytes from its own instruction; give it a label");
	print_instead(em, s, o->disp.p ? o->disp : (struct asm_text){o->text.p, 0}, label);
	free(label);
}

/* A mnemonic with its prefixes: with addr32, loop and jrcxz are about ecx. */
static char *prefixed_name(const struct asm_stmt *s)
{
	const char *from = s->prefix.len ? s->prefix.p : s->name.p;

	return xstrndup(from, (size_t)(s->name.p + s->name.len - from));
}

/* A conditional branch, written so that there is a place on each way out of it. */
static void print_branch(struct emitter *em, uint32_t i, const struct asm_stmt *s)
{
	const struct insn *insn = &em->unit->insns.at[i];
	const struct prediction *prediction = prediction_of(em, i);
	const struct asm_operand *o = &s->operands[0];
	char *name = prefixed_name(s);
	char *target = target_text(em, i, o);
	struct slots slots = {.n = em->number++, .low = name, .high = target};

	if (prediction)
		plant_prediction(em, prediction);
	if (insn->branch == BRANCH_COND)
		slots.low = conditional_jumps[insn->condition ^ 1];
	plant(em, insn->branch == BRANCH_SHORT ? SEQ_BRANCH_SHORT : SEQ_BRANCH, &slots);
	if (prediction)
		plant_direction(em, prediction, true);
	plant(em, SEQ_BRANCH_TAKEN, &slots);
	if (prediction) {
		/* Here the frame that was closed above is still open. */
		if (prediction->before.rsp_moved && cfi_on_rsp(&em->cfi))
			plant(em, SEQ_CFA_FARTHER, &(struct slots){.x = prediction->before.rsp_moved});
		plant_direction(em, prediction, false);
	}
	free(name);
	free(target);
}

static bool is_rewritten(const struct emitter *em, uint32_t insn, const struct asm_stmt *s)
{
	const struct insn *i = &em->unit->insns.at[insn];

	return (i->branch == BRANCH_SHORT && s->n_operands == 1 && !i->glued) ||
	       (is_conditional(i) && prediction_of(em, insn));
}

void print_instruction(struct emitter *em, uint32_t insn, const struct asm_stmt *s)
{
	const struct insn *i = &em->unit->insns.at[insn];

	if (is_rewritten(em, insn, s))
		print_branch(em, insn, s);
	else if (leads_into_loop(em, insn) || is_aimed(i))
		print_with_target(em, insn, s);
	else if (insn_addresses_label(em->unit, i))
		print_with_address(em, insn_addressed(em->unit, i), s);
	else
		print_as_it_is(em, s);
}
