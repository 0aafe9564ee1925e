/* The profile does not say where a function begins. Its lowest line is it, except when a function
 * of the same file was inlined into it: then the lowest line with counts that is preceded by the
 * function's name and an opening parenthesis, as in a definition, is taken. */
#include "cacheprint/heads.h"

#include <ctype.h>
#include <string.h>

/* How far above its first count a definition is looked for. */
#define HEAD_LINES 8

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Does the line hold the name as a word of its own, followed by "(", or as an assembly's label? */
static bool has_head(struct text line, struct text name)
{
	const char *end = line.at + line.len, *p = line.at, *q;

	while (name.len && (p = memmem(p, (size_t)(end - p), name.at, name.len))) {
		q = p + name.len;
		while (q < end && isspace((unsigned char)*q))
			q++;
		if (q < end && *q == '(' && (p == line.at || !is_word(p[-1])))
			return true;
		if (q < end && *q == ':' && p == line.at)
			return true;
		p++;
	}
	return false;
}

/* Is the definition of the function right above this line, or on it? */
static bool begins_at(const struct source *s, uint32_t line, struct text name)
{
	struct text text;

	if (!line || line > source_count_lines(s))
		return false;
	for (uint32_t n = line; n > 0 && n + HEAD_LINES > line; n--) {
		text = source_line(s, n);
		if (has_head(text, name))
			return true;
		if (n < line && text.len &&
		    (memchr(text.at, ';', text.len) || memchr(text.at, '}', text.len)))
			return false;
	}
	return false;
}

/* The lowest line of a part that begins the function, and the lowest of all. */
static void look_at(const struct part *part, const struct source *s, struct text name,
                    uint32_t *head, uint32_t *lowest)
{
	struct text rows = part->rows;
	struct row row;

	while (part_next(part, &rows, &row)) {
		if (row.line && row.line < *lowest)
			*lowest = row.line;
		if (s && row.line < *head && begins_at(s, row.line, name))
			*head = row.line;
	}
}

static bool has_side(const struct function *f, enum side side)
{
	for (size_t i = 0; i < f->parts.n; i++)
		if (f->parts.at[i].side == side)
			return true;
	return false;
}

uint32_t heads_first_line(const struct function *f, const struct source *s)
{
	uint32_t lowest = UINT32_MAX, head = UINT32_MAX;
	struct text name = names_bare(f->name);
	enum side side = has_side(f, AFTER) ? AFTER : BEFORE;

	for (size_t i = 0; i < f->parts.n; i++)
		if (f->parts.at[i].side == side)
			look_at(&f->parts.at[i], s, name, &head, &lowest);
	return head < UINT32_MAX ? head : lowest < UINT32_MAX ? lowest : 0;
}
