/* Emission: the statements are printed as they stand, in order; before the first instruction of a
 * statement goes what the plan has for it. The slow half of everything planted is cold code, which
 * is collected per section and printed at the end into an output section of its own, so that the
 * text sections grow by the hot half only. */
#include "instrument/emit.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/diag.h"
#include "include/site.h"
#include "instrument/aliases.h"
#include "instrument/cfi.h"
#include "instrument/expression.h"
#include "instrument/groups.h"
#include "instrument/libc.h"
#include "instrument/requests.h"
#include "instrument/sequence.h"
#include "instrument/syntax.h"
#include "instrument/tables.h"

#define NO_POINT UINT32_MAX
#define LOOP_ALIGN 64 /* bytes */

struct emitter {
	const struct emission *e;
	const struct flow *flow;
	const struct unit *unit;
	FILE *out;
	uint32_t *point_of; /* per instruction */
	struct section_tables *tables; /* per section */
	bool *begun;		       /* per section: its first label is printed */
	uint32_t *anchored;	       /* per statement: the instruction of the label, or UINT32_MAX */
	uint32_t *loop_place;	       /* per block that is a loop: the statement before which it is entered */
	uint32_t *loop_at;	       /* per statement: the block that it is so for, or NO_BLOCK */
	bool *aimed;		       /* per instruction: branches by distance lead to it */
	bool *vex;		       /* per function: the processor has AVX */
	uint32_t number;	       /* of the next planted piece */
	char *low, *high;	       /* operand texts */
	size_t room;
	struct cfi cfi;
	bool strided;  /* it is the second text of a strided loop */
	uint32_t copied; /* the last instruction of which the copies have a part */
	bool requesting; /* it is one of a client request */
};

static struct section_tables *tables_of(struct emitter *em, uint32_t insn)
{
	return &em->tables[em->unit->insns.at[insn].section];
}

static void make_room(struct emitter *em, const struct address *a)
{
	if (address_room(a) > em->room) {
		em->room = address_room(a) * 2;
		em->low = xrealloc(em->low, em->room, 1);
		em->high = xrealloc(em->high, em->room, 1);
	}
}

/* The address as it is while the point's frame is open. */
static struct address framed(const struct point *p, struct address a)
{
	if (a.base == RSP)
		a.disp += p->rsp_moved;
	if (p->rax_kept != REG_NONE) {
		if (a.base == RAX)
			a.base = p->rax_kept;
		if (a.index == RAX)
			a.index = p->rax_kept;
	}
	return a;
}

static void plant(struct emitter *em, enum sequence seq, const struct slots *slots)
{
	sequence_print(em->out, seq, slots);
}

static void plant_register(struct emitter *em, enum sequence seq, uint8_t r)
{
	plant(em, seq, &(struct slots){.a = r});
}

/* A sequence that moves rsp by some bytes, and what unwinders must know of it. */
static void plant_move(struct emitter *em, enum sequence seq, uint8_t r, enum sequence cfa, unsigned bytes)
{
	plant_register(em, seq, r);
	if (cfi_on_rsp(&em->cfi))
		plant(em, cfa, &(struct slots){.x = bytes});
}

/* Where upper halves are in use SSE waits for them. */
static bool has_avx(const struct emitter *em, uint32_t block)
{
	uint32_t f = em->flow->blocks.at[block].function;

	return f != NO_FUNCTION && em->vex[em->flow->functions.at[f].whole];
}

_Static_assert(LOOP_PARK == SPARE_FIRST && LOOP_PARKS == SPARES, "");

static const enum sequence to_spare[] = {SEQ_TO_SPARE, SEQ_TO_SPARE_VEX};
static const enum sequence from_spare[] = {SEQ_FROM_SPARE, SEQ_FROM_SPARE_VEX};

/* Of registers, or REG_NONE, to or from where each waits. */
static void plant_spares(struct emitter *em, uint32_t block, const uint8_t spare[SPARES], const enum sequence ways[2])
{
	for (unsigned i = 0; i < SPARES; i++)
		if (spare[i] != REG_NONE)
			plant(em, ways[has_avx(em, block)], &(struct slots){.a = spare[i], .x = SPARE_FIRST + i});
}

static void open_frame(struct emitter *em, const struct point *p)
{
	plant_spares(em, em->unit->insns.at[p->insn].block, p->spare, to_spare);
	if (p->rsp_moved) {
		if (p->red_zone)
			plant_move(em, SEQ_OPEN_FRAME, 0, SEQ_CFA_FARTHER, RED_ZONE);
		if (p->flags_pushed)
			plant_move(em, SEQ_PUSH_FLAGS, 0, SEQ_CFA_FARTHER, 8);
		for (uint8_t r = 0; r < 16; r++)
			if (p->pushed >> r & 1)
				plant_move(em, SEQ_PUSH, r, SEQ_CFA_FARTHER, 8);
	}
	if (p->rax_kept != REG_NONE)
		plant_register(em, SEQ_MOVE_FROM_RAX, p->rax_kept);
	if (p->flags_in_rax)
		plant(em, SEQ_FLAGS_TO_RAX, NULL);
}

static void close_frame(struct emitter *em, const struct point *p)
{
	if (p->flags_in_rax)
		plant(em, SEQ_FLAGS_FROM_RAX, NULL);
	if (p->rax_kept != REG_NONE)
		plant_register(em, SEQ_MOVE_TO_RAX, p->rax_kept);
	plant_spares(em, em->unit->insns.at[p->insn].block, p->spare, from_spare);
	if (!p->rsp_moved)
		return;
	for (uint8_t r = 16; r-- > 0;)
		if (p->pushed >> r & 1)
			plant_move(em, SEQ_POP, r, SEQ_CFA_NEARER, 8);
	if (p->flags_pushed)
		plant_move(em, SEQ_POP_FLAGS, 0, SEQ_CFA_NEARER, 8);
	if (p->red_zone)
		plant_move(em, SEQ_CLOSE_FRAME, 0, SEQ_CFA_NEARER, RED_ZONE);
}

/* Whether cold code must step over a red zone where code planted before an instruction jumps to it. */
static bool steps(const struct emitter *em, uint32_t insn)
{
	return em->flow->blocks.at[em->unit->insns.at[insn].block].red_zone;
}

/* ... where the point's frame is open, which itself has stepped over it if it is on the stack. */
static bool steps_in_frame(const struct point *p)
{
	return p->red_zone && !p->rsp_moved;
}

/* The cold half of what jumps to a routine. Returns where its table goes. */
static FILE *plant_cold(struct emitter *em, uint32_t insn, bool stepping, const struct slots *slots)
{
	FILE *out = aside_out(&tables_of(em, insn)->cold[stepping ? COLD_STEPS : COLD_PLAIN]);

	sequence_print(out, stepping ? SEQ_COLD_STEPPING : SEQ_COLD, slots);
	return out;
}

static FILE *cold_branches(const struct emitter *em, uint32_t section)
{
	return aside_out(&em->tables[section].cold[COLD_BRANCHES]);
}

