/* Labels do not change what gas makes of a file, so the labelled file's object is the original's
 * with more symbols. Each label stands on the line of its statement, and line numbers in gas's
 * messages stay right. */
#include "instrument/assemble.h"

#include "common/diag.h"
#include "instrument/object.h"
#include "instrument/pair.h"
#include "instrument/switches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define LABEL ".Lcp_s"

/* The labelled file */

static bool is_number(struct asm_text t)
{
	return t.len && t.p[0] >= '0' && t.p[0] <= '9';
}

/* Statements whose place is looked up: those that emit into text, and 1: and its kin, which gas
 * leaves out of the symbol table. An instruction gets its label whatever section we believe to be
 * in: a macro may have switched. */
static bool wants_label(const struct asm_stmt *stmt, const struct switches *switches)
{
	if (stmt->kind == ASM_LABEL)
		return is_number(stmt->name) && !switches->now.data;
	switch (role_of(stmt)) {
	case ROLE_NONE:
		return false;
	case ROLE_PADDING:
	case ROLE_DATA:
		return !switches->now.data;
	default:
		return true;
	}
}

static void print_labelled(const struct asm_file *file, FILE *out)
{
	const char *done = file->text;
	bool after_prefix = false;
	struct switches switches;

	switches_begin(&switches);
	for (size_t i = 0; i < file->n; i++) {
		const struct asm_stmt *stmt = &file->stmts[i];

		switches_follow(&switches, stmt);
		if (!after_prefix && wants_label(stmt, &switches)) {
			fwrite(done, 1, stmt->text.p - done, out);
			fprintf(out, LABEL "%zu:", i);
			done = stmt->text.p;
		}
		if (stmt->kind == ASM_INSN)
			after_prefix = stmt->prefix_only;
	}
	fwrite(done, 1, file->text + file->len - done, out);
	switches_end(&switches);
}

static void write_labelled(const struct asm_file *file, const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		die("%s:", path);
	setvbuf(out, NULL, _IOFBF, 1 << 18);
	print_labelled(file, out);
	if (fflush(out) || ferror(out))
		die("%s:", path);
	fclose(out);
}

/* Symbols of the object: our labels become marks, the others the unit's labels. */

struct named_stmt {
	struct asm_text name;
	uint32_t stmt;
	UT_hash_handle hh;
};

static struct asm_text label_name(const struct asm_stmt *stmt)
{
	struct asm_text name = stmt->name;

	if (name.len >= 2 && *name.p == '"')
		name.p++, name.len -= 2;
	return name;
}

static struct named_stmt *find_label_stmts(const struct asm_file *file)
{
	struct named_stmt *table = NULL, *found;

	for (size_t i = 0; i < file->n; i++) {
		struct asm_text name;

		if (file->stmts[i].kind != ASM_LABEL || is_number(file->stmts[i].name))
			continue;
		name = label_name(&file->stmts[i]);
		HASH_FIND(hh, table, name.p, name.len, found);
		if (found)
			continue;
		found = arena_alloc(sizeof *found);
		*found = (struct named_stmt){.name = name, .stmt = i};
		HASH_ADD_KEYPTR(hh, table, found->name.p, name.len, found);
	}
	return table;
}

static bool own_label(const char *name, uint32_t *stmt)
{
	char *end;

	if (strncmp(name, LABEL, strlen(LABEL)))
		return false;
	*stmt = strtoul(name + strlen(LABEL), &end, 10);
	return !*end;
}

static void add_label(struct unit *unit, struct named_stmt *table, const struct object_symbol *symbol)
{
	struct named_stmt *found;

	HASH_FIND(hh, table, symbol->name, strlen(symbol->name), found);
	VEC_PUSH(&unit->labels, (struct label){
				    .name = symbol->name,
				    .stmt = found ? found->stmt : UINT32_MAX,
				    .section = symbol->section,
				    .offset = symbol->offset,
				    .function = symbol->function,
				    .ifunc = symbol->ifunc,
				    .global = symbol->global,
				});
}

static void add_mark(struct unit *unit, struct marks *marks, const struct object_symbol *symbol,
		     uint32_t i)
{
	const struct asm_stmt *stmt = &unit->file->stmts[i];

	VEC_PUSH(&marks->all, (struct mark){i, symbol->section, symbol->offset, role_of(stmt)});
	if (stmt->kind == ASM_LABEL)
		VEC_PUSH(&unit->labels, (struct label){
					    .name = arena_string(stmt->name.p, stmt->name.len),
					    .stmt = i,
					    .section = symbol->section,
					    .offset = symbol->offset,
					});
}

static void sort_symbols(struct unit *unit, const struct object *object, struct marks *marks)
{
	struct named_stmt *table = find_label_stmts(unit->file);

	for (size_t i = 0; i < object->symbols.n; i++) {
		const struct object_symbol *symbol = &object->symbols.at[i];
		uint32_t stmt;

		if (own_label(symbol->name, &stmt) && stmt < unit->file->n)
			add_mark(unit, marks, symbol, stmt);
		else
			add_label(unit, table, symbol);
	}
	HASH_CLEAR(hh, table);
}

/* Labels */

static int by_place(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->stmt > y->stmt) - (x->stmt < y->stmt);
}

static void place_labels(struct unit *unit)
{
	uint32_t insn = 0;

	if (unit->labels.n)
		qsort(unit->labels.at, unit->labels.n, sizeof *unit->labels.at, by_place);
	for (size_t i = 0; i < unit->labels.n; i++) {
		struct label *label = &unit->labels.at[i];
		const struct text_section *section = &unit->sections.at[label->section];
		uint32_t end = section->first_insn + section->n_insns;

		if (insn < section->first_insn)
			insn = section->first_insn;
		while (insn < end && unit->insns.at[insn].offset < label->offset)
			insn++;
		label->insn = insn < end ? insn : UINT32_MAX;
	}
}

int assemble(struct unit *unit, const struct asm_file *file, const struct assembler *as)
{
	char *in = xasprintf("%s/labelled.s", as->temp_dir);
	char *out = xasprintf("%s/labelled.o", as->temp_dir);
	struct object object = {0};
	struct marks marks = {0};
	int status;

	unit->file = file;
	write_labelled(file, in);
	status = assembler_run_as(as, in, out, file->name);
	if (!status) {
		object_read(&object, out);
		sort_symbols(unit, &object, &marks);
		pair(unit, &object, &marks);
		place_labels(unit);
	}
	VEC_FREE(&marks.all);
	free(in);
	free(out);
	return status;
}
