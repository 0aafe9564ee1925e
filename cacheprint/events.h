/* What a profile counts: its own events and what is derived from them, each a column that a view
 * can show or sort by. */
#ifndef CACHEPRINT_EVENTS_H
#define CACHEPRINT_EVENTS_H

#include "cacheprint/expr.h"
#include "common/mem.h"

#include <stdbool.h>
#include <stdint.h>

/* A column is immutable and lives in the arena. */
struct column {
	const char *name;
	const char *meaning; /* NULL when unknown */
	const struct expr *expr;
	bool percent; /* a rate: shown as a percentage; its name ends in '%' */
	bool whole;   /* the value is a whole number */
	bool shares;  /* parts add up to the whole: percentages make sense */
};

typedef VEC(const struct column *) column_list;

struct events {
	const char **names; /* the profile's own */
	unsigned n;
	column_list known; /* own events first, then derived ones */
};

/* Takes n names of a profile's events (kept, not copied) and adds the derived events that they
 * allow: Refs, D1m, DLm, L1m, LLm, CEst, D1m% and so on. */
void events_init(struct events *e, const char **names, unsigned n);

/* Adds "name=expression". Returns NULL, or what is wrong with it. */
const char *events_define(struct events *e, const char *definition);

/* The column of an expression, called after it; one that exists if it is just a name. NULL: *error
 * says why. */
const struct column *events_column(struct events *e, const char *expression, const char **error);

/* The column of that name, or NULL. */
const struct column *events_find(const struct events *e, const char *name);

/* True when all the names, separated by commas, exist; they are then appended to the list. */
bool events_find_all(const struct events *e, const char *names, column_list *list);

long double column_value(const struct column *c, const int64_t *counts);

#endif