static void plant_enter(struct emitter *em, const struct point *p)
{
	struct slots slots = {.a = p->a, .n = em->number++, .stub = "cacheprof_enter"};

	plant(em, em->e->pic ? SEQ_ENTER_PIC : SEQ_ENTER, &slots);
	plant_cold(em, p->insn, steps_in_frame(p), &slots);
}

/* How much the block has pushed before that instruction of it, as a prologue does. */
static uint64_t pushed_before(const struct emitter *em, uint32_t insn)
{
	const struct insn *insns = em->unit->insns.at;
	uint64_t bytes = 0;

	for (uint32_t i = em->flow->blocks.at[insns[insn].block].first; i < insn; i++)
		if (splits_prologue(em->flow, i) && insns[i].rsp_change == -8)
			bytes += 8;
	return bytes;
}

static uint8_t loop_counter(const struct emitter *em, uint32_t block)
{
	return em->e->plan->loops.counter[block];
}

static struct slots loop_slots(const struct emitter *em, uint32_t block)
{
	const struct plan *plan = em->e->plan;

	return (struct slots){.a = plan->loops.counter[block], .b = plan->loops.here[block], .n = block,
			      .s = em->flow->blocks.at[block].section,
			      .x = plan->counter[block] * tables_counter_bytes(em->e)};
}

static const struct stride *strided(const struct emitter *em, uint32_t block)
{
	return stride_of(&em->e->plan->strides, block);
}

/* What the register that counts a loop begins with: where it overflows so many iterations have begun. */
static uint16_t loop_start(const struct emitter *em, uint32_t block)
{
	const struct stride *stride = strided(em, block);

	return stride ? (uint16_t)-stride->checked : 0;
}

/* An iteration of a loop that a register counts. */
static void plant_iteration(struct emitter *em, uint32_t block)
{
	static const enum sequence cold[2][2] = {
		{SEQ_COLD_LOOP, SEQ_COLD_LOOP_PIC},
		{SEQ_COLD_STRIDED, SEQ_COLD_STRIDED_PIC},
	};
	const struct stride *stride = strided(em, block);
	struct slots slots = loop_slots(em, block);
	char number[16];

	snprintf(number, sizeof number, "%u", block);
	slots.low = number;
	slots.y = stride ? stride->checked - 1u : 0;
	slots.n = em->number++;
	plant(em, stride ? SEQ_STRIDED_COUNT : SEQ_LOOP_COUNT, &slots);
	sequence_print(cold_branches(em, slots.s), cold[stride != NULL][em->e->pic], &slots);
	if (stride)
		plant(em, SEQ_STRIDED_STAY, &(struct slots){.n = block});
}

/* Bytes. Where fetches are simulated the linker has to align the section as it would without us: where it lies in
 * lines follows from that. */
static uint64_t loop_alignment(const struct emitter *em, uint32_t block)
{
	uint64_t align = em->unit->sections.at[em->flow->blocks.at[block].section].align;

	return em->e->level->simulate && align < LOOP_ALIGN ? align : LOOP_ALIGN;
}

static bool is_row(const struct asm_stmt *s)
{
	return s->kind == ASM_DIRECTIVE && asm_text_is(s->name, ".loc");
}

/* Natively the rows of the line table that belong to the instruction begin where it is come to, and there debuggers
 * stop each time. Those before the statement end come once more. Views number labels, which cannot be written
 * twice. */
static void repeat_rows(struct emitter *em, uint32_t end_stmt)
{
	const struct asm_stmt *stmts = em->unit->file->stmts;
	static const char view[] = " view ";
	uint32_t i = end_stmt;

	while (i && em->unit->stmt_insn[i - 1] == UINT32_MAX)
		i--;
	for (; i < end_stmt; i++) {
		const char *end;

		if (!is_row(&stmts[i]))
			continue;
		end = memmem(stmts[i].args.p, stmts[i].args.len, view, strlen(view));
		fprintf(em->out, "\t.loc\t%.*s\n",
			(int)(end ? end - stmts[i].args.p : (ptrdiff_t)stmts[i].args.len), stmts[i].args.p);
	}
}

/* Where control enters it. */
static void plant_loop_begin(struct emitter *em, uint32_t block)
{
	struct slots slots = loop_slots(em, block);

	plant_spares(em, block, em->e->plan->loops.parked[block], to_spare);
	slots.x = loop_start(em, block);
	if (slots.a != REG_NONE)
		plant(em, SEQ_LOOP_START, &slots);
	slots.x = loop_alignment(em, block);
	plant(em, SEQ_LOOP_BEGIN, &slots);
	repeat_rows(em, em->loop_place[block]);
}

/* Before which statement: labels that only debug information names, and rows of the line table, belong to each
 * iteration. */
static uint32_t place_of_loop(const struct emitter *em, uint32_t insn, const bool *arrival)
{
	uint32_t stmt = em->unit->insns.at[insn].stmt;
	const struct asm_stmt *stmts = em->unit->file->stmts;

	while (!em->aimed[insn] && stmt &&
	       (is_row(&stmts[stmt - 1]) || (stmts[stmt - 1].kind == ASM_LABEL && !arrival[stmt - 1])))
		stmt--;
	return stmt;
}

static void find_loop_places(struct emitter *em)
{
	const struct unit *u = em->unit;
	bool *arrival = xalloc(u->file->n, sizeof *arrival);

	for (size_t i = 0; i < u->labels.n; i++)
		if (u->labels.at[i].stmt != UINT32_MAX)
			arrival[u->labels.at[i].stmt] |= u->labels.at[i].arrival;
	em->loop_at = xalloc(u->file->n, sizeof *em->loop_at);
	memset(em->loop_at, 0xff, u->file->n * sizeof *em->loop_at);
	em->loop_place = xalloc(em->flow->blocks.n, sizeof *em->loop_place);
	for (uint32_t i = 0; i < em->flow->blocks.n; i++) {
		if (!loops_has(&em->e->plan->loops, i))
			continue;
		em->loop_place[i] = place_of_loop(em, em->flow->blocks.at[i].first, arrival);
		em->loop_at[em->loop_place[i]] = i;
	}
	free(arrival);
}

/* Whether the instruction is the branch at its end. */
static bool leads_into_loop(const struct emitter *em, uint32_t insn)
{
	uint32_t block = em->unit->insns.at[insn].block;
	const struct block_bb *b = &em->flow->blocks.at[block];

	return loops_has(&em->e->plan->loops, block) && insn == b->first + b->n - 1;
}

