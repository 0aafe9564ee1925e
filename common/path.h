/* Names of files, as text: nothing is looked up. Results live in the arena or are the arguments. */
#ifndef COMMON_PATH_H
#define COMMON_PATH_H

/* The last component: what stands behind the last slash, which may be nothing. */
const char *path_base(const char *path);

/* directory/name; name where it is absolute or there is no directory (NULL or empty). */
const char *path_join(const char *directory, const char *name);

/* Folds "//", "." and ".."; symbolic links are not looked at. */
const char *path_fold(const char *path);

#endif
