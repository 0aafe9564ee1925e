/* Running the real assembler. */
#ifndef INSTRUMENT_GAS_H
#define INSTRUMENT_GAS_H

/* How gas is called: argv without input and output (options only), the program first. */
struct assembler {
	char **argv;
	const char *temp_dir; /* private directory for intermediate files; the caller removes it */
};

/* Runs the assembler on the file in with output out; returns its exit status (128 + signal if it
 * was killed). */
int assembler_run(const struct assembler *as, const char *in, const char *out);

/* The same for a file that we wrote in the place of another: gas's messages give the name of the
 * other. With NULL as name there are none unless gas fails: they have been seen before, or are about
 * what we wrote. */
int assembler_run_as(const struct assembler *as, const char *in, const char *out, const char *name);

#endif
