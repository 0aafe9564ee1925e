/* Emission: the statements are printed as they stand, in order; before the first instruction of a
 * statement goes what the plan has for it. The slow half of everything planted is cold code, which
 * is collected per section and printed at the end into an output section of its own, so that the
 * text sections grow by the hot half only.
 *
 * Here the statements are gone through, and what stands behind them is written. What is planted before an instruction
 * is in emit_points.c, and each kind of it in a file of its own. */
#include "instrument/emit.h"

#include <stdlib.h>
#include <string.h>

#include "instrument/aliases.h"
#include "instrument/avx.h"
#include "instrument/emit_branches.h"
#include "instrument/emit_checks.h"
#include "instrument/emit_copies.h"
#include "instrument/emit_frames.h"
#include "instrument/emit_loops.h"
#include "instrument/emit_points.h"
#include "instrument/libc.h"

/* Whether it is the first instruction of a statement, before which something can be printed. */
static bool stands_alone(const struct unit *u, uint32_t insn)
{
	return u->stmt_insn[u->insns.at[insn].stmt] == insn;
}

/* Before what lies first in the section nothing is planted; with subsections it may not stand first in the text. */
static void begin_section(struct emitter *em, uint32_t i)
{
	const struct insn *insn = &em->unit->insns.at[i];
	uint32_t first = em->unit->sections.at[insn->section].first_insn;

	em->begun[insn->section] = true;
	if (em->placed[insn->section] || (i != first && stands_alone(em->unit, first)))
		return;
	em->placed[insn->section] = true;
	fprintf(em->out, "\t.set\t.Lcpt%u,.-%u\n", insn->section, insn->offset);
}

static bool has_got(const struct insn *insn)
{
	if (is_tls_call(insn))
		return true;
	for (int r = 0; r < insn->n_refs; r++)
		if (insn->refs[r].form == REF_GOT)
			return true;
	return false;
}

/* The statement of an instruction, with all that is planted for it. */
static void print_instrumented(struct emitter *em, uint32_t stmt, uint32_t insn)
{
	const struct insn *i = &em->unit->insns.at[insn];

	begin_section(em, insn);
	if (i->alias)
		alias_print(em->out, em->unit, i);
	if (em->aimed[insn])
		fprintf(em->out, ".Lcpj%u:\n", insn);
	if (em->loop_at[stmt] != NO_BLOCK)
		plant_loop_begin(em, em->loop_at[stmt]);
	if (!i->anchor)
		plant_before(em, insn);
	if (has_got(i) && !libc_in_got(em->unit, i))
		fprintf(em->out, ".Lcph%u:\n", insn);
	print_instruction(em, insn, &em->unit->file->stmts[stmt]);
	if (leads_into_loop(em, insn)) {
		fputc('\n', em->out);
		plant_loop_end(em, insn);
	}
	if (copied_at(em, insn) & COPY_LOOK_OFF_BEHIND)
		plant_look_off(em, insn);
	plant_behind(em, insn);
}

static void print_statement(struct emitter *em, uint32_t i)
{
	const struct asm_stmt *s = &em->unit->file->stmts[i];
	uint32_t insn = em->unit->stmt_insn[i];

	cfi_follow(&em->cfi, s);
	if (em->loop_at[i] != NO_BLOCK && insn == UINT32_MAX) {
		begin_section(em, em->flow->blocks.at[em->loop_at[i]].first);
		plant_loop_begin(em, em->loop_at[i]);
	}
	if (em->anchored[i] != UINT32_MAX) {
		begin_section(em, em->anchored[i]);
		plant_before(em, em->anchored[i]);
	}
	if (insn == UINT32_MAX)
		print_as_it_is(em, s);
	else
		print_instrumented(em, i, insn);
	print_copy(em, i);
}

