/* What is planted for an instruction stands behind its labels, since control may come there. Where it surely does not,
 * for nothing but data names them, and the instruction is one that may fault or may be written over, it stands
 * before the label. A label that data names as a place to go on at mostly has another instruction behind it. */
#include "instrument/anchors.h"

#include <stdlib.h>
#include <string.h>

#include "instrument/blocks.h"
#include "instrument/expression.h"
#include "instrument/labelling.h"
#include "instrument/names.h"

/* How labels of what is to be written over begin: gcc's of the NOPs at a function's beginning, clang's of those behind
 * endbr64, and clang's of a jump over NOPs, or a return before NOPs (-fxray-instrument). */
static const char *const patchable[] = {".LPFE", ".Lpatch", ".Lxray_sled_"};

/* The section that names the places of NOPs at functions' beginnings. clang's labels of others are those of the
 * beginnings themselves, before .cfi_startproc: nothing can stand before them. */
#define ENTRIES "__patchable_function_entries"

struct finder {
	struct unit *unit;
	struct names names;
	struct switches switches;
	bool *by_data; /* per label: named by data that is no debug information */
	bool *by_code; /* per label: named by instructions, or by what may stand for it */
	bool *entry;   /* per label: of other NOPs that are written over */
	bool *led_to;  /* per instruction: by code that does not name it */
	bool by_hand;  /* the file is, and no code in it goes where data says */
};

static bool is_nop(const struct insn *i)
{
	return i->branch == BRANCH_NONE && !i->n_refs && !(i->reads | i->writes | i->clobbers | i->flags_written) &&
	       !i->vectors_read && !i->vectors_written && !i->data && !i->unknown;
}

static bool is_patchable(const struct label *l)
{
	for (size_t i = 0; i < sizeof patchable / sizeof *patchable; i++)
		if (!strncmp(l->name, patchable[i], strlen(patchable[i])))
			return true;
	return false;
}

/* In hand-written assembly, too, where no code goes where data says, so that the data is no table of that. What is
 * looked up stands amid code that comes to it. */
static bool may_fault_by_hand(const struct finder *f, const struct insn *i)
{
	const struct insn *all = f->unit->insns.at;

	if (!f->by_hand || !i->n_refs || i == all || i[-1].section != i->section)
		return false;
	return !i[-1].data && !i[-1].unknown &&
	       (i[-1].branch == BRANCH_NONE || i[-1].branch == BRANCH_COND || i[-1].branch == BRANCH_SHORT);
}

static bool may_be_anchor(const struct finder *f, const struct label *l)
{
	const struct unit *u = f->unit;
	const struct insn *i;

	if (l->stmt == UINT32_MAX || l->insn == UINT32_MAX || l->function || l->global)
		return false;
	i = &u->insns.at[l->insn];
	if (i->section != l->section || i->offset != l->offset || i->stmt < l->stmt || i->glued || i->alias)
		return false;
	return is_patchable(l) || may_fault_by_hand(f, i) ||
	       (u->file->stmts[l->stmt].in_asm && u->file->stmts[i->stmt].in_asm && (i->n_refs || is_nop(i)));
}

/* Of several that one statement of data names, the first is what is looked up, and others are where to go on. */
static void note_names(struct finder *f, uint32_t stmt, struct asm_text text, bool data)
{
	bool entry = data && asm_text_is(f->switches.now.name, ENTRIES);
	const char *p = text.p, *end = text.p + text.len;
	const struct label *first = NULL;
	struct asm_text name;

	while (p < end && (name = expression_next_name(&p, end)).len) {
		const struct label *l = names_label(&f->names, name, stmt);

		if (!l)
			continue;
		f->entry[l - f->unit->labels.at] |= entry && !is_patchable(l);
		first = first ? first : l;
		(data && l == first ? f->by_data : f->by_code)[l - f->unit->labels.at] = true;
	}
}

static bool sets(const struct asm_stmt *s)
{
	static const char *const settings[] = {".set", ".equ", ".equiv", ".eqv", "="};

	return s->kind == ASM_DIRECTIVE && ASM_TEXT_AMONG(s->name, settings);
}

/* Symbols that stand for labels may be led to. */
static void note_statement(struct finder *f, uint32_t stmt)
{
	const struct asm_stmt *s = &f->unit->file->stmts[stmt];

	switch (role_of(s)) {
	case ROLE_DATA:
		if (!is_debug_section(f->switches.now.name))
			note_names(f, stmt, s->args, true);
		break;
	case ROLE_INSN:
		for (uint32_t i = 0; i < s->n_operands; i++)
			note_names(f, stmt, s->operands[i].text, false);
		break;
	case ROLE_NONE:
		if (sets(s))
			note_names(f, stmt, s->args, false);
		break;
	case ROLE_RAW:
		note_names(f, stmt, s->text, false);
		break;
	default:
		break;
	}
}

