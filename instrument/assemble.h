/* The first assembly: the original text with a label before each statement, through the real gas,
 * read back with libelf. It pairs text with bytes. */
#ifndef INSTRUMENT_ASSEMBLE_H
#define INSTRUMENT_ASSEMBLE_H

#include "instrument/unit.h"

/* How gas is called: argv without input and output (options only), the program first. */
struct assembler {
	char **argv;
	const char *temp_dir; /* private directory for intermediate files; the caller removes it */
};

/* Assembles file's statements as they stand, once, and fills unit->sections, insns (stmt, section,
 * offset, len, padding, data, bytes), labels and stmt_insn. When gas refuses the text, its messages
 * go to stderr with the temporary file's name replaced by the input's and line numbers as in the
 * input, and the return value is gas's exit status (128 + signal if it was killed); 0 on success. */
int assemble(struct unit *unit, const struct asm_file *file, const struct assembler *as);

/* Runs the assembler on the file in with output out; returns its status as above. */
int assembler_run(const struct assembler *as, const char *in, const char *out);

#endif