/* What stands around each kind of cold code, in executables and with -fPIC. */
static const struct {
	enum sequence begin[2], end;
} cold_frames[N_COLD_KINDS] = {
	[COLD_PLAIN] = {{SEQ_COLD_BEGIN, SEQ_COLD_BEGIN}, SEQ_COLD_DONE},
	[COLD_STEPS] = {{SEQ_COLD_STEPPING_BEGIN, SEQ_COLD_STEPPING_BEGIN}, SEQ_COLD_STEPPING_DONE},
	[COLD_CHECKS] = {{SEQ_CHECKS_BEGIN, SEQ_CHECKS_BEGIN}, SEQ_CHECKS_DONE},
	[COLD_CHECKS_STEP] = {{SEQ_CHECKS_STEPPING_BEGIN, SEQ_CHECKS_STEPPING_BEGIN}, SEQ_CHECKS_STEPPING_DONE},
	[COLD_BRANCHES] = {{SEQ_BRANCHES_BEGIN, SEQ_BRANCHES_BEGIN_PIC}, SEQ_BRANCHES_DONE},
};

static void print_cold(struct emitter *em, uint32_t s)
{
	const struct slots slots = {.s = s};

	for (enum cold_kind k = 0; k < N_COLD_KINDS; k++) {
		const struct aside *cold = &em->tables[s].cold[k];

		if (!cold->size)
			continue;
		plant(em, cold_frames[k].begin[em->e->pic], &slots);
		aside_print(cold, em->out);
		plant(em, cold_frames[k].end, &slots);
	}
}

/* The end of a section that has several is that of the last one (Using as, chapter Subsection). */
#define LAST_SUBSECTION "\t.subsection\t8192\n"

static bool begins_subsection(const struct asm_stmt *s)
{
	const char *comma;

	if (s->kind != ASM_DIRECTIVE)
		return false;
	if (asm_text_is(s->name, ".subsection"))
		return true;
	if (asm_text_is(s->name, ".text"))
		return s->args.len;
	if (!asm_text_is(s->name, ".pushsection") && !asm_text_is(s->name, ".section"))
		return false;
	comma = s->args.len ? memchr(s->args.p, ',', s->args.len) : NULL;
	while (comma && comma + 1 < s->args.p + s->args.len && strchr(" \t", comma[1]))
		comma++;
	return comma && comma + 1 < s->args.p + s->args.len && comma[1] != '"';
}

static bool has_subsections(const struct asm_file *file)
{
	for (size_t i = 0; i < file->n; i++)
		if (begins_subsection(&file->stmts[i]))
			return true;
	return false;
}

/* The last section's first: C libraries look for what is closed among all that is open, from the last opened on. */
static void close_asides(struct emitter *em)
{
	for (uint32_t s = (uint32_t)em->unit->sections.n; s-- > 0;) {
		struct section_tables *t = &em->tables[s];

		for (enum cold_kind k = 0; k < N_COLD_KINDS; k++)
			aside_close(&t->cold[k]);
		aside_close(&t->checks);
		aside_close(&t->copies);
		aside_close(&t->copied_tables);
	}
}

/* In place of the instructions that read places of the GOT which are the runtime's. */
static void print_gots(struct emitter *em, const struct section_tables *t)
{
	for (size_t k = 0; k < t->gots.n; k++) {
		const char *name = libc_in_got(em->unit, &em->unit->insns.at[t->gots.at[k]]);

		if (name) {
			fprintf(em->out, ".Lcph%u:\n", t->gots.at[k]);
			libc_print_got(em->out, name);
		}
	}
}

static void print_tails(struct emitter *em)
{
	bool parted = has_subsections(em->unit->file);
	uint32_t *centres = tables_centres(em->unit);

	close_asides(em);
	for (uint32_t s = 0; s < em->unit->sections.n; s++) {
		struct section_tables *t = &em->tables[s];
		const struct text_section *section = &em->unit->sections.at[s];

		if (em->begun[s]) {
			fprintf(em->out, "\t.section\t%.*s\n%s.Lcpz%u:\n", (int)section->directive.len,
				section->directive.p, parted ? LAST_SUBSECTION : "", s);
			tables_section(em->out, em->unit, s, "cacheprof_cold", "ax", "progbits");
			print_cold(em, s);
			if (t->checks_in_code)
				aside_print(&t->checks, em->out);
			print_gots(em, t);
			print_copies(em, s, t);
			tables_emit(em->out, em->e, t, s, centres);
		}
		for (enum cold_kind k = 0; k < N_COLD_KINDS; k++)
			aside_free(&t->cold[k]);
		aside_free(&t->checks);
		aside_free(&t->copies);
		aside_free(&t->copied_tables);
		free(t->dynamic);
		free(t->got);
		free(t->branch_dynamic);
		VEC_FREE(&t->gots);
	}
	free(centres);
}

