/* Calls of libc in which a process ends, or that show it its signals. */
#ifndef INSTRUMENT_LIBC_H
#define INSTRUMENT_LIBC_H

#include <stdio.h>

#include "instrument/unit.h"

/* Prints what leads the unit's calls of them to the runtime. */
void libc_print(FILE *out, const struct unit *unit);

/* The bytes of what libc_print_got prints, as a row of struct got (include/site.h) has them. */
#define LIBC_GOT_LENGTH 7
#define LIBC_GOT_DISP_AT 3
#define LIBC_GOT_ORIGINAL "0x8b,0x05"

/* The one of them whose place in the GOT the instruction reads, or NULL: the linker finds the runtime's in the
 * module and makes something else of the operand. */
const char *libc_in_got(const struct unit *unit, const struct insn *insn);

/* Prints an instruction that nobody executes, of which it makes what it would of such an operand natively. */
void libc_print_got(FILE *out, const char *name);

#endif
