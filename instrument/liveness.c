/* Liveness: the usual backward dataflow over registers and flags, with the edges of a function given
 * by rules that real compilers keep (see the header). Everything not understood keeps all alive. */
#include "instrument/conventions.h"

#include "instrument/backward.h"

#include <stdlib.h>
#include <string.h>

/* al counts vector arguments of variadic calls, r10 is the static chain (ABI 3.2.3, 3.5.7); r11 may
 * carry __morestack's argument size. */
#define ARGUMENTS                                                                                  \
	(BIT(RDI) | BIT(RSI) | BIT(RDX) | BIT(RCX) | BIT(R8) | BIT(R9) | BIT(RAX) | BIT(R10))
#define AT_CALL (ARGUMENTS | CALLEE_SAVED)

struct solver {
	const struct flow *flow;
	struct unit *unit;
	const struct conventions *conventions;
	struct backward back; /* in: live at the block's first instruction */
	liveset *kept;	/* per function: what its callers of this unit keep in caller-saved
			 * registers across it (-fipa-ra) */
	liveset kept_far; /* across functions that are called through registers */
	liveset always;	  /* what every function leaves as it was, for who is called to find, too */
	struct lists askers; /* per function, at the number of the whole of it: blocks that ask for what is kept */
	bool *ends;	     /* per block: control may go from it to where the function calls, returns or is left */
	liveset *before;
};

/* Their arguments, or what they leave as it was, are none of the calling convention. */
static const char *const odd_callees[] = {
	"__fentry__", "mcount", "_mcount", "__morestack", "__x86_indirect_thunk",
	"__x86_return_thunk", "__indirect_thunk", "__llvm_retpoline_", "__llvm_lvi_thunk_",
	"__tls_get_addr", "__savms64", "__sse_savms64", "__avx_savms64", "__resms64", "__sse_resms64", "__avx_resms64",
	"OUTLINED_FUNCTION_", /* clang's -enable-machine-outliner: pieces of functions */
};

bool is_odd_callee(struct asm_text t)
{
	if (t.len && memmem(t.p, t.len, "__regcall", strlen("__regcall"))) /* a part of the name (clang) */
		return true;
	for (size_t i = 0; i < sizeof odd_callees / sizeof *odd_callees; i++) {
		size_t n = strlen(odd_callees[i]);

		if (t.len >= n && !memcmp(t.p, odd_callees[i], n))
			return true;
	}
	return false;
}

static bool goes_to_odd(const struct insn *i)
{
	return i->target_symbol.p && is_odd_callee(i->target_symbol);
}

/* Whether the function has such a name. Of a thunk that several units have the linker keeps one: what callers keep
 * across it, those of this unit do not show. */
static bool is_odd(const struct flow *flow, uint32_t fn)
{
	const char *name = fn == NO_FUNCTION ? NULL : flow->functions.at[fn].name;

	return name && is_odd_callee((struct asm_text){name, strlen(name)});
}

static void keep(struct solver *s, uint32_t fn, liveset live)
{
	if (fn == NO_FUNCTION)
		return;
	live &= (CALLER_SAVED | LIVE_VECTORS) & ~s->conventions->lost[fn];
	if ((s->kept[fn] | live) == s->kept[fn])
		return;
	s->kept[fn] |= live;
	for (uint32_t k = s->askers.first[fn]; k < s->askers.first[fn + 1]; k++)
		worklist_add(&s->back.waiting, s->askers.item[k]);
}

static liveset block_in(const struct solver *s, uint32_t block)
{
	return block == NO_BLOCK ? 0 : s->back.in[block];
}

/* Live where control goes on behind the block's last instruction. */
static liveset behind(const struct solver *s, const struct block_bb *b)
{
	return block_in(s, b->next) | block_in(s, b->target);
}

/* In the large code model the compiler knows what it calls, and keeps registers across it, though
 * the call goes through a register. */
static void keep_across_far_call(struct solver *s, liveset after)
{
	if ((s->kept_far | after) == s->kept_far)
		return;
	s->kept_far |= after;
	for (uint32_t f = 0; f < s->flow->functions.n; f++)
		if (s->flow->functions.at[f].far)
			keep(s, s->flow->functions.at[f].whole, after);
}

