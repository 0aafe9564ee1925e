#include "instrument/names.h"

#include <ctype.h>
#include <stdlib.h>

#include <uthash.h>

struct named {
	const char *name;
	VEC(const struct label *) labels; /* by statement: numeric ones may be several */
	UT_hash_handle hh;
};

static int by_statement(const void *a, const void *b)
{
	const struct label *const *x = a, *const *y = b;

	return ((*x)->stmt > (*y)->stmt) - ((*x)->stmt < (*y)->stmt);
}

static void add(struct names *names, const struct label *label)
{
	struct named *named;

	HASH_FIND_STR(names->all, label->name, named);
	if (!named) {
		named = xalloc(1, sizeof *named);
		named->name = label->name;
		HASH_ADD_KEYPTR(hh, names->all, named->name, strlen(named->name), named);
	}
	VEC_PUSH(&named->labels, label);
}

void names_index(struct names *names, const struct unit *unit)
{
	struct named *named, *next;

	names->all = NULL;
	for (size_t i = 0; i < unit->labels.n; i++)
		add(names, &unit->labels.at[i]);
	HASH_ITER(hh, names->all, named, next)
		qsort(named->labels.at, named->labels.n, sizeof *named->labels.at, by_statement);
}

static const struct label *numbered(const struct named *named, bool forward, uint32_t stmt)
{
	size_t low = 0, high = named->labels.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (named->labels.at[middle]->stmt < stmt)
			low = middle + 1;
		else
			high = middle;
	}
	if (forward)
		return low < named->labels.n ? named->labels.at[low] : NULL;
	return low ? named->labels.at[low - 1] : NULL;
}

static const struct label *label_of(const struct names *names, struct asm_text name, uint32_t stmt)
{
	char last = name.len > 1 && isdigit((unsigned char)*name.p) ? name.p[name.len - 1] : 0;
	struct named *named;

	if (isdigit((unsigned char)*name.p) && last != 'b' && last != 'f')
		return NULL;
	HASH_FIND(hh, names->all, name.p, name.len - (last == 'b' || last == 'f'), named);
	if (!named)
		return NULL;
	return last ? numbered(named, last == 'f', stmt) : named->labels.at[0];
}

const struct label *names_label(const struct names *names, struct asm_text name, uint32_t stmt)
{
	const struct label *label = label_of(names, name, stmt);

	if (!label && name.len > 1 && *name.p == '$')
		label = label_of(names, (struct asm_text){name.p + 1, name.len - 1}, stmt);
	return label;
}

void names_free(struct names *names)
{
	struct named *named, *next;

	HASH_ITER(hh, names->all, named, next) {
		HASH_DEL(names->all, named);
		VEC_FREE(&named->labels);
		free(named);
	}
}
