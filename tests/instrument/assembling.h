/* What the tests of the front half share: a text through the system's assembler, facts as text. */
#ifndef TESTS_INSTRUMENT_ASSEMBLING_H
#define TESTS_INSTRUMENT_ASSEMBLING_H

#include "instrument/assemble.h"
#include "instrument/facts.h"
#include "instrument/lines.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Assembles the text; the status is assemble's. */
static inline int try_unit(struct unit *unit, const char *name, const char *text, char **options)
{
	static char *none[] = {"as", NULL};
	char dir[] = "/tmp/test_instrument.XXXXXX", *command;
	struct assembler as = {.argv = options ? options : none, .temp_dir = dir};
	const struct asm_file *file;
	int status;

	*unit = (struct unit){0};
	ck_assert_ptr_nonnull(mkdtemp(dir));
	file = asm_parse(name, text, strlen(text));
	status = assemble(unit, file, file, &as);
	command = xasprintf("rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
	free(command);
	return status;
}

static inline struct unit *assembled(const char *text)
{
	struct unit *unit = xalloc(1, sizeof *unit);

	ck_assert_int_eq(try_unit(unit, "t.s", text, NULL), 0);
	return unit;
}

/* Every byte of every section is in exactly one entry. */
static inline void check_cover(const struct unit *unit)
{
	for (size_t s = 0; s < unit->sections.n; s++) {
		const struct text_section *section = &unit->sections.at[s];
		uint64_t at = 0;

		for (uint32_t i = 0; i < section->n_insns; i++) {
			const struct insn *insn = &unit->insns.at[section->first_insn + i];
			bool last = i + 1 == section->n_insns;
			uint64_t next = last ? section->size : insn[1].offset;

			ck_assert_uint_eq(insn->section, s);
			ck_assert_uint_eq(insn->offset, at);
			if (!insn->data)
				ck_assert_uint_eq(insn->len, next - at);
			at = next;
		}
		ck_assert_uint_eq(at, section->size);
	}
}

static inline void print_register(FILE *out, unsigned r)
{
	static const char *const names[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp",
					    "rsi", "rdi", "r8",	 "r9",	"r10", "r11",
					    "r12", "r13", "r14", "r15", "rip"};

	if (r <= REG_IP)
		fputs(names[r], out);
	else
		fprintf(out, "%u", r);
}

static inline void print_regset(FILE *out, regset set)
{
	const char *between = "";

	if (set == REGS_ALL) {
		fputs("all", out);
		return;
	}
	for (unsigned r = 0; r < REG_IP; r++) {
		if (!(set >> r & 1))
			continue;
		fputs(between, out);
		print_register(out, r);
		between = " ";
	}
}

static inline const char *regset_text(regset set)
{
	static char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	print_regset(out, set);
	fclose(out);
	return text;
}

static inline const char *flags_text(flagset set)
{
	static const char letters[] = "cpazsod";
	static char texts[2][8];
	static int which;
	char *text = texts[which ^= 1];
	int n = 0;

	for (int i = 0; i < 7; i++)
		if (set >> i & 1)
			text[n++] = letters[i];
	text[n] = '\0';
	return text;
}

/* "R4 form fs:sym+8(rax,rcx,4)". */
static inline void print_ref(FILE *out, const struct ref *ref)
{
	static const char *const forms[] = {
		[REF_PLAIN] = "", [REF_GOT] = " got", [REF_REP] = " rep", [REF_BIT] = " bit",
		[REF_MASKED] = " masked", [REF_LANES] = " lanes", [REF_GATHER] = " gather",
		[REF_XLAT] = " xlat", [REF_TLSCALL] = " tlscall", [REF_TILE] = " tile",
		[REF_CALL] = " call"};

	fprintf(out, "%c%u%s ", "RWM"[ref->kind], ref -> size, forms[ref->form]);
	if (ref->segment)
		fprintf(out, "%cs:", ref->segment);
	if (ref->addr32)
		fputs("addr32:", out);
	if (ref->symbol.p)
		fprintf(out, "%.*s%s", (int)ref->symbol.len, ref->symbol.p,
			ref->disp > 0 ? "+" : "");
	if (ref->disp)
		fprintf(out, "%lld", (long long)ref->disp);
	if (ref->base == REG_NONE && ref->index == REG_NONE)
		return;
	fputc('(', out);
	if (ref->base != REG_NONE)
		print_register(out, ref->base);
	if (ref->index != REG_NONE) {
		fputc(',', out);
		print_register(out, ref->index);
		fprintf(out, ",%u", ref->scale);
	}
	fputc(')', out);
}

static inline const char *refs_text(const struct insn *insn)
{
	static char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (unsigned i = 0; i < insn->n_refs; i++) {
		if (i)
			fputs(", ", out);
		print_ref(out, &insn->refs[i]);
	}
	fclose(out);
	return text;
}

#endif