static void find_anchored(struct emitter *em)
{
	em->anchored = xalloc(em->unit->file->n, sizeof *em->anchored);
	memset(em->anchored, 0xff, em->unit->file->n * sizeof *em->anchored);
	for (uint32_t i = 0; i < em->unit->insns.n; i++)
		if (em->unit->insns.at[i].anchor)
			em->anchored[em->unit->insns.at[i].anchor - 1] = i;
}

static void make_tables(struct emitter *em)
{
	em->tables = xalloc(em->unit->sections.n, sizeof *em->tables);
	for (uint32_t s = 0; s < em->unit->sections.n; s++) {
		struct section_tables *t = &em->tables[s];

		t->dynamic = xalloc(em->e->planned->n_sites[s], sizeof *t->dynamic);
		t->got = xalloc(em->e->planned->n_sites[s], sizeof *t->got);
		if (em->e->predicted->number)
			t->branch_dynamic = xalloc(em->e->predicted->n_branches[s], sizeof *t->branch_dynamic);
	}
}

static void prepare(struct emitter *em)
{
	find_points(em);
	find_aimed(em);
	find_anchored(em);
	find_loop_places(em);
	em->avx = xalloc(em->flow->blocks.n, sizeof *em->avx);
	avx_find(em->avx, em->flow);
	make_tables(em);
	em->first_insns = tables_first_insns(em->e);
	number_references(em);
	find_dtpoff(em);
	em->begun = xalloc(em->unit->sections.n, sizeof *em->begun);
	em->placed = xalloc(em->unit->sections.n, sizeof *em->placed);
	em->number = 1;
	cfi_begin(&em->cfi, em->unit->file);
}

/* The last statement: gas reads nothing behind it. */
static bool is_end(const struct asm_stmt *s)
{
	return s->kind == ASM_RAW && asm_text_means(s->name, ".end");
}

/* The file may end in a region of another syntax or another mode of the processor. */
static void leave_region(FILE *out, const struct asm_stmt *last)
{
	if (last->kind == ASM_RAW)
		fputs("\t.att_syntax\tprefix\n\t.code64\n", out);
}

bool emit(const struct emission *e, FILE *out)
{
	struct emitter em = {.e = e, .flow = e->flow, .unit = e->flow->unit, .out = out};
	const struct asm_file *file = em.unit->file;
	size_t n = file->n && is_end(&file->stmts[file->n - 1]) ? file->n - 1 : file->n;

	prepare(&em);
	fprintf(out, EMIT_MARK ", level %d\n", e->level_number);
	for (uint32_t i = 0; i < file->n; i++) {
		if (e->places)
			e->places[i] = (size_t)ftello(out);
		if (i < n)
			print_statement(&em, i);
	}
	fputc('\n', out);
	if (n)
		leave_region(out, &file->stmts[n - 1]);
	print_tails(&em);
	tables_strings(out, em.unit);
	cfi_end(&em.cfi);
	libc_print(out, em.unit);
	if (n < file->n)
		fwrite(file->stmts[n].text.p, 1, file->stmts[n].text.len, out);
	free(em.point_of);
	free(em.aimed);
	free(em.anchored);
	free(em.loop_place);
	free(em.loop_at);
	free(em.avx);
	free(em.first_insns);
	free(em.tables);
	free(em.begun);
	free(em.placed);
	free(em.operand);
	return !ferror(out);
}
