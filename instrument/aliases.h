/* Names for what an operand's symbol means where it stands. */
#ifndef INSTRUMENT_ALIASES_H
#define INSTRUMENT_ALIASES_H

#include "instrument/unit.h"

/* In references whose symbol may mean something else elsewhere in the file, puts a symbol of ours in its
 * place: fills unit->aliases and insn.alias. After the facts. */
void aliases_find(struct unit *unit);

/* The symbols that the file sets more than once, and whether the text names one. */
struct set_name;
struct set_name *aliases_sets(const struct asm_file *file);
bool aliases_set_again(struct set_name *names, struct asm_text text);
void aliases_forget(struct set_name *names);

/* Before the instruction that has it: gives the alias its meaning. */
void alias_print(FILE *out, const struct unit *unit, const struct insn *insn);

#endif
