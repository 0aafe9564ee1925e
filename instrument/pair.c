/* From one mark of a section to the next are the bytes of one statement. Most hold one
 * instruction. What takes thought:
 *
 *  - a macro, a raw region, "fstenv" make several: all but the first are glued to it
 *  - a lone prefix, also one spelled .byte 0x66 or .value 0x6666 (TLS sequences), begins the
 *    instruction of the next statement
 *  - .byte and its kin are instructions where control reaches them, over one or several statements;
 *    elsewhere they are a table, and code planted into a table would shift it. Behind a call or a system call, which
 *    may be the function's last, they are one if somebody wants to know where they are
 *  - -malign-branch puts NOPs before the instruction within its statement */
#include "instrument/pair.h"

#include "instrument/blocks.h"
#include "instrument/decode.h"
#include "instrument/expression.h"
#include "instrument/macros.h"
#include "instrument/names.h"
#include "instrument/switches.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define INSN_MAX_LEN 15
#define PREFIXES_MAX 4

struct range {
	uint32_t stmt;
	uint32_t start, end;
	enum role role;
	uint32_t insn; /* the statement behind prefixes on lines of their own, or stmt */
};

struct pairing {
	struct unit *unit;
	const struct asm_file *file;
	const struct object *object;
	struct macros macros;
	uint32_t *labels;	     /* per statement: how many labels are before it */
	uint32_t unmarked;	     /* the statement of bytes before the first mark of a section */
	/* when first needed: find_named */
	struct names names;
	bool *named;	     /* per label of the unit: not only by branches, or other units may name it */
	bool *branched_to;   /* per label: by its name */
	/* of the section in work */
	const struct object_section *section;
	uint32_t index;
	VEC(struct range) ranges;
	uint32_t first_mark; /* offset */
	uint8_t *entered;   /* bit per offset: a branch leads here, from anywhere, or a function begins here, */
	uint8_t *begun;	    /* and a function does */
	bool falls_through; /* from the last instruction into what follows */
};

/* The statement that spells the instruction of a range. */
static uint32_t spelling(const struct pairing *p, const struct range *range)
{
	uint32_t i = range->insn;

	if (range->role != ROLE_INSN)
		return NONE;
	while (i < p->file->n &&
	       (p->file->stmts[i].kind != ASM_INSN || p->file->stmts[i].prefix_only))
		i++;
	if (i == p->file->n || macros_have(&p->macros, p->file->stmts[i].name))
		return NONE;
	return i;
}

/* Entries */

static const uint8_t *bytes_at(const struct pairing *p, uint32_t offset)
{
	return p->section->bytes + offset;
}

