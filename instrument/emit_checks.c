/* Checks: a cluster (groups.h) has one, or two where it is often in two lines. The hot half asks whether that line is
 * the most recently used one of its set. The cold half goes to the routine for the registers that the hot one used,
 * which finds by the check's table which references these are and where their misses are counted. Once the check of
 * one of several clusters fails the order of their references matters, so their segment has a list of them all, too.
 *
 * What cannot be checked so (enum ref_form) jumps to the runtime each time. */
#include "instrument/emit_checks.h"

#include <string.h>
#include <strings.h>

#include "include/site.h"
#include "instrument/emit_branches.h"
#include "instrument/emit_frames.h"
#include "instrument/expression.h"

static void number_references_of(struct emitter *em, uint32_t i)
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

void number_references(struct emitter *em)
{
	for (uint32_t i = 0; i < em->unit->insns.n; i++)
		number_references_of(em, i);
}

void find_dtpoff(struct emitter *em)
{
	for (size_t i = 0; i < em->unit->insns.n; i++) {
		const struct insn *insn = &em->unit->insns.at[i];

		for (uint32_t r = 0; r < insn->n_refs; r++)
			if (expression_has_suffix(insn->refs[r].symbol, "@dtpoff"))
				em->tables[insn->section].checks_in_code = true;
	}
}

uint32_t got_of(const struct section_tables *t, const struct planned_ref *r)
{
	return t->got[r->site] - 1;
}

/* Whether the first of its references covers all of the cluster. */
static bool is_whole(const struct emitter *em, const struct cluster *c)
{
	const struct planned_ref *r = &em->e->planned->refs.at[c->first];

	return !c->got && !c->special && r->at.disp == c->low.disp && r->ref->size == c->span;
}

/* Whether the cluster is a reference of that form, of which a mask decides whether it is made, with a check in planted
 * code. */
static bool is_of(const struct emitter *em, const struct cluster *c, enum ref_form form)
{
	return !c->special && em->e->planned->refs.at[c->first].ref->form == form;
}

/* What a check's table says (struct check) besides its references. */
struct told {
	uint32_t ordered; /* the number of its segment's list, or 0 */
	uint32_t more;	  /* checks behind it in its segment */
	enum sequence misses;
	int whole;
};

/* The table of a check: the references of a cluster. */
static void write_check(struct emitter *em, const struct point *p, const struct cluster *c, const struct slots *slots,
			struct told told)
{
	struct section_tables *t = tables_of(em, p->insn);
	FILE *out = aside_out(&t->checks);
	uint32_t s = em->unit->insns.at[p->insn].section;

	fprintf(out, ".Lcpk%u:\n\t.long\t.Lcpc%u-.", slots->n, s);
	if (told.ordered)
		fprintf(out, ",.Lcpo%u-.", told.ordered);
	else
		fputs(",0", out);
	fprintf(out, "\n\t.value\t%u\n\t.byte\t%u,%u\n", c->n, told.whole, told.more);
	sequence_print(out, told.misses, slots);
	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		const struct planned_ref *r = &em->e->planned->refs.at[i];
		struct address at = c->special ? r->at : framed(p, r->at);
		struct ref plain = *r->ref; /* as it is where the mask has let it be made */
		struct planned_ref made = *r;

		if (is_of(em, c, REF_MASKED)) {
			plain.form = REF_PLAIN;
			plain.evex = false;
			made.ref = &plain;
		}
		tables_reference(out, em->unit, &made, &at, got_of(t, r));
	}
}

