/* Files of ours in the assembler's directory, and gas on them, to see what it makes of a text that was written in
 * another way. Only the names that main.c removes are used. */
#ifndef INSTRUMENT_TRIAL_H
#define INSTRUMENT_TRIAL_H

#include <stddef.h>

#include "instrument/gas.h"

void trial_write(const struct assembler *as, const char *name, const char *text, size_t len);

/* The whole file, which the caller frees. */
char *trial_read(const struct assembler *as, const char *name, size_t *len);

/* True if gas takes it. What it says is lost, and so is debug information, which would have the file's name.
 * options: more of them, ended by NULL; or NULL. */
bool trial_assemble(const struct assembler *as, const char *in, const char *out, const char *const *options);

/* Whether gas makes of expanded.s what listed.o is, byte for byte. */
bool trial_expanded(const struct assembler *as);

#endif
