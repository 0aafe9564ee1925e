/* The profile as a whole: files, functions and what they sum up to, in the order to show. */
#ifndef CACHEPRINT_MODEL_H
#define CACHEPRINT_MODEL_H

#include "cacheprint/events.h"
#include "cacheprint/reader.h"

#include <uthash.h>

/* Where a function's count lines are, in one profile. */
struct part {
	const struct profile *profile;
	struct text rows;
	uint64_t n_rows;
};

/* A function as the profile tells them apart: by file and name. Code inlined from elsewhere
 * belongs to the file that it was written in and to the function that it runs in. */
struct function {
	const char *name;
	struct file *file;
	int64_t *sums;
	VEC(struct part) parts;
	UT_hash_handle hh; /* in its file, by name */
};

struct file {
	const char *name;
	const char *label; /* as much of the end of the name as tells it from the others */
	int64_t *sums;
	struct function *functions;
	UT_hash_handle hh; /* in the model, by name */
};

struct model {
	VEC(struct profile *) profiles;
	struct events events;
	struct file *files;
	VEC(struct function *) functions;
	int64_t *totals;
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

/* Adds a profile. Returns NULL, or why it does not go together with those before it. */
const char *model_add(struct model *m, struct profile *p);

/* Sets the labels of all files. */
void model_label_files(struct model *m);

/* How many different names the functions have; the same name in two files counts once. */
size_t model_count_names(const struct model *m);

/* Sorts functions by the columns' values, the largest absolute value first; then by name. */
void model_sort(struct function **functions, size_t n, column_list *by);

/* The lines of a file that have counts; release them with model_free_lines. */
struct lines model_lines(const struct model *m, const struct file *file);
void model_free_lines(struct lines *lines);

#endif
