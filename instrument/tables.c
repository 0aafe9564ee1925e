/* Writes include/site.h's structures as assembly. Labels: .Lcpc<s> the chunk of section s, .Lcpd<s>
 * its counters and, behind them, the other per-thread arrays, among them .Lcpm<s> that of misses, .Lcpn<s> of
 * dynamic counts, .Lcpp<s> of mispredicts; .Lcpx<s> its branches, .Lcpw<s> their rows, .Lcpg<s> the words of its GOT
 * operands, .Lcpa<s> the bytes of its functions with copies, .Lcpt<s> and .Lcpz<s> begin and end of its code,
 * .Lcpu<i> and .Lcpv<i> the names of file and function i. */
#include "instrument/tables.h"

#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "include/site.h"
#include "instrument/libc.h"

FILE *aside_out(struct aside *aside)
{
	if (!aside->out)
		aside->out = memory_file(&aside->text, &aside->size);
	return aside->out;
}

void aside_close(struct aside *aside)
{
	if (aside->out)
		fclose(aside->out);
}

void aside_print(const struct aside *aside, FILE *out)
{
	if (aside->text)
		fwrite(aside->text, 1, aside->size, out);
}

void aside_free(struct aside *aside)
{
	free(aside->text);
}

/* Whether a field is that word, with blanks around it. */
static bool is_word(struct asm_text field, const char *word)
{
	while (field.len && strchr(" \t", *field.p))
		field = (struct asm_text){field.p + 1, field.len - 1};
	while (field.len && strchr(" \t", field.p[field.len - 1]))
		field.len--;
	return asm_text_is(field, word);
}

/* Finds the group of a section, and that it is COMDAT, in the arguments of its directive: name,"flags",@type[,entsize]
 * [,linked],group[,comdat][,unique,number]; p is NULL without one. What a linker is to keep one of is COMDAT; one that
 * is not stays so. */
static struct asm_text group_of(struct asm_text directive)
{
	struct asm_text field[10] = {0};
	size_t n = 0;
	bool quoted = false;
	const char *p = directive.p, *end = p + directive.len;

	field[0].p = p;
	for (; p < end && n < 9; p++) {
		if (*p == '"')
			quoted = !quoted;
		if (*p == ',' && !quoted) {
			n++;
			field[n].p = p + 1;
		} else {
			field[n].len++;
		}
	}
	if (n > 4 && is_word(field[n - 1], "unique"))
		n -= 2;
	if (n < 3 || !memchr(field[1].p, 'G', field[1].len))
		return (struct asm_text){0};
	if (n < 4 || !is_word(field[n], "comdat"))
		return field[n];
	return (struct asm_text){field[n - 1].p, (size_t)(field[n].p + field[n].len - field[n - 1].p)};
}

/* It is linked to the section by a symbol there: of its name there may be several, and gas does not take every name. */
void tables_section(FILE *out, const struct unit *unit, uint32_t s, const char *name, const char *flags,
		    const char *type)
{
	struct asm_text group = group_of(unit->sections.at[s].directive);

	fprintf(out, "\t.section\t%s,\"%so%s\",@%s,.Lcpt%u", name, flags, group.p ? "G" : "", type, s);
	if (group.p)
		fprintf(out, ",%.*s", (int)group.len, group.p);
	fputc('\n', out);
}

static const uint8_t forms[] = {
	[REF_PLAIN] = FORM_PLAIN, [REF_GOT] = FORM_GOT,	    [REF_REP] = FORM_REP,
	[REF_BIT] = FORM_BIT,	  [REF_MASKED] = FORM_MASKED, [REF_LANES] = FORM_LANES,
	[REF_GATHER] = FORM_GATHER, [REF_XLAT] = FORM_XLAT, [REF_TLSCALL] = FORM_PLAIN,
	[REF_CALL] = FORM_CALL,	  [REF_TILE] = FORM_TILE,
};

static unsigned reference_flags(const struct ref *r, const struct address *at)
{
	return (at->segment == 'f' ? REFERENCE_FS : 0) | (r->addr32 ? REFERENCE_ADDR32 : 0) |
	       (at->base == REG_IP ? REFERENCE_RIP : 0) | (r->index_size == 8 ? REFERENCE_INDEX64 : 0) |
	       (r->evex ? REFERENCE_EVEX : 0);
}

