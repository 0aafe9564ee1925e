/* Cost centres. gas writes a row of the line table when an instruction follows a .loc, or at once (has_view); it
 * holds, in the order of addresses, until the next row of the section. So the rows are found in the order of the
 * text and spread in the order of addresses, and subsections need no thought. */
#include "instrument/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "common/path.h"
#include "instrument/switches.h"

#define UNKNOWN 0 /* "???" in files and functions */
#define NONE UINT32_MAX

struct interned {
	const char *name;
	uint32_t index;
	UT_hash_handle hh;
};

struct known_centre {
	struct centre centre;
	uint32_t number;
	UT_hash_handle hh;
};

struct row {
	uint32_t file, line;
};

struct work {
	struct unit *unit;
	struct interned *files, *functions;
	struct known_centre *centres;
	const char *directory;	/* of compilation, or NULL */
	const char *working_directory; /* where hand-written files are, or NULL */
	VEC(uint32_t) numbered; /* .file N: index into unit.files */
	uint32_t main_file;	/* what the unit was compiled from */
	VEC(struct row) rows;
	uint32_t *row_of; /* per instruction: row that begins there, or NONE */
};

/* Names */

static uint32_t intern(struct interned **table, const char *name, uint32_t next)
{
	struct interned *found;

	HASH_FIND_STR(*table, name, found);
	if (!found) {
		found = arena_alloc(sizeof *found);
		*found = (struct interned){.name = name, .index = next};
		HASH_ADD_KEYPTR(hh, *table, found->name, strlen(found->name), found);
	}
	return found->index;
}

static uint32_t intern_file(struct work *w, const char *name)
{
	uint32_t index = intern(&w->files, name, w->unit->files.n);

	if (index == w->unit->files.n)
		VEC_PUSH(&w->unit->files, name);
	return index;
}

static uint32_t intern_function(struct work *w, const char *name)
{
	uint32_t index = intern(&w->functions, name, w->unit->functions.n);

	if (index == w->unit->functions.n)
		VEC_PUSH(&w->unit->functions, name);
	return index;
}

uint32_t centre_number(struct unit *unit, struct known_centre **known, struct centre centre)
{
	struct known_centre *found;

	HASH_FIND(hh, *known, &centre, sizeof centre, found);
	if (!found) {
		found = arena_alloc(sizeof *found);
		*found = (struct known_centre){centre, (uint32_t)unit->centres.n, {0}};
		HASH_ADD(hh, *known, centre, sizeof centre, found);
		VEC_PUSH(&unit->centres, centre);
	}
	return found->number;
}

void centres_forget(struct known_centre **known)
{
	HASH_CLEAR(hh, *known);
}

/* Arguments of directives */

struct cursor {
	const char *p, *end;
};

static void skip_blanks(struct cursor *c)
{
	while (c->p < c->end && isspace((unsigned char)*c->p))
		c->p++;
}

static bool take_number(struct cursor *c, uint32_t *number)
{
	const char *start;

	skip_blanks(c);
	*number = 0;
	for (start = c->p; c->p < c->end && isdigit((unsigned char)*c->p); c->p++)
		*number = *number * 10 + (*c->p - '0');
	return c->p > start;
}

static char take_octal(struct cursor *c)
{
	unsigned value = 0;

	for (int i = 0; i < 3 && c->p < c->end && *c->p >= '0' && *c->p <= '7'; i++)
		value = value * 8 + (*c->p++ - '0');
	return value;
}

static char take_escape(struct cursor *c)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *hit;

	if (c->p == c->end)
		return '\\';
	if (*c->p >= '0' && *c->p <= '7')
		return take_octal(c);
	hit = strchr(from, *c->p);
	if (hit) {
		c->p++;
		return to[hit - from];
	}
	return *c->p++;
}

/* A quoted string with its escapes resolved, or NULL. */
static const char *take_string(struct cursor *c)
{
	char *s;
	size_t n = 0;

	skip_blanks(c);
	if (c->p == c->end || *c->p != '"')
		return NULL;
	s = arena_alloc(c->end - c->p);
	for (c->p++; c->p < c->end && *c->p != '"';) {
		char byte = *c->p++;

		s[n++] = byte == '\\' ? take_escape(c) : byte;
	}
	c->p += c->p < c->end;
	return s;
}

static struct cursor args_of(const struct asm_stmt *stmt)
{
	return (struct cursor){stmt->args.p, stmt->args.p + stmt->args.len};
}

/* .file */

static void set_numbered(struct work *w, uint32_t number, uint32_t file)
{
	while (w->numbered.n <= number)
		VEC_PUSH(&w->numbered, UNKNOWN);
	w->numbered.at[number] = file;
}

static bool plausible(const struct work *w, uint32_t number)
{
	return number <= w->unit->file->n;
}

