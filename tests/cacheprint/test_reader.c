/* The reader: what it understands, and that it refuses everything else with the right line. */
#include "cacheprint/reader.h"
#include "tests/cacheprint/suite.h"

#include <stdio.h>
#include <string.h>

#define HEAD "desc: I1 cache: 32768 B\ncmd: ./a b\nevents: Ir Dr Dw\n"

static struct profile profile;
static struct reader_error error;

static bool parse(const char *text)
{
	memset(&profile, 0, sizeof profile);
	memset(&error, 0, sizeof error);
	return profile_parse(&profile, (struct text){text, strlen(text)}, &error);
}

static bool is(struct text t, const char *s)
{
	return text_equal(t, (struct text){s, strlen(s)});
}

START_TEST(reads_a_profile)
{
	ck_assert_msg(parse(HEAD "fl=/a.c\nfn=main\n1 10 2 1\n3 5\nfn=f\n9 1 1\n"
	                         "fl=b.h\nfn=main\n0 . . 4\nsummary: 16 3 5\n"),
	              "%s", error.reason);
	ck_assert(is(profile.command, "./a b"));
	ck_assert(is(profile_description(&profile, "I1 cache"), "32768 B"));
	ck_assert_uint_eq(profile_description(&profile, "LL cache").len, 0);
	ck_assert_uint_eq(profile.events.n, 3);
	ck_assert(is(profile.events.at[2], "Dw"));
	ck_assert_uint_eq(profile.sections.n, 3);
	ck_assert(is(profile.sections.at[1].file, "/a.c"));
	ck_assert(is(profile.sections.at[1].function, "f"));
	ck_assert(is(profile.sections.at[2].file, "b.h"));
	ck_assert_uint_eq(profile.sections.at[0].n_rows, 2);
	ck_assert_int_eq(profile.sums.at[0], 15);
	ck_assert_int_eq(profile.sums.at[8], 4);
	ck_assert_int_eq(profile.totals[0], 16);
	profile_free(&profile);
}
END_TEST

START_TEST(takes_tabs_for_blanks)
{
	ck_assert_msg(parse("cmd:\t./a\nevents:\tIr\tDr\nfl=a\nfn=f\n1\t10\t2\nsummary:\t10\t2\n"), "%s", error.reason);
	ck_assert(is(profile.command, "./a"));
	ck_assert_uint_eq(profile.events.n, 2);
	ck_assert_int_eq(profile.totals[1], 2);
	profile_free(&profile);
}
END_TEST

START_TEST(gives_the_rows_again)
{
	struct text rows;
	struct row row;

	ck_assert(parse(HEAD "fl=a\nfn=f\n# note\n\n7 1\n4294967295 2 . 3\nsummary: 3 0 3\n"));
	rows = profile.sections.at[0].rows;
	ck_assert(row_next(&profile, &rows, &row));
	ck_assert_uint_eq(row.line, 7);
	ck_assert_int_eq(row.counts[0], 1);
	ck_assert_int_eq(row.counts[1], 0);
	ck_assert(row_next(&profile, &rows, &row));
	ck_assert_uint_eq(row.line, 4294967295u);
	ck_assert_int_eq(row.counts[2], 3);
	ck_assert(!row_next(&profile, &rows, &row));
	profile_free(&profile);
}
END_TEST

START_TEST(takes_what_other_tools_write)
{
	ck_assert_msg(parse("desc: Files compared:   a; b\ncmd:  x; y\nevents:  Ir\n"
	                    "fl=a\nfn=f\n0 -5\nsummary: -5\n"),
	              "cg_diff: %s", error.reason);
	profile_free(&profile);
	ck_assert_msg(parse("cmd: x\nevents: Ir\nfl=a\nfn=f\n1   4 \nsummary: 4 \n"),
	              "cg_merge: %s", error.reason);
	profile_free(&profile);
	ck_assert_msg(parse("cmd: x\nevents: Ir\nfl=a\nfn=f\n1 4\nsummary: 4"), "no newline: %s",
	              error.reason);
	profile_free(&profile);
	ck_assert_msg(parse("cmd:\nevents: Ir\nsummary: 0\n"), "nothing ran: %s", error.reason);
	profile_free(&profile);
	ck_assert_msg(parse("cmd: x\nevents: Ir\nfl=a\nfn=f\n1 9223372036854775807\n"
	                    "summary: 9223372036854775807\n"),
	              "largest: %s", error.reason);
	profile_free(&profile);
}
END_TEST

