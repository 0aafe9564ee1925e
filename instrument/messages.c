/* The user's file was assembled before, and gas said then what it has to say of it. What is new is about
 * how code and data that are longer now fit together: a branch, a distance. It is told with the user's line,
 * which is found by printing the text once more. */
#include "instrument/messages.h"

#include "common/file.h"
#include "instrument/gas.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#define INFO "Info: "

struct places {
	const struct emission *e;
	char *text;
	size_t len;
	size_t *at; /* per statement */
	VEC(size_t) lines; /* where each begins */
};

/* What gas said of the user's file. */
struct known_words {
	const char *words;
	UT_hash_handle hh;
};

static void find_places(struct places *p)
{
	struct emission e = *p->e;
	FILE *out = memory_file(&p->text, &p->len);

	p->at = e.places = xalloc(e.flow->unit->file->n + 1, sizeof *p->at);
	emit(&e, out);
	fclose(out);
	VEC_PUSH(&p->lines, 0);
	for (const char *c = p->text; (c = memchr(c, '\n', p->len - (size_t)(c - p->text)));)
		VEC_PUSH(&p->lines, (size_t)(++c - p->text));
}

/* The last statement that begins at or before the offset. */
static size_t statement_at(const struct places *p, size_t offset)
{
	size_t low = 0, high = p->e->flow->unit->file->n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (p->at[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The user's line of a line of the text: of what stands there, or of what it was planted for. */
static unsigned users_line(struct places *p, unsigned long line)
{
	const struct asm_stmt *s;
	unsigned within = 0;
	size_t offset, i;

	if (!p->at)
		find_places(p);
	offset = p->lines.at[line <= p->lines.n ? line - 1 : p->lines.n - 1];
	i = statement_at(p, offset);
	s = &p->e->flow->unit->file->stmts[i];
	if (s->kind == ASM_RAW)
		for (const char *c = p->text + p->at[i]; c < p->text + offset; c++)
			within += *c == '\n';
	return s->line + within;
}

/* What stands behind the file's name and line: "Warning: ..."; all of a message that is not about a place. */
static const char *words_of(const char *message)
{
	static const char *const kinds[] = {"Warning: ", "Error: ", "Fatal error: ", INFO};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const char *words = strstr(message, kinds[i]);

		if (words)
			return words;
	}
	return message;
}

static bool is_heading(const char *message)
{
	static const char heading[] = "Assembler messages:";
	size_t n = strlen(message);

	return n >= strlen(heading) && !strcmp(message + n - strlen(heading), heading);
}

static void print_message(struct places *p, const char *message, const char *in)
{
	const struct asm_file *file = p->e->flow->unit->file;
	size_t n = strlen(in);
	unsigned long line = strncmp(message, in, n) || message[n] != ':' ? 0 : strtoul(message + n + 1, NULL, 10);

	if (line && file->n) {
		fprintf(stderr, "%s:%u: %s\n", file->name, users_line(p, line), words_of(message));
		return;
	}
	assembler_repeat(message, in, file->name);
	fputc('\n', stderr);
}

static struct known_words *find_known(char *said)
{
	struct known_words *all = NULL, *known;
	char *save = NULL;

	for (char *message = strtok_r(said, "\n", &save); message; message = strtok_r(NULL, "\n", &save)) {
		const char *words = words_of(message);

		HASH_FIND_STR(all, words, known);
		if (known)
			continue;
		known = arena_alloc(sizeof *known);
		known->words = words;
		HASH_ADD_KEYPTR(hh, all, known->words, strlen(known->words), known);
	}
	return all;
}

static bool is_known(const struct known_words *all, const char *words)
{
	const struct known_words *known;

	HASH_FIND_STR(all, words, known);
	return known;
}

void messages_print(const char *said, const char *in, const struct emission *e)
{
	const struct unit *unit = e->flow->unit;
	struct places p = {.e = e};
	char *copy = xstrdup(said), *before = xstrdup(unit->said), *save = NULL;
	struct known_words *known = find_known(before);
	bool any = false, last = false;

	for (char *message = strtok_r(copy, "\n", &save); message; message = strtok_r(NULL, "\n", &save)) {
		const char *words = words_of(message);

		/* "macro invoked from here" belongs to what was said before it. */
		if (strncmp(words, INFO, strlen(INFO)))
			last = !is_heading(message) && !is_known(known, words);
		if (!last)
			continue;
		if (!any)
			fprintf(stderr, "%s: Assembler messages, with what cacheprof planted:\n", unit->file->name);
		print_message(&p, message, in);
		any = true;
	}
	HASH_CLEAR(hh, known);
	free(copy);
	free(before);
	free(p.text);
	free(p.at);
	VEC_FREE(&p.lines);
}
