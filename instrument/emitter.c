/* How something is planted: the hot half is printed where it belongs in the text, and its cold half goes aside until
 * the text of all sections is complete. */
#include "instrument/emitter.h"

#include "instrument/syntax.h"

struct section_tables *tables_of(struct emitter *em, uint32_t insn)
{
	return &em->tables[em->unit->insns.at[insn].section];
}

void make_room(struct emitter *em, const struct address *a)
{
	if (address_room(a) > em->room) {
		em->room = address_room(a) * 2;
		em->operand = xrealloc(em->operand, em->room, 1);
	}
}

void plant(struct emitter *em, enum sequence seq, const struct slots *slots)
{
	sequence_print(em->out, seq, slots);
}

bool steps(const struct emitter *em, uint32_t insn)
{
	return em->flow->blocks.at[em->unit->insns.at[insn].block].red_zone;
}

FILE *plant_cold(struct emitter *em, uint32_t insn, bool stepping, const struct slots *slots)
{
	FILE *out = aside_out(&tables_of(em, insn)->cold[stepping ? COLD_STEPS : COLD_PLAIN]);

	sequence_print(out, stepping ? SEQ_COLD_STEPPING : SEQ_COLD, slots);
	return out;
}

FILE *cold_branches(const struct emitter *em, uint32_t section)
{
	return aside_out(&em->tables[section].cold[COLD_BRANCHES]);
}

uint32_t plant_always(struct emitter *em, uint32_t insn, const char *stub, enum sequence table)
{
	struct slots slots = {.n = em->number++, .stub = stub};

	plant(em, SEQ_ALWAYS, &slots);
	sequence_print(plant_cold(em, insn, steps(em, insn), &slots), table, &slots);
	return slots.n;
}

/* A comment ends with its line, whatever is in a name. */
static void print_in_line(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(*name == '\n' ? '?' : *name, out);
}

void comment(struct emitter *em, uint32_t insn, const char *what)
{
	const struct centre *c = &em->unit->centres.at[em->unit->insns.at[insn].centre];

	if (!em->e->comments)
		return;
	fprintf(em->out, "\t# cacheprof: %s ", what);
	print_in_line(em->out, em->unit->files.at[c->file]);
	fprintf(em->out, ":%u ", c->line);
	print_in_line(em->out, em->unit->functions.at[c->function]);
	fputc('\n', em->out);
}

void print_as_it_is(struct emitter *em, const struct asm_stmt *s)
{
	if (syntax_changes(s))
		return;
	syntax_open(s, em->out);
	fwrite(s->text.p, 1, s->text.len, em->out);
	syntax_close(s, em->out);
}

bool leads_into_loop(const struct emitter *em, uint32_t insn)
{
	uint32_t block = em->unit->insns.at[insn].block;
	const struct block_bb *b = &em->flow->blocks.at[block];

	return loops_has(&em->e->plan->loops, block) && insn == b->first + b->n - 1;
}