/* Whether a repeated string instruction compares, and for how long it goes on (SDM, "REP"). */
static unsigned rep_kind(const struct insn *i)
{
	bool unequal = false;
	unsigned p = 0;

	for (; p + 1 < i->len && (i->bytes[p] & 0xf0) != 0xa0; p++)
		unequal |= i->bytes[p] == 0xf2;
	if (i->bytes[p] != 0xa6 && i->bytes[p] != 0xa7 && i->bytes[p] != 0xae && i->bytes[p] != 0xaf)
		return REP_ALWAYS;
	return unequal ? REP_WHILE_UNEQUAL : REP_WHILE_EQUAL;
}

/* The last byte of a struct reference. */
static unsigned reference_extra(const struct insn *i, const struct ref *r)
{
	if (r->form == REF_REP)
		return rep_kind(i);
	return r->form == REF_BIT ? r->mask | (unsigned)r->vector << 4 : r->mask;
}

static bool is_lanes(const struct ref *r)
{
	return r->form == REF_LANES || r->form == REF_GATHER || r->form == REF_MASKED;
}

static void print_disp(FILE *out, const struct planned_ref *r, const struct address *at,
		       uint32_t section, uint32_t got)
{
	if (r->ref->form == REF_GOT)
		fprintf(out, ".Lcpg%u+%zu-.", section, got * sizeof(struct got_words));
	else if (at->symbol.p)
		fprintf(out, "%.*s%+lld%s", (int)at->symbol.len, at->symbol.p, (long long)at->disp,
			at->base == REG_IP ? "-." : "");
	else
		fprintf(out, "%lld", (long long)at->disp);
}

void tables_reference(FILE *out, const struct unit *unit, const struct planned_ref *r,
		      const struct address *at, uint32_t got)
{
	const struct insn *insn = &unit->insns.at[r->insn];
	const struct ref *ref = r->ref;
	unsigned lanes = is_lanes(ref) ? ref->lanes : 0;
	unsigned size = ref_has_address(ref) ? ref->size | lanes << 8 : 0;
	unsigned base = at->base == REG_IP ? REG_NONE : at->base;

	fprintf(out, "\t.long\t%u,", r->site);
	print_disp(out, r, at, insn->section, got);
	fprintf(out, ",%u,%u\n",
		base | (unsigned)at->index << 8 | (unsigned)at->scale << 16 |
			reference_flags(ref, at) << 24,
		size | (unsigned)forms[ref->form] << 16 | reference_extra(insn, ref) << 24);
}

struct writer {
	FILE *out;
	const struct emission *e;
	const struct section_tables *t;
	uint32_t s;
	const struct text_section *section;
	const struct unit *unit;
	uint32_t n_blocks, n_insns, n_sites, n_centres;
	uint32_t *centre; /* per centre of the unit: its number in this chunk, or UINT32_MAX */
	VEC(uint32_t) centres;
};

static uint32_t local_centre(struct writer *w, uint32_t centre)
{
	if (w->centre[centre] == UINT32_MAX) {
		w->centre[centre] = (uint32_t)w->centres.n;
		VEC_PUSH(&w->centres, centre);
	}
	return w->centre[centre];
}

static bool counted(const struct writer *w, uint32_t block)
{
	return w->e->flow->blocks.at[block].section == w->s &&
	       w->e->plan->counter[block] != UINT32_MAX;
}

uint32_t tables_block_bytes(const struct unit *u, const struct block_bb *b)
{
	const struct insn *last = &u->insns.at[b->first + b->n - 1];

	return last->offset + last->len - u->insns.at[b->first].offset;
}

/* As chunk.insns has it. */
static uint32_t insn_entry(struct writer *w, uint32_t insn)
{
	const struct insn *i = &w->unit->insns.at[insn];

	return local_centre(w, i->centre) << 8 | i->len;
}

