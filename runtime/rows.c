/* The order of a profile's rows: by file, function and line, each once.
 *
 * Rows are many and share few names, and the names begin alike for long (/usr/include/c++/12/...,
 * _ZNSt6vector...). So the distinct names are sorted first, by a merge sort that never looks twice
 * at what two names have in common, and numbered; then rows are compared by three numbers. Both
 * sorts go bottom-up, without recursion: the stack may be a signal handler's. */
#include "runtime/runtime.h"

/* ---- merge sort ---- */

/* Merges the sorted items from a up to b with those from b up to end, into to. */
typedef void merge_function(const void *a, const void *b, const void *end, void *to);

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Sorts n items of size bytes; spare has room for as many. Returns which of the two holds them. */
static void *merge_sort(void *items, void *spare, size_t n, size_t size, merge_function *merge)
{
	char *from = items, *to = spare;

	for (size_t run = 1; run < n; run *= 2) {
		char *swap = from;

		for (size_t i = 0; i < n; i += 2 * run)
			merge(from + i * size, from + min(i + run, n) * size,
			      from + min(i + 2 * run, n) * size, to + i * size);
		from = to;
		to = swap;
	}
	return from;
}

/* ---- names ---- */

/* A name, by the address of its text. */
struct name {
	const char *text;
	uint32_t common; /* bytes it begins with like the name before it in its sorted run; 0 for
			  * the run's first */
	uint32_t index;	 /* in order of first use */
};

struct names {
	struct name *at, *spare;
	uint32_t n;
	uint32_t *table;  /* hashed by address: 1 + index, or 0 */
	size_t table_mask;
	uint32_t *number; /* by index: the place in the order; equal texts have the same */
};

/* Returns the name's index. The same text at another address is another name. */
static uint32_t name_index(struct names *names, const char *text)
{
	size_t slot = ((uintptr_t)text * UINT64_C(0x9e3779b97f4a7c15)) >> 32;

	for (;; slot++) {
		uint32_t *entry = &names->table[slot & names->table_mask];

		if (!*entry) {
			names->at[names->n] = (struct name){text, 0, names->n};
			*entry = ++names->n;
		}
		if (names->at[*entry - 1].text == text)
			return *entry - 1;
	}
}

/* Of two names that both follow the one written last, the one that has more in common with it comes
 * first; only if that is equal do the texts decide, from there on (Ng and Kakehi, "Merging string
 * sequences by longest common prefixes", 2008). */
static void merge_names(const void *from, const void *middle, const void *end, void *result)
{
	const struct name *a = from, *a_end = middle, *b = middle, *b_end = end;
	uint32_t a_common = 0, b_common = 0; /* with the name written last */
	struct name *to = result;

	while (a < a_end && b < b_end) {
		uint32_t common = a_common;
		bool a_first = a_common > b_common;

		if (a_common == b_common) {
			while (a->text[common] && a->text[common] == b->text[common])
				common++;
			a_first = (unsigned char)a->text[common] <= (unsigned char)b->text[common];
		}
		if (a_first) {
			*to++ = (struct name){a->text, a_common, a->index};
			b_common = a_common == b_common ? common : b_common;
			a_common = ++a < a_end ? a->common : 0;
		} else {
			*to++ = (struct name){b->text, b_common, b->index};
			a_common = a_common == b_common ? common : a_common;
			b_common = ++b < b_end ? b->common : 0;
		}
	}
	for (; a < a_end; a++, a_common = a < a_end ? a->common : 0)
		*to++ = (struct name){a->text, a_common, a->index};
	for (; b < b_end; b++, b_common = b < b_end ? b->common : 0)
		*to++ = (struct name){b->text, b_common, b->index};
}

static void number_names(struct names *names)
{
	const struct name *sorted =
	    merge_sort(names->at, names->spare, names->n, sizeof *sorted, merge_names);
	uint32_t number = 0;

	for (uint32_t i = 0; i < names->n; i++) {
		if (sorted[i].text[sorted[i].common])
			number++; /* it goes on where the one before it ended or differed */
		names->number[sorted[i].index] = number;
	}
}

