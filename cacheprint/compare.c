/* A profile says what lines cost, not what they say; so an inserted line shifts all that follow,
 * unless the two texts are there to be compared, too. */
#include "cacheprint/compare.h"

#include "cacheprint/align.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where in the sorted lines of a side the work is. */
struct cursor {
	const struct lines *lines;
	size_t next;
};

/* The counts of this line, which is not below those asked for before. */
static const int64_t *take(struct cursor *c, uint32_t line)
{
	while (c->next < c->lines->n && c->lines->at[c->next].number < line)
		c->next++;
	if (c->next == c->lines->n || c->lines->at[c->next].number != line)
		return NULL;
	return c->lines->at[c->next++].counts;
}

#define NO_LINE UINT64_MAX

static uint64_t number_at(const struct cursor *c)
{
	return c->next < c->lines->n ? c->lines->at[c->next].number : NO_LINE;
}

/* Of two texts, line n past the end of one is not line n of the other. */
static bool is_in_one_only(const struct comparison *c, const struct source *s, uint32_t line)
{
	return c->before && c->after && line <= source_count_lines(s);
}

/* Lines that have counts on either side and numbers from here on, by number. */
static void pair_numbers(struct comparison *c, struct cursor *before, struct cursor *after,
                         uint64_t end)
{
	for (;;) {
		uint64_t a = number_at(before), b = number_at(after), least = a < b ? a : b;
		uint32_t line = (uint32_t)least;

		if (least >= end)
			return;
		VEC_PUSH(&c->changes,
		         (struct change){is_in_one_only(c, c->before, line) ? 0 : line,
		                         is_in_one_only(c, c->after, line) ? 0 : line,
		                         take(before, line), take(after, line)});
	}
}

/* Lines of the old text up to `end` are gone. */
static void take_removed(struct comparison *c, struct cursor *before, uint32_t *next, uint32_t end)
{
	for (; *next < end; ++*next)
		VEC_PUSH(&c->changes, (struct change){*next, 0, take(before, *next), NULL});
}

/* The next line of the old text, from new line `line` on, that is still there; else its end. */
static uint32_t next_match(const struct comparison *c, const uint32_t *match, uint32_t line)
{
	uint32_t n = (uint32_t)source_count_lines(c->after);

	while (line <= n && !match[line])
		line++;
	return line <= n ? match[line] : (uint32_t)source_count_lines(c->before) + 1;
}

/* What was removed stands before what was put in its place. */
static void pair_texts(struct comparison *c, struct cursor *before, struct cursor *after)
{
	uint32_t *match = align_sources(c->before, c->after), next = 1;
	uint32_t n = (uint32_t)source_count_lines(c->after);

	for (uint32_t line = 1; line <= n; line++) {
		if (line == 1 || match[line] || match[line - 1])
			take_removed(c, before, &next, next_match(c, match, line));
		VEC_PUSH(&c->changes, (struct change){match[line], line, NULL, take(after, line)});
		if (match[line])
			c->changes.at[c->changes.n - 1].counts_before = take(before, next++);
	}
	take_removed(c, before, &next, (uint32_t)source_count_lines(c->before) + 1);
	free(match);
}

/* The text is the same on both sides, or the only one known. */
static void pair_text(struct comparison *c, struct cursor *before, struct cursor *after)
{
	uint32_t n = (uint32_t)source_count_lines(c->after);

	for (uint32_t line = 1; line <= n; line++)
		VEC_PUSH(&c->changes,
		         (struct change){line, line, take(before, line), take(after, line)});
}

/* Finds the old text, unless it can only be the new one. */
static struct source *find_before(const struct file *file, const struct source *after,
                                  const struct options *o)
{
	const char *recorded = file->recorded[1];
	struct source *s;

	if (o->before.n)
		return source_find_below(recorded, &o->before);
	if (file->recorded[0] && strcmp(file->recorded[0], recorded) == 0)
		return NULL;
	s = source_find(recorded, NULL, &o->search);
	if (s && after && strcmp(s->path, after->path) == 0) {
		source_free(s);
		return NULL;
	}
	return s;
}

/* That the second profile lacks a file says only that nothing of it ran: its lines are gone when its text is. */
static void find_sources(struct comparison *c, const struct model *m, const struct file *file,
                         const char *named, const struct options *o)
{
	const char *after = file->recorded[0], *before = file->recorded[1];
	bool known;

	c->after = source_find(after ? after : before, named, &o->search);
	if (before)
		c->before = find_before(file, c->after, o);
	if (after && !c->after && c->before) { /* nothing of it can be said to be gone */
		source_free(c->before);
		c->before = NULL;
	}
	known = c->after && (!after || !before || strcmp(after, before) == 0) &&
	        !source_is_newer(c->after, m->profiles.at[0]);
	c->by_number = before && !c->before && !known;
}

void compare_file(struct comparison *c, const struct model *m, const struct file *file,
                  const char *named, const struct options *o)
{
	struct cursor before, after;
	uint32_t removed = 1;

	*c = (struct comparison){.lines_before = model_lines(m, file, BEFORE),
	                         .lines_after = model_lines(m, file, AFTER)};
	before = (struct cursor){&c->lines_before, 0};
	after = (struct cursor){&c->lines_after, 0};
	find_sources(c, m, file, named, o);
	pair_numbers(c, &before, &after, 1);
	if (c->before && c->after)
		pair_texts(c, &before, &after);
	else if (c->after)
		pair_text(c, &before, &after);
	else if (c->before)
		take_removed(c, &before, &removed, (uint32_t)source_count_lines(c->before) + 1);
	pair_numbers(c, &before, &after, NO_LINE);
}

void compare_free(struct comparison *c)
{
	if (c->before)
		source_free(c->before);
	if (c->after)
		source_free(c->after);
	model_free_lines(&c->lines_before);
	model_free_lines(&c->lines_after);
	VEC_FREE(&c->changes);
}

struct sides compare_sides(const struct column *c, const int64_t *before,
                           const int64_t *differences, unsigned n)
{
	int64_t counts[READER_MAX_EVENTS] = {0};
	static const int64_t none[READER_MAX_EVENTS];

	for (unsigned i = 0; i < n; i++)
		counts[i] = (before ? before[i] : 0) + differences[i];
	return (struct sides){column_value(c, before ? before : none), column_value(c, counts)};
}

long double compare_value(const struct column *c, const int64_t *before, const int64_t *after)
{
	static const int64_t none[READER_MAX_EVENTS];
	long double a = column_value(c, before ? before : none);
	long double b = column_value(c, after ? after : none);

	return (isnan(b) ? 0 : b) - (isnan(a) ? 0 : a);
}