static void write_blocks(struct writer *w, uint32_t first, uint32_t end)
{
	uint32_t insn = 0;

	fprintf(w->out, ".Lcpcb%u:\n", w->s);
	for (uint32_t i = first; i < end; i++) {
		const struct block_bb *b = &w->e->flow->blocks.at[i];

		if (!counted(w, i))
			continue;
		fprintf(w->out, "\t.long\t%u,%u,%u,%u,%u\n", w->unit->insns.at[b->first].offset,
			tables_block_bytes(w->unit, b), insn, b->n, w->e->plan->conserved.derived[i]);
		insn += b->n;
		w->n_blocks++;
	}
	w->n_insns = insn;
	fprintf(w->out, ".Lcpci%u:\n", w->s);
	for (uint32_t i = first; i < end; i++) {
		const struct block_bb *b = &w->e->flow->blocks.at[i];

		for (uint32_t k = b->first; counted(w, i) && k < b->first + b->n; k++)
			fprintf(w->out, "\t.long\t%u\n", insn_entry(w, k));
	}
}

static const struct derivations *derivations_of(const struct writer *w)
{
	return &w->e->plan->conserved.sections[w->s];
}

static void write_derivations(struct writer *w)
{
	const struct derivations *d = derivations_of(w);
	const uint32_t *counter = w->e->plan->counter;

	fprintf(w->out, ".Lcpce%u:\n", w->s);
	for (size_t i = 0; i < d->blocks.n; i++) {
		const struct derivation *of = &d->blocks.at[i];

		fprintf(w->out, "\t.long\t%u", of->n);
		for (uint32_t k = of->first; k < of->first + of->n; k++)
			fprintf(w->out, ",%u", counter[d->terms.at[k].block] << 1 | d->terms.at[k].minus);
		fputc('\n', w->out);
	}
}

static void write_times(struct writer *w, uint32_t first, uint32_t end)
{
	const struct stamps *stamps = &w->e->plan->stamps;
	const times_vec *times = &stamps->sections[w->s];
	const uint32_t *counter = w->e->plan->counter;
	uint32_t n;

	fprintf(w->out, ".Lcpcq%u:\n", w->s);
	for (uint32_t i = first; i < end; i++)
		if (counted(w, i))
			fprintf(w->out, "\t.long\t%u\n", stamps->times[i] ? w->n_blocks + stamps->times[i] - 1 : 0);
	for (size_t i = 0; i < times->n; i += 1 + n) {
		n = times->at[i];
		fprintf(w->out, "\t.long\t%u", n);
		for (uint32_t k = 1; k <= n; k++)
			fprintf(w->out, ",%u", counter[times->at[i + k]]);
		fputc('\n', w->out);
	}
}

/* Whether the thread-local sequence that ends in the instruction begins as a local-dynamic one. */
static bool is_local_dynamic(const struct writer *w, uint32_t insn)
{
	struct asm_text t;

	while (insn > w->section->first_insn && w->unit->insns.at[insn].glued)
		insn--;
	t = w->unit->file->stmts[w->unit->insns.at[insn].stmt].text;
	return memmem(t.p, t.len, "@tlsld", 6) || memmem(t.p, t.len, "@TLSLD", 6);
}

/* What is left of a thread-local sequence that ends in instruction i when the linker has shortened it
 * (ELF Handling For Thread-Local Storage, 4.4): of a call of __tls_get_addr, mov %fs:0,%rax for the
 * pushed return address; local-dynamic, that is all. The large code model's four instructions, which
 * call through %rax, become three or, local-dynamic, two. */
static unsigned tls_flags(const struct writer *w, uint32_t i, const struct ref *r)
{
	const struct insn *insn = &w->unit->insns.at[i];

	if (!is_tls_call(insn))
		return 0;
	if (r->kind != REF_WRITE || insn->refs[0].base == RAX || i == w->section->first_insn)
		return SITE_TLS;
	return SITE_TLS | SITE_TLS_READ | (is_local_dynamic(w, i) ? SITE_TLS_SHORT : 0) |
	       (insn->len == 2 ? SITE_TLS_LARGE : 0);
}

static unsigned site_flags(const struct writer *w, uint32_t i, const struct ref *r)
{
	return tls_flags(w, i, r) | (r->kind == REF_MODIFY ? SITE_MODIFY : 0);
}

/* One more dynamic counter, which nobody increments: for sites in blocks that are not counted. */
static uint32_t n_dynamics(const struct writer *w)
{
	return w->t->n_dynamics + 1;
}