/* Executes a block: it is counted, and its lines of instructions are fetched. */
static void plant_block(struct emitter *em, const struct point *p)
{
	const struct insn *insn = &em->unit->insns.at[p->insn];
	FILE *cold;
	bool pic = em->e->pic;
	uint32_t counter = em->e->plan->counter[insn->block];
	struct slots slots = {.a = p->a, .b = p->b, .s = insn->section, .stub = "cacheprof_fetch",
			      .x = counter * tables_counter_bytes(em->e)};

	bool in_register = loop_counter(em, insn->block) != REG_NONE;

	if (in_register && !strided(em, insn->block))
		plant_iteration(em, insn->block);
	if (pic && (p->fetch || !in_register))
		plant(em, SEQ_HERE_PIC, &slots);
	if (p->tick_before)
		plant(em, SEQ_TICK, &slots);
	if (p->count && !in_register)
		plant(em, pic ? SEQ_COUNT_PIC : SEQ_COUNT, &slots);
	if (!p->fetch)
		return;
	if (!p->count || in_register)
		plant(em, pic ? SEQ_LOOK_PIC : SEQ_LOOK, &slots);
	slots.n = em->number++;
	plant(em, SEQ_FETCH, &slots);
	if (p->stamp)
		plant(em, pic ? SEQ_STAMP_PIC : SEQ_STAMP, &slots);
	if (p->tick_after)
		plant(em, SEQ_TICK, &slots);
	cold = plant_cold(em, p->insn, steps_in_frame(p), &slots);
	slots.x = counter * sizeof(struct block);
	sequence_print(cold, SEQ_COLD_BLOCK, &slots);
	slots.x = ((uint64_t)p->rsp_moved + pushed_before(em, p->insn)) / 8;
	sequence_print(cold, SEQ_COLD_MOVED, &slots);
}

static uint32_t got_of(const struct section_tables *t, const struct planned_ref *r)
{
	return t->got[r->site] - 1;
}

/* Whether the first of its references covers all of the cluster. */
static bool is_whole(const struct emitter *em, const struct cluster *c)
{
	const struct planned_ref *r = &em->e->planned->refs.at[c->first];

	return !c->got && !c->special && r->at.disp == c->low.disp && r->ref->size == c->span;
}

/* A check's place in its segment. */
struct in_segment {
	uint32_t ordered; /* the number of the segment's list, or 0 */
	uint32_t more;	  /* checks behind it */
};

/* The table of a check: the references of a cluster. */
static void write_check(struct emitter *em, const struct point *p, const struct cluster *c, const struct slots *slots,
			enum sequence misses, struct in_segment in)
{
	struct section_tables *t = tables_of(em, p->insn);
	FILE *out = aside_out(&t->checks);
	uint32_t s = em->unit->insns.at[p->insn].section;

	fprintf(out, ".Lcpk%u:\n\t.long\t.Lcpc%u-.", slots->n, s);
	if (in.ordered)
		fprintf(out, ",.Lcpo%u-.", in.ordered);
	else
		fputs(",0", out);
	fprintf(out, "\n\t.value\t%u\n\t.byte\t%u,%u\n", c->n, is_whole(em, c), in.more);
	sequence_print(out, misses, slots);
	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		const struct planned_ref *r = &em->e->planned->refs.at[i];
		struct address at = c->special ? r->at : framed(p, r->at);

		tables_reference(out, em->unit, r, &at, got_of(t, r));
	}
}

/* The list of a segment, number n; last: the number of its last check, at whose end it ends. */
static void write_ordered(struct emitter *em, const struct point *p, const struct segment *seg, uint32_t n,
			  uint32_t last)
{
	struct section_tables *t = tables_of(em, p->insn);
	FILE *out = aside_out(&t->checks);
	uint32_t s = em->unit->insns.at[p->insn].section;

	fprintf(out, ".Lcpo%u:\n\t.long\t.Lcpc%u-.,.Lcpr%u-.,%u\n", n, s, last,
		seg->n_refs);
	for (uint32_t i = seg->first_ref; i < seg->first_ref + seg->n_refs; i++) {
		const struct planned_ref *r = &em->e->planned->in_order.at[i];
		struct address at = framed(p, r->at);

		tables_reference(out, em->unit, r, &at, got_of(t, r));
	}
}

/* The routine for the point's registers; where vector registers are in use, one that leaves them alone. */
static void name_stub(const struct point *p, char *stub, size_t room)
{
	snprintf(stub, room, "cacheprof_%scheck_%s_%s", p->vectors_live ? "scalar_" : "", register_name(p->a) + 1,
		 register_name(p->b) + 1);
}

/* The address of byte offset of the cluster, its set, and the comparison. */
static void plant_comparison(struct emitter *em, const struct point *p, const struct cluster *c,
			     int64_t offset, struct slots *slots)
{
	static const enum sequence first[] = {SEQ_FIRST, SEQ_FIRST_FS, SEQ_GOT_WORDS};
	struct address low = framed(p, c->low);
	int kind = c->got ? 2 : low.segment ? 1 : 0;

	if (!c->got) {
		make_room(em, &low);
		address_print(em->low, &low, offset);
		slots->low = em->low;
	}
	plant(em, first[kind], slots);
	plant(em, SEQ_COMPARE, slots);
}

static void plant_cold_check(struct emitter *em, const struct point *p, const struct cluster *c,
			     const struct slots *slots, enum sequence misses, struct in_segment in)
{
	bool stepping = steps_in_frame(p);
	FILE *out = aside_out(&tables_of(em, p->insn)->cold[stepping ? COLD_CHECKS_STEP : COLD_CHECKS]);

	sequence_print(out, stepping ? SEQ_COLD_CHECK_STEPPING : SEQ_COLD_CHECK, slots);
	write_check(em, p, c, slots, misses, in);
}

/* One byte of a wide cluster, the lowest or the highest. Which reference misses, if the line is not
 * there, only its segment's list can tell. */
static void plant_byte(struct emitter *em, const struct point *p, const struct cluster *c, int64_t offset,
		       struct in_segment in)
{
	char stub[64];
	struct slots slots = {.a = p->a, .b = p->b, .n = em->number++, .stub = stub, .span = 1};

	name_stub(p, stub, sizeof stub);
	plant_comparison(em, p, c, offset, &slots);
	plant_cold_check(em, p, c, &slots, SEQ_NO_MISSES, in);
}

/* A GOT slot never straddles. */
static void plant_check(struct emitter *em, const struct point *p, const struct cluster *c, struct in_segment in)
{
	const struct planned_ref *r = &em->e->planned->refs.at[c->first];
	char stub[64];
	struct slots slots = {.a = p->a, .b = p->b, .n = em->number++, .stub = stub,
			      .s = em->unit->insns.at[p->insn].section, .span = c->got ? 1 : c->span};

	name_stub(p, stub, sizeof stub);
	if (c->got)
		slots.x = got_of(tables_of(em, p->insn), r) * sizeof(struct got_words);
	plant_comparison(em, p, c, 0, &slots);
	slots.x = r->site * sizeof(struct misses);
	plant_cold_check(em, p, c, &slots, SEQ_MISSES, in);
}

/* Whether the instruction demands it: vmovaps, vmovdqa64, vmovntpd and the like. */
static bool is_aligned(const struct emitter *em, uint32_t insn)
{
	static const char *const demanding[] = {"vmova", "vmovdqa", "vmovnt"};
	uint32_t stmt = em->unit->insns.at[insn].text_stmt;
	struct asm_text name = stmt == UINT32_MAX ? (struct asm_text){0} : em->unit->file->stmts[stmt].name;

	for (size_t i = 0; i < sizeof demanding / sizeof *demanding; i++)
		if (name.len > strlen(demanding[i]) && !strncasecmp(name.p, demanding[i], strlen(demanding[i])))
			return true;
	return false;
}

