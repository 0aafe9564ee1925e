/* How cacheann was called: as an assembler, by gcc, with cacheprof's words in the environment. */
#ifndef INSTRUMENT_OPTIONS_H
#define INSTRUMENT_OPTIONS_H

#include <stdbool.h>

#include "instrument/liveness.h"

/* The passes after which --ddump-PHASE prints, in order. */
enum phase {
	PHASE_PREPARSED,
	PHASE_PARSED,
	PHASE_SIMPLIFIED,
	PHASE_IDENT_BBS,
	PHASE_USE_BBS,
	PHASE_ANNOTATED,
	PHASE_CCS,
	PHASE_SYNTH,
	PHASE_PEEPHOLE,
	N_PHASES
};

struct options {
	char **argv;	     /* the assembler's: program first, options only, ended by NULL */
	char **planted_argv; /* the same for text with planted code */
	char **report_argv;  /* the same with what asks for files beside the object; NULL: nothing does */
	const char *dependencies; /* one of those, for make; or NULL */
	const char *syntax;  /* the directive for what -msyntax and -mnaked-reg ask for, which argv does without; or
			      * NULL */
	const char *input;   /* NULL: standard input */
	const char *output;  /* "a.out" when not given */
	bool plain;	     /* nothing to instrument (--version): run the real one */
	int level;	     /* 0, 1, 2 */
	bool annotate;	     /* write annotated assembly instead of an object */
	bool by_assembly; /* cost centres are lines of the assembly, which is kept */
	bool libc_model; /* calls of libc's block and string functions refer to what these do */
	bool changed; /* the text is the input's with other words in its lines (main.c) */
	bool copies;	 /* functions have plain copies */
	liveset kept;	 /* registers that functions leave as they are, whatever conventions say */
	bool pic, show, branches, verbose;
	bool dump[N_PHASES];
};

/* Reads the command line and the environment: CACHEPROF_AS, the path of the real assembler, and
 * CACHEPROF_ANN, words that say what to do (driver/plan.c writes them). Dies where what is asked for cannot be
 * instrumented. */
void options_read(struct options *o, char **argv);

/* Returns the assembler's command line without what asks for debug information. */
char **options_without_debug(char **argv);

#endif
