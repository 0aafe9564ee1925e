/* Runs a piece of the runtime in a process of its own and keeps what it prints on stderr. */
#ifndef TESTS_RUNTIME_CAPTURE_H
#define TESTS_RUNTIME_CAPTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char captured[16384];

/* Returns the status as waitpid has it; if run returns, its process exits with 77. */
static int capture(void (*run)(void))
{
	FILE *file = tmpfile();
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		dup2(fileno(file), 2);
		run();
		_exit(77);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	rewind(file);
	captured[fread(captured, 1, sizeof captured - 1, file)] = 0;
	fclose(file);
	return status;
}

#endif
