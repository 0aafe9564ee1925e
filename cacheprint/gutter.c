/* Columns are as narrow as their widest number, which is known before the first one is printed. */
#include "cacheprint/gutter.h"

#include "cacheprint/format.h"

#include <stdlib.h>
#include <string.h>

#define GAP 2
#define TAB 8

void gutter_init(struct gutter *g, const struct report *r)
{
	const column_list *columns = &r->line_columns;

	*g = (struct gutter){.r = r, .widths = xalloc(columns->n, sizeof *g->widths)};
	for (size_t i = 0; i < columns->n; i++)
		g->widths[i] = (int)strlen(columns->at[i]->name);
}

void gutter_free(struct gutter *g)
{
	free(g->widths);
}

static const char *cell(const struct gutter *g, const struct column *c, const int64_t *counts,
                        char b[static FORMAT_ROOM])
{
	return format_cell(b, c, column_value(c, counts), column_value(c, g->r->model->totals),
	                   g->r->options->percent);
}

void gutter_widen(struct gutter *g, const int64_t *counts)
{
	const column_list *columns = &g->r->line_columns;
	char b[FORMAT_ROOM];

	for (size_t i = 0; i < columns->n; i++) {
		int width = (int)strlen(cell(g, columns->at[i], counts, b));

		if (width > g->widths[i])
			g->widths[i] = width;
	}
}

void gutter_align_tabs(struct gutter *g)
{
	int width = 0;

	for (size_t i = 0; i < g->r->line_columns.n; i++)
		width += g->widths[i] + GAP;
	g->pad = (TAB - width % TAB) % TAB;
}

void gutter_print_names(const struct gutter *g)
{
	for (size_t i = 0; i < g->r->line_columns.n; i++)
		fprintf(g->r->out, "%*s%*s", g->widths[i], g->r->line_columns.at[i]->name, GAP, "");
	fputc('\n', g->r->out);
}

/* The percentage of "." is blank, too. */
static const char *no_code(const struct gutter *g, const struct column *c)
{
	return g->r->options->percent && c->shares ? ".         " : ".";
}

void gutter_print(const struct gutter *g, const int64_t *counts)
{
	const struct report *r = g->r;
	const char *begin;
	char b[FORMAT_ROOM];

	for (size_t i = 0; i < r->line_columns.n; i++) {
		const struct column *c = r->line_columns.at[i];
		const char *text = counts ? cell(g, c, counts, b) : no_code(g, c);
		long double share =
		    r->look.colour && counts && c->shares ? report_share(r, c, counts) : 0;

		begin = look_heat(&r->look, share);
		fprintf(r->out, "%*s%s%s%s%*s", g->widths[i] - (int)strlen(text), "", begin, text,
		        *begin ? look_end(&r->look) : "", GAP, "");
	}
	fprintf(r->out, "%*s", g->pad, "");
}

void gutter_print_head(const struct gutter *g, const char *name, const int64_t *sums)
{
	const struct report *r = g->r;
	char b[FORMAT_ROOM];

	gutter_print(g, sums);
	name = names_fit(name, r->name_width);
	fprintf(r->out, "%s==== ", look_heading(&r->look));
	format_text(r->out, (struct text){name, strlen(name)});
	fputc(':', r->out);
	for (size_t i = 0; i < r->sort.n; i++) {
		const struct column *c = r->sort.at[i];

		fputs(i ? ", " : " ", r->out);
		if (c->shares)
			fprintf(r->out, "%s of %s",
			        format_percent(b, column_value(c, sums), column_value(c, r->model->totals)), c->name);
		else /* a rate is no part of the program's */
			fprintf(r->out, "%s %s", c->name, format_value(b, c, column_value(c, sums)));
	}
	fprintf(r->out, " ====%s\n", look_end(&r->look));
}
