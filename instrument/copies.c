/* Statements are sorted into pieces by their sections: what stands between a function's label and its .size
 * is its, and so are the tables of .gcc_except_table that name its labels. Whatever is not known to mean the
 * same a second time makes its function go without a copy. */
#include "instrument/copies.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "instrument/aliases.h"
#include "instrument/callees.h"
#include "instrument/expression.h"
#include "instrument/groups.h"
#include "instrument/labelling.h"
#include "instrument/names.h"
#include "instrument/requests.h"
#include "instrument/syntax.h"

/* A label of the file, but for numeric ones. */
struct copied_name {
	struct asm_text text;
	uint32_t insn;	   /* the first at it or behind it; UINT32_MAX: of a table */
	uint32_t begins;   /* the function that it begins, or NO_FUNCTION */
	uint32_t function; /* the one in whose copy it has another name, or NO_FUNCTION */
	uint32_t number;
	const struct copied_name *same; /* the beginning of a piece, of which it is another name */
	bool global;
	bool pad;   /* perhaps a landing pad */
	bool taken; /* its address is the program's to use */
	UT_hash_handle hh;
};

/* What is open in a section. */
struct opening {
	struct asm_text section;
	uint32_t piece; /* 1 + index, or 0 */
	uint32_t fde;	/* 1 + the statement that opened an FDE, or 0 */
	bool ended;	/* the piece, but for its FDE */
	UT_hash_handle hh;
};

/* A piece that was begun, and where it is open, if it still is. */
struct begun {
	uint32_t piece; /* 1 + index */
	const struct opening *in;
};

/* Where pieces of functions begin. */
struct beginning {
	struct {
		uint32_t function, insn;
	} at;
	const struct copied_name *name; /* of the last one there */
	UT_hash_handle hh;
};

/* Statements of data from one switch of sections to the next. */
struct data_run {
	uint32_t first, last;
	struct place place;
};

struct finder {
	struct copies *c;
	const struct flow *flow;
	const struct unit *unit;
	const struct liveness *live;
	struct names names; /* where there are numeric ones */
	bool numbers;
	struct set_name *set;
	struct switches switches;
	struct opening *openings;
	VEC(struct begun) begun; /* those that no switch of sections was found in the midst of */
	struct beginning *beginnings;
	VEC(struct data_run) runs;
	bool run_open;
	bool *refused; /* per function */
	bool *takes;   /* per function: addresses of its labels */
	uint32_t number;
};

static void refuse(struct finder *f, uint32_t function)
{
	if (function != NO_FUNCTION)
		f->refused[function] = true;
}

/* ---- names ---- */

static struct copied_name *find_name(const struct copies *c, struct asm_text t)
{
	struct copied_name *name;

	HASH_FIND(hh, c->names, t.p, t.len, name);
	if (!name && t.len && *t.p == '$')
		HASH_FIND(hh, c->names, t.p + 1, t.len - 1, name);
	return name;
}

static struct copied_name *add_name(struct finder *f, struct asm_text t)
{
	struct copied_name *name;

	HASH_FIND(hh, f->c->names, t.p, t.len, name);
	if (name)
		return name;
	name = arena_alloc(sizeof *name);
	*name = (struct copied_name){.text = t, .insn = UINT32_MAX, .begins = NO_FUNCTION,
				     .function = NO_FUNCTION, .number = f->number++};
	HASH_ADD_KEYPTR(hh, f->c->names, name->text.p, name->text.len, name);
	return name;
}

/* The next label that is named in [*p, end), and where; NULL at the end. */
static struct copied_name *next_label(const struct copies *c, const char **p, const char *end,
				      struct asm_text *found)
{
	while (*p < end) {
		const char *before = *p;
		struct asm_text t = expression_next_name(p, end);
		bool is_register = t.len && t.p > before && t.p[-1] == '%';
		struct copied_name *name = t.len && !is_register ? find_name(c, t) : NULL;

		if (!name)
			continue;
		found->p = t.p + (t.len - name->text.len);
		found->len = name->text.len;
		return name;
	}
	return NULL;
}

