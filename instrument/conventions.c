/* What functions do to registers, as their code shows it: what instructions themselves read, whatever conventions
 * say. A value that is read behind a call was kept by it, and what a function reads at its entrance are its
 * arguments. */
#include "instrument/conventions.h"

#include "instrument/backward.h"
#include "instrument/cfi.h"

#include <stdlib.h>
#include <string.h>

/* Microsoft's convention: arguments in these, and two more registers saved by who is called. */
#define MS_ARGUMENTS (BIT(RCX) | BIT(RDX) | BIT(R8) | BIT(R9))
#define MS_SAVED (BIT(RSI) | BIT(RDI))
#define MS_SAVED_ALL (MS_SAVED | LIVE_SPARE)

/* What a function does to registers. */
struct habits {
	regset saved; /* CFI tells so */
	regset pushed;
	regset changed; /* not by what it calls, which may leave all as they were, too */
	bool in_asm; /* in file-scope assembly */
};

struct reader {
	const struct flow *flow;
	regset *in; /* per block: read in it or behind it before it is written */
	struct backward back;
	regset *saves; /* per instruction: what CFI says that it has saved, however it did */
	struct habits *habits; /* per function, at the number of the whole of it */
	bool llvm; /* the compiler is LLVM's */
	bool most; /* a function of the unit saves nearly all registers */
};

static regset saved_by(const struct asm_file *file, const struct insn *i)
{
	regset saved = 0;

	for (size_t k = i->stmt + 1; k < file->n && asm_text_begins(file->stmts[k].name, ".cfi_"); k++)
		if (asm_text_is(file->stmts[k].name, ".cfi_offset"))
			saved |= cfi_register(file->stmts[k].args);
	return saved;
}

static void find_saves(struct reader *r)
{
	const struct unit *unit = r->flow->unit;

	r->saves = xalloc(unit->insns.n, sizeof *r->saves);
	for (size_t i = 0; i < unit->insns.n; i++)
		r->saves[i] = saved_by(unit->file, &unit->insns.at[i]);
}

/* A push saves; what becomes of it is seen where it is popped. */
static regset read_by(const struct reader *r, uint32_t insn)
{
	const struct insn *i = &r->flow->unit->insns.at[insn];

	return i->rsp_change == -8 && !is_call(i) ? 0 : i->reads & ~r->saves[insn];
}

/* What a called function of the unit reads. A variadic one, which reads rax, saves all that may be arguments. */
static regset read_by_callee(const struct reader *r, uint32_t callee)
{
	regset read = callee == NO_BLOCK ? 0 : r->in[callee];

	return read & BIT(RAX) ? read & MS_SAVED : read;
}

static regset read_behind(const struct reader *r, const struct block_bb *b)
{
	const struct insn *last = &r->flow->unit->insns.at[b->first + b->n - 1];
	regset read = (b->next == NO_BLOCK ? 0 : r->in[b->next]) | (b->target == NO_BLOCK ? 0 : r->in[b->target]);

	if (last->branch == BRANCH_JUMP_INDIRECT)
		read |= backward_taken(&r->back, b->function);
	if (!is_call(last))
		return read;
	return (read & ~RETURNED) | read_by_callee(r, b->callee);
}

static void read_block(struct reader *r, uint32_t index)
{
	const struct block_bb *b = &r->flow->blocks.at[index];
	regset read = read_behind(r, b);

	for (uint32_t i = b->first + b->n; i-- > b->first;) {
		const struct insn *insn = &r->flow->unit->insns.at[i];

		read = b->winding ? REGS_ALL : (read & ~(insn->writes & ~insn->clobbers)) | read_by(r, i);
	}
	backward_add(&r->back, index, read);
}

static void find_read(struct reader *r)
{
	uint32_t block;

	backward_begin(&r->back, r->flow);
	r->in = r->back.in;
	while (backward_next(&r->back, &block))
		read_block(r, block);
	backward_end(&r->back);
}

/* ---- functions with another convention ---- */

