/* measure FILE COMMAND...: runs the command and writes to FILE what it took: processor seconds (user and
 * system), elapsed seconds, and the most memory that it had in use, in KiB. Ends as the command does, with
 * 128 + the signal if it died of one. A program of its own, since a shell's memory would be counted: what a
 * process had before it ran another program stays in its maximum. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec * 1e-6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static int run(char **command, struct rusage *used)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, used) < 0) {
		perror("measure");
		exit(1);
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	struct rusage used;
	double start = now();
	int status;
	FILE *file;

	if (argc < 3) {
		fputs("usage: measure FILE COMMAND...\n", stderr);
		return 2;
	}
	status = run(argv + 2, &used);
	file = fopen(argv[1], "w");
	if (!file || fprintf(file, "%.6f %.6f %ld\n", seconds(used.ru_utime) + seconds(used.ru_stime),
			     now() - start, used.ru_maxrss) < 0 || fclose(file)) {
		perror(argv[1]);
		return 1;
	}
	return status;
}
