/* Labels do not change what gas makes of a file, so the labelled file's object is the original's
 * with more symbols. Each label stands on the line of its statement, and line numbers in gas's
 * messages stay right. */
#include "instrument/assemble.h"

#include "common/diag.h"
#include "common/file.h"
#include "instrument/decode.h"
#include "instrument/labelling.h"
#include "instrument/object.h"
#include "instrument/pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* Not of a form that gas leaves out of the symbol table, as .L is: the user's own local labels
 * would then be kept with ours, and writing symbols takes gas as long as everything else. */
#define LABEL "__cacheprof_"
#define NOWHERE UINT32_MAX

/* The labelled file */

/* gas takes a label on the line of .macro for the macro's name, but not a symbol. */
static void print_label(size_t i, enum role role, FILE *out)
{
	fprintf(out, role == ROLE_RAW ? LABEL "%zu=.;" : LABEL "%zu:", i);
}

static bool ends_line(const struct asm_file *file)
{
	return file->len && file->text[file->len - 1] == '\n';
}

static void print_labelled(const struct asm_file *file, bool dense, FILE *out)
{
	const char *done = file->text;
	struct labelling labelling;

	labelling_begin(&labelling, dense);
	for (size_t i = 0; i < file->n; i++) {
		const struct asm_stmt *stmt = &file->stmts[i];

		if (!labelling_follow(&labelling, stmt))
			continue;
		fwrite(done, 1, stmt->text.p - done, out);
		print_label(i, role_of(stmt), out);
		done = stmt->text.p;
	}
	fwrite(done, 1, file->text + file->len - done, out);
	if (labelling.known && ends_line(file))
		fprintf(out, LABEL "%zu:\n", file->n);
	labelling_end(&labelling);
}

static void write_labelled(const struct asm_file *file, bool dense, const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		die("%s:", path);
	setvbuf(out, NULL, _IOFBF, 1 << 18);
	print_labelled(file, dense, out);
	if (fflush(out) || ferror(out))
		die("%s:", path);
	fclose(out);
}

/* Places */

struct location {
	uint32_t section; /* of the object, or NOWHERE */
	uint32_t offset;
};

struct placing {
	struct unit *unit;
	const struct object *object;
	struct location *labelled; /* per statement, and behind the last: what its label says */
	struct marks *marks;
	struct labelling labelling;
	struct location here;
};

static bool own_label(const char *name, uint32_t *stmt)
{
	char *end;

	if (strncmp(name, LABEL, strlen(LABEL)))
		return false;
	*stmt = strtoul(name + strlen(LABEL), &end, 10);
	return !*end;
}

/* A label gives the place, or proves the one that is known. */
static bool arrive(struct placing *p, size_t i, bool known)
{
	struct location said = p->labelled[i];

	if (known && p->here.section != NOWHERE &&
	    (said.section != p->here.section || said.offset != p->here.offset))
		return false;
	p->here = said;
	return true;
}

/* Goes on by one instruction; false if there is none. */
static bool step(struct placing *p)
{
	const struct object_section *section = &p->object->sections.at[p->here.section];
	ZydisDecodedInstruction d;

	if (p->here.offset >= section->size ||
	    !decode_length(section->bytes + p->here.offset, section->size - p->here.offset, &d))
		return false;
	p->here.offset += d.length;
	return true;
}

/* Labels that gas leaves out of the symbol table. */
static bool is_local_name(struct asm_text name)
{
	return (name.len > 1 && name.p[0] == '.' && name.p[1] == 'L') ||
	       (name.len && name.p[0] >= '0' && name.p[0] <= '9');
}

static void add_local_label(struct placing *p, uint32_t i)
{
	const struct asm_text name = p->unit->file->stmts[i].name;

	if (is_local_name(name))
		VEC_PUSH(&p->unit->labels, (struct label){
					       .name = arena_string(name.p, name.len),
					       .stmt = i,
					       .section = p->here.section,
					       .offset = p->here.offset,
					   });
}

/* At a statement that is in a section of code; false if it cannot make one instruction there. */
static bool mark_stmt(struct placing *p, uint32_t i, enum role role)
{
	if (role == ROLE_LABEL)
		add_local_label(p, i);
	if (role < ROLE_PADDING)
		return true;
	VEC_PUSH(&p->marks->all, (struct mark){i, p->here.section, p->here.offset, role});
	return role != ROLE_INSN || p->labelling.dense || step(p);
}

static bool place_stmt(struct placing *p, uint32_t i)
{
	const struct asm_stmt *stmt = &p->unit->file->stmts[i];
	bool known = p->labelling.known, in_prefix = p->labelling.in_prefix;
	enum role role = role_of(stmt);
	bool fits = true;

	if (labelling_follow(&p->labelling, stmt))
		fits = arrive(p, i, known);
	if (p->here.section != NOWHERE && (!in_prefix || role == ROLE_LABEL))
		fits = mark_stmt(p, i, role) && fits;
	if (!p->labelling.known)
		p->here.section = NOWHERE;
	return fits || p->labelling.dense;
}

