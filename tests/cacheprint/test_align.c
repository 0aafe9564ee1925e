/* Alignment of texts, against the textbook's table. */
#include "cacheprint/align.h"
#include "tests/cacheprint/suite.h"

#include <string.h>

#define MAX_LINES 12

/* A text of n lines of one letter each. */
static struct source *text(const char *letters, size_t n)
{
	struct source *s = xalloc(1, sizeof *s);
	char *at = arena_alloc(2 * n + 1);

	for (size_t i = 0; i < n; i++) {
		VEC_PUSH(&s->starts, 2 * i);
		at[2 * i] = letters[i];
		at[2 * i + 1] = '\n';
	}
	VEC_PUSH(&s->starts, 2 * n);
	s->text = (struct text){at, 2 * n};
	return s;
}

static size_t longest(const char *a, size_t n, const char *b, size_t m)
{
	size_t best[MAX_LINES + 1][MAX_LINES + 1] = {0};

	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			size_t left = best[i][j - 1], up = best[i - 1][j];

			best[i][j] = a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1
			             : left > up          ? left
			                                  : up;
		}
	return best[n][m];
}

static void check(const char *a, size_t n, const char *b, size_t m)
{
	uint32_t *match = align_sources(text(a, n), text(b, m)), last = 0;
	size_t common = 0;

	for (size_t j = 1; j <= m; j++) {
		if (!match[j])
			continue;
		ck_assert_uint_gt(match[j], last);
		ck_assert_uint_le(match[j], n);
		ck_assert_int_eq(a[match[j] - 1], b[j - 1]);
		last = match[j];
		common++;
	}
	ck_assert_uint_eq(common, longest(a, n, b, m));
}

START_TEST(finds_the_longest)
{
	char a[MAX_LINES], b[MAX_LINES];

	srand(1);
	for (int round = 0; round < 5000; round++) {
		size_t n = (size_t)rand() % (MAX_LINES + 1), m = (size_t)rand() % (MAX_LINES + 1);

		for (int i = 0; i < MAX_LINES; i++) {
			a[i] = (char)('a' + rand() % 4);
			b[i] = (char)('a' + rand() % 4);
		}
		check(a, n, b, m);
	}
}
END_TEST

/* Two texts that have nothing in common but are long: bounded work, no match. */
START_TEST(gives_up_on_rewrites)
{
	enum { N = 5000 };
	static char a[N], b[N];
	uint32_t *match;

	memset(a, 'a', N);
	memset(b, 'b', N);
	match = align_sources(text(a, N), text(b, N));
	for (size_t i = 1; i <= N; i++)
		ck_assert_uint_eq(match[i], 0);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {finds_the_longest, gives_up_on_rewrites};

	return RUN_SUITE("align", tests);
}
