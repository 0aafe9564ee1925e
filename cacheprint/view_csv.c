/* A row for every program point, for spreadsheets and statistics; two profiles give a row for every
 * function. RFC 4180, but lines end as everywhere on Unix. */
#include "cacheprint/choose.h"
#include "cacheprint/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_text(FILE *out, const char *s)
{
	if (!s[strcspn(s, "\",\r\n")]) {
		fputs(s, out);
		return;
	}
	fputc('"', out);
	for (; *s; s++) {
		if (*s == '"')
			fputc('"', out);
		fputc(*s, out);
	}
	fputc('"', out);
}

/* A field after the first; empty when there is no value. */
static void put_value(FILE *out, const struct column *c, const int64_t *counts)
{
	long double value = column_value(c, counts);

	fputc(',', out);
	if (c->whole && !isnan(value))
		fprintf(out, "%.0Lf", value);
	else if (!isnan(value))
		fprintf(out, "%.6Lf", value);
}

static void put_function_name(FILE *out, const struct function *f)
{
	put_text(out, f->file->name);
	fputc(',', out);
	put_text(out, f->name);
}

static void put_points(const struct report *r, const struct function *f)
{
	struct lines lines = model_function_lines(r->model, f, AFTER);

	for (size_t i = 0; i < lines.n; i++) {
		put_function_name(r->out, f);
		fprintf(r->out, ",%u", lines.at[i].number);
		for (size_t j = 0; j < r->line_columns.n; j++)
			put_value(r->out, r->line_columns.at[j], lines.at[i].counts);
		fputc('\n', r->out);
	}
	model_free_lines(&lines);
}

static void put_all_points(const struct report *r)
{
	fputs("file,function,line", r->out);
	for (size_t i = 0; i < r->line_columns.n; i++) {
		fputc(',', r->out);
		put_text(r->out, r->line_columns.at[i]->name);
	}
	fputc('\n', r->out);
	for (size_t i = 0; i < r->model->functions.n; i++)
		put_points(r, r->model->functions.at[i]);
}

static void put_sides(const struct report *r, const struct function *f)
{
	int64_t before[READER_MAX_EVENTS] = {0}, after[READER_MAX_EVENTS];

	for (unsigned i = 0; i < r->model->events.n; i++) {
		before[i] = f->before ? f->before[i] : 0;
		after[i] = before[i] + f->sums[i];
	}
	put_function_name(r->out, f);
	for (size_t i = 0; i < r->line_columns.n; i++) {
		put_value(r->out, r->line_columns.at[i], before);
		put_value(r->out, r->line_columns.at[i], after);
	}
	fputc('\n', r->out);
}

static void put_side_name(FILE *out, const struct column *c, const char *side)
{
	char *name = xasprintf("%s %s", c->name, side);

	fputc(',', out);
	put_text(out, name);
	free(name);
}

static void put_all_sides(const struct report *r)
{
	fputs("file,function", r->out);
	for (size_t i = 0; i < r->line_columns.n; i++) {
		put_side_name(r->out, r->line_columns.at[i], "before");
		put_side_name(r->out, r->line_columns.at[i], "after");
	}
	fputc('\n', r->out);
	for (size_t i = 0; i < r->model->functions.n; i++)
		put_sides(r, r->model->functions.at[i]);
}

bool view_csv(const struct report *r)
{
	if (r->model->before)
		put_all_sides(r);
	else
		put_all_points(r);
	return choose_are_there(r);
}
