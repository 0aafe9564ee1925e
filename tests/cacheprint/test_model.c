/* The model: sums over files, functions, lines and profiles; order; names of sources. */
#include "cacheprint/model.h"
#include "cacheprint/source.h"
#include "tests/cacheprint/suite.h"

#include <string.h>

static struct model model;

static struct profile *parse(const char *text)
{
	struct profile *p = xalloc(1, sizeof *p);
	struct reader_error error;

	ck_assert_msg(profile_parse(p, (struct text){text, strlen(text)}, &error), "%zu: %s",
	              error.line, error.reason);
	return p;
}

static const char *add(const char *text)
{
	return model_add(&model, parse(text), AFTER);
}

static void add_sample(void)
{
	memset(&model, 0, sizeof model);
	ck_assert_ptr_null(add("cmd: a\nevents: Ir Dr\n"
	                       "fl=/p/x/a.c\nfn=main\n3 30 3\n1 10 1\nfn=f\n3 3\n7 7\n"
	                       "fl=/p/y/a.c\nfn=f\n5 100\n"
	                       "fl=b.h\nfn=main\n1 1 1\n"
	                       "summary: 151 5\n"));
	model_label_files(&model);
}

static const struct file *file(const char *name)
{
	struct file *f;

	HASH_FIND_STR(model.files, name, f);
	ck_assert_msg(f != NULL, "no file %s", name);
	return f;
}

START_TEST(sums_up)
{
	add_sample();
	ck_assert_uint_eq(HASH_COUNT(model.files), 3);
	ck_assert_uint_eq(model.functions.n, 4);
	ck_assert_uint_eq(model.n_rows, 6);
	ck_assert_uint_eq(model_count_names(&model), 2);
	ck_assert_int_eq(model.totals[0], 151);
	ck_assert_int_eq(file("/p/x/a.c")->sums[0], 50);
	ck_assert_int_eq(file("/p/x/a.c")->sums[1], 4);
}
END_TEST

START_TEST(adds_lines_of_functions)
{
	struct lines lines;

	add_sample();
	lines = model_lines(&model, file("/p/x/a.c"), AFTER);
	ck_assert_uint_eq(lines.n, 3);
	ck_assert_uint_eq(lines.at[0].number, 1);
	ck_assert_uint_eq(lines.at[1].number, 3);
	ck_assert_int_eq(lines.at[1].counts[0], 33);
	ck_assert_int_eq(lines.at[1].counts[1], 3);
	ck_assert_uint_eq(lines.at[2].number, 7);
	model_free_lines(&lines);
}
END_TEST

START_TEST(adds_profiles)
{
	struct lines lines;

	add_sample();
	ck_assert_ptr_null(add("cmd: b\nevents: Ir Dr\nfl=b.h\nfn=main\n1 4\n2 5\nsummary: 9 0\n"));
	ck_assert_int_eq(model.totals[0], 160);
	ck_assert_int_eq(file("b.h")->sums[0], 10);
	ck_assert_uint_eq(model.functions.n, 4);
	lines = model_lines(&model, file("b.h"), AFTER);
	ck_assert_uint_eq(lines.n, 2);
	ck_assert_int_eq(lines.at[0].counts[0], 5);
	model_free_lines(&lines);
	ck_assert_str_eq(add("cmd: c\nevents: Ir Dw\nsummary: 0 0\n"), "its events differ");
	ck_assert_str_eq(add("cmd: c\nevents: Ir\nsummary: 0\n"), "its events differ");
	ck_assert_str_eq(add("cmd: c\nevents: Ir Dr Dw\nsummary: 0 0 0\n"), "its events differ");
	ck_assert_str_eq(add("cmd: d\nevents: Ir Dr\nfl=a\nfn=f\n1 9223372036854775807\n"
	                     "summary: 9223372036854775807 0\n"),
	                 "the counts add up to more than 2^63");
}
END_TEST

/* -2^63 is a number, 2^63 is none. */
START_TEST(subtracts_the_least_number)
{
	memset(&model, 0, sizeof model);
	ck_assert_str_eq(model_add(&model,
	                           parse("cmd: a\nevents: Ir\nfl=a\nfn=f\n1 -9223372036854775807\n2 -1\n"
	                                 "fn=g\n1 1\nsummary: -9223372036854775807\n"),
	                           BEFORE),
	                 "the counts add up to more than 2^63");
}
END_TEST

START_TEST(sorts_functions)
{
	column_list by = {0};

	add_sample();
	ck_assert(events_find_all(&model.events, "Dr,Ir", &by));
	model_sort(model.functions.at, model.functions.n, &by);
	ck_assert_str_eq(model.functions.at[0]->name, "main");
	ck_assert_str_eq(model.functions.at[0]->file->name, "/p/x/a.c");
	ck_assert_str_eq(model.functions.at[1]->file->name, "b.h");
	ck_assert_int_eq(model.functions.at[2]->sums[0], 100);
	ck_assert_int_eq(model.functions.at[3]->sums[0], 10);
}
END_TEST

START_TEST(labels_files)
{
	add_sample();
	ck_assert_str_eq(file("/p/x/a.c")->label, "x/a.c");
	ck_assert_str_eq(file("/p/y/a.c")->label, "y/a.c");
	ck_assert_str_eq(file("b.h")->label, "b.h");
	memset(&model, 0, sizeof model);
	ck_assert_ptr_null(add("cmd: a\nevents: Ir\nfl=/a.c\nfn=f\nfl=\nfn=f\nfl=a.c\nfn=f\n"
	                       "fl=//a.c\nfn=f\nfl=d/\nfn=f\nsummary: 0\n"));
	model_label_files(&model);
	ck_assert_str_eq(file("a.c")->label, "a.c");
	ck_assert_str_eq(file("/a.c")->label, "/a.c");
	ck_assert_str_eq(file("//a.c")->label, "//a.c");
	ck_assert_str_eq(file("")->label, "");
	ck_assert_str_eq(file("d/")->label, "d/");
}
END_TEST

START_TEST(matches_names)
{
	static const struct {
		const char *name;
		size_t n;
	} names[] = {
	    {"a.c", 2}, {"x/a.c", 1},   {"/p/x/a.c", 1}, {"./a.c", 2}, {"../x/a.c", 1},
	    {"c", 0},   {"ba.c", 0},    {"/q/x/a.c", 0}, {"b.h", 1},   {"/q/b.h", 1},
	    {"p/x", 0}, {"/p/x/a.", 0}, {"", 0},         {".", 0},     {"/", 0},
	};

	add_sample();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		file_list found = source_match(&model, names[i].name);

		ck_assert_msg(found.n == names[i].n, "%s: %zu", names[i].name, found.n);
		free(found.at);
	}
}
END_TEST

int main(void)
{
	const TTest *tests[] = {
	    sums_up,      adds_lines_of_functions, adds_profiles, subtracts_the_least_number, sorts_functions,
	    labels_files, matches_names,
	};

	return RUN_SUITE("model", tests);
}