static const struct {
	const char *text, *reason;
	size_t line;
} bad[] = {
    {"", "the file is empty", 1},
    {"\n", "the file ends without a summary: line", 2},
    {"hello\n", "not a line of a profile", 1},
    {"version: 1\ncreator: callgrind\n",
     "this is a Callgrind profile; cachegrind.out format is needed", 1},
    {"events: Ir\n", "no cmd: line before the events: line", 1},
    {"cmd: a\ncmd: b\n", "a second cmd: line", 2},
    {"cmd: a\nevents:\n", "no event on the events: line", 2},
    {"cmd: a\nevents: Ir Dr Ir\n", "event Ir appears twice", 2},
    {"cmd: a\nevents: Ir\nevents: Ir\n", "a second events: line", 3},
    {"cmd: a\nfl=x\n", "no events: line before the first fl= line", 2},
    {"cmd: a\nsummary: 1\n", "no events: line before the summary: line", 2},
    {"cmd: a\n1 2\n", "counts before the first fn= line", 2},
    {HEAD "fn=main\n", "fn= before the first fl= line", 4},
    {HEAD "fl=a\n1 2\n", "counts before the first fn= line", 5},
    {HEAD "fl=a\nfn=f\nfl=b\n1 2\n", "counts before the first fn= line", 7},
    {HEAD "fl=a\nfn=f\n1 2 3 4 5\n", "more counts than the 3 events", 6},
    {HEAD "fl=a\nfn=f\n1 2x\n", "a count is not a number below 2^63", 6},
    {HEAD "fl=a\nfn=f\n1 2 -\n", "a count is not a number below 2^63", 6},
    {HEAD "fl=a\nfn=f\n1 .5\n", "a count is not a number below 2^63", 6},
    {HEAD "fl=a\nfn=f\n1 9223372036854775808\n", "a count is not a number below 2^63", 6},
    {HEAD "fl=a\nfn=f\n1 99999999999999999999\n", "a count is not a number below 2^63", 6},
    {HEAD "fl=a\nfn=f\n4294967296 1\n", "not a line number", 6},
    {HEAD "fl=a\nfn=f\n1x 1\n", "not a line number", 6},
    {HEAD "fl=a\nfn=f\n-1 1\n", "not a line of a profile", 6},
    {HEAD "fl=a\nfn=f\n1 9223372036854775807\n2 1\n",
     "the counts of a function add up to more than 2^63", 7},
    {HEAD "fl=a\nfn=f\n1 9223372036854775807\nfn=g\n2 1\nsummary: 1 1 1\n",
     "the counts add up to more than 2^63", 9},
    {HEAD "fl=a\nfn=f\n1 2 3 4\n", "the file ends without a summary: line", 7},
    {HEAD "fl=a\nfn=f\n1 2 3 4\nsummary: 2 3\n", "the summary has 2 counts for 3 events", 7},
    {HEAD "fl=a\nfn=f\n1 2 3 4\nsummary: 2 3 4 5\n", "more counts than the 3 events", 7},
    {HEAD "fl=a\nfn=f\n1 2 3 4\nsummary: 2 3 5\n", "the summary says 5 Dw, the lines add up to 4",
     7},
    {HEAD "fl=a\nfn=f\n1 2 3 4\nsummary: 2 3 4\n1 2 3\n", "text after the summary: line", 8},
    {HEAD "summary: 0 0 0\nsummary: 0 0 0\n", "text after the summary: line", 5},
};

START_TEST(refuses_what_is_no_profile)
{
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_msg(!parse(bad[i].text), "taken: %s", bad[i].text);
		ck_assert_str_eq(error.reason, bad[i].reason);
		ck_assert_msg(error.line == bad[i].line, "line %zu for: %s", error.line,
		              bad[i].text);
		profile_free(&profile);
	}
}
END_TEST

/* A profile cut anywhere is refused, but for the last newline and trailing blanks. */
START_TEST(refuses_every_beginning)
{
	static const char text[] = HEAD "fl=a\nfn=f\n1 2 3 4\n2 5 6 7\nsummary: 7 9 11\n";

	for (size_t len = 0; len + 2 < sizeof text; len++) {
		memset(&profile, 0, sizeof profile);
		ck_assert_msg(!profile_parse(&profile, (struct text){text, len}, &error),
		              "taken: %zu bytes", len);
		profile_free(&profile);
	}
}
END_TEST

START_TEST(refuses_zero_bytes)
{
	static const char text[] = HEAD "fl=a\0b\nfn=f\n1 1\nsummary: 1 0 0\n";

	memset(&profile, 0, sizeof profile);
	ck_assert(!profile_parse(&profile, (struct text){text, sizeof text - 1}, &error));
	ck_assert_str_eq(error.reason, "a byte that is zero");
	ck_assert_uint_eq(error.line, 4);
	profile_free(&profile);
}
END_TEST

START_TEST(refuses_too_many_events)
{
	char text[4096] = "cmd: a\nevents:";

	for (int i = 0; i <= READER_MAX_EVENTS; i++)
		sprintf(text + strlen(text), " e%d", i);
	ck_assert(!parse(strcat(text, "\n")));
	ck_assert_str_eq(error.reason, "more than 64 events");
	profile_free(&profile);
}
END_TEST

static size_t calls, last_done, last_total;

static void note_progress(size_t done, size_t total)
{
	ck_assert_uint_ge(done, last_done);
	ck_assert_uint_le(done, total);
	last_done = done;
	last_total = total;
	calls++;
}

START_TEST(tells_progress)
{
	enum { LINES = 300000 };
	char *text = malloc(LINES * 4 + 200), *at = text + sprintf(text, HEAD "fl=a\nfn=f\n");

	for (int i = 0; i < LINES; i++)
		at = stpcpy(at, "1 1\n");
	sprintf(at, "summary: %d 0 0\n", LINES);
	reader_on_progress(note_progress);
	ck_assert_msg(parse(text), "%s", error.reason);
	ck_assert_uint_ge(calls, 4);
	ck_assert_uint_eq(last_total, strlen(text));
	ck_assert_uint_eq(last_done, last_total);
	profile_free(&profile);
	free(text);
}
END_TEST

int main(void)
{
	const TTest *tests[] = {
	    reads_a_profile,
	    takes_tabs_for_blanks,
	    gives_the_rows_again,
	    takes_what_other_tools_write,
	    refuses_what_is_no_profile,
	    refuses_every_beginning,
	    refuses_zero_bytes,
	    refuses_too_many_events,
	    tells_progress,
	};

	return RUN_SUITE("reader", tests);
}