/* A reference as long as a line, which mostly has two of them. */
static bool is_long(const struct emitter *em, const struct cluster *c)
{
	return c->span == FILTER_LINE && is_whole(em, c) && !is_aligned(em, em->e->planned->refs.at[c->first].insn);
}

/* First its first byte's line, and both where that is not at the front, then the last byte's. Where such references
 * go through memory the first is there. */
static void plant_long(struct emitter *em, const struct point *p, const struct cluster *c, struct in_segment last)
{
	static const enum sequence misses[2] = {SEQ_MISSES, SEQ_MISSES_OF_TWO};
	const struct planned_ref *r = &em->e->planned->refs.at[c->first];
	char stub[64];

	name_stub(p, stub, sizeof stub);
	for (uint32_t i = 0; i < 2; i++) {
		struct slots slots = {.a = p->a, .b = p->b, .n = em->number++, .stub = stub, .span = 1,
				      .s = em->unit->insns.at[p->insn].section};

		plant_comparison(em, p, c, i ? (int64_t)c->span - 1 : 0, &slots);
		slots.x = r->site * sizeof(struct misses);
		slots.span = i ? 1 : c->span;
		plant_cold_check(em, p, c, &slots, misses[i], (struct in_segment){last.ordered, last.more + 1 - i});
	}
}

static bool is_vector(const struct ref *r)
{
	return r->form == REF_MASKED || r->form == REF_LANES || r->form == REF_GATHER;
}

/* 1 + the branch's number in its section, or 0. */
static uint32_t branch_of(const struct emitter *em, uint32_t i)
{
	return em->e->predicted->number ? em->e->predicted->number[i] : 0;
}

/* Numbers the references of an instruction that are more than an address. */
static void number_references(struct emitter *em, uint32_t i)
{
	const struct insn *insn = &em->unit->insns.at[i];
	struct section_tables *t = &em->tables[insn->section];
	uint32_t site = em->e->planned->first_site[i];

	for (uint32_t r = 0; r < insn->n_refs; r++) {
		if (ref_is_dynamic(&insn->refs[r]))
			t->dynamic[site + r] = ++t->n_dynamics;
		if (insn->refs[r].form == REF_GOT || is_tls_call(insn)) {
			VEC_PUSH(&t->gots, i);
			t->got[site + r] = (uint32_t)t->gots.n;
		}
	}
	if (insn->rep)
		t->dynamic[site + insn->n_refs] = ++t->n_dynamics;
	if (insn->rep && branch_of(em, i))
		t->branch_dynamic[branch_of(em, i) - 1] = t->n_dynamics++;
}

/* Jumps out to a routine at every execution; table: what stands in its table's place. Returns the table's number. */
static uint32_t plant_always(struct emitter *em, uint32_t insn, const char *stub, enum sequence table)
{
	struct slots slots = {.n = em->number++, .stub = stub};

	plant(em, SEQ_ALWAYS, &slots);
	sequence_print(plant_cold(em, insn, steps(em, insn), &slots), table, &slots);
	return slots.n;
}

static void plant_special(struct emitter *em, const struct point *p, const struct cluster *c)
{
	struct slots slots = {0};
	bool vector = false;

	for (uint32_t i = c->first; i < c->first + c->n; i++)
		vector |= is_vector(em->e->planned->refs.at[i].ref);
	slots.n = plant_always(em, p->insn, vector ? "cacheprof_special_vector" : "cacheprof_special", SEQ_COLD_TABLE);
	write_check(em, p, c, &slots, SEQ_NO_MISSES, (struct in_segment){0});
}

/* A comment ends with its line, whatever is in a name. */
static void print_in_line(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(*name == '\n' ? '?' : *name, out);
}

static void comment(struct emitter *em, const struct point *p, const char *what)
{
	const struct centre *c = &em->unit->centres.at[em->unit->insns.at[p->insn].centre];

	if (!em->e->comments)
		return;
	fprintf(em->out, "\t# cacheprof: %s ", what);
	print_in_line(em->out, em->unit->files.at[c->file]);
	fprintf(em->out, ":%u ", c->line);
	print_in_line(em->out, em->unit->functions.at[c->function]);
	fputc('\n', em->out);
}

static bool is_special_segment(const struct emitter *em, const struct segment *seg)
{
	return em->e->planned->clusters.at[seg->first].special;
}

static uint32_t n_checks(const struct emitter *em, const struct segment *seg)
{
	uint32_t n = 0;

	for (uint32_t c = seg->first; c < seg->first + seg->n; c++)
		n += em->e->planned->clusters.at[c].wide || is_long(em, &em->e->planned->clusters.at[c]) ? 2 : 1;
	return n;
}

static void plant_segment(struct emitter *em, const struct point *p, const struct segment *seg)
{
	bool wide = em->e->planned->clusters.at[seg->first].wide; /* with several, n > 1 anyway */
	uint32_t ordered = seg->n > 1 || wide ? em->number++ : 0;
	uint32_t left = n_checks(em, seg);

	for (uint32_t c = seg->first; c < seg->first + seg->n; c++) {
		const struct cluster *cl = &em->e->planned->clusters.at[c];
		struct point of = *p;

		of.insn = em->e->planned->refs.at[cl->first].insn;
		comment(em, &of, "check");
		if (cl->wide) {
			plant_byte(em, p, cl, 0, (struct in_segment){ordered, --left});
			plant_byte(em, p, cl, (int64_t)cl->span - 1, (struct in_segment){ordered, --left});
		} else if (is_long(em, cl)) {
			plant_long(em, p, cl, (struct in_segment){ordered, left -= 2});
		} else {
			plant_check(em, p, cl, (struct in_segment){ordered, --left});
		}
	}
	if (ordered)
		write_ordered(em, p, seg, ordered, em->number - 1);
}

/* Segments up to the next special one, which stands outside the frame since it wants the registers
 * as they are. Returns the number of the segment it stopped at. */
static uint32_t plant_run(struct emitter *em, const struct point *p, uint32_t i)
{
	const struct planned *planned = em->e->planned;
	uint32_t end = p->segment + p->n_segments;

	for (; i < end && !is_special_segment(em, &planned->segments.at[i]); i++)
		plant_segment(em, p, &planned->segments.at[i]);
	return i;
}

/* A TLS call's operand cannot be copied, and its references are not simulated. */
static uint32_t n_shown(const struct insn *insn)
{
	return is_tls_call(insn) ? 0 : insn->n_refs;
}

static void show_references(struct emitter *em, uint32_t i)
{
	const struct insn *insn = &em->unit->insns.at[i];

	for (uint32_t r = 0; r < n_shown(insn); r++) {
		struct planned_ref pr = {.insn = i, .ref = &insn->refs[r], .at = address_of(&insn->refs[r]),
					 .site = em->e->planned->first_site[i] + r};
		struct section_tables *t = tables_of(em, i);

		tables_reference(aside_out(&t->checks), em->unit, &pr, &pr.at, got_of(t, &pr));
	}
}