/* Those that a function reads, or who it calls; with rax, which tells ours how many vector registers are among
 * what a variadic function is given. */
static regset arguments_of(const struct reader *r, const struct function *f)
{
	const struct flow *flow = r->flow;

	return r->in[flow->unit->insns.at[f->entry_insn].block] & (MS_ARGUMENTS | MS_SAVED | BIT(RAX));
}

/* Whether rsi or rdi is read behind the call of something unknown: it surely keeps Microsoft's. */
static bool calls_ms(const struct reader *r, const struct block_bb *b)
{
	return is_call(&r->flow->unit->insns.at[b->first + b->n - 1]) && b->callee == NO_BLOCK &&
	       b->next != NO_BLOCK && r->in[b->next] & MS_SAVED;
}

static bool in_asm(const struct flow *flow, const struct insn *insn)
{
	return flow->unit->file->stmts[insn->stmt].in_asm;
}

/* What gcc's -mcall-ms2sysv-xlogues has a function of Microsoft's convention call, instead of saving itself. */
static bool is_saver(struct asm_text callee)
{
	return callee.p && memmem(callee.p, callee.len, "_savms64", strlen("_savms64"));
}

static void note_habits(struct habits *h, const struct insn *insn)
{
	if (is_call(insn)) {
		h->saved |= is_saver(insn->target_symbol) ? MS_SAVED : 0;
		return;
	}
	if (insn->rsp_change == -8)
		h->pushed |= insn->reads;
	else
		h->changed |= insn->writes | insn->clobbers;
}

static void find_habits(struct reader *r)
{
	const struct flow *flow = r->flow;
	const struct insn *insns = flow->unit->insns.at;

	r->habits = xalloc(flow->functions.n, sizeof *r->habits);
	for (size_t f = 0; f < flow->functions.n; f++)
		r->habits[f].in_asm = in_asm(flow, &insns[flow->functions.at[f].entry_insn]);
	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];
		uint32_t fn = whole_function(flow, i);

		for (uint32_t k = b->first; fn != NO_FUNCTION && k < b->first + b->n; k++) {
			r->habits[fn].saved |= r->saves[k];
			note_habits(&r->habits[fn], &insns[k]);
		}
	}
}

/* Whether the function, a whole one, saves what neither of the usual conventions wants it to, or its own arguments. */
static bool saves_most(const struct reader *r, uint32_t fn)
{
	regset saved = r->habits[fn].saved;

	return saved & CALLER_SAVED & ~MS_SAVED || saved & arguments_of(r, &r->flow->functions.at[fn]) & MS_SAVED;
}

static bool some_save_most(const struct reader *r)
{
	for (uint32_t i = 0; i < r->flow->functions.n; i++)
		if (saves_most(r, i))
			return true;
	return false;
}

/* Clang's preserve_most and preserve_all leave all registers as they were but r11 and those that something is returned
 * in, and no_caller_saved_registers leaves r11, too. Such a function saves them. Or it has none to save, and looks like
 * others that do little, which are taken for such in LLVM's code, and where the unit has one that saves. */
static void add_most(const struct reader *r, liveset *saved)
{
	bool some = r->llvm || r->most;

	for (uint32_t i = 0; some && i < r->flow->functions.n; i++) {
		uint32_t fn = r->flow->functions.at[i].whole;
		const struct habits *h = &r->habits[fn];
		bool little = !(h->changed & ~h->pushed & CALLER_SAVED & ~(RETURNED | BIT(R11)));

		if (!h->in_asm && (little || saves_most(r, fn)))
			saved[i] |= CALLER_SAVED | LIVE_SPARE;
	}
}

/* Whether a call or jump at the block's end has a second argument from there, and its first from before. */
static bool gives_second_only(const struct flow *flow, const struct block_bb *b)
{
	regset written = 0;

	for (uint32_t i = b->first; i < b->first + b->n; i++)
		written |= flow->unit->insns.at[i].writes;
	return (is_unknown_call(flow, b) || may_leave(b)) && written & BIT(RSI) && !(written & BIT(RDI));
}