/* Finds the place of each statement from those of the labels, as marks and the unit's labels; false
 * if the labels prove that some statement is not one instruction. */
static bool place_stmts(struct placing *p)
{
	bool fits = true;

	p->here.section = NOWHERE;
	for (size_t i = 0; i < p->unit->file->n && fits; i++)
		fits = place_stmt(p, i);
	return fits && (p->labelling.dense || !p->labelling.known || !ends_line(p->unit->file) ||
			arrive(p, p->unit->file->n, true));
}

/* Symbols */

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

static struct named_stmt *find_named_stmts(const struct asm_file *file)
{
	struct named_stmt *table = NULL, *found;

	for (size_t i = 0; i < file->n; i++) {
		struct asm_text name;

		if (file->stmts[i].kind != ASM_LABEL || is_local_name(file->stmts[i].name))
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

static void add_label(struct unit *unit, struct named_stmt *table,
		      const struct object_symbol *symbol)
{
	struct named_stmt *found;

	if (is_local_name((struct asm_text){symbol->name, strlen(symbol->name)}))
		return;
	HASH_FIND(hh, table, symbol->name, strlen(symbol->name), found);
	VEC_PUSH(&unit->labels, (struct label){
				    .name = symbol->name,
				    .stmt = found ? found->stmt : UINT32_MAX,
				    .section = symbol->section,
				    .offset = symbol->offset,
				    .function = symbol->function,
				    .ifunc = symbol->ifunc,
				    .global = symbol->global,
				    .weak = symbol->weak,
				});
}

/* Our symbols say where labels are; the others are the unit's. */
static void sort_symbols(struct placing *p)
{
	const struct asm_file *file = p->unit->file;
	struct named_stmt *table = find_named_stmts(file);

	p->labelled = xalloc(file->n + 1, sizeof *p->labelled);
	memset(p->labelled, 0xff, (file->n + 1) * sizeof *p->labelled);
	for (size_t i = 0; i < p->object->symbols.n; i++) {
		const struct object_symbol *symbol = &p->object->symbols.at[i];
		uint32_t stmt;

		if (!own_label(symbol->name, &stmt))
			add_label(p->unit, table, symbol);
		else if (stmt <= file->n)
			p->labelled[stmt] = (struct location){symbol->section, symbol->offset};
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

static void sort_labels(struct unit *unit)
{
	if (unit->labels.n)
		qsort(unit->labels.at, unit->labels.n, sizeof *unit->labels.at, by_place);
}

/* ... which are sorted */
static void place_labels(struct unit *unit)
{
	uint32_t insn = 0;

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

/* Pairs the file with the object of its labelled copy; false if the labels were too few. */
static bool pair_with_object(struct unit *unit, const char *path, bool dense)
{
	struct object object = {0};
	struct marks marks = {0};
	struct placing p = {.unit = unit, .object = &object, .marks = &marks};
	bool fits;

	unit->labels.n = 0;
	object_read(&object, path);
	sort_symbols(&p);
	labelling_begin(&p.labelling, dense);
	fits = place_stmts(&p);
	labelling_end(&p.labelling);
	if (fits) {
		sort_labels(unit);
		pair(unit, &object, &marks);
		place_labels(unit);
		for (size_t i = 0; i < object.needs.n; i++)
			VEC_PUSH(&unit->needs, object.needs.at[i]);
	}
	VEC_FREE(&marks.all);
	free(p.labelled);
	return fits;
}

/* What is written out has its macros and included files in other lines than gas tells of them. */
static void repeat(const char *said, const char *in, const struct asm_file *source, const struct assembler *as)
{
	char *text = xasprintf("%s/listed.s", as->temp_dir), *out = xasprintf("%s/listed.o", as->temp_dir), *words;
	int status;

	file_write(text, source->text, source->len);
	words = assembler_listen(as, text, out, &status);
	if (*words)
		assembler_repeat(words, text, source->name);
	else
		assembler_repeat(said, in, source->name);
	free(words);
	free(text);
	free(out);
}

/* Messages are those of the first try. */
static int try_to_assemble(struct unit *unit, const struct asm_file *source, const struct assembler *as, bool dense)
{
	char *in = xasprintf("%s/labelled.s", as->temp_dir);
	char *out = xasprintf("%s/labelled.o", as->temp_dir);
	char *said;
	int status;

	write_labelled(unit->file, dense, in);
	said = assembler_listen(as, in, out, &status);
	if (*said && source != unit->file && !unit->said && !status)
		repeat(said, in, source, as);
	else if (!unit->said || status)
		assembler_repeat(said, in, unit->file->name);
	if (unit->said)
		free(said);
	else
		unit->said = said;
	if (!status && !pair_with_object(unit, out, dense))
		status = try_to_assemble(unit, source, as, true);
	free(in);
	free(out);
	return status;
}

int assemble(struct unit *unit, const struct asm_file *file, const struct asm_file *source, const struct assembler *as)
{
	unit->file = file;
	return try_to_assemble(unit, source, as, labelling_must_be_dense(file));
}