/* Whether the linker completes bytes of the instruction. */
static bool relocated(const struct pairing *p, uint32_t start, uint32_t end)
{
	const uint32_t *at = p->section->relocations.at;
	size_t low = 0, high = p->section->relocations.n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (at[middle] < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->section->relocations.n && at[low] < end;
}

/* Code may be planted before the first instruction of a statement, unless that is in a section
 * which only the statement itself switches to. */
static struct insn *add(struct pairing *p, uint32_t stmt, uint32_t start, uint32_t end)
{
	struct unit *unit = p->unit;
	bool first = unit->stmt_insn[stmt] == NONE && start >= p->first_mark;

	if (first)
		unit->stmt_insn[stmt] = unit->insns.n;
	VEC_PUSH(&unit->insns, (struct insn){
				   .stmt = stmt,
				   .text_stmt = NONE,
				   .section = p->index,
				   .offset = start,
				   .len = end - start <= UINT8_MAX ? end - start : 0,
				   .glued = !first,
				   .relocated = relocated(p, start, end),
				   .bytes = bytes_at(p, start),
			       });
	return &unit->insns.at[unit->insns.n - 1];
}

static void add_data(struct pairing *p, const struct range *range)
{
	struct insn *insn = add(p, range->stmt, range->start, range->end);

	insn->data = true;
	insn->len = 0;
	p->falls_through = false;
}

/* The rest of a statement that does not decode. */
static void add_unknown(struct pairing *p, struct range rest)
{
	if (rest.role != ROLE_INSN || rest.end - rest.start > INSN_MAX_LEN) {
		add_data(p, &rest);
		return;
	}
	add(p, rest.stmt, rest.start, rest.end)->unknown = true;
	p->falls_through = true;
}

/* NOPs of -malign-branch before the instruction itself. */
static void mark_alignment(struct pairing *p, size_t first)
{
	struct unit *unit = p->unit;

	for (size_t i = first; i + 1 < unit->insns.n; i++) {
		struct insn *insn = &unit->insns.at[i];
		ZydisDecodedInstruction d;

		if (!decode_length(insn->bytes, insn->len, &d) || !decode_is_nop(&d))
			return;
		insn->padding = true;
	}
}

static void count_labels(struct pairing *p)
{
	p->labels = xalloc(p->file->n + 1, sizeof *p->labels);
	for (size_t i = 0; i < p->file->n; i++)
		p->labels[i + 1] = p->labels[i] + (p->file->stmts[i].kind == ASM_LABEL);
}

/* Whether there may be a label between what one statement and another one made, which lies behind that: it may be that
 * of a later subsection. */
static bool label_between(const struct pairing *p, uint32_t stmt, uint32_t next)
{
	return next <= stmt || p->labels[next] > p->labels[stmt + 1];
}

static bool bit(const uint8_t *bits, uint32_t offset)
{
	return bits[offset / 8] >> offset % 8 & 1;
}

static void find_entries(struct pairing *p);

/* Whether control may come to the range, which is one of the section's: from the instruction before it, or because it
 * has a label, or a jump leads there by a distance. */
static bool led_to(struct pairing *p, const struct range *range)
{
	if (p->falls_through || range == p->ranges.at || label_between(p, range[-1].stmt, range->stmt))
		return true;
	if (range->role != ROLE_INSN)
		return false;
	find_entries(p);
	return bit(p->entered, range->start);
}

/* Behind what ends the way, a NOP or int3 (against speculation) does not lead on. */
static bool leads_on(const ZydisDecodedInstruction *d, bool led)
{
	return decode_falls_through(d) && (led || !(decode_is_nop(d) || d->mnemonic == ZYDIS_MNEMONIC_INT3));
}

static void add_code(struct pairing *p, const struct range *range)
{
	uint32_t text = spelling(p, range), at = range->start;
	size_t first = p->unit->insns.n;
	bool led = led_to(p, range);

	while (at < range->end) {
		ZydisDecodedInstruction d;

		if (!decode_length(bytes_at(p, at), range->end - at, &d)) {
			add_unknown(p, (struct range){range->stmt, at, range->end, range->role, range->insn});
			break;
		}
		add(p, range->stmt, at, at + d.length);
		at += d.length;
		p->falls_through = led = leads_on(&d, led);
	}
	p->unit->insns.at[p->unit->insns.n - 1].text_stmt = text;
	if (text != NONE && p->unit->insns.n - first > 1)
		mark_alignment(p, first);
}

/* Alignment: NOPs, a jump over many of them, or what the file asked to fill with. */
static bool is_padding(const struct pairing *p, const struct range *range)
{
	for (uint32_t at = range->start; at < range->end;) {
		ZydisDecodedInstruction d;

		if (!decode_length(bytes_at(p, at), range->end - at, &d) || !decode_is_padding(&d))
			return false;
		at += d.length;
	}
	return true;
}

static void add_padding(struct pairing *p, const struct range *range)
{
	size_t first = p->unit->insns.n;
	bool falls_through = p->falls_through;

	if (!is_padding(p, range)) {
		add_data(p, range);
		return;
	}
	add_code(p, range);
	for (size_t i = first; i < p->unit->insns.n; i++)
		p->unit->insns.at[i].padding = true;
	p->falls_through = falls_through;
}

/* Names */

static void note_names(struct pairing *p, struct asm_text text, uint32_t stmt)
{
	const char *at = text.p, *end = text.p + text.len;
	struct asm_text name;

	while (at < end && (name = expression_next_name(&at, end)).len) {
		const struct label *label = names_label(&p->names, name, stmt);

		if (label)
			p->named[label - p->unit->labels.at] = true;
	}
}

static bool is_branch(const struct asm_stmt *s)
{
	return asm_text_begins(s->name, "j") || asm_text_begins(s->name, "call") || asm_text_begins(s->name, "loop");
}

/* The label that a branch names, or NULL. */
static const struct label *label_of_branch(const struct pairing *p, uint32_t stmt)
{
	const struct asm_stmt *s = &p->file->stmts[stmt];

	if (s->n_operands != 1 || s->operands->kind != ASM_OP_BARE || s->operands->indirect)
		return NULL;
	return names_label(&p->names, expression_unquoted(expression_strip_suffix(s->operands->disp, "@plt")), stmt);
}

static void note_branch(struct pairing *p, uint32_t stmt)
{
	const struct label *label = label_of_branch(p, stmt);

	if (label)
		p->branched_to[label - p->unit->labels.at] = true;
}

static void find_named(struct pairing *p)
{
	struct switches switches;

	if (p->named)
		return;
	p->named = xalloc(p->unit->labels.n, sizeof *p->named);
	p->branched_to = xalloc(p->unit->labels.n, sizeof *p->branched_to);
	names_index(&p->names, p->unit);
	switches_begin(&switches);
	for (uint32_t i = 0; i < p->file->n; i++) {
		const struct asm_stmt *s = &p->file->stmts[i];

		switches_follow(&switches, s);
		if (role_of(s) == ROLE_DATA && !is_debug_section(switches.now.name))
			note_names(p, s->args, i);
		if (s->kind == ASM_INSN && is_branch(s))
			note_branch(p, i);
		for (uint32_t o = 0; s->kind == ASM_INSN && !is_branch(s) && o < s->n_operands; o++)
			note_names(p, s->operands[o].text, i);
	}
	switches_end(&switches);
	for (size_t i = 0; i < p->unit->labels.n; i++)
		p->named[i] |= p->unit->labels.at[i].global;
}

/* .byte and its kin */

/* Branches lead, and symbols that are set may be, out of the section. */
static void set_bit(const struct pairing *p, uint8_t *bits, int64_t offset)
{
	if (offset >= 0 && (uint64_t)offset < p->section->size)
		bits[offset / 8] |= 1 << offset % 8;
}

static void note_target(struct pairing *p, uint32_t start, const ZydisDecodedInstruction *d)
{
	if (d->raw.imm[0].is_relative && !relocated(p, start, start + d->length))
		set_bit(p, p->entered, (int64_t)start + d->length + d->raw.imm[0].value.s);
}

static void note_targets(struct pairing *p, const struct range *range)
{
	ZydisDecodedInstruction d;

	for (uint32_t at = range->start; at < range->end; at += d.length) {
		if (!decode_length(bytes_at(p, at), range->end - at, &d))
			return;
		note_target(p, at, &d);
	}
}

/* Branches from other sections, and to global labels, are the linker's to complete. */
static void note_labels(struct pairing *p)
{
	const struct unit *u = p->unit;

	find_named(p);
	for (size_t i = label_from(u, p->index, 0); i < u->labels.n && u->labels.at[i].section == p->index; i++)
		if (p->branched_to[i])
			set_bit(p, p->entered, u->labels.at[i].offset);
}

static void find_entries(struct pairing *p)
{
	if (p->entered)
		return;
	p->entered = xalloc(p->section->size / 8 + 1, 1);
	p->begun = xalloc(p->section->size / 8 + 1, 1);
	for (size_t i = 0; i < p->ranges.n; i++)
		if (p->ranges.at[i].role == ROLE_INSN)
			note_targets(p, &p->ranges.at[i]);
	note_labels(p);
	for (size_t i = 0; i < p->section->functions.n; i++) {
		set_bit(p, p->entered, p->section->functions.at[i]);
		set_bit(p, p->begun, p->section->functions.at[i]);
	}
}

static bool reached(struct pairing *p, uint32_t offset)
{
	if (p->falls_through)
		return true;
	find_entries(p);
	return bit(p->entered, offset);
}

/* Whether nothing leads in between a range and the next one. */
static bool goes_on(const struct pairing *p, const struct range *range, const struct range *next)
{
	return !label_between(p, range->stmt, next->stmt);
}

static bool decodes(const struct pairing *p, uint32_t start, uint32_t end)
{
	while (start < end) {
		ZydisDecodedInstruction d;

		if (!decode_length(bytes_at(p, start), end - start, &d))
			return false;
		start += d.length;
	}
	return true;
}

/* How many ranges from i on are one run of .byte and its kin. */
static size_t length_of_run(const struct pairing *p, size_t i)
{
	const struct range *ranges = p->ranges.at;
	size_t n = 1;

	while (i + n < p->ranges.n && ranges[i + n].role == ROLE_DATA &&
	       goes_on(p, &ranges[i + n - 1], &ranges[i + n]))
		n++;
	return n;
}

/* Whether an instruction follows that only the bytes before it can lead to. It is how gmp spells
 * mulx where an indirect jump goes. Nobody writes tables so, unless he aligns by hand with NOPs. */
static bool leads_into_code(const struct pairing *p, size_t last)
{
	const struct range *range = &p->ranges.at[last], *next = range + 1;
	ZydisDecodedInstruction d;

	return last + 1 < p->ranges.n && next->role == ROLE_INSN && goes_on(p, range, next) &&
	       asm_text_is(p->file->stmts[range->stmt].name, ".byte") &&
	       decode_length(bytes_at(p, next->start), next->end - next->start, &d) &&
	       !decode_is_nop(&d);
}

/* Whether a directive is none that instructions are written with: strings, numbers of eight bytes and more,
 * fractions. */
static bool is_never_code(struct asm_text name)
{
	static const char *const directives[] = {
		".8byte", ".ascii",   ".asciz",	  ".base64",  ".bfloat16", ".dc.a",    ".dc.d",	  ".dc.s",
		".dc.x",  ".dcb.d",   ".dcb.s",	  ".dcb.x",   ".dfloat",   ".double",  ".ffloat", ".float",
		".hfloat", ".incbin", ".octa",	  ".quad",    ".single",   ".sleb128", ".string", ".string16",
		".string32", ".string64", ".string8", ".tfloat", ".uleb128"};

	return ASM_TEXT_AMONG(name, directives);
}

/* Where in the section a direct branch leads, or -1. */
static int64_t target_of(struct pairing *p, const struct insn *insn, const ZydisDecodedInstruction *d)
{
	const struct label *label;

	if (!insn->relocated)
		return (int64_t)insn->offset + insn->len + d->raw.imm[0].value.s;
	find_named(p);
	label = insn->text_stmt == NONE ? NULL : label_of_branch(p, insn->text_stmt);
	return label && label->section == p->index ? (int64_t)label->offset : -1;
}

/* Whether the instruction before the run calls what is behind it: so the place of data comes to the stack. */
static bool is_called_over(struct pairing *p, const struct range *run)
{
	const struct insn *last;
	ZydisDecodedInstruction d;

	if (!p->falls_through)
		return false;
	last = &p->unit->insns.at[p->unit->insns.n - 1];
	return decode_length(last->bytes, last->len, &d) && d.mnemonic == ZYDIS_MNEMONIC_CALL &&
	       d.raw.imm[0].is_relative && target_of(p, last, &d) == run->end;
}

/* Whether control may not come back from the instruction before the run, but for NOPs, and int3 as a trap. */
static bool may_be_over(const struct pairing *p)
{
	const struct unit *unit = p->unit;
	size_t i = unit->insns.n;
	ZydisDecodedInstruction d;

	do {
		if (!i-- || !decode_length(unit->insns.at[i].bytes, unit->insns.at[i].len, &d))
			return false;
	} while (decode_is_nop(&d) || d.mnemonic == ZYDIS_MNEMONIC_INT3);
	return d.mnemonic == ZYDIS_MNEMONIC_CALL || d.mnemonic == ZYDIS_MNEMONIC_SYSCALL ||
	       d.mnemonic == ZYDIS_MNEMONIC_INT;
}

/* Whether a compiler wrote the label: it has no tables among code, and its own ones name what is code. */
static bool is_compilers(const struct pairing *p, const struct label *l)
{
	return l->stmt != UINT32_MAX && !p->file->stmts[l->stmt].in_asm && !written_by_hand(p->file);
}

/* Whether somebody wants to know where the run is. */
static bool is_looked_for(struct pairing *p, const struct range *run)
{
	find_named(p);
	for (size_t i = 0; i < p->unit->labels.n; i++) {
		const struct label *l = &p->unit->labels.at[i];

		if (l->section == p->index && l->offset == run->start && p->named[i] && !is_compilers(p, l))
			return true;
	}
	return false;
}

/* Whether it is what clang's -fsanitize=function, from 17 on, keeps before a function: a signature and the type. */
static bool is_signature(const struct pairing *p, const struct range *run)
{
	static const uint8_t signature[] = {0xfe, 0xca, 0x05, 0xc1};

	return run->end - run->start == 2 * sizeof signature && bit(p->begun, run->end) &&
	       !memcmp(bytes_at(p, run->start), signature, sizeof signature);
}

/* Whether a run that is reached only from the instruction before it is a table behind a function's end. */
static bool is_behind_end(struct pairing *p, const struct range *run)
{
	if (!p->falls_through)
		return false;
	find_entries(p);
	return !bit(p->entered, run->start) && (is_signature(p, run) || (may_be_over(p) && is_looked_for(p, run)));
}

/* Whether a string is a jump to a later statement's beginning: clang spells so what may be written over later
 * (-fxray-instrument). */
static bool is_jump(const struct pairing *p, size_t i)
{
	const struct range *range = &p->ranges.at[i];
	ZydisDecodedInstruction d;
	int64_t target;

	if (!asm_text_is(p->file->stmts[range->stmt].name, ".ascii") ||
	    !decode_length(bytes_at(p, range->start), range->end - range->start, &d) ||
	    d.mnemonic != ZYDIS_MNEMONIC_JMP || !d.raw.imm[0].is_relative || d.length != range->end - range->start)
		return false;
	target = range->end + d.raw.imm[0].value.s;
	while (++i < p->ranges.n && p->ranges.at[i].start < target)
		;
	return i < p->ranges.n && p->ranges.at[i].start == target && p->ranges.at[i].role == ROLE_INSN;
}

static bool has_data(const struct pairing *p, size_t i, size_t n)
{
	for (size_t k = i; k < i + n; k++)
		if (is_never_code(p->file->stmts[p->ranges.at[k].stmt].name) && !is_jump(p, k))
			return true;
	return false;
}

/* Whether a run begins with a jump to where it ends: clang's -fsanitize=function keeps a function's type so, directly
 * behind its label, where those who call it look. */
static bool jumps_over(const struct pairing *p, const struct range *run)
{
	ZydisDecodedInstruction d;

	return run->end - run->start <= UINT8_MAX &&
	       decode_length(bytes_at(p, run->start), run->end - run->start, &d) &&
	       d.mnemonic == ZYDIS_MNEMONIC_JMP && d.raw.imm[0].is_relative &&
	       !relocated(p, run->start, run->start + d.length) && run->start + d.length < run->end &&
	       run->start + d.length + d.raw.imm[0].value.s == run->end;
}

/* At a function's beginning nothing is planted before it: whoever looks for it does so behind the label. */
static void add_jump_over(struct pairing *p, const struct range *run)
{
	struct insn *insn = add(p, run->stmt, run->start, run->end);

	find_entries(p);
	insn->jumps_over = true;
	insn->glued |= bit(p->begun, run->start);
	p->falls_through = true;
}

/* A run of .byte statements: each instruction belongs to the statement of its first byte. Returns
 * the number of ranges taken. */
static size_t add_bytes(struct pairing *p, size_t i)
{
	const struct range *ranges = p->ranges.at;
	size_t n = length_of_run(p, i);
	struct range run = ranges[i];

	run.end = ranges[i + n - 1].end;
	if (jumps_over(p, &run) && reached(p, run.start)) {
		add_jump_over(p, &run);
		return n;
	}
	if (is_behind_end(p, &run)) {
		add_data(p, &run);
		p->unit->insns.at[p->unit->insns.n - 1].behind_end = true;
		return n;
	}
	if (!decodes(p, run.start, run.end) || has_data(p, i, n) || is_called_over(p, &run) ||
	    !(reached(p, run.start) || leads_into_code(p, i + n - 1))) {
		add_data(p, &run);
		return n;
	}
	for (uint32_t at = run.start; at < run.end;) {
		ZydisDecodedInstruction d;

		decode_length(bytes_at(p, at), run.end - at, &d);
		while (ranges[i].end <= at)
			i++;
		add(p, ranges[i].stmt, at, at + d.length);
		if (d.raw.imm[0].is_relative) {
			find_entries(p);
			note_target(p, at, &d);
		}
		at += d.length;
		p->falls_through = decode_falls_through(&d);
	}
	return n;
}

static bool all_prefixes(const struct pairing *p, const struct range *range)
{
	if (range->end - range->start > PREFIXES_MAX)
		return false;
	for (uint32_t at = range->start; at < range->end; at++)
		if (!decode_is_prefix(p->section->bytes[at]))
			return false;
	return true;
}

/* Whether a range is that of a lone prefix, without its instruction. */
static bool is_parted(const struct pairing *p, const struct range *range)
{
	return range->role == ROLE_INSN && p->file->stmts[range->stmt].prefix_only && all_prefixes(p, range);
}

/* Lets statements that are prefixes only begin the instruction that follows. Those before a label are bytes that go on
 * as an instruction (rigid.h). */
static void join_prefixes(struct pairing *p)
{
	struct range *ranges = p->ranges.at;
	size_t to = p->ranges.n;

	for (size_t i = p->ranges.n; i--;) {
		struct range *next = &ranges[to];

		if (to < p->ranges.n && next->role == ROLE_INSN && ranges[i].role != ROLE_PADDING &&
		    all_prefixes(p, &ranges[i]) && goes_on(p, &ranges[i], next)) {
			next->stmt = ranges[i].stmt;
			next->start = ranges[i].start;
		} else {
			ranges[--to] = ranges[i];
			if (is_parted(p, &ranges[to]))
				ranges[to].role = ROLE_DATA;
		}
	}
	p->ranges.n -= to;
	memmove(ranges, ranges + to, p->ranges.n * sizeof *ranges);
}

static bool has_word(struct asm_text text, const char *word)
{
	const size_t n = strlen(word);

	for (size_t i = 0; i + n <= text.len; i++)
		if (asm_text_means((struct asm_text){text.p + i, n}, word))
			return true;
	return false;
}

/* Other modes decode differently. */
static bool other_mode(const struct pairing *p, const struct range *range)
{
	struct asm_text text = p->file->stmts[range->stmt].text;

	return has_word(text, ".code32") || has_word(text, ".code16");
}

static void add_range(struct pairing *p, const struct range *range)
{
	if (range->role == ROLE_PADDING)
		add_padding(p, range);
	else if (range->role == ROLE_RAW && other_mode(p, range))
		add_data(p, range);
	else
		add_code(p, range);
}

static void pair_section(struct pairing *p)
{
	struct text_section *section = &p->unit->sections.at[p->index];

	p->falls_through = false;
	p->entered = p->begun = NULL;
	section->first_insn = p->unit->insns.n;
	join_prefixes(p);
	for (size_t i = 0; i < p->ranges.n;) {
		if (p->ranges.at[i].role == ROLE_DATA)
			i += add_bytes(p, i);
		else
			add_range(p, &p->ranges.at[i++]);
	}
	section->n_insns = p->unit->insns.n - section->first_insn;
	free(p->entered);
	free(p->begun);
}

/* Ranges */

static int by_place(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->role != y->role)
		return x->role < y->role ? -1 : 1;
	return (x->stmt > y->stmt) - (x->stmt < y->stmt);
}

