/* Where the report goes. */
#ifndef CACHEPRINT_OUTPUT_H
#define CACHEPRINT_OUTPUT_H

#include <stdio.h>

/* A file is written under another name first, so that a reader never sees half of it and it may be
 * one of the inputs. NULL is standard output. */
FILE *output_open(const char *path);

/* Ends the process when not all could be written. */
void output_close(FILE *out);

#endif
