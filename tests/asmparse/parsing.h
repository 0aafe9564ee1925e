/* What the tests of the parser share: parse a string, compare the dump, capture an error. */
#ifndef TESTS_ASMPARSE_PARSING_H
#define TESTS_ASMPARSE_PARSING_H

#include "asmparse/asm.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static inline struct asm_file *parse_text(const char *text)
{
	return asm_parse("t.s", text, strlen(text));
}

/* The whole dump of --ddump-parsed; valid until the next call. */
static inline const char *parsed(const char *text)
{
	static char *dump;
	static size_t len;
	FILE *out;

	free(dump);
	out = open_memstream(&dump, &len);
	asm_dump_parsed(parse_text(text), out);
	fclose(out);
	return dump;
}

/* Whether the statements' texts tile the file and their lines are right. (An assertion of check is
 * a write to a file: one for all.) */
static inline void check_tiles(const struct asm_file *file)
{
	const char *at = file->text;
	unsigned line = 1;
	size_t i;

	for (i = 0; i < file->n; i++) {
		if (file->stmts[i].text.p != at || file->stmts[i].line != line)
			break;
		for (const char *end = at + file->stmts[i].text.len; at < end; at++)
			line += *at == '\n';
	}
	ck_assert_uint_eq(i, file->n);
	ck_assert_ptr_eq(at, file->text + file->len);
}

/* What is printed when the text (len bytes) cannot be parsed; the exit status must be 1. */
static inline const char *error_of_bytes(const char *text, size_t len)
{
	static char message[4096];
	int fds[2], status;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	ck_assert_int_eq(pipe(fds), 0);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		dup2(fds[1], 2);
		asm_parse("t.s", text, len);
		_exit(0);
	}
	close(fds[1]);
	while ((got = read(fds[0], message + n, sizeof message - 1 - n)) > 0)
		n += (size_t)got;
	close(fds[0]);
	message[n] = '\0';
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "status %x: %s", status,
		      message);
	return message;
}

static inline const char *error_of(const char *text)
{
	return error_of_bytes(text, strlen(text));
}

#endif
