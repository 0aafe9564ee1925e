/* Paths fold without the file system, because sources may be on another machine. */
#include "common/path.h"

#include "common/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *path_join(const char *directory, const char *name)
{
	char *both, *kept;

	if (!directory || !*directory || *name == '/')
		return name;
	both = xasprintf("%s/%s", directory, name);
	kept = arena_string(both, strlen(both));
	free(both);
	return kept;
}

/* Drops the last component of the len bytes at out; false if there is none that can be dropped. */
static bool drop_last(const char *out, size_t *len)
{
	size_t n = *len;

	while (n && out[n - 1] != '/')
		n--;
	if (n == *len || !strncmp(out + n, "..", *len - n))
		return false;
	*len = n ? n - 1 : 0;
	return true;
}

const char *path_fold(const char *path)
{
	char *out = arena_alloc(strlen(path) + 2);
	bool absolute = *path == '/';
	size_t len = 0;

	while (*path) {
		size_t n = strcspn(path, "/");
		bool up = n == 2 && !strncmp(path, "..", 2);

		if (n && !(n == 1 && *path == '.') && !(up && (drop_last(out, &len) || absolute))) {
			if (len || absolute)
				out[len++] = '/';
			memcpy(out + len, path, n);
			len += n;
		}
		path += n + (path[n] == '/');
	}
	out[len] = '\0';
	return len ? out : absolute ? "/" : ".";
}
