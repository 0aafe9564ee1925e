/* The longest common subsequence of lines, as diff finds it: Eugene W. Myers, "An O(ND) Difference
 * Algorithm and Its Variations", Algorithmica 1 (1986). Lines are compared as numbers, the same for
 * the same content. */
#include "cacheprint/align.h"

#include "common/diag.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* More differences than this are a rewrite: the remaining lines are all taken for new. It bounds
 * the memory to MAX_DIFFERENCES^2 numbers. */
#define MAX_DIFFERENCES 2000

/* The part of both texts that is left without their common beginning and end. */
struct range {
	const uint32_t *a, *b; /* line contents as numbers */
	int n, m;
};

struct content {
	uint32_t number;
	UT_hash_handle hh;
};

static uint32_t *number_lines(const struct source *s, struct content **contents)
{
	size_t n = source_count_lines(s);
	uint32_t *numbers = xalloc(n, sizeof *numbers);
	struct content *c;

	for (size_t i = 0; i < n; i++) {
		struct text line = source_line(s, i + 1);

		HASH_FIND(hh, *contents, line.at, line.len, c);
		if (!c) {
			c = xalloc(1, sizeof *c);
			c->number = HASH_COUNT(*contents) + 1;
			HASH_ADD_KEYPTR(hh, *contents, line.at, line.len, c);
		}
		numbers[i] = c->number;
	}
	return numbers;
}

static void free_contents(struct content *contents)
{
	struct content *c, *next;

	HASH_ITER(hh, contents, c, next)
	{
		HASH_DEL(contents, c);
		free(c);
	}
}

/* Follows the diagonal k from where d - 1 differences got; returns how far in a. */
static int advance(const struct range *r, const int *furthest, int d, int k)
{
	int x = k == -d || (k != d && furthest[k - 1] < furthest[k + 1]) ? furthest[k + 1]
	                                                                 : furthest[k - 1] + 1;

	while (x < r->n && x - k < r->m && r->a[x] == r->b[x - k])
		x++;
	return x;
}

/* Walks back from the end along the recorded steps and notes what is common; line numbers are
 * relative to the range, `first` is that of its beginning. */
static void trace_back(const struct range *r, int *const *steps, int d, uint32_t *match,
                       uint32_t first)
{
	int x = r->n, y = r->m, k, from;

	for (; d >= 0; d--) {
		const int *furthest = d ? steps[d - 1] + d - 1 : NULL;

		k = x - y;
		if (d == 0)
			from = 0;
		else if (k == -d || (k != d && furthest[k - 1] < furthest[k + 1]))
			from = furthest[k + 1];
		else
			from = furthest[k - 1] + 1;
		for (; x > from; x--, y--)
			match[y - 1] = first + (uint32_t)x;
		if (d && (k == -d || (k != d && furthest[k - 1] < furthest[k + 1])))
			y--;
		else
			x--;
	}
}

/* Fills match for the lines of b in the range. */
static void compare(const struct range *r, uint32_t *match, uint32_t first)
{
	int limit = r->n + r->m < MAX_DIFFERENCES ? r->n + r->m : MAX_DIFFERENCES, d, k;
	int *all = xalloc(2 * (size_t)limit + 3, sizeof *all), *furthest = all + limit + 1;
	int **steps = xalloc((size_t)limit + 1, sizeof *steps);
	bool done = false;

	for (d = 0; d <= limit && !done; d++) {
		for (k = -d; k <= d && !done; k += 2) {
			furthest[k] = advance(r, furthest, d, k);
			done = furthest[k] >= r->n && furthest[k] - k >= r->m;
		}
		steps[d] = xalloc(2 * (size_t)d + 1, sizeof **steps);
		memcpy(steps[d], furthest - d, (2 * (size_t)d + 1) * sizeof **steps);
	}
	if (done)
		trace_back(r, steps, d - 1, match, first);
	for (int i = 0; i < d; i++)
		free(steps[i]);
	free(steps);
	free(all);
}

uint32_t *align_sources(const struct source *before, const struct source *after)
{
	struct content *contents = NULL;
	uint32_t *a = number_lines(before, &contents), *b = number_lines(after, &contents);
	size_t n = source_count_lines(before), m = source_count_lines(after), head = 0;
	uint32_t *match = xalloc(m + 1, sizeof *match);

	for (; head < n && head < m && a[head] == b[head]; head++)
		match[head + 1] = (uint32_t)head + 1;
	for (; n > head && m > head && a[n - 1] == b[m - 1]; n--, m--)
		match[m] = (uint32_t)n;
	if (head < n && head < m)
		compare(&(struct range){a + head, b + head, (int)(n - head), (int)(m - head)},
		        match + head + 1, (uint32_t)head);
	free_contents(contents);
	free(a);
	free(b);
	return match;
}
