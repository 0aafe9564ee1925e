/* Errors and warnings of the tools. The program's name goes first, as in every GNU tool, so that
 * in a build log the speaker is known. */
#include "common/diag.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program = "cacheprof";
static void (*at_exit)(void);

void diag_program(const char *name)
{
	program = name;
}

void diag_at_exit(void (*cleanup)(void))
{
	at_exit = cleanup;
}

static void on_signal(int number)
{
	at_exit();
	signal(number, SIG_DFL);
	raise(number);
}

void diag_at_any_end(void (*cleanup)(void))
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ};
	struct sigaction now;

	diag_at_exit(cleanup);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (!sigaction(signals[i], NULL, &now) && now.sa_handler != SIG_IGN)
			signal(signals[i], on_signal);
}

static sigset_t before_hold;

void diag_hold_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before_hold);
}

void diag_release_signals(void)
{
	sigprocmask(SIG_SETMASK, &before_hold, NULL);
}

static _Noreturn void leave(int code)
{
	if (at_exit)
		at_exit();
	exit(code);
}

static void print_message(const char *kind, const char *fmt, va_list ap)
{
	int saved = errno;
	size_t len = strlen(fmt);

	fputs(kind, stderr);
	vfprintf(stderr, fmt, ap);
	if (len && fmt[len - 1] == ':')
		fprintf(stderr, " %s", strerror(saved));
	fputc('\n', stderr);
}

static void print_place(struct loc loc)
{
	if (loc.source)
		fprintf(stderr, "%s:%u: (%s:%u) ", loc.source, loc.source_line, loc.file, loc.line);
	else if (loc.file)
		fprintf(stderr, "%s:%u: ", loc.file, loc.line);
}

static void print_caret(struct loc loc, const char *text, size_t len)
{
	if (!text)
		return;
	fprintf(stderr, "  %.*s\n", (int)len, text);
	if (!loc.column)
		return;
	fputs("  ", stderr);
	for (unsigned i = 1; i < loc.column && i <= len; i++)
		fputc(text[i - 1] == '\t' ? '\t' : ' ', stderr);
	fputs("^\n", stderr);
}

#define PRINT(kind, fmt)                                                                           \
	do {                                                                                       \
		va_list ap_;                                                                       \
		va_start(ap_, fmt);                                                                \
		print_message(kind, fmt, ap_);                                                     \
		va_end(ap_);                                                                       \
	} while (0)

void warn(const char *fmt, ...)
{
	fprintf(stderr, "%s: ", program);
	PRINT("warning: ", fmt);
}

void die(const char *fmt, ...)
{
	fprintf(stderr, "%s: ", program);
	PRINT("", fmt);
	leave(EXIT_FAILED);
}

void die_usage(const char *fmt, ...)
{
	fprintf(stderr, "%s: ", program);
	PRINT("", fmt);
	leave(EXIT_USAGE);
}

void die_status(int status, const char *fmt, ...)
{
	fprintf(stderr, "%s: ", program);
	PRINT("", fmt);
	leave(status);
}

void warn_at(struct loc loc, const char *text, size_t text_len, const char *fmt, ...)
{
	fprintf(stderr, "%s: ", program);
	print_place(loc);
	PRINT("warning: ", fmt);
	print_caret(loc, text, text_len);
}

void die_at(struct loc loc, const char *text, size_t text_len, const char *fmt, ...)
{
	fprintf(stderr, "%s: ", program);
	print_place(loc);
	PRINT("error: ", fmt);
	print_caret(loc, text, text_len);
	leave(EXIT_FAILED);
}

void diag_end_output(void)
{
	if (fflush(stdout) || ferror(stdout))
		die("standard output:");
}
