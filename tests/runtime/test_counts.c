/* From counters to sorted counts, on modules made by hand. */
#include "runtime/runtime.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What the instrumenter would have planted for one chunk, and two threads' counters. All in one
 * piece, so that distances fit into a rel. */
static struct {
	struct chunk chunk;
	struct block blocks[2];
	uint32_t insns[5];
	struct site sites[7];
	struct centre_row centres[3];
	struct got gots[2];
	struct got_words words[2];
	char file[8], function[2][8];
	struct data {
		uint64_t counters[2], dynamics[2];
		struct misses fetches[3], misses[7];
		uint64_t mispredicts[4], derived[1];
	} data[2];
	struct branch branches[4];
	uint32_t derivations[3];
} image;

static struct module module;
static struct thread threads[2];
static struct process process;
static struct counts counts;

static void point(rel *field, const void *target)
{
	*field = (rel)((const char *)target - (const char *)field);
}

static const struct site sites[] = {
	/* block, centre, size, kind, flags, got */
	{0, 0, 4, SITE_READ, 0, 0},
	{1, 1, 8, SITE_WRITE, 0, 0},
	{0, 1, 10, SITE_READ, SITE_DYNAMIC, 0}, /* dynamics[0] */
	{1, 2, 0, SITE_INSN, SITE_DYNAMIC, 0},	/* dynamics[1] */
	{0, 0, 8, SITE_READ, 0, 1},		/* relaxed away */
	{0, 0, 64, SITE_READ, 0, 2},		/* not relaxed */
	{1, 1, 128, SITE_WRITE, 0, 0},
};

/* Block 0: two instructions of line 10 and one of line 11; block 1: lines 11 and 20, the last in
 * another function. */
static void make_tables(void)
{
	static const uint32_t centre_of[] = {0, 0, 1, 1, 2};

	image.blocks[0] = (struct block){0, 9, 0, 3, 0};
	image.blocks[1] = (struct block){9, 6, 3, 2, 0};
	for (unsigned i = 0; i < 5; i++)
		image.insns[i] = centre_of[i] << 8 | 3;
	memcpy(image.sites, sites, sizeof sites);
	strcpy(image.file, "a.c");
	strcpy(image.function[0], "main");
	strcpy(image.function[1], "f");
	for (unsigned i = 0; i < 3; i++) {
		point(&image.centres[i].file, image.file);
		point(&image.centres[i].function, image.function[i / 2]);
		image.centres[i].line = (const uint32_t[]){10, 11, 20}[i];
	}
	for (unsigned i = 0; i < 2; i++)
		point(&image.gots[i].words, &image.words[i]);
	image.words[0].entry = FILTER_NEVER;
	image.words[1].entry = 64;
}

static void make_chunk(void)
{
	struct chunk *c = &image.chunk;

	point(&c->blocks, image.blocks);
	point(&c->insns, image.insns);
	point(&c->sites, image.sites);
	point(&c->centres, image.centres);
	point(&c->gots, image.gots);
	point(&c->counters, image.data[0].counters);
	point(&c->dynamics, image.data[0].dynamics);
	point(&c->fetches, image.data[0].fetches);
	point(&c->misses, image.data[0].misses);
	c->n_blocks = 2;
	c->n_insns = 5;
	c->n_sites = 7;
	c->n_centres = 3;
	c->n_gots = 2;
	c->n_dynamics = 2;
}

static void setup(void)
{
	memset(&image, 0, sizeof image);
	make_tables();
	make_chunk();
	module = (struct module){.chunks = &image.chunk, .chunks_end = &image.chunk + 1};
	threads[1] = (struct thread){0};
	threads[1].delta = (char *)&image.data[1] - (char *)&image.data[0];
	threads[0] = (struct thread){.next = &threads[1]};
	module.threads = threads;
	process = (struct process){.modules = &module, .level = 2};
}

/* Compares with "file function line Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw". */
enum { N_CACHE_EVENTS = EV_Bc };

static void expect_row(size_t i, const char *want)
{
	const struct count_row *r = &counts.rows[i];
	char got[512];
	int n = snprintf(got, sizeof got, "%s %s %u", r->file, r->function, r->line);

	for (unsigned e = 0; e < N_CACHE_EVENTS; e++)
		n += snprintf(got + n, sizeof got - (size_t)n, " %lu", r->events[e]);
	ck_assert_str_eq(got, want);
}

/* The totals that are worked out without rows are the same. */
static void add_up(void)
{
	uint64_t totals[N_EVENTS];

	ck_assert(cacheprof_counts(&process, &counts));
	cacheprof_totals(&process, totals);
	ck_assert_mem_eq(totals, counts.totals, sizeof totals);
}

