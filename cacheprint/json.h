/* Writing JSON, piece by piece: a profile's may be larger than memory. */
#ifndef CACHEPRINT_JSON_H
#define CACHEPRINT_JSON_H

#include "cacheprint/reader.h"

#include <stdio.h>

/* A string in quotes. Bytes that are not UTF-8 become U+FFFD, and '<' is escaped, so that the text
 * may stand inside an HTML <script>. */
void json_text(FILE *out, struct text t);
void json_string(FILE *out, const char *s);

/* "name": */
void json_key(FILE *out, const char *name);

/* [1,2,3] */
void json_counts(FILE *out, const int64_t *counts, unsigned n);

/* The same for JavaScript: what its numbers cannot hold exactly is a string. */
void json_safe_count(FILE *out, int64_t count);
void json_safe_counts(FILE *out, const int64_t *counts, unsigned n);

/* A number, or null for what is not a number. */
void json_number(FILE *out, long double value);

/* {"path": ..., "command": ..., "descriptions": [[key, value], ...]} */
void json_profile(FILE *out, const struct profile *p);

#endif