/* Bytes before the first mark of a section come from a raw region that switches to it. */
static uint32_t unmarked_stmt(const struct asm_file *file)
{
	for (size_t i = 0; i < file->n; i++)
		if (file->stmts[i].kind == ASM_RAW)
			return i;
	return 0;
}

/* The ranges of the section in work, from its marks, which begin at *at. */
static void find_ranges(struct pairing *p, const struct marks *marks, size_t *at)
{
	struct range range = {p->unmarked, 0, 0, ROLE_RAW, p->unmarked};

	p->ranges.n = 0;
	p->first_mark = p->section->size;
	for (; *at < marks->all.n && marks->all.at[*at].section == p->index; ++*at) {
		const struct mark *mark = &marks->all.at[*at];

		if (mark->offset < p->first_mark)
			p->first_mark = mark->offset;
		range.end = mark->offset;
		if (range.end > range.start)
			VEC_PUSH(&p->ranges, range);
		range = (struct range){mark->stmt, mark->offset, 0, mark->role, mark->stmt};
	}
	range.end = p->section->size;
	if (range.end > range.start)
		VEC_PUSH(&p->ranges, range);
}

/* Sections */

static void add_sections(struct pairing *p)
{
	for (size_t i = 0; i < p->object->sections.n; i++) {
		const struct object_section *from = &p->object->sections.at[i];

		VEC_PUSH(&p->unit->sections, (struct text_section){
						 .name = from->name,
						 .align = from->align,
						 .size = from->size,
						 .elf_index = from->elf_index,
					     });
	}
}

