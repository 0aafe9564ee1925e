/* Each statement goes to gas on lines of its own, so that the listing's numbers of lines tell statements. In the
 * listing (binutils 2.40, gas/listing.c, options -alnmc: assembly, no forms, expansions, no false conditionals) a line
 * is
 *
 *	number, offset and bytes of code, a tab, ">" for each level of expansion, a blank, the statement
 *
 * A statement that is expanded itself stands above what it makes, one level less deep. */
#include "instrument/expand.h"

#include "common/diag.h"
#include "common/file.h"
#include "common/mem.h"
#include "instrument/macros.h"
#include "instrument/trial.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a line in the listing: what is longer is cut, and found out when the objects are compared. */
#define WIDTH "1000000"

/* A statement of an expansion. */
struct made {
	uint32_t stmt; /* what it is made by */
	unsigned depth;
	struct asm_text text;
};

struct expander {
	const struct asm_file *file;
	const struct assembler *as;
	char *listing;
	uint32_t *lines; /* per statement, the line of the listed file on which it begins */
	VEC(struct made) made;
	struct macros macros; /* that the file and its expansions define */
};

/* ---- the file as it is listed ---- */

/* What would change the listing or its numbers, and makes no code. */
static bool is_for_listings(const struct asm_stmt *s)
{
	static const char *const directives[] = {".appfile", ".appline", ".eject", ".linefile", ".line", ".list", ".ln",
						 ".nolist",  ".psize",	 ".sbttl", ".title"};

	return s->kind == ASM_LINEMARK || (s->kind == ASM_DIRECTIVE && ASM_TEXT_AMONG(s->name, directives));
}

static uint32_t count_newlines(struct asm_text t)
{
	uint32_t n = 0;

	for (size_t i = 0; i < t.len; i++)
		n += t.p[i] == '\n';
	return n;
}

static char last_char(struct asm_text t)
{
	return t.len ? t.p[t.len - 1] : '\0';
}

static void print_newlines(uint32_t n, FILE *out)
{
	while (n--)
		putc('\n', out);
}

static void print_listed(struct expander *x, FILE *out)
{
	uint32_t line = 1;

	x->lines = xalloc(x->file->n, sizeof *x->lines);
	for (size_t i = 0; i < x->file->n; i++) {
		const struct asm_stmt *s = &x->file->stmts[i];
		bool splits = last_char(s->text) == ';';

		x->lines[i] = line;
		line += count_newlines(s->text) + splits;
		if (is_for_listings(s))
			print_newlines(count_newlines(s->text), out);
		else
			fwrite(s->text.p, 1, s->text.len - splits, out);
		if (splits)
			putc('\n', out);
	}
}

/* Returns what is printed, which the caller frees; it is in the file, too. */
static char *write_printed(struct expander *x, void (*print)(struct expander *, FILE *), const char *name, size_t *len)
{
	char *text = NULL;
	FILE *out = memory_file(&text, len);

	print(x, out);
	fclose(out);
	trial_write(x->as, name, text, *len);
	return text;
}

/* ---- the listing ---- */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.$@?\\", c)) || (unsigned char)c >= 0x80;
}

/* What stands behind the labels that a statement may begin with. */
static const char *behind_labels(const char *p, const char *end)
{
	const char *name;

	for (;;) {
		while (p < end && isspace((unsigned char)*p))
			p++;
		for (name = p; name < end && is_name(*name);)
			name++;
		if (name == p || name == end || *name != ':')
			return p;
		p = name + 1;
	}
}

/* Behind its labels. */
static struct asm_text first_word(struct asm_text made)
{
	const char *end = made.p + made.len, *word = behind_labels(made.p, end), *p = word;

	while (p < end && !strchr(" \t", *p))
		p++;
	return (struct asm_text){word, (size_t)(p - word)};
}

/* The last statement that begins on the line or before it. */
static uint32_t stmt_of_line(const struct expander *x, unsigned long line)
{
	size_t low = 0, high = x->file->n;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (x->lines[middle] <= line)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

static void read_line(struct expander *x, const char *line, const char *end)
{
	const char *text = memchr(line, '\t', (size_t)(end - line));
	unsigned long number = strtoul(line, NULL, 10);
	unsigned depth = 0;

	if (!text || !number)
		return;
	for (text++; text < end && *text == '>'; text++)
		depth++;
	if (!depth)
		return;
	VEC_PUSH(&x->made, (struct made){stmt_of_line(x, number), depth, {text, (size_t)(end - text)}});
	macros_add(&x->macros, x->made.at[x->made.n - 1].text);
}

static void read_listing(struct expander *x)
{
	const char *end, *nl;
	size_t len;

	x->listing = trial_read(x->as, "listing", &len);
	end = x->listing + len;
	for (const char *line = x->listing; line < end; line = nl + 1) {
		nl = memchr(line, '\n', (size_t)(end - line));
		if (!nl)
			nl = end;
		read_line(x, line, nl);
	}
}

static bool list(struct expander *x)
{
	char *to = xasprintf("-alnmc=%s/listing", x->as->temp_dir);
	const char *const options[] = {to, "--listing-lhs-width=1", "--listing-rhs-width=" WIDTH, NULL};
	size_t len;
	bool listed;

	free(write_printed(x, print_listed, "listed.s", &len));
	listed = trial_assemble(x->as, "listed.s", "listed.o", options);
	if (listed)
		read_listing(x);
	free(to);
	return listed;
}

/* ---- the file written out ---- */

static bool begins_among(struct asm_text word, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct asm_text begin = {word.p, strlen(words[i])};

		if (word.len >= begin.len && asm_text_means(begin, words[i]))
			return true;
	}
	return false;
}

