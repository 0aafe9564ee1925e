/* Symbols of all languages that gcc compiles, as their source calls them. */
#ifndef CACHEPRINT_DEMANGLE_H
#define CACHEPRINT_DEMANGLE_H

#include <stdbool.h>

/* The demangled name, to be freed, or NULL when the symbol is no mangled name. Ada's encoding
 * (package__procedure) cannot be told from a name of C: is_ada says which it is. */
char *demangle(const char *symbol, bool is_ada);

#endif
