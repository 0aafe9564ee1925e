/* The text of a compiler's assembly, as far as a view needs to understand it: what is an
 * instruction, in which function, compiled from which line. */
#ifndef CACHEPRINT_ASSEMBLY_H
#define CACHEPRINT_ASSEMBLY_H

#include "cacheprint/source.h"

enum assembly_kind { ASSEMBLY_OTHER, ASSEMBLY_LABEL, ASSEMBLY_INSN };

#define ASSEMBLY_NONE UINT32_MAX

struct assembly_line {
	enum assembly_kind kind;
	uint32_t function; /* index into functions, or ASSEMBLY_NONE */
	uint32_t file;     /* index into files, or ASSEMBLY_NONE; of what it was compiled from */
	uint32_t line;     /* 0: unknown */
};

struct assembly {
	VEC(const char *) files;     /* as the compiler named them; made absolute if it said how */
	VEC(const char *) functions; /* symbols, in the order of the text */
	VEC(struct assembly_line) lines; /* line n of the text is at[n - 1] */
};

/* Reads AT&T syntax; everything lives in the arena or as long as the process. */
struct assembly *assembly_read(const struct source *text);

#endif
