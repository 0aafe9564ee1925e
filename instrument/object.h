/* The object that gas made of the labelled file, as far as it concerns code. */
#ifndef INSTRUMENT_OBJECT_H
#define INSTRUMENT_OBJECT_H

#include "common/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct object_section {
	const char *name;
	const uint8_t *bytes;
	uint64_t size, align, flags;
	uint32_t elf_index;
	VEC(uint32_t) relocations; /* offsets, ascending */
	VEC(uint32_t) functions;   /* offsets of function symbols */
};

struct object_symbol {
	const char *name;
	uint32_t section; /* index into object.sections */
	uint32_t offset;
	bool function; /* or a part of one */
	bool ifunc, global;
	bool weak; /* and not one of several that are the same (COMDAT) */
};

struct object {
	VEC(struct object_section) sections; /* of code, not empty, in the object's order */
	VEC(struct object_symbol) symbols;   /* those defined in them, in the object's order */
	VEC(const char *) needs;	     /* undefined symbols, but for weak ones */
};

/* Reads the object at path; everything is copied into the arena. Dies when it is no x86-64 object.
 */
void object_read(struct object *object, const char *path);

/* Where in a symbol's name is said that it is a part of the function of the name before, in a section of its
 * own: "f.cold", Clang's "f.__part.2" and "f.eh". NULL: it says nothing of the kind. */
const char *object_part(const char *name);

#endif
