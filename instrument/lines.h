/* Cost centres: the file, line and function of each instruction, from .file/.loc, line marks and
 * symbols. */
#ifndef INSTRUMENT_LINES_H
#define INSTRUMENT_LINES_H

#include "instrument/unit.h"

/* Fills insn.centre of every instruction and unit->centres, files, functions (each distinct one
 * once). Files are absolute where the debug info lets them be (DWARF 5: .file 0 "dir" "name" and
 * .file N "dir" "name"; relative directories are relative to the compilation directory), with "."
 * and ".." components folded textually. Without .loc a hand-written file is its own source, below
 * `directory` (NULL: as it was called): the line of the statement, or what the last line mark says.
 * An instruction before the first .loc of its section has line 0 of its file; one under line 0 stays
 * with the line before, as in the line table that gas makes of it. Padding belongs to the instruction
 * before it. The function is the nearest function label at or before the instruction in its section
 * (the last defined one when several share an address: prefer global, then first defined).
 * by_assembly: the file is the assembly and the line that of the statement, whatever .loc says. */
void lines_find(struct unit *unit, const char *directory, bool by_assembly);

/* The number of a centre among unit->centres, to which it is added unless it is among those that were added by way of
 * this table, NULL at first. centres_forget wants the table back. */
struct known_centre;
uint32_t centre_number(struct unit *unit, struct known_centre **known, struct centre centre);
void centres_forget(struct known_centre **known);

/* --ddump-ccs: the cost centre of each instruction. */
void lines_dump(const struct unit *unit, FILE *out);

#endif