static void write_site(struct writer *w, const struct insn *insn, uint32_t centre, uint32_t site,
		       unsigned kind, unsigned size, unsigned flags, uint32_t got)
{
	uint32_t block = w->e->plan->counter[insn->block];
	uint32_t dynamic = block == UINT32_MAX ? n_dynamics(w) : w->t->dynamic[site];

	fprintf(w->out, "\t.long\t%u,%u,%u,%u\n", dynamic ? dynamic - 1 : block,
		local_centre(w, centre),
		size | kind << 16 | (flags | (dynamic ? SITE_DYNAMIC : 0)) << 24, got);
	w->n_sites++;
}

static void write_reference(struct writer *w, uint32_t i, const struct ref *r, uint32_t site)
{
	const struct insn *insn = &w->unit->insns.at[i];

	write_site(w, insn, r->form == REF_CALL ? r->centre : insn->centre, site,
		   r->kind == REF_WRITE ? SITE_WRITE : SITE_READ, r->size, site_flags(w, i, r),
		   w->t->got[site]);
}

/* Of a rep prefix: its branch, for the runtime to find. */
static void write_repeat(struct writer *w, uint32_t i, uint32_t site)
{
	const struct predicted *p = w->e->predicted;
	uint32_t branch = p->number ? p->number[i] : 0;
	const struct insn *insn = &w->unit->insns.at[i];

	write_site(w, insn, insn->centre, site, SITE_INSN, 0, 0, branch);
}

static void write_sites(struct writer *w)
{
	fprintf(w->out, ".Lcpcs%u:\n", w->s);
	for (uint32_t i = w->section->first_insn; i < w->section->first_insn + w->section->n_insns; i++) {
		const struct insn *insn = &w->unit->insns.at[i];
		uint32_t site = w->e->planned->first_site[i];

		for (int r = 0; r < insn->n_refs; r++)
			write_reference(w, i, &insn->refs[r], site + (uint32_t)r);
		if (insn->rep)
			write_repeat(w, i, site + insn->n_refs);
	}
}

static void write_centres(struct writer *w)
{
	fprintf(w->out, ".Lcpcc%u:\n", w->s);
	for (size_t i = 0; i < w->centres.n; i++) {
		const struct centre *c = &w->unit->centres.at[w->centres.at[i]];

		fprintf(w->out, "\t.long\t.Lcpu%u-.,.Lcpv%u-.,%u\n", c->file, c->function, c->line);
	}
	w->n_centres = (uint32_t)w->centres.n;
}

/* The displacement is the last but the immediate, whose bytes follow it; GOT operands have no
 * index, so opcode and ModRM are the two bytes before. */
static unsigned disp_at(const struct insn *i)
{
	unsigned at = 0;

	for (unsigned p = 1; p + 5 <= i->len; p++)
		if ((i->bytes[p] & 0xc7) == 0x05)
			at = p + 1;
	return at;
}

static void write_gots(struct writer *w)
{
	fprintf(w->out, ".Lcpcg%u:\n", w->s);
	for (uint32_t k = 0; k < w->t->gots.n; k++) {
		const struct insn *i = &w->unit->insns.at[w->t->gots.at[k]];
		unsigned at = is_tls_call(i) ? 2 : disp_at(i);

		fprintf(w->out, "\t.long\t.Lcph%u-.,.Lcpg%u+%zu-.\n", w->t->gots.at[k], w->s,
			k * sizeof(struct got_words));
		if (libc_in_got(w->unit, i)) {
			fprintf(w->out, "\t.byte\t%u,%u," LIBC_GOT_ORIGINAL "\n", LIBC_GOT_LENGTH,
				LIBC_GOT_DISP_AT);
			continue;
		}
		fprintf(w->out, "\t.byte\t%u,%u,%u,%u\n", i->len, at, i->bytes[at - 2], i->bytes[at - 1]);
	}
}

static unsigned predicted_kind(const struct insn *i)
{
	if (i->rep)
		return PREDICT_REPEAT;
	return i->branch == BRANCH_COND || i->branch == BRANCH_SHORT ? PREDICT_DIRECTION : PREDICT_TARGET;
}

