/* Assembly beside what it was compiled from.
 *
 * Counts of instructions are in a profile only where the lines of the assembly were the cost centres
 * (cacheprof --asm, or a source that is assembly). The counts of a source line are then the sums of
 * its instructions. Any other profile has counts of source lines, which are shown where their first
 * instruction is; what one of several instructions did cannot be told from them. */
#include "cacheprint/assembly.h"
#include "cacheprint/format.h"
#include "cacheprint/gutter.h"
#include "cacheprint/view.h"

#include "common/diag.h"
#include "common/path.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#undef uthash_fatal
#define uthash_fatal(message) die("out of memory")

/* A line of a source, in a function. */
struct centre {
	struct key {
		uint32_t function, file, line;
	} key;
	int64_t *sums;
	bool printed;
	UT_hash_handle hh;
};

struct listing {
	const struct report *r;
	const struct source *text;
	const struct assembly *assembly;
	const int64_t **counts;  /* of each line of the text, or NULL; at[n - 1] */
	bool by_instruction;
	struct centre *centres;
	struct function_sums {
		int64_t *sums;
		uint32_t first, last; /* lines of the text; last: the last instruction, 0: none */
	} *functions;
	struct source **sources; /* of assembly->files; NULL: not found */
	struct {
		const struct function *function;
		struct lines lines;
	} last; /* what was looked at, as the next one mostly is the same */
	struct gutter gutter;
};

static void add(const struct listing *l, int64_t *to, const int64_t *counts)
{
	for (unsigned i = 0; i < l->r->model->events.n; i++)
		to[i] += counts[i];
}

static int64_t *new_sums(const struct listing *l)
{
	return arena_alloc(l->r->model->events.n * sizeof(int64_t));
}

static struct key key_of(const struct assembly_line *line)
{
	return (struct key){line->function, line->file, line->line};
}

static struct centre *find_centre(const struct listing *l, const struct assembly_line *line)
{
	struct key key = key_of(line);
	struct centre *found;

	HASH_FIND(hh, l->centres, &key, sizeof key, found);
	return found;
}

/* ---- what was counted ---- */

static void take_instructions(struct listing *l, const struct file *file)
{
	struct lines lines = model_lines(l->r->model, file, AFTER);

	for (size_t i = 0; i < lines.n; i++) {
		uint32_t n = lines.at[i].number;
		int64_t *counts;

		if (!n || n > l->assembly->lines.n)
			continue;
		counts = new_sums(l);
		add(l, counts, lines.at[i].counts);
		l->counts[n - 1] = counts;
		l->assembly->lines.at[n - 1].kind = ASSEMBLY_INSN; /* a macro's name, or .byte */
	}
	model_free_lines(&lines);
}

static void take_lines(struct listing *l, struct centre *c, const struct function *f)
{
	if (l->last.function != f) {
		model_free_lines(&l->last.lines);
		l->last.function = f;
		l->last.lines = model_function_lines(l->r->model, f, AFTER);
	}
	for (size_t k = 0; k < l->last.lines.n; k++)
		if (l->last.lines.at[k].number == c->key.line)
			add(l, c->sums, l->last.lines.at[k].counts);
}

/* The profile's counts of a source line in a function, whatever was inlined. */
static void take_centre(struct listing *l, struct centre *c, const file_list *files)
{
	const char *symbol = l->assembly->functions.at[c->key.function];

	for (size_t i = 0; i < files->n; i++) {
		const struct file *file = files->at[i];
		struct text name = naming_function(&l->r->model->naming, (struct text){symbol, strlen(symbol)},
		                                   (struct text){file->name, strlen(file->name)});
		struct function *f;

		HASH_FIND(hh, file->functions, name.at, name.len, f);
		if (f && !f->host)
			take_lines(l, c, f);
		for (f = l->r->model->has_inlined ? file->functions : NULL; f; f = f->hh.next)
			if (f->host && text_equal(name, (struct text){f->host, strlen(f->host)}))
				take_lines(l, c, f);
	}
}

static struct centre *get_centre(struct listing *l, const struct assembly_line *line)
{
	struct centre *c = find_centre(l, line);

	if (c)
		return c;
	c = xalloc(1, sizeof *c);
	c->key = key_of(line);
	c->sums = new_sums(l);
	HASH_ADD(hh, l->centres, key, sizeof c->key, c);
	return c;
}

