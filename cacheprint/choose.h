/* Which sources are shown. */
#ifndef CACHEPRINT_CHOOSE_H
#define CACHEPRINT_CHOOSE_H

#include "cacheprint/report.h"

/* A source to show. */
struct choice {
	const struct file *file;
	const char *named; /* as the user called it; NULL when he did not */
};

typedef VEC(struct choice) choice_list;

/* Appends the files that the user named, each once. False, after a warning, when the profile has
 * none of a name. */
bool choose_named(const struct report *r, choice_list *choices);

/* The same without choosing: for what is written of all files. */
bool choose_are_there(const struct report *r);

/* Appends the files of the functions that are shown and are not there yet, in their order. */
void choose_shown(const struct report *r, choice_list *choices);

/* The choice of a file, or NULL. */
const struct choice *choose_find(const choice_list *choices, const struct file *f);

/* A file whose name is not known. */
bool choose_is_unknown(const struct file *f);

#endif