static void write_branch(struct writer *w, uint32_t i)
{
	const struct insn *insn = &w->unit->insns.at[i];
	const struct predicted *p = w->e->predicted;
	uint32_t number = p->number[i] - 1, site = w->e->planned->first_site[i];
	unsigned kind = predicted_kind(insn);
	bool relaxes = kind == PREDICT_TARGET && (insn->target_register == REG_NONE || is_tls_call(insn));

	fprintf(w->out, "\t.long\t%u,%u,%u,%u\n", insn->offset,
		kind == PREDICT_REPEAT ? w->t->branch_dynamic[number] : w->e->plan->counter[insn->block],
		local_centre(w, insn->centre), relaxes ? w->t->got[site] : 0);
	fprintf(w->out, "\t.byte\t%u,%u,%u,%u\n", kind, insn->condition, insn->target_register,
		kind != PREDICT_REPEAT && !p->prediction[i]);
}

static uint32_t n_branches(const struct writer *w)
{
	return w->e->predicted->number ? w->e->predicted->n_branches[w->s] : 0;
}

static void write_branches(struct writer *w)
{
	if (!w->e->level->branches)
		return;
	fprintf(w->out, ".Lcpx%u:\n", w->s);
	for (uint32_t i = 0; i < w->section->n_insns; i++)
		if (w->e->predicted->number[w->section->first_insn + i])
			write_branch(w, w->section->first_insn + i);
}

/* Sizes and places, from the section's first counter on, of its per-thread arrays. */
struct layout {
	size_t derived, fetches, misses, dynamics, mispredicts, end;
};

size_t tables_counter_bytes(const struct emission *e)
{
	return e->level->simulate ? sizeof(struct block_state) : sizeof(uint64_t);
}

static struct layout lay_out(const struct writer *w)
{
	bool simulate = w->e->level->simulate;
	struct layout l;

	l.derived = w->n_blocks * tables_counter_bytes(w->e);
	l.fetches = l.derived + derivations_of(w)->blocks.n * sizeof(uint64_t);
	l.misses = l.fetches + (simulate ? w->n_centres * sizeof(struct misses) : 0);
	l.dynamics = l.misses + (simulate ? w->n_sites * sizeof(struct misses) : 0);
	l.mispredicts = l.dynamics + n_dynamics(w) * sizeof(uint64_t);
	l.end = l.mispredicts + n_branches(w) * sizeof(uint64_t);
	return l;
}

/* How many functions of the section have copies. */
static uint32_t write_copied(struct writer *w)
{
	const struct copies *c = w->e->copies;
	uint32_t n;

	fprintf(w->out, ".Lcpcy%u:\n", w->s);
	if (!c->made.n)
		return 0;
	n = c->made_in.first[w->s + 1] - c->made_in.first[w->s];
	for (uint32_t k = c->made_in.first[w->s + 1]; k-- > c->made_in.first[w->s];) {
		const struct copy *copy = &c->made.at[c->made_in.item[k]];

		fprintf(w->out, "\t.long\t%u\n", w->e->plan->counter[w->unit->insns.at[copy->entrance].block]);
	}
	return n;
}

/* From one label to another one, both with the block's number. */
static void write_loop(struct writer *w, uint32_t block, const char *begin, const char *end, unsigned start,
		       const char *table)
{
	const struct loops *loops = &w->e->plan->loops;

	fprintf(w->out, "\t.long\t.Lcp%s%u-.,.Lcp%s%u-.,%u\n\t.byte\t%u", begin, block, end, block,
		w->e->plan->counter[block], loops->counter[block]);
	for (int k = 0; k < SPARES; k++)
		fprintf(w->out, ",%u", loops->parked[block][k]);
	fprintf(w->out, "\n\t.long\t%u\n", start);
	if (table)
		fprintf(w->out, "\t.long\t.Lcp%s%u-.\n", table, block);
	else
		fputs("\t.long\t0\n", w->out);
}

