/* Arithmetic over event counts: what --event='CEst=Ir+10*L1m+100*LLm' and the rates are made of. */
#ifndef CACHEPRINT_EXPR_H
#define CACHEPRINT_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expr;

/* Resolves a name in an expression to another expression, or NULL when there is none such. */
typedef const struct expr *expr_lookup(void *context, const char *name, size_t len);

/* Parses numbers, names, + - * / and parentheses; lives in the arena. NULL: *error is a message
 * (in the arena) with the offending part quoted. */
const struct expr *expr_parse(const char *text, expr_lookup *lookup, void *context,
                              const char **error);

/* The expression that is just event number `index`. */
const struct expr *expr_event(unsigned index);

/* Not a number when something is divided by zero. */
long double expr_value(const struct expr *e, const int64_t *counts);

/* Goes through the expression in postfix notation: for each item exactly one of the functions. */
struct expr_visitor {
	void *context;
	void (*number)(void *context, long double number);
	void (*event)(void *context, unsigned index);
	void (*operation)(void *context, char operation); /* + - * / on the two results before it */
};
void expr_visit(const struct expr *e, const struct expr_visitor *v);

/* True when the value is always a whole number of events: no division, no fraction. */
bool expr_is_whole(const struct expr *e);

/* True when the expression of a sum is the sum of the expressions, so that shares make sense: no
 * constant term, no division by a count, no product of counts. */
bool expr_is_linear(const struct expr *e);

#endif