static void note_targets(struct finder *f)
{
	const struct unit *u = f->unit;

	for (uint32_t i = 0; i < u->insns.n; i++) {
		const struct insn *insn = &u->insns.at[i];
		uint32_t to = insn_addressed(u, insn);

		if (to != UINT32_MAX)
			f->led_to[to] = true;
		if (insn->padding || insn->target == UINT32_MAX || (insn->target_symbol.p && !insn->by_distance))
			continue;
		if ((to = insn_at(u, insn->section, insn->target)) != UINT32_MAX)
			f->led_to[to] = true;
	}
}

/* Whether control may come to the label, or to one of the same instruction behind it. */
static bool is_led_to(const struct finder *f, const struct label *l)
{
	const struct label *all = f->unit->labels.at;
	size_t i = (size_t)(l - all);

	while (i && all[i - 1].insn == l->insn)
		i--;
	for (; i < f->unit->labels.n && all[i].insn == l->insn; i++)
		if (all[i].stmt != UINT32_MAX && all[i].stmt >= l->stmt &&
		    (all[i].function || all[i].global || f->by_code[i] ||
		     (f->by_data[i] && !may_be_anchor(f, &all[i]))))
			return true;
	return f->led_to[l->insn];
}

static bool is_nop_of_entry(const struct insn *i)
{
	unsigned p = 0;

	if (!i->bytes || i->padding)
		return false;
	while (p + 1 < i->len && (i->bytes[p] == 0x66 || i->bytes[p] == 0x2e))
		p++;
	return i->bytes[p] == 0x90 || (p + 1 < i->len && i->bytes[p] == 0x0f && i->bytes[p + 1] == 0x1f);
}

/* NOPs that are written over are one. */
static void glue_patchable(struct unit *u, uint32_t first, uint32_t section)
{
	for (uint32_t i = first; i < u->insns.n && u->insns.at[i].section == section; i++) {
		if (!is_nop_of_entry(&u->insns.at[i]))
			break;
		u->insns.at[i].written_over = !u->insns.at[i].glued;
		u->insns.at[i].glued = true;
	}
}

/* A NOP that may become a jump to anywhere. */
static void make_barrier(struct insn *i)
{
	i->branch = BRANCH_BARRIER;
	i->reads = REGS_ALL;
	i->flags_read = FLAGS_STATUS;
	i->vectors_read = VECTORS_ALL;
}

static void anchor(struct finder *f, const struct label *l)
{
	struct insn *i = &f->unit->insns.at[l->insn];

	if (!f->by_data[l - f->unit->labels.at] || is_led_to(f, l))
		return;
	if (!i->anchor || l->stmt + 1 < i->anchor)
		i->anchor = l->stmt + 1;
	if (is_patchable(l))
		glue_patchable(f->unit, l->insn + 1, l->section);
	else if (is_nop(i))
		make_barrier(i);
}

static bool has_entries(const struct asm_file *file)
{
	for (size_t i = 0; i < file->n; i++)
		if (switches_at(&file->stmts[i]) && asm_text_begins(file->stmts[i].args, ENTRIES))
			return true;
	return false;
}

static bool goes_by_tables(const struct unit *u)
{
	for (uint32_t i = 0; i < u->insns.n; i++)
		if (u->insns.at[i].branch == BRANCH_JUMP_INDIRECT || u->insns.at[i].branch == BRANCH_CALL_INDIRECT)
			return true;
	return false;
}

void anchors_find(struct unit *unit)
{
	struct finder f = {.unit = unit, .by_hand = written_by_hand(unit->file) && !goes_by_tables(unit)};
	bool any = has_entries(unit->file);

	for (size_t i = 0; i < unit->labels.n && !any; i++)
		any = may_be_anchor(&f, &unit->labels.at[i]);
	if (!any)
		return;
	f.by_data = xalloc(unit->labels.n, sizeof *f.by_data);
	f.by_code = xalloc(unit->labels.n, sizeof *f.by_code);
	f.entry = xalloc(unit->labels.n, sizeof *f.entry);
	f.led_to = xalloc(unit->insns.n, sizeof *f.led_to);
	names_index(&f.names, unit);
	switches_begin(&f.switches);
	for (uint32_t i = 0; i < unit->file->n; i++) {
		switches_follow(&f.switches, &unit->file->stmts[i]);
		note_statement(&f, i);
	}
	switches_end(&f.switches);
	note_targets(&f);
	for (size_t i = 0; i < unit->labels.n; i++) {
		const struct label *l = &unit->labels.at[i];

		if (may_be_anchor(&f, l))
			anchor(&f, l);
		if (f.entry[i] && l->insn != UINT32_MAX)
			glue_patchable(unit, l->insn, l->section);
	}
	names_free(&f.names);
	free(f.by_data);
	free(f.by_code);
	free(f.entry);
	free(f.led_to);
}
