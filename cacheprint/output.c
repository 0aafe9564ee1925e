#include "cacheprint/output.h"

#include "common/diag.h"
#include "common/mem.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *final_name, *temporary_name;

static void remove_temporary(void)
{
	unlink(temporary_name);
}

/* Devices and pipes are written as they are. */
static FILE *open_in_place(const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		die("%s:", path);
	return out;
}

/* As the file that is replaced, or as the umask says. */
static void set_mode(int fd, const struct stat *old)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fd, old ? old->st_mode & 07777 : 0666 & ~mask) < 0)
		warn("cannot set the mode of %s:", final_name);
}

FILE *output_open(const char *path)
{
	struct stat st;
	int exists, fd;
	char *name;

	if (!path)
		return stdout;
	exists = stat(path, &st) == 0;
	if (exists && !S_ISREG(st.st_mode))
		return open_in_place(path);
	name = xasprintf("%s.XXXXXX", path);
	fd = mkstemp(name);
	if (fd < 0)
		die("%s:", path);
	temporary_name = name;
	final_name = path;
	diag_at_exit(remove_temporary);
	set_mode(fd, exists ? &st : NULL);
	return fdopen(fd, "w");
}

void output_close(FILE *out)
{
	int failed = ferror(out);

	if (fclose(out) != 0 || failed)
		die("cannot write %s:", final_name ? final_name : "the output");
	if (final_name && rename(temporary_name, final_name) != 0)
		die("%s:", final_name);
}
