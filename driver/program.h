/* Programs that are not ours: where they are, and what they answer when they are asked. */
#ifndef DRIVER_PROGRAM_H
#define DRIVER_PROGRAM_H

/* The file that a shell would run for `name`, found through PATH when there is no slash in it; NULL
 * with errno set when there is none. Entries of PATH that are the file `not_this` (NULL: none) are
 * passed over, so that a link to cacheprof named gcc, early in PATH, finds the real gcc behind it.
 */
char *program_find(const char *name, const char *not_this);

/* What the program prints on its standard output (its errors are not shown), without a newline at
 * the end; NULL when it fails or prints nothing. argv ends with NULL. */
char *program_ask(const char *path, char **argv);

#endif
