/* Basic blocks and the flow graph of a unit. */
#ifndef INSTRUMENT_BLOCKS_H
#define INSTRUMENT_BLOCKS_H

#include "instrument/unit.h"

#define NO_BLOCK UINT32_MAX
#define NO_FUNCTION UINT32_MAX

struct function {
	const char *name;
	uint32_t entry_insn;
	bool global;	     /* visible outside the unit */
	bool address_taken;  /* named outside branches: may be called from anywhere */
	bool far;	     /* called through a register by who knows what it calls: its address is moved by a
			      * movabs, as in the large code model, or by anything where calls are made so
			      * (-mforce-indirect-call), perhaps through thunks (-mindirect-branch=) */
	bool early;	     /* an ifunc's resolver, or called by one: runs before thread-local storage
			      * exists */
	VEC(uint32_t) taken; /* blocks in it whose address is taken: targets of its indirect jumps */
	uint32_t whole;	     /* of a part (object.h), or another name: the function; else itself */
};

struct block_bb {
	uint32_t section;
	uint32_t first, n;	/* instructions */
	uint32_t function;	/* index into flow.functions or NO_FUNCTION */
	uint32_t next;		/* falls through to, or NO_BLOCK */
	uint32_t target;	/* direct jump or branch within the unit, or NO_BLOCK */
	uint32_t callee;	/* direct call of a function of the unit: its block; or NO_BLOCK */
	bool replaceable;	/* the callee, or where it jumps to, by another module's of the name; */
	bool weak;		/* ... or by another unit's */
	bool entry;		/* a function label stands at it */
	bool outer;		/* control may come from another unit: it has a global name, or one that is taken
				 * outside of all functions, or none and begins its section, and what the linker
				 * puts before runs into it (.init) */
	bool called;		/* by a call in the midst of a function, as in thunks */
	bool winding;		/* control comes into its midst, or leaves it there, as in a macro */
	bool odd;		/* that, or control may come from the midst of another block */
	bool reachable;		/* padding behind a jump is not, if nothing else goes to it */
	bool leaves;		/* jumps directly to a symbol outside the unit: a tail call */
	bool opaque;		/* ends in something unknown, or runs off the section's end */
	bool red_zone;		/* what lies below rsp may be in use (redzone.h) */
};

struct flow {
	struct unit *unit;
	VEC(struct block_bb) blocks; /* in the order of unit->insns */
	VEC(struct function) functions;
	bool far;     /* one of the functions is */
	bool by_hand; /* not a compiler's output: no calling convention can be relied on */
	bool moves;   /* between threads: what is called may return in another one, and labels be come to, as in Go */
};

/* Whether the file is no compiler's output. */
bool written_by_hand(const struct asm_file *file);

/* The first instruction at or behind an offset of a section, or the one behind its last. */
uint32_t insn_from(const struct unit *u, uint32_t section, uint32_t offset);

/* The instruction that begins at an offset of a section, or UINT32_MAX. */
uint32_t insn_at(const struct unit *u, uint32_t section, uint32_t offset);

/* The first label at or behind an offset of a section, by its index in u->labels. */
size_t label_from(const struct unit *u, uint32_t section, int64_t offset);

/* The instruction whose address this one works out by a distance, or UINT32_MAX. */
uint32_t insn_addressed(const struct unit *u, const struct insn *insn);

/* Whether that can be written as a label instead. */
bool insn_addresses_label(const struct unit *u, const struct insn *insn);

/* Whether the instruction returns to the address that the one before it, of the same block, puts on the stack, as
 * thunks do. */
bool jumps_by_return(const struct unit *u, uint32_t insn);

/* Splits the unit into basic blocks: a block begins at a label that something refers to, after a
 * branch, after a call (which may not return), and after FETCH_LONGEST bytes. Fills insn.block. */
void blocks_find(struct flow *flow, struct unit *unit);

/* Marks the blocks that code elsewhere may jump to, by a label with a name of its own. */
void blocks_named(const struct flow *flow, bool *named);

/* Whether the block may jump to code outside the unit. */
static inline bool may_leave(const struct block_bb *b)
{
	return b->leaves || b->replaceable;
}

/* Whether control goes on at next or target at once, and nowhere else. Not where it may do so more or less often than
 * it comes, or with counting gone on or off. */
bool goes_on_within(const struct flow *flow, const struct block_bb *b);

/* Whether the block's function runs early. */
bool runs_early(const struct flow *flow, const struct block_bb *b);

/* --ddump-ident-bbs */
void blocks_dump(const struct flow *flow, FILE *out);

#endif
