/* Code whose length something depends on: a distance that must fit into a byte (lengths for whoever patches
 * code, advances of hand-written unwind information), conditions, .org and other directives that measure what
 * is already there (PITFALLS 11). Planted code would make them fail, or mean something else; so nothing is
 * planted between the places that such a directive names. Distances in wider data may grow.
 *
 * The same goes for instructions that hold a distance as a number: spelled in bytes, or as 8(%rip). Where such
 * a distance leads from one function to another, something else than gas laid out the section (DynASM, as for
 * LuaJIT), and the places of its functions may stand as numbers in other files, too: nothing is planted in
 * it. */
#include "instrument/rigid.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <uthash.h>

#include "common/diag.h"
#include "instrument/blocks.h"
#include "instrument/decode.h"
#include "instrument/expression.h"
#include "instrument/labelling.h"

static const char *const measuring[] = {
	".byte", ".dc.b", ".if", ".ifeq", ".ifge", ".ifgt", ".ifle", ".iflt", ".ifne", ".elseif", ".org",
	".skip", ".space", ".zero", ".fill", ".nops", ".rept",
};

static const char *const setting[] = {".set", ".equ", ".equiv", "="};

struct named {
	const char *name;
	VEC(const struct label *) labels; /* by statement: numeric ones may be several */
	UT_hash_handle hh;
};

/* A symbol that stands for an expression. */
struct set {
	struct asm_text name;
	struct asm_text meaning;
	uint32_t stmt, section, here; /* where it was set */
	UT_hash_handle hh;
};
#define SET_DEPTH 8 /* of symbols that stand for symbols */

/* The instructions of a section between the places that a directive names. */
struct range {
	uint32_t low, high; /* the first one, and the one behind the last */
	unsigned places;
};

struct rigid {
	struct unit *unit;
	struct named *names;
	struct set *sets;
	uint32_t *here;	     /* per section: behind the last instruction so far */
	uint32_t section;    /* where the last one was */
	struct range *ranges; /* per section, of one directive */
	int *depth;	     /* per instruction: how many ranges more begin than end there */
	uint32_t *functions; /* per instruction: how many begin there or before */
	uint32_t asked;	     /* the statement of bytes that was last looked at; */
	bool named;	     /* whether it names a place */
	bool told;
};

static int by_statement(const void *a, const void *b)
{
	const struct label *const *x = a, *const *y = b;

	return ((*x)->stmt > (*y)->stmt) - ((*x)->stmt < (*y)->stmt);
}

static void add_label(struct rigid *r, const struct label *label)
{
	struct named *named;

	HASH_FIND_STR(r->names, label->name, named);
	if (!named) {
		named = xalloc(1, sizeof *named);
		named->name = label->name;
		HASH_ADD_KEYPTR(hh, r->names, named->name, strlen(named->name), named);
	}
	VEC_PUSH(&named->labels, label);
}

static void index_labels(struct rigid *r)
{
	struct named *named, *next;

	for (size_t i = 0; i < r->unit->labels.n; i++)
		add_label(r, &r->unit->labels.at[i]);
	HASH_ITER(hh, r->names, named, next)
		qsort(named->labels.at, named->labels.n, sizeof *named->labels.at, by_statement);
}

static void forget_names(struct rigid *r)
{
	struct named *named, *next;
	struct set *set, *next_set;

	HASH_ITER(hh, r->names, named, next) {
		HASH_DEL(r->names, named);
		VEC_FREE(&named->labels);
		free(named);
	}
	HASH_ITER(hh, r->sets, set, next_set) {
		HASH_DEL(r->sets, set);
		free(set);
	}
}

/* The next label of a number at or behind the statement, or the last one before it. */
static const struct label *numbered(const struct named *named, bool forward, uint32_t stmt)
{
	size_t low = 0, high = named->labels.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (named->labels.at[middle]->stmt < stmt)
			low = middle + 1;
		else
			high = middle;
	}
	if (forward)
		return low < named->labels.n ? named->labels.at[low] : NULL;
	return low ? named->labels.at[low - 1] : NULL;
}

static const struct label *label_named(const struct rigid *r, struct asm_text name, uint32_t stmt)
{
	char last = name.len > 1 && isdigit((unsigned char)*name.p) ? name.p[name.len - 1] : 0;
	struct named *named;

	if (isdigit((unsigned char)*name.p) && last != 'b' && last != 'f')
		return NULL;
	HASH_FIND(hh, r->names, name.p, name.len - (last == 'b' || last == 'f'), named);
	if (!named)
		return NULL;
	return last ? numbered(named, last == 'f', stmt) : named->labels.at[0];
}

static void widen(struct rigid *r, uint32_t section, uint32_t place)
{
	struct range *range = &r->ranges[section];

	if (!range->places || place < range->low)
		range->low = place;
	if (!range->places || place > range->high)
		range->high = place;
	range->places++;
}