/* The first of the instructions that are shown at i: those at the block's beginning before which nothing
 * can be planted have no other place. */
static uint32_t first_shown(const struct emitter *em, const struct block_bb *b, uint32_t i)
{
	for (uint32_t k = i; k > b->first; k--)
		if (plantable(em->unit, k - 1))
			return i;
	return b->first;
}

/* The branch of the instruction that the point is before, if it is predicted there. */
static uint32_t shown_branch(const struct emitter *em, uint32_t at)
{
	return branch_of(em, at) && em->e->predicted->prediction[at] ? branch_of(em, at) : 0;
}

static void plant_shown(struct emitter *em, uint32_t at)
{
	struct section_tables *t = tables_of(em, at);
	const struct insn *insn = &em->unit->insns.at[at];
	const struct block_bb *b = &em->flow->blocks.at[insn->block];
	uint32_t n = plant_always(em, at, "cacheprof_show", SEQ_COLD_TABLE), end = at + 1, refs = 0;
	uint32_t i = first_shown(em, b, at), before = 0;

	while (end < b->first + b->n && !plantable(em->unit, end))
		end++;
	for (uint32_t k = i; k < end; k++)
		refs += n_shown(&em->unit->insns.at[k]);
	for (uint32_t k = i; k < at; k++)
		before += n_shown(&em->unit->insns.at[k]);
	fprintf(aside_out(&t->checks), ".Lcpk%u:\n\t.long\t.Lcpc%u-.,%u,%u,%u,%u,%u,%u\n", n, insn->section,
		i - b->first, em->e->plan->counter[insn->block], end - i, shown_branch(em, at), before,
		refs);
	for (uint32_t k = i; k < end; k++)
		show_references(em, k);
}

/* Behind everything that the block, which ends with it, has counted. */
static void plant_request(struct emitter *em, uint32_t insn)
{
	plant_always(em, insn, "cacheprof_request", SEQ_COLD_NO_TABLE);
}

/* COPY_ of the instruction, or 0. */
static uint8_t copied_at(const struct emitter *em, uint32_t insn)
{
	return copies_copy(em->e->copies, insn) ? em->e->copies->at[insn] : 0;
}

static void plant_look_off(struct emitter *em, uint32_t insn)
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

static void print_place(FILE *out, enum sequence seq, uint32_t insn)
{
	sequence_print(out, seq, &(struct slots){.n = insn});
}

static bool enters_before_look(const struct emitter *em, const struct point *p)
{
	return p->enter && copied_at(em, p->insn) & COPY_LOOK_OFF && copies_copy(em->e->copies, p->insn)->of_known;
}

/* Of a function that has a copy, before all else that is planted at an instruction. */
static void plant_looks(struct emitter *em, uint32_t insn)
{
	const struct point *p = em->point_of[insn] == NO_POINT ? NULL : &em->e->plan->points.at[em->point_of[insn]];
	uint8_t at = copied_at(em, insn);

	if (at & COPY_LOOK_OFF) {
		if (p && enters_before_look(em, p)) {
			open_frame(em, p);
			plant_enter(em, p);
			close_frame(em, p);
		}
		plant_look_off(em, insn);
	}
	if (at & COPY_COMES)
		print_place(em->out, SEQ_PLACE_ON, insn);
}

static void plant_point(struct emitter *em, const struct point *p)
{
	uint32_t i = p->segment, end = p->segment + p->n_segments;
	const struct planned *planned = em->e->planned;
	bool enter = p->enter && !enters_before_look(em, p);

	if (enter || p->count || p->fetch || (i < end && !is_special_segment(em, &planned->segments.at[i]))) {
		/* It may go on elsewhere: not from within a frame. */
		if (p->count && strided(em, em->unit->insns.at[p->insn].block))
			plant_iteration(em, em->unit->insns.at[p->insn].block);
		open_frame(em, p);
		if (enter)
			plant_enter(em, p);
		if (p->count || p->fetch) {
			comment(em, p, "block");
			plant_block(em, p);
		}
		i = plant_run(em, p, i);
		close_frame(em, p);
	}
	while (i < end) {
		const struct segment *seg = &planned->segments.at[i++];

		comment(em, p, "special");
		plant_special(em, p, &planned->clusters.at[seg->first]);
		if (i < end && !is_special_segment(em, &planned->segments.at[i])) {
			open_frame(em, p);
			i = plant_run(em, p, i);
			close_frame(em, p);
		}
	}
}

static void plant_points(struct emitter *em, uint32_t insn)
{
	const struct plan *plan = em->e->plan;
	uint32_t p = em->point_of[insn];

	if (p == NO_POINT)
		return;
	for (; p < plan->points.n && plan->points.at[p].insn == insn; p++)
		plant_point(em, &plan->points.at[p]);
	if (em->e->level->show)
		plant_shown(em, insn);
	if (em->unit->insns.at[insn].request)
		plant_request(em, insn);
}

