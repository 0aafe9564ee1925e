/* Words of LLVM's own assembler that gas does not know. */
#ifndef INSTRUMENT_DIALECT_H
#define INSTRUMENT_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

/* Puts numbers, which gas takes, in the place of LLVM's names of section types, and what gas does not warn of in the
 * place of prefixes that stand alone; lines stay, and other columns. Returns whether there was any. */
bool dialect_translate(char *text, size_t len);

#endif
