/* Reads a profile (include/profile.h; Valgrind's cachegrind.out files as well) and vouches for it:
 * what is not a whole, consistent profile is refused with a line number and a reason. */
#ifndef CACHEPRINT_READER_H
#define CACHEPRINT_READER_H

#include "common/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define READER_MAX_EVENTS 64

/* A piece of the profile's text; not ended by a NUL. */
struct text {
	const char *at;
	size_t len;
};

/* "desc: key: value"; a desc line without a second colon has an empty key. */
struct description {
	struct text key, value;
};

/* The count lines between one fn= and the next; the counts themselves stay in the file. */
struct section {
	struct text file, function;
	struct text rows;
	uint64_t n_rows;
};

struct profile {
	const char *path;
	struct timespec modified;
	struct text text;
	size_t mapped; /* bytes to unmap, 0 when text is on the heap */
	VEC(struct description) descriptions;
	struct text command;
	struct text events_line; /* what follows "events:", blanks and all */
	VEC(struct text) events;
	VEC(struct section) sections;
	VEC(int64_t) sums; /* of each section, events.n numbers apiece */
	int64_t totals[READER_MAX_EVENTS];
};

struct reader_error {
	size_t line; /* from 1 */
	char reason[160];
};

/* One count line; counts beyond the profile's events are not set. */
struct row {
	uint32_t line;
	int64_t counts[READER_MAX_EVENTS];
};

/* Parses a whole profile. The text must outlive the profile. False: error says where and why, and
 * the profile is only good for profile_free. */
bool profile_parse(struct profile *p, struct text text, struct reader_error *error);

/* Is called now and then while a profile is parsed, and at its end with done equal to total, in
 * bytes. NULL: not called. */
void reader_on_progress(void (*progress)(size_t done, size_t total));

/* Opens and parses a file ("-" is standard input); the profile lives in the arena. Ends the process
 * with status 2 and "path:line: reason" when it cannot be read or is corrupt. */
struct profile *profile_open(const char *path);

/* Whether the file, by its beginning, is one: it is named as a source is, as for cg_annotate. */
bool profile_is_one(const char *path);

/* Frees what the profile holds, not *p itself. */
void profile_free(struct profile *p);

/* The value of the first description with this key, or an empty text. */
struct text profile_description(const struct profile *p, const char *key);

/* Takes the next row off a section's rows (start with section.rows); false at their end. */
bool row_next(const struct profile *p, struct text *rows, struct row *row);

/* The same piece of text? */
bool text_equal(struct text a, struct text b);

#endif
