/* Basic blocks.
 *
 * Compilers put many labels into their output that nothing ever jumps to (the debug information's
 * .LVL, .LBB, ...). Only a label that code or data names begins a block. A label named by anything but
 * a branch has its address taken: it is a possible target of its function's indirect jumps (a switch
 * table, a computed goto, a landing pad), or, for a function, of calls from anywhere. */
#include "instrument/blocks.h"

#include "instrument/expression.h"
#include "instrument/names.h"
#include "instrument/object.h"
#include "instrument/switches.h"
#include "instrument/worklist.h"

#include <ctype.h>
#include <string.h>

#include <uthash.h>

#include "include/site.h"

struct name {
	const char *text;
	uint32_t label;
	UT_hash_handle hh;
};

struct finder {
	struct flow *flow;
	struct unit *unit;
	struct name *names;	   /* but for numeric labels, */
	struct names by_statement; /* of which a statement means one or another */
	bool *referred; /* per label: named by something other than debug information */
	bool *taken;	/* per label: named by something other than a branch */
	bool *far;	/* per label: named by a movabs */
	bool *loaded;	/* per label: named by an instruction that is no branch */
	bool *loads;	/* per instruction: it is one, and the label a function's */
	bool *leader;	/* per instruction */
	bool *arrival;	/* per instruction: control may come to it other than from the one before it */
};

static const char *const data_directives[] = {
	".long", ".quad", ".int", ".value", ".short", ".byte", ".4byte", ".8byte", ".2byte", ".hword",
	".word", ".uleb128", ".sleb128", ".octa", ".slong", ".dc", ".dc.a", ".dc.b", ".dc.l", ".dc.w", ".dcb.l", ".set",
	".equ", ".equiv", ".eqv", "=", ".weakref", ".reloc",
};

static bool directive_is_data(struct asm_text name)
{
	for (size_t i = 0; i < sizeof data_directives / sizeof *data_directives; i++)
		if (asm_text_is(name, data_directives[i]))
			return true;
	return false;
}

static struct name *find_name(const struct finder *f, const char *p, size_t len)
{
	struct name *name;

	HASH_FIND(hh, f->names, p, len, name);
	return name;
}

static bool is_numeric(const char *label)
{
	return *label && !label[strspn(label, "0123456789")];
}

static void index_labels(struct finder *f)
{
	for (size_t i = 0; i < f->unit->labels.n; i++) {
		const char *text = f->unit->labels.at[i].name;
		struct name *name = find_name(f, text, strlen(text));

		if (is_numeric(text))
			continue;
		if (!name) {
			name = arena_alloc(sizeof *name);
			name->text = text;
			HASH_ADD_KEYPTR(hh, f->names, text, strlen(text), name);
		}
		name->label = (uint32_t)i;
	}
	names_index(&f->by_statement, f->unit);
}

static const struct label *label_named(const struct finder *f, struct asm_text symbol)
{
	const struct name *name = symbol.p ? find_name(f, symbol.p, symbol.len) : NULL;

	return name ? &f->unit->labels.at[name->label] : NULL;
}

static const struct label *label_meant(const struct finder *f, struct asm_text t, uint32_t stmt)
{
	const struct label *label = label_named(f, t);

	return label || !t.len || !isdigit((unsigned char)*t.p) ? label : names_label(&f->by_statement, t, stmt);
}

/* An immediate's '$' may be a part of its name as well: a label can be called "$f". */
static const struct label *named(const struct finder *f, struct asm_text t, uint32_t stmt)
{
	const struct label *label = label_meant(f, t, stmt);

	return label || !t.len || *t.p != '$' ? label : label_meant(f, (struct asm_text){t.p + 1, t.len - 1}, stmt);
}

enum naming { BY_DATA, BY_LOAD, BY_BRANCH, BY_FAR_MOVE };

