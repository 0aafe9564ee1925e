/* Client requests: how a program speaks to Valgrind, and to the runtime. */
#ifndef INSTRUMENT_REQUESTS_H
#define INSTRUMENT_REQUESTS_H

#include "instrument/unit.h"

/* Fills insn.request and insn.unsure. Needs the instructions' bytes and nothing else. */
void requests_find(struct unit *unit);

/* Whether the instruction is the last of a client request's. */
bool requests_end(const struct unit *unit, uint32_t insn);

#endif
