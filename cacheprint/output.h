/* Where the report goes: standard output, a pager, or a file. */
#ifndef CACHEPRINT_OUTPUT_H
#define CACHEPRINT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* The order of the words of --color. */
enum colour { COLOUR_ALWAYS = 1, COLOUR_AUTO, COLOUR_NEVER };

struct output {
	FILE *file;
	bool colour;
	size_t width; /* of the terminal; 0 when it is none */
};

/* Opens `path`, or standard output (NULL): through $PAGER when that is a terminal and `pager` is
 * true. A file is written under another name first, so that nobody ever sees half of it and it may
 * be one of the inputs. */
struct output output_open(const char *path, enum colour colour, bool pager);

/* Waits for the pager. Ends the process when not all could be written, except that a pager may be
 * left before the end. */
void output_close(struct output *o);

/* Shows on standard error how much is read, when it is a terminal and a second has passed. */
void output_progress(size_t done, size_t total);

#endif