/* Whether such functions are called: behind a call of something unknown a register of those is read, or given on. */
static bool calls_most(const struct reader *r)
{
	const struct flow *flow = r->flow;

	for (size_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];

		if (is_unknown_call(flow, b) && b->next != NO_BLOCK &&
		    (r->in[b->next] & CALLER_SAVED & ~RETURNED || gives_second_only(flow, &flow->blocks.at[b->next])))
			return true;
	}
	return false;
}

/* By preserve_all vector registers are kept, too. (Those that stubs use, AVX-512's last ones, are left to them.) */
static liveset kept_across(const struct reader *r)
{
	liveset general = r->most || (r->llvm && calls_most(r)) ? CALLER_SAVED & ~RETURNED : 0;

	return CALLEE_SAVED | general | (r->most || r->llvm ? LIVE_SPARE : 0);
}

/* A function that saves rsi and rdi keeps Microsoft's convention (__attribute__((ms_abi))). Nothing else in an object
 * says so. One that has arguments, but none in rdi and rsi, may be called by it; and where one is, or calls by it are
 * made, those without arguments may. Who else calls functions of the unit by name is seen. */
static liveset *find_saved(const struct reader *r, liveset kept)
{
	const struct flow *flow = r->flow;
	liveset *saved = xalloc(flow->functions.n, sizeof *saved);
	bool some = false;

	for (size_t i = 0; i < flow->functions.n; i++) {
		const struct function *f = &flow->functions.at[i];
		regset arguments = arguments_of(r, f);
		bool may_be = r->habits[f->whole].saved & MS_SAVED ||
			      (f->whole == i && (f->global || f->address_taken) && arguments &&
			       !(arguments & (MS_SAVED | BIT(RAX))));

		saved[i] = kept | (may_be ? MS_SAVED_ALL : 0);
		some |= may_be;
	}
	for (size_t i = 0; !some && i < flow->blocks.n; i++)
		some = calls_ms(r, &flow->blocks.at[i]);
	for (size_t i = 0; some && i < flow->functions.n; i++)
		if (!arguments_of(r, &flow->functions.at[i]))
			saved[i] |= MS_SAVED_ALL;
	return saved;
}

/* Nothing tells the convention of a function without arguments in general registers that leaves rsi and rdi alone. Who
 * it is called by may be in another unit. */
static void add_silent(const struct reader *r, liveset *saved)
{
	for (uint32_t i = 0; i < r->flow->functions.n; i++) {
		const struct function *f = &r->flow->functions.at[i];

		if (f->whole == i && (f->global || f->address_taken) && !arguments_of(r, f) &&
		    !(r->habits[i].changed & MS_SAVED))
			saved[i] |= MS_SAVED_ALL;
	}
}

/* ---- what calls change ---- */

/* Nothing is lost that the compiler may not know of: what is not sure to be executed, as that which stands behind a
 * call that does not return, is no way from one function into another, and in file-scope assembly any code may
 * stand. */

struct loser {
	const struct flow *flow;
	const struct conventions *conventions;
	liveset *lost, *may; /* per function: lost; registers that it may have saved are not */
	struct lists callers; /* per function: functions that call it or go on in it */
	struct worklist waiting;
};

static const struct insn *last_of(const struct flow *flow, const struct block_bb *b)
{
	return &flow->unit->insns.at[b->first + b->n - 1];
}

bool is_unknown_call(const struct flow *flow, const struct block_bb *b)
{
	const struct insn *last = last_of(flow, b);

	if (!is_call(last) || b->callee != NO_BLOCK || in_asm(flow, last) ||
	    (flow->far && last->branch == BRANCH_CALL_INDIRECT))
		return false;
	for (int i = 0; i < last->n_refs; i++)
		if (last->refs[i].form == REF_TLSCALL)
			return false;
	return !last->target_symbol.p || !is_odd_callee(last->target_symbol);
}

