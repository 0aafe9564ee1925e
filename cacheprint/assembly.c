/* One pass, line by line: a compiler writes one statement a line. What holds for an instruction is
 * what the last .loc, the last section directive and the last function's label say. A function is a
 * symbol that a .type line calls so; in a text without such lines, every label that is not local. */
#include "cacheprint/assembly.h"

#include "common/diag.h"
#include "common/path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#undef uthash_fatal
#define uthash_fatal(message) die("out of memory")

struct symbol {
	const char *name;
	UT_hash_handle hh;
};

struct reading {
	struct assembly *assembly;
	struct symbol *typed;    /* by .type NAME, @function */
	VEC(uint32_t) numbered;  /* .file N: index into files */
	const char *directory;   /* of compilation, or NULL */
	struct assembly_line at; /* what the next instruction is */
};

static void skip_blanks(struct text *t)
{
	while (t->len && isspace((unsigned char)*t->at))
		t->at++, t->len--;
}

/* Takes what is no blank and no comma off the front. */
static struct text take_word(struct text *t)
{
	struct text word;

	skip_blanks(t);
	word = (struct text){t->at, 0};
	while (word.len < t->len && !isspace((unsigned char)word.at[word.len]) &&
	       word.at[word.len] != ',')
		word.len++;
	t->at += word.len;
	t->len -= word.len;
	return word;
}

static bool is(struct text t, const char *word)
{
	return text_equal(t, (struct text){word, strlen(word)});
}

static bool take_number(struct text *t, uint32_t *number)
{
	struct text word = take_word(t);

	*number = 0;
	for (size_t i = 0; i < word.len; i++) {
		if (!isdigit((unsigned char)word.at[i]))
			return false;
		*number = *number * 10 + (uint32_t)(word.at[i] - '0');
	}
	return word.len > 0;
}

/* What is behind a backslash: the octal number of a byte, or a character that stands for itself. */
static char take_escaped(struct text *t)
{
	unsigned value = 0;
	int n = 0;

	for (; n < 3 && t->len && *t->at >= '0' && *t->at <= '7'; n++, t->at++, t->len--)
		value = value * 8 + (unsigned)(*t->at - '0');
	if (n)
		return (char)value;
	t->len--;
	return *t->at++;
}

/* A quoted string; NULL when there is none. */
static const char *take_string(struct text *t)
{
	char *string;
	size_t n = 0;

	skip_blanks(t);
	if (!t->len || *t->at != '"')
		return NULL;
	string = arena_alloc(t->len);
	for (t->at++, t->len--; t->len && *t->at != '"';) {
		char c = *t->at++;

		t->len--;
		string[n++] = c == '\\' && t->len ? take_escaped(t) : c;
	}
	t->at += t->len > 0;
	t->len -= t->len > 0;
	return string;
}

/* .file N "name" or .file N "directory" "name"; 0 is the unit itself, and its directory. */
static void note_file(struct reading *r, struct text args)
{
	uint32_t number;
	const char *first, *second;

	if (!take_number(&args, &number) || number > r->assembly->lines.n)
		return;
	first = take_string(&args);
	second = first ? take_string(&args) : NULL;
	if (!first)
		return;
	if (number == 0 && second)
		r->directory = first;
	if (second)
		first = path_join(path_join(r->directory, first), second);
	while (r->numbered.n <= number)
		VEC_PUSH(&r->numbered, ASSEMBLY_NONE);
	r->numbered.at[number] = (uint32_t)r->assembly->files.n;
	VEC_PUSH(&r->assembly->files, path_fold(path_join(r->directory, first)));
}

static void note_loc(struct reading *r, struct text args)
{
	uint32_t number, line;

	if (!take_number(&args, &number) || !take_number(&args, &line))
		return;
	r->at.file = number < r->numbered.n ? r->numbered.at[number] : ASSEMBLY_NONE;
	r->at.line = line;
}

static void note_type(struct reading *r, struct text args)
{
	struct text name = take_word(&args);
	struct symbol *s;

	if (!memmem(args.at, args.len, "function", strlen("function")))
		return;
	s = xalloc(1, sizeof *s);
	s->name = arena_string(name.at, name.len);
	HASH_ADD_KEYPTR(hh, r->typed, s->name, name.len, s);
}

static void change_section(struct reading *r, struct text args)
{
	(void)args;
	r->at.file = ASSEMBLY_NONE;
	r->at.line = 0;
}

static const struct directive {
	const char *name;
	void (*note)(struct reading *r, struct text args);
} directives[] = {
    {".file", note_file},         {".loc", note_loc},           {".type", note_type},
    {".text", change_section},    {".section", change_section}, {".pushsection", change_section},
    {".previous", change_section}, {".popsection", change_section},
};

static void note_directive(struct reading *r, struct text line)
{
	struct text name = take_word(&line);

	for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
		if (is(name, directives[i].name))
			directives[i].note(r, line);
}

static bool is_function(const struct reading *r, struct text label)
{
	struct symbol *found;

	if (!r->typed)
		return !isdigit((unsigned char)*label.at) && *label.at != '.';
	HASH_FIND(hh, r->typed, label.at, label.len, found);
	return found != NULL;
}

static void note_label(struct reading *r, struct text label)
{
	if (!is_function(r, label))
		return;
	r->at.function = (uint32_t)r->assembly->functions.n;
	VEC_PUSH(&r->assembly->functions, arena_string(label.at, label.len));
}

/* Takes labels off the front of the line. */
static bool take_labels(struct reading *r, struct text *line)
{
	bool any = false;

	for (;;) {
		struct text rest = *line, word = take_word(&rest);

		if (word.len < 2 || word.at[word.len - 1] != ':')
			return any;
		word.len--;
		note_label(r, word);
		any = true;
		*line = rest;
		skip_blanks(line);
	}
}

static void read_line(struct reading *r, struct text line)
{
	enum assembly_kind kind = take_labels(r, &line) ? ASSEMBLY_LABEL : ASSEMBLY_OTHER;

	skip_blanks(&line);
	if (line.len && *line.at == '.')
		note_directive(r, line);
	else if (line.len && !strchr("#/", *line.at))
		kind = ASSEMBLY_INSN;
	VEC_PUSH(&r->assembly->lines, r->at);
	r->assembly->lines.at[r->assembly->lines.n - 1].kind = kind;
}

struct assembly *assembly_read(const struct source *text)
{
	struct reading r = {.assembly = arena_alloc(sizeof *r.assembly),
	                    .at = {.function = ASSEMBLY_NONE, .file = ASSEMBLY_NONE}};
	struct symbol *s, *next;

	for (size_t i = 1; i <= source_count_lines(text); i++)
		read_line(&r, source_line(text, i));
	HASH_ITER(hh, r.typed, s, next)
	{
		HASH_DEL(r.typed, s);
		free(s);
	}
	VEC_FREE(&r.numbered);
	return r.assembly;
}
