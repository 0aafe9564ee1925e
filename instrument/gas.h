/* Running the real assembler. */
#ifndef INSTRUMENT_GAS_H
#define INSTRUMENT_GAS_H

#include <stdbool.h>

/* How gas is called: argv without input and output (options only), the program first. */
struct assembler {
	char **argv;
	const char *temp_dir; /* private directory for intermediate files; the caller removes it */
	bool silent;	      /* what sources print (.print) is lost: another run prints it */
};

/* Runs the assembler on the file in with output out; returns its exit status (128 + signal if it
 * was killed). */
int assembler_run(const struct assembler *as, const char *in, const char *out);

/* The same, and returns what gas has to say, which the caller frees, instead of printing it. */
char *assembler_listen(const struct assembler *as, const char *in, const char *out, int *status);

/* The same for a file that we wrote in the place of another, line for line: gas's messages give the name of
 * the other. */
int assembler_run_as(const struct assembler *as, const char *in, const char *out, const char *name);

/* Prints what gas said with one file's name for another. */
void assembler_repeat(const char *said, const char *old, const char *name);

#endif