/* What the block's function leaves as it was. */
static liveset saved_around(const struct flow *flow, const struct conventions *conventions, const struct block_bb *b)
{
	return b->function == NO_FUNCTION ? 0 : conventions->saved[flow->functions.at[b->function].whole];
}

/* Within the function, or out of it, to who returns in its place: in the large code model also where the compiler knows
 * whom. */
static liveset at_indirect_jump(struct solver *s, uint32_t index)
{
	const struct block_bb *b = &s->flow->blocks.at[index];
	uint32_t fn = whole_function(s->flow, index);
	liveset live = AT_CALL | saved_around(s->flow, s->conventions, b);

	if (fn == NO_FUNCTION)
		return LIVE_ALL;
	if (s->flow->far) {
		keep_across_far_call(s, s->kept[fn]);
		live |= s->kept[fn];
	}
	return backward_taken(&s->back, fn) | live;
}

/* What may hold a value behind an unknown call that it held before. */
static liveset kept_by_unknown(const struct flow *flow, const struct conventions *conventions, const struct block_bb *b)
{
	return conventions->across | saved_around(flow, conventions, b) |
	       (b->next == NO_BLOCK ? 0 : conventions->read[b->next]);
}

/* Of a function of the unit. */
static liveset at_known_call(struct solver *s, const struct block_bb *b, liveset after)
{
	uint32_t fn = whole_function(s->flow, b->callee);

	after = (after & (REGS_ALL | LIVE_VECTORS)) | s->always;
	if (fn == NO_FUNCTION)
		return after | AT_CALL;
	keep(s, fn, after);
	after &= ~s->conventions->lost[fn];
	if (b->replaceable)
		return after | AT_CALL;
	return after | (block_in(s, b->callee) & REGS_ALL) | CALLEE_SAVED;
}

/* A place within a function, which nobody else enters. */
static bool calls_within(const struct flow *flow, const struct block_bb *b)
{
	return b->callee != NO_BLOCK && flow->blocks.at[b->callee].called;
}

/* Through a register, or a thunk that has one. */
static bool is_far_call(const struct flow *flow, const struct block_bb *b, const struct insn *last)
{
	return flow->far && (last->branch == BRANCH_CALL_INDIRECT || goes_to_odd(last) || calls_within(flow, b));
}

static liveset at_call(struct solver *s, const struct block_bb *b, const struct insn *last)
{
	liveset after = behind(s, b);
	bool asm_call = s->unit->file->stmts[last->stmt].in_asm;

	if (is_far_call(s->flow, b, last))
		keep_across_far_call(s, after);
	if (asm_call || goes_to_odd(last))
		return LIVE_ALL;
	for (int i = 0; i < last->n_refs; i++)
		if (last->refs[i].form == REF_TLSCALL)
			return LIVE_ALL;
	if (calls_within(s->flow, b)) /* a thunk's way of jumping */
		after |= block_in(s, b->callee);
	else if (b->callee != NO_BLOCK)
		return at_known_call(s, b, after);
	else if (!is_far_call(s->flow, b, last))
		return (after & kept_by_unknown(s->flow, s->conventions, b)) | AT_CALL | s->always;
	return (after & (REGS_ALL | LIVE_VECTORS)) | AT_CALL | s->always;
}

/* Thunks return to what they put on the stack, or find there below where they return to. */
static liveset at_return(const struct solver *s, uint32_t index, const struct insn *last)
{
	uint32_t fn = whole_function(s->flow, index);
	const struct block_bb *b = &s->flow->blocks.at[index];

	if (fn == NO_FUNCTION || is_odd(s->flow, fn) || s->unit->file->stmts[last->stmt].in_asm || b->called ||
	    jumps_by_return(s->unit, b->first + b->n - 1))
		return LIVE_ALL;
	return RETURNED | CALLEE_SAVED | s->conventions->saved[fn] | s->kept[fn];
}

