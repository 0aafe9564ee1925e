/* Everything that the profiles say, for programs; docs/cacheprint-json.md describes it. Additions
 * keep the version number, changes raise it. */
#include "cacheprint/choose.h"
#include "cacheprint/json.h"
#include "cacheprint/sizes.h"
#include "cacheprint/view.h"

#define JSON_VERSION 1

/* Sums of AFTER: what the model has are differences when there is a BEFORE, too. */
static void put_after(const struct report *r, const int64_t *sums, const int64_t *before)
{
	int64_t counts[READER_MAX_EVENTS];

	for (unsigned i = 0; i < r->model->events.n; i++)
		counts[i] = sums[i] + (before ? before[i] : 0);
	json_counts(r->out, counts, r->model->events.n);
}

/* "totals": [...], and "before": [...] when two profiles are compared. */
static void put_totals(const struct report *r, const int64_t *sums, const int64_t *before)
{
	static const int64_t none[READER_MAX_EVENTS];

	json_key(r->out, "totals");
	put_after(r, sums, before);
	if (!r->model->before)
		return;
	fputc(',', r->out);
	json_key(r->out, "before");
	json_counts(r->out, before ? before : none, r->model->events.n);
}

static void put_profiles(const struct report *r)
{
	json_key(r->out, "profiles");
	for (size_t i = 0; i < r->model->profiles.n; i++) {
		fputs(i ? ",\n" : "[", r->out);
		json_profile(r->out, r->model->profiles.at[i]);
	}
	fputs("]", r->out);
}

static void put_event(const struct report *r, const struct column *c)
{
	fputs("{\"name\":", r->out);
	json_string(r->out, c->name);
	fputs(",\"meaning\":", r->out);
	if (c->meaning)
		json_string(r->out, c->meaning);
	else
		fputs("null", r->out);
}

static void put_events(const struct report *r)
{
	const struct events *e = &r->model->events;

	json_key(r->out, "events");
	for (unsigned i = 0; i < e->n; i++) {
		fputs(i ? ",\n" : "[", r->out);
		put_event(r, e->known.at[i]);
		fputc('}', r->out);
	}
	fputs("],\n", r->out);
	json_key(r->out, "derived");
	fputc('[', r->out);
	for (size_t i = e->n; i < e->known.n; i++) {
		const struct column *c = e->known.at[i];
		int64_t counts[READER_MAX_EVENTS];

		for (unsigned j = 0; j < e->n; j++)
			counts[j] =
			    r->model->totals[j] + (r->model->before ? r->model->before[j] : 0);
		fputs(i > e->n ? ",\n" : "", r->out);
		put_event(r, c);
		fprintf(r->out, ",\"rate\":%s,\"total\":", c->percent ? "true" : "false");
		json_number(r->out, column_value(c, counts));
		fputc('}', r->out);
	}
	fputs("]", r->out);
}

static void put_sizes(const struct report *r)
{
	struct sizes sizes;
	const char *why;

	if (r->model->before || !sizes_read(r->model, &sizes, &why))
		return;
	json_key(r->out, "sizes");
	fputc('[', r->out);
	for (int i = 0; i < PROFILE_SIZE_CLASSES; i++) {
		fprintf(r->out, "%s{\"size\":", i ? "," : "");
		if (i + 1 < PROFILE_SIZE_CLASSES)
			fprintf(r->out, "%d", 1 << i);
		else
			fputs("null", r->out);
		fputs(",\"counts\":", r->out);
		json_counts(r->out, sizes.counts[i], SIZE_EVENTS);
		fputc('}', r->out);
	}
	fputs("],\n", r->out);
}

static void put_lines(const struct report *r, const char *key, const struct function *f,
                      enum side side)
{
	struct lines lines = model_function_lines(r->model, f, side);

	fputc(',', r->out);
	json_key(r->out, key);
	fputc('[', r->out);
	for (size_t i = 0; i < lines.n; i++) {
		fprintf(r->out, "%s[%u", i ? "," : "", lines.at[i].number);
		for (unsigned j = 0; j < r->model->events.n; j++)
			fprintf(r->out, ",%lld", (long long)lines.at[i].counts[j]);
		fputc(']', r->out);
	}
	fputc(']', r->out);
	model_free_lines(&lines);
}

static void put_function(const struct report *r, const struct function *f)
{
	fputs("{\"name\":", r->out);
	json_string(r->out, f->name);
	fputc(',', r->out);
	put_totals(r, f->sums, f->before);
	put_lines(r, "lines", f, AFTER);
	if (r->model->before)
		put_lines(r, "lines_before", f, BEFORE);
	fputc('}', r->out);
}

static void put_file(const struct report *r, const struct file *f)
{
	fputs("{\"name\":", r->out);
	json_string(r->out, f->name);
	fputc(',', r->out);
	put_totals(r, f->sums, f->before);
	fputs(",\"functions\":[\n", r->out);
}

static void put_files(const struct report *r)
{
	const struct file *file = NULL;

	json_key(r->out, "files");
	fputc('[', r->out);
	for (size_t i = 0; i < r->model->functions.n; i++) {
		const struct function *f = r->model->functions.at[i];

		if (f->file != file) {
			fputs(file ? "]},\n" : "\n", r->out);
			put_file(r, f->file);
		} else {
			fputs(",\n", r->out);
		}
		file = f->file;
		put_function(r, f);
	}
	fputs(file ? "]}]" : "]", r->out);
}

static void put_gates(const struct report *r)
{
	json_key(r->out, "gates");
	for (size_t i = 0; i < r->gates.n; i++) {
		const struct gate *g = &r->gates.at[i];
		struct sides v = report_gate_sides(r, g);

		fputs(i ? ",\n{\"rule\":" : "[{\"rule\":", r->out);
		json_string(r->out, g->column->name);
		fputs(",\"limit\":", r->out);
		json_string(r->out, g->text);
		fputs(",\"before\":", r->out);
		json_number(r->out, v.before);
		fputs(",\"after\":", r->out);
		json_number(r->out, v.after);
		fprintf(r->out, ",\"holds\":%s}",
		        gate_holds(g, v.before, v.after) ? "true" : "false");
	}
	fputs("],\n", r->out);
}

bool view_json(const struct report *r)
{
	fprintf(r->out,
	        "{\"format\":\"cacheprint\",\"version\":%d,\"generator\":\"cacheprint %s\",\n",
	        JSON_VERSION, CACHEPROF_VERSION);
	put_profiles(r);
	fputs(",\n", r->out);
	put_events(r);
	fputs(",\n", r->out);
	put_totals(r, r->model->totals, r->model->before);
	fputs(",\n", r->out);
	put_sizes(r);
	if (r->gates.n)
		put_gates(r);
	put_files(r);
	fputs("}\n", r->out);
	return choose_are_there(r);
}
