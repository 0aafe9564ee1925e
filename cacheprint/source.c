/* A profile names sources as the compiler saw them, its reader as he likes; sources move. So both
 * are compared from the end, component by component, and nothing but regular files is opened. */
#include "cacheprint/source.h"

#include "common/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Skips "./", "../" and "/" at the front. */
static const char *without_dots(const char *path)
{
	for (;;) {
		if (path[0] == '/')
			path++;
		else if (strncmp(path, "./", 2) == 0)
			path += 2;
		else if (strncmp(path, "../", 3) == 0)
			path += 3;
		else
			return path;
	}
}

/* Does path end in `end`, at the boundary of a component? */
static bool ends_in(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);

	return m && m <= n && strcmp(path + n - m, end) == 0 && (m == n || path[n - m - 1] == '/');
}

/* By what it says, by where it leads, and by what lies there: a compiler in a directory that is a
 * symbolic link records the link. */
static bool is_same_path(const char *recorded, const char *name, const char *real)
{
	return strcmp(recorded, name) == 0 ||
	       (real && (strcmp(recorded, real) == 0 || same_file(recorded, real)));
}

static bool is_same_end(const char *recorded, const char *name, const char *real)
{
	(void)real;
	return ends_in(recorded, without_dots(name)) || ends_in(name, without_dots(recorded));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(const struct file *const *)a)->name,
	              (*(const struct file *const *)b)->name);
}

file_list source_match(const struct model *m, const char *name)
{
	bool (*const rules[])(const char *, const char *, const char *) = {is_same_path,
	                                                                   is_same_end};
	char *real = realpath(name, NULL);
	file_list found = {0};

	for (size_t i = 0; i < 2 && !found.n; i++)
		for (const struct file *f = m->files; f; f = f->hh.next)
			if (rules[i](f->name, name, real))
				VEC_PUSH(&found, f);
	if (found.n)
		qsort(found.at, found.n, sizeof *found.at, compare_names);
	free(real);
	return found;
}

static void index_lines(struct source *s)
{
	const char *at = s->text.at, *end = at + s->text.len, *newline;

	while (at < end) {
		VEC_PUSH(&s->starts, (size_t)(at - s->text.at));
		newline = memchr(at, '\n', (size_t)(end - at));
		at = newline ? newline + 1 : end;
	}
	VEC_PUSH(&s->starts, s->text.len);
}

static struct source *open_source(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct source *s = NULL;
	struct stat st;
	void *map = NULL;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if (st.st_size)
			map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map != MAP_FAILED) {
			s = xalloc(1, sizeof *s);
			s->path = arena_string(path, strlen(path));
			s->modified = st.st_mtim;
			s->text = (struct text){map, (size_t)st.st_size};
			index_lines(s);
		}
	}
	close(fd);
	return s;
}

static struct source *open_joined(const char *directory, const char *rest)
{
	char *path = xasprintf("%s/%s", directory, rest);
	struct source *s = open_source(path);

	free(path);
	return s;
}

/* Tries directory/recorded, then without its first component, and so on to the bare name. */
static struct source *open_below(const char *directory, const char *recorded)
{
	struct source *s = NULL;

	for (const char *rest = without_dots(recorded); rest && *rest && !s;) {
		s = open_joined(directory, rest);
		rest = strchr(rest, '/');
		rest = rest ? rest + 1 : NULL;
	}
	return s;
}

static struct source *open_mapped(const char *recorded, const path_list *maps)
{
	struct source *s = NULL;
	const char *equals;
	size_t len;

	for (size_t i = 0; i < maps->n && !s; i++) {
		equals = strchr(maps->at[i], '=');
		len = equals ? (size_t)(equals - maps->at[i]) : 0;
		while (len && maps->at[i][len - 1] == '/')
			len--;
		if (!equals || strncmp(recorded, maps->at[i], len) != 0 || recorded[len] != '/')
			continue;
		s = open_joined(equals + 1, recorded + len + 1);
	}
	return s;
}

static struct source *open_stripped(const char *recorded, const struct source_search *search)
{
	const char *rest = without_dots(recorded);
	struct source *s;

	if (!search->strip)
		return NULL;
	for (int i = 0; i < search->strip && rest; i++) {
		rest = strchr(rest, '/');
		rest = rest ? rest + 1 : NULL;
	}
	s = rest ? open_source(rest) : NULL;
	for (size_t i = 0; i < search->directories.n && rest && !s; i++)
		s = open_joined(search->directories.at[i], rest);
	return s;
}

struct source *source_find_below(const char *recorded, const path_list *directories)
{
	struct source *s = NULL;

	for (size_t i = 0; i < directories->n && !s; i++)
		s = open_below(directories->at[i], recorded);
	return s;
}

struct source *source_find(const char *recorded, const char *named,
                           const struct source_search *search)
{
	struct source *s = open_mapped(recorded, &search->maps);

	if (!s)
		s = open_stripped(recorded, search);
	if (!s)
		s = open_source(recorded);
	if (!s && named)
		s = open_source(named);
	return s ? s : source_find_below(recorded, &search->directories);
}

size_t source_count_lines(const struct source *s)
{
	return s->starts.n - 1;
}

struct text source_line(const struct source *s, size_t n)
{
	const char *at = s->text.at + s->starts.at[n - 1];
	size_t len = s->starts.at[n] - s->starts.at[n - 1];

	if (len && at[len - 1] == '\n')
		len--;
	if (len && at[len - 1] == '\r')
		len--;
	return (struct text){at, len};
}

bool source_is_newer(const struct source *s, const struct profile *p)
{
	struct timespec a = s->modified, b = p->modified;

	return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

void source_free(struct source *s)
{
	if (s->text.at)
		munmap((void *)s->text.at, s->text.len);
	VEC_FREE(&s->starts);
	free(s);
}
