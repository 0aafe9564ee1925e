/* Files, whole, on disk and in memory. */
#ifndef COMMON_FILE_H
#define COMMON_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The bytes of a file, or of standard input (path NULL), which the caller frees; a NUL follows the len bytes. Ends the
 * process on an error. */
char *file_read(const char *path, size_t *len);

/* Makes the file anew, or ends the process. */
void file_write(const char *path, const char *text, size_t len);

/* A file in memory, to be written to and closed by fclose, which sets *text, ended by a NUL, and *len; the caller frees
 * *text. Ends the process, then or when it is written to, where there is no memory. */
FILE *memory_file(char **text, size_t *len);

/* Whether two paths are the same existing file. */
bool same_file(const char *a, const char *b);

#endif
