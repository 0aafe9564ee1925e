/* Functions and files are kept once, their numbers summed; lines are read from the mapped profile
 * when a source is shown, one file at a time. */
#include "cacheprint/model.h"

#include "common/diag.h"

#include <stdlib.h>
#include <string.h>

#undef uthash_fatal
#define uthash_fatal(message) die("out of memory")

static int64_t *new_sums(const struct model *m)
{
	return arena_alloc(m->events.n * sizeof(int64_t));
}

/* Sums of one profile cannot overflow (the reader has checked), those of several can, and what is subtracted from 0. */
static bool add(int64_t *to, const int64_t *counts, unsigned n, enum side side)
{
	bool overflow = false;

	for (unsigned i = 0; i < n; i++)
		overflow |= side == AFTER ? __builtin_add_overflow(to[i], counts[i], &to[i])
					  : __builtin_sub_overflow(to[i], counts[i], &to[i]);
	return !overflow;
}

/* Adds to a difference and, on that side, to what was before. */
static bool add_side(const struct model *m, int64_t *sums, int64_t **before, const int64_t *counts,
                     enum side side)
{
	unsigned n = m->events.n;

	if (side == BEFORE && !*before)
		*before = new_sums(m);
	return add(sums, counts, n, side) && (side == AFTER || add(*before, counts, n, AFTER));
}

static struct file *get_file(struct model *m, struct text recorded, enum side side)
{
	struct text name = naming_file(&m->naming, recorded);
	struct file *f;

	HASH_FIND(hh, m->files, name.at, name.len, f);
	if (!f) {
		f = arena_alloc(sizeof *f);
		f->name = arena_string(name.at, name.len);
		f->sums = new_sums(m);
		HASH_ADD_KEYPTR(hh, m->files, f->name, name.len, f);
	}
	if (!f->recorded[side == BEFORE])
		f->recorded[side == BEFORE] =
		    name.at == recorded.at ? f->name : arena_string(recorded.at, recorded.len);
	return f;
}

/* The function of that name; with an owner, the one that was inlined into it. */
static struct function *get_function(struct model *m, struct file *file, struct text name,
                                     const char *owner)
{
	struct text host = name;
	struct function *f;

	if (owner)
		name = names_inlined(owner, host);

	HASH_FIND(hh, file->functions, name.at, name.len, f);
	if (f)
		return f;
	f = arena_alloc(sizeof *f);
	f->name = arena_string(name.at, name.len);
	f->host = owner ? arena_string(host.at, host.len) : NULL;
	f->file = file;
	f->sums = new_sums(m);
	HASH_ADD_KEYPTR(hh, file->functions, f->name, name.len, f);
	VEC_PUSH(&m->functions, f);
	return f;
}

static void set_events(struct model *m, const struct profile *p)
{
	const char **names = arena_alloc(p->events.n * sizeof *names);

	for (size_t i = 0; i < p->events.n; i++)
		names[i] = arena_string(p->events.at[i].at, p->events.at[i].len);
	events_init(&m->events, names, (unsigned)p->events.n);
	m->totals = new_sums(m);
}

static bool same_events(const struct profile *a, const struct profile *b)
{
	if (a->events.n != b->events.n)
		return false;
	for (size_t i = 0; i < a->events.n; i++)
		if (!text_equal(a->events.at[i], b->events.at[i]))
			return false;
	return true;
}

bool part_next(const struct part *part, struct text *rows, struct row *row)
{
	while (row_next(part->profile, rows, row))
		if (!part->inlined || inlining_owner(part->inlined, row->line) == part->owner)
			return true;
	return false;
}

static void add_part(struct function *f, struct part part)
{
	struct part *last = f->parts.n ? &f->parts.at[f->parts.n - 1] : NULL;

	if (last && last->rows.at == part.rows.at)
		last->n_rows += part.n_rows;
	else
		VEC_PUSH(&f->parts, part);
}

/* Divides the rows of a function among it and those that were inlined into it. */
static bool add_divided(struct model *m, struct profile *p, const struct section *s,
                        struct part part, struct file *file, struct text name)
{
	struct text rows = s->rows;
	struct function *f;
	bool good = true;
	struct row row;

	part.n_rows = 1;
	while (row_next(p, &rows, &row)) {
		part.owner = inlining_owner(part.inlined, row.line);
		m->has_inlined |= part.owner != NULL;
		f = get_function(m, file, name, part.owner);
		add_part(f, part);
		good &= add_side(m, f->sums, &f->before, row.counts, part.side);
	}
	return good;
}

static bool add_section(struct model *m, struct profile *p, size_t i, enum side side)
{
	const struct section *s = &p->sections.at[i];
	const int64_t *sums = &p->sums.at[i * m->events.n];
	struct text name = naming_function(&m->naming, s->function, s->file);
	struct part part = {side, p, s->rows, s->n_rows, NULL, NULL};
	struct file *file = get_file(m, s->file, side);
	struct function *f;

	m->n_rows += s->n_rows;
	part.inlined = inlining_find(m->inlining, name, s->file);
	if (!add_side(m, file->sums, &file->before, sums, side))
		return false;
	if (part.inlined)
		return add_divided(m, p, s, part, file, name);
	f = get_function(m, file, name, NULL);
	add_part(f, part);
	return add_side(m, f->sums, &f->before, sums, side);
}

const char *model_add(struct model *m, struct profile *p, enum side side)
{
	bool good;

	if (!m->profiles.n)
		set_events(m, p);
	else if (!same_events(m->profiles.at[0], p))
		return "its events differ";
	VEC_PUSH(&m->profiles, p);
	good = add_side(m, m->totals, &m->before, p->totals, side);
	for (size_t i = 0; i < p->sections.n; i++)
		good &= add_section(m, p, i, side);
	return good ? NULL : "the counts add up to more than 2^63";
}

