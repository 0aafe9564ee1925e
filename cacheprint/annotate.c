/* A source with its counts at the left: "." where there is no code. Each function's sums stand
 * above its first line. */
#include "cacheprint/annotate.h"
#include "cacheprint/format.h"
#include "cacheprint/heads.h"

#include "common/diag.h"

#include <stdlib.h>
#include <string.h>

#define GAP 2

struct head {
	uint32_t line;
	const struct function *function;
};

typedef VEC(struct head) head_list;

struct annotation {
	const struct report *r;
	const struct file *file;
	const struct source *source; /* NULL: not found */
	struct lines lines;
	head_list heads;
	struct coverage *coverage;
	uint32_t context;
	int *widths;
	int pad; /* blanks after the counts, so that the tabs of the text stand where they should */
	size_t next_line, next_head; /* what is not printed yet */
};

static int compare_heads(const void *pa, const void *pb)
{
	const struct head *a = pa, *b = pb;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return strcmp(a->function->name, b->function->name);
}

static head_list find_heads(const struct file *file, const struct source *source)
{
	head_list heads = {0};

	for (const struct function *f = file->functions; f; f = f->hh.next)
		VEC_PUSH(&heads, (struct head){heads_first_line(f, source), f});
	if (heads.n)
		qsort(heads.at, heads.n, sizeof *heads.at, compare_heads);
	return heads;
}

static const char *cell(const struct annotation *a, const struct column *c, const int64_t *counts,
                        char b[static FORMAT_ROOM])
{
	return format_cell(b, c, column_value(c, counts), column_value(c, a->r->model->totals),
	                   a->r->options->percent);
}

static void widen(struct annotation *a, const int64_t *counts)
{
	const column_list *columns = &a->r->line_columns;
	char b[FORMAT_ROOM];

	for (size_t i = 0; i < columns->n; i++) {
		int width = (int)strlen(cell(a, columns->at[i], counts, b));

		if (width > a->widths[i])
			a->widths[i] = width;
	}
}

#define TAB 8

static int pad_for_tabs(const struct annotation *a)
{
	int width = 0;

	if (!a->source || !a->source->text.len ||
	    !memchr(a->source->text.at, '\t', a->source->text.len))
		return 0;
	for (size_t i = 0; i < a->r->line_columns.n; i++)
		width += a->widths[i] + GAP;
	return (TAB - width % TAB) % TAB;
}

static void measure(struct annotation *a)
{
	const column_list *columns = &a->r->line_columns;

	a->widths = xalloc(columns->n, sizeof *a->widths);
	for (size_t i = 0; i < columns->n; i++)
		a->widths[i] = (int)strlen(columns->at[i]->name);
	for (size_t i = 0; i < a->lines.n; i++)
		widen(a, a->lines.at[i].counts);
	for (size_t i = 0; i < a->heads.n; i++)
		widen(a, a->heads.at[i].function->sums);
	a->pad = pad_for_tabs(a);
}

/* The percentage of "." is blank, too. */
static const char *no_code(const struct annotation *a, const struct column *c)
{
	return a->r->options->percent && c->shares ? ".         " : ".";
}

static void print_counts(const struct annotation *a, const int64_t *counts)
{
	const struct report *r = a->r;
	const char *begin;
	char b[FORMAT_ROOM];

	for (size_t i = 0; i < r->line_columns.n; i++) {
		const struct column *c = r->line_columns.at[i];
		const char *text = counts ? cell(a, c, counts, b) : no_code(a, c);
		long double share =
		    r->look.colour && counts && c->shares ? report_share(r, c, counts) : 0;

		begin = look_heat(&r->look, share);
		fprintf(r->out, "%*s%s%s%s%*s", a->widths[i] - (int)strlen(text), "", begin, text,
		        *begin ? look_end(&r->look) : "", GAP, "");
	}
	fprintf(r->out, "%*s", a->pad, "");
}

static void print_heads(struct annotation *a, uint32_t line)
{
	const struct report *r = a->r;
	char b[FORMAT_ROOM];

	for (; a->next_head < a->heads.n && a->heads.at[a->next_head].line <= line;
	     a->next_head++) {
		const struct function *f = a->heads.at[a->next_head].function;

		print_counts(a, f->sums);
		fprintf(r->out, "%s==== %s:", look_heading(&r->look),
		        names_shorten(f->name, r->name_width));
		for (size_t i = 0; i < r->sort.n; i++) {
			const struct column *c = r->sort.at[i];

			fprintf(r->out, "%s %s of %s", i ? "," : "",
			        format_percent(b, column_value(c, f->sums),
			                       column_value(c, r->model->totals)),
			        c->name);
		}
		fprintf(r->out, " ====%s\n", look_end(&r->look));
	}
}

static void cover(int64_t *sums, const struct annotation *a, const int64_t *counts)
{
	for (unsigned i = 0; i < a->r->model->events.n; i++)
		sums[i] += counts[i];
}