/* .file "name", .file N "name", .file N "directory" "name", each perhaps with more behind. */
static void note_file(struct work *w, const struct asm_stmt *stmt)
{
	struct cursor c = args_of(stmt);
	uint32_t number;
	bool numbered = take_number(&c, &number);
	const char *first = take_string(&c), *second = take_string(&c);

	if (!first || !numbered || !plausible(w, number)) {
		if (first && !numbered && !w->main_file)
			w->main_file = intern_file(w, path_fold(path_join(w->directory, first)));
		return;
	}
	if (number == 0 && second)
		w->directory = first;
	if (second)
		first = path_join(path_join(w->directory, first), second);
	set_numbered(w, number, intern_file(w, path_fold(path_join(w->directory, first))));
	if (number == 0 || (number == 1 && !w->directory))
		w->main_file = w->numbered.at[number];
}

static void note_files(struct work *w)
{
	for (size_t i = 0; i < w->unit->file->n; i++) {
		const struct asm_stmt *stmt = &w->unit->file->stmts[i];

		if (stmt->kind != ASM_DIRECTIVE)
			continue;
		if (asm_text_is(stmt->name, ".file"))
			note_file(w, stmt);
		else if (asm_text_is(stmt->name, ".loc"))
			w->unit->has_locs = true;
	}
}

/* Rows */

static struct row row_of_loc(const struct work *w, const struct asm_stmt *stmt)
{
	struct cursor c = args_of(stmt);
	struct row row = {UNKNOWN, 0};
	uint32_t number;

	if (take_number(&c, &number) && number < w->numbered.n)
		row.file = w->numbered.at[number];
	take_number(&c, &row.line);
	return row;
}

/* The statement's first instruction that is no padding, or NONE. */
static uint32_t first_insn(const struct work *w, uint32_t stmt)
{
	uint32_t i = w->unit->stmt_insn[stmt];

	if (i == NONE)
		return NONE;
	for (; i < w->unit->insns.n && w->unit->insns.at[i].stmt == stmt; i++)
		if (!w->unit->insns.at[i].padding)
			return i;
	return NONE;
}

/* gas writes rows for instructions, also for those of a macro, but not for .byte. */
static bool takes_row(const struct work *w, uint32_t i)
{
	const struct insn *insn = &w->unit->insns.at[i];

	return insn->text_stmt != NONE || w->unit->file->stmts[insn->stmt].kind != ASM_DIRECTIVE;
}

static void begin_row(struct work *w, uint32_t insn, struct row row)
{
	w->row_of[insn] = w->rows.n;
	VEC_PUSH(&w->rows, row);
}

/* Rows that are to begin, if their line is not 0, for which gas writes none. */
struct beginning {
	struct row here;   /* where the text has come to in its section, be it padding that follows, or data */
	struct row behind; /* at the next instruction, wherever it is */
	uint32_t next;	   /* the instruction at the address that the text has come to, or NONE if none came before */
};

/* Such a row gas writes at once, and another when the next .loc follows. */
static bool has_view(const struct asm_stmt *loc)
{
	return memmem(loc->args.p, loc->args.len, " view ", 6);
}

static void note_loc(const struct work *w, struct beginning *b, const struct asm_stmt *loc)
{
	struct row row = row_of_loc(w, loc);

	if (b->behind.line)
		b->here = b->behind;
	b->behind = row;
	if (row.line && has_view(loc)) {
		b->here = row;
		b->behind.line = 0;
	}
}

/* What lies there may stand farther on in the text. */
static void leave_section(struct work *w, struct beginning *b)
{
	if (b->here.line && b->next != NONE && w->row_of[b->next] == NONE)
		begin_row(w, b->next, b->here);
	b->here.line = 0;
	b->next = NONE;
}

static void begin_rows(struct work *w, struct beginning *b, uint32_t stmt)
{
	const struct unit *unit = w->unit;
	uint32_t insn = first_insn(w, stmt), last = unit->stmt_insn[stmt];

	if (b->here.line)
		begin_row(w, last, b->here);
	b->here.line = 0;
	if (b->behind.line && insn != NONE && takes_row(w, insn)) {
		begin_row(w, insn, b->behind);
		b->behind.line = 0;
	}
	while (last + 1 < unit->insns.n && unit->insns.at[last + 1].stmt == stmt)
		last++;
	b->next = last + 1;
	if (b->next == unit->insns.n || unit->insns.at[b->next].section != unit->insns.at[last].section)
		b->next = NONE;
}

static void find_loc_rows(struct work *w)
{
	const struct asm_file *file = w->unit->file;
	struct beginning b = {.next = NONE};

	for (uint32_t i = 0; i < file->n; i++) {
		const struct asm_stmt *s = &file->stmts[i];

		if (s->kind == ASM_DIRECTIVE && asm_text_is(s->name, ".loc"))
			note_loc(w, &b, s);
		else if (switches_at(s))
			leave_section(w, &b);
		else if (w->unit->stmt_insn[i] != NONE)
			begin_rows(w, &b, i);
	}
	leave_section(w, &b);
}

/* Where a statement comes from, by the last line mark. */
struct origin {
	uint32_t file;
	int64_t shift; /* from lines of the file being read to lines of the origin */
};