/* A name, or the end of one, and how many have it. */
struct name {
	const char *name;
	size_t uses;
	UT_hash_handle hh;
};

static size_t use_name(struct name **names, const char *name)
{
	struct name *found;

	HASH_FIND_STR(*names, name, found);
	if (!found) {
		found = xalloc(1, sizeof *found);
		found->name = name;
		HASH_ADD_KEYPTR(hh, *names, name, strlen(name), found);
	}
	return ++found->uses;
}

static size_t free_names(struct name *names)
{
	struct name *name, *next;
	size_t n = HASH_COUNT(names);

	HASH_ITER(hh, names, name, next)
	{
		HASH_DEL(names, name);
		free(name);
	}
	return n;
}

/* The end of the path after one more slash from the right than `end` has; NULL: that was all. */
static const char *longer_end(const char *path, const char *end)
{
	if (end == path)
		return NULL;
	do
		end--;
	while (end > path && end[-1] != '/');
	return end;
}

void model_label_files(struct model *m)
{
	struct name *ends = NULL, *found;

	for (struct file *f = m->files; f; f = f->hh.next)
		for (const char *end = f->name + strlen(f->name); (end = longer_end(f->name, end));)
			use_name(&ends, end);
	for (struct file *f = m->files; f; f = f->hh.next) {
		f->label = f->name;
		for (const char *end = f->name + strlen(f->name);
		     (end = longer_end(f->name, end));) {
			HASH_FIND_STR(ends, end, found);
			if (found->uses == 1) {
				f->label = end;
				break;
			}
		}
	}
	free_names(ends);
}

size_t model_count_names(const struct model *m)
{
	struct name *names = NULL;

	for (size_t i = 0; i < m->functions.n; i++)
		use_name(&names, m->functions.at[i]->name);
	return free_names(names);
}

static long double magnitude(long double v)
{
	return v != v ? -1 : v < 0 ? -v : v;
}

int model_compare(const int64_t *a, const int64_t *b, const column_list *by)
{
	long double x, y;

	for (size_t i = 0; i < by->n; i++) {
		x = magnitude(column_value(by->at[i], a));
		y = magnitude(column_value(by->at[i], b));
		if (x != y)
			return x < y ? 1 : -1;
	}
	return 0;
}

static int compare_functions(const void *pa, const void *pb, void *by)
{
	const struct function *a = *(struct function *const *)pa;
	const struct function *b = *(struct function *const *)pb;
	int order = model_compare(a->sums, b->sums, by);

	if (order == 0)
		order = strcmp(a->file->name, b->file->name);
	return order ? order : strcmp(a->name, b->name);
}

void model_sort(struct function **functions, size_t n, const column_list *by)
{
	if (n)
		qsort_r(functions, n, sizeof *functions, compare_functions, (void *)by);
}

void model_sort_by_name(struct model *m)
{
	static const column_list nothing;

	model_sort(m->functions.at, m->functions.n, &nothing);
}

static int compare_lines(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	return (a->number > b->number) - (a->number < b->number);
}

/* Sorts and makes one of the lines that have the same number. */
static void combine(struct lines *lines, unsigned n_events)
{
	size_t n = 0;

	qsort(lines->at, lines->n, sizeof *lines->at, compare_lines);
	for (size_t i = 0; i < lines->n; i++) {
		if (n && lines->at[n - 1].number == lines->at[i].number)
			add(lines->at[n - 1].counts, lines->at[i].counts, n_events, AFTER);
		else
			lines->at[n++] = lines->at[i];
	}
	lines->n = n;
}

static size_t count_rows(const struct function *f, enum side side)
{
	size_t n = 0;

	for (size_t i = 0; i < f->parts.n; i++)
		n += f->parts.at[i].side == side ? f->parts.at[i].n_rows : 0;
	return n;
}

static void take_part(struct lines *lines, const struct part *part, unsigned n_events)
{
	struct text rows = part->rows;
	struct line *line;
	struct row row;

	while (part_next(part, &rows, &row)) {
		line = &lines->at[lines->n];
		line->number = row.line;
		line->counts = lines->counts + lines->n++ * n_events;
		memcpy(line->counts, row.counts, n_events * sizeof *line->counts);
	}
}

static void take_function(struct lines *lines, const struct function *f, enum side side, unsigned n)
{
	for (size_t i = 0; i < f->parts.n; i++)
		if (f->parts.at[i].side == side)
			take_part(lines, &f->parts.at[i], n);
}

static struct lines new_lines(const struct model *m, size_t n)
{
	return (struct lines){xalloc(n, sizeof(struct line)), 0,
	                      xalloc(n * m->events.n, sizeof(int64_t))};
}

struct lines model_function_lines(const struct model *m, const struct function *f, enum side side)
{
	struct lines lines = new_lines(m, count_rows(f, side));

	take_function(&lines, f, side, m->events.n);
	combine(&lines, m->events.n);
	return lines;
}

struct lines model_lines(const struct model *m, const struct file *file, enum side side)
{
	struct lines lines;
	size_t n = 0;

	for (const struct function *f = file->functions; f; f = f->hh.next)
		n += count_rows(f, side);
	lines = new_lines(m, n);
	for (const struct function *f = file->functions; f; f = f->hh.next)
		take_function(&lines, f, side, m->events.n);
	combine(&lines, m->events.n);
	return lines;
}

void model_free_lines(struct lines *lines)
{
	free(lines->at);
	free(lines->counts);
}
