/* Plain copies of functions, which run in their place while counting is off (--plain-copies=yes).
 *
 * A copy is the function as the compiler wrote it, its labels renamed, its exception tables copied as
 * well. It lies in a section beside the cold code. A byte of the module says for each function where its
 * next execution is to run (struct chunk, asleep). The function looks at it at its entrance. The copy
 * looks behind calls and at landing pads, and goes on at the same place of the function: there control
 * comes from elsewhere anyway, so that no block's executions are derived from those before (conserve.c).
 *
 * Addresses that a program can hold must be the same in both, since it takes them from one to the other in
 * registers: those of labels are the function's, and so are jump tables. Where they lead the function looks,
 * too. */
#ifndef INSTRUMENT_COPIES_H
#define INSTRUMENT_COPIES_H

#include "instrument/liveness.h"
#include "instrument/worklist.h"

/* What stands at an instruction of a function that has a copy. */
enum {
	COPY_LOOK_OFF = 1,	  /* before it, in the function: is counting off? then on in the copy */
	COPY_LOOK_OFF_BEHIND = 2, /* behind it, where it ends a client request */
	COPY_LOOK_ON = 4,	  /* before it, in the copy: is counting on? then on in the function */
	COPY_LOOK_ON_BEHIND = 8,  /* behind it, where it is a call */
	COPY_COMES = 16,	  /* before it, in the function: control comes from the copy */
};

/* A run of statements that is copied: a function, the part of one that lies in another section, or a table
 * that the unwinder reads. */
struct copied_piece {
	bool table;
	uint32_t function; /* the whole one: index into flow.functions */
	uint32_t begins;   /* the function, or part of one, whose label it begins with; not a table */
	uint32_t section;  /* index into unit.sections; of a table: that of its function's beginning */
	uint32_t first;	   /* statement */
	struct asm_text directive; /* of a table: what switches to its section */
};

/* A function that has a copy. */
struct copy {
	uint32_t section; /* of its beginning */
	uint32_t number;  /* among those of its section */
	uint32_t entrance; /* its first instruction */
	bool of_known;	   /* only threads that are known may run it: it goes to the function's labels by
			    * their addresses */
};

struct copied_name;

struct copies {
	const struct flow *flow;
	VEC(struct copied_piece) pieces;
	VEC(struct copy) made;
	struct lists made_in; /* per section: indices into made, the last one first; where there are any */
	uint32_t *piece_of; /* per statement: 1 + index into pieces, or 0 */
	uint8_t *at;	    /* per instruction: COPY_ */
	uint32_t *copy_of;  /* per function: 1 + index into made, or 0 */
	struct copied_name *names;
};

/* Finds which functions can have a copy; all, but for those with something in them that cannot be there
 * twice, or where a look would destroy flags. */
void copies_find(struct copies *copies, const struct flow *flow, const struct liveness *live);

/* The piece that the statement is a part of; NULL: it is not copied. */
const struct copied_piece *copies_piece(const struct copies *copies, uint32_t stmt);

/* The copy that an instruction is in, or NULL. */
const struct copy *copies_copy(const struct copies *copies, uint32_t insn);

/* Whether the function that begins there must make its thread known at the entrance even if nobody else calls
 * it: copies may, whose threads need not be known. copies: NULL where there are none. */
bool copies_want_known(const struct copies *copies, uint32_t insn);

/* The statement as it is in the copy: nothing of it where it is of no use there. */
void copies_print(const struct copies *copies, uint32_t stmt, FILE *out);

#endif
