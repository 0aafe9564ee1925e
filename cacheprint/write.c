/* What the merged profiles have in common stands at the head; the sizes of references add up, other
 * descriptions that differ are the first profile's, and a warning says so. */
#include "cacheprint/write.h"

#include "cacheprint/sizes.h"

#include "common/diag.h"

#include <stdlib.h>
#include <string.h>

static bool all_have(const struct model *m, struct description d)
{
	char *key = xstrndup(d.key.at, d.key.len);
	bool same = true;

	for (size_t i = 1; i < m->profiles.n && d.key.len; i++)
		same &= text_equal(profile_description(m->profiles.at[i], key), d.value);
	free(key);
	return same;
}

static void write_description(FILE *out, struct text key, struct text value)
{
	int pad = (int)key.len < 17 ? 17 - (int)key.len : 1;

	fprintf(out, "desc: %.*s%s%*s%.*s\n", (int)key.len, key.at, key.len ? ":" : "",
	        key.len ? pad : 0, "", (int)value.len, value.at);
}

static void write_descriptions(FILE *out, const struct model *m)
{
	const struct profile *first = m->profiles.at[0];

	for (size_t i = 0; i < first->descriptions.n; i++) {
		struct description d = first->descriptions.at[i];

		if (is_size_key(d.key))
			continue;
		if (!all_have(m, d))
			warn("the profiles differ in '%.*s'; that of %s is kept", (int)d.key.len,
			     d.key.at, first->path);
		write_description(out, d.key, d.value);
	}
}

static void write_sizes(FILE *out, const struct model *m)
{
	struct sizes sizes;
	const char *why;
	char numbers[SIZE_EVENTS * 24];
	size_t n;

	if (!sizes_read(m, &sizes, &why))
		return;
	for (int i = 0; i < PROFILE_SIZE_CLASSES; i++) {
		n = 0;
		for (int j = 0; j < SIZE_EVENTS; j++)
			n += (size_t)snprintf(numbers + n, sizeof numbers - n, "%s%lld",
			                      j ? " " : "", (long long)sizes.counts[i][j]);
		write_description(out, (struct text){size_keys[i], strlen(size_keys[i])},
		                  (struct text){numbers, n});
	}
}

/* Every command once. */
static void write_command(FILE *out, const struct model *m)
{
	const char *separator = "";

	fputs("cmd: ", out);
	for (size_t i = 0, j; i < m->profiles.n; i++) {
		struct text command = m->profiles.at[i]->command;

		for (j = 0; j < i && !text_equal(m->profiles.at[j]->command, command);)
			j++;
		if (j < i)
			continue;
		fprintf(out, "%s%.*s", separator, (int)command.len, command.at);
		separator = "; ";
	}
	fputc('\n', out);
}

static void write_counts(FILE *out, const int64_t *counts, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(out, " %lld", (long long)counts[i]);
	fputc('\n', out);
}

static void write_function(FILE *out, const struct model *m, const struct function *f)
{
	struct lines lines = model_function_lines(m, f, AFTER);

	fprintf(out, "fn=%s\n", f->name);
	for (size_t i = 0; i < lines.n; i++) {
		fprintf(out, "%u", lines.at[i].number);
		write_counts(out, lines.at[i].counts, m->events.n);
	}
	model_free_lines(&lines);
}

void write_profile(FILE *out, const struct model *m)
{
	struct text events = m->profiles.at[0]->events_line; /* cg_merge compares every blank */
	const struct file *file = NULL;

	write_descriptions(out, m);
	write_sizes(out, m);
	write_command(out, m);
	fprintf(out, "events:%.*s\n", (int)events.len, events.at);
	for (size_t i = 0; i < m->functions.n; i++) {
		const struct function *f = m->functions.at[i];

		if (f->file != file)
			fprintf(out, "fl=%s\n", f->file->name);
		file = f->file;
		write_function(out, m, f);
	}
	fputs("summary:", out);
	write_counts(out, m->totals, m->events.n);
}
