#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/diag.h"
#include "common/mem.h"

char *file_read(const char *path, size_t *len)
{
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	size_t n = 0, room = 1 << 16;
	char *text = xrealloc(NULL, room, 1);
	ssize_t got;

	if (fd < 0)
		die("cannot open %s:", path);
	while ((got = read(fd, text + n, room - n - 1)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			die("cannot read %s:", path ? path : "standard input");
		n += (size_t)got;
		if (n + 1 >= room)
			text = xrealloc(text, room *= 2, 1);
	}
	text[n] = '\0';
	*len = n;
	if (path)
		close(fd);
	return text;
}

void file_write(const char *path, const char *text, size_t len)
{
	FILE *out = fopen(path, "we");

	if (!out || fwrite(text, 1, len, out) != len || fclose(out))
		die("cannot write %s:", path);
}

bool same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return !stat(a, &sa) && !stat(b, &sb) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}
