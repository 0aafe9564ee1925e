/* Source files: which ones of a profile a name means, where they are, what their lines are. */
#ifndef CACHEPRINT_SOURCE_H
#define CACHEPRINT_SOURCE_H

#include "cacheprint/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

typedef VEC(const char *) path_list;
typedef VEC(const struct file *) file_list;

/* Where to look for sources that are not where the compiler saw them. */
struct source_search {
	path_list directories;
	int strip;      /* this many leading components of a recorded name are dropped, or 0 */
	path_list maps; /* "OLD=NEW": what was below OLD is below NEW */
};

/* The files of the profile that the user means by this name: the one that is called so or is the
 * same file, else all that end in it (or it in them) at the boundary of a component. */
file_list source_match(const struct model *m, const char *name);

struct source {
	const char *path; /* where it was found */
	struct timespec modified;
	struct text text;
	VEC(size_t) starts; /* of each line, and the end of the text */
};

/* Looks for a recorded source: where a map or strip sends it, as recorded (relative to the current
 * directory), as the user named it (NULL: he did not), then below each of the directories, there
 * with ever fewer of its leading components. NULL when there is none. */
struct source *source_find(const char *recorded, const char *named,
                           const struct source_search *search);

/* Looks below the directories only. */
struct source *source_find_below(const char *recorded, const path_list *directories);

/* Line n, from 1, without its newline. */
struct text source_line(const struct source *s, size_t n);
size_t source_count_lines(const struct source *s);

/* Was it changed after the profile was written? */
bool source_is_newer(const struct source *s, const struct profile *p);

void source_free(struct source *s);

#endif