static struct asm_text made_up_directive(const struct object_section *section)
{
	char *s =
	    xasprintf("\"%s\",\"ax%s\",@progbits", section->name, section->flags & 1 ? "w" : "");
	struct asm_text text = {arena_string(s, strlen(s)), strlen(s)};

	free(s);
	return text;
}

static bool names(struct asm_text name, const char *s)
{
	return name.len == strlen(s) && !memcmp(name.p, s, name.len);
}

/* Gives each section the directive in force where its first statement stands. */
static void find_directives(struct pairing *p, const struct marks *marks)
{
	uint32_t *section_of = xalloc(p->file->n, sizeof *section_of);
	struct switches switches;

	for (size_t i = 0; i < marks->all.n; i++)
		section_of[marks->all.at[i].stmt] = marks->all.at[i].section + 1;
	switches_begin(&switches);
	for (size_t i = 0; i < p->file->n; i++) {
		struct text_section *section = NULL;

		switches_follow(&switches, &p->file->stmts[i]);
		if (section_of[i])
			section = &p->unit->sections.at[section_of[i] - 1];
		if (section && !section->directive.p && names(switches.now.name, section->name))
			section->directive = switches.now.directive;
	}
	switches_end(&switches);
	free(section_of);
	for (size_t i = 0; i < p->unit->sections.n; i++)
		if (!p->unit->sections.at[i].directive.p)
			p->unit->sections.at[i].directive =
			    made_up_directive(&p->object->sections.at[i]);
}

void pair(struct unit *unit, const struct object *object, struct marks *marks)
{
	struct pairing p = {.unit = unit, .file = unit->file, .object = object};
	size_t at = 0;

	if (marks->all.n)
		qsort(marks->all.at, marks->all.n, sizeof *marks->all.at, by_place);
	unit->stmt_insn = arena_alloc((unit->file->n + 1) * sizeof *unit->stmt_insn);
	memset(unit->stmt_insn, 0xff, (unit->file->n + 1) * sizeof *unit->stmt_insn);
	add_sections(&p);
	find_directives(&p, marks);
	macros_add_file(&p.macros, p.file);
	count_labels(&p);
	p.unmarked = unmarked_stmt(unit->file);
	for (p.index = 0; p.index < object->sections.n; p.index++) {
		p.section = &object->sections.at[p.index];
		find_ranges(&p, marks, &at);
		pair_section(&p);
	}
	macros_free(&p.macros);
	free(p.labels);
	names_free(&p.names);
	free(p.named);
	free(p.branched_to);
	VEC_FREE(&p.ranges);
}
