/* What the .cfi directives say, statement by statement, of the canonical frame address. */
#ifndef INSTRUMENT_CFI_H
#define INSTRUMENT_CFI_H

#include "instrument/switches.h"
#include "instrument/unit.h"

struct cfi_place;

struct cfi {
	bool blind;		 /* the directives cannot be followed */
	struct switches switches;
	struct cfi_place *places, *now; /* per section; the current one */
};

/* The start of the file. */
void cfi_begin(struct cfi *c, const struct asm_file *file);

/* Follows the next statement. */
void cfi_follow(struct cfi *c, const struct asm_stmt *stmt);

/* Whether code that stands here and moves rsp must say so: an FDE is open, and its CFA is rsp and a
 * constant. False where that cannot be known: unwinding from such code is as good as it was. */
bool cfi_on_rsp(const struct cfi *c);

void cfi_end(struct cfi *c);

/* The register that operands begin with, by DWARF's number (System V AMD64 ABI 1.0, table 3.36) or by name; 0: none, or
 * no general one. */
regset cfi_register(struct asm_text args);

/* Fills in insn.cfa and insn.caught. */
void cfi_find(struct unit *unit);

#endif
