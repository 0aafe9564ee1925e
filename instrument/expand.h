/* Macros and repetitions, written out. gas expands them itself: its listing has what became of each, and what
 * assembles to the same object as the file does is the file. */
#ifndef INSTRUMENT_EXPAND_H
#define INSTRUMENT_EXPAND_H

#include "asmparse/asm.h"
#include "instrument/gas.h"

/* Returns the file with the statements that invocations of macros, .rept and their like make in their place, on their
 * lines, and without definitions of macros; or the file itself, where nothing is expanded or gas does not take it.
 * Where gas makes something else of what was written out, that is said, and it is the file itself. The files
 * "listed.s", "listed.o", "listing", "expanded.s" and "expanded.o" of the assembler's directory are written. */
const struct asm_file *expand(const struct asm_file *file, const struct assembler *as);

#endif