/* Where the statement stands. What it fills up with begins there. */
static void add_here(struct rigid *r, uint32_t stmt)
{
	uint32_t own = r->unit->stmt_insn[stmt];

	if (own != UINT32_MAX)
		widen(r, r->unit->insns.at[own].section, own + 1);
	else if (r->section != UINT32_MAX)
		widen(r, r->section, r->here[r->section]);
}

static void add_label_place(struct rigid *r, const struct label *label)
{
	const struct text_section *s = &r->unit->sections.at[label->section];

	widen(r, label->section, label->insn == UINT32_MAX ? s->first_insn + s->n_insns : label->insn);
}

/* All that an expression names: labels, and what symbols stand for. in: the symbol that stands for it, or
 * NULL. */
static void add_places(struct rigid *r, struct asm_text text, uint32_t stmt, const struct set *in, int depth)
{
	const char *p = text.p, *end = text.p + text.len;
	struct asm_text name;

	while (depth && p < end && (name = expression_next_name(&p, end)).len) {
		const struct label *label = label_named(r, name, stmt);
		struct set *set;

		HASH_FIND(hh, r->sets, name.p, name.len, set);
		if (label)
			add_label_place(r, label);
		else if (asm_text_is(name, ".") && in && in->section != UINT32_MAX)
			widen(r, in->section, in->here);
		else if (asm_text_is(name, ".") && !in)
			add_here(r, stmt);
		else if (set)
			add_places(r, set->meaning, set->stmt, set, depth - 1);
	}
}

/* "name, meaning" or "name = meaning". */
static void note_set(struct rigid *r, uint32_t stmt)
{
	struct asm_text text = r->unit->file->stmts[stmt].args, name;
	const char *p = text.p, *end = text.p + text.len;
	struct set *set;

	if (!(name = expression_next_name(&p, end)).len)
		return;
	HASH_FIND(hh, r->sets, name.p, name.len, set);
	if (!set) {
		set = xalloc(1, sizeof *set);
		set->name = name;
		HASH_ADD_KEYPTR(hh, r->sets, name.p, name.len, set);
	}
	set->meaning = (struct asm_text){p, (size_t)(end - p)};
	set->stmt = stmt;
	set->section = r->section;
	set->here = r->section == UINT32_MAX ? 0 : r->here[r->section];
}

static bool glue(struct rigid *r)
{
	bool any = false;

	for (size_t s = 0; s < r->unit->sections.n; s++) {
		struct range *range = &r->ranges[s];

		if (range->places > 1 && range->low < range->high) {
			r->depth[range->low]++;
			r->depth[range->high]--;
			any = true;
		}
		*range = (struct range){0};
	}
	return any;
}

static bool is(struct asm_text name, const char *directive)
{
	return name.len == strlen(directive) && !strncasecmp(name.p, directive, name.len);
}

static bool is_one_of(const struct asm_stmt *s, const char *const *directives, size_t n)
{
	if (s->kind == ASM_DIRECTIVE || s->kind == ASM_RAW)
		for (size_t i = 0; i < n; i++)
			if (is(s->name, directives[i]))
				return true;
	return false;
}

#define IS_ONE_OF(s, directives) is_one_of(s, directives, sizeof directives / sizeof *directives)

/* Of a region that the parser passed through, the line that opens it. */
static struct asm_text arguments(const struct asm_stmt *s)
{
	const char *end = memchr(s->text.p, '\n', s->text.len);

	if (s->kind == ASM_DIRECTIVE)
		return s->args;
	return (struct asm_text){s->text.p, end ? (size_t)(end - s->text.p) : s->text.len};
}

static void tell(struct rigid *r, uint32_t stmt)
{
	if (!r->told)
		warn_at(asm_place(r->unit->file, stmt), NULL, 0,
			"the length of code is used here: what is measured is counted only in part");
	r->told = true;
}

/* .org names, besides what it says, where it stands. */
static void measure(struct rigid *r, uint32_t stmt)
{
	const struct asm_stmt *s = &r->unit->file->stmts[stmt];

	if (is(s->name, ".org"))
		add_here(r, stmt);
	add_places(r, arguments(s), stmt, NULL, SET_DEPTH);
	if (glue(r))
		tell(r, stmt);
}

/* Code that this statement makes. */
static void follow(struct rigid *r, uint32_t stmt)
{
	uint32_t i = r->unit->stmt_insn[stmt];

	if (i == UINT32_MAX)
		return;
	r->section = r->unit->insns.at[i].section;
	while (i < r->unit->insns.n && r->unit->insns.at[i].stmt == stmt)
		i++;
	r->here[r->section] = i;
}

/* Whether gas works a distance in these bytes out again, from places that are named. */
static bool names_place(struct rigid *r, uint32_t stmt)
{
	struct asm_text text = r->unit->file->stmts[stmt].args, name;
	const char *p = text.p, *end = text.p + text.len;

	if (r->asked == stmt)
		return r->named;
	r->asked = stmt;
	r->named = false;
	while (!r->named && p < end && (name = expression_next_name(&p, end)).len)
		r->named = asm_text_is(name, ".") || label_named(r, name, stmt);
	return r->named;
}

