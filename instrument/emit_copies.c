/* Plain copies (copies.h): the looks by which a function goes on in its copy, and that in the function; and the copies'
 * text, which goes aside, section by section, while the functions' is printed, and behind the cold code at the end. */
#include "instrument/emit_copies.h"

#include "instrument/requests.h"

uint8_t copied_at(const struct emitter *em, uint32_t insn)
{
	return copies_copy(em->e->copies, insn) ? em->e->copies->at[insn] : 0;
}

void plant_look_off(struct emitter *em, uint32_t insn)
{
	const struct copy *copy = copies_copy(em->e->copies, insn);

	plant(em, SEQ_LOOK_OFF, &(struct slots){.s = copy->section, .x = copy->number, .n = insn});
}

/* In the copy: it goes on at the instruction to of the function. */
static void print_going_on(struct emitter *em, FILE *out, enum sequence seq, uint32_t insn, uint32_t to)
{
	const struct copy *copy = copies_copy(em->e->copies, insn);
	struct slots slots = {.s = copy->section, .x = copy->number, .n = em->number++, .stub = "cacheprof_enter"};
	FILE *cold;

	sequence_print(out, seq, &slots);
	cold = plant_cold(em, insn, steps(em, insn), &slots);
	slots.x = to;
	sequence_print(cold, SEQ_COLD_ON, &slots);
}

static void print_place_off(FILE *out, uint32_t insn)
{
	sequence_print(out, SEQ_PLACE_OFF, &(struct slots){.n = insn});
}

/* What the copy has before an instruction. */
static void print_copy_looks(struct emitter *em, uint32_t insn, FILE *out)
{
	uint8_t at = copied_at(em, insn);

	if (at & COPY_LOOK_ON)
		print_going_on(em, out, SEQ_LOOK_ON, insn, insn);
	if (at & COPY_LOOK_OFF)
		print_place_off(out, insn);
	if (em->unit->insns.at[insn].request) {
		print_going_on(em, out, SEQ_GO_ON, insn, insn);
		em->requesting = true;
	}
}

/* And behind it, where its text ends with the statement. A client request is the function's. */
static void print_copy_looks_behind(struct emitter *em, uint32_t stmt, FILE *out)
{
	const struct insn *insn = &em->unit->insns.at[em->copied];

	if (insn->text_stmt != stmt && insn->stmt != stmt)
		return;
	if (copied_at(em, em->copied) & COPY_LOOK_ON_BEHIND)
		print_going_on(em, out, SEQ_LOOK_ON, em->copied, em->copied + 1);
	if (!requests_end(em->unit, em->copied))
		return;
	print_place_off(out, em->copied);
	em->requesting = false;
}

void print_copy(struct emitter *em, uint32_t stmt)
{
	const struct copied_piece *piece = copies_piece(em->e->copies, stmt);
	uint32_t insn = em->unit->stmt_insn[stmt];
	struct section_tables *t;
	FILE *out;

	if (!piece)
		return;
	t = &em->tables[piece->section];
	out = aside_out(piece->table ? &t->copied_tables : &t->copies);
	if (stmt == piece->first && piece->table)
		fprintf(out, "\t.section\t%.*s\n", (int)piece->directive.len, piece->directive.p);
	else if (stmt == piece->first)
		sequence_print(out, SEQ_COPY_BEGIN, NULL);
	if (insn != UINT32_MAX) {
		em->copied = insn;
		print_copy_looks(em, insn, out);
	}
	if (!em->requesting || em->unit->file->stmts[stmt].kind != ASM_INSN)
		copies_print(em->e->copies, stmt, out);
	if (!piece->table)
		print_copy_looks_behind(em, stmt, out);
}

void print_copies(struct emitter *em, uint32_t s, const struct section_tables *t)
{
	if (!t->copies.size)
		return;
	tables_section(em->out, em->unit, s, "cacheprof_plain", "ax", "progbits");
	aside_print(&t->copies, em->out);
	aside_print(&t->copied_tables, em->out);
}