/* Marks every label that the statement's text names; returns whether a function's is among them. */
static bool mark_names(struct finder *f, struct asm_text t, uint32_t stmt, enum naming naming)
{
	bool function = false;
	const char *p = t.p, *end = t.p + t.len;

	while (p < end) {
		const struct label *label = named(f, expression_next_name(&p, end), stmt);
		size_t i = label ? (size_t)(label - f->unit->labels.at) : 0;

		if (!label)
			continue;
		f->referred[i] = true;
		f->taken[i] |= naming != BY_BRANCH;
		f->far[i] |= naming == BY_FAR_MOVE;
		function |= label->function;
		f->loaded[i] |= naming == BY_LOAD;
	}
	return function;
}

static enum naming naming_of(const struct finder *f, uint32_t stmt)
{
	uint32_t i = f->unit->stmt_insn[stmt];

	if (i != UINT32_MAX && f->unit->insns.at[i].target_symbol.p)
		return BY_BRANCH;
	return asm_text_begins(f->unit->file->stmts[stmt].name, "movabs") ? BY_FAR_MOVE : BY_LOAD;
}

static void mark_operands(struct finder *f, uint32_t stmt)
{
	const struct asm_stmt *s = &f->unit->file->stmts[stmt];
	uint32_t i = f->unit->stmt_insn[stmt];

	for (uint32_t o = 0; o < s->n_operands; o++)
		if (mark_names(f, s->operands[o].text, stmt, naming_of(f, stmt)) && i != UINT32_MAX)
			f->loads[i] = true;
}

static void mark_references(struct finder *f)
{
	const struct asm_file *file = f->unit->file;
	struct switches switches;

	switches_begin(&switches);
	for (uint32_t i = 0; i < file->n; i++) {
		const struct asm_stmt *s = &file->stmts[i];

		if (s->kind == ASM_DIRECTIVE) {
			switches_follow(&switches, s);
			if (directive_is_data(s->name) && !is_debug_section(switches.now.name))
				mark_names(f, s->args, i, BY_DATA);
		} else if (s->kind == ASM_INSN) {
			mark_operands(f, i);
		} else if (s->kind == ASM_RAW) {
			mark_names(f, s->text, i, BY_DATA);
		}
	}
	switches_end(&switches);
}

static bool ends_in(struct asm_text text, const char *end)
{
	size_t n = strlen(end);

	return text.len >= n && !memcmp(text.p + text.len - n, end, n);
}

/* "$Id: memcpy.S,v 1.2 ...", "@(#)memcpy.S": what version control writes; not "GCC: (Debian 12.2.0-14) 12.2.0". */
static bool is_of_version_control(struct asm_text ident)
{
	return ident.len > 1 && (ident.p[1] == '$' || ident.p[1] == '@');
}

static bool is_of_assembly(struct asm_text source)
{
	static const char *const ends[] = {".s\"", ".S\"", ".sx\"", ".asm\"", ".ASM\""};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (ends_in(source, ends[i]))
			return true;
	return false;
}

/* A compiler names itself or its source; what does neither was written by hand. */
bool written_by_hand(const struct asm_file *file)
{
	for (size_t i = 0; i < file->n; i++) {
		const struct asm_stmt *s = &file->stmts[i];

		if (s->kind != ASM_DIRECTIVE || !s->args.len || *s->args.p != '"')
			continue;
		if (asm_text_is(s->name, ".ident") && !is_of_version_control(s->args))
			return false;
		if (asm_text_is(s->name, ".file") && !is_of_assembly(s->args))
			return false;
	}
	return true;
}