static void begin_section(struct emitter *em, uint32_t i)
{
	const struct insn *insn = &em->unit->insns.at[i];

	if (em->begun[insn->section])
		return;
	em->begun[insn->section] = true;
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

static const struct prediction *prediction_of(const struct emitter *em, uint32_t insn)
{
	const struct predicted *p = em->e->predicted;

	return p->number && p->prediction[insn] ? &p->predictions.at[p->prediction[insn] - 1] : NULL;
}

static struct slots prediction_slots(struct emitter *em, const struct point *p)
{
	return (struct slots){.a = p->a, .b = p->b == REG_NONE ? p->a : p->b, .n = em->number++,
			      .s = em->unit->insns.at[p->insn].section, .x = branch_of(em, p->insn) - 1};
}

/* Where the history is thought to be before the branch, or REG_NONE. */
static uint8_t history_from(const struct emitter *em, uint32_t insn)
{
	return em->e->plan->history.from[em->unit->insns.at[insn].block];
}

static uint8_t history_to(const struct emitter *em, const struct point *p)
{
	uint8_t to = em->e->plan->history.to[em->unit->insns.at[p->insn].block];

	return to == REG_NONE ? p->a : to;
}

static void plant_prediction(struct emitter *em, const struct prediction *p)
{
	static const enum sequence sequences[2][2] = {
		{SEQ_PREDICT, SEQ_PREDICT_PIC},
		{SEQ_PREDICT_BY, SEQ_PREDICT_BY_PIC},
	};
	struct slots slots = prediction_slots(em, &p->before);

	comment(em, &p->before, "branch");
	open_frame(em, &p->before);
	slots.c = history_from(em, p->insn);
	plant(em, sequences[slots.c != REG_NONE][em->e->pic], &slots);
}

/* Before a loop. */
static void plant_history(struct emitter *em, uint32_t insn)
{
	uint32_t block = em->unit->insns.at[insn].block;
	uint8_t to = em->e->plan->history.to[block];

	if (to != REG_NONE && insn == history_place(em->flow, block) && !prediction_of(em, insn))
		plant(em, em->e->pic ? SEQ_HISTORY_PIC : SEQ_HISTORY, &(struct slots){.a = to, .b = to});
}

static void plant_same_history(struct emitter *em, const struct point *p)
{
	struct slots slots = prediction_slots(em, p);

	slots.c = history_from(em, p->insn);
	if (slots.c == REG_NONE)
		return;
	plant(em, em->e->pic ? SEQ_SAME_HISTORY_PIC : SEQ_SAME_HISTORY, &slots);
	sequence_print(cold_branches(em, slots.s), em->e->pic ? SEQ_COLD_HISTORY_PIC : SEQ_COLD_HISTORY, &slots);
}

static void plant_direction(struct emitter *em, const struct prediction *p, bool taken)
{
	struct slots slots = prediction_slots(em, &p->before);
	const struct point *way = taken ? &p->taken : &p->passed;
	static const enum sequence sequences[2][2][2] = {
		{{SEQ_PASSED, SEQ_COLD_PASSED}, {SEQ_PASSED_PIC, SEQ_COLD_PASSED_PIC}},
		{{SEQ_TAKEN, SEQ_COLD_TAKEN}, {SEQ_TAKEN_PIC, SEQ_COLD_TAKEN_PIC}},
	};

	slots.c = history_to(em, &p->before);
	open_frame(em, way);
	plant_same_history(em, &p->before);
	plant(em, sequences[taken][em->e->pic][0], &slots);
	close_frame(em, way);
	close_frame(em, &p->before);
	sequence_print(cold_branches(em, slots.s), sequences[taken][em->e->pic][1], &slots);
}

/* The target of an indirect branch as an operand of the planted code, which loads it if it must. */
static const char *target_operand(struct emitter *em, const struct point *p, const struct insn *i)
{
	struct address a = address_of(&i->refs[0]);
	char *at;

	if (i->target_register == RAX && p->rax_kept != REG_NONE)
		return register_name(p->rax_kept);
	if (i->target_register != REG_NONE)
		return register_name(i->target_register);
	a = framed(p, a);
	make_room(em, &a);
	at = em->low;
	if (a.segment)
		at += sprintf(at, "%%%cs:", a.segment);
	address_print(at, &a, 0);
	plant(em, SEQ_LOAD_TARGET, &(struct slots){.a = p->a, .low = em->low});
	return register_name(p->a);
}

static void plant_target(struct emitter *em, const struct point *p)
{
	struct slots slots = prediction_slots(em, p);

	comment(em, p, "target");
	open_frame(em, p);
	slots.low = target_operand(em, p, &em->unit->insns.at[p->insn]);
	plant(em, em->e->pic ? SEQ_TARGET_PIC : SEQ_TARGET, &slots);
	close_frame(em, p);
	sequence_print(cold_branches(em, slots.s), em->e->pic ? SEQ_COLD_TARGET_PIC : SEQ_COLD_TARGET, &slots);
}

/* jcc by the lowest four bits of its opcode. */
static const char *const conditional_jumps[] = {"jo", "jno", "jb", "jae", "je", "jne", "jbe", "ja",
						"js", "jns", "jp", "jnp", "jl", "jge", "jle", "jg"};

/* The target of a branch, as it is to be written. */
static char *target_text(const struct emitter *em, uint32_t insn, const struct asm_operand *o)
{
	const struct insn *i = &em->unit->insns.at[insn];

	if (leads_into_loop(em, insn))
		return xasprintf(em->strided ? ".Lcpq%u" : ".Lcpl%u", i->block);
	if (i->by_distance)
		return xasprintf(".Lcpj%u", insn_at(em->unit, i->section, i->target));
	return o->disp.len ? xasprintf("%.*s", (int)o->disp.len, o->disp.p) : xasprintf("%.*s", (int)o->text.len, o->text.p);
}

/* The statement with something else in place of a piece of it. */
static void print_instead(struct emitter *em, const struct asm_stmt *s, struct asm_text was, const char *text)
{
	syntax_open(s, em->out);
	fwrite(s->text.p, 1, (size_t)(was.p - s->text.p), em->out);
	fputs(text, em->out);
	fwrite(was.p + was.len, 1, (size_t)(s->text.p + s->text.len - was.p) - was.len, em->out);
	syntax_close(s, em->out);
}

static void print_as_it_is(struct emitter *em, const struct asm_stmt *s)
{
	if (syntax_changes(s))
		return;
	syntax_open(s, em->out);
	fwrite(s->text.p, 1, s->text.len, em->out);
	syntax_close(s, em->out);
}

static void print_with_target(struct emitter *em, uint32_t insn, const struct asm_stmt *s)
{
	char *target = target_text(em, insn, &s->operands[0]);

	print_instead(em, s, s->operands[0].text, target);
	free(target);
}

/* A lea of what is so many bytes from somewhere. */
static void print_with_address(struct emitter *em, uint32_t to, const struct asm_stmt *s)
{
	const struct asm_operand *o = &s->operands[0];
	char *label = xasprintf(".Lcpj%u", to);

	if (s->syntax.p && !(o->disp.p >= s->text.p && o->disp.p < s->text.p + s->text.len))
		die_at(asm_place(em->unit->file, (size_t)(s - em->unit->file->stmts)), NULL, 0,
		       "this address is so many bytes from its own instruction; give it a label");
	print_instead(em, s, o->disp.p ? o->disp : (struct asm_text){o->text.p, 0}, label);
	free(label);
}

/* A conditional branch, written so that there is a place on each way out of it. */
static void print_branch(struct emitter *em, uint32_t i, const struct asm_stmt *s)
{
	const struct insn *insn = &em->unit->insns.at[i];
	const struct prediction *prediction = prediction_of(em, i);
	const struct asm_operand *o = &s->operands[0];
	char *name = xasprintf("%.*s", (int)s->name.len, s->name.p);
	char *target = target_text(em, i, o);
	struct slots slots = {.n = em->number++, .low = name, .high = target};

	if (prediction)
		plant_prediction(em, prediction);
	if (insn->branch == BRANCH_COND)
		slots.low = conditional_jumps[insn->condition ^ 1];
	plant(em, insn->branch == BRANCH_SHORT ? SEQ_BRANCH_SHORT : SEQ_BRANCH, &slots);
	if (prediction)
		plant_direction(em, prediction, true);
	plant(em, SEQ_BRANCH_TAKEN, &slots);
	if (prediction) {
		/* Here the frame that was closed above is still open. */
		if (prediction->before.rsp_moved && cfi_on_rsp(&em->cfi))
			plant(em, SEQ_CFA_FARTHER, &(struct slots){.x = prediction->before.rsp_moved});
		plant_direction(em, prediction, false);
	}
	free(name);
	free(target);
}

static bool is_conditional(const struct insn *i)
{
	return i->branch == BRANCH_COND || i->branch == BRANCH_SHORT;
}

static bool is_predicted_before(const struct emitter *em, uint32_t insn)
{
	return prediction_of(em, insn) && !is_conditional(&em->unit->insns.at[insn]);
}

static bool is_rewritten(const struct emitter *em, uint32_t insn, const struct asm_stmt *s)
{
	const struct insn *i = &em->unit->insns.at[insn];

	return (i->branch == BRANCH_SHORT && s->n_operands == 1 && !i->glued) ||
	       (is_conditional(i) && prediction_of(em, insn));
}

static void plant_before(struct emitter *em, uint32_t insn)
{
	plant_looks(em, insn);
	plant_points(em, insn);
	plant_history(em, insn);
	if (is_predicted_before(em, insn))
		plant_target(em, &prediction_of(em, insn)->before);
}

/* The table of a strided loop, by the numbers of the two pieces that come to it. */
static void write_strided(struct emitter *em, const struct stride *stride, uint32_t on, uint32_t left)
{
	const struct strides *strides = &em->e->plan->strides;
	const struct block_bb *b = &em->flow->blocks.at[stride->block];
	FILE *out = aside_out(&em->tables[b->section].checks);

	fprintf(out, ".Lcpk%u:\n.Lcpk%u:\n.Lcpqt%u:\n\t.long\t.Lcpc%u-.,%u\n\t.byte\t%u,0,%u,%u\n", on, left,
		stride->block, b->section, em->e->plan->counter[stride->block], loop_counter(em, stride->block),
		stride->n_refs, stride->n_inductions);
	fprintf(out, "\t.long\t.Lcpb%u-.,.Lcpqn%u-.\n", on, stride->block);
	for (uint32_t i = stride->first_ref; i < stride->first_ref + stride->n_refs; i++) {
		const struct strided_ref *r = &strides->refs.at[i];

		tables_reference(out, em->unit, &r->planned, &r->planned.at, 0);
		fprintf(out, "\t.long\t%lld\n\t.byte\t%u,%u,%u,0\n", (long long)r->step, r->by, r->times, r->twin);
	}
	fprintf(out, ".Lcpqn%u:\n", stride->block);
	for (uint32_t i = stride->first_induction; i < stride->first_induction + stride->n_inductions; i++) {
		const struct induction *change = &strides->inductions.at[i];

		fprintf(out, "\t.long\t.Lcpqi%u-.,%d\n\t.value\t%u,%u\n", change->insn, change->step, change->reg,
			change->by);
	}
}

/* Where an iteration of the second text begins. Returns the number of what comes to the runtime. */
static uint32_t plant_strided_iteration(struct emitter *em, const struct stride *stride)
{
	uint32_t first = em->flow->blocks.at[stride->block].first;
	struct slots slots = loop_slots(em, stride->block);

	slots.n = em->number++;
	slots.stub = "cacheprof_strided_on";
	plant(em, SEQ_STRIDED_COUNT, &slots);
	sequence_print(plant_cold(em, first, steps(em, first), &slots), SEQ_COLD_TABLE, &slots);
	plant(em, SEQ_STRIDED_ITERATION, &(struct slots){.n = stride->block});
	return slots.n;
}

static bool is_changed_by(const struct emitter *em, const struct stride *stride, uint32_t insn)
{
	for (uint32_t i = stride->first_induction; i < stride->first_induction + stride->n_inductions; i++)
		if (em->e->plan->strides.inductions.at[i].insn == insn)
			return true;
	return false;
}

/* An instruction of the loop once more. Rows of the line table are in the first text only, as are the labels that tell
 * where what was inlined begins and ends: to debuggers the second one is all of the line at the first one's end. */
static void print_strided(struct emitter *em, const struct stride *stride, uint32_t i)
{
	const struct asm_stmt *s = &em->unit->file->stmts[i];
	uint32_t insn = em->unit->stmt_insn[i];

	if (s->kind != ASM_INSN)
		return;
	if (em->e->level->show)
		plant_shown(em, insn);
	plant_history(em, insn);
	if (is_rewritten(em, insn, s))
		print_branch(em, insn, s);
	else if (leads_into_loop(em, insn))
		print_with_target(em, insn, s);
	else
		print_as_it_is(em, s);
	if (is_changed_by(em, stride, insn))
		fprintf(em->out, ".Lcpqi%u:\n", insn);
}

static void plant_strided(struct emitter *em, const struct stride *stride)
{
	const struct block_bb *b = &em->flow->blocks.at[stride->block];
	const struct insn *insns = em->unit->insns.at;
	struct slots slots = loop_slots(em, stride->block), start = slots;
	uint32_t on, left;

	start.x = loop_start(em, stride->block);
	start.y = stride->rows;
	plant(em, SEQ_STRIDED_LEFT, &start);
	start.y = loop_alignment(em, stride->block);
	if (em->e->pic)
		plant(em, SEQ_HERE_PIC, &slots);
	plant(em, em->e->pic ? SEQ_LOOK_PIC : SEQ_LOOK, &slots);
	plant(em, SEQ_STRIDED_BEGIN, &start);
	em->strided = true;
	on = plant_strided_iteration(em, stride);
	for (uint32_t i = insns[b->first].stmt; i <= insns[b->first + b->n - 1].stmt; i++)
		print_strided(em, stride, i);
	left = plant_always(em, b->first, "cacheprof_strided", SEQ_COLD_TABLE);
	em->strided = false;
	write_strided(em, stride, on, left);
}

/* Where control leaves a loop: behind its branch. */
static void plant_loop_end(struct emitter *em, uint32_t insn)
{
	uint32_t block = em->unit->insns.at[insn].block;
	const struct stride *stride = strided(em, block);
	struct slots slots = loop_slots(em, block);

	if (stride)
		plant(em, SEQ_STRIDED_COUNTED, &(struct slots){.a = slots.a, .n = block, .x = loop_start(em, block)});
	if (slots.a != REG_NONE)
		plant(em, em->e->pic ? SEQ_LOOP_COUNTED_PIC : SEQ_LOOP_COUNTED, &slots);
	if (stride)
		plant_strided(em, stride);
	plant(em, SEQ_LOOP_END, &slots);
	plant_spares(em, block, em->e->plan->loops.parked[block], from_spare);
}

static void print_instrumented(struct emitter *em, uint32_t i)
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
	if (insn != UINT32_MAX) {
		begin_section(em, insn);
		if (em->unit->insns.at[insn].alias)
			alias_print(em->out, em->unit, &em->unit->insns.at[insn]);
		if (em->aimed[insn])
			fprintf(em->out, ".Lcpj%u:\n", insn);
		if (em->loop_at[i] != NO_BLOCK)
			plant_loop_begin(em, em->loop_at[i]);
		if (!em->unit->insns.at[insn].anchor)
			plant_before(em, insn);
		if (has_got(&em->unit->insns.at[insn]))
			fprintf(em->out, ".Lcph%u:\n", insn);
		if (is_rewritten(em, insn, s)) {
			print_branch(em, insn, s);
			if (leads_into_loop(em, insn)) {
				fputc('\n', em->out);
				plant_loop_end(em, insn);
			}
			return;
		}
		if (leads_into_loop(em, insn)) {
			print_with_target(em, insn, s);
			fputc('\n', em->out);
			plant_loop_end(em, insn);
			return;
		}
		if (em->unit->insns.at[insn].by_distance) {
			print_with_target(em, insn, s);
			return;
		}
		if (insn_addresses_label(em->unit, &em->unit->insns.at[insn])) {
			print_with_address(em, insn_addressed(em->unit, &em->unit->insns.at[insn]), s);
			return;
		}
	}
	print_as_it_is(em, s);
	if (insn != UINT32_MAX && copied_at(em, insn) & COPY_LOOK_OFF_BEHIND)
		plant_look_off(em, insn);
}

