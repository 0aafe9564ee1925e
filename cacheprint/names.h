/* Names as a person wants to read them: demangled, with what differs between builds taken out, and
 * short enough for a table. */
#ifndef CACHEPRINT_NAMES_H
#define CACHEPRINT_NAMES_H

#include "cacheprint/reader.h"

#include <stdbool.h>
#include <stddef.h>

/* A Perl expression s/pattern/replacement/flags. */
struct substitution;

typedef VEC(struct substitution *) substitution_list;

struct naming {
	bool demangle;
	substitution_list files, functions; /* applied in this order, functions demangled first */
};

/* Compiles an expression (flags g, i, m, s, x; any delimiter) and appends it. Returns NULL, or
 * what is wrong with it. */
const char *naming_substitute(substitution_list *list, const char *expression);

/* The name to use for a recorded one: itself, or a new one in the arena. */
struct text naming_file(const struct naming *n, struct text recorded);
struct text naming_function(const struct naming *n, struct text recorded, struct text file);

/* The name, or when it has more than `width` characters, its two ends with "..." between them, in
 * the arena. */
const char *names_shorten(const char *name, size_t width);

/* The same for the name of a function, of which first "<...>" stands for the arguments of templates, then "(...)" for
 * parameters, for what it is called stands between them. */
const char *names_fit(const char *name, size_t width);

/* What a function that was inlined into another one is called, in the arena. */
struct text names_inlined(const char *name, struct text host);

/* The bare name of a function as it is written in its definition: without namespaces, templates,
 * parameters and gcc's ".part.0"; of one that was inlined, its own. */
struct text names_bare(const char *name);

#endif