/* Block 1's counter is not looked at. */
static void derive(uint32_t term)
{
	image.blocks[1].derived = 1;
	image.derivations[0] = 2;
	image.derivations[1] = 0 << 1;
	image.derivations[2] = term;
	point(&image.chunk.derivations, image.derivations);
	point(&image.chunk.derived, image.data[0].derived);
	image.chunk.n_derived = 1;
	image.data[0].counters[0] = 5;
	image.data[1].counters[0] = 2;
	image.data[0].counters[1] = image.data[1].counters[1] = 1000;
}

START_TEST(derives_executions)
{
	derive(0 << 1);
	add_up();
	expect_row(0, "a.c f 20 14 0 0 0 0 0 0 0 0");
}
END_TEST

START_TEST(derives_not_less_than_nothing)
{
	derive(0 << 1 | 1);
	image.derivations[0] = 1;
	image.derivations[1] = 0 << 1 | 1;
	add_up();
	ck_assert_uint_eq(counts.n, 2);
	expect_row(0, "a.c main 10 14 0 0 14 0 0 0 0 0");
}
END_TEST

START_TEST(multiplies_executions)
{
	image.data[0].counters[0] = 5;
	image.data[0].counters[1] = 100;
	add_up();
	ck_assert_uint_eq(counts.n, 3);
	expect_row(0, "a.c f 20 100 0 0 0 0 0 0 0 0");
	expect_row(1, "a.c main 10 10 0 0 10 0 0 0 0 0");
	expect_row(2, "a.c main 11 105 0 0 0 0 0 200 0 0");
	ck_assert_uint_eq(counts.totals[EV_Ir], 215);
	ck_assert_uint_eq(counts.totals[EV_Dr], 10);
	ck_assert_uint_eq(counts.totals[EV_Dw], 200);
}
END_TEST

START_TEST(adds_threads_and_masks_the_flag)
{
	image.data[0].counters[0] = 3;
	image.data[1].counters[0] = 4;
	image.data[1].misses[0] = (struct misses){2, 1};
	image.data[0].fetches[1] = (struct misses){4, 3};
	image.data[1].fetches[1] = (struct misses){10, 0};
	add_up();
	ck_assert_uint_eq(counts.n, 2);
	expect_row(0, "a.c main 10 14 0 0 14 2 1 0 0 0");
	expect_row(1, "a.c main 11 7 14 3 0 0 0 0 0 0");
}
END_TEST

START_TEST(counts_dynamic_sites_by_themselves)
{
	image.sites[3].got = 1; /* a branch's number */
	image.data[0].dynamics[0] = 7;
	image.data[1].dynamics[1] = 9;
	image.data[0].misses[2] = (struct misses){6, 5};
	add_up();
	ck_assert_uint_eq(counts.n, 2);
	expect_row(0, "a.c f 20 9 0 0 0 0 0 0 0 0");
	expect_row(1, "a.c main 11 0 0 0 7 6 5 0 0 0");
}
END_TEST

START_TEST(sorts_references_by_size)
{
	const struct size_row *s = counts.sizes;

	image.data[0].counters[0] = 1;
	image.data[0].counters[1] = 2;
	image.data[0].dynamics[0] = 3;
	image.data[0].dynamics[1] = 1000; /* instructions are no references */
	image.data[0].misses[2] = (struct misses){2, 1};
	image.data[1].misses[6] = (struct misses){2, 1};
	add_up();
	ck_assert_uint_eq(s[2].reads, 1);
	ck_assert_uint_eq(s[3].writes, 2);
	ck_assert_uint_eq(s[3].reads, 0);
	ck_assert_uint_eq(s[6].reads, 1);
	ck_assert_uint_eq(s[7].reads, 3);
	ck_assert_uint_eq(s[7].read_l1, 2);
	ck_assert_uint_eq(s[7].read_ll, 1);
	ck_assert_uint_eq(s[7].writes, 2);
	ck_assert_uint_eq(s[7].write_l1, 2);
	ck_assert_uint_eq(s[7].write_ll, 1);
	ck_assert_uint_eq(s[0].reads + s[1].reads + s[4].reads + s[5].reads, 0);
}
END_TEST