/* One line of the source; n is its number. */
static void print_line(struct annotation *a, uint32_t n)
{
	const int64_t *counts = NULL;
	struct text text = source_line(a->source, n);

	print_heads(a, n);
	if (a->next_line < a->lines.n && a->lines.at[a->next_line].number == n) {
		counts = a->lines.at[a->next_line++].counts;
		cover(a->coverage->annotated, a, counts);
	}
	print_counts(a, counts);
	fprintf(a->r->out, "%.*s\n", (int)text.len, text.at);
}

/* Counts for which there is no text. */
static void print_bare_line(struct annotation *a, const char *what)
{
	const struct line *line = &a->lines.at[a->next_line++];

	print_heads(a, line->number);
	print_counts(a, line->counts);
	fprintf(a->r->out, "<line %u%s>\n", line->number, what);
	if (a->source)
		cover(a->coverage->unplaced, a, line->counts);
}

static void print_title(const struct annotation *a)
{
	static const char rule[] = "----------------------------------------"
	                           "----------------------------------------";
	FILE *out = a->r->out;

	fprintf(out, "%s\n%s--- Annotated source: %s%s\n", rule, look_heading(&a->r->look),
	        a->file->name, look_end(&a->r->look));
	if (a->source && strcmp(a->source->path, a->file->name) != 0)
		fprintf(out, "--- found as: %s\n", a->source->path);
	if (!a->source)
		fputs("--- the source was not found; these are its counts\n", out);
	fprintf(out, "%s\n", rule);
	for (size_t i = 0; i < a->r->line_columns.n; i++)
		fprintf(out, "%*s%*s", a->widths[i], a->r->line_columns.at[i]->name, GAP, "");
	fputs("\n\n", out);
}

static void warn_if_newer(const struct annotation *a)
{
	const struct model *m = a->r->model;

	for (size_t i = 0; i < m->profiles.n; i++)
		if (source_is_newer(a->source, m->profiles.at[i]))
			REPORT_WARN(
			    a->r,
			    "%s is newer than %s: its lines may not be those that were counted",
			    a->source->path, m->profiles.at[i]->path);
}

static void print_unknown_line(struct annotation *a)
{
	if (!a->lines.n || a->lines.at[0].number != 0)
		return;
	print_counts(a, a->lines.at[0].counts);
	fputs("<lines unknown>\n", a->r->out);
	if (a->source)
		cover(a->coverage->unplaced, a, a->lines.at[0].counts);
	a->next_line++;
}

/* The first line from `from` on that is to be printed: one with counts, or one near it. Beyond the
 * end when there is none. */
static size_t next_shown(const struct annotation *a, size_t from, size_t n)
{
	size_t first;

	if (a->context == UINT32_MAX)
		return from;
	if (a->next_line > 0 && a->lines.at[a->next_line - 1].number > 0 &&
	    from <= (size_t)a->lines.at[a->next_line - 1].number + a->context)
		return from;
	if (a->next_line == a->lines.n || a->lines.at[a->next_line].number > n)
		return n + 1;
	first = a->lines.at[a->next_line].number;
	first = first > a->context ? first - a->context : 1;
	return first > from ? first : from;
}

static void print_gap(const struct annotation *a, size_t line)
{
	fprintf(a->r->out, "-- line %zu ----------------------------------------\n", line);
}

static void print_text(struct annotation *a)
{
	size_t n = source_count_lines(a->source), last = 0;

	for (size_t i = 1; (i = next_shown(a, i, n)) <= n; last = i++) {
		if (i > last + 1) {
			if (last)
				print_gap(a, last);
			print_gap(a, i);
		}
		print_line(a, (uint32_t)i);
	}
	if (last && last < n)
		print_gap(a, last);
	if (a->next_line == a->lines.n)
		return;
	REPORT_WARN(a->r, "%s has %zu lines, but there are counts for line %u", a->source->path, n,
	            a->lines.at[a->lines.n - 1].number);
	while (a->next_line < a->lines.n)
		print_bare_line(a, ", past the end of the file");
}

#define CONTEXT_OF_OTHERS 8 /* as cg_annotate's */

static uint32_t choose_context(const struct options *o, const struct choice *choice)
{
	if (o->context != CONTEXT_DEFAULT)
		return (uint32_t)o->context;
	return choice->named ? UINT32_MAX : CONTEXT_OF_OTHERS;
}

bool annotate(const struct report *r, const struct choice *choice, struct coverage *coverage)
{
	const struct file *file = choice->file;
	struct source *source = source_find(file->recorded[0], choice->named, &r->options->search);
	struct annotation a = {.r = r, .file = file, .source = source, .coverage = coverage};

	if (!source && !choice->named)
		return false;
	a.context = choose_context(r->options, choice);
	a.lines = model_lines(r->model, file, AFTER);
	a.heads = find_heads(file, source);
	measure(&a);
	look_fence(&r->look, r->out);
	print_title(&a);
	print_heads(&a, 0);
	print_unknown_line(&a);
	if (source) {
		warn_if_newer(&a);
		print_text(&a);
	} else {
		while (a.next_line < a.lines.n)
			print_bare_line(&a, "");
	}
	look_fence(&r->look, r->out);
	fputc('\n', r->out);
	model_free_lines(&a.lines);
	VEC_FREE(&a.heads);
	free(a.widths);
	if (!source)
		return false;
	source_free(source);
	return true;
}
