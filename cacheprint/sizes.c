/* desc: lines are outside the summary's protection, and cg_merge keeps the first profile's only,
 * so the sizes are believed only when they add up to the profile's own totals. */
#include "cacheprint/sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const size_labels[PROFILE_SIZE_CLASSES] = {
    "1 byte", "2 byte", "4 byte", "8 byte", "16 byte", "32 byte", "64 byte", "other",
};

const char *const size_keys[PROFILE_SIZE_CLASSES] = {
    "refs 1 B",  "refs 2 B",  "refs 4 B",  "refs 8 B",
    "refs 16 B", "refs 32 B", "refs 64 B", "refs other",
};

static const char *const events[SIZE_EVENTS] = {"Dr", "D1mr", "DLmr", "Dw", "D1mw", "DLmw"};

bool is_size_key(struct text key)
{
	for (int i = 0; i < PROFILE_SIZE_CLASSES; i++)
		if (text_equal(key, (struct text){size_keys[i], strlen(size_keys[i])}))
			return true;
	return false;
}

/* Adds the numbers of one line. False when there are not exactly six, or they are too large. */
static bool add_line(int64_t counts[static SIZE_EVENTS], struct text value)
{
	char *copy = xstrndup(value.at, value.len), *at = copy, *end;
	bool good = true;

	for (int i = 0; i < SIZE_EVENTS && good; i++, at = end) {
		long long count = strtoll(at, &end, 10);

		good = end != at && count >= 0 && !__builtin_add_overflow(counts[i], count, &counts[i]);
	}
	good = good && at[strspn(at, " \t")] == 0;
	free(copy);
	return good;
}

static bool add_profile(struct sizes *sizes, const struct profile *p)
{
	struct text value;

	for (int i = 0; i < PROFILE_SIZE_CLASSES; i++) {
		value = profile_description(p, size_keys[i]);
		if (!value.len || !add_line(sizes->counts[i], value))
			return false;
	}
	return true;
}

static bool agrees(const struct sizes *sizes, const struct model *m, int event)
{
	const struct column *c = events_find(&m->events, events[event]);
	long double sum = 0;

	for (int i = 0; i < PROFILE_SIZE_CLASSES; i++)
		sum += sizes->counts[i][event];
	return sum == (c ? column_value(c, m->totals) : 0);
}

/* Reads and writes are added up, too. */
static bool is_too_large(const struct model *m, int read, int write)
{
	const struct column *r = events_find(&m->events, events[read]), *w = events_find(&m->events, events[write]);
	long double sum = (r ? column_value(r, m->totals) : 0) + (w ? column_value(w, m->totals) : 0);

	return sum > INT64_MAX;
}

bool sizes_read(const struct model *m, struct sizes *sizes, const char **why)
{
	*sizes = (struct sizes){0};
	*why = NULL;
	for (size_t i = 0; i < m->profiles.n; i++)
		if (!add_profile(sizes, m->profiles.at[i]))
			return false;
	for (int i = 0; i < SIZE_EVENTS; i++) {
		if (!agrees(sizes, m, i)) {
			*why = events[i];
			return false;
		}
	}
	for (int i = SIZE_DR; i < SIZE_DW; i++)
		if (is_too_large(m, i, i + SIZE_DW - SIZE_DR))
			return false;
	return true;
}
