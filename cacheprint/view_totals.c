/* The numbers that Cachegrind and the 1999 program printed at the end of a run. The rates are
 * defined as Cachegrind's: LL rates are relative to all references of the row, not to the
 * references that reached LL. */
#include "cacheprint/format.h"
#include "cacheprint/sizes.h"
#include "cacheprint/table.h"
#include "cacheprint/view.h"

void view_header(const struct report *r)
{
	const struct profile *p;

	look_fence(&r->look, r->out);
	for (size_t i = 0; i < r->model->profiles.n; i++) {
		p = r->model->profiles.at[i];
		fprintf(r->out, "%-18s%s\n", "Profile:", p->path);
		fprintf(r->out, "%-18s", "Command:");
		format_text(r->out, p->command);
		fputc('\n', r->out);
		for (size_t j = 0; j < p->descriptions.n; j++) {
			struct text key = p->descriptions.at[j].key;
			struct text value = p->descriptions.at[j].value;

			if (is_size_key(key))
				continue;
			format_text(r->out, key);
			fprintf(r->out, "%s%*s", key.len ? ":" : "", key.len < 17 ? 17 - (int)key.len : 1, "");
			format_text(r->out, value);
			fputc('\n', r->out);
		}
	}
	look_fence(&r->look, r->out);
	fputc('\n', r->out);
}

/* A sum of events that may not be in the profile. */
struct amount {
	const struct column *column; /* NULL: not there */
	long double value;
};

static struct amount amount(const struct report *r, const char *name)
{
	const struct column *c = name ? events_find(&r->model->events, name) : NULL;

	return c ? (struct amount){c, column_value(c, r->model->totals)} : (struct amount){0};
}

static void put_amount(struct table *t, struct amount a)
{
	char b[FORMAT_ROOM];

	table_cell(t, "%s", a.column ? format_value(b, a.column, a.value) : "-");
}

static void put_rate(struct table *t, struct amount part, struct amount whole)
{
	char b[FORMAT_ROOM];
	bool known = part.column && whole.column;

	table_cell(t, "%s", known ? format_percent(b, part.value, whole.value) : "-");
}

/* One row of the table; the names are columns. */
static const struct level {
	const char *label, *refs, *l1, *ll;
} levels[] = {
    {"instructions", "Ir", "I1mr", "ILmr"}, {"data", "Refs", "D1m", "DLm"},
    {"  reads", "Dr", "D1mr", "DLmr"},      {"  writes", "Dw", "D1mw", "DLmw"},
    {"all", "AllRefs", "L1m", "LLm"},
};

static void print_level(const struct report *r, struct table *t, const struct level *level,
                        bool misses)
{
	struct amount refs = amount(r, level->refs), l1 = amount(r, level->l1);
	struct amount ll = amount(r, level->ll);

	table_cell(t, "%s", level->label);
	put_amount(t, refs);
	if (!misses)
		return;
	put_amount(t, l1);
	put_rate(t, l1, refs);
	put_amount(t, ll);
	put_rate(t, ll, refs);
}

static void print_levels(const struct report *r)
{
	static const char *const heads[] = {"",     "REFERENCES", "L1 MISSES",
	                                    "RATE", "LL MISSES",  "RATE"};
	bool misses = amount(r, "D1m").column;
	struct table *t = table_new(misses ? "lrrrrr" : "lr");

	for (size_t i = 0; i < (misses ? 6 : 2); i++)
		table_cell(t, "%s", heads[i]);
	table_rule(t);
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		print_level(r, t, &levels[i], misses);
	table_print(t, r->out, &r->look);
	if (misses)
		fputs("  L1 is I1 for instructions and D1 for data. All rates are misses per "
		      "reference of the row.\n",
		      r->out);
	fputc('\n', r->out);
}

static void print_sentence(const struct report *r)
{
	static const struct {
		const char *name, *noun;
	} parts[] = {{"Ir", "instructions"}, {"Refs", "references"}, {"D1m", "misses"}};
	const char *separator = "";
	char b[FORMAT_ROOM];

	for (size_t i = 0; i < 3; i++) {
		struct amount a = amount(r, parts[i].name);

		if (!a.column)
			continue;
		fprintf(r->out, "%s%s %s", separator, format_value(b, a.column, a.value),
		        parts[i].noun);
		separator = ", ";
	}
	fputs(*separator ? ".\n\n" : "", r->out);
}

static void print_events(const struct report *r)
{
	const struct events *e = &r->model->events;
	struct table *t = table_new("lrl");
	char b[FORMAT_ROOM];

	table_cell(t, "EVENT");
	table_cell(t, "COUNT");
	table_cell(t, "MEANING");
	table_rule(t);
	for (unsigned i = 0; i < e->n; i++) {
		const char *meaning = e->known.at[i]->meaning;

		table_cell(t, "%s", e->names[i]);
		table_cell(t, "%s", format_count(b, r->model->totals[i]));
		table_cell(t, "%s", meaning ? meaning : "");
	}
	table_print(t, r->out, &r->look);
	fputc('\n', r->out);
}

void view_totals(const struct report *r)
{
	print_sentence(r);
	if (amount(r, "Refs").column)
		print_levels(r);
	print_events(r);
}
