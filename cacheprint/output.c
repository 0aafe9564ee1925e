/* A terminal gets colours, its own width and a pager; what is piped or written to a file is plain
 * text that does not depend on where it was made. */
#include "cacheprint/output.h"

#include "common/diag.h"
#include "common/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* less: leave at once when all fits on a screen, pass colours, do not break lines. */
#define LESS_OPTIONS "FRSX"

static const char *final_name, *temporary_name;
static pid_t pager;

static void remove_temporary(void)
{
	unlink(temporary_name);
}

/* Devices and pipes are written as they are. What is open already may be a file with something else in it. */
static FILE *open_in_place(const char *path)
{
	FILE *out = fopen(path, "a");

	if (!out)
		die("%s:", path);
	return out;
}

/* /dev/stdout and its like are names for what the process was given, which is not ours to replace. */
static bool is_descriptor(const char *path)
{
	static const char *const places[] = {"/dev/std", "/dev/fd/", "/proc/"};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strncmp(path, places[i], strlen(places[i])) == 0)
			return true;
	return false;
}

/* As the file that is replaced, or as the umask says. */
static void set_mode(int fd, const struct stat *old)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fd, old ? old->st_mode & 07777 : 0666 & ~mask) < 0)
		warn("cannot set the mode of %s:", final_name);
}

static FILE *open_file(const char *path)
{
	struct stat st;
	bool exists = stat(path, &st) == 0;
	char *name;
	int fd;

	if (exists && (!S_ISREG(st.st_mode) || is_descriptor(path)))
		return open_in_place(path);
	final_name = exists ? realpath(path, NULL) : path; /* a link stays one */
	name = xasprintf("%s.XXXXXX", final_name ? final_name : path);
	diag_hold_signals();
	fd = mkstemp(name);
	if (fd < 0 || !final_name)
		die("%s:", path);
	temporary_name = name;
	diag_at_any_end(remove_temporary);
	diag_release_signals();
	set_mode(fd, exists ? &st : NULL);
	return fdopen(fd, "w");
}

static bool is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || strcmp(term, "dumb") == 0;
}

static bool is_installed(const char *program)
{
	char *path = xstrdup(getenv("PATH") ? getenv("PATH") : ""), *rest = path, *file;
	bool found = strchr(program, '/') && access(program, X_OK) == 0;

	for (char *part; (part = strsep(&rest, ":")) && !found;) {
		file = xasprintf("%s/%s", *part ? part : ".", program);
		found = access(file, X_OK) == 0;
		free(file);
	}
	free(path);
	return found;
}

/* Whether the shell would find what a command begins with; of more than a plain word that is not known. */
static bool can_run(const char *command)
{
	size_t n = strcspn(command, " \t");
	char *program = xstrndup(command, n);
	bool can = strpbrk(program, "$`'\"\\~=;&|<>(){}*?[]#!") || is_installed(program);

	free(program);
	return can;
}

/* "" for none. */
static const char *pager_command(void)
{
	const char *command = getenv("PAGER");

	if (!command)
		return is_installed("less") ? "less" : "";
	if (*command && !can_run(command)) {
		warn("PAGER=%s: there is no such program; shown without a pager", command);
		return "";
	}
	return strcmp(command, "cat") == 0 ? "" : command;
}

static _Noreturn void run_pager(const char *command, const int pipe_ends[2])
{
	dup2(pipe_ends[0], STDIN_FILENO);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
	setenv("LESS", LESS_OPTIONS, 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Warnings go through the pager, too, or it would draw over them. */
static void start_pager(void)
{
	const char *command = pager_command();
	int ends[2];

	if (!*command || pipe(ends) < 0)
		return;
	fflush(stdout);
	pager = fork();
	if (pager == 0)
		run_pager(command, ends);
	if (pager > 0) {
		signal(SIGPIPE, SIG_IGN);
		signal(SIGINT, SIG_IGN); /* it is for the pager */
		dup2(ends[1], STDOUT_FILENO);
		if (isatty(STDERR_FILENO))
			dup2(ends[1], STDERR_FILENO);
	}
	close(ends[0]);
	close(ends[1]);
}

static size_t terminal_width(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

static bool wants_colour(enum colour colour, bool terminal)
{
	const char *no_color = getenv("NO_COLOR");

	if (colour == COLOUR_AUTO)
		return terminal && !is_dumb() && !(no_color && *no_color);
	return colour == COLOUR_ALWAYS;
}

struct output output_open(const char *path, enum colour colour, bool paged)
{
	struct output o = {.file = stdout};
	bool terminal = !path && isatty(STDOUT_FILENO);

	if (path)
		o.file = open_file(path);
	o.colour = wants_colour(colour, terminal);
	if (!terminal)
		return o;
	o.width = terminal_width();
	if (paged && !is_dumb())
		start_pager();
	return o;
}

/* The pager ends when nobody can write to it any more. */
static void wait_for_pager(void)
{
	close(STDERR_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
}

void output_close(struct output *o)
{
	bool failed = ferror(o->file);

	failed |= fclose(o->file) != 0;
	if (pager > 0)
		wait_for_pager();
	else if (failed)
		die("cannot write %s:", final_name ? final_name : "the output");
	if (final_name && rename(temporary_name, final_name) != 0)
		die("%s:", final_name);
}

void output_progress(size_t done, size_t total)
{
	static struct timespec start;
	static bool shown;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!start.tv_sec)
		start = now;
	if (now.tv_sec - start.tv_sec + (now.tv_nsec - start.tv_nsec) / 1e9 < 1 ||
	    !isatty(STDERR_FILENO))
		return;
	if (done < total)
		fprintf(stderr, "\rcacheprint: reading, %zu %%", done * 100 / total);
	else if (shown)
		fputs("\r\x1b[K", stderr);
	shown = done < total;
}
