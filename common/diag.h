/* One family of diagnostics for every tool: errors, warnings, exit codes. */
#ifndef COMMON_DIAG_H
#define COMMON_DIAG_H

#include <stddef.h>

/* Exit codes of our own failures; a compiler's status passes through unchanged. */
enum exit_code {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
};

/* A place in a source text; line counts from 1, column from 1 (0: unknown). file may be NULL. When
 * the text was made from another one, source and source_line are the place in that, else NULL; it
 * goes first: "foo.c:12: (foo.s:345) error: ...". */
struct loc {
	const char *file;
	unsigned line;
	unsigned column;
	const char *source;
	unsigned source_line;
};

/* The name printed before every message; the string is kept, not copied. */
void diag_program(const char *name);

/* Called before die leaves, e.g. to remove temporary files. At most one; NULL for none. */
void diag_at_exit(void (*cleanup)(void));

/* The same, and called from a signal's handler, too, where the process is asked to end (SIGINT, SIGTERM, SIGHUP,
 * SIGQUIT) or has come to a limit (SIGPIPE, SIGXCPU, SIGXFSZ), unless ignored: the signal ends it then. */
void diag_at_any_end(void (*cleanup)(void));

/* Between the two signals wait: what is made there and the cleanup that is told of it are there together. */
void diag_hold_signals(void);
void diag_release_signals(void);

/* Print "program: message" on stderr. A format that ends in ':' gets " " and strerror(errno). */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void die_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* As die, with an exit status that others defined: a shell's 126 and 127. */
_Noreturn void die_status(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same with a place: "file:line: message", then the text line (text, text_len; NULL for
 * none) and a caret below loc.column. */
void warn_at(struct loc loc, const char *text, size_t text_len, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
_Noreturn void die_at(struct loc loc, const char *text, size_t text_len, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Dies unless all that was printed on standard output is written. */
void diag_end_output(void);

#endif