/* A jump into another function is a tail call: that function's callers are ours. */
static void pass_on_kept(struct solver *s, uint32_t index, uint32_t target)
{
	uint32_t from, to;

	if (target == NO_BLOCK)
		return;
	from = whole_function(s->flow, index);
	to = whole_function(s->flow, target);
	if (from != to && from != NO_FUNCTION)
		keep(s, to, s->kept[from]);
}

/* To where no convention says what is kept, in code that was written by hand: but for branches within the unit. */
static bool leaves_by_hand(const struct block_bb *b, const struct insn *last)
{
	return last->branch > BRANCH_SHORT || may_leave(b) || goes_to_odd(last);
}

/* The same in a compiler's output, where inline assembly jumps. */
static bool leaves_in_asm(const struct solver *s, const struct block_bb *b, const struct insn *last)
{
	return s->unit->file->stmts[last->stmt].in_asm && (last->branch == BRANCH_JUMP_INDIRECT || may_leave(b));
}

/* The eleventh argument of preserve_none (clang), of a call or of a jump out of the function: before no other would a
 * compiler write to r11 what nothing reads. */
static liveset eleventh_argument(const struct solver *s, const struct block_bb *b)
{
	const struct insn *insns = s->unit->insns.at;
	uint32_t i = b->first + b->n - 1, first = s->unit->sections.at[b->section].first_insn;

	if (b->callee != NO_BLOCK && !b->replaceable) /* its code says what it reads */
		return 0;
	do {
		if (insns[i].writes & BIT(R11))
			return BIT(R11);
		if (insns[i].reads & BIT(R11))
			return 0;
	} while (i-- > first && insns[i].branch == BRANCH_NONE);
	return 0;
}

static liveset live_out(struct solver *s, uint32_t index)
{
	const struct block_bb *b = &s->flow->blocks.at[index];
	const struct insn *last = &s->unit->insns.at[b->first + b->n - 1];
	liveset live = behind(s, b);

	if (b->opaque)
		return LIVE_ALL;
	if (!s->ends[index]) /* its callers' registers are found there if it is unwound all the same, by a trap */
		live |= CALLEE_SAVED | s->always;
	if (s->flow->by_hand)
		return leaves_by_hand(b, last) ? LIVE_ALL : live;
	if (leaves_in_asm(s, b, last))
		return LIVE_ALL;
	pass_on_kept(s, index, b->target);
	pass_on_kept(s, index, b->next);
	switch (last->branch) {
	case BRANCH_JUMP:
		if (goes_to_odd(last))
			return LIVE_ALL;
		break;
	case BRANCH_RET:
		return at_return(s, index, last);
	case BRANCH_CALL:
	case BRANCH_CALL_INDIRECT:
		return at_call(s, b, last) | eleventh_argument(s, b);
	case BRANCH_JUMP_INDIRECT:
		return at_indirect_jump(s, index) | eleventh_argument(s, b);
	case BRANCH_STOP:
		return CALLEE_SAVED | s->always;
	case BRANCH_BARRIER:
		return LIVE_ALL;
	}
	if (!may_leave(b))
		return live;
	return live | AT_CALL | saved_around(s->flow, s->conventions, b) | eleventh_argument(s, b);
}

static liveset step_back(liveset live, const struct insn *i)
{
	if (i->data || i->unknown || (i->anchor && i->n_refs)) /* a fault there goes on where a table says */
		return LIVE_ALL;
	live &= ~((liveset)(i->writes & ~i->clobbers) | (liveset)(i->flags_written & FLAGS_STATUS) << LIVE_FLAGS |
		  (liveset)i->vectors_written << LIVE_VECTOR);
	if (i->caught) /* landing pads get what unwinders keep */
		live |= CALLEE_SAVED;
	return live | (liveset)i->vectors_read << LIVE_VECTOR | i->reads | i->clobbers |
	       ((liveset)(i->flags_read & FLAGS_STATUS) << LIVE_FLAGS) | BIT(RSP);
}

static void solve_block(struct solver *s, uint32_t index)
{
	const struct block_bb *b = &s->flow->blocks.at[index];
	liveset live = live_out(s, index);

	for (uint32_t i = b->first + b->n; i-- > b->first;) {
		live = b->winding ? LIVE_ALL : step_back(live, &s->unit->insns.at[i]);
		s->before[i] = live;
	}
	backward_add(&s->back, index, live);
}

