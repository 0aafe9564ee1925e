/* A tree of four operators, evaluated as it stands: a profile has thousands of functions, not
 * millions, and long double holds every int64_t exactly. */
#include "cacheprint/expr.h"

#include "common/mem.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind { NUMBER, EVENT, ADD = '+', SUB = '-', MUL = '*', DIV = '/' };

struct expr {
	enum kind kind;
	long double number;
	unsigned event;
	const struct expr *left, *right;
};

/* Deep enough for any formula, shallow enough for the stack. */
#define MAX_DEPTH 200

struct parser {
	const char *at;
	expr_lookup *lookup;
	void *context;
	const char *error;
	int depth;
};

static const struct expr *parse_sum(struct parser *s);

static const struct expr *make(struct expr e)
{
	struct expr *p = arena_alloc(sizeof *p);

	*p = e;
	return p;
}

const struct expr *expr_event(unsigned index)
{
	return make((struct expr){.kind = EVENT, .event = index});
}

static const struct expr *fail(struct parser *s, const char *fmt, int len)
{
	char *message;

	if (!s->error) {
		message = xasprintf(fmt, len, s->at);
		s->error = arena_string(message, strlen(message));
		free(message);
	}
	return NULL;
}

static void skip_blanks(struct parser *s)
{
	while (isspace((unsigned char)*s->at))
		s->at++;
}

/* Only decimal notation: strtold alone would also take "inf", "nan" and hexadecimal. */
static const struct expr *parse_number(struct parser *s)
{
	size_t len = strspn(s->at, "0123456789.");
	char *text = arena_string(s->at, len), *end;
	long double number = strtold(text, &end);

	if (*end)
		return fail(s, "'%.*s' is not a number", (int)len);
	s->at += len;
	return make((struct expr){.kind = NUMBER, .number = number});
}

/* Event names hold letters, digits, '_' and, for rates, '%' at the end. */
static const struct expr *parse_name(struct parser *s)
{
	size_t len = 0;
	const struct expr *e;

	while (isalnum((unsigned char)s->at[len]) || s->at[len] == '_')
		len++;
	len += s->at[len] == '%';
	e = s->lookup(s->context, s->at, len);
	if (!e)
		return fail(s, "there is no event '%.*s'", (int)len);
	s->at += len;
	return e;
}

static const struct expr *parse_parenthesis(struct parser *s)
{
	const struct expr *e;

	if (++s->depth > MAX_DEPTH)
		return fail(s, "too many parentheses%.*s", 0);
	s->at++;
	e = parse_sum(s);
	if (!e)
		return NULL;
	if (*s->at != ')')
		return fail(s, "')' is missing before '%.*s'", (int)strlen(s->at));
	s->at++;
	s->depth--;
	return e;
}

static const struct expr *parse_factor(struct parser *s)
{
	const struct expr *e;

	skip_blanks(s);
	if (*s->at == '(')
		e = parse_parenthesis(s);
	else if (isdigit((unsigned char)*s->at) || *s->at == '.')
		e = parse_number(s);
	else if (isalpha((unsigned char)*s->at) || *s->at == '_')
		e = parse_name(s);
	else
		e = fail(s,
		         *s->at ? "an event or a number is missing before '%.*s'"
		                : "an event or a number is missing at the end%.*s",
		         (int)strlen(s->at));
	skip_blanks(s);
	return e;
}

/* Operands joined by any of the two operators, from left to right. */
static const struct expr *parse_chain(struct parser *s, const char *operators,
                                      const struct expr *(*operand)(struct parser *))
{
	const struct expr *left = operand(s), *right;
	enum kind kind;

	while (left && *s->at && strchr(operators, *s->at)) {
		kind = (enum kind) * s->at++;
		right = operand(s);
		left = right ? make((struct expr){kind, 0, 0, left, right}) : NULL;
	}
	return left;
}

static const struct expr *parse_product(struct parser *s)
{
	return parse_chain(s, "*/", parse_factor);
}

static const struct expr *parse_sum(struct parser *s)
{
	return parse_chain(s, "+-", parse_product);
}

const struct expr *expr_parse(const char *text, expr_lookup *lookup, void *context,
                              const char **error)
{
	struct parser s = {text, lookup, context, NULL, 0};
	const struct expr *e = parse_sum(&s);

	if (e && *s.at)
		e = fail(&s, "an operator is missing before '%.*s'", (int)strlen(s.at));
	*error = s.error;
	return e;
}

long double expr_value(const struct expr *e, const int64_t *counts)
{
	long double right;

	switch (e->kind) {
	case NUMBER:
		return e->number;
	case EVENT:
		return counts[e->event];
	case ADD:
		return expr_value(e->left, counts) + expr_value(e->right, counts);
	case SUB:
		return expr_value(e->left, counts) - expr_value(e->right, counts);
	case MUL:
		return expr_value(e->left, counts) * expr_value(e->right, counts);
	case DIV:
		break;
	}
	right = expr_value(e->right, counts);
	return right == 0 ? NAN : expr_value(e->left, counts) / right;
}

void expr_visit(const struct expr *e, const struct expr_visitor *v)
{
	if (e->kind == NUMBER) {
		v->number(v->context, e->number);
	} else if (e->kind == EVENT) {
		v->event(v->context, e->event);
	} else {
		expr_visit(e->left, v);
		expr_visit(e->right, v);
		v->operation(v->context, (char)e->kind);
	}
}

bool expr_is_whole(const struct expr *e)
{
	if (e->kind == NUMBER)
		return e->number == truncl(e->number);
	return e->kind == EVENT ||
	       (e->kind != DIV && expr_is_whole(e->left) && expr_is_whole(e->right));
}

static bool is_constant(const struct expr *e)
{
	return e->kind == NUMBER ||
	       (e->kind != EVENT && is_constant(e->left) && is_constant(e->right));
}

bool expr_is_linear(const struct expr *e)
{
	switch (e->kind) {
	case NUMBER:
		return false;
	case EVENT:
		return true;
	case ADD:
	case SUB:
		return expr_is_linear(e->left) && expr_is_linear(e->right);
	case MUL:
		return (is_constant(e->left) && expr_is_linear(e->right)) ||
		       (expr_is_linear(e->left) && is_constant(e->right));
	case DIV:
		break;
	}
	return expr_is_linear(e->left) && is_constant(e->right);
}
