/* The tables of a unit that the runtime reads (include/site.h), as assembly text. */
#ifndef INSTRUMENT_TABLES_H
#define INSTRUMENT_TABLES_H

#include "instrument/emit.h"

/* Cold code by the form of its slots; sequences_x86_64.def. */
enum cold_kind { COLD_PLAIN, COLD_STEPS, COLD_CHECKS, COLD_CHECKS_STEP, COLD_BRANCHES, N_COLD_KINDS };

/* Text that is put aside, from memory_file. Most sections have little of it: each is opened when it is written
 * to. */
struct aside {
	char *text; /* complete once out is closed */
	size_t size;
	FILE *out; /* NULL: not opened */
};

/* What the emission learns of a section while it prints the code. */
struct section_tables {
	VEC(uint32_t) gots;	/* instructions with an operand that the linker may relax away */
	uint32_t *got;		/* per site: 1 + its number in gots, or 0 */
	uint32_t *dynamic;	/* per site: 1 + its number among the dynamic ones, or 0 */
	uint32_t n_dynamics;
	uint32_t *branch_dynamic; /* per branch: of a rep prefix, its number among the dynamic ones */
	struct aside checks;	/* the check tables */
	bool checks_in_code;	/* they go where the cold code is */
	struct aside cold[N_COLD_KINDS];
	struct aside copies, copied_tables; /* the plain copies */
};

/* Where it is written to. */
FILE *aside_out(struct aside *aside);

/* Completes it, prints it, and gives it back. */
void aside_close(struct aside *aside);
void aside_print(const struct aside *aside, FILE *out);
void aside_free(struct aside *aside);

/* ".section name,"flags"..." for a section that lives and dies with text section s. type is
 * "progbits" or "nobits". */
void tables_section(FILE *out, const struct unit *unit, uint32_t s, const char *name, const char *flags,
		    const char *type);

/* One struct reference as a line of text; at is the address in terms of the registers at the
 * planted code, got its number among the section's GOT operands. */
void tables_reference(FILE *out, const struct unit *unit, const struct planned_ref *r,
		      const struct address *at, uint32_t got);

/* Bytes from one block's counter to the next. */
size_t tables_counter_bytes(const struct emission *e);

/* Of all its instructions. */
uint32_t tables_block_bytes(const struct unit *unit, const struct block_bb *block);

/* For each block that is counted its first instruction, as chunk.insns will have it; the caller frees it. */
uint32_t *tables_first_insns(const struct emission *e);

/* What tables_emit wants for its work, for all sections of the unit; the caller frees it. */
uint32_t *tables_centres(const struct unit *unit);

/* All tables of section s. */
void tables_emit(FILE *out, const struct emission *e, const struct section_tables *t, uint32_t s, uint32_t *centres);

/* The strings that the tables of all sections point to. */
void tables_strings(FILE *out, const struct unit *unit);

#endif
