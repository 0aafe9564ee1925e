/* Code whose length something depends on: a distance that must fit into a byte (lengths for whoever patches
 * code, advances of hand-written unwind information), conditions, .org and other directives that measure what
 * is already there. Planted code would make them fail, or mean something else; so nothing is
 * planted between the places that such a directive names. Distances in wider data may grow.
 *
 * The same goes for instructions that hold a distance as a number: spelled in bytes, or as 8(%rip). Where such
 * a distance leads from one function to another, something else than gas laid out the section (DynASM, as for
 * LuaJIT), and the places of its functions may stand as numbers in other files, too: nothing is planted in
 * it. Where it leads out of the section, as in libffi's table of trampolines, something else lies beyond its
 * end, from the function on.
 *
 * So does the code into which bytes of data lead, or which they are the beginning of, and a function that a jump comes
 * to by arithmetic; and what stands so many bytes before a function.
 *
 * A short branch between such places must stay one, so nothing is planted on its way either.
 *
 * And restartable sequences are no longer whole where planted code leaves them for a while. */
#include "instrument/rigid.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "common/diag.h"
#include "instrument/blocks.h"
#include "instrument/computed.h"
#include "instrument/decode.h"
#include "instrument/expression.h"
#include "instrument/groups.h"
#include "instrument/labelling.h"
#include "instrument/names.h"

static const char *const measuring[] = {
	".byte",  ".dc.b", ".dcb",  ".dcb.b", ".dcb.d", ".dcb.l", ".dcb.s",  ".dcb.w", ".dcb.x", ".ds",	  ".ds.b",
	".ds.d",  ".ds.l", ".ds.p", ".ds.s",  ".ds.w",	".ds.x",  ".elseif", ".fill",  ".if",	 ".ifeq", ".ifge",
	".ifgt",  ".ifle", ".iflt", ".ifne",  ".nops",	".org",	  ".rept",   ".skip",  ".space", ".zero",
};

static const char *const setting[] = {".set", ".equ", ".equiv", ".eqv", "="};

/* A symbol that stands for an expression. */
struct set {
	struct asm_text name;
	struct asm_text meaning;
	uint32_t stmt, section, here; /* where it was set */
	uint32_t asker; /* 1 + the last statement that asked for its places, or 0, */
	int depth;	/* and how deep it looked */
	UT_hash_handle hh;
};
#define SET_DEPTH 8 /* of symbols that stand for symbols */

/* Sections with code by their names, which several may have. */
struct beginning {
	const char *name;
	VEC(uint32_t) sections;
	UT_hash_handle hh;
};

/* The instructions of a section between the places that a directive names. */
struct range {
	uint32_t low, high; /* the first one, and the one behind the last */
	bool known;
};

struct rigid {
	struct unit *unit;
	struct names names;
	struct set *sets;
	struct beginning *beginnings;
	uint32_t measure;    /* 1 + the directive in work */
	uint32_t *here;	     /* per section: behind the last instruction so far */
	uint32_t section;    /* where the last one was */
	struct range *ranges; /* per section, of one directive: */
	VEC(uint32_t) named_in; /* those that it names places in */
	int *depth;	     /* per instruction: how many ranges more begin than end there */
	uint32_t *functions; /* per instruction: how many begin there or before */
	uint32_t own_end;    /* behind the instructions of the statement in work, */
	uint32_t own_from, own_to; /* which lie there in their section */
	uint64_t leaves[2];  /* the functions, by section and that number, from which the last distances led out: before
			      * the section, behind it */
	uint32_t asked;	     /* the statement of bytes that was last looked at; */
	bool named;	     /* whether it names a place */
	bool told;
	struct switches switches;
};

static void forget_sets(struct rigid *r)
{
	struct set *set, *next;

	HASH_ITER(hh, r->sets, set, next) {
		HASH_DEL(r->sets, set);
		free(set);
	}
}

static void index_beginnings(struct rigid *r)
{
	for (uint32_t i = 0; i < r->unit->sections.n; i++) {
		const char *name = r->unit->sections.at[i].name;
		struct beginning *b;

		HASH_FIND_STR(r->beginnings, name, b);
		if (!b) {
			b = xalloc(1, sizeof *b);
			b->name = name;
			HASH_ADD_KEYPTR(hh, r->beginnings, name, strlen(name), b);
		}
		VEC_PUSH(&b->sections, i);
	}
}