/* What the copy has before an instruction. */
static void print_copy_looks(struct emitter *em, uint32_t insn, FILE *out)
{
	uint8_t at = copied_at(em, insn);

	if (at & COPY_LOOK_ON)
		print_going_on(em, out, SEQ_LOOK_ON, insn, insn);
	if (at & COPY_LOOK_OFF)
		print_place(out, SEQ_PLACE_OFF, insn);
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
	print_place(out, SEQ_PLACE_OFF, em->copied);
	em->requesting = false;
}

static void print_copy(struct emitter *em, uint32_t i, const struct copied_piece *piece)
{
	struct section_tables *t = &em->tables[piece->section];
	FILE *out = aside_out(piece->table ? &t->copied_tables : &t->copies);
	uint32_t insn = em->unit->stmt_insn[i];

	if (i == piece->first && piece->table)
		fprintf(out, "\t.section\t%.*s\n", (int)piece->directive.len, piece->directive.p);
	else if (i == piece->first)
		sequence_print(out, SEQ_COPY_BEGIN, NULL);
	if (insn != UINT32_MAX) {
		em->copied = insn;
		print_copy_looks(em, insn, out);
	}
	if (!em->requesting || em->unit->file->stmts[i].kind != ASM_INSN)
		copies_print(em->e->copies, i, out);
	if (!piece->table)
		print_copy_looks_behind(em, i, out);
}

