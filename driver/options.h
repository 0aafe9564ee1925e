/* What a command line says: cacheprof's own options, and of the compiler's words what each of them
 * is and what they ask for together. Nothing is decided here; that is plan's work. */
#ifndef DRIVER_OPTIONS_H
#define DRIVER_OPTIONS_H

#include "common/mem.h"

#include <stdbool.h>
#include <stdio.h>

/* How far the compiler goes, earliest first. */
enum stage {
	STAGE_PROBE,      /* --version, -print-..., -###: it only answers */
	STAGE_PREPROCESS, /* -E, -M, -fsyntax-only: no code is made */
	STAGE_ASSEMBLY,   /* -S */
	STAGE_ANNOTATED,  /* -SA: ours */
	STAGE_OBJECT,     /* -c */
	STAGE_LINK,
};

/* What an input is to the compiler. */
enum kind {
	KIND_LINKER, /* objects, libraries, linker scripts */
	KIND_SOURCE, /* goes through a compiler or at least the preprocessor */
	KIND_ASSEMBLY,
	KIND_ANNOTATED, /* .sA */
	KIND_HEADER,    /* is precompiled, never linked */
};

enum role {
	ROLE_OPTION, /* an option or its argument */
	ROLE_SA,     /* -SA itself, which no compiler knows */
	ROLE_OUTPUT, /* -o or its argument */
	ROLE_TOOLS,  /* decides which assembler the compiler finds */
	ROLE_INPUT,
};

struct word {
	const char *text;
	enum role role;
	enum kind kind; /* of an input */
};

struct request {
	/* cacheprof's own options */
	bool help, version, dryrun, verbose, no_g, by_assembly, self_check, trace;
	bool branch_sim, libc_model, plain_copies;
	unsigned level;
	const char *directory; /* --cacheprofdir=, or NULL */
	VEC(const char *) dumps;

	char **own; /* the words of these, as typed */
	size_t n_own;

	/* the compiler's command line: as typed, and read with response files expanded */
	const char *compiler;
	char **given; /* NULL-terminated, without the compiler */
	VEC(struct word) words;

	/* what the words say together */
	enum stage stage;
	bool linker_input; /* something that a link would take */
	bool debug, pic, shared, relocatable, gprof, lto;
	bool unique; /* the linker is to keep sections apart that ours have to be one of */
	VEC(const char *) kept; /* names of registers that it leaves alone */
	const char *machine;  /* the option that asks for code other than 64-bit, or NULL */
	const char *language; /* -x in force after the last word, or NULL */
};

/* Reads a command line into *req. An argv[0] that does not begin with "cacheprof", behind its last
 * slash, is a masquerade: cacheprof was called as the compiler of that name and has no options of
 * its own. Dies with a usage error on an unknown option of ours; never on one of the compiler's. */
void options_read(struct request *req, char **argv);

/* The text of --help. */
void options_help(FILE *out);

#endif