#define EACH_LABEL(c, name, text)                                                                  \
	for (const char *p_ = (text).p, *end_ = p_ + (text).len; p_; p_ = NULL)                    \
		for (struct asm_text found_; (name = next_label(c, &p_, end_, &found_));)

static void list_names(struct finder *f)
{
	uint32_t function = 0;

	for (size_t i = 0; i < f->unit->labels.n; i++) {
		const struct label *l = &f->unit->labels.at[i];
		struct copied_name *name;

		if (isdigit((unsigned char)*l->name)) {
			f->numbers = true;
			continue;
		}
		name = add_name(f, (struct asm_text){l->name, strlen(l->name)});
		name->insn = l->insn;
		name->global = l->global;
		/* In the order of flow.functions. */
		if (l->function && l->insn != UINT32_MAX)
			name->begins = function++;
	}
}

/* ---- pieces ---- */

static bool is_cfi(const struct asm_stmt *s)
{
	return s->kind == ASM_DIRECTIVE && asm_text_begins(s->name, ".cfi_");
}

/* Those that say nothing of the code itself. */
static bool is_dropped(struct asm_text name)
{
	static const char *const names[] = {
		".loc",	   ".type",	 ".size",     ".globl", ".global", ".weak",
		".hidden", ".protected", ".internal", ".local", ".file",   ".ident",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (asm_text_is(name, names[i]))
			return true;
	return false;
}

static bool may_be_copied(struct finder *f, const struct asm_stmt *s, uint32_t function)
{
	struct copied_name *name;

	if (s->kind == ASM_LABEL) {
		if (isdigit((unsigned char)*s->name.p))
			return true;
		name = find_name(f->c, s->name);
		if (!name || name->global || !asm_text_begins(s->name, ".L"))
			return false;
		name->function = function;
		return true;
	}
	if (s->kind != ASM_DIRECTIVE)
		return s->kind != ASM_RAW;
	if (is_cfi(s))
		return !asm_text_is(s->name, ".cfi_label");
	if (role_of(s) == ROLE_DATA)
		EACH_LABEL(f->c, name, s->args)
			return false;
	return role_of(s) != ROLE_NONE || is_dropped(s->name);
}

static uint32_t section_of(const struct finder *f, uint32_t function)
{
	return f->unit->insns.at[f->flow->functions.at[function].entry_insn].section;
}

/* One that needs no quotes. */
static bool is_plain_name(struct asm_text name)
{
	const char *p = name.p;

	return expression_next_name(&p, name.p + name.len).len == name.len;
}

static void begin_piece(struct finder *f, struct opening *o, uint32_t stmt, struct copied_name *name)
{
	struct copied_piece piece = {.function = f->flow->functions.at[name->begins].whole,
				     .begins = name->begins,
				     .section = section_of(f, name->begins),
				     .first = o->fde ? o->fde - 1 : stmt};

	VEC_PUSH(&f->c->pieces, piece);
	o->piece = (uint32_t)f->c->pieces.n;
	for (uint32_t i = piece.first; i < stmt; i++)
		if (is_cfi(&f->unit->file->stmts[i]))
			f->c->piece_of[i] = o->piece;
	f->c->piece_of[stmt] = o->piece;
	o->ended = false;
	VEC_PUSH(&f->begun, (struct begun){o->piece, o});
	name->function = piece.function;
	if (!is_plain_name(name->text))
		refuse(f, piece.function);
}

static void follow_fde(struct opening *o, uint32_t stmt, const struct asm_stmt *s)
{
	if (asm_text_is(s->name, ".cfi_startproc"))
		o->fde = stmt + 1;
	else if (asm_text_is(s->name, ".cfi_endproc"))
		o->fde = 0;
}

static bool ends_piece(const struct finder *f, const struct asm_stmt *s, const struct copied_piece *piece)
{
	const char *p = s->args.p;

	return s->kind == ASM_DIRECTIVE && asm_text_is(s->name, ".size") &&
	       asm_text_is(expression_next_name(&p, p + s->args.len), f->flow->functions.at[piece->begins].name);
}

static void follow_code(struct finder *f, struct opening *o, uint32_t stmt)
{
	const struct asm_stmt *s = &f->unit->file->stmts[stmt];
	struct copied_name *name = s->kind == ASM_LABEL ? find_name(f->c, s->name) : NULL;
	uint32_t function = o->piece ? f->c->pieces.at[o->piece - 1].function : NO_FUNCTION;

	if (name && name->begins != NO_FUNCTION) {
		/* One that begins within another. */
		if (o->piece) {
			refuse(f, function);
			refuse(f, f->flow->functions.at[name->begins].whole);
		} else {
			begin_piece(f, o, stmt, name);
		}
		return;
	}
	if (is_cfi(s))
		follow_fde(o, stmt, s);
	if (!o->piece)
		return;
	f->c->piece_of[stmt] = o->piece;
	if (!may_be_copied(f, s, function))
		refuse(f, function);
	/* gcc closes the FDE before, clang behind. */
	o->ended |= ends_piece(f, s, &f->c->pieces.at[o->piece - 1]);
	if (o->ended && !o->fde)
		o->piece = 0;
}

static struct opening *opening_of(struct finder *f)
{
	struct asm_text name = f->switches.now.name;
	struct opening *o;

	HASH_FIND(hh, f->openings, name.p, name.len, o);
	if (!o) {
		o = arena_alloc(sizeof *o);
		o->section = name;
		HASH_ADD_KEYPTR(hh, f->openings, o->section.p, o->section.len, o);
	}
	return o;
}

static void follow_data(struct finder *f, uint32_t stmt)
{
	if (!f->run_open)
		VEC_PUSH(&f->runs, (struct data_run){.first = stmt, .place = f->switches.now});
	f->run_open = true;
	f->runs.at[f->runs.n - 1].last = stmt;
}

static bool is_debug(struct asm_text section)
{
	return asm_text_begins(section, ".debug") || asm_text_begins(section, ".gnu.debug");
}

static void refuse_open(struct finder *f)
{
	for (; f->begun.n; f->begun.n--) {
		const struct begun *b = &f->begun.at[f->begun.n - 1];

		if (b->in->piece == b->piece)
			refuse(f, f->c->pieces.at[b->piece - 1].function);
	}
}

/* Whether a switch of sections is one that tears code apart, or somebody's own. */
static bool is_odd_switch(const struct asm_stmt *s)
{
	return s->in_asm || asm_text_is(s->name, ".subsection") ||
	       (asm_text_is(s->name, ".text") && s->args.len);
}

static void find_pieces(struct finder *f)
{
	const struct asm_file *file = f->unit->file;

	switches_begin(&f->switches);
	for (uint32_t i = 0; i < file->n; i++) {
		if (switches_follow(&f->switches, &file->stmts[i])) {
			f->run_open = false;
			if (is_odd_switch(&file->stmts[i]))
				refuse_open(f);
		} else if (!f->switches.now.data) {
			follow_code(f, opening_of(f), i);
		} else if (!is_debug(f->switches.now.name)) {
			follow_data(f, i);
		}
	}
	/* Without an end. */
	refuse_open(f);
	switches_end(&f->switches);
}

/* ---- who names the labels ---- */

/* gcc's labels of what a call-site table tells of calls. No control comes there. */
static bool is_region(const struct copied_name *name)
{
	return asm_text_begins(name->text, ".LEHB") || asm_text_begins(name->text, ".LEHE");
}

/* A label of code within a function, or of what is none of ours. */
static bool is_place(const struct copied_name *name)
{
	return name->insn != UINT32_MAX && name->begins == NO_FUNCTION;
}

/* The one function of whose labels a run of data tells; NO_FUNCTION: none, or several. */
static uint32_t function_of_run(const struct finder *f, const struct data_run *run)
{
	uint32_t function = NO_FUNCTION;
	struct copied_name *name;

	for (uint32_t i = run->first; i <= run->last; i++)
		EACH_LABEL(f->c, name, f->unit->file->stmts[i].args) {
			if (!is_place(name) || name->function == NO_FUNCTION || name->function == function)
				continue;
			if (function != NO_FUNCTION)
				return NO_FUNCTION;
			function = name->function;
		}
	return function;
}

static void find_beginnings(struct finder *f)
{
	for (size_t i = 0; i < f->c->pieces.n; i++) {
		const struct copied_piece *p = &f->c->pieces.at[i];
		const struct function *begins = &f->flow->functions.at[p->begins];
		struct beginning *b = arena_alloc(sizeof *b), *known;
		const struct copied_name *name = find_name(f->c, (struct asm_text){begins->name, strlen(begins->name)});

		b->at.function = p->function;
		b->at.insn = begins->entry_insn;
		HASH_FIND(hh, f->beginnings, &b->at, sizeof b->at, known);
		if (!known) {
			HASH_ADD(hh, f->beginnings, at, sizeof b->at, b);
			known = b;
		}
		if (name)
			known->name = name;
	}
}

/* gcc writes the places of a part in another section as distances from a label before it. */
static bool is_beginning(const struct finder *f, uint32_t function, struct copied_name *name)
{
	struct beginning at = {.at = {function, name->insn}}, *b;

	HASH_FIND(hh, f->beginnings, &at.at, sizeof at.at, b);
	if (b && !name->same)
		name->same = b->name;
	return name->same;
}

static void copy_table(struct finder *f, const struct data_run *run, uint32_t function)
{
	struct copied_piece piece = {.table = true, .function = function, .first = run->first,
				     .directive = run->place.directive, .section = section_of(f, function)};

	VEC_PUSH(&f->c->pieces, piece);
	for (uint32_t i = run->first; i <= run->last; i++) {
		const struct asm_stmt *s = &f->unit->file->stmts[i];
		struct copied_name *name;

		f->c->piece_of[i] = (uint32_t)f->c->pieces.n;
		if (s->kind == ASM_LABEL)
			add_name(f, s->name)->function = function;
		EACH_LABEL(f->c, name, s->args) {
			if (!is_place(name))
				continue;
			name->pad |= !is_region(name);
			if (name->function == NO_FUNCTION && !is_beginning(f, function, name))
				refuse(f, function);
		}
	}
}

/* Of a run that is not copied: of what tells unwinders of the code there would have to be another. */
static void look_at_data(struct finder *f, const struct data_run *run, bool unwinding)
{
	struct copied_name *name;

	for (uint32_t i = run->first; i <= run->last; i++)
		EACH_LABEL(f->c, name, f->unit->file->stmts[i].args) {
			if (!is_place(name))
				continue;
			name->taken = true;
			if (unwinding)
				refuse(f, name->function);
		}
}

static void find_tables(struct finder *f)
{
	find_beginnings(f);
	for (size_t i = 0; i < f->runs.n; i++) {
		const struct data_run *run = &f->runs.at[i];
		bool exceptions = asm_text_begins(run->place.name, ".gcc_except_table");
		uint32_t function = exceptions ? function_of_run(f, run) : NO_FUNCTION;

		if (function != NO_FUNCTION)
			copy_table(f, run, function);
		else
			look_at_data(f, run, exceptions || asm_text_begins(run->place.name, ".eh_frame"));
	}
}

static bool is_direct(const struct finder *f, uint32_t stmt)
{
	uint32_t i = f->unit->stmt_insn[stmt];

	return i != UINT32_MAX && f->unit->insns.at[i].target_symbol.p;
}

/* What the address that a call returned to is compared with, by clang's -mspeculative-load-hardening. */
static bool is_returned_to(const struct copied_name *name)
{
	return asm_text_begins(name->text, ".Lslh_ret_addr");
}

static void refuse_piece(struct finder *f, uint32_t piece)
{
	if (piece)
		refuse(f, f->c->pieces.at[piece - 1].function);
}

/* A numeric label of a copy is another one than the function's, and has another address. Branches may lead to it from
 * its own piece. */
static void look_at_numbers(struct finder *f, uint32_t stmt, struct asm_text text, bool direct)
{
	const char *p = text.p, *end = text.p + text.len;
	uint32_t here = f->c->piece_of[stmt], there;
	struct asm_text name;

	while (f->numbers && p < end && (name = expression_next_name(&p, end)).len) {
		const struct label *label = names_label(&f->names, name, stmt);

		if (!label || !isdigit((unsigned char)*label->name))
			continue;
		there = f->c->piece_of[label->stmt];
		if (direct && here == there)
			continue;
		refuse_piece(f, here);
		if (!direct)
			refuse_piece(f, there);
	}
}

/* Copies stand behind the whole text, where a symbol that is set again has its last value. */
static void look_at_symbols(struct finder *f, uint32_t stmt, struct asm_text text)
{
	uint32_t piece = f->c->piece_of[stmt];

	if (piece && aliases_set_again(f->set, text))
		refuse_piece(f, piece);
}

static void look_at_operands(struct finder *f, uint32_t stmt)
{
	const struct asm_stmt *s = &f->unit->file->stmts[stmt];
	bool direct = is_direct(f, stmt);
	uint32_t piece = f->c->piece_of[stmt];
	struct copied_name *name;

	for (uint32_t o = 0; o < s->n_operands; o++) {
		look_at_numbers(f, stmt, s->operands[o].text, direct);
		look_at_symbols(f, stmt, s->operands[o].text);
		EACH_LABEL(f->c, name, s->operands[o].text) {
			name->taken |= !direct;
			/* The distance from it would be another one. */
			if (found_.p[-1] == '-' || is_returned_to(name))
				refuse(f, name->function);
			/* Into the midst of another function, which does not expect it. */
			if (piece && is_place(name) && name->function != f->c->pieces.at[piece - 1].function)
				refuse(f, f->c->pieces.at[piece - 1].function);
		}
	}
}

/* Of an equate or a relocation nobody knows what its user makes of it. */
static void look_at_directive(struct finder *f, uint32_t stmt)
{
	const struct asm_stmt *s = &f->unit->file->stmts[stmt];
	struct copied_name *name;

	look_at_numbers(f, stmt, s->args, false);
	look_at_symbols(f, stmt, s->args);
	if (f->c->piece_of[stmt] || is_cfi(s) || is_dropped(s->name) || role_of(s) == ROLE_DATA)
		return;
	EACH_LABEL(f->c, name, s->args)
		if (is_place(name))
			refuse(f, name->function);
}

static void find_uses(struct finder *f)
{
	for (uint32_t i = 0; i < f->unit->file->n; i++)
		if (f->unit->file->stmts[i].kind == ASM_INSN)
			look_at_operands(f, i);
		else if (f->unit->file->stmts[i].kind == ASM_DIRECTIVE)
			look_at_directive(f, i);
}

/* ---- where the looks stand ---- */

/* Where planted code of the block begins, at its first instruction or behind endbr64; UINT32_MAX:
 * nowhere. */
static uint32_t place_in(const struct finder *f, uint32_t block, bool entrance)
{
	const struct block_bb *b = &f->flow->blocks.at[block];

	for (uint32_t i = b->first; i < b->first + b->n; i++)
		if (plantable(f->unit, i) && !(entrance && splits_prologue(f->flow, i)))
			return i;
	return UINT32_MAX;
}

static bool has_flags(const struct finder *f, uint32_t insn)
{
	return f->live->before[insn] & LIVE_STATUS;
}

static uint32_t piece_at(const struct finder *f, uint32_t insn)
{
	return f->c->piece_of[f->unit->insns.at[insn].stmt];
}

/* No copy without it. */
static bool look_off_at_entrance(struct finder *f, uint32_t function)
{
	uint32_t entry = f->flow->functions.at[function].entry_insn, block = f->unit->insns.at[entry].block;
	uint32_t place = place_in(f, block, true);

	if (f->flow->blocks.at[block].first != entry || place == UINT32_MAX || has_flags(f, place) ||
	    runs_early(f->flow, &f->flow->blocks.at[block]))
		return false;
	f->c->at[place] |= COPY_LOOK_OFF | COPY_LOOK_ON | COPY_COMES;
	return true;
}

/* At the beginning of a block. */
static bool look_at(struct finder *f, uint32_t block, uint8_t looks)
{
	uint32_t place = place_in(f, block, false);

	if (place == UINT32_MAX || has_flags(f, place))
		return false;
	f->c->at[place] |= looks;
	return true;
}

/* Counting is behind it as it was before. */
static bool changes_nothing(const struct insn *call)
{
	return callee_returns(call) || is_tls_call(call);
}

/* Flags live on behind a call where what follows is not known, as at xbegin. */
static bool look_on_behind(struct finder *f, const struct block_bb *b)
{
	uint32_t call = b->first + b->n - 1, next = UINT32_MAX, place;

	if (b->next != NO_BLOCK)
		next = f->flow->blocks.at[b->next].first;

	if (changes_nothing(&f->unit->insns.at[call]) || next == UINT32_MAX ||
	    piece_at(f, next) != piece_at(f, call))
		return true;
	place = place_in(f, b->next, false);
	if (place == UINT32_MAX || has_flags(f, place))
		return false;
	if (place == next)
		f->c->at[call] |= COPY_LOOK_ON_BEHIND;
	else
		f->c->at[place] |= COPY_LOOK_ON;
	f->c->at[place] |= COPY_COMES;
	return true;
}

static bool look_at_call(struct finder *f, const struct block_bb *b)
{
	const struct insn *last = &f->unit->insns.at[b->first + b->n - 1];

	if (last->branch != BRANCH_CALL && last->branch != BRANCH_CALL_INDIRECT)
		return true;
	/* Its caller's ret must stand directly behind it: it comes back to that. */
	if (asm_text_begins(last->target_symbol, "__morestack"))
		return false;
	if (b->callee != NO_BLOCK && !f->flow->blocks.at[b->callee].entry)
		return false;
	return look_on_behind(f, b);
}

/* In both at the same place. */
static void look_at_request(struct finder *f, uint32_t i)
{
	const struct insn *insn = &f->unit->insns.at[i];

	if (insn->request)
		f->c->at[i] |= COPY_COMES;
	if (requests_end(f->unit, i) && i + 1 < f->unit->insns.n && piece_at(f, i + 1) == piece_at(f, i) &&
	    !has_flags(f, i + 1))
		f->c->at[i] |= COPY_LOOK_OFF_BEHIND;
}

/* By its place: it is measured from somewhere, or known to who writes over it or waits for its faults. */
static bool is_unique(const struct insn *i)
{
	return i->by_distance || i->address != UINT32_MAX || i->anchor || i->written_over;
}

static void look_at_block(struct finder *f, const struct block_bb *b)
{
	uint32_t piece = piece_at(f, b->first), function;

	if (!piece)
		return;
	function = f->c->pieces.at[piece - 1].function;
	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		look_at_request(f, i);
		if (is_unique(&f->unit->insns.at[i]) || f->unit->insns.at[i].data)
			refuse(f, function);
	}
	if (!look_at_call(f, b))
		refuse(f, function);
}

