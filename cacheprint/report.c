/* The defaults are lists of which the first that the profile's events allow counts, so that every
 * level of ours and every set of Valgrind's events has a table that makes sense. */
#include "cacheprint/report.h"

#include "common/diag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH 72

static const char *const function_columns[] = {"Ir,Refs,D1m,D1m%,LLm", "Ir,Refs"};
static const char *const sort_columns[] = {"D1m,Refs", "Ir"};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static _Noreturn void no_such_event(const struct report *r, const char *option, const char *names)
{
	const struct events *e = &r->model->events;
	char *known = xstrdup("");

	for (size_t i = 0; i < e->known.n; i++) {
		char *longer = xasprintf("%s %s", known, e->known.at[i]->name);

		free(known);
		known = longer;
	}
	die_usage("%s=%s: no such event; the profile has%s", option, names, known);
}

static void choose(const struct report *r, const char *const *lists, size_t n, column_list *columns)
{
	const struct events *e = &r->model->events;

	for (size_t i = 0; i < n; i++)
		if (events_find_all(e, lists[i], columns))
			return;
	for (unsigned i = 0; i < (n ? 1 : e->n); i++)
		VEC_PUSH(columns, e->known.at[i]);
}

static void read_show(struct report *r, const char *show)
{
	if (!show) {
		choose(r, function_columns, COUNT_OF(function_columns), &r->function_columns);
		choose(r, NULL, 0, &r->line_columns);
		return;
	}
	if (!events_find_all(&r->model->events, show, &r->function_columns) ||
	    !events_find_all(&r->model->events, show, &r->line_columns))
		no_such_event(r, "--show", show);
}

/* Takes ":percent" off the items of "A:1,B"; an item without has the usual threshold, or none when
 * another one has its own. */
static void read_sort(struct report *r, const char *sort, double usual)
{
	char *copy = xstrdup(sort), *item = copy, *colon, *rest, *end;
	bool own = strchr(sort, ':') != NULL;

	for (; item; item = rest) {
		double threshold = own ? INFINITY : usual;

		rest = strchr(item, ',');
		if (rest)
			*rest++ = 0;
		colon = strchr(item, ':');
		if (colon) {
			*colon++ = 0;
			threshold = strtod(colon, &end);
			if (end == colon || (*end && strcmp(end, "%") != 0) ||
			    !(threshold >= 0 && threshold <= 100))
				die_usage("--sort=%s: '%s' is not a percentage", sort, colon);
		}
		if (!events_find_all(&r->model->events, item, &r->sort))
			no_such_event(r, "--sort", item);
		VEC_PUSH(&r->thresholds, threshold);
	}
	free(copy);
}

static void define_events(struct model *m, const path_list *definitions)
{
	const char *error;

	for (size_t i = 0; i < definitions->n; i++) {
		error = events_define(&m->events, definitions->at[i]);
		if (error)
			die_usage("--event=%s: %s", definitions->at[i], error);
	}
}

static void parse_gates(struct report *r, struct model *m, const path_list *rules)
{
	const char *error;
	struct gate g;

	for (size_t i = 0; i < rules->n; i++) {
		error = gate_parse(&g, &m->events, rules->at[i]);
		if (error)
			die_usage("--gate='%s': %s", rules->at[i], error);
		VEC_PUSH(&r->gates, g);
	}
}

/* The difference of two rates is no rate of differences. */
static void refuse_rates(const struct report *r)
{
	for (size_t i = 0; i < r->sort.n; i++)
		if (!r->sort.at[i]->shares)
			die_usage("--sort=%s: two profiles cannot be compared by a rate",
			          r->sort.at[i]->name);
}

/* What a table is sorted by is shown, unless the user chose. */
static void show_sort(struct report *r)
{
	for (size_t i = 0; i < r->sort.n; i++) {
		size_t k = 0;

		while (k < r->function_columns.n && r->function_columns.at[k] != r->sort.at[i])
			k++;
		if (k == r->function_columns.n)
			VEC_PUSH(&r->function_columns, r->sort.at[i]);
	}
}

void report_init(struct report *r, const struct options *o, struct model *m)
{
	r->model = m;
	r->options = o;
	define_events(m, &o->events);
	parse_gates(r, m, &o->gates);
	read_show(r, o->show);
	if (o->sort) {
		read_sort(r, o->sort, o->threshold);
	} else {
		choose(r, sort_columns, COUNT_OF(sort_columns), &r->sort);
		for (size_t i = 0; i < r->sort.n; i++)
			VEC_PUSH(&r->thresholds, o->threshold);
	}
	if (!o->show)
		show_sort(r);
	if (o->action == ACTION_DIFF)
		refuse_rates(r);
	if (o->action == ACTION_MERGE || o->format == FORMAT_JSON || o->format == FORMAT_CSV)
		model_sort_by_name(m);
	else
		model_sort(m->functions.at, m->functions.n, &r->sort);
}

void report_set_output(struct report *r, const struct output *o)
{
	bool cut = !r->options->full_names;

	r->out = o->file;
	r->look = (struct look){.indent = 2, .width = cut ? o->width : 0, .colour = o->colour};
	r->look.markdown = r->options->format == FORMAT_MARKDOWN;
	r->look.colour &= !r->look.markdown;
	r->name_width = !cut ? SIZE_MAX : o->width ? o->width / 2 + 8 : NAME_WIDTH;
}

long double report_share(const struct report *r, const struct column *c, const int64_t *counts)
{
	const struct model *m = r->model;
	long double whole = column_value(c, m->before ? m->before : m->totals);
	long double share = column_value(c, counts) * 100 / whole;

	return isnan(share) ? 0 : fabsl(share);
}

/* A profile without descriptions (cg_diff's) says nothing about caches. */
static bool all_have(const struct model *m, const char *key, struct text value)
{
	for (size_t i = 1; i < m->profiles.n; i++)
		if (m->profiles.at[i]->descriptions.n &&
		    !text_equal(profile_description(m->profiles.at[i], key), value))
			return false;
	return true;
}

void report_warn_if_caches_differ(const struct report *r)
{
	const struct profile *first = r->model->profiles.at[0];

	for (size_t i = 0; i < first->descriptions.n; i++) {
		struct description d = first->descriptions.at[i];
		char *key = xstrndup(d.key.at, d.key.len);

		if (strstr(key, "cache") && !all_have(r->model, key, d.value))
			REPORT_WARN(r, "the profiles differ in their %s", key);
		free(key);
	}
}

void report_warn_if_newer(const struct report *r, const struct source *s)
{
	const struct model *m = r->model;

	for (size_t i = m->before ? 1 : 0; i < m->profiles.n; i++)
		if (source_is_newer(s, m->profiles.at[i]))
			REPORT_WARN(
			    r, "%s is newer than %s: its lines may not be those that were counted",
			    s->path, m->profiles.at[i]->path);
}

/* As doubles, which the thresholds are: 0.1 percent as a long double is less. */
bool report_shows(const struct report *r, const int64_t *counts)
{
	for (size_t i = 0; i < r->sort.n; i++)
		if ((double)report_share(r, r->sort.at[i], counts) >= r->thresholds.at[i])
			return true;
	return false;
}

struct sides report_gate_sides(const struct report *r, const struct gate *g)
{
	return compare_sides(g->column, r->model->before, r->model->totals, r->model->events.n);
}

bool report_gates_hold(const struct report *r)
{
	bool good = true;
	struct sides v;

	for (size_t i = 0; i < r->gates.n; i++) {
		v = report_gate_sides(r, &r->gates.at[i]);
		good &= gate_holds(&r->gates.at[i], v.before, v.after);
	}
	return good;
}