/* The list of a segment, number n; last: the number of its last check, at whose end it ends. */
static void write_ordered(struct emitter *em, const struct point *p, const struct segment *seg, uint32_t n,
			  uint32_t last)
{
	struct section_tables *t = tables_of(em, p->insn);
	FILE *out = aside_out(&t->checks);
	uint32_t s = em->unit->insns.at[p->insn].section;

	fprintf(out, ".Lcpo%u:\n\t.long\t.Lcpc%u-.,.Lcpr%u-.,%u\n", n, s, last, seg->n_refs);
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

static const char *name_special(const struct point *p)
{
	return p->vectors_live ? "cacheprof_scalar_special" : "cacheprof_special";
}

static bool is_register(const struct address *a, int64_t offset)
{
	return a->base < 16 && a->index == REG_NONE && !a->symbol.len && !a->segment && a->disp + offset == 0;
}

/* The address of byte offset of the cluster, and its set. */
static void plant_first(struct emitter *em, const struct point *p, const struct cluster *c, int64_t offset,
			struct slots *slots)
{
	struct address low = framed(p, c->low);

	if (c->got) {
		plant(em, SEQ_GOT_WORDS, slots);
	} else if (is_register(&low, offset)) {
		slots->c = low.base;
		plant(em, SEQ_FIRST_IN_REGISTER, slots);
	} else {
		make_room(em, &low);
		address_print(em->operand, &low, offset);
		slots->low = em->operand;
		plant(em, low.segment ? SEQ_FIRST_FS : SEQ_FIRST, slots);
	}
}

static void plant_comparison(struct emitter *em, const struct point *p, const struct cluster *c,
			     int64_t offset, struct slots *slots)
{
	plant_first(em, p, c, offset, slots);
	plant(em, SEQ_COMPARE, slots);
}

static void plant_cold_check(struct emitter *em, const struct point *p, const struct cluster *c,
			     const struct slots *slots, struct told told)
{
	bool stepping = steps_in_frame(p);
	FILE *out = aside_out(&tables_of(em, p->insn)->cold[stepping ? COLD_CHECKS_STEP : COLD_CHECKS]);

	sequence_print(out, stepping ? SEQ_COLD_CHECK_STEPPING : SEQ_COLD_CHECK, slots);
	write_check(em, p, c, slots, told);
}

/* One byte of a wide cluster, the lowest or the highest. Which reference misses, if the line is not
 * there, only its segment's list can tell. */
static void plant_byte(struct emitter *em, const struct point *p, const struct cluster *c, int64_t offset,
		       uint32_t ordered, uint32_t more)
{
	const struct planned_ref *r = &em->e->planned->refs.at[c->first];
	char stub[64];
	struct slots slots = {.a = p->a, .b = p->b, .n = em->number++, .stub = stub,
			      .s = em->unit->insns.at[p->insn].section, .span = 1};
	int whole = WHOLE_WIDE + WHOLE_BYTE + (int)(c->low.disp + offset - r->at.disp);

	name_stub(p, stub, sizeof stub);
	plant_comparison(em, p, c, offset, &slots);
	slots.x = r->site * sizeof(struct misses);
	plant_cold_check(em, p, c, &slots, (struct told){ordered, more, SEQ_MISSES_OF_TWO, whole});
}

/* A GOT slot never straddles. */
static void plant_check(struct emitter *em, const struct point *p, const struct cluster *c, uint32_t ordered,
			uint32_t more)
{
	const struct planned_ref *r = &em->e->planned->refs.at[c->first];
	char stub[64];
	struct slots slots = {.a = p->a, .b = p->b, .n = em->number++, .stub = stub,
			      .s = em->unit->insns.at[p->insn].section, .span = c->got ? 1 : c->span};
	int whole = is_whole(em, c) ? 1 : WHOLE_BYTE + (int)(c->low.disp - r->at.disp);

	name_stub(p, stub, sizeof stub);
	if (c->got)
		slots.x = got_of(tables_of(em, p->insn), r) * sizeof(struct got_words);
	plant_comparison(em, p, c, 0, &slots);
	slots.x = r->site * sizeof(struct misses);
	plant_cold_check(em, p, c, &slots, (struct told){ordered, more, SEQ_MISSES, whole});
}

static bool begins_with_one_of(struct asm_text name, const char *const *beginnings, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (name.len > strlen(beginnings[i]) && !strncasecmp(name.p, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

/* Whether the instruction demands it: vmovaps, vmovdqa64, vmovntpd and the like, and SSE's but for some moves (SDM,
 * volume 1, 14.9). */
static bool is_aligned(const struct emitter *em, uint32_t insn)
{
	static const char *const demanding[] = {"vmova", "vmovdqa", "vmovnt"};
	static const char *const others[] = {"v", "movu", "movdqu", "lddqu"};
	uint32_t stmt = em->unit->insns.at[insn].text_stmt;
	struct asm_text name = stmt == UINT32_MAX ? (struct asm_text){0} : em->unit->file->stmts[stmt].name;

	return begins_with_one_of(name, demanding, sizeof demanding / sizeof *demanding) ||
	       !begins_with_one_of(name, others, sizeof others / sizeof *others);
}

/* A reference that lies in two lines at half of all places, or more; or one of 16 bytes with an index: that is mostly a
 * vector of an array, others of which, by another register, are some elements further on. */
static bool is_long(const struct emitter *em, const struct cluster *c)
{
	const struct planned_ref *r = &em->e->planned->refs.at[c->first];
	uint32_t least = r->at.index == REG_NONE ? FILTER_LINE / 2 : FILTER_LINE / 4;

	return c->span >= least && is_whole(em, c) && !is_aligned(em, r->insn);
}

/* First its first byte's line, and both where that is not at the front, then the last byte's. Where such references
 * go through memory the first is there. */
static void plant_long(struct emitter *em, const struct point *p, const struct cluster *c, uint32_t ordered,
		       uint32_t more)
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
		plant_cold_check(em, p, c, &slots, (struct told){ordered, more + 1 - i, misses[i], 1});
	}
}

static uint32_t n_checks(const struct emitter *em, const struct segment *seg)
{
	uint32_t n = 0;

	for (uint32_t c = seg->first; c < seg->first + seg->n; c++)
		n += em->e->planned->clusters.at[c].wide || is_long(em, &em->e->planned->clusters.at[c]) ? 2 : 1;
	return n;
}

static void plant_checks(struct emitter *em, const struct point *p, const struct segment *seg)
{
	bool wide = em->e->planned->clusters.at[seg->first].wide; /* with several, n > 1 anyway */
	uint32_t ordered = seg->n > 1 || wide ? em->number++ : 0;
	uint32_t left = n_checks(em, seg);

	for (uint32_t c = seg->first; c < seg->first + seg->n; c++) {
		const struct cluster *cl = &em->e->planned->clusters.at[c];

		comment(em, em->e->planned->refs.at[cl->first].insn, "check");
		if (cl->wide) {
			plant_byte(em, p, cl, 0, ordered, --left);
			plant_byte(em, p, cl, (int64_t)cl->span - 1, ordered, --left);
		} else if (is_long(em, cl)) {
			plant_long(em, p, cl, ordered, left -= 2);
		} else {
			plant_check(em, p, cl, ordered, --left);
		}
	}
	if (ordered)
		write_ordered(em, p, seg, ordered, em->number - 1);
}

/* Whether the reference under a mask is made. Returns the number of the place behind it. */
static uint32_t plant_mask(struct emitter *em, const struct point *p, const struct cluster *c)
{
	const struct planned_ref *r = &em->e->planned->refs.at[c->first];
	const struct section_tables *t = tables_of(em, p->insn);
	unsigned lanes = r->ref->lanes;
	struct slots slots = {.a = p->a, .n = em->number++, .s = em->unit->insns.at[p->insn].section,
			      .x = r->ref->mask, .y = ((uint64_t)1 << (lanes & 63)) - 1};

	plant(em, lanes > 32 ? SEQ_IF_MASK_64 : lanes > 16 ? SEQ_IF_MASK_32 : SEQ_IF_MASK_FEW, &slots);
	slots.x = t->dynamic[r->site] - 1;
	plant(em, em->e->pic ? SEQ_COUNT_DYNAMIC_PIC : SEQ_COUNT_DYNAMIC, &slots);
	return slots.n;
}

/* The checks of lanes; special: their number, and what makes them where no check can say. */
static void plant_lanes_checks(struct emitter *em, const struct point *p, const struct cluster *c,
			       const struct slots *special)
{
	const struct planned_ref *r = &em->e->planned->refs.at[c->first];
	char stub[64];
	struct slots line = {.a = p->a, .b = p->b, .n = em->number++, .s = special->s, .span = r->ref->vector,
			     .stub = stub, .x = r->site * sizeof(struct misses)};
	struct slots byte = *special, both = *special;
	FILE *cold;

	name_stub(p, stub, sizeof stub);
	both.span = line.span;
	byte.span = 1;
	plant_first(em, p, c, 0, &both);
	plant(em, SEQ_IF_TWO_LINES, &both);
	plant_comparison(em, p, c, 0, &line);
	plant_cold_check(em, p, c, &line, (struct told){0, 0, SEQ_MISSES, 0});
	plant(em, SEQ_TWO_LINES, &both);
	for (uint32_t i = 0; i < 2; i++) {
		plant_first(em, p, c, i ? (int64_t)line.span - 1 : 0, &byte);
		plant(em, SEQ_COMPARE_LANES, &byte);
	}
	cold = plant_cold(em, p->insn, steps_in_frame(p), &byte);
	sequence_print(cold, SEQ_COLD_TABLE, &byte);
	write_check(em, p, c, &byte, (struct told){.misses = SEQ_NO_MISSES});
	plant(em, SEQ_LANES_CHECKED, &both);
}

/* See the sequences. */
static void plant_lanes(struct emitter *em, const struct point *p, const struct cluster *c)
{
	static const enum sequence test[] = {SEQ_IF_LANES_4, SEQ_IF_LANES_8};
	static const enum sequence count[2][2] = {{SEQ_COUNT_LANES_4, SEQ_COUNT_LANES_8},
						  {SEQ_COUNT_LANES_4_PIC, SEQ_COUNT_LANES_8_PIC}};
	const struct planned_ref *r = &em->e->planned->refs.at[c->first];
	bool wide = r->ref->size == 8;
	char mask[16];
	struct slots slots = {.a = p->a, .b = p->b, .n = em->number++, .s = em->unit->insns.at[p->insn].section,
			      .high = mask, .stub = name_special(p)};

	snprintf(mask, sizeof mask, "%%%cmm%u", r->ref->vector == 32 ? 'y' : 'x', r->ref->mask);
	if (em->e->level->simulate) {
		plant(em, test[wide], &slots);
		plant_lanes_checks(em, p, c, &slots);
	}
	slots.x = tables_of(em, p->insn)->dynamic[r->site] - 1;
	plant(em, count[em->e->pic][wide], &slots);
	plant(em, SEQ_LANES_END, &slots);
}

static void plant_segment(struct emitter *em, const struct point *p, const struct segment *seg)
{
	const struct cluster *c = &em->e->planned->clusters.at[seg->first];
	bool masked = is_of(em, c, REF_MASKED);
	uint32_t end;

	if (is_of(em, c, REF_LANES)) {
		plant_lanes(em, p, c);
		return;
	}
	end = masked ? plant_mask(em, p, c) : 0;
	if (em->e->level->simulate)
		plant_checks(em, p, seg);
	if (masked)
		plant(em, SEQ_MASK_END, &(struct slots){.n = end});
}

bool is_special_segment(const struct emitter *em, const struct segment *seg)
{
	return em->e->planned->clusters.at[seg->first].special;
}

uint32_t plant_run(struct emitter *em, const struct point *p, uint32_t i)
{
	const struct planned *planned = em->e->planned;
	uint32_t end = p->segment + p->n_segments;

	for (; i < end && !is_special_segment(em, &planned->segments.at[i]); i++)
		plant_segment(em, p, &planned->segments.at[i]);
	return i;
}

void plant_special(struct emitter *em, const struct point *p, const struct cluster *c)
{
	struct slots slots = {.n = plant_always(em, p->insn, name_special(p), SEQ_COLD_TABLE)};

	write_check(em, p, c, &slots, (struct told){.misses = SEQ_NO_MISSES});
}