/* The unwinder brings no flags to a landing pad; nor do compilers keep any where addresses lead. */
static void look_at_label(struct finder *f, const struct copied_name *name)
{
	uint32_t block;

	if (!is_place(name) || name->function == NO_FUNCTION)
		return;
	f->takes[name->function] |= name->taken;
	if (name->insn == f->flow->functions.at[name->function].entry_insn)
		return;
	block = f->unit->insns.at[name->insn].block;
	if ((name->pad && !look_at(f, block, COPY_LOOK_ON | COPY_COMES)) ||
	    (name->taken && !look_at(f, block, COPY_LOOK_OFF)))
		refuse(f, name->function);
}

/* Whether jrcxz or loop, which reach 127 bytes, may lead farther in the copy. */
static bool leads_too_far(const struct finder *f, uint32_t branch)
{
	const struct insn *all = f->unit->insns.at;
	uint32_t to = insn_at(f->unit, all[branch].section, all[branch].target);

	/* A look stands at the entrance, too. */
	if (to == UINT32_MAX || f->flow->blocks.at[all[to].block].entry)
		return true;
	for (uint32_t i = to < branch ? to : branch; i <= branch || i <= to; i++)
		if (f->c->at[i] & (COPY_LOOK_ON | COPY_LOOK_ON_BEHIND) || all[i].request || all[i].padding)
			return true;
	return false;
}

