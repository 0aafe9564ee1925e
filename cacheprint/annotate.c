/* A source with its counts at the left: "." where there is no code. Each function's sums stand
 * above its first line. */
#include "cacheprint/annotate.h"
#include "cacheprint/format.h"
#include "cacheprint/gutter.h"
#include "cacheprint/heads.h"

#include "common/diag.h"

#include <stdlib.h>
#include <string.h>

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
	struct gutter gutter;
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

static void measure(struct annotation *a)
{
	gutter_init(&a->gutter, a->r);
	for (size_t i = 0; i < a->lines.n; i++)
		gutter_widen(&a->gutter, a->lines.at[i].counts);
	for (size_t i = 0; i < a->heads.n; i++)
		gutter_widen(&a->gutter, a->heads.at[i].function->sums);
	if (a->source && a->source->text.len &&
	    memchr(a->source->text.at, '\t', a->source->text.len))
		gutter_align_tabs(&a->gutter);
}

static void print_heads(struct annotation *a, uint32_t line)
{
	for (; a->next_head < a->heads.n && a->heads.at[a->next_head].line <= line;
	     a->next_head++) {
		const struct function *f = a->heads.at[a->next_head].function;

		gutter_print_head(&a->gutter, f->name, f->sums);
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
	gutter_print(&a->gutter, counts);
	format_text(a->r->out, text);
	fputc('\n', a->r->out);
}

/* Counts for which there is no text. */
static void print_bare_line(struct annotation *a, const char *what)
{
	const struct line *line = &a->lines.at[a->next_line++];

	print_heads(a, line->number);
	gutter_print(&a->gutter, line->counts);
	fprintf(a->r->out, "<line %u%s>\n", line->number, what);
	if (a->source)
		cover(a->coverage->unplaced, a, line->counts);
}

static void print_title(const struct annotation *a)
{
	static const char rule[] = "----------------------------------------"
	                           "----------------------------------------";
	FILE *out = a->r->out;

	fprintf(out, "%s\n%s", rule, look_heading(&a->r->look));
	format_between(out, "--- Annotated source: ", a->file->name, look_end(&a->r->look));
	fputc('\n', out);
	if (a->source && strcmp(a->source->path, a->file->name) != 0)
		format_between(out, "--- found as: ", a->source->path, "\n");
	if (!a->source)
		fputs("--- the source was not found; these are its counts\n", out);
	fprintf(out, "%s\n", rule);
	gutter_print_names(&a->gutter);
	fputc('\n', out);
}

static void print_unknown_line(struct annotation *a)
{
	if (!a->lines.n || a->lines.at[0].number != 0)
		return;
	gutter_print(&a->gutter, a->lines.at[0].counts);
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
		report_warn_if_newer(r, source);
		print_text(&a);
	} else {
		while (a.next_line < a.lines.n)
			print_bare_line(&a, "");
	}
	look_fence(&r->look, r->out);
	fputc('\n', r->out);
	model_free_lines(&a.lines);
	VEC_FREE(&a.heads);
	gutter_free(&a.gutter);
	if (!source)
		return false;
	source_free(source);
	return true;
}
