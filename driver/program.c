#include "driver/program.h"

#include "common/diag.h"
#include "common/file.h"
#include "common/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sets errno as execve would. */
static bool runnable(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	if (S_ISREG(st.st_mode) && !access(path, X_OK))
		return true;
	errno = EACCES;
	return false;
}

char *program_find(const char *name, const char *not_this)
{
	const char *path = getenv("PATH");
	int reason = ENOENT;

	if (strchr(name, '/'))
		return runnable(name) ? xstrdup(name) : NULL;
	for (path = path ? path : "/usr/bin:/bin"; path; path = strchr(path, ':'), path += !!path) {
		int len = (int)strcspn(path, ":");
		char *file = xasprintf("%.*s/%s", len ? len : 1, len ? path : ".", name);

		if (runnable(file) && !(not_this && same_file(file, not_this)))
			return file;
		if (!access(file, F_OK) && access(file, X_OK))
			reason = EACCES;
		free(file);
	}
	errno = reason;
	return NULL;
}

static pid_t spawn_into(int out, const char *path, char **argv)
{
	posix_spawn_file_actions_t actions;
	pid_t pid = -1;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&pid, path, &actions, NULL, argv, environ))
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

/* A text has no NUL in it, so this reads to the end. */
static char *read_text(int fd)
{
	FILE *in = fdopen(fd, "r");
	char *text = NULL;
	size_t room = 0;
	ssize_t len;

	if (!in)
		die("cannot read from a pipe:");
	len = getdelim(&text, &room, '\0', in);
	fclose(in);
	if (len <= 0)
		return NULL;
	if (text[len - 1] == '\n')
		text[len - 1] = '\0';
	return text;
}

char *program_ask(const char *path, char **argv)
{
	int ends[2], status;
	char *text;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		die("cannot make a pipe:");
	pid = spawn_into(ends[1], path, argv);
	close(ends[1]);
	text = read_text(ends[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		return NULL;
	return text;
}