static void look_at_short_branches(struct finder *f)
{
	for (uint32_t i = 0; i < f->unit->insns.n; i++)
		if (f->unit->insns.at[i].branch == BRANCH_SHORT && leads_too_far(f, i))
			refuse_piece(f, piece_at(f, i));
}

static void find_looks(struct finder *f)
{
	struct copied_name *name, *next;

	for (size_t i = 0; i < f->flow->blocks.n; i++)
		look_at_block(f, &f->flow->blocks.at[i]);
	HASH_ITER(hh, f->c->names, name, next)
		look_at_label(f, name);
	look_at_short_branches(f);
}

/* ---- */

static void make(struct finder *f)
{
	listed_vec made = {0};
	uint32_t *n = xalloc(f->unit->sections.n, sizeof *n);

	for (size_t i = 0; i < f->c->pieces.n; i++) {
		const struct copied_piece *p = &f->c->pieces.at[i];
		uint32_t entry;

		if (p->table || p->begins != p->function || f->refused[p->function] ||
		    !look_off_at_entrance(f, p->function))
			continue;
		entry = f->flow->functions.at[p->function].entry_insn;
		VEC_PUSH(&made, (struct listed){p->section, (uint32_t)f->c->made.n});
		VEC_PUSH(&f->c->made, (struct copy){p->section, n[p->section]++, entry, f->takes[p->function]});
		f->c->copy_of[p->function] = (uint32_t)f->c->made.n;
	}
	lists_make(&f->c->made_in, f->unit->sections.n, &made);
	VEC_FREE(&made);
	free(n);
}

