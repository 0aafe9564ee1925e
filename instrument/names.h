/* Labels by the names that statements call them by. */
#ifndef INSTRUMENT_NAMES_H
#define INSTRUMENT_NAMES_H

#include "instrument/unit.h"

struct named;

struct names {
	struct named *all;
};

void names_index(struct names *names, const struct unit *unit);

/* The label that a statement means by the name, or NULL. A numeric one (1f, 1b) is the next at or behind the
 * statement, or the last before it. An immediate's '$' may stand before the name; a label can be called "$f", too. */
const struct label *names_label(const struct names *names, struct asm_text name, uint32_t stmt);

void names_free(struct names *names);

#endif
