/* What the modules of the emission share, emit.c and emit_*.c: its state, and how something is planted. */
#ifndef INSTRUMENT_EMITTER_H
#define INSTRUMENT_EMITTER_H

#include "instrument/cfi.h"
#include "instrument/emit.h"
#include "instrument/sequence.h"
#include "instrument/tables.h"

struct emitter {
	const struct emission *e;
	const struct flow *flow;
	const struct unit *unit;
	FILE *out;
	struct section_tables *tables; /* per section */
	uint32_t number;	       /* of the next planted piece */
	char *operand;		       /* an operand's text, until the next one; see make_room */
	size_t room;		       /* bytes of it */
	struct cfi cfi;
	bool *begun;		       /* per section: something of it is printed, */
	bool *placed;		       /* and the label of its beginning is */
	bool strided;		       /* it is the second text of a strided loop */
	uint32_t copied;	       /* the last instruction of which the copies have a part */
	bool requesting;	       /* it is one of a client request */

	/* What is found before anything is printed. */
	uint32_t *point_of;   /* per instruction: the first of its points, or UINT32_MAX */
	uint32_t *anchored;   /* per statement: the instruction of the label, or UINT32_MAX */
	uint32_t *loop_place; /* per block that is a loop: the statement before which it is entered */
	uint32_t *loop_at;    /* per statement: the block that it is so for, or NO_BLOCK */
	bool *aimed;	      /* per instruction: branches by distance lead to it */
	bool *avx;	      /* per block: the processor has it */
	uint32_t *first_insns; /* see tables_first_insns */
};

/* The tables of the instruction's section. */
struct section_tables *tables_of(struct emitter *em, uint32_t insn);

/* In em->operand, for the text of an address. */
void make_room(struct emitter *em, const struct address *a);

/* Prints a sequence in the text, not aside. */
void plant(struct emitter *em, enum sequence seq, const struct slots *slots);

/* Whether cold code must step over a red zone where code planted before an instruction jumps to it. */
bool steps(const struct emitter *em, uint32_t insn);

/* The cold half of what jumps to a routine. Returns where its table goes. */
FILE *plant_cold(struct emitter *em, uint32_t insn, bool stepping, const struct slots *slots);

/* Where cold halves go that stand in slots of branches (sequences_x86_64.def). */
FILE *cold_branches(const struct emitter *em, uint32_t section);

/* Jumps out to a routine at every execution; table: what stands in its table's place. Returns the table's number. */
uint32_t plant_always(struct emitter *em, uint32_t insn, const char *stub, enum sequence table);

/* Says what is planted, and for which line: the instruction's. If comments are wanted. */
void comment(struct emitter *em, uint32_t insn, const char *what);

/* The statement, in the syntax that it is written in. */
void print_as_it_is(struct emitter *em, const struct asm_stmt *s);

/* Whether the instruction is the branch back at the end of a loop around which something is planted. */
bool leads_into_loop(const struct emitter *em, uint32_t insn);

#endif
