/* The planted texts: a table and its one interpreter. */
#ifndef INSTRUMENT_SEQUENCE_H
#define INSTRUMENT_SEQUENCE_H

#include "instrument/groups.h"

enum sequence {
#define SEQUENCE(name, text) SEQ_##name,
#include "instrument/sequences_x86_64.def"
#undef SEQUENCE
};

/* What stands in a sequence's places; see the table. */
struct slots {
	uint8_t a, b, c;
	uint32_t n, s;
	uint64_t x, y;
	uint32_t span; /* bytes of a cluster */
	const char *low, *high, *stub;
};

void sequence_print(FILE *out, enum sequence which, const struct slots *slots);

/* "%rax", "%eax". The strings are constant. */
const char *register_name(uint8_t r);
const char *register_name32(uint8_t r);

/* The operand text of address + offset, in buffer, which must hold 64 bytes more than the symbol. */
void address_print(char *buffer, const struct address *a, int64_t offset);

/* Room that address_print needs for a. */
static inline size_t address_room(const struct address *a)
{
	return a->symbol.len + 64;
}

#endif
