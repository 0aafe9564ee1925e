/* The profile as a whole: files, functions and what they sum up to, in the order to show. */
#ifndef CACHEPRINT_MODEL_H
#define CACHEPRINT_MODEL_H

#include "cacheprint/events.h"
#include "cacheprint/inlining.h"
#include "cacheprint/names.h"
#include "cacheprint/reader.h"

#include <uthash.h>

/* A profile counts for or, when two are compared, against. */
enum side { AFTER = 1, BEFORE = -1 };

/* Where a function's count lines are, in one profile. */
struct part {
	enum side side;
	const struct profile *profile;
	struct text rows;
	uint64_t n_rows;
	const struct inlined_lines *inlined; /* NULL: all rows count */
	const char *owner;                   /* else those of this owner (inlining.h) */
};

/* Takes the next row off a part's rows (start with part.rows); false at their end. */
bool part_next(const struct part *part, struct text *rows, struct row *row);

/* A function as the profile tells them apart: by file and name. Code inlined from elsewhere
 * belongs to the file that it was written in and to the function that it runs in; where the model
 * knows what was inlined, that is a function of its own. */
struct function {
	const char *name;
	const char *host; /* the function that it was inlined into, or NULL */
	struct file *file;
	int64_t *sums;
	int64_t *before; /* of the profiles on that side; NULL when there are none */
	VEC(struct part) parts;
	UT_hash_handle hh; /* in its file, by name */
};

struct file {
	const char *name;
	const char
	    *recorded[2];  /* its first unchanged name: in AFTER, in BEFORE; NULL: not there */
	const char *label; /* as much of the end of the name as tells it from the others */
	int64_t *sums;
	int64_t *before;
	struct function *functions;
	UT_hash_handle hh; /* in the model, by name */
};

/* All sums are differences, AFTER less BEFORE, when there are profiles on both sides. */
struct model {
	struct naming naming; /* to be set before profiles are added */
	struct inlining *inlining; /* as well; or NULL */
	bool has_inlined;	   /* it says of some line that it was */
	VEC(struct profile *) profiles;
	struct events events;
	struct file *files;
	VEC(struct function *) functions;
	int64_t *totals;
	int64_t *before;
	uint64_t n_rows;
};

/* The counts of one source line, over all functions. */
struct line {
	uint32_t number; /* 0: unknown */
	int64_t *counts;
};

/* In the order of line numbers. */
struct lines {
	struct line *at;
	size_t n;
	int64_t *counts;
};

/* Adds a profile; all that are BEFORE come first. Returns NULL, or why it does not go together with
 * those already there. */
const char *model_add(struct model *m, struct profile *p, enum side side);

/* Sets the labels of all files. */
void model_label_files(struct model *m);

/* How many different names the functions have; the same name in two files counts once. */
size_t model_count_names(const struct model *m);

/* Orders counts by the columns' values, the largest absolute value first. */
int model_compare(const int64_t *a, const int64_t *b, const column_list *by);

/* Sorts functions so, then by the names of file and function. */
void model_sort(struct function **functions, size_t n, const column_list *by);

/* Sorts all functions by the names of file and function. */
void model_sort_by_name(struct model *m);

/* The lines of a function or of a file that have counts, on one side; release them with
 * model_free_lines. */
struct lines model_function_lines(const struct model *m, const struct function *f, enum side side);
struct lines model_lines(const struct model *m, const struct file *file, enum side side);
void model_free_lines(struct lines *lines);

#endif
