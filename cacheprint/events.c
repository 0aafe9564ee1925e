/* The names are Cachegrind's and, for the derived ones, KCachegrind's (L1m, LLm, CEst). A derived
 * event exists when all that it is made of exists, so the same table serves every level, and
 * Valgrind's profiles with branches. */
#include "cacheprint/events.h"

#include <string.h>

static const struct {
	const char *name, *meaning;
} meanings[] = {
#define EVENT(name, when, meaning) {#name, meaning},
#include "include/events.def"
#undef EVENT
};

/* Of two rows with one name the first that is possible counts. */
static const struct {
	const char *name, *expression, *meaning;
} derived[] = {
    {"Refs", "Dr+Dw", "data references"},
    {"AllRefs", "Ir+Refs", "references of any kind"},
    {"D1m", "D1mr+D1mw", "D1 data misses"},
    {"DLm", "DLmr+DLmw", "LL data misses"},
    {"L1m", "I1mr+D1m", "I1 and D1 misses"},
    {"LLm", "ILmr+DLm", "LL misses"},
    {"B", "Bc+Bi", "branches executed"},
    {"Bm", "Bcm+Bim", "branches mispredicted"},
    {"CEst", "Ir+10*Bm+10*L1m+100*LLm", "cycle estimate"},
    {"CEst", "Ir+10*L1m+100*LLm", "cycle estimate"},
    {"I1m%", "I1mr/Ir", "I1 misses per instruction"},
    {"ILm%", "ILmr/Ir", "LL misses per instruction"},
    {"D1m%", "D1m/Refs", "D1 misses per data reference"},
    {"D1mr%", "D1mr/Dr", "D1 read misses per data read"},
    {"D1mw%", "D1mw/Dw", "D1 write misses per data write"},
    {"DLm%", "DLm/Refs", "LL misses per data reference"},
    {"DLmr%", "DLmr/Dr", "LL read misses per data read"},
    {"DLmw%", "DLmw/Dw", "LL write misses per data write"},
    {"LLm%", "LLm/AllRefs", "LL misses per reference of any kind"},
    {"Bm%", "Bm/B", "branches mispredicted per branch"},
};

static const char *meaning_of(const char *name)
{
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (strcmp(meanings[i].name, name) == 0)
			return meanings[i].meaning;
	return NULL;
}

static const struct column *find(const struct events *e, const char *name, size_t len)
{
	for (size_t i = 0; i < e->known.n; i++)
		if (strncmp(e->known.at[i]->name, name, len) == 0 && !e->known.at[i]->name[len])
			return e->known.at[i];
	return NULL;
}

static const struct expr *lookup(void *context, const char *name, size_t len)
{
	const struct column *c = find(context, name, len);

	return c ? c->expr : NULL;
}

static const struct column *make(const char *name, const struct expr *expr, const char *meaning)
{
	struct column *c = arena_alloc(sizeof *c);

	c->name = name;
	c->meaning = meaning;
	c->expr = expr;
	c->percent = name[strlen(name) - 1] == '%';
	c->whole = expr_is_whole(expr);
	c->shares = !c->percent && expr_is_linear(expr);
	return c;
}

static void add(struct events *e, const char *name, const struct expr *expr, const char *meaning)
{
	VEC_PUSH(&e->known, make(name, expr, meaning));
}

void events_init(struct events *e, const char **names, unsigned n)
{
	const struct expr *expr;
	const char *ignored;

	*e = (struct events){names, n, {0}};
	for (unsigned i = 0; i < n; i++)
		add(e, names[i], expr_event(i), meaning_of(names[i]));
	for (size_t i = 0; i < sizeof derived / sizeof *derived; i++) {
		if (events_find(e, derived[i].name))
			continue;
		expr = expr_parse(derived[i].expression, lookup, e, &ignored);
		if (expr)
			add(e, derived[i].name, expr, derived[i].meaning);
	}
}

static bool is_name(const char *s, size_t len)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
	static const char more[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

	if (len && s[len - 1] == '%')
		len--;
	return len && strchr(letters, *s) && strspn(s, more) >= len;
}

const char *events_define(struct events *e, const char *definition)
{
	const char *equals = strchr(definition, '='), *error;
	size_t len = equals ? (size_t)(equals - definition) : 0;
	const struct expr *expr;

	if (!equals)
		return "NAME=EXPRESSION is needed";
	if (!is_name(definition, len))
		return "a name is letters, digits and '_', with '%' at the end for a rate";
	if (find(e, definition, len))
		return "an event of that name exists";
	expr = expr_parse(equals + 1, lookup, e, &error);
	if (expr)
		add(e, arena_string(definition, len), expr, equals + 1);
	return error;
}

const struct column *events_column(struct events *e, const char *expression, const char **error)
{
	const struct column *c = find(e, expression, strlen(expression));
	const struct expr *expr = c ? NULL : expr_parse(expression, lookup, e, error);

	return expr ? make(expression, expr, NULL) : c;
}

const struct column *events_find(const struct events *e, const char *name)
{
	return find(e, name, strlen(name));
}

bool events_find_all(const struct events *e, const char *names, column_list *list)
{
	const struct column *c;
	size_t before = list->n, len;

	for (;; names += len + 1) {
		len = strcspn(names, ",");
		c = find(e, names, len);
		if (!c) {
			list->n = before;
			return false;
		}
		VEC_PUSH(list, c);
		if (!names[len])
			return true;
	}
}

long double column_value(const struct column *c, const int64_t *counts)
{
	return expr_value(c->expr, counts);
}
