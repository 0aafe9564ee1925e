#include "instrument/gas.h"

#include "common/diag.h"
#include "common/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char **command_line(const struct assembler *as, const char *in, const char *out)
{
	const char *const own[] = {"-o", out, in, NULL};
	const size_t n_own = sizeof own / sizeof *own;
	size_t n = 0;
	char **argv;

	while (as->argv[n])
		n++;
	argv = arena_alloc((n + n_own) * sizeof *argv);
	memcpy(argv, as->argv, n * sizeof *argv);
	memcpy(argv + n, own, sizeof own);
	return argv;
}

static int exit_status(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die("waiting for the assembler:");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Starts gas, with its messages to the descriptor (or ours, if negative). */
static pid_t start(const struct assembler *as, const char *in, const char *out, int messages)
{
	char **argv = command_line(as, in, out);
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int error;

	posix_spawn_file_actions_init(&actions);
	if (messages >= 0)
		posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
	if (as->silent)
		posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error) {
		errno = error;
		die("%s:", argv[0]);
	}
	return pid;
}

int assembler_run(const struct assembler *as, const char *in, const char *out)
{
	return exit_status(start(as, in, out, -1));
}

/* Everything that gas has to say, ended by a NUL. */
static char *read_messages(int from)
{
	char *text = NULL;
	size_t n = 0, room = 0;
	ssize_t got;

	do {
		if (room - n < BUFSIZ)
			text = xrealloc(text, room += 2 * BUFSIZ, 1);
		got = read(from, text + n, room - n - 1);
		if (got < 0 && errno != EINTR)
			die("reading the assembler's messages:");
		n += got > 0 ? (size_t)got : 0;
	} while (got);
	text[n] = '\0';
	return text;
}

void assembler_repeat(const char *said, const char *old, const char *name)
{
	const char *hit;

	for (; (hit = strstr(said, old)); said = hit + strlen(old))
		fprintf(stderr, "%.*s%s", (int)(hit - said), said, name);
	fputs(said, stderr);
}

char *assembler_listen(const struct assembler *as, const char *in, const char *out, int *status)
{
	char *messages;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		die("pipe:");
	pid = start(as, in, out, ends[1]);
	close(ends[1]);
	messages = read_messages(ends[0]);
	close(ends[0]);
	*status = exit_status(pid);
	return messages;
}

int assembler_run_as(const struct assembler *as, const char *in, const char *out, const char *name)
{
	int status;
	char *said = assembler_listen(as, in, out, &status);

	assembler_repeat(said, in, name);
	free(said);
	return status;
}