/* How many of the section's blocks are loops with registers of ours, or parts of strided ones. */
static uint32_t write_loops(struct writer *w, uint32_t first, uint32_t end)
{
	uint32_t n = 0;

	fprintf(w->out, ".Lcpcl%u:\n", w->s);
	for (uint32_t i = first; i < end; i++) {
		const struct stride *stride = stride_of(&w->e->plan->strides, i);

		if (stride) {
			write_loop(w, i, "l", "qc", (uint16_t)-stride->checked, NULL);
			write_loop(w, i, "qc", "qw", 0, NULL);
			write_loop(w, i, "q", "i", STRIDED_START, "qt");
			n += 3;
		} else if (loops_has(&w->e->plan->loops, i)) {
			write_loop(w, i, "l", "i", 0, NULL);
			n++;
		}
	}
	return n;
}

static void write_chunk(struct writer *w, const struct layout *l, uint32_t loops, uint32_t copies)
{
	uint32_t s = w->s;

	tables_section(w->out, w->unit, w->s, "cacheprof_chunks", "a", "progbits");
	fprintf(w->out, "\t.p2align\t2\n.Lcpc%u:\n", s);
	fprintf(w->out, "\t.value\t%u,%u\n", SITE_VERSION,
		w->e->level_number | (w->e->level->show ? CHUNK_SHOWN : 0) |
			(w->e->level->branches ? CHUNK_BRANCHES : 0));
	fprintf(w->out, "\t.long\t%llu,%llu\n", (unsigned long long)w->section->size,
		(unsigned long long)w->section->align);
	fprintf(w->out, "\t.long\t.Lcpt%u-.,.Lcpz%u-.\n", s, s);
	fprintf(w->out, "\t.long\t.Lcpcb%u-.,.Lcpci%u-.,.Lcpcs%u-.,.Lcpcc%u-.,.Lcpcg%u-.\n", s, s, s, s, s);
	fprintf(w->out, "\t.long\t.Lcpd%u-.,", s);
	if (w->e->level->simulate)
		fprintf(w->out, ".Lcpcq%u-.,.Lcpd%u+%zu-.,.Lcpm%u-.", s, s, l->fetches, s);
	else
		fputs("0,0,0", w->out);
	fprintf(w->out, ",.Lcpn%u-.\n", s);
	fprintf(w->out, "\t.long\t.Lcpce%u-.,.Lcpd%u+%zu-.,%zu\n", s, s, l->derived,
		derivations_of(w)->blocks.n);
	fprintf(w->out, "\t.long\t%u,%u,%u,%u,%zu,%u\n", w->n_blocks, w->n_insns, w->n_sites, w->n_centres,
		w->t->gots.n, n_dynamics(w));
	if (w->e->level->branches)
		fprintf(w->out, "\t.long\t.Lcpx%u-.,.Lcpw%u-.,.Lcpp%u-.,%u\n", s, s, s, n_branches(w));
	else
		fputs("\t.long\t0,0,0,0\n", w->out);
	if (copies)
		fprintf(w->out, "\t.long\t.Lcpcy%u-.,.Lcpa%u-.,%u\n", s, s, copies);
	else
		fputs("\t.long\t0,0,0\n", w->out);
	fprintf(w->out, "\t.long\t%u,.Lcpcl%u-.\n", loops, s);
}

/* What is zero at the start: the per-thread arrays, and what the runtime fills in. */
static void reserve(struct writer *w, const struct layout *l, uint32_t copies)
{
	uint32_t s = w->s;

	tables_section(w->out, w->unit, w->s, "cacheprof_data", "aw", "nobits");
	fprintf(w->out, "\t.p2align\t4\n.Lcpd%u:\n", s);
	fprintf(w->out, "\t.set\t.Lcpm%u,.Lcpd%u+%zu\n\t.set\t.Lcpn%u,.Lcpd%u+%zu\n\t.skip\t%zu\n", s, s, l->misses, s,
		s, l->dynamics, l->end);
	if (w->e->level->branches) {
		fprintf(w->out, "\t.set\t.Lcpp%u,.Lcpd%u+%zu\n", s, s, l->mispredicts);
		tables_section(w->out, w->unit, w->s, "cacheprof_rows", "aw", "nobits");
		/* There may be none, and gas warns of .skip 0. */
		fprintf(w->out, "\t.p2align\t3\n.Lcpw%u:\n\t.fill\t%u,8\n", s, n_branches(w));
	}
	if (w->t->gots.n) {
		tables_section(w->out, w->unit, w->s, "cacheprof_got", "aw", "nobits");
		fprintf(w->out, "\t.p2align\t3\n.Lcpg%u:\n\t.skip\t%zu\n", s,
			w->t->gots.n * sizeof(struct got_words));
	}
	if (copies) {
		tables_section(w->out, w->unit, w->s, "cacheprof_asleep", "aw", "nobits");
		fprintf(w->out, ".Lcpa%u:\n\t.skip\t%u\n", s, copies);
	}
}