static void print_statement(struct emitter *em, uint32_t i)
{
	const struct copied_piece *piece = copies_piece(em->e->copies, i);

	print_instrumented(em, i);
	if (piece)
		print_copy(em, i, piece);
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
		fwrite(cold->text, 1, cold->size, em->out);
		plant(em, cold_frames[k].end, &slots);
	}
}

static void print_copies(struct emitter *em, const struct text_section *section, const struct section_tables *t)
{
	if (!t->copies.size)
		return;
	tables_section(em->out, section, "cacheprof_plain", "ax", "progbits");
	fwrite(t->copies.text, 1, t->copies.size, em->out);
	fwrite(t->copied_tables.text, 1, t->copied_tables.size, em->out);
}

static void print_tails(struct emitter *em)
{
	uint32_t *centres = tables_centres(em->unit);

	for (uint32_t s = 0; s < em->unit->sections.n; s++) {
		struct section_tables *t = &em->tables[s];
		const struct text_section *section = &em->unit->sections.at[s];

		for (enum cold_kind k = 0; k < N_COLD_KINDS; k++)
			aside_close(&t->cold[k]);
		aside_close(&t->checks);
		aside_close(&t->copies);
		aside_close(&t->copied_tables);
		if (em->begun[s]) {
			fprintf(em->out, "\t.section\t%.*s\n.Lcpz%u:\n", (int)section->directive.len,
				section->directive.p, s);
			tables_section(em->out, section, "cacheprof_cold", "ax", "progbits");
			print_cold(em, s);
			if (t->checks_in_code)
				fwrite(t->checks.text, 1, t->checks.size, em->out);
			print_copies(em, section, t);
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

/* A branch by distance must lead to where a statement begins. */
static void find_aimed(struct emitter *em)
{
	const struct unit *u = em->unit;

	em->aimed = xalloc(u->insns.n, sizeof *em->aimed);
	for (uint32_t i = 0; i < u->insns.n; i++) {
		const struct insn *from = &u->insns.at[i];
		uint32_t to;

		if (insn_addresses_label(u, from))
			em->aimed[insn_addressed(u, from)] = true;
		if (!from->by_distance)
			continue;
		to = insn_at(u, from->section, from->target);
		if (to == UINT32_MAX || u->stmt_insn[u->insns.at[to].stmt] != to)
			die_at(asm_place(u->file, from->stmt), NULL, 0,
			       "this branch leads into the midst of something; give its target a label");
		em->aimed[to] = true;
	}
}

/* Inline assembly may be for other processors, and the code around it know when to go there. */
static void find_vex(struct emitter *em)
{
	const struct flow *flow = em->flow;

	em->vex = xalloc(flow->functions.n, sizeof *em->vex);
	for (size_t i = 0; i < em->unit->insns.n; i++) {
		const struct insn *insn = &em->unit->insns.at[i];
		uint32_t f = flow->blocks.at[insn->block].function;

		if (f != NO_FUNCTION && insn->uses_vex && !em->unit->file->stmts[insn->stmt].in_asm)
			em->vex[flow->functions.at[f].whole] = true;
	}
}

/* Where a check's table has x@dtpoff, as local-dynamic thread-local variables do, it stays in code: the linker
 * takes that for another number in data. */
static void find_dtpoff(struct emitter *em)
{
	for (size_t i = 0; i < em->unit->insns.n; i++) {
		const struct insn *insn = &em->unit->insns.at[i];

		for (uint32_t r = 0; r < insn->n_refs; r++)
			if (expression_has_suffix(insn->refs[r].symbol, "@dtpoff"))
				em->tables[insn->section].checks_in_code = true;
	}
}

static void find_anchored(struct emitter *em)
{
	em->anchored = xalloc(em->unit->file->n, sizeof *em->anchored);
	memset(em->anchored, 0xff, em->unit->file->n * sizeof *em->anchored);
	for (uint32_t i = 0; i < em->unit->insns.n; i++)
		if (em->unit->insns.at[i].anchor)
			em->anchored[em->unit->insns.at[i].anchor - 1] = i;
}

static void prepare(struct emitter *em)
{
	const struct plan *plan = em->e->plan;

	em->point_of = xalloc(em->unit->insns.n, sizeof *em->point_of);
	memset(em->point_of, 0xff, em->unit->insns.n * sizeof *em->point_of);
	for (uint32_t i = (uint32_t)plan->points.n; i-- > 0;)
		em->point_of[plan->points.at[i].insn] = i;
	find_aimed(em);
	find_anchored(em);
	find_loop_places(em);
	find_vex(em);
	em->tables = xalloc(em->unit->sections.n, sizeof *em->tables);
	em->begun = xalloc(em->unit->sections.n, sizeof *em->begun);
	for (uint32_t s = 0; s < em->unit->sections.n; s++) {
		struct section_tables *t = &em->tables[s];

		t->dynamic = xalloc(em->e->planned->n_sites[s], sizeof *t->dynamic);
		t->got = xalloc(em->e->planned->n_sites[s], sizeof *t->got);
		if (em->e->predicted->number)
			t->branch_dynamic = xalloc(em->e->predicted->n_branches[s],
						   sizeof *t->branch_dynamic);
	}
	for (uint32_t i = 0; i < em->unit->insns.n; i++)
		number_references(em, i);
	find_dtpoff(em);
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
	free(em.vex);
	free(em.tables);
	free(em.begun);
	free(em.low);
	free(em.high);
	return !ferror(out);
}