uint32_t insn_from(const struct unit *u, uint32_t section, uint32_t offset)
{
	const struct text_section *s = &u->sections.at[section];
	uint32_t lo = s->first_insn, hi = s->first_insn + s->n_insns;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (u->insns.at[mid].offset < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

uint32_t insn_at(const struct unit *u, uint32_t section, uint32_t offset)
{
	const struct text_section *s = &u->sections.at[section];
	uint32_t i = insn_from(u, section, offset);

	return i < s->first_insn + s->n_insns && u->insns.at[i].offset == offset ? i : UINT32_MAX;
}

size_t label_from(const struct unit *u, uint32_t section, int64_t offset)
{
	size_t low = 0, high = u->labels.n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct label *l = &u->labels.at[middle];

		if (l->section < section || (l->section == section && l->offset < offset))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t insn_addressed(const struct unit *u, const struct insn *insn)
{
	uint32_t to = insn->address == UINT32_MAX ? UINT32_MAX : insn_at(u, insn->section, insn->address);

	return to == UINT32_MAX || u->insns.at[to].data ? UINT32_MAX : to;
}

bool insn_addresses_label(const struct unit *u, const struct insn *insn)
{
	uint32_t to = insn_addressed(u, insn);

	return to != UINT32_MAX && insn->text_stmt == insn->stmt && u->stmt_insn[u->insns.at[to].stmt] == to;
}

static bool local_label(const char *name)
{
	return (name[0] == '.' && name[1] == 'L') || (name[0] >= '0' && name[0] <= '9');
}

/* By references that are not seen: from other files, or to numeric labels by their numbers, for which a
 * place where nothing can be counted is too dear. Branches are known by their bytes. */
static bool may_be_target(const struct finder *f, const struct label *l)
{
	return !local_label(l->name) || (l->name[0] != '.' && !f->unit->insns.at[l->insn].glued);
}

static bool ends_block(const struct insn *i)
{
	return i->branch != BRANCH_NONE || i->data || i->unsure;
}

static void mark_arrival(struct finder *f, uint32_t insn)
{
	if (insn != UINT32_MAX)
		f->leader[insn] = f->arrival[insn] = true;
}

static void mark_leaders(struct finder *f)
{
	struct unit *u = f->unit;

	for (size_t i = 0; i < u->labels.n; i++) {
		struct label *l = &u->labels.at[i];

		l->arrival = l->insn != UINT32_MAX && (f->referred[i] || may_be_target(f, l));
		if (l->arrival)
			mark_arrival(f, l->insn);
	}
	for (uint32_t i = 0; i < u->insns.n; i++) {
		const struct insn *insn = &u->insns.at[i];

		if (ends_block(insn) && i + 1 < u->insns.n)
			f->leader[i + 1] = true;
		if (insn->target != UINT32_MAX)
			mark_arrival(f, insn_at(u, insn->section, insn->target));
		mark_arrival(f, insn_addressed(u, insn));
	}
	for (size_t s = 0; s < u->sections.n; s++)
		if (u->sections.at[s].n_insns)
			f->leader[u->sections.at[s].first_insn] = true;
}

/* No block is longer than FETCH_LONGEST (site.h). */
static void split_long(struct finder *f)
{
	uint32_t length = 0;

	for (uint32_t i = 0; i < f->unit->insns.n; i++) {
		if (f->leader[i])
			length = 0;
		if (length >= FETCH_LONGEST && !f->unit->insns.at[i].glued) {
			f->leader[i] = true;
			length = 0;
		}
		length += f->unit->insns.at[i].len;
	}
}

/* Of an alignment's: a jump over all that follows. */
static bool is_over_padding(const struct insn *insn)
{
	return insn->padding && insn->branch == BRANCH_JUMP;
}

/* Part of the sequence that cannot be torn apart begins no block; neither does padding, which
 * belongs to the code that runs into it. */
static bool begins_block(const struct finder *f, uint32_t i)
{
	const struct insn *insn = &f->unit->insns.at[i];

	return f->leader[i] && !(insn->glued && i && insn[-1].stmt == insn->stmt && !is_over_padding(insn - 1));
}

static void make_blocks(struct finder *f)
{
	struct unit *u = f->unit;

	for (uint32_t i = 0; i < u->insns.n; i++) {
		struct insn *insn = &u->insns.at[i];

		if (begins_block(f, i)) {
			struct block_bb b = {.section = insn->section, .first = i,
					     .function = NO_FUNCTION, .next = NO_BLOCK,
					     .target = NO_BLOCK, .callee = NO_BLOCK};

			VEC_PUSH(&f->flow->blocks, b);
		}
		f->flow->blocks.at[f->flow->blocks.n - 1].n++;
		insn->block = (uint32_t)f->flow->blocks.n - 1;
	}
}

static uint32_t label_block(const struct finder *f, const struct label *label)
{
	return !label || label->insn == UINT32_MAX ? NO_BLOCK : f->unit->insns.at[label->insn].block;
}

bool jumps_by_return(const struct unit *u, uint32_t insn)
{
	const struct insn *last = &u->insns.at[insn], *before = last - (insn > 0);
	const struct ref *ref = before->refs;

	return before != last && last->branch == BRANCH_RET && before->block == last->block && before->n_refs == 1 &&
	       ref->kind == REF_WRITE && ref->base == RSP && ref->index == REG_NONE && !ref->disp;
}

/* -mindirect-branch=thunk, thunk-extern */
static bool calls_thunk(const struct insn *i)
{
	return i->branch == BRANCH_CALL && asm_text_begins(i->target_symbol, "__x86_indirect_thunk_");
}

/* Whether the function whose address the instruction puts into a register is called there. */
static bool calls_what_it_loads(const struct finder *f, uint32_t i)
{
	const struct insn *insns = f->unit->insns.at;
	regset to = insns[i].writes;
	uint32_t k = i + 1;

	if (!f->loads[i] || !to || insns[i].branch != BRANCH_NONE)
		return false;
	while (k < f->unit->insns.n && insns[k].branch == BRANCH_NONE && !(insns[k].writes & to))
		k++;
	return k < f->unit->insns.n && insns[k].branch == BRANCH_CALL_INDIRECT &&
	       insns[k].target_register != REG_NONE && to >> insns[k].target_register & 1;
}

/* Who calls through a thunk what it has loaded is not looked for: units have thunks for all or for nothing. */
static bool forces_indirect_calls(const struct finder *f)
{
	for (uint32_t i = 0; i < f->unit->insns.n; i++)
		if (calls_what_it_loads(f, i) || jumps_by_return(f->unit, i) || calls_thunk(&f->unit->insns.at[i]))
			return true;
	return false;
}

static void make_functions(struct finder *f)
{
	struct flow *flow = f->flow;
	bool forced = forces_indirect_calls(f);

	for (size_t i = 0; i < f->unit->labels.n; i++) {
		const struct label *l = &f->unit->labels.at[i];
		struct function fn = {.name = l->name, .entry_insn = l->insn, .global = l->global,
				      .address_taken = f->taken[i], .far = f->far[i] || (forced && f->loaded[i]),
				      .early = l->ifunc};

		if (!l->function || l->insn == UINT32_MAX)
			continue;
		fn.whole = (uint32_t)flow->functions.n;
		flow->far |= fn.far;
		flow->blocks.at[f->unit->insns.at[l->insn].block].entry = true;
		VEC_PUSH(&flow->functions, fn);
	}
}

/* Where crti.o, all units and crtn.o have pieces of one function each, by whatever names. */
static bool has_pieces(const struct text_section *s)
{
	return !strcmp(s->name, ".init") || !strcmp(s->name, ".fini");
}

static bool begins_with_label(const struct unit *u, uint32_t section)
{
	size_t first = label_from(u, section, 0);
	const struct label *l = &u->labels.at[first];

	return first < u->labels.n && l->section == section && l->insn == u->sections.at[section].first_insn;
}

static void find_outer(struct finder *f)
{
	const struct unit *u = f->unit;

	for (uint32_t s = 0; s < u->sections.n; s++) {
		const struct text_section *section = &u->sections.at[s];

		if (section->n_insns && (has_pieces(section) || !begins_with_label(u, s)))
			f->flow->blocks.at[u->insns.at[section->first_insn].block].outer = true;
	}
	for (size_t i = 0; i < u->labels.n; i++)
		if (u->labels.at[i].global && u->labels.at[i].insn != UINT32_MAX)
			f->flow->blocks.at[label_block(f, &u->labels.at[i])].outer = true;
}

/* Of several names of a function the first is what its blocks are of: it is all that any of them is. */
static void join_names(struct flow *flow)
{
	for (uint32_t i = 1; i < flow->functions.n; i++) {
		struct function *name = &flow->functions.at[i];
		struct function *first = &flow->functions.at[name[-1].whole];

		if (name->entry_insn != first->entry_insn || object_part(name->name) || object_part(first->name))
			continue;
		name->whole = name[-1].whole;
		first->global |= name->global;
		first->address_taken |= name->address_taken;
		first->far |= name->far;
		first->early |= name->early;
	}
}

/* The function whose label is the nearest before; labels and blocks both run by section, offset. */
static void assign_functions(struct finder *f)
{
	struct flow *flow = f->flow;
	uint32_t fn = 0, current = NO_FUNCTION, section = UINT32_MAX;

	for (size_t b = 0; b < flow->blocks.n; b++) {
		struct block_bb *block = &flow->blocks.at[b];

		if (block->section != section) {
			section = block->section;
			current = NO_FUNCTION;
		}
		while (fn < flow->functions.n && flow->functions.at[fn].entry_insn <= block->first)
			current = flow->functions.at[fn++].whole;
		block->function = current;
	}
}

static void join_parts(struct flow *flow)
{
	struct name *names = NULL, *name;

	for (uint32_t i = 0; i < flow->functions.n; i++) {
		name = arena_alloc(sizeof *name);
		name->text = flow->functions.at[i].name;
		name->label = i;
		HASH_ADD_KEYPTR(hh, names, name->text, strlen(name->text), name);
	}
	for (uint32_t i = 0; i < flow->functions.n; i++) {
		const char *text = flow->functions.at[i].name, *part = object_part(text);

		if (!part)
			continue;
		HASH_FIND(hh, names, text, (size_t)(part - text), name);
		if (name)
			flow->functions.at[i].whole = flow->functions.at[name->label].whole;
	}
	HASH_CLEAR(hh, names);
}

/* Within a function its own jumps may go there; outside of all whoever has the address. */
static void take(struct flow *flow, uint32_t block)
{
	uint32_t fn = flow->blocks.at[block].function;

	if (fn != NO_FUNCTION)
		VEC_PUSH(&flow->functions.at[flow->functions.at[fn].whole].taken, block);
	else
		flow->blocks.at[block].outer = true;
}

static void collect_taken(struct finder *f)
{
	const struct unit *u = f->unit;

	for (size_t i = 0; i < u->labels.n; i++) {
		const struct label *l = &u->labels.at[i];

		if (f->taken[i] && l->insn != UINT32_MAX && (!l->function || object_part(l->name)))
			take(f->flow, u->insns.at[l->insn].block);
	}
	for (size_t i = 0; i < u->insns.n; i++) {
		uint32_t to = insn_addressed(u, &u->insns.at[i]);

		if (to != UINT32_MAX)
			take(f->flow, u->insns.at[to].block);
	}
}

static uint32_t block_at(const struct finder *f, uint32_t section, uint32_t offset)
{
	uint32_t to = offset == UINT32_MAX ? UINT32_MAX : insn_at(f->unit, section, offset);

	return to == UINT32_MAX ? NO_BLOCK : f->unit->insns.at[to].block;
}

/* Where the bytes lead goes before the name: one that .set gives to several places is known for the last of them. */
static uint32_t branch_block(const struct finder *f, const struct insn *insn)
{
	const struct label *label = label_meant(f, insn->target_symbol, insn->text_stmt);
	uint32_t block;

	if (label && label->ifunc) /* it stands at the resolver, which is not what the branch goes to */
		return NO_BLOCK;
	block = insn->relocated ? NO_BLOCK : block_at(f, insn->section, insn->target);
	if (block == NO_BLOCK)
		block = label_block(f, label);
	return block == NO_BLOCK ? block_at(f, insn->section, insn->target) : block;
}

/* __morestack calls what stands behind the ret that follows its call, and when that returns goes on at the
 * ret. */
static uint32_t behind_morestack(const struct finder *f, uint32_t index)
{
	const struct block_bb *b = &f->flow->blocks.at[index];
	uint32_t ret = b->first + b->n;

	if (ret + 1 >= f->unit->insns.n || !f->unit->insns.at[ret].after_morestack)
		return NO_BLOCK;
	return f->unit->insns.at[ret + 1].block;
}

/* What else may be there by the name that the branch goes to. */
static void note_name(const struct finder *f, struct block_bb *b, const struct insn *branch)
{
	const struct label *label = label_named(f, branch->target_symbol);

	b->replaceable = label && label->global;
	b->weak = label && label->weak;
}

static void find_successors(struct finder *f, uint32_t index)
{
	struct flow *flow = f->flow;
	struct block_bb *b = &flow->blocks.at[index];
	const struct insn *last = &f->unit->insns.at[b->first + b->n - 1];
	uint32_t next = index + 1 < flow->blocks.n && b[1].section == b->section ? index + 1 : NO_BLOCK;
	uint32_t target = branch_block(f, last);

	switch (last->branch) {
	case BRANCH_JUMP:
		b->target = target;
		b->leaves = target == NO_BLOCK;
		note_name(f, b, last);
		break;
	case BRANCH_COND:
	case BRANCH_SHORT:
		b->target = target;
		b->leaves = target == NO_BLOCK;
		b->next = next;
		note_name(f, b, last);
		break;
	case BRANCH_CALL:
		b->callee = target;
		if (target != NO_BLOCK)
			flow->blocks.at[target].called |= !flow->blocks.at[target].entry;
		note_name(f, b, last); /* fall through */
	case BRANCH_CALL_INDIRECT:
		b->next = next;
		b->target = behind_morestack(f, index);
		break;
	case BRANCH_NONE:
		b->next = next;
		break;
	case BRANCH_BARRIER:
		b->opaque = true;
		b->next = next;
		break;
	}
	if (last->data)
		b->opaque = true;
	if (b->next == NO_BLOCK &&
	    (last->branch == BRANCH_NONE || last->branch == BRANCH_COND || last->branch == BRANCH_SHORT))
		b->opaque = true;
}

/* Ways into and out of the midst of blocks are not followed. */
static void find_winding(struct finder *f)
{
	for (uint32_t i = 0; i < f->unit->insns.n; i++) {
		const struct insn *insn = &f->unit->insns.at[i];
		struct block_bb *b = &f->flow->blocks.at[insn->block];
		uint32_t target = i + 1 < b->first + b->n ? branch_block(f, insn) : NO_BLOCK;

		if (i > b->first && f->leader[i])
			b->winding = b->odd = b->opaque = true;
		if (target != NO_BLOCK)
			f->flow->blocks.at[target].odd = true;
	}
}

void blocks_named(const struct flow *flow, bool *named)
{
	const struct unit *unit = flow->unit;

	for (size_t i = 0; i < unit->labels.n; i++) {
		const struct label *l = &unit->labels.at[i];

		if (l->insn != UINT32_MAX && (l->global || l->name[0] != '.'))
			named[unit->insns.at[l->insn].block] = true;
	}
}

bool goes_on_within(const struct flow *flow, const struct block_bb *b)
{
	const struct insn *last = &flow->unit->insns.at[b->first + b->n - 1];

	if (b->opaque || may_leave(b) || last->unsure)
		return false;
	return last->branch == BRANCH_JUMP ||
	       (b->next != NO_BLOCK && (last->branch == BRANCH_NONE || last->branch == BRANCH_COND ||
					last->branch == BRANCH_SHORT));
}

bool runs_early(const struct flow *flow, const struct block_bb *b)
{
	return b->function != NO_FUNCTION &&
	       flow->functions.at[flow->functions.at[b->function].whole].early;
}

static void mark_early(struct flow *flow, uint32_t block, struct worklist *waiting)
{
	uint32_t whole;

	if (block == NO_BLOCK || flow->blocks.at[block].function == NO_FUNCTION)
		return;
	whole = flow->functions.at[flow->blocks.at[block].function].whole;
	if (flow->functions.at[whole].early)
		return;
	flow->functions.at[whole].early = true;
	worklist_add(waiting, whole);
}

static void list_blocks(const struct flow *flow, struct lists *of)
{
	listed_vec all = {0};

	for (uint32_t i = 0; i < flow->blocks.n; i++)
		if (flow->blocks.at[i].function != NO_FUNCTION)
			VEC_PUSH(&all, (struct listed){flow->functions.at[flow->blocks.at[i].function].whole, i});
	lists_make(of, flow->functions.n, &all);
	VEC_FREE(&all);
}

/* What a resolver calls runs early as well. */
static void spread_early(struct flow *flow)
{
	struct worklist waiting;
	struct lists blocks;
	uint32_t fn;

	worklist_make(&waiting, flow->functions.n);
	list_blocks(flow, &blocks);
	for (uint32_t i = 0; i < flow->functions.n; i++)
		if (flow->functions.at[i].early)
			worklist_add(&waiting, i);
	while (worklist_take(&waiting, &fn))
		for (uint32_t k = blocks.first[fn]; k < blocks.first[fn + 1]; k++) {
			const struct block_bb *b = &flow->blocks.at[blocks.item[k]];

			mark_early(flow, b->callee, &waiting);
			mark_early(flow, b->target, &waiting);
		}
	worklist_free(&waiting);
	lists_free(&blocks);
}

/* Padding that nothing falls into or goes to is never executed, and leads nowhere: what callers of the function before
 * it keep is none of the next one's. */
static void find_unreachable(struct finder *f)
{
	struct flow *flow = f->flow;
	bool falls_in = false;

	for (size_t i = 0; i < flow->blocks.n; i++) {
		struct block_bb *b = &flow->blocks.at[i];

		b->reachable = falls_in || f->arrival[b->first] || !f->unit->insns.at[b->first].padding;
		if (!b->reachable)
			b->next = b->target = NO_BLOCK;
		falls_in = b->next == i + 1;
	}
}

/* Goroutines, and Haskell's threads, go on in whatever thread is free. All of gccgo's output wants something of Go's
 * runtime package; GHC names itself. */
static bool switches_threads(const struct unit *unit)
{
	static const char package[] = "runtime.";
	const struct asm_file *file = unit->file;

	for (size_t i = 0; i < unit->needs.n; i++)
		if (!strncmp(unit->needs.at[i], package, sizeof package - 1))
			return true;
	for (size_t i = 0; i < file->n; i++)
		if (file->stmts[i].kind == ASM_DIRECTIVE && asm_text_is(file->stmts[i].name, ".ident") &&
		    asm_text_begins(file->stmts[i].args, "\"GHC "))
			return true;
	return false;
}

void blocks_find(struct flow *flow, struct unit *unit)
{
	struct finder f = {.flow = flow, .unit = unit};

	flow->unit = unit;
	flow->by_hand = written_by_hand(unit->file);
	flow->moves = flow->by_hand || switches_threads(unit);
	f.referred = xalloc(unit->labels.n, sizeof *f.referred);
	f.taken = xalloc(unit->labels.n, sizeof *f.taken);
	f.far = xalloc(unit->labels.n, sizeof *f.far);
	f.loaded = xalloc(unit->labels.n, sizeof *f.loaded);
	f.loads = xalloc(unit->insns.n, sizeof *f.loads);
	f.leader = xalloc(unit->insns.n, sizeof *f.leader);
	f.arrival = xalloc(unit->insns.n, sizeof *f.arrival);
	index_labels(&f);
	mark_references(&f);
	mark_leaders(&f);
	split_long(&f);
	make_blocks(&f);
	make_functions(&f);
	find_outer(&f);
	join_names(flow);
	assign_functions(&f);
	join_parts(flow);
	collect_taken(&f);
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		find_successors(&f, i);
	find_winding(&f);
	spread_early(flow);
	find_unreachable(&f);
	HASH_CLEAR(hh, f.names);
	names_free(&f.by_statement);
	free(f.referred);
	free(f.taken);
	free(f.far);
	free(f.loaded);
	free(f.loads);
	free(f.leader);
	free(f.arrival);
}

static void dump_successor(FILE *out, const char *what, uint32_t block)
{
	if (block != NO_BLOCK)
		fprintf(out, " %s %u", what, block);
}

void blocks_dump(const struct flow *flow, FILE *out)
{
	for (size_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];

		fprintf(out, "block %zu: %s, %u instructions from line %u", i,
			b->function == NO_FUNCTION ? "???" : flow->functions.at[b->function].name, b->n,
			flow->unit->file->stmts[flow->unit->insns.at[b->first].stmt].line);
		dump_successor(out, "next", b->next);
		dump_successor(out, "target", b->target);
		dump_successor(out, "callee", b->callee);
		fprintf(out, "%s%s%s%s\n", b->entry ? " entry" : "", b->leaves ? " leaves" : "",
			b->winding ? " winding" : b->opaque ? " opaque" : "", b->reachable ? "" : " unreachable");
	}
}