/* Makes the cost centres of all instructions, and sums up what is known of each. */
static void make_centres(struct listing *l, const file_list *files)
{
	for (size_t i = 0; i < l->assembly->lines.n; i++) {
		const struct assembly_line *line = &l->assembly->lines.at[i];
		struct function_sums *f;
		struct centre *c;
		bool known;

		if (line->kind != ASSEMBLY_INSN || line->function == ASSEMBLY_NONE)
			continue;
		f = &l->functions[line->function];
		f->last = (uint32_t)i + 1;
		known = find_centre(l, line) != NULL;
		c = get_centre(l, line);
		if (l->counts[i]) {
			add(l, c->sums, l->counts[i]);
			add(l, f->sums, l->counts[i]);
		} else if (!l->by_instruction && !known && line->file != ASSEMBLY_NONE) {
			take_centre(l, c, &files[line->file]);
			add(l, f->sums, c->sums);
		}
	}
}

/* ---- printing ---- */

static void print_text(const struct listing *l, uint32_t n)
{
	struct text text = source_line(l->text, n);

	gutter_print(&l->gutter, l->counts[n - 1]);
	format_text(l->r->out, text);
	fputc('\n', l->r->out);
}

static void print_centre(struct listing *l, const struct assembly_line *line)
{
	const char *path = l->assembly->files.at[line->file];
	const struct source *source = l->sources[line->file];
	struct centre *c = find_centre(l, line);
	struct text text = {"", 0};

	if (source && line->line <= source_count_lines(source))
		text = source_line(source, line->line);
	while (text.len && (*text.at == ' ' || *text.at == '\t'))
		text.at++, text.len--;
	gutter_print(&l->gutter, c->printed ? NULL : c->sums);
	format_between(l->r->out, look_heading(&l->r->look), path_base(path), "");
	fprintf(l->r->out, ":%u: ", line->line);
	format_text(l->r->out, text);
	fprintf(l->r->out, "%s\n", look_end(&l->r->look));
	c->printed = true;
}

static bool same_line(const struct assembly_line *a, const struct assembly_line *b)
{
	return a && a->file == b->file && a->line == b->line;
}

static void print_function(struct listing *l, uint32_t function)
{
	const struct function_sums *f = &l->functions[function];
	const char *symbol = l->assembly->functions.at[function];
	const struct assembly_line *last = NULL;
	struct text name = naming_function(&l->r->model->naming,
	                                   (struct text){symbol, strlen(symbol)},
	                                   (struct text){"", 0});

	gutter_print_head(&l->gutter, arena_string(name.at, name.len), f->sums);
	for (uint32_t n = f->first; n <= f->last; n++) {
		const struct assembly_line *line = &l->assembly->lines.at[n - 1];

		if (line->kind == ASSEMBLY_OTHER || line->function != function)
			continue;
		if (line->kind == ASSEMBLY_INSN && line->line && line->file != ASSEMBLY_NONE) {
			if (!same_line(last, line))
				print_centre(l, line);
			last = line;
		}
		print_text(l, n);
	}
	fputc('\n', l->r->out);
}

static void print_title(const struct listing *l)
{
	static const char rule[] = "----------------------------------------"
	                           "----------------------------------------";
	FILE *out = l->r->out;

	fprintf(out, "%s\n%s", rule, look_heading(&l->r->look));
	format_between(out, "--- Assembly: ", l->text->path, look_end(&l->r->look));
	fputc('\n', out);
	if (l->by_instruction)
		fputs("--- a source line has the sums of all its instructions in the function\n",
		      out);
	else
		fputs("--- only source lines were counted; for instructions build with "
		      "cacheprof --asm\n",
		      out);
	fprintf(out, "%s\n", rule);
	gutter_print_names(&l->gutter);
	fputc('\n', out);
}

static void print_functions(struct listing *l)
{
	size_t left_out = 0;

	for (uint32_t i = 0; i < l->assembly->functions.n; i++) {
		if (!l->functions[i].last)
			continue;
		if (report_shows(l->r, l->functions[i].sums))
			print_function(l, i);
		else
			left_out++;
	}
	if (left_out)
		fprintf(l->r->out,
		        "Left out: %zu function%s below the threshold (--threshold=0 shows all)\n\n",
		        left_out, left_out > 1 ? "s" : "");
}

