/* --libc-model: references that functions of libc make, as references of their calls. */
#ifndef INSTRUMENT_CALLEES_H
#define INSTRUMENT_CALLEES_H

#include "instrument/unit.h"

/* Adds to each call, or jump, to a function of callees.def that the unit does not define itself the
 * ranges which that function refers to, after its own references. Their cost centre is the call's
 * file and line under a function with the callee's name. After lines_find. */
void callees_find(struct unit *unit);

/* Whether what it calls, or jumps to, is one of those functions and always returns. */
bool callee_returns(const struct insn *insn);

#endif