/* Whether the instruction is spelled in bytes, by one statement or several, in which no place is named. */
static bool is_numbers(struct rigid *r, const struct insn *insn)
{
	const struct unit *u = r->unit;
	const struct text_section *s = &u->sections.at[insn->section];
	uint32_t next = (uint32_t)(insn + 1 - u->insns.at), stmt = insn->stmt;
	uint32_t end = next < s->first_insn + s->n_insns ? u->insns.at[next].stmt : u->file->n;
	enum role role = role_of(&u->file->stmts[stmt]);

	if (role != ROLE_DATA || insn->text_stmt != UINT32_MAX)
		return false;
	for (; role == ROLE_DATA || role == ROLE_NONE; role = role_of(&u->file->stmts[stmt])) {
		if (role == ROLE_DATA && names_place(r, stmt))
			return false;
		if (++stmt >= end)
			break;
	}
	return true;
}

/* Whether an operand is so many bytes from the instruction. */
static bool is_beside(const struct unit *u, const struct insn *insn)
{
	const struct asm_stmt *s = insn->text_stmt == UINT32_MAX ? NULL : &u->file->stmts[insn->text_stmt];
	struct asm_text symbol;
	int64_t addend;

	for (uint32_t i = 0; s && i < s->n_operands; i++)
		if (s->operands[i].base.p && is(s->operands[i].base, "rip") &&
		    expression_split(s->operands[i].disp, &symbol, &addend) != EXPRESSION_SYMBOL)
			return true;
	return false;
}

/* The distance that the instruction's bytes hold. */
static bool distance_in(const struct insn *insn, int64_t *distance)
{
	ZydisDecodedInstruction d;

	if (insn->data || insn->unknown || !decode_length(insn->bytes, insn->len, &d))
		return false;
	if (d.raw.imm[0].is_relative) {
		*distance = d.raw.imm[0].value.s;
		return true;
	}
	*distance = d.raw.disp.value;
	return (d.attributes & ZYDIS_ATTRIB_HAS_MODRM) && !d.raw.modrm.mod && d.raw.modrm.rm == 5;
}

static void glue_from(struct rigid *r, uint32_t low, uint32_t high)
{
	r->depth[low]++;
	r->depth[high]--;
}

/* The instruction holds the distance to where instruction to begins, or the section ends. */
static void keep_distance(struct rigid *r, uint32_t from, uint32_t to)
{
	const struct insn *insn = &r->unit->insns.at[from];
	const struct text_section *s = &r->unit->sections.at[insn->section];
	uint32_t end = s->first_insn + s->n_insns;

	if (from == to)
		return;
	if (r->functions[to < end ? to : end - 1] != r->functions[from])
		glue_from(r, s->first_insn, end);
	else if (to < from)
		glue_from(r, to, from + 1);
	else
		glue_from(r, from + 1, to < end ? to + 1 : end);
	tell(r, insn->stmt);
}

static void count_functions(struct rigid *r)
{
	for (size_t i = 0; i < r->unit->labels.n; i++) {
		const struct label *l = &r->unit->labels.at[i];

		if (l->function && l->insn != UINT32_MAX)
			r->functions[l->insn]++;
	}
	for (size_t i = 1; i < r->unit->insns.n; i++)
		r->functions[i] += r->functions[i - 1];
}

static void find_distances(struct rigid *r)
{
	const struct unit *u = r->unit;
	int64_t distance;

	count_functions(r);
	for (uint32_t i = 0; i < u->insns.n; i++) {
		const struct insn *insn = &u->insns.at[i];

		if (insn->relocated || !(is_beside(u, insn) || is_numbers(r, insn)) ||
		    !distance_in(insn, &distance))
			continue;
		distance += (int64_t)insn->offset + insn->len;
		if (distance >= 0 && (uint64_t)distance <= u->sections.at[insn->section].size)
			keep_distance(r, i, insn_from(u, insn->section, (uint32_t)distance));
	}
}

static void mark(struct rigid *r)
{
	int depth = 0;

	for (size_t i = 0; i < r->unit->insns.n; i++) {
		depth += r->depth[i];
		r->unit->insns.at[i].glued |= depth > 0;
	}
}

void rigid_find(struct unit *unit)
{
	struct rigid r = {.unit = unit, .section = UINT32_MAX, .asked = UINT32_MAX};

	r.here = xalloc(unit->sections.n, sizeof *r.here);
	r.ranges = xalloc(unit->sections.n, sizeof *r.ranges);
	r.depth = xalloc(unit->insns.n + 1, sizeof *r.depth);
	r.functions = xalloc(unit->insns.n, sizeof *r.functions);
	index_labels(&r);
	for (uint32_t i = 0; i < unit->file->n; i++) {
		if (IS_ONE_OF(&unit->file->stmts[i], measuring))
			measure(&r, i);
		else if (IS_ONE_OF(&unit->file->stmts[i], setting))
			note_set(&r, i);
		follow(&r, i);
	}
	find_distances(&r);
	mark(&r);
	forget_names(&r);
	free(r.here);
	free(r.ranges);
	free(r.depth);
	free(r.functions);
}