/* ---- rows ---- */

struct key {
	uint64_t names; /* file << 32 | function: first their indices, then their numbers */
	uint32_t line, row;
};

static bool in_order(const struct key *a, const struct key *b)
{
	return a->names < b->names || (a->names == b->names && a->line <= b->line);
}

static void merge_keys(const void *from, const void *middle, const void *end, void *result)
{
	const struct key *a = from, *b = middle;
	struct key *to = result;

	while (a < (const struct key *)middle && b < (const struct key *)end)
		*to++ = in_order(a, b) ? *a++ : *b++;
	while (a < (const struct key *)middle)
		*to++ = *a++;
	while (b < (const struct key *)end)
		*to++ = *b++;
}

static struct key *sort_keys(const struct counts *counts, struct names *names,
				   struct key *keys, struct key *spare)
{
	for (size_t i = 0; i < counts->n; i++) {
		uint64_t file = name_index(names, counts->rows[i].file);
		uint32_t function = name_index(names, counts->rows[i].function);

		keys[i] = (struct key){file << 32 | function, counts->rows[i].line, (uint32_t)i};
	}
	number_names(names);
	for (size_t i = 0; i < counts->n; i++) {
		uint64_t file = names->number[keys[i].names >> 32];

		keys[i].names = file << 32 | names->number[(uint32_t)keys[i].names];
	}
	return merge_sort(keys, spare, counts->n, sizeof *keys, merge_keys);
}

/* Brings each row to the place of its key, cycle by cycle, one row being held aside meanwhile: a
 * second array would be the most memory that the whole profile takes. */
static void put_in_order(struct count_row *rows, struct key *keys, size_t n)
{
	for (uint32_t start = 0; start < n; start++) {
		struct count_row held = rows[start];
		uint32_t to = start, from;

		for (; (from = keys[to].row) != start; to = from) {
			rows[to] = rows[from];
			keys[to].row = to;
		}
		rows[to] = held;
		keys[to].row = to;
	}
}

/* Adds up sorted rows with equal keys and lets neighbours share the pointers of equal names. */
static void add_equal(struct counts *counts, const struct key *keys)
{
	struct count_row *row = counts->rows, *end = counts->rows + counts->n;

	for (const struct count_row *next = row + 1; next < end; next++) {
		const struct key *last = keys++;

		if (keys->names == last->names && keys->line == last->line) {
			for (unsigned e = 0; e < N_EVENTS; e++)
				row->events[e] += next->events[e];
			continue;
		}
		*++row = *next;
		if (keys->names >> 32 == last->names >> 32)
			row->file = row[-1].file;
		if ((uint32_t)keys->names == (uint32_t)last->names)
			row->function = row[-1].function;
	}
	if (counts->n)
		counts->n = (size_t)(row + 1 - counts->rows);
}

bool cacheprof_rows_merge(struct counts *counts)
{
	static struct arena arena;
	struct names names = {0};
	struct key *keys, *spare;
	size_t n = counts->n, slots = 4;

	while (slots < 4 * n)
		slots *= 2;
	if (!cacheprof_arena_reset(&arena, n * (4 * sizeof *names.at + 2 * sizeof *names.number +
						2 * sizeof *keys) +
					       slots * sizeof *names.table))
		return false;
	names.table = cacheprof_arena_take(&arena, slots * sizeof *names.table);
	names.table_mask = slots - 1;
	names.at = cacheprof_arena_take(&arena, 2 * n * sizeof *names.at);
	names.spare = cacheprof_arena_take(&arena, 2 * n * sizeof *names.at);
	names.number = cacheprof_arena_take(&arena, 2 * n * sizeof *names.number);
	keys = cacheprof_arena_take(&arena, n * sizeof *keys);
	spare = cacheprof_arena_take(&arena, n * sizeof *keys);
	keys = sort_keys(counts, &names, keys, spare);
	put_in_order(counts->rows, keys, n);
	add_equal(counts, keys);
	return true;
}