START_TEST(counts_branches)
{
	static const struct branch branches[] = {
		/* offset, block, centre, got, kind */
		{0, 0, 0, 0, PREDICT_DIRECTION, 0, 0, 0},
		{3, 1, 1, 0, PREDICT_TARGET, 0, 0, 0},
		{6, 0, 2, 1, PREDICT_TARGET, 0, 0, 0}, /* made direct */
		{9, 1, 2, 0, PREDICT_REPEAT, 0, 0, 0}, /* dynamics[1] */
	};
	static const uint64_t want[3][4] = {{9, 3, 0, 0}, {5, 4, 0, 0}, {0, 0, 2, 1}};

	memcpy(image.branches, branches, sizeof branches);
	point(&image.chunk.branches, image.branches);
	point(&image.chunk.mispredicts, image.data[0].mispredicts);
	image.chunk.n_branches = 4;
	image.data[0].counters[0] = 5;
	image.data[0].counters[1] = 2;
	image.data[1].dynamics[1] = 9;
	for (unsigned i = 0; i < 4; i++)
		image.data[i & 1].mispredicts[i] = (const uint64_t[]){4, 1, 7, 3}[i];
	add_up();
	ck_assert_uint_eq(counts.n, 3);
	for (unsigned i = 0; i < 3; i++)
		for (unsigned e = 0; e < 4; e++)
			ck_assert_uint_eq(counts.rows[i].events[EV_Bc + e], want[i][e]);
}
END_TEST

START_TEST(has_no_misses_at_level_1)
{
	image.chunk.fetches = image.chunk.misses = 0;
	image.data[0].counters[1] = 1;
	add_up();
	ck_assert_uint_eq(counts.n, 2);
	expect_row(1, "a.c main 11 1 0 0 0 0 0 2 0 0");
}
END_TEST

START_TEST(nothing_executed)
{
	add_up();
	ck_assert_uint_eq(counts.n, 0);
	process = (struct process){.level = 2};
	add_up();
	ck_assert_uint_eq(counts.n, 0);
}
END_TEST

START_TEST(names_the_unknown)
{
	image.centres[1].file = image.centres[1].function = 0;
	image.centres[1].line = 0;
	image.data[0].counters[0] = 1;
	add_up();
	expect_row(0, "??? ??? 0 1 0 0 0 0 0 0 0 0");
}
END_TEST

/* The same tables in a second module, and the same twice in a row. */
START_TEST(merges_modules)
{
	struct module second = module;

	module.next = &second;
	image.data[0].counters[0] = 1;
	image.data[0].fetches[0] = (struct misses){3, 2};
	for (unsigned i = 0; i < 2; i++) {
		add_up();
		ck_assert_uint_eq(counts.n, 2);
		expect_row(0, "a.c main 10 4 6 4 4 0 0 0 0 0");
		expect_row(1, "a.c main 11 2 0 0 0 0 0 0 0 0");
	}
	ck_assert_uint_eq(counts.totals[EV_Ir], 6);
	ck_assert_uint_eq(counts.sizes[2].reads, 2);
}
END_TEST

/* A thread-local sequence that the linker has made shorter. */
START_TEST(counts_what_the_linker_left)
{
	image.sites[4].flags = SITE_TLS_READ | SITE_TLS_SHORT;
	image.data[0].counters[0] = 5;
	add_up();
	expect_row(0, "a.c main 10 5 0 0 15 0 0 0 0 0");
}
END_TEST

/* Which chunk comes last, and has nothing, changes nothing. */
START_TEST(has_room_for_the_largest_chunk)
{
	static const struct chunk none;
	struct module last = {.chunks = &none, .chunks_end = &none + 1};

	module.next = &last;
	image.data[0].counters[0] = 5;
	image.data[0].counters[1] = 100;
	image.data[0].dynamics[0] = 7;
	add_up();
	expect_row(1, "a.c main 10 10 0 0 10 0 0 0 0 0");
	expect_row(2, "a.c main 11 105 0 0 7 0 0 200 0 0");
}
END_TEST

START_TEST(keeps_what_goes)
{
	image.sites[0].size = 1;
	image.data[0].counters[0] = 5;
	image.data[0].counters[1] = 100;
	for (unsigned i = 0; i < 200; i++)
		cacheprof_counts_keep(&process, &module);
	add_up();
	ck_assert_uint_eq(counts.n, 3);
	expect_row(0, "a.c f 20 20100 0 0 0 0 0 0 0 0");
	ck_assert_uint_eq(counts.sizes[0].reads, 1005);
	process.modules = NULL;
	add_up();
	ck_assert_uint_eq(counts.n, 3);
	expect_row(0, "a.c f 20 20000 0 0 0 0 0 0 0 0");
	expect_row(1, "a.c main 10 2000 0 0 2000 0 0 0 0 0");
	ck_assert_uint_eq(counts.totals[EV_Ir], 43000);
	ck_assert_uint_eq(counts.sizes[0].reads, 1000);
}
END_TEST

/* ---- the order of rows ---- */

#define MANY 200000

static struct count_row *many;

static int by_names(const void *a, const void *b)
{
	const struct count_row *x = a, *y = b;
	int file = strcmp(x->file, y->file), function = strcmp(x->function, y->function);

	return file ? file : function ? function : x->line < y->line ? -1 : x->line > y->line;
}

