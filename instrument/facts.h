/* Facts about instructions, from their bytes (Zydis) and, for symbolic displacements, their text.
 * facts_x86_64.def has the rows where counting (the manual, 5.1 and 5.2) differs from decoding. */
#ifndef INSTRUMENT_FACTS_H
#define INSTRUMENT_FACTS_H

#include "instrument/unit.h"

/* Fills the facts of every instruction of the unit, glued flags included. An instruction unknown to
 * Zydis is a barrier that reads everything; it is named once per mnemonic in a warning. */
void facts_find(struct unit *unit);

/* --ddump-simplified: each instruction with its references, as counting takes it. */
void facts_dump(const struct unit *unit, FILE *out);

#endif