void copies_find(struct copies *c, const struct flow *flow, const struct liveness *live)
{
	struct finder f = {.c = c, .flow = flow, .unit = flow->unit, .live = live};

	c->flow = flow;
	c->piece_of = xalloc(flow->unit->file->n, sizeof *c->piece_of);
	c->at = xalloc(flow->unit->insns.n, sizeof *c->at);
	c->copy_of = xalloc(flow->functions.n, sizeof *c->copy_of);
	if (flow->by_hand || labelling_must_be_dense(flow->unit->file))
		return;
	f.refused = xalloc(flow->functions.n, sizeof *f.refused);
	f.takes = xalloc(flow->functions.n, sizeof *f.takes);
	list_names(&f);
	if (f.numbers)
		names_index(&f.names, f.unit);
	f.set = aliases_sets(f.unit->file);
	find_pieces(&f);
	find_tables(&f);
	find_uses(&f);
	find_looks(&f);
	make(&f);
	HASH_CLEAR(hh, f.openings);
	HASH_CLEAR(hh, f.beginnings);
	names_free(&f.names);
	aliases_forget(f.set);
	VEC_FREE(&f.begun);
	VEC_FREE(&f.runs);
	free(f.refused);
	free(f.takes);
}

const struct copied_piece *copies_piece(const struct copies *c, uint32_t stmt)
{
	const struct copied_piece *p;

	if (!c->piece_of || !c->piece_of[stmt])
		return NULL;
	p = &c->pieces.at[c->piece_of[stmt] - 1];
	return c->copy_of[p->function] ? p : NULL;
}

