/* Which function a source line belongs to, where its code was inlined into another one: from the
 * debug information of the program. */
#ifndef CACHEPRINT_INLINING_H
#define CACHEPRINT_INLINING_H

#include "cacheprint/names.h"

struct inlining;

/* The lines of one file that were inlined into one function. */
struct inlined_lines;

/* An empty one, in the arena. The naming is that of the model, and is kept. */
struct inlining *inlining_new(const struct naming *naming);

/* Adds what the debug information of an executable or shared object says, in separate files too.
 * Returns NULL, or why there is none. */
const char *inlining_add(struct inlining *in, const char *path);

/* What was inlined into the function, of the file; both named as in the profile, the function after
 * naming. NULL: nothing. */
const struct inlined_lines *inlining_find(const struct inlining *in, struct text function,
                                          struct text file);

/* The function that the line was written in: the same pointer for the same function. NULL: the one
 * that it runs in, or the code of the line is of both. */
const char *inlining_owner(const struct inlined_lines *lines, uint32_t line);

#endif
