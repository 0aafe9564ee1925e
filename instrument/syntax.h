/* The source's instructions in Intel syntax, and those whose registers have no '%'. What is planted is in AT&T syntax
 * with '%', and so is all that is printed but these statements themselves: each stands between two directives. */
#ifndef INSTRUMENT_SYNTAX_H
#define INSTRUMENT_SYNTAX_H

#include "asmparse/asm.h"

#include <stdio.h>

/* Before and behind a statement's text. */
void syntax_open(const struct asm_stmt *stmt, FILE *out);
void syntax_close(const struct asm_stmt *stmt, FILE *out);

/* Whether it only says which syntax follows: it is not printed. */
bool syntax_changes(const struct asm_stmt *stmt);

#endif
