/* The tables of a unit that the runtime reads (include/site.h), as assembly text. */
#ifndef INSTRUMENT_TABLES_H
#define INSTRUMENT_TABLES_H

#include "instrument/emit.h"

/* Cold code by the form of its slots; sequences_x86_64.def. */
enum cold_kind { COLD_PLAIN, COLD_STEPS, COLD_CHECKS, COLD_CHECKS_STEP, COLD_BRANCHES, N_COLD_KINDS };

struct cold_code {
	char *text; /* from open_memstream */
	size_t size;
	FILE *out;
};

/* What the emission learns of a section while it prints the code. */
struct section_tables {
	VEC(uint32_t) gots;	/* instructions with an operand that the linker may relax away */
	uint32_t *got;		/* per site: 1 + its number in gots, or 0 */
	uint32_t *dynamic;	/* per site: 1 + its number among the dynamic ones, or 0 */
	uint32_t n_dynamics;
	uint32_t *branch_dynamic; /* per branch: of a rep prefix, its number among the dynamic ones */
	char *checks;		/* text of the check tables, from open_memstream */
	size_t checks_size;
	FILE *checks_out;
	bool checks_in_code;	/* they go where the cold code is */
	struct cold_code cold[N_COLD_KINDS];
	char *copies, *copied_tables; /* text of the plain copies */
	size_t copies_size, copied_tables_size;
	FILE *copies_out, *copied_tables_out;
};

/* ".section name,"flags"..." for a section that lives and dies with text section s. type is
 * "progbits" or "nobits". */
void tables_section(FILE *out, const struct text_section *s, const char *name, const char *flags,
		    const char *type);

/* One struct reference as a line of text; at is the address in terms of the registers at the
 * planted code, got its number among the section's GOT operands. */
void tables_reference(FILE *out, const struct unit *unit, const struct planned_ref *r,
		      const struct address *at, uint32_t got);

/* Bytes from one block's counter to the next. */
size_t tables_counter_bytes(const struct emission *e);

/* What tables_emit wants for its work, for all sections of the unit; the caller frees it. */
uint32_t *tables_centres(const struct unit *unit);

/* All tables of section s. */
void tables_emit(FILE *out, const struct emission *e, const struct section_tables *t, uint32_t s, uint32_t *centres);

/* The strings that the tables of all sections point to. */
void tables_strings(FILE *out, const struct unit *unit);

#endif