static void block_range(const struct emission *e, const struct text_section *section, uint32_t *first,
			uint32_t *end)
{
	*first = e->flow->unit->insns.at[section->first_insn].block;
	*end = e->flow->unit->insns.at[section->first_insn + section->n_insns - 1].block + 1;
}

uint32_t *tables_centres(const struct unit *unit)
{
	uint32_t *centres = xalloc(unit->centres.n, sizeof *centres);

	memset(centres, 0xff, unit->centres.n * sizeof *centres);
	return centres;
}

/* For the next section's. */
static void forget_centres(struct writer *w)
{
	for (size_t i = 0; i < w->centres.n; i++)
		w->centre[w->centres.at[i]] = UINT32_MAX;
	VEC_FREE(&w->centres);
}

uint32_t *tables_first_insns(const struct emission *e)
{
	const struct flow *flow = e->flow;
	uint32_t *first_insns = xalloc(flow->blocks.n, sizeof *first_insns), *centres = tables_centres(flow->unit);

	for (uint32_t s = 0; s < flow->unit->sections.n; s++) {
		struct writer w = {.e = e, .s = s, .unit = flow->unit, .centre = centres};
		uint32_t first = 0, end = 0;

		if (flow->unit->sections.at[s].n_insns)
			block_range(e, &flow->unit->sections.at[s], &first, &end);
		for (uint32_t i = first; i < end; i++) {
			const struct block_bb *b = &flow->blocks.at[i];

			for (uint32_t k = b->first; counted(&w, i) && k < b->first + b->n; k++) {
				uint32_t entry = insn_entry(&w, k);

				if (k == b->first)
					first_insns[i] = entry;
			}
		}
		forget_centres(&w);
	}
	free(centres);
	return first_insns;
}

void tables_emit(FILE *out, const struct emission *e, const struct section_tables *t, uint32_t s, uint32_t *centres)
{
	struct unit *unit = e->flow->unit;
	struct writer w = {.out = out, .e = e, .t = t, .s = s, .unit = unit,
			   .section = &unit->sections.at[s], .centre = centres};
	uint32_t first, end, loops, copies;
	struct layout layout;

	block_range(e, w.section, &first, &end);
	tables_section(out, unit, s, "cacheprof_info", "a", "progbits");
	fputs("\t.p2align\t2\n", out);
	if (!t->checks_in_code)
		aside_print(&t->checks, out);
	write_blocks(&w, first, end);
	write_derivations(&w);
	if (e->level->simulate)
		write_times(&w, first, end);
	write_sites(&w);
	write_branches(&w);
	write_centres(&w);
	write_gots(&w);
	loops = write_loops(&w, first, end);
	copies = write_copied(&w);
	layout = lay_out(&w);
	write_chunk(&w, &layout, loops, copies);
	reserve(&w, &layout, copies);
	forget_centres(&w);
}

static void write_string(FILE *out, const char *text)
{
	fputs("\t.string\t\"", out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < ' ' || c == '"' || c == '\\' || c >= 0x7f)
			fprintf(out, "\\%03o", c);
		else
			fputc(c, out);
	}
	fputs("\"\n", out);
}

void tables_strings(FILE *out, const struct unit *unit)
{
	fputs("\t.section\t.rodata.cacheprof_names,\"aMS\",@progbits,1\n", out);
	for (size_t i = 0; i < unit->files.n; i++) {
		fprintf(out, ".Lcpu%zu:\n", i);
		write_string(out, unit->files.at[i]);
	}
	for (size_t i = 0; i < unit->functions.n; i++) {
		fprintf(out, ".Lcpv%zu:\n", i);
		write_string(out, unit->functions.at[i]);
	}
}