/* Blocks that return from the function, or go on in another one, perhaps by its address. */
static void find_askers(struct solver *s)
{
	const struct flow *flow = s->flow;
	listed_vec all = {0};

	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];
		uint32_t fn = whole_function(flow, i);
		uint8_t branch = s->unit->insns.at[b->first + b->n - 1].branch;
		bool asks = branch == BRANCH_RET || (flow->far && branch == BRANCH_JUMP_INDIRECT) ||
			    (b->next != NO_BLOCK && whole_function(flow, b->next) != fn) ||
			    (b->target != NO_BLOCK && whole_function(flow, b->target) != fn);

		if (asks && fn != NO_FUNCTION)
			VEC_PUSH(&all, (struct listed){fn, i});
	}
	lists_make(&s->askers, flow->functions.n, &all);
	VEC_FREE(&all);
}

static void note_end(struct solver *s, struct worklist *waiting, uint32_t block)
{
	if (s->ends[block])
		return;
	s->ends[block] = true;
	worklist_add(waiting, block);
}

static void find_ends(struct solver *s)
{
	const struct flow *flow = s->flow;
	const struct lists *from = &s->back.from;
	struct worklist waiting;
	uint32_t block;

	s->ends = xalloc(flow->blocks.n, sizeof *s->ends);
	worklist_make(&waiting, flow->blocks.n);
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		if (!goes_on_within(flow, &flow->blocks.at[i]))
			note_end(s, &waiting, i);
	while (worklist_take(&waiting, &block))
		for (uint32_t k = from->first[block]; k < from->first[block + 1]; k++)
			note_end(s, &waiting, from->item[k]);
	worklist_free(&waiting);
}

/* Which registers may hold a value that somebody gave them on purpose, per block at its start. What
 * an unknown call leaves in caller-saved registers is nobody's, but for what it returns and what an instruction
 * behind it reads: a later call's arguments, all of which count as read, cannot be among it. */
struct definer {
	const struct flow *flow;
	const struct conventions *conventions;
	regset always; /* what nobody changes but on purpose */
	regset *in;
	struct worklist waiting;
};

static regset step_forward(regset defined, const struct insn *i)
{
	return defined | i->writes | i->clobbers;
}

static void flow_into(struct definer *d, uint32_t block, regset defined)
{
	if (block != NO_BLOCK && (d->in[block] | defined) != d->in[block]) {
		d->in[block] |= defined;
		worklist_add(&d->waiting, block);
	}
}

static void define_through(struct definer *d, const struct block_bb *b, regset defined)
{
	const struct unit *u = d->flow->unit;
	const struct insn *last = &u->insns.at[b->first + b->n - 1];

	for (uint32_t i = b->first; i < b->first + b->n; i++)
		defined = step_forward(defined, &u->insns.at[i]);
	if (calls_within(d->flow, b) || b->winding)
		defined = REGS_ALL;
	flow_into(d, b->callee, defined);
	if (is_unknown_call(d->flow, b))
		defined &= kept_by_unknown(d->flow, d->conventions, b) & REGS_ALL;
	if (is_call(last)) /* where inline assembly calls, in any register something may be returned */
		defined |= goes_to_odd(last) || u->file->stmts[last->stmt].in_asm ? REGS_ALL : RETURNED;
	flow_into(d, b->next, defined);
	flow_into(d, b->target, defined);
}

/* main has its arguments, those that its callers in the unit give it, and whatever it reads itself: in C a program may
 * call it, with more of them than the system gives. Of other functions it is not known how many they take. */
static regset given_to(const struct definer *d, const struct function *fn)
{
	uint32_t block = d->flow->unit->insns.at[fn->entry_insn].block;

	if (strcmp(fn->name, "main") || !fn->global || fn->address_taken)
		return REGS_ALL;
	return CALLEE_SAVED | BIT(RDI) | BIT(RSI) | BIT(RDX) | d->conventions->read[block] | d->always;
}

/* Blocks that are entered from elsewhere: functions, targets of indirect jumps, and labels of inline assembly, which
 * may begin what is none of our functions. */
