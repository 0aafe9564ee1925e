/* Words of LLVM's own assembler that gas does not know. */
#ifndef INSTRUMENT_DIALECT_H
#define INSTRUMENT_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

/* Puts numbers, which gas takes, in the place of LLVM's names of section types; columns and lines stay. Returns whether
 * there was any. */
bool dialect_translate(char *text, size_t len);

#endif
