/* The compiler says which addresses came from an inlined call (DW_TAG_inlined_subroutine, with -g1
 * too), and which address came from which line. Put together, that says for a line of a function's
 * code who wrote it: the innermost call that has the line's address. Instrumented programs keep
 * their debug information, and it covers planted code as well, which has no lines of its own.
 *
 * A line that has code both of its function and of an inlined one (two functions written on one line)
 * cannot be divided, since the profile counts lines; it stays with the function that it runs in. */
#include "cacheprint/inlining.h"

#include "cacheprint/demangle.h"
#include "common/diag.h"
#include "common/path.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#undef uthash_fatal
#define uthash_fatal(message) die("out of memory")

struct owned_line {
	uint32_t line;
	const char *owner; /* NULL: of the function that it runs in as well */
	UT_hash_handle hh;
};

struct inlined_lines {
	const char *key; /* function, a newline, file */
	struct owned_line *lines;
	UT_hash_handle hh;
};

struct name {
	const char *name;
	UT_hash_handle hh;
};

struct inlining {
	const struct naming *naming;
	struct inlined_lines *all;
	struct name *names; /* each distinct one once */
};

struct inlining *inlining_new(const struct naming *naming)
{
	struct inlining *in = arena_alloc(sizeof *in);

	in->naming = naming;
	return in;
}

static struct text text_of(const char *s)
{
	return (struct text){s, strlen(s)};
}

static const char *intern(struct inlining *in, struct text name)
{
	struct name *found;

	HASH_FIND(hh, in->names, name.at, name.len, found);
	if (!found) {
		found = arena_alloc(sizeof *found);
		found->name = arena_string(name.at, name.len);
		HASH_ADD_KEYPTR(hh, in->names, found->name, name.len, found);
	}
	return found->name;
}

static char *key_of(struct text function, const char *file)
{
	return xasprintf("%.*s\n%s", (int)function.len, function.at, file);
}

static struct inlined_lines *find(const struct inlining *in, const char *key)
{
	struct inlined_lines *found;

	HASH_FIND_STR(in->all, key, found);
	return found;
}

/* ---- the ranges of inlined calls ---- */

/* The addresses of an inlined call; those of calls inlined into it are inside of them. */
struct range {
	Dwarf_Addr low, high;
	unsigned depth;
	const char *name;
};

typedef VEC(struct range) range_list;

static const char *name_of_call(struct inlining *in, Dwarf_Die *call)
{
	Dwarf_Attribute attribute;
	const char *symbol = NULL;

	if (dwarf_attr_integrate(call, DW_AT_linkage_name, &attribute))
		symbol = dwarf_formstring(&attribute);
	if (!symbol)
		symbol = dwarf_diename(call);
	return symbol ? intern(in, naming_function(in->naming, text_of(symbol), text_of("")))
	              : NULL;
}

static void add_ranges(struct inlining *in, range_list *ranges, Dwarf_Die *call, unsigned depth)
{
	const char *name = name_of_call(in, call);
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while (name && (at = dwarf_ranges(call, at, &base, &low, &high)) > 0)
		if (low < high)
			VEC_PUSH(ranges, (struct range){low, high, depth, name});
}