const struct copy *copies_copy(const struct copies *c, uint32_t insn)
{
	const struct copied_piece *p = c->piece_of ? copies_piece(c, c->flow->unit->insns.at[insn].stmt) : NULL;

	return p ? &c->made.at[c->copy_of[p->function] - 1] : NULL;
}

bool copies_want_known(const struct copies *c, uint32_t insn)
{
	const struct copy *copy = c ? copies_copy(c, insn) : NULL;

	return c && (!copy || copy->of_known);
}

/* ---- printing ---- */

static void print_name(const struct copied_name *name, FILE *out)
{
	if (name->begins != NO_FUNCTION)
		fprintf(out, "%.*s.plain", (int)name->text.len, name->text.p);
	else
		fprintf(out, ".Lcpq%u", name->number);
}

/* Whether the name is another one in a copy. A function that nobody else can put another one in the place of
 * may be called by its copy, which looks as well. */
static bool is_renamed(const struct copies *c, const struct copied_name *name)
{
	if (name->same)
		return true;
	return name->function != NO_FUNCTION && c->copy_of[name->function] &&
	       !(name->begins == name->function && name->global);
}

/* The statement, with other names from p on; NULL: it names nothing. */
static void print_text(const struct copies *c, const struct asm_stmt *s, const char *p, FILE *out)
{
	const char *from = s->text.p, *end = from + s->text.len;
	struct copied_name *name;
	struct asm_text found;

	syntax_open(s, out);
	while (p && (name = next_label(c, &p, end, &found))) {
		if (!is_renamed(c, name))
			continue;
		fwrite(from, 1, (size_t)(found.p - from), out);
		print_name(name->same ? name->same : name, out);
		from = found.p + found.len;
	}
	fwrite(from, 1, (size_t)(end - from), out);
	syntax_close(s, out);
}

