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
static pid_t start(char **argv, int messages)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int error;

	posix_spawn_file_actions_init(&actions);
	if (messages >= 0)
		posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
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
	return exit_status(start(command_line(as, in, out), -1));
}

static void relay_line(const char *line, const char *old, const char *new)
{
	const char *hit;

	for (; (hit = strstr(line, old)); line = hit + strlen(old))
		fprintf(stderr, "%.*s%s", (int)(hit - line), line, new);
	fputs(line, stderr);
}

/* Copies gas's messages to stderr with one file's name for another (NULL: swallows them). */
static void relay(int from, const char *old, const char *new)
{
	FILE *messages = fdopen(from, "r");
	char *line = NULL;
	size_t room = 0;

	if (!messages)
		die("reading the assembler's messages:");
	while (getline(&line, &room, messages) >= 0)
		if (new)
			relay_line(line, old, new);
	free(line);
	fclose(messages);
}

int assembler_run_as(const struct assembler *as, const char *in, const char *out, const char *name)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		die("pipe:");
	pid = start(command_line(as, in, out), ends[1]);
	close(ends[1]);
	relay(ends[0], in, name);
	return exit_status(pid);
}