/* Rows with long names that begin alike, many of them at several addresses. */
static void make_many(size_t n, unsigned files, unsigned functions)
{
	static char text[2][4096][200];

	for (unsigned i = 0; i < 4096; i++) {
		snprintf(text[0][i], 200, "/usr/include/x86_64-linux-gnu/c++/12/bits/%0*u.h",
			 1 + (int)(i % 60), i % files);
		snprintf(text[1][i], 200,
			 "_ZNSt8_Rb_treeINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESt4"
			 "IKS5_iESt10_Select1stIS8_E%u\xc3\xbc",
			 i % functions);
	}
	many = calloc(n, sizeof *many);
	srand(1);
	for (size_t i = 0; i < n; i++) {
		many[i].file = text[0][rand() % 4096];
		many[i].function = text[1][rand() % 4096];
		many[i].line = (uint32_t)rand() % 50;
		many[i].events[EV_Ir] = 1;
	}
}

static const struct {
	size_t n;
	unsigned files, functions;
} merges[] = {
	{1, 1, 1}, {2, 1, 2}, {3, 3, 3}, {1000, 1, 1}, {1023, 7, 300}, {MANY, 50, 2000},
};

START_TEST(sorts_as_strcmp)
{
	size_t n = merges[_i].n, total = 0, at = 0;

	make_many(n, merges[_i].files, merges[_i].functions);
	counts = (struct counts){.rows = malloc(n * sizeof *many), .n = n};
	memcpy(counts.rows, many, n * sizeof *many);
	ck_assert(cacheprof_rows_merge(&counts));
	qsort(many, n, sizeof *many, by_names);
	for (size_t i = 0; i < n; i++) {
		const struct count_row *row = &counts.rows[at];

		ck_assert_int_eq(by_names(&many[i], row), 0);
		total += i + 1 == n || by_names(&many[i], &many[i + 1]) ? row->events[EV_Ir] : 0;
		at += i + 1 < n && by_names(&many[i], &many[i + 1]);
	}
	ck_assert_uint_eq(counts.n, at + 1);
	ck_assert_uint_eq(total, n);
}
END_TEST

START_TEST(sorts_odd_names)
{
	static const char *const names[] = {"b",   "", "ab", "a",      "\xff",
					    "abc", "", "a",  "ab\x80", "abc"};
	static const char *const sorted[] = {"", "a", "ab", "abc", "ab\x80", "b", "\xff"};
	struct count_row rows[10] = {0};
	char copies[10][4];

	for (unsigned i = 0; i < 10; i++) {
		rows[i].file = strcpy(copies[i], names[i]);
		rows[i].function = "f";
	}
	counts = (struct counts){.rows = rows, .n = 10};
	ck_assert(cacheprof_rows_merge(&counts));
	ck_assert_uint_eq(counts.n, 7);
	for (unsigned i = 0; i < 7; i++) {
		ck_assert_str_eq(counts.rows[i].file, sorted[i]);
		ck_assert(i == 0 || counts.rows[i].file != counts.rows[i - 1].file);
		ck_assert_ptr_eq(counts.rows[i].function, counts.rows[0].function);
	}
}
END_TEST

/* 20 ms where this was written; the bound is against squares and against sanitizers. */
START_TEST(sorts_fast)
{
	clock_t start;

	make_many(MANY, 50, 4000);
	counts = (struct counts){.rows = many, .n = MANY};
	start = clock();
	ck_assert(cacheprof_rows_merge(&counts));
	ck_assert_int_lt(clock() - start, CLOCKS_PER_SEC);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("counts");
	TCase *c = tcase_create("counts"), *r = tcase_create("rows");

	tcase_add_checked_fixture(c, setup, NULL);
	tcase_add_test(c, multiplies_executions);
	tcase_add_test(c, derives_executions);
	tcase_add_test(c, derives_not_less_than_nothing);
	tcase_add_test(c, adds_threads_and_masks_the_flag);
	tcase_add_test(c, counts_dynamic_sites_by_themselves);
	tcase_add_test(c, sorts_references_by_size);
	tcase_add_test(c, counts_branches);
	tcase_add_test(c, has_no_misses_at_level_1);
	tcase_add_test(c, nothing_executed);
	tcase_add_test(c, names_the_unknown);
	tcase_add_test(c, merges_modules);
	tcase_add_test(c, counts_what_the_linker_left);
	tcase_add_test(c, has_room_for_the_largest_chunk);
	tcase_add_test(c, keeps_what_goes);
	suite_add_tcase(s, c);
	tcase_add_loop_test(r, sorts_as_strcmp, 0, sizeof merges / sizeof *merges);
	tcase_add_test(r, sorts_odd_names);
	tcase_add_test(r, sorts_fast);
	tcase_set_timeout(r, 60);
	suite_add_tcase(s, r);
	return s;
}

int main(void)
{
	return run_as_tap(suite());
}