/* ---- one file ---- */

static void widen(struct listing *l)
{
	struct centre *c, *next;

	gutter_init(&l->gutter, l->r);
	for (uint32_t i = 0; i < l->assembly->functions.n; i++)
		gutter_widen(&l->gutter, l->functions[i].sums);
	HASH_ITER(hh, l->centres, c, next)
	gutter_widen(&l->gutter, c->sums);
	gutter_align_tabs(&l->gutter);
}

static void find_functions(struct listing *l)
{
	l->functions = xalloc(l->assembly->functions.n, sizeof *l->functions);
	for (uint32_t i = 0; i < l->assembly->functions.n; i++)
		l->functions[i].sums = new_sums(l);
	for (uint32_t i = 0; i < l->assembly->lines.n; i++) {
		uint32_t f = l->assembly->lines.at[i].function;

		if (f != ASSEMBLY_NONE && !l->functions[f].first)
			l->functions[f].first = i + 1;
	}
}

/* False when neither instructions nor source lines of it were counted. */
static bool count(struct listing *l, const struct file *file)
{
	size_t n = l->assembly->files.n, matched = 0;
	file_list *files = xalloc(n, sizeof *files);

	l->by_instruction = file != NULL;
	if (file)
		take_instructions(l, file);
	for (size_t i = 0; i < n; i++) {
		l->sources[i] = source_find(l->assembly->files.at[i], NULL, &l->r->options->search);
		files[i] = source_match(l->r->model, l->assembly->files.at[i]);
		matched += files[i].n;
	}
	make_centres(l, files);
	for (size_t i = 0; i < n; i++)
		VEC_FREE(&files[i]);
	free(files);
	return file || matched;
}

static void release(struct listing *l)
{
	struct centre *c, *next;

	HASH_ITER(hh, l->centres, c, next)
	{
		HASH_DEL(l->centres, c);
		free(c);
	}
	for (size_t i = 0; i < l->assembly->files.n; i++)
		if (l->sources[i])
			source_free(l->sources[i]);
	free(l->sources);
	model_free_lines(&l->last.lines);
	free(l->functions);
	free(l->counts);
	gutter_free(&l->gutter);
}

/* What has the lines that were counted: the assembly, or its sources. */
static void warn_if_newer(const struct listing *l)
{
	if (l->by_instruction) {
		report_warn_if_newer(l->r, l->text);
		return;
	}
	for (size_t i = 0, k; i < l->assembly->files.n; i++) {
		for (k = 0; strcmp(l->assembly->files.at[k], l->assembly->files.at[i]) != 0;)
			k++;
		if (l->sources[i] && k == i)
			report_warn_if_newer(l->r, l->sources[i]);
	}
}

static bool list(const struct report *r, const char *named, const struct file *file)
{
	struct source *text = source_find(file ? file->recorded[0] : named, named,
	                                  &r->options->search);
	struct listing l = {.r = r, .text = text};
	bool counted;

	if (!text) {
		REPORT_WARN(r, "%s was not found (try -I, --strip, --map)",
		            file ? file->name : named);
		return false;
	}
	l.assembly = assembly_read(text);
	l.counts = xalloc(l.assembly->lines.n, sizeof *l.counts);
	l.sources = xalloc(l.assembly->files.n, sizeof *l.sources);
	find_functions(&l);
	counted = count(&l, file);
	widen(&l);
	if (counted) {
		warn_if_newer(&l);
		look_fence(&r->look, r->out);
		print_title(&l);
		print_functions(&l);
		look_fence(&r->look, r->out);
	} else {
		REPORT_WARN(r, "%s: the profile has no counts of it, nor of what it was compiled from",
		            named);
	}
	release(&l);
	source_free(text);
	return counted;
}

bool view_assembly(const struct report *r)
{
	bool good = true;

	for (size_t i = 0; i < r->options->assembly.n; i++) {
		const char *named = r->options->assembly.at[i];
		file_list files = source_match(r->model, named);

		for (size_t k = 0; k < files.n; k++)
			good &= list(r, named, files.at[k]);
		if (!files.n)
			good &= list(r, named, NULL);
		VEC_FREE(&files);
	}
	return good;
}
