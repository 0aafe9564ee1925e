#include "common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* open_memstream's files lose what there is no memory for, and say nothing: neither ferror nor fclose tells. */
struct memory {
	char **text;
	size_t *len;
	char *at;
	size_t n, room;
};

static ssize_t memory_write(void *cookie, const char *bytes, size_t n)
{
	struct memory *m = cookie;

	if (m->room - m->n <= n) {
		m->room = m->room + n + 1 > 2 * m->room ? m->room + n + 1 : 2 * m->room;
		m->at = xrealloc(m->at, m->room, 1);
	}
	memcpy(m->at + m->n, bytes, n);
	m->n += n;
	return (ssize_t)n;
}

/* For ftell only. */
static int memory_seek(void *cookie, off64_t *at, int whence)
{
	struct memory *m = cookie;

	if (whence != SEEK_CUR || *at)
		return -1;
	*at = (off64_t)m->n;
	return 0;
}

static int memory_close(void *cookie)
{
	struct memory *m = cookie;

	memory_write(m, "", 1);
	*m->text = m->at;
	*m->len = m->n - 1;
	free(m);
	return 0;
}

FILE *memory_file(char **text, size_t *len)
{
	static const cookie_io_functions_t functions = {
	    .write = memory_write, .seek = memory_seek, .close = memory_close};
	struct memory *m = xalloc(1, sizeof *m);
	FILE *file = fopencookie(m, "w", functions);

	if (!file)
		die("out of memory");
	m->text = text;
	m->len = len;
	return file;
}

bool same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return !stat(a, &sa) && !stat(b, &sb) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}
