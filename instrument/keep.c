/* gcc -c foo.c compiles into /tmp/ccXXXXXX.s and removes it: nobody could look at it beside its
 * counts. -save-temps would keep it, and the preprocessed source as well, under names that gcc has
 * changed from version to version. */
#include "instrument/keep.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/diag.h"
#include "common/mem.h"
#include "common/path.h"

/* As gcc and clang choose the directory of their temporary files. */
static bool is_in_temporary_directory(const char *path)
{
	static const char *const variables[] = {"TMPDIR", "TMP", "TEMP"};
	size_t len = (size_t)(path_base(path) - path);
	const char *directory = NULL;

	for (size_t i = 0; i < sizeof variables / sizeof *variables && !directory; i++)
		directory = getenv(variables[i]);
	if (!directory || !*directory)
		directory = "/tmp";
	while (len && path[len - 1] == '/')
		len--;
	return len == strlen(directory) - (directory[strlen(directory) - 1] == '/') &&
	       !strncmp(path, directory, len);
}

/* gcc's names, then clang's. */
static bool is_temporary(const char *path)
{
	return is_in_temporary_directory(path) && (!fnmatch("cc??????.*", path_base(path), 0) ||
						   !fnmatch("*-??????.[so]", path_base(path), 0));
}

/* The last string of the first line that begins with `directive`, or NULL. */
static char *string_of(const char *text, const char *directive)
{
	const char *line = strstr(text, directive), *end, *start;

	if (!line)
		return NULL;
	end = line + strcspn(line, "\n");
	while (end > line && end[-1] != '"')
		end--;
	for (start = end - 1; start > line && start[-1] != '"';)
		start--;
	return start > line ? xstrndup(start, (size_t)(end - 1 - start)) : NULL;
}

/* In place: slashes are -, and what would hide the file is not there, or ^ for a directory above. */
static void flatten(char *path)
{
	char *to = path;

	for (const char *from = path; *from; from += strspn(from, "/")) {
		const char *part = from;
		size_t n = strcspn(from, "/");

		from += n;
		if (n == 2 && !strncmp(part, "..", n)) {
			part = "^";
			n = 1;
		}
		if (!n || (n == 1 && *part == '.'))
			continue;
		if (to > path)
			*to++ = '-';
		memmove(to, part, n);
		to += n;
	}
	*to = '\0';
}

/* What it was compiled from, without slashes: two sources of one command must not have one name. */
static char *flat_source(const struct options *o, const char *text)
{
	char *name = string_of(text, "\t.file 0 ");

	if (!name)
		name = string_of(text, "\t.file\t");
	if (!name || *name == '<') { /* "<artificial>": a part of a link-time optimisation */
		name = xstrdup(o->input ? path_base(o->input) : "assembly");
		if (!fnmatch("*.s", name, 0))
			name[strlen(name) - 2] = '\0';
	}
	flatten(name);
	return name;
}

static const char *absolute(const char *path)
{
	char *directory;

	if (*path == '/')
		return path;
	directory = getcwd(NULL, 0);
	if (!directory)
		die("cannot tell the working directory:");
	return xasprintf("%s/%s", directory, path);
}

const char *keep_assembly(const struct options *o, const char *text, size_t len)
{
	const char *path;
	FILE *out;

	if (o->input && !is_temporary(o->input))
		return absolute(o->input);
	path = is_temporary(o->output) ? xasprintf("%s.s", flat_source(o, text))
				       : xasprintf("%s.s", o->output);
	out = fopen(path, "we");
	if (!out || fwrite(text, 1, len, out) != len || fclose(out))
		die("cannot keep the assembly as %s:", path);
	return absolute(path);
}
