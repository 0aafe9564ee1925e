/* The user's compiler as a program: where it is, and what it answers when it is asked. */
#ifndef DRIVER_COMPILER_H
#define DRIVER_COMPILER_H

#include <stdbool.h>

/* The file that a shell would run for `name`, found through PATH when there is no slash in it; NULL
 * with errno set when there is none. PATH entries that are `not_this` file (NULL: none) are passed over, so that a link
 * to cacheprof named gcc, early in PATH, finds the real gcc behind it. */
char *program_find(const char *name, const char *not_this);

/* Whether two paths are the same existing file. */
bool same_file(const char *a, const char *b);

/* The first line that the program prints on its standard output (its errors are not shown), or NULL
 * when it fails or prints nothing. argv ends with NULL. */
char *program_ask(const char *path, char **argv);

#endif
