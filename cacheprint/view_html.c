/* One page that holds its data, its program and its looks, so that it works from a mail attachment:
 * nothing is fetched, and a content security policy says so. The program is html/report.js; what
 * it gets is written here. Every text in it comes from elsewhere and is data, never markup. */
#include "cacheprint/assets.h"
#include "cacheprint/choose.h"
#include "cacheprint/heads.h"
#include "cacheprint/json.h"
#include "cacheprint/names.h"
#include "cacheprint/view.h"

#include "common/file.h"

#include <stdlib.h>
#include <string.h>

/* Characters of a function's name that there is room for in a window of usual width. */
#define NAME_WIDTH 72

static const char page_begin[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<title>cacheprof</title>\n<style>\n";

static void put_counts(const struct report *r, const int64_t *sums, const int64_t *before)
{
	int64_t counts[READER_MAX_EVENTS];

	for (unsigned i = 0; i < r->model->events.n; i++)
		counts[i] = sums[i] + (before ? before[i] : 0);
	json_safe_counts(r->out, counts, r->model->events.n);
}

/* "t" is what the profile has, or the second of two; "b" is the first. */
static void put_totals(const struct report *r, const int64_t *sums, const int64_t *before)
{
	fputs("\"t\":", r->out);
	put_counts(r, sums, before);
	fputs(",\"b\":", r->out);
	if (before)
		json_safe_counts(r->out, before, r->model->events.n);
	else
		fputs("null", r->out);
}

static void put_number(void *out, long double number)
{
	fputs("[", out);
	json_number(out, number);
	fputs("],", out);
}

static void put_event(void *out, unsigned index)
{
	fprintf(out, "%u,", index);
}

static void put_operation(void *out, char operation)
{
	fprintf(out, "\"%c\",", operation);
}

/* The items of the formula are each followed by a comma, also the last. */
static void put_column(FILE *out, const struct column *c)
{
	char *items;
	size_t size;
	FILE *list = memory_file(&items, &size);
	struct expr_visitor v = {list, put_number, put_event, put_operation};

	expr_visit(c->expr, &v);
	fclose(list);
	fputs("{\"name\":", out);
	json_string(out, c->name);
	fputs(",\"meaning\":", out);
	if (c->meaning)
		json_string(out, c->meaning);
	else
		fputs("null", out);
	fprintf(out, ",\"percent\":%s,\"whole\":%s,\"shares\":%s,\"rpn\":[%.*s]}",
	        c->percent ? "true" : "false", c->whole ? "true" : "false",
	        c->shares ? "true" : "false", (int)size - 1, items);
	free(items);
}

static size_t column_index(const struct report *r, const struct column *c)
{
	const column_list *known = &r->model->events.known;

	for (size_t i = 0; i < known->n; i++)
		if (known->at[i] == c)
			return i;
	return 0;
}

static void put_columns(const struct report *r)
{
	const column_list *known = &r->model->events.known;

	fputs("\"columns\":[", r->out);
	for (size_t i = 0; i < known->n; i++) {
		fputs(i ? ",\n" : "", r->out);
		put_column(r->out, known->at[i]);
	}
	fputs("],\n\"shown\":[", r->out);
	for (size_t i = 0; i < r->function_columns.n; i++)
		fprintf(r->out, "%s%zu", i ? "," : "", column_index(r, r->function_columns.at[i]));
	fprintf(r->out, "],\"sort\":%zu,\n", column_index(r, r->sort.at[0]));
}

static void put_profiles(const struct report *r)
{
	fputs("\"profiles\":[", r->out);
	for (size_t i = 0; i < r->model->profiles.n; i++) {
		fputs(i ? ",\n" : "", r->out);
		json_profile(r->out, r->model->profiles.at[i]);
	}
	fputs("],\n", r->out);
}

static void put_text(FILE *out, const char *key, const struct source *s)
{
	fprintf(out, ",\"%s\":", key);
	if (s)
		json_text(out, s->text);
	else
		fputs("null", out);
}

static void put_line_counts(const struct report *r, const int64_t *counts)
{
	if (counts)
		json_safe_counts(r->out, counts, r->model->events.n);
	else
		fputc('0', r->out);
}

static void put_changes(const struct report *r, const struct comparison *c)
{
	put_text(r->out, "src", c->after);
	put_text(r->out, "old", c->before);
	fputs(",\"changes\":[", r->out);
	for (size_t i = 0; i < c->changes.n; i++) {
		const struct change *change = &c->changes.at[i];

		fprintf(r->out, "%s[%u,%u,", i ? "," : "", change->before, change->after);
		put_line_counts(r, change->counts_before);
		fputc(',', r->out);
		put_line_counts(r, change->counts_after);
		fputc(']', r->out);
	}
	fputs("]", r->out);
}

static void put_lines(const struct report *r, const struct file *file, const struct source *s)
{
	struct lines lines = model_lines(r->model, file, AFTER);

	put_text(r->out, "src", s);
	fputs(",\"lines\":[", r->out);
	for (size_t i = 0; i < lines.n; i++) {
		fprintf(r->out, "%s[%u", i ? "," : "", lines.at[i].number);
		for (unsigned j = 0; j < r->model->events.n; j++) {
			fputc(',', r->out);
			json_safe_count(r->out, lines.at[i].counts[j]);
		}
		fputc(']', r->out);
	}
	fputs("]", r->out);
	model_free_lines(&lines);
}

/* `old` is the text of the first of two profiles. */
static void put_warning(const struct report *r, const struct source *s, const struct source *old, bool by_number)
{
	const char *warning = NULL;

	if (!s && !old)
		warning = "The source was not found; these are its counts.";
	else if (by_number)
		warning = "Lines are matched by number, for the old text is not known.";
	for (size_t i = r->model->before ? 1 : 0; s && i < r->model->profiles.n; i++)
		if (source_is_newer(s, r->model->profiles.at[i]))
			warning = "The source is newer than the profile: its lines may not be "
			          "those that were counted.";
	if (!warning)
		return;
	fputs(",\"warning\":", r->out);
	json_string(r->out, warning);
}

/* What is known of a file's lines. */
static void put_source(const struct report *r, const struct choice *choice)
{
	const struct file *file = choice->file;
	struct source *s;
	struct comparison c;

	fputs(",\"embedded\":true", r->out);
	if (r->model->before) {
		compare_file(&c, r->model, file, choice->named, r->options);
		put_warning(r, c.after, c.before, c.by_number);
		put_changes(r, &c);
		compare_free(&c);
		return;
	}
	s = source_find(file->recorded[0], choice->named, &r->options->search);
	if (s) {
		fputs(",\"path\":", r->out);
		json_string(r->out, s->path);
	}
	put_warning(r, s, NULL, false);
	put_lines(r, file, s);
	if (s)
		source_free(s);
}

/* The page refers to files by their place in this list. */
static void put_files(const struct report *r, const choice_list *embedded)
{
	const struct choice *choice;

	fputs("\"files\":[", r->out);
	for (const struct file *f = r->model->files; f; f = f->hh.next) {
		fputs(f == r->model->files ? "\n{\"n\":" : ",\n{\"n\":", r->out);
		json_string(r->out, f->name);
		fputs(",\"l\":", r->out);
		json_string(r->out, f->label);
		fputc(',', r->out);
		put_totals(r, f->sums, f->before);
		choice = choose_find(embedded, f);
		if (choice)
			put_source(r, choice);
		fputc('}', r->out);
	}
	fputs("],\n", r->out);
}

/* What is shown of a long name: what the page would cut off is what tells C++'s apart. */
static void put_short_name(const struct report *r, const char *name)
{
	const char *fits = r->options->full_names ? name : names_fit(name, NAME_WIDTH);

	if (strcmp(fits, name) == 0)
		return;
	fputs(",\"s\":", r->out);
	json_string(r->out, fits);
}

/* Where functions begin needs the sources once more. */
static void put_functions_of(const struct report *r, const struct file *file, size_t number,
                             const struct choice *choice)
{
	struct source *s = choice && file->recorded[0]
	                       ? source_find(file->recorded[0], choice->named, &r->options->search)
	                       : NULL;

	for (const struct function *f = file->functions; f; f = f->hh.next) {
		fprintf(r->out, "%s{\"n\":", number || f != file->functions ? ",\n" : "");
		json_string(r->out, f->name);
		put_short_name(r, f->name);
		fprintf(r->out, ",\"f\":%zu,\"line\":%u,", number, heads_first_line(f, s));
		put_totals(r, f->sums, f->before);
		fputc('}', r->out);
	}
	if (s)
		source_free(s);
}

static void put_functions(const struct report *r, const choice_list *embedded)
{
	size_t number = 0;

	fputs("\"functions\":[\n", r->out);
	for (const struct file *f = r->model->files; f; f = f->hh.next)
		put_functions_of(r, f, number++, choose_find(embedded, f));
	fputs("]}\n", r->out);
}

static void put_data(const struct report *r, const choice_list *embedded)
{
	fputs("{\"generator\":\"cacheprint " CACHEPROF_VERSION "\",\n", r->out);
	put_profiles(r);
	put_columns(r);
	fputs("\"totals\":", r->out);
	put_counts(r, r->model->totals, r->model->before);
	fputs(",\n\"before\":", r->out);
	if (r->model->before)
		json_safe_counts(r->out, r->model->before, r->model->events.n);
	else
		fputs("null", r->out);
	fputs(",\n", r->out);
	put_files(r, embedded);
	put_functions(r, embedded);
}

bool view_html(const struct report *r)
{
	choice_list embedded = {0};
	bool good = choose_named(r, &embedded);

	choose_shown(r, &embedded);
	fprintf(r->out, "%s%s</style>\n</head>\n<body>\n%s", page_begin, asset_css, asset_html);
	fputs("<script type=\"application/json\" id=\"data\">\n", r->out);
	put_data(r, &embedded);
	fprintf(r->out, "</script>\n<script>\n%s</script>\n</body>\n</html>\n", asset_js);
	VEC_FREE(&embedded);
	return good;
}