static void forget_beginnings(struct rigid *r)
{
	struct beginning *b, *next;

	HASH_ITER(hh, r->beginnings, b, next) {
		HASH_DEL(r->beginnings, b);
		VEC_FREE(&b->sections);
		free(b);
	}
}

static void widen(struct rigid *r, uint32_t section, uint32_t place)
{
	struct range *range = &r->ranges[section];

	if (!range->known) {
		*range = (struct range){place, place, true};
		VEC_PUSH(&r->named_in, section);
	}
	if (place < range->low)
		range->low = place;
	if (place > range->high)
		range->high = place;
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

/* Where a section begins, if the name is that of one with code. */
static void add_beginning(struct rigid *r, struct asm_text name)
{
	struct beginning *b;

	HASH_FIND(hh, r->beginnings, name.p, name.len, b);
	for (size_t i = 0; b && i < b->sections.n; i++)
		widen(r, b->sections.at[i], r->unit->sections.at[b->sections.at[i]].first_insn);
}

static void add_label_place(struct rigid *r, const struct label *label)
{
	const struct text_section *s = &r->unit->sections.at[label->section];

	widen(r, label->section, label->insn == UINT32_MAX ? s->first_insn + s->n_insns : label->insn);
}

/* Symbols that stand for sums of symbols that do would take long if each were followed as often as it is named. */
static bool is_news(const struct rigid *r, struct set *set, int depth)
{
	if (set->asker == r->measure && set->depth >= depth)
		return false;
	set->asker = r->measure;
	set->depth = depth;
	return true;
}

/* All that an expression names: labels, and what symbols stand for, which may be something else later. in: the symbol
 * that stands for it, or NULL. */
static void add_places(struct rigid *r, struct asm_text text, uint32_t stmt, const struct set *in, int depth)
{
	const char *p = text.p, *end = text.p + text.len;
	struct asm_text name;

	while (p < end && (name = expression_next_name(&p, end)).len) {
		const struct label *label = names_label(&r->names, name, stmt);
		struct set *set;

		HASH_FIND(hh, r->sets, name.p, name.len, set);
		if (asm_text_is(name, ".") && in && in->section != UINT32_MAX)
			widen(r, in->section, in->here);
		else if (asm_text_is(name, ".") && !in)
			add_here(r, stmt);
		else if (set && depth && is_news(r, set, depth))
			add_places(r, set->meaning, set->stmt, set, depth - 1);
		else if (label && !(set && depth))
			add_label_place(r, label);
		else if (!set)
			add_beginning(r, name);
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

	while (r->named_in.n) {
		struct range *range = &r->ranges[r->named_in.at[--r->named_in.n]];

		if (range->low < range->high) {
			r->depth[range->low]++;
			r->depth[range->high]--;
			any = true;
		}
		range->known = false;
	}
	return any;
}

static bool is_one_of(const struct asm_stmt *s, const char *const *directives, size_t n)
{
	return (s->kind == ASM_DIRECTIVE || s->kind == ASM_RAW) && asm_text_among(s->name, directives, n);
}

#define IS_ONE_OF(s, directives) is_one_of(s, directives, sizeof directives / sizeof *directives)

/* Takes the first line off the text, which is not empty. */
static struct asm_text take_line(struct asm_text *text)
{
	const char *end = memchr(text->p, '\n', text->len);
	struct asm_text line = {text->p, end ? (size_t)(end - text->p) : text->len};
	size_t taken = line.len + (end ? 1 : 0);

	text->p += taken;
	text->len -= taken;
	return line;
}

/* Of a region that the parser passed through, the line that opens it. */
static struct asm_text arguments(const struct asm_stmt *s)
{
	struct asm_text text = s->text;

	return s->kind == ASM_DIRECTIVE ? s->args : take_line(&text);
}

/* Code for 16 or 32 bits, which the parser passed through. */
static bool is_other_mode(const struct asm_stmt *s)
{
	static const char *const modes[] = {".code16", ".code16gcc", ".code32"};

	return IS_ONE_OF(s, modes);
}

/* What the lines of a region name that begin with a directive that measures. Labels in the region are not known: they
 * are where it stands. */
static void add_places_of_lines(struct rigid *r, struct asm_text text, uint32_t stmt)
{
	while (text.len) {
		struct asm_text rest = take_line(&text), word;

		while (rest.len && isblank((unsigned char)*rest.p))
			rest = (struct asm_text){rest.p + 1, rest.len - 1};
		for (word = (struct asm_text){rest.p, 0}; rest.len && !isblank((unsigned char)*rest.p); word.len++)
			rest = (struct asm_text){rest.p + 1, rest.len - 1};
		if (!ASM_TEXT_AMONG(word, measuring))
			continue;
		add_here(r, stmt);
		add_places(r, rest, stmt, NULL, SET_DEPTH);
	}
}

enum why { MEASURED, RESTARTABLE, BEGUN, COMPUTED };

static void tell(struct rigid *r, uint32_t stmt, enum why why)
{
	static const char *const texts[] = {
		[MEASURED] = "the length of code is used here: what is measured is counted only in part",
		[RESTARTABLE] = "a restartable sequence stays whole: it is counted only in part",
		[BEGUN] = "these bytes go on as an instruction in the code behind them: that is counted only in part",
		[COMPUTED] = "where this jumps to in code depends on how long that is: its function is not counted",
	};

	if (!r->told)
		warn_at(asm_place(r->unit->file, stmt), NULL, 0, "%s", texts[why]);
	r->told = true;
}

/* The bounds of a restartable sequence (rseq(2)), which the kernel ends where it interrupts it: it must not be left on
 * the way. */
static bool is_restartable(const struct rigid *r, uint32_t stmt)
{
	return role_of(&r->unit->file->stmts[stmt]) == ROLE_DATA && asm_text_means(r->switches.now.name, "__rseq_cs");
}

static bool names_any_place(const struct rigid *r, struct asm_text text, uint32_t stmt)
{
	const char *p = text.p, *end = text.p + text.len;
	struct asm_text name;

	while (p < end && (name = expression_next_name(&p, end)).len)
		if (asm_text_is(name, ".") || names_label(&r->names, name, stmt))
			return true;
	return false;
}

/* .org names, besides what it says, where it stands. A number is from the section's beginning. */
static void add_places_of_org(struct rigid *r, uint32_t stmt)
{
	const struct asm_stmt *s = &r->unit->file->stmts[stmt];
	struct asm_text text = s->args;
	const char *end = text.p + text.len;

	add_here(r, stmt);
	if (sets_place(s)) {
		expression_next_name(&text.p, end);
		text.len = (size_t)(end - text.p);
	}
	if (!names_any_place(r, text, stmt))
		add_beginning(r, r->switches.now.name);
}

static void measure(struct rigid *r, uint32_t stmt, enum why why)
{
	const struct asm_stmt *s = &r->unit->file->stmts[stmt];

	r->measure = stmt + 1;
	if (asm_text_means(s->name, ".org") || sets_place(s))
		add_places_of_org(r, stmt);
	if (is_other_mode(s))
		add_places_of_lines(r, s->text, stmt);
	else
		add_places(r, arguments(s), stmt, NULL, SET_DEPTH);
	if (glue(r))
		tell(r, stmt, why);
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
	if (r->asked == stmt)
		return r->named;
	r->asked = stmt;
	r->named = names_any_place(r, r->unit->file->stmts[stmt].args, stmt);
	return r->named;
}

/* Whether a statement may spell more of what bytes before it are the beginning of. */
static bool spells_on(const struct asm_stmt *s)
{
	enum role role = role_of(s);

	return role == ROLE_DATA || (role == ROLE_NONE && !switches_at(s));
}

/* Whether no place is named in the one or several statements of bytes that spell the instruction. */
static bool is_numbers(struct rigid *r, const struct insn *insn)
{
	const struct unit *u = r->unit;
	const struct text_section *s = &u->sections.at[insn->section];
	uint32_t next = (uint32_t)(insn + 1 - u->insns.at), stmt = insn->stmt;
	uint32_t end = next < s->first_insn + s->n_insns ? u->insns.at[next].stmt : u->file->n;

	do {
		if (role_of(&u->file->stmts[stmt]) == ROLE_DATA && names_place(r, stmt))
			return false;
	} while (++stmt < end && spells_on(&u->file->stmts[stmt]));
	return true;
}

/* Whether an operand is so many bytes from the instruction. */
static bool is_beside(const struct unit *u, const struct insn *insn)
{
	const struct asm_stmt *s = &u->file->stmts[insn->text_stmt];
	struct asm_text symbol;
	int64_t addend;

	for (uint32_t i = 0; i < s->n_operands; i++)
		if (s->operands[i].base.p && asm_text_means(s->operands[i].base, "rip") &&
		    expression_split(s->operands[i].disp, &symbol, &addend) != EXPRESSION_SYMBOL)
			return true;
	return false;
}

static bool is_labelled(const struct unit *u, uint32_t section, int64_t offset)
{
	size_t i = label_from(u, section, offset);

	return i < u->labels.n && u->labels.at[i].section == section && u->labels.at[i].offset == offset;
}

/* The instructions that one statement makes in one section, from i on. */
static void note_own(struct rigid *r, uint32_t i)
{
	const struct unit *u = r->unit;
	const struct insn *insn = &u->insns.at[i], *last = insn, *end = u->insns.at + u->insns.n;

	if (i < r->own_end)
		return;
	while (last + 1 < end && last[1].stmt == insn->stmt && last[1].section == insn->section)
		last++;
	r->own_end = (uint32_t)(last + 1 - u->insns.at);
	r->own_from = insn->offset;
	r->own_to = last->offset + last->len;
}

/* Whether what a macro or the like spells leads out of it, and not to a label. */
static bool leads_nowhere(const struct rigid *r, const struct insn *insn, int64_t target)
{
	return (target < r->own_from || target > r->own_to) && !is_labelled(r->unit, insn->section, target);
}

/* The place in its section that the instruction's bytes lead to. */
static bool target_in_bytes(const struct insn *insn, int64_t *target)
{
	ZydisDecodedInstruction d;

	if (insn->relocated || insn->data || insn->unknown || insn->jumps_over ||
	    !decode_length(insn->bytes, insn->len, &d))
		return false;
	*target = (int64_t)insn->offset + insn->len;
	if (d.raw.imm[0].is_relative) {
		*target += d.raw.imm[0].value.s;
		return true;
	}
	*target += d.raw.disp.value;
	return (d.attributes & ZYDIS_ATTRIB_HAS_MODRM) && !d.raw.modrm.mod && d.raw.modrm.rm == 5;
}

/* Whether what would be written in another way, for what lies between gets longer, cannot be: prefixes stand in
 * statements of their own before it. */
static bool is_left_alone(const struct unit *u, const struct insn *insn)
{
	return insn->text_stmt != insn->stmt &&
	       (insn->by_distance || insn->branch == BRANCH_SHORT || insn_addressed(u, insn) != UINT32_MAX);
}

/* Whether the instruction holds a distance that gas does not work out, or that must stay. */
static bool holds_distance(struct rigid *r, const struct insn *insn, int64_t *target)
{
	const struct unit *u = r->unit;

	if (insn->text_stmt != UINT32_MAX)
		return (is_beside(u, insn) || is_left_alone(u, insn)) && !insn_addresses_label(u, insn) &&
		       target_in_bytes(insn, target);
	switch (role_of(&u->file->stmts[insn->stmt])) {
	case ROLE_DATA:
		return target_in_bytes(insn, target) && is_numbers(r, insn);
	case ROLE_INSN:
	case ROLE_RAW:
		return target_in_bytes(insn, target) && leads_nowhere(r, insn, *target);
	default:
		return false;
	}
}

static void glue_from(struct rigid *r, uint32_t low, uint32_t high)
{
	r->depth[low]++;
	r->depth[high]--;
}

/* Whether the instructions are only what is jumped over: nothing is lost where they are not counted. */
static bool are_nops(const struct unit *u, uint32_t low, uint32_t high)
{
	ZydisDecodedInstruction d;

	for (; low < high; low++) {
		const struct insn *insn = &u->insns.at[low];

		if (!insn->bytes || !decode_length(insn->bytes, insn->len, &d) || !decode_is_nop(&d))
			return false;
	}
	return true;
}

/* The instruction holds the distance to a place: that where instruction to begins, or in the data that it stands for,
 * or the section's end. What is planted before the place belongs to it, unless that has labels. */
static void keep_distance(struct rigid *r, uint32_t from, uint32_t to, int64_t place)
{
	const struct insn *insn = &r->unit->insns.at[from];
	const struct text_section *s = &r->unit->sections.at[insn->section];
	uint32_t end = s->first_insn + s->n_insns;
	bool at_place = to < end && r->unit->insns.at[to].offset == place && !r->unit->insns.at[to].data &&
			!is_labelled(r->unit, insn->section, place);

	/* To the address of the next instruction what is planted before that belongs. */
	if (from == to || (from + 1 == to && insn->address != UINT32_MAX))
		return;
	if (r->functions[to < end ? to : end - 1] != r->functions[from])
		glue_from(r, s->first_insn, end);
	else if (to < from)
		glue_from(r, to, from + 1);
	else {
		uint32_t high = at_place || to == end ? to : to + 1;

		glue_from(r, from + 1, high);
		if (are_nops(r->unit, from + 1, high))
			return;
	}
	tell(r, insn->stmt, MEASURED);
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

/* The instructions of the function that instruction i is in, and the one behind the last. */
static void find_function(const struct rigid *r, uint32_t i, uint32_t *low, uint32_t *high)
{
	const struct text_section *s = &r->unit->sections.at[r->unit->insns.at[i].section];
	uint32_t end = s->first_insn + s->n_insns;

	*low = i;
	*high = i + 1;
	while (*low > s->first_insn && r->functions[*low - 1] == r->functions[i])
		--*low;
	while (*high < end && r->functions[*high] == r->functions[i])
		++*high;
}

/* The instruction holds the distance to something before or behind its section. */
static void keep_side(struct rigid *r, uint32_t from, bool behind)
{
	const struct text_section *s = &r->unit->sections.at[r->unit->insns.at[from].section];
	uint64_t function = (uint64_t)r->unit->insns.at[from].section << 32 | r->functions[from];
	uint32_t low, high;

	if (r->leaves[behind] == function)
		return;
	r->leaves[behind] = function;
	find_function(r, from, &low, &high);
	glue_from(r, behind ? low : s->first_insn, behind ? s->first_insn + s->n_insns : high);
	tell(r, r->unit->insns.at[from].stmt, MEASURED);
}

/* A branch that the linker completes may lead to so many bytes from a label: call f+4. Where facts.c knows the place it
 * has a label of its own; elsewhere, in another section or beside a weak name, the bytes in between are kept. */
static void keep_sum(struct rigid *r, const struct insn *insn)
{
	const struct unit *u = r->unit;
	const struct label *label;
	struct asm_text symbol;
	int64_t addend, place;
	uint32_t low, high;

	if (!insn->relocated || insn->by_distance || !insn->target_symbol.p ||
	    expression_split(insn->target_symbol, &symbol, &addend) != EXPRESSION_SYMBOL || !addend)
		return;
	label = names_label(&r->names, expression_strip_suffix(symbol, "@plt"), insn->text_stmt);
	place = label ? label->offset + addend : -1;
	if (place < 0 || (uint64_t)place > u->sections.at[label->section].size)
		return;
	low = insn_from(u, label->section, addend < 0 ? (uint32_t)place : label->offset);
	high = insn_from(u, label->section, addend < 0 ? label->offset : (uint32_t)place);
	while (low < high && !plantable(u, low))
		low++;
	glue_from(r, low, high);
	if (!are_nops(u, low, high))
		tell(r, insn->stmt, MEASURED);
}

static void find_distances(struct rigid *r)
{
	const struct unit *u = r->unit;
	int64_t target;

	count_functions(r);
	for (uint32_t i = 0; i < u->insns.n; i++) {
		const struct insn *insn = &u->insns.at[i];

		note_own(r, i);
		keep_sum(r, insn);
		if (!holds_distance(r, insn, &target))
			continue;
		if (target < 0 || (uint64_t)target > u->sections.at[insn->section].size)
			keep_side(r, i, target > 0);
		else
			keep_distance(r, i, insn_from(u, insn->section, (uint32_t)target), target);
	}
}

/* Bytes of data that control comes to are instructions. The last one may end in the code behind them
 * (.byte 0xb8 jumps over the next four bytes). Where it does not, where they end. */
static uint32_t end_of_bytes(const struct unit *u, uint32_t i)
{
	const struct insn *bytes = &u->insns.at[i];
	const struct text_section *s = &u->sections.at[bytes->section];
	uint32_t next = i + 1 < s->first_insn + s->n_insns ? bytes[1].offset : (uint32_t)s->size, at = bytes->offset;
	ZydisDecodedInstruction d;

	while (at < next) {
		if (!decode_length(bytes->bytes + (at - bytes->offset), s->size - at, &d))
			return next;
		at += d.length;
		if (!decode_falls_through(&d))
			return next;
	}
	return at;
}

/* Nothing is lost where only prefixes are not counted. */
static bool are_prefixes(const struct insn *bytes, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!decode_is_prefix(bytes->bytes[i]))
			return false;
	return true;
}

static void keep_bytes(struct rigid *r, uint32_t i)
{
	const struct unit *u = r->unit;
	const struct insn *bytes = &u->insns.at[i];
	uint32_t to = i + 1, end = end_of_bytes(u, i);

	for (; to < u->insns.n && u->insns.at[to].section == bytes->section && u->insns.at[to].offset < end; to++)
		;
	if (to == i + 1)
		return;
	glue_from(r, i + 1, to);
	if (!are_prefixes(bytes, bytes[1].offset - bytes->offset))
		tell(r, bytes->stmt, BEGUN);
}

/* Whether a call leads to behind the data: so the data's place comes to the stack, and control never to the data. */
static bool is_called_over(const struct unit *u, const struct insn *call, uint32_t data)
{
	const struct text_section *s = &u->sections.at[call->section];
	uint32_t end = data + 1 < s->first_insn + s->n_insns ? u->insns.at[data + 1].offset : (uint32_t)s->size;

	return call->branch == BRANCH_CALL && call->target == end;
}

/* Whether control may come to the data from before it. */
static bool is_fallen_into(const struct unit *u, uint32_t data)
{
	static const bool goes_on[] = {[BRANCH_NONE] = true, [BRANCH_COND] = true, [BRANCH_SHORT] = true,
				       [BRANCH_CALL] = true, [BRANCH_CALL_INDIRECT] = true, [BRANCH_BARRIER] = false};
	uint32_t first = u->sections.at[u->insns.at[data].section].first_insn, i = data;
	const struct insn *before;

	while (i > first && u->insns.at[i - 1].padding)
		i--;
	if (i == first || u->insns.at[data].behind_end)
		return false;
	before = &u->insns.at[i - 1];
	return goes_on[before->branch] && !before->data && !is_called_over(u, before, data);
}

/* The instruction or data that a branch leads to, also in another section. */
static uint32_t led_to(const struct rigid *r, const struct insn *insn)
{
	const struct label *label;

	if (insn->target != UINT32_MAX)
		return insn_at(r->unit, insn->section, insn->target);
	label = insn->target_symbol.p ? names_label(&r->names, insn->target_symbol, insn->text_stmt) : NULL;
	return label ? insn_at(r->unit, label->section, label->offset) : UINT32_MAX;
}

static void find_begun(struct rigid *r)
{
	const struct unit *u = r->unit;

	for (uint32_t i = 0; i < u->insns.n; i++) {
		const struct insn *insn = &u->insns.at[i];
		uint32_t to = led_to(r, insn);

		if (to != UINT32_MAX && u->insns.at[to].data)
			keep_bytes(r, to);
		if (insn->data && is_fallen_into(u, i))
			keep_bytes(r, i);
	}
}

static void find_computed(struct rigid *r)
{
	for (uint32_t i = 0; i < r->unit->insns.n; i++) {
		uint32_t from, low, high;

		if (r->unit->insns.at[i].branch != BRANCH_JUMP_INDIRECT ||
		    (from = computed_from(r->unit, &r->names, i)) == UINT32_MAX)
			continue;
		find_function(r, from, &low, &high);
		glue_from(r, low, high);
		tell(r, r->unit->insns.at[i].stmt, COMPUTED);
	}
}

/* Whether instructions only hold a number and fill up: mov $NUMBER, %eax among NOPs. */
static bool hold_number(const struct unit *u, uint32_t low, uint32_t high)
{
	for (; low < high; low++) {
		const struct insn *insn = &u->insns.at[low];
		bool number = insn->bytes && insn->len == 5 && insn->bytes[0] == 0xb8;

		if (!number && !are_nops(u, low, low + 1))
			return false;
	}
	return true;
}

/* Before a function clang's -fsanitize=kcfi keeps its type, as an instruction that nobody executes, in what it calls a
 * function of its own. Callers look so many bytes before the function, so it stays there. */
static void find_types(struct rigid *r)
{
	static const char prefix[] = "__cfi_";

	for (size_t i = 0; i < r->unit->labels.n; i++) {
		const struct label *l = &r->unit->labels.at[i];
		uint32_t low, high;

		if (!l->function || l->insn == UINT32_MAX || strncmp(l->name, prefix, strlen(prefix)))
			continue;
		find_function(r, l->insn, &low, &high);
		if (hold_number(r->unit, low, high))
			glue_from(r, low, high);
	}
}

static bool is_short_branch(const struct insn *insn)
{
	bool direct = insn->branch == BRANCH_JUMP || insn->branch == BRANCH_COND || insn->branch == BRANCH_SHORT;

	return direct && insn->len < 4 && insn->target != UINT32_MAX && !insn->relocated;
}

/* The instructions that nothing is planted before, each once. */
struct stiff {
	bool *known;	 /* per instruction */
	uint32_t *found;
	uint32_t n;
};

static void stiffen(struct stiff *stiff, uint32_t low, uint32_t high)
{
	for (; low < high; low++)
		if (!stiff->known[low]) {
			stiff->known[low] = true;
			stiff->found[stiff->n++] = low;
		}
}

static void mark(struct rigid *r)
{
	struct unit *u = r->unit;
	struct stiff stiff = {.known = xalloc(u->insns.n, sizeof *stiff.known),
			      .found = xalloc(u->insns.n, sizeof *stiff.found)};
	int depth = 0;

	for (uint32_t i = 0; i < u->insns.n; i++) {
		depth += r->depth[i];
		if (depth > 0)
			stiffen(&stiff, i, i + 1);
	}
	for (uint32_t k = 0; k < stiff.n; k++) {
		uint32_t i = stiff.found[k], to;
		struct insn *insn = &u->insns.at[i];

		insn->glued = true;
		if (!is_short_branch(insn))
			continue;
		to = insn_from(u, insn->section, insn->target);
		stiffen(&stiff, to > i ? i + 1 : to, to > i ? to : i + 1);
	}
	free(stiff.known);
	free(stiff.found);
}

void rigid_find(struct unit *unit)
{
	struct rigid r = {.unit = unit, .section = UINT32_MAX, .asked = UINT32_MAX,
			  .leaves = {UINT64_MAX, UINT64_MAX}};

	r.here = xalloc(unit->sections.n, sizeof *r.here);
	r.ranges = xalloc(unit->sections.n, sizeof *r.ranges);
	r.depth = xalloc(unit->insns.n + 1, sizeof *r.depth);
	r.functions = xalloc(unit->insns.n, sizeof *r.functions);
	names_index(&r.names, unit);
	index_beginnings(&r);
	switches_begin(&r.switches);
	for (uint32_t i = 0; i < unit->file->n; i++) {
		switches_follow(&r.switches, &unit->file->stmts[i]);
		if (is_restartable(&r, i))
			measure(&r, i, RESTARTABLE);
		else if (IS_ONE_OF(&unit->file->stmts[i], measuring) || is_other_mode(&unit->file->stmts[i]) ||
			 sets_place(&unit->file->stmts[i]))
			measure(&r, i, MEASURED);
		else if (IS_ONE_OF(&unit->file->stmts[i], setting))
			note_set(&r, i);
		follow(&r, i);
	}
	find_distances(&r);
	find_begun(&r);
	find_computed(&r);
	find_types(&r);
	mark(&r);
	switches_end(&r.switches);
	names_free(&r.names);
	forget_sets(&r);
	forget_beginnings(&r);
	free(r.here);
	free(r.ranges);
	VEC_FREE(&r.named_in);
	free(r.depth);
	free(r.functions);
}
