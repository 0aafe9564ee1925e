/* Pairing statements with the bytes that gas made of them. */
#ifndef INSTRUMENT_PAIR_H
#define INSTRUMENT_PAIR_H

#include "instrument/object.h"
#include "instrument/unit.h"

/* What a statement may put into a section of code. When several statements begin at one offset,
 * only one of them has bytes, and it is of the last kind that occurs. */
enum role {
	ROLE_NONE,
	ROLE_PADDING, /* .p2align and its kin */
	ROLE_DATA,    /* .byte, .quad, .skip, ...: instructions, or a table in text */
	ROLE_RAW,     /* a region that the parser passed through */
	ROLE_INSN,
};
enum role role_of(const struct asm_stmt *stmt);

/* Where the bytes of a statement begin. */
struct mark {
	uint32_t stmt;
	uint32_t section; /* of the object */
	uint32_t offset;
	enum role role;
};
struct marks {
	VEC(struct mark) all;
};

/* Fills unit->sections, insns and stmt_insn from the marks, which it sorts. Every byte of every
 * section gets into exactly one entry of insns. */
void pair(struct unit *unit, const struct object *object, struct marks *marks);

#endif
