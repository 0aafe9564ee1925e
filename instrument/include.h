/* .include: the lines of other files, in its place. */
#ifndef INSTRUMENT_INCLUDE_H
#define INSTRUMENT_INCLUDE_H

#include "asmparse/asm.h"
#include "instrument/gas.h"

/* Returns the file with what it includes in its place; in hand-written assembly between line marks, so that lines are
 * counted as those of their own files. Or the file itself, where there is nothing to include or gas makes something
 * else of the whole, which is said if gas takes the file. Writes the files "listed.s", "listed.o", "expanded.s" and
 * "expanded.o" of the assembler's directory. */
const struct asm_file *include(const struct asm_file *file, const struct assembler *as);

#endif