/* What has done its work in the listing. Only labels remain of it. */
static bool is_done(const struct expander *x, size_t i)
{
	static const char *const done[] = {".macro", ".endm", ".exitm", ".purgem", ".endr"};
	static const char *const conditions[] = {".if", ".else", ".endif", ".rep", ".irp", ".irep"};
	const struct made *m = &x->made.at[i];
	struct asm_text word = first_word(m->text);

	return (i + 1 < x->made.n && m[1].stmt == m->stmt && m[1].depth > m->depth) || ASM_TEXT_AMONG(word, done) ||
	       begins_among(word, conditions, sizeof conditions / sizeof *conditions) ||
	       macros_have(&x->macros, word);
}

static void print_made(const struct expander *x, size_t i, FILE *out)
{
	const struct made *m = &x->made.at[i];
	const char *begin = m->text.p, *end = begin + m->text.len, *text = behind_labels(begin, end);
	bool done = is_done(x, i);

	while (begin < text && isspace((unsigned char)*begin))
		begin++;
	putc('\t', out);
	fwrite(begin, 1, (size_t)((done ? text : end) - begin), out);
	if (!done && text < end)
		putc(';', out);
}

static bool is_repetition(const struct asm_stmt *s)
{
	static const char *const directives[] = {".rept", ".rep", ".irp", ".irep", ".irpc", ".irepc"};

	return s->kind == ASM_RAW && ASM_TEXT_AMONG(s->name, directives);
}

/* Whether nothing remains of a statement but what gas made of it. */
static bool is_replaced(const struct expander *x, const struct asm_stmt *s, bool made)
{
	switch (s->kind) {
	case ASM_RAW:
		return is_repetition(s) || asm_text_means(s->name, ".macro");
	case ASM_INSN:
		return made || macros_have(&x->macros, s->name);
	case ASM_DIRECTIVE:
		return asm_text_means(s->name, ".purgem") || macros_have(&x->macros, s->name);
	default:
		return false;
	}
}

/* The lines of a statement that is replaced: empty but for the last line mark, which holds behind it. */
static void print_lines(const struct asm_stmt *s, FILE *out)
{
	uint32_t n = count_newlines(s->text), before = s->mark_line ? s->mark_line - s->line : 0;

	print_newlines(before, out);
	if (s->mark_line && s->args.p)
		fprintf(out, "# %u \"%.*s\"", s->number, (int)s->args.len, s->args.p);
	else if (s->mark_line)
		fprintf(out, "# %u", s->number);
	print_newlines(n - before, out);
}

static void print_expanded(struct expander *x, FILE *out)
{
	size_t next = 0;

	for (uint32_t i = 0; i < x->file->n; i++) {
		const struct asm_stmt *s = &x->file->stmts[i];
		size_t first = next;

		while (next < x->made.n && x->made.at[next].stmt == i)
			next++;
		if (!is_replaced(x, s, next > first)) {
			fwrite(s->text.p, 1, s->text.len, out);
			continue;
		}
		for (; first < next; first++)
			print_made(x, first, out);
		print_lines(s, out);
	}
}

/* ---- all of it ---- */

/* Macros may come from another file, or be invoked in a raw region. */
static bool may_expand(const struct expander *x, const struct asm_stmt *s)
{
	switch (s->kind) {
	case ASM_RAW:
		return is_repetition(s) || (x->macros.names && !asm_text_means(s->name, ".macro"));
	case ASM_INSN:
		return macros_have(&x->macros, s->name);
	case ASM_DIRECTIVE:
		return asm_text_means(s->name, ".include") || macros_have(&x->macros, s->name);
	default:
		return false;
	}
}

/* Returns the number of statements if there is none. */
static size_t first_to_expand(const struct expander *x)
{
	size_t i = 0;

	while (i < x->file->n && !may_expand(x, &x->file->stmts[i]))
		i++;
	return i;
}

/* Whether what is written out is what gas makes of the file. Where it lists it, gas writes distances between lines in
 * another way at times (gcc's -g), so then the file is assembled once more. */
static bool is_same(const struct assembler *as)
{
	return trial_expanded(as) || (trial_assemble(as, "listed.s", "listed.o", NULL) && trial_expanded(as));
}

const struct asm_file *expand(const struct asm_file *file, const struct assembler *as)
{
	struct expander x = {.file = file, .as = as};
	size_t len, first;
	char *text;

	macros_add_file(&x.macros, file);
	first = first_to_expand(&x);
	if (first < file->n && list(&x)) {
		text = write_printed(&x, print_expanded, "expanded.s", &len);
		if (is_same(as))
			file = asm_parse(file->name, text, len);
		else
			warn_at(asm_place(file, first), NULL, 0,
				"macros cannot be written out here: what they refer to is counted in part");
	}
	VEC_FREE(&x.made);
	macros_free(&x.macros);
	free(x.lines);
	free(x.listing);
	return file;
}
