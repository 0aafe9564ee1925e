/* The first assembly: the original text with labels, through the real gas, read back with libelf.
 * It pairs text with bytes. */
#ifndef INSTRUMENT_ASSEMBLE_H
#define INSTRUMENT_ASSEMBLE_H

#include "instrument/gas.h"
#include "instrument/unit.h"

/* Assembles file's statements as they stand and fills unit->sections, insns (stmt, text_stmt,
 * section, offset, len, padding, data, unknown, relocated, glued, bytes), labels and stmt_insn. When
 * gas refuses the text, its messages go to stderr with the temporary file's name replaced by the
 * input's and line numbers as in the input; so do its warnings. Returns 0 on success, else gas's
 * exit status (128 + signal if it was killed). source: what file was written out from, or file; warnings are those
 * about source. Leaves labelled.s and labelled.o, and then listed.s and listed.o, in as->temp_dir. */
int assemble(struct unit *unit, const struct asm_file *file, const struct asm_file *source, const struct assembler *as);

#endif
