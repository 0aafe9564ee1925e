/* Which section a statement's bytes go to, by following .section and its kin as gas does. */
#ifndef INSTRUMENT_SWITCHES_H
#define INSTRUMENT_SWITCHES_H

#include "asmparse/asm.h"
#include "common/mem.h"

#include <stdbool.h>

/* A section as the file names it. */
struct place {
	struct asm_text directive; /* what switches to it: ".text", or the arguments of .section */
	struct asm_text name;
	bool data; /* surely no code: said so by its flags or its name */
	bool doubtful; /* it is another if gas left out what switched to it (labelling.c) */
};

struct seen_section;

struct switches {
	struct place now, previous;
	VEC(struct place) stack; /* pairs: now, previous */
	struct seen_section *seen; /* named with flags, for later mentions without */
};

/* Whether the name, or the arguments of .section, are of debug information. */
bool is_debug_section(struct asm_text name);

/* The start of a file. */
void switches_begin(struct switches *s);

/* Whether a statement switches. */
bool switches_at(const struct asm_stmt *stmt);

/* Follows one statement; whether it switches. A switch hidden in a macro is not seen. */
bool switches_follow(struct switches *s, const struct asm_stmt *stmt);

void switches_end(struct switches *s);

#endif