static bool leaves_for_unknown(const struct flow *flow, const struct block_bb *b)
{
	const struct insn *last = last_of(flow, b);

	return b->leaves && !in_asm(flow, last) && !is_odd_callee(last->target_symbol);
}

/* What is pushed, or read at all of vectors, may be put back. */
static void note_instructions(struct loser *l, const struct block_bb *b, uint32_t fn)
{
	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		const struct insn *insn = &l->flow->unit->insns.at[i];

		if (!in_asm(l->flow, insn))
			l->lost[fn] |= insn->writes | insn->clobbers | (liveset)insn->vectors_written << LIVE_VECTOR;
		l->may[fn] &= ~((liveset)insn->vectors_read << LIVE_VECTOR);
		if (insn->rsp_change == -8 && !is_call(insn))
			l->may[fn] &= ~insn->reads;
	}
	if (is_unknown_call(l->flow, b) || leaves_for_unknown(l->flow, b))
		l->lost[fn] |= CALLER_SAVED | LIVE_VECTORS;
}

static void note_blocks(struct loser *l)
{
	const struct flow *flow = l->flow;
	listed_vec all = {0};

	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];
		const uint32_t to[] = {b->target, b->callee};
		uint32_t fn = whole_function(flow, i);

		if (fn == NO_FUNCTION || !b->reachable)
			continue;
		note_instructions(l, b, fn);
		for (size_t k = 0; k < sizeof to / sizeof *to && !in_asm(flow, last_of(flow, b)); k++) {
			uint32_t other = to[k] == NO_BLOCK ? NO_FUNCTION : whole_function(flow, to[k]);

			if (other != NO_FUNCTION && other != fn)
				VEC_PUSH(&all, (struct listed){other, fn});
		}
	}
	lists_make(&l->callers, flow->functions.n, &all);
	VEC_FREE(&all);
}

static void find_lost(struct conventions *conventions, const struct flow *flow)
{
	size_t n = flow->functions.n;
	struct loser l = {.flow = flow, .lost = xalloc(n, sizeof *l.lost), .may = xalloc(n, sizeof *l.may)};
	uint32_t fn;

	for (size_t f = 0; f < n; f++)
		l.may[f] = (CALLER_SAVED | LIVE_VECTORS) & ~conventions->saved[f] &
			   ~conventions->read[flow->unit->insns.at[flow->functions.at[f].entry_insn].block];
	note_blocks(&l);
	worklist_make(&l.waiting, n);
	for (uint32_t f = 0; f < n; f++) {
		l.lost[f] &= l.may[f];
		worklist_add(&l.waiting, f);
	}
	while (worklist_take(&l.waiting, &fn))
		for (uint32_t k = l.callers.first[fn]; k < l.callers.first[fn + 1]; k++) {
			uint32_t caller = l.callers.item[k];
			liveset lost = l.lost[caller] | (l.lost[fn] & l.may[caller]);

			if (lost != l.lost[caller])
				worklist_add(&l.waiting, caller);
			l.lost[caller] = lost;
		}
	worklist_free(&l.waiting);
	lists_free(&l.callers);
	free(l.may);
	conventions->lost = l.lost;
}

void conventions_find(struct conventions *conventions, const struct flow *flow, liveset kept)
{
	struct reader r = {.flow = flow, .llvm = flow->unit->file->llvm};

	find_saves(&r);
	find_read(&r);
	find_habits(&r);
	r.most = some_save_most(&r);
	conventions->read = r.in;
	conventions->saved = find_saved(&r, kept);
	conventions->around = 0;
	for (size_t f = 0; f < flow->functions.n; f++)
		conventions->around |= conventions->saved[f];
	add_most(&r, conventions->saved);
	add_silent(&r, conventions->saved);
	conventions->across = kept_across(&r);
	free(r.saves);
	free(r.habits);
	find_lost(conventions, flow);
}

void conventions_free(struct conventions *conventions)
{
	free(conventions->read);
	free(conventions->saved);
	free(conventions->lost);
}