static void find_ranges(struct inlining *in, range_list *ranges, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Die child;
	bool inlined;

	if (dwarf_child(parent, &child) != 0)
		return;
	do {
		inlined = dwarf_tag(&child) == DW_TAG_inlined_subroutine;
		if (inlined)
			add_ranges(in, ranges, &child, depth);
		find_ranges(in, ranges, &child, depth + inlined);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static int compare_ranges(const void *pa, const void *pb)
{
	const struct range *a = pa, *b = pb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->depth > b->depth) - (a->depth < b->depth);
}

/* ---- the functions of a module ---- */

struct symbol {
	Dwarf_Addr low, high;
	bool global;
	const char *name;
};

typedef VEC(struct symbol) symbol_list;

/* By address; the name that the profile has comes first. */
static int compare_symbols(const void *pa, const void *pb)
{
	const struct symbol *a = pa, *b = pb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return b->global - a->global;
}

static symbol_list find_symbols(Dwfl_Module *module)
{
	int n = dwfl_module_getsymtab(module);
	symbol_list symbols = {0};
	GElf_Addr address;
	const char *name;
	GElf_Sym sym;

	for (int i = 1; i < n; i++) {
		name = dwfl_module_getsym_info(module, i, &sym, &address, NULL, NULL, NULL);
		if (name && GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_size)
			VEC_PUSH(&symbols,
			         (struct symbol){address, address + sym.st_size,
			                         GELF_ST_BIND(sym.st_info) != STB_LOCAL, name});
	}
	if (symbols.n)
		qsort(symbols.at, symbols.n, sizeof *symbols.at, compare_symbols);
	return symbols;
}

/* The function that has the address, or NULL. */
static const char *symbol_at(const symbol_list *symbols, Dwarf_Addr address)
{
	size_t low = 0, high = symbols->n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (symbols->at[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address >= symbols->at[low - 1].high)
		return NULL;
	while (low > 1 && symbols->at[low - 2].low == symbols->at[low - 1].low)
		low--;
	return symbols->at[low - 1].name;
}

/* ---- the lines of a unit ---- */

/* Goes through addresses that do not go down, and keeps the ranges that hold the last one. */
struct sweep {
	const range_list *ranges; /* sorted */
	size_t next;
	VEC(const struct range *) open; /* each inside of the one before */
};

/* The innermost call at the address, or NULL. */
static const char *owner_at(struct sweep *s, Dwarf_Addr address)
{
	for (;;) {
		while (s->open.n && s->open.at[s->open.n - 1]->high <= address)
			s->open.n--;
		if (s->next == s->ranges->n || s->ranges->at[s->next].low > address)
			break;
		VEC_PUSH(&s->open, &s->ranges->at[s->next++]);
	}
	return s->open.n ? s->open.at[s->open.n - 1]->name : NULL;
}

struct unit {
	struct inlining *in;
	const char *directory; /* that relative files are in (DW_AT_comp_dir), or NULL */
	const char *file;      /* of the row before */
	const char *names[2];  /* that a profile may have for it; the second may be NULL */
	const symbol_list *symbols;
	Dwarf_Addr bias;
	Dwarf_Lines *lines;
	size_t n;
	range_list ranges;
};

static void own(struct inlined_lines *lines, uint32_t number, const char *owner)
{
	struct owned_line *line;

	HASH_FIND(hh, lines->lines, &number, sizeof number, line);
	if (line) {
		if (line->owner != owner)
			line->owner = NULL;
		return;
	}
	line = arena_alloc(sizeof *line);
	line->line = number;
	line->owner = owner;
	HASH_ADD(hh, lines->lines, line, sizeof line->line, line);
}

/* What gcc split off a function and put back, or a call of itself that it inlined, is no other
 * function. The host's name may end in ".part.0" or " [clone .part.0]". */
static bool is_same_function(const char *owner, struct text host)
{
	size_t len = strlen(owner);

	return len <= host.len && !memcmp(owner, host.at, len) &&
	       (len == host.len || strchr(". ", host.at[len]));
}

/* Behind the directory; NULL: the file is not in it. */
static const char *name_in(const char *directory, const char *file)
{
	size_t len = directory ? strlen(directory) : 0;

	return len && !strncmp(file, directory, len) && file[len] == '/' ? file + len + 1 : NULL;
}

/* With DWARF 4 assembly names files as the compiler was told them, with DWARF 5 it says the directory, too; and libdw
 * has put that before some. */
static void name_file(struct unit *u, const char *file)
{
	const char *full, *inside;

	if (file == u->file)
		return;
	full = path_join(u->directory, file);
	inside = name_in(u->directory, file);
	u->file = file;
	u->names[0] = path_fold(file);
	u->names[1] = full != file ? path_fold(full) : inside ? path_fold(inside) : NULL;
}

/* That a function's code has the line of the file. */
static void note_line(const struct unit *u, const char *symbol, const char *file, uint32_t number, const char *owner)
{
	struct text host = naming_function(u->in->naming, text_of(symbol), text_of(file));
	char *key = key_of(host, file);
	struct inlined_lines *lines = find(u->in, key);

	if (owner && is_same_function(owner, host))
		owner = NULL;
	if (!lines && owner) {
		lines = arena_alloc(sizeof *lines);
		lines->key = arena_string(key, strlen(key));
		HASH_ADD_KEYPTR(hh, u->in->all, lines->key, strlen(key), lines);
	}
	if (lines)
		own(lines, number, owner);
	free(key);
}

/* A row of the line table. Rows of no inlined call are noted in files that have any. */
static void note_row(struct unit *u, Dwarf_Line *row, Dwarf_Addr address, const char *owner)
{
	const char *symbol = symbol_at(u->symbols, address + u->bias);
	const char *file = dwarf_linesrc(row, NULL, NULL);
	int number;

	if (!symbol || !file || dwarf_lineno(row, &number) != 0 || number <= 0)
		return;
	name_file(u, file);
	for (unsigned i = 0; i < 2 && u->names[i]; i++)
		note_line(u, symbol, u->names[i], (uint32_t)number, owner);
}

/* A row that another one at the same address replaces has no code. */
static bool has_code(const struct unit *u, size_t i, Dwarf_Addr address)
{
	Dwarf_Addr next;
	bool end;

	if (dwarf_lineendsequence(dwarf_onesrcline(u->lines, i), &end) != 0 || end)
		return false;
	return i + 1 == u->n || dwarf_lineaddr(dwarf_onesrcline(u->lines, i + 1), &next) != 0 ||
	       next != address;
}

/* Inlined rows first: most functions have none, and their own rows need no names then. */
static void note_rows(struct unit *u, bool inlined)
{
	struct sweep sweep = {.ranges = &u->ranges};
	Dwarf_Addr address;
	const char *owner;
	Dwarf_Line *row;

	for (size_t i = 0; i < u->n; i++) {
		row = dwarf_onesrcline(u->lines, i);
		if (dwarf_lineaddr(row, &address) != 0)
			continue;
		owner = owner_at(&sweep, address);
		if (has_code(u, i, address) && (owner != NULL) == inlined)
			note_row(u, row, address, owner);
	}
	VEC_FREE(&sweep.open);
}

/* Where the unit's functions are: it may be no more than a skeleton, which has the lines, with the rest in a .dwo file
 * (DWARF 5, 3.1.2). False: that is not to be had. */
static bool find_whole(Dwarf_Die *die, Dwarf_Die *whole)
{
	Dwarf_Die split;
	uint8_t type;

	*whole = *die;
	if (dwarf_cu_info(die->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) != 0 || type != DW_UT_skeleton)
		return true;
	*whole = split;
	return split.cu;
}

static bool read_unit(struct inlining *in, const symbol_list *symbols, Dwarf_Die *die, Dwarf_Addr bias)
{
	struct unit u = {.in = in, .symbols = symbols, .bias = bias};
	Dwarf_Attribute attribute;
	Dwarf_Die whole;

	if (!find_whole(die, &whole))
		return false;
	u.directory = dwarf_formstring(dwarf_attr(die, DW_AT_comp_dir, &attribute));
	find_ranges(in, &u.ranges, &whole, 0);
	if (u.ranges.n && dwarf_getsrclines(die, &u.lines, &u.n) == 0) {
		qsort(u.ranges.at, u.ranges.n, sizeof *u.ranges.at, compare_ranges);
		note_rows(&u, true);
		note_rows(&u, false);
	}
	VEC_FREE(&u.ranges);
	return true;
}

/* ---- a program ---- */

static const char *read_module(struct inlining *in, Dwfl_Module *module, const char *path)
{
	symbol_list symbols;
	Dwarf_Die *die = NULL;
	bool complete = true;
	Dwarf_Addr bias;

	if (!dwfl_module_getdwarf(module, &bias))
		return "it has no debug information";
	symbols = find_symbols(module);
	while ((die = dwfl_module_nextcu(module, die, &bias)))
		complete &= read_unit(in, &symbols, die, bias);
	VEC_FREE(&symbols);
	if (!complete)
		warn("%s: some of its debug information is in .dwo files that are not where they were made", path);
	return NULL;
}

const char *inlining_add(struct inlining *in, const char *path)
{
	static char *debug_path;
	static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
	                                         .find_debuginfo = dwfl_standard_find_debuginfo,
	                                         .section_address = dwfl_offline_section_address,
	                                         .debuginfo_path = &debug_path};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module;
	const char *error;

	if (!dwfl)
		return dwfl_errmsg(-1);
	dwfl_report_begin(dwfl);
	module = dwfl_report_offline(dwfl, path, path, -1);
	dwfl_report_end(dwfl, NULL, NULL);
	error = module ? read_module(in, module, path) : dwfl_errmsg(-1);
	dwfl_end(dwfl);
	return error;
}

const struct inlined_lines *inlining_find(const struct inlining *in, struct text function,
                                          struct text file)
{
	const struct inlined_lines *found;
	char *name, *key;

	if (!in)
		return NULL;
	name = xstrndup(file.at, file.len);
	key = key_of(function, path_fold(name));
	found = find(in, key);
	free(key);
	free(name);
	return found;
}

const char *inlining_owner(const struct inlined_lines *lines, uint32_t line)
{
	struct owned_line *found;

	HASH_FIND(hh, lines->lines, &line, sizeof line, found);
	return found ? found->owner : NULL;
}