static void print_label(const struct copies *c, const struct asm_stmt *s, FILE *out)
{
	const struct copied_name *name = find_name(c, s->name);

	if (!name || name->function == NO_FUNCTION) {
		fwrite(s->text.p, 1, s->text.len, out);
		return;
	}
	if (name->begins != NO_FUNCTION) {
		fputs("\t.type\t", out);
		print_name(name, out);
		fputs(",@function\n", out);
	}
	print_name(name, out);
	fputs(":\n", out);
}

/* At the .size that ends a piece. */
static void print_size(const struct copies *c, const struct copied_piece *p, const struct asm_stmt *s,
		       FILE *out)
{
	const char *name = c->flow->functions.at[p->begins].name, *at = s->args.p;

	if (asm_text_is(expression_next_name(&at, at + s->args.len), name))
		fprintf(out, "\t.size\t%s.plain,.-%s.plain\n", name, name);
}

void copies_print(const struct copies *c, uint32_t stmt, FILE *out)
{
	const struct asm_stmt *s = &c->flow->unit->file->stmts[stmt];
	const struct copied_piece *p = copies_piece(c, stmt);
	uint32_t i = c->flow->unit->stmt_insn[stmt];
	bool direct = i != UINT32_MAX && c->flow->unit->insns.at[i].target_symbol.p;

	if (s->kind == ASM_LABEL)
		print_label(c, s, out);
	else if (s->kind == ASM_INSN)
		print_text(c, s, direct ? s->operands[0].text.p : NULL, out);
	else if (s->kind == ASM_DIRECTIVE && !is_dropped(s->name) && !syntax_changes(s))
		print_text(c, s, s->args.p, out);
	else if (s->kind == ASM_DIRECTIVE && !p->table && asm_text_is(s->name, ".size"))
		print_size(c, p, s, out);
}
