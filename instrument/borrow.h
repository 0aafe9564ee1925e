/* Registers and flags that planted code may use although the program may need them afterwards. */
#ifndef INSTRUMENT_BORROW_H
#define INSTRUMENT_BORROW_H

#include "instrument/plan.h"

/* Finds need registers for code planted where live are alive and it uses the registers used, which it must leave alone,
 * as those by which unwinders tell frames (cfa; cfi.h); flags: it destroys them. Fills in p but for its place, red_zone
 * and what is planted. */
void borrow_registers(struct point *p, liveset live, regset cfa, regset used, int need, bool flags);

#endif