/* A hand-written file has no .file that says where it was assembled. */
static uint32_t intern_own_file(struct work *w, const char *name)
{
	bool is_file = *name != '<' && *name != '{' && *name;

	return intern_file(w, is_file ? path_fold(path_join(w->working_directory, name)) : name);
}

static void note_linemark(struct work *w, struct origin *origin, const struct asm_stmt *stmt)
{
	if (stmt->args.p) {
		char *name = arena_string(stmt->args.p, stmt->args.len);

		origin->file = intern_own_file(w, name);
	}
	origin->shift = (int64_t)stmt->number - (stmt->mark_line + 1);
}

/* A preprocessed text says where it comes from before all else; its own name is that of a temporary file. */
static const char *main_name(const struct asm_file *file)
{
	const struct asm_stmt *first = file->stmts;

	if (!file->n || first->kind != ASM_LINEMARK || !first->args.p)
		return file->name;
	return arena_string(first->args.p, first->args.len);
}

static void find_own_rows(struct work *w)
{
	const struct asm_file *file = w->unit->file;
	struct origin origin = {UNKNOWN, 0};

	origin.file = intern_own_file(w, w->unit->has_locs ? file->name : main_name(file));
	w->main_file = origin.file;
	for (size_t i = 0; i < file->n; i++) {
		uint32_t insn = first_insn(w, i);

		if (insn != NONE)
			begin_row(w, insn,
				  (struct row){origin.file, file->stmts[i].line + origin.shift});
		if (file->stmts[i].mark_line && !w->unit->has_locs)
			note_linemark(w, &origin, &file->stmts[i]);
	}
}

/* Functions */

struct naming {
	uint32_t next;	   /* index into unit.labels */
	uint32_t function; /* that the last label named */
	bool typed;	   /* it is a .type @function */
	uint32_t offset;   /* of that label */
	bool global;
};

/* Whether the label names the function of what follows rather than the one named before. */
static bool names_better(const struct naming *naming, const struct label *label)
{
	if (label->function != naming->typed)
		return label->function;
	if (!label->function && !label->global)
		return false;
	return label->offset != naming->offset || naming->function == UNKNOWN ||
	       (label->global && !naming->global);
}

/* Takes in the labels up to the instruction. */
static void advance(struct work *w, struct naming *naming, const struct insn *insn)
{
	for (; naming->next < w->unit->labels.n; naming->next++) {
		const struct label *label = &w->unit->labels.at[naming->next];

		if (label->section > insn->section ||
		    (label->section == insn->section && label->offset > insn->offset))
			return;
		if (label->section < insn->section || !names_better(naming, label))
			continue;
		naming->function = intern_function(w, label->name);
		naming->typed = label->function;
		naming->offset = label->offset;
		naming->global = label->global;
	}
}

/* Spreading */

static void spread_section(struct work *w, const struct text_section *section, struct naming *naming)
{
	struct row row = {w->main_file, 0};

	naming->function = UNKNOWN;
	naming->typed = false;
	for (uint32_t i = section->first_insn; i < section->first_insn + section->n_insns; i++) {
		struct insn *insn = &w->unit->insns.at[i];

		if (w->row_of[i] != NONE)
			row = w->rows.at[w->row_of[i]];
		if (!insn->padding)
			advance(w, naming, insn);
		insn->centre =
		    centre_number(w->unit, &w->centres, (struct centre){row.file, row.line, naming->function});
	}
}

static void spread(struct work *w)
{
	struct naming naming = {0};

	for (size_t i = 0; i < w->unit->sections.n; i++)
		spread_section(w, &w->unit->sections.at[i], &naming);
}

void lines_find(struct unit *unit, const char *directory, bool by_assembly)
{
	struct work w = {.unit = unit, .working_directory = directory};

	intern_file(&w, "???");
	intern_function(&w, "???");
	w.row_of = arena_alloc((unit->insns.n + 1) * sizeof *w.row_of);
	memset(w.row_of, 0xff, (unit->insns.n + 1) * sizeof *w.row_of);
	note_files(&w);
	if (unit->has_locs && !by_assembly)
		find_loc_rows(&w);
	else
		find_own_rows(&w);
	spread(&w);
	HASH_CLEAR(hh, w.files);
	HASH_CLEAR(hh, w.functions);
	centres_forget(&w.centres);
	VEC_FREE(&w.rows);
	VEC_FREE(&w.numbered);
}

void lines_dump(const struct unit *unit, FILE *out)
{
	for (size_t i = 0; i < unit->insns.n; i++) {
		const struct insn *insn = &unit->insns.at[i];
		const struct centre *c = &unit->centres.at[insn->centre];

		fprintf(out, "line %u: %s+%u: %s:%u %s\n", unit->file->stmts[insn->stmt].line,
			unit->sections.at[insn->section].name, insn->offset, unit->files.at[c->file],
			c->line, unit->functions.at[c->function]);
	}
}
