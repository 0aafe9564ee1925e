/* Pairing statements with the bytes that gas made of them. */
#ifndef INSTRUMENT_PAIR_H
#define INSTRUMENT_PAIR_H

#include "instrument/labelling.h"
#include "instrument/object.h"
#include "instrument/unit.h"

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
