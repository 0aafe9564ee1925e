/* The three tables of the 1999 manual, section 6: reads and writes, reads, writes. LL misses are
 * new, and what cannot be computed is "-" instead of "NaN%". */
#include "cacheprint/format.h"
#include "cacheprint/sizes.h"
#include "cacheprint/table.h"
#include "cacheprint/view.h"

#include "common/diag.h"

/* References and misses of one kind. */
struct kind {
	const char *head;
	const enum size_event *refs, *d1, *ll; /* n of each are added */
	int n;
};

struct amounts {
	int64_t refs, d1, ll;
};

static const enum size_event refs[] = {SIZE_DR, SIZE_DW};
static const enum size_event d1[] = {SIZE_D1MR, SIZE_D1MW};
static const enum size_event ll[] = {SIZE_DLMR, SIZE_DLMW};

static const struct kind kinds[] = {
    {"RD-&-WR", refs, d1, ll, 2},
    {"READS", refs, d1, ll, 1},
    {"WRITES", refs + 1, d1 + 1, ll + 1, 1},
};

static struct amounts take(const int64_t counts[static SIZE_EVENTS], const struct kind *k)
{
	struct amounts a = {0};

	for (int i = 0; i < k->n; i++) {
		a.refs += counts[k->refs[i]];
		a.d1 += counts[k->d1[i]];
		a.ll += counts[k->ll[i]];
	}
	return a;
}

static void put_count(struct table *t, int64_t part, int64_t whole)
{
	char b[FORMAT_ROOM];

	table_cell(t, "%s", format_count(b, part));
	table_cell(t, "%s", format_percent(b, part, whole));
}

static void put_row(struct table *t, const char *label, struct amounts a, struct amounts total,
                    bool misses)
{
	char b[FORMAT_ROOM];

	table_cell(t, "%s", label);
	put_count(t, a.refs, total.refs);
	if (!misses)
		return;
	put_count(t, a.d1, total.d1);
	table_cell(t, "%s", format_percent(b, a.d1, a.refs));
	put_count(t, a.ll, total.ll);
	table_cell(t, "%s", format_percent(b, a.ll, a.refs));
}

static void put_heads(struct table *t, const char *head, bool misses)
{
	const char *const heads[] = {"SIZE", head,        "%", "MISSES", "%",
	                             "RATE", "LL MISSES", "%", "RATE"};

	for (int i = 0; i < (misses ? 9 : 3); i++)
		table_cell(t, "%s", heads[i]);
	table_rule(t);
}

static void print_kind(const struct report *r, const struct sizes *sizes, const struct kind *k,
                       bool misses)
{
	struct table *t = table_new(misses ? "lrrrrrrrr" : "lrr");
	struct amounts total = {0}, a;

	for (int i = 0; i < PROFILE_SIZE_CLASSES; i++) {
		a = take(sizes->counts[i], k);
		total = (struct amounts){total.refs + a.refs, total.d1 + a.d1, total.ll + a.ll};
	}
	put_heads(t, k->head, misses);
	put_row(t, "TOTAL:", total, total, misses);
	for (int i = 0; i < PROFILE_SIZE_CLASSES; i++) {
		a = take(sizes->counts[i], k);
		if (i + 1 < PROFILE_SIZE_CLASSES || a.refs)
			put_row(t, size_labels[i], a, total, misses);
	}
	table_print(t, r->out, &r->look);
	fputc('\n', r->out);
}

void view_sizes(const struct report *r)
{
	struct sizes sizes;
	const char *why;
	bool misses = events_find(&r->model->events, "D1m") != NULL;

	if (!sizes_read(r->model, &sizes, &why)) {
		if (why)
			REPORT_WARN(
			    r,
			    "the references by size do not add up to %s (a profile merged by "
			    "another tool?); their tables are left out",
			    why);
		return;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		print_kind(r, &sizes, &kinds[i], misses);
}
