/* The names that a file gives to macros. */
#ifndef INSTRUMENT_MACROS_H
#define INSTRUMENT_MACROS_H

#include "asmparse/asm.h"

struct macro;

/* Empty when zeroed. */
struct macros {
	struct macro *names;
};

/* Adds the names of all that is defined in a text. */
void macros_add(struct macros *macros, struct asm_text text);
void macros_add_file(struct macros *macros, const struct asm_file *file);
void macros_free(struct macros *macros);

/* Case makes no difference to gas. */
bool macros_have(const struct macros *macros, struct asm_text name);

#endif
