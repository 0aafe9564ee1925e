/* The functions of libc that have something else before them (include/libc.def). The compiler's text
 * stays as it is; an equate behind it makes gas write the other name into the relocations. What the file
 * does not call, defines itself or can do without (weak) is left alone.
 *
 * The linker is to find the function where it would natively, perhaps in one of the program's own archives, and
 * ends.a comes behind them: so the object names it, too. gas cannot write a name that is an equate, but writes one
 * that ends in it (PLACES_NAME, places.c). */
#include "instrument/libc.h"

#include "instrument/expression.h"
#include "instrument/places.h"

#include <string.h>

static const char *const names[] = {
#define BEFORE(name, hook) #name,
#define CHANGE(name, hook) #name,
#define AFTER(name, hook) #name,
#define AROUND(name, hook) #name,
#define INSTEAD(name, function) #name,
#include "include/libc.def"
};

static bool needs(const struct unit *unit, const char *name)
{
	for (size_t i = 0; i < unit->needs.n; i++)
		if (!strcmp(unit->needs.at[i], name))
			return true;
	return false;
}

const char *libc_in_got(const struct unit *unit, const struct insn *insn)
{
	for (int r = 0; r < insn->n_refs; r++) {
		struct asm_text symbol = expression_strip_suffix(insn->refs[r].symbol, "@gotpcrel");

		if (insn->refs[r].form != REF_GOT)
			continue;
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (asm_text_is(symbol, names[i]) && needs(unit, names[i]))
				return names[i];
	}
	return NULL;
}

void libc_print_got(FILE *out, const char *name)
{
	fprintf(out, "\tmovq\t" PLACES_NAME "%s@GOTPCREL(%%rip), %%rax\n", name);
}

void libc_print(FILE *out, const struct unit *unit)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (needs(unit, names[i]))
			fprintf(out, "\t.set\t%s,cacheprof_libc_%s\n\t.globl\t" PLACES_NAME "%s\n", names[i], names[i],
				names[i]);
}
