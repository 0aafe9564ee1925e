/* The lines of a file in two profiles, side by side. */
#ifndef CACHEPRINT_COMPARE_H
#define CACHEPRINT_COMPARE_H

#include "cacheprint/model.h"
#include "cacheprint/options.h"
#include "cacheprint/source.h"

/* A line of either version. Line numbers are 0 where the line is not there; counts are NULL where
 * it has none. */
struct change {
	uint32_t before, after;
	const int64_t *counts_before, *counts_after;
};

struct comparison {
	struct source *before, *after; /* NULL: not found; both may be the same */
	struct lines lines_before, lines_after;
	VEC(struct change) changes; /* in the order of the text, removed lines where they were */
	bool by_number;             /* lines are matched by number, and the text may have changed */
};

/* Lines are matched by their content when there are texts of both versions, else by number. `named`
 * is what the user called the file, or NULL. To be released with compare_free. */
void compare_file(struct comparison *c, const struct model *m, const struct file *file,
                  const char *named, const struct options *o);
void compare_free(struct comparison *c);

/* A column in both profiles. */
struct sides {
	long double before, after;
};

/* From the counts of the first (NULL: none) and the differences of the second from them. */
struct sides compare_sides(const struct column *c, const int64_t *before,
                           const int64_t *differences, unsigned n);

/* The difference of a column's value; either of the counts may be NULL. */
long double compare_value(const struct column *c, const int64_t *before, const int64_t *after);

#endif