static void define_entries(struct definer *d)
{
	const struct flow *flow = d->flow;
	bool *named = xalloc(flow->blocks.n, sizeof *named);

	blocks_named(flow, named);
	for (size_t b = 0; b < flow->blocks.n; b++) {
		const struct block_bb *block = &flow->blocks.at[b];

		if (block->opaque || block->odd || block->function == NO_FUNCTION || (named[b] && !block->entry))
			flow_into(d, (uint32_t)b, REGS_ALL);
	}
	free(named);
	for (size_t f = 0; f < flow->functions.n; f++) {
		const struct function *fn = &flow->functions.at[f];

		flow_into(d, flow->unit->insns.at[fn->entry_insn].block, given_to(d, fn));
		for (size_t t = 0; t < fn->taken.n; t++)
			flow_into(d, fn->taken.at[t], REGS_ALL);
	}
}

/* Takes registers that nobody gave a value out of what is live. */
static void drop_undefined(struct liveness *live, const struct flow *flow, const struct conventions *conventions)
{
	struct definer d = {.flow = flow, .conventions = conventions, .always = live->kept & REGS_ALL};
	uint32_t next;

	d.in = xalloc(flow->blocks.n, sizeof *d.in);
	worklist_make(&d.waiting, flow->blocks.n);
	for (uint32_t b = 0; b < flow->blocks.n; b++)
		worklist_add(&d.waiting, b);
	define_entries(&d);
	while (worklist_take(&d.waiting, &next))
		define_through(&d, &flow->blocks.at[next], d.in[next]);
	for (size_t b = 0; b < flow->blocks.n; b++) {
		const struct block_bb *block = &flow->blocks.at[b];
		regset defined = d.in[b];

		for (uint32_t i = block->first; defined && i < block->first + block->n; i++) {
			live->before[i] &= ~REGS_ALL | defined;
			defined = step_forward(defined, &flow->unit->insns.at[i]);
		}
	}
	free(d.in);
	worklist_free(&d.waiting);
}

/* Where nobody uses vector registers, what is not understood does not, either; who comes to a thunk may. */
static void drop_vectors(struct liveness *live, const struct flow *flow, const struct conventions *conventions)
{
	const struct unit *unit = flow->unit;
	liveset unused = LIVE_VECTORS & ~conventions->around;

	for (size_t i = 0; i < unit->insns.n; i++)
		unused &= ~((unit->insns.at[i].uses_evex ? LIVE_STUBS : 0) |
			    (unit->insns.at[i].uses_spare ? LIVE_SPARE : 0));
	for (uint32_t b = 0; b < flow->blocks.n; b++) {
		const struct block_bb *block = &flow->blocks.at[b];
		uint32_t fn = whole_function(flow, b);
		liveset dead = is_odd(flow, fn) ? 0 : unused & ~(fn == NO_FUNCTION ? 0 : conventions->saved[fn]);

		for (uint32_t i = block->first; i < block->first + block->n; i++)
			live->before[i] &= ~dead;
	}
}

void liveness_find(struct liveness *live, const struct flow *flow, liveset kept)
{
	struct conventions conventions;
	struct solver s = {.flow = flow, .unit = flow->unit, .conventions = &conventions, .always = kept};
	uint32_t block;

	conventions_find(&conventions, flow, kept);
	s.kept = xalloc(flow->functions.n, sizeof *s.kept);
	s.before = xalloc(flow->unit->insns.n, sizeof *s.before);
	find_askers(&s);
	backward_begin(&s.back, flow);
	find_ends(&s);
	while (backward_next(&s.back, &block))
		solve_block(&s, block);
	backward_end(&s.back);
	free(s.back.in);
	lists_free(&s.askers);
	free(s.kept);
	live->before = s.before;
	live->kept = kept;
	free(s.ends);
	drop_vectors(live, flow, &conventions);
	if (!flow->by_hand)
		drop_undefined(live, flow, &conventions);
	for (size_t i = 0; i < flow->unit->insns.n; i++)
		live->before[i] |= flow->unit->insns.at[i].cfa;
	conventions_free(&conventions);
}
