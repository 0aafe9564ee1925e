/* Where labels stand in the first assembly.
 *
 * A label before every statement would treble gas's work. Where a statement makes one instruction,
 * its place follows from the one before: so labels stand where that is not so, and behind such a
 * stretch to prove that it was. If the proof fails, a dense labelling does without the assumption.
 */
#ifndef INSTRUMENT_LABELLING_H
#define INSTRUMENT_LABELLING_H

#include "instrument/switches.h"

/* What a statement may put into a section of code. When several statements begin at one offset,
 * only one of them has bytes, and it is of the last kind that occurs. */
enum role {
	ROLE_NONE,
	ROLE_LABEL,
	ROLE_CONDITION, /* .if and its kin, .include: what follows may not be there, or more */
	ROLE_PADDING,	/* .p2align and its kin */
	ROLE_DATA,	/* .byte, .quad, .skip, ...: instructions, or a table in text */
	ROLE_RAW,	/* a region that the parser passed through */
	ROLE_INSN,
};
enum role role_of(const struct asm_stmt *stmt);

/* Whether it is spelled .= or .set . and does what .org does. */
bool sets_place(const struct asm_stmt *stmt);

struct labelling {
	struct switches switches;
	bool dense;
	bool known; /* the next statement's place follows from the last label */
	bool in_prefix;
	unsigned conditions; /* that are open */
};

void labelling_begin(struct labelling *l, bool dense);

/* Goes one statement on; whether a label stands before it. Nothing comes between a lone prefix and
 * its instruction, unless a label of the file's own does. */
bool labelling_follow(struct labelling *l, const struct asm_stmt *stmt);

void labelling_end(struct labelling *l);

/* Whether macros or conditions make it unlikely that each statement makes one instruction. */
bool labelling_must_be_dense(const struct asm_file *file);

#endif
