/* One pass over the mapped file checks every byte and keeps, for each function, where its count
 * lines are and what they sum up to. The lines are read a second time only for the sources that
 * are looked at, so memory grows with the number of functions and not with the number of lines.
 *
 * A profile is refused rather than guessed at: a table made of half a file looks just like a good
 * one. The summary line is the checksum. */
#include "cacheprint/reader.h"

#include "common/diag.h"
#include "include/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct parser {
	struct profile *profile;
	struct reader_error *error;
	const char *at, *end; /* what is not read yet */
	size_t line;          /* of at, from 1 */
	struct text file;     /* the current fl= */
	bool has_command, has_file, has_function, has_summary;
};

static bool refuse(struct parser *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(struct parser *s, const char *fmt, ...)
{
	va_list ap;

	s->error->line = s->line;
	va_start(ap, fmt);
	vsnprintf(s->error->reason, sizeof s->error->reason, fmt, ap);
	va_end(ap);
	return false;
}

bool text_equal(struct text a, struct text b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct text trim(struct text t)
{
	while (t.len && is_blank(*t.at))
		t.at++, t.len--;
	while (t.len && is_blank(t.at[t.len - 1]))
		t.len--;
	return t;
}

/* Takes a word off the front of t; empty at the end. */
static struct text take_word(struct text *t)
{
	struct text word;

	*t = trim(*t);
	word = (struct text){t->at, 0};
	while (word.len < t->len && !is_blank(t->at[word.len]))
		word.len++;
	t->at += word.len;
	t->len -= word.len;
	return word;
}

/* Reads a run of digits at *at into *value. False: there is none or it does not fit. */
static bool take_number(const char **at, const char *end, int64_t *value)
{
	const char *p = *at;
	uint64_t n = 0;

	while (p < end && *p >= '0' && *p <= '9') {
		if (n > (uint64_t)INT64_MAX / 10)
			return false;
		n = n * 10 + (uint64_t)(*p++ - '0');
		if (n > INT64_MAX)
			return false;
	}
	if (p == *at)
		return false;
	*at = p;
	*value = (int64_t)n;
	return true;
}

/* A count: digits, with a sign in the differences that cg_diff writes, or "." for zero. */
static bool take_count(const char **at, const char *end, int64_t *value)
{
	bool negative = *at < end && **at == '-';

	if (*at < end && **at == '.') {
		++*at;
		*value = 0;
		return true;
	}
	*at += negative;
	if (!take_number(at, end, value))
		return false;
	*value = negative ? -*value : *value;
	return true;
}

/* Reads the counts up to the end of the line, at most max of them, and fills up with zeros.
 * Returns how many there were; -1: one is no number; -2: too many. */
static int take_counts(const char **at, const char *end, int64_t *counts, size_t max)
{
	size_t n = 0;
	const char *p = *at;

	for (;;) {
		while (p < end && is_blank(*p))
			p++;
		if (p == end || *p == '\n')
			break;
		if (n == max)
			return -2;
		if (!take_count(&p, end, &counts[n++]))
			return -1;
		if (p < end && !is_blank(*p) && *p != '\n')
			return -1;
	}
	for (size_t i = n; i < max; i++)
		counts[i] = 0;
	*at = p;
	return (int)n;
}

static bool refuse_counts(struct parser *s, int n)
{
	return n == -2 ? refuse(s, "more counts than the %zu events", s->profile->events.n)
	               : refuse(s, "a count is not a number below 2^63");
}

static bool add(int64_t *to, const int64_t *counts, size_t n)
{
	bool overflow = false;

	for (size_t i = 0; i < n; i++)
		overflow |= __builtin_add_overflow(to[i], counts[i], &to[i]);
	return !overflow;
}

static bool take_row_line(const char **at, const char *end, uint32_t *line)
{
	int64_t number;

	if (!take_number(at, end, &number) || number > UINT32_MAX)
		return false;
	*line = (uint32_t)number;
	return *at == end || is_blank(**at) || **at == '\n';
}

/* A count line; s->at is its first digit and ends up at the end of the line. */
static bool parse_row(struct parser *s)
{
	struct profile *p = s->profile;
	struct section *section;
	int64_t counts[READER_MAX_EVENTS];
	uint32_t line;
	int n;

	if (!s->has_function)
		return refuse(s, "counts before the first fn= line");
	if (!take_row_line(&s->at, s->end, &line))
		return refuse(s, "not a line number");
	n = take_counts(&s->at, s->end, counts, p->events.n);
	if (n < 0)
		return refuse_counts(s, n);
	section = &p->sections.at[p->sections.n - 1];
	section->n_rows++;
	if (!add(&p->sums.at[p->sums.n - p->events.n], counts, p->events.n))
		return refuse(s, "the counts of a function add up to more than 2^63");
	return true;
}

static void end_section(struct parser *s, const char *where)
{
	struct section *section;

	if (!s->has_function)
		return;
	section = &s->profile->sections.at[s->profile->sections.n - 1];
	section->rows.len = (size_t)(where - section->rows.at);
	s->has_function = false;
}

static bool parse_file(struct parser *s, struct text name)
{
	if (!s->profile->events.n)
		return refuse(s, "no events: line before the first fl= line");
	end_section(s, name.at - strlen("fl="));
	s->file = name;
	s->has_file = true;
	return true;
}

static bool parse_function(struct parser *s, struct text name)
{
	struct profile *p = s->profile;

	if (!s->has_file)
		return refuse(s, "fn= before the first fl= line");
	end_section(s, name.at - strlen("fn="));
	VEC_PUSH(&p->sections, (struct section){s->file, name, {name.at + name.len, 0}, 0});
	for (size_t i = 0; i < p->events.n; i++)
		VEC_PUSH(&p->sums, 0);
	s->has_function = true;
	return true;
}

static bool parse_description(struct parser *s, struct text rest)
{
	struct text value = trim(rest);
	const char *colon = value.len ? memchr(value.at, ':', value.len) : NULL;
	struct text key = {value.at, colon ? (size_t)(colon - value.at) : 0};

	if (colon)
		value = (struct text){colon + 1, value.len - key.len - 1};
	VEC_PUSH(&s->profile->descriptions, (struct description){trim(key), trim(value)});
	return true;
}

static bool parse_command(struct parser *s, struct text rest)
{
	if (s->has_command)
		return refuse(s, "a second cmd: line");
	s->has_command = true;
	s->profile->command = trim(rest);
	return true;
}

static bool parse_events(struct parser *s, struct text rest)
{
	struct profile *p = s->profile;
	struct text word;

	if (p->events.n)
		return refuse(s, "a second events: line");
	if (!s->has_command)
		return refuse(s, "no cmd: line before the events: line");
	p->events_line = rest;
	while ((word = take_word(&rest)).len) {
		for (size_t i = 0; i < p->events.n; i++)
			if (text_equal(p->events.at[i], word))
				return refuse(s, "event %.*s appears twice",
				              (int)(word.len < 60 ? word.len : 60), word.at);
		if (p->events.n == READER_MAX_EVENTS)
			return refuse(s, "more than %d events", READER_MAX_EVENTS);
		VEC_PUSH(&p->events, word);
	}
	return p->events.n ? true : refuse(s, "no event on the events: line");
}

/* The summary must be what the count lines add up to. */
static bool parse_summary(struct parser *s, struct text rest)
{
	struct profile *p = s->profile;
	int64_t summary[READER_MAX_EVENTS];
	const char *at = rest.at;
	int n;

	if (!p->events.n)
		return refuse(s, "no events: line before the summary: line");
	end_section(s, rest.at - strlen("summary:"));
	n = take_counts(&at, rest.at + rest.len, summary, p->events.n);
	if (n < 0)
		return refuse_counts(s, n);
	if ((size_t)n < p->events.n)
		return refuse(s, "the summary has %d counts for %zu events", n, p->events.n);
	for (size_t i = 0; i < p->sections.n; i++)
		if (!add(p->totals, &p->sums.at[i * p->events.n], p->events.n))
			return refuse(s, "the counts add up to more than 2^63");
	for (size_t i = 0; i < p->events.n; i++)
		if (summary[i] != p->totals[i])
			return refuse(s, "the summary says %lld %.*s, the lines add up to %lld",
			              (long long)summary[i], (int)p->events.at[i].len,
			              p->events.at[i].at, (long long)p->totals[i]);
	s->has_summary = true;
	return true;
}

static const struct keyword {
	const char *word;
	bool (*parse)(struct parser *s, struct text rest);
} keywords[] = {
    {"fn=", parse_function}, {"fl=", parse_file},       {"desc:", parse_description},
    {"cmd:", parse_command}, {"events:", parse_events}, {"summary:", parse_summary},
};

static bool starts_with(struct text t, const char *word)
{
	size_t len = strlen(word);

	return t.len >= len && memcmp(t.at, word, len) == 0;
}

static bool refuse_line(struct parser *s, struct text line)
{
	if (starts_with(line, "version:") || starts_with(line, "creator:"))
		return refuse(s, "this is a Callgrind profile; cachegrind.out format is needed");
	return refuse(s, "not a line of a profile");
}

static bool parse_keyword(struct parser *s)
{
	const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
	struct text line = {s->at, (size_t)((newline ? newline : s->end) - s->at)};
	struct text rest;

	s->at += line.len;
	if (trim(line).len == 0 || *line.at == '#')
		return true;
	if (s->has_summary)
		return refuse(s, "text after the summary: line");
	if (starts_with(line, "\x1f\x8b"))
		return refuse(s, "this is compressed by gzip; unpack it first");
	if (memchr(line.at, 0, line.len))
		return refuse(s, "a byte that is zero");
	if (line.at[line.len - 1] == '\r')
		return refuse(s, "the line ends with CR LF, as on Windows; take the CRs out first");
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		if (!starts_with(line, keywords[i].word))
			continue;
		rest = line;
		rest.at += strlen(keywords[i].word);
		rest.len -= strlen(keywords[i].word);
		return keywords[i].parse(s, rest);
	}
	return refuse_line(s, line);
}

static bool parse_line(struct parser *s)
{
	if (*s->at >= '0' && *s->at <= '9' && !s->has_summary)
		return parse_row(s);
	return parse_keyword(s);
}

static void (*on_progress)(size_t done, size_t total);

void reader_on_progress(void (*progress)(size_t done, size_t total))
{
	on_progress = progress;
}

/* Lines between two calls: some ten milliseconds. */
#define PROGRESS_LINES 65536

static void tell_progress(const struct parser *s)
{
	if (on_progress && (s->line % PROGRESS_LINES == 0 || s->at == s->end))
		on_progress(s->profile->text.len - (size_t)(s->end - s->at), s->profile->text.len);
}

bool profile_parse(struct profile *p, struct text text, struct reader_error *error)
{
	struct parser s = {.profile = p, .error = error, .at = text.at, .line = 1};

	s.end = text.at + text.len;
	p->text = text;
	while (s.at < s.end) {
		if (!parse_line(&s))
			return false;
		if (s.at < s.end) {
			s.at++;
			s.line++;
		}
		tell_progress(&s);
	}
	if (!text.len)
		return refuse(&s, "the file is empty");
	if (!s.has_summary)
		return refuse(&s, "the file ends without a summary: line");
	return true;
}

bool row_next(const struct profile *p, struct text *rows, struct row *row)
{
	const char *at = rows->at, *end = rows->at + rows->len;

	while (at < end && !(*at >= '0' && *at <= '9')) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		at = newline ? newline + 1 : end;
	}
	if (at == end)
		return false;
	take_row_line(&at, end, &row->line);
	take_counts(&at, end, row->counts, p->events.n);
	at += at < end;
	*rows = (struct text){at, (size_t)(end - at)};
	return true;
}

/* What cannot be mapped (a pipe) is read to its end. */
static struct text slurp(int fd, const char *path)
{
	VEC(char) bytes = {0};
	ssize_t got;

	do {
		while (bytes.room - bytes.n < 1 << 16) {
			bytes.room = bytes.room ? bytes.room * 2 : 1 << 17;
			bytes.at = xrealloc(bytes.at, bytes.room, 1);
		}
		got = read(fd, bytes.at + bytes.n, bytes.room - bytes.n);
		if (got < 0 && errno != EINTR)
			die_usage("%s:", path);
		bytes.n += got > 0 ? (size_t)got : 0;
	} while (got != 0);
	return (struct text){bytes.at, bytes.n};
}

static struct text load(struct profile *p, int fd)
{
	struct stat st;
	void *map = MAP_FAILED;

	if (fstat(fd, &st) < 0)
		die_usage("%s:", p->path);
	p->modified = st.st_mtim;
	if (S_ISREG(st.st_mode) && st.st_size > 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return slurp(fd, p->path);
	p->mapped = (size_t)st.st_size;
	return (struct text){map, p->mapped};
}

static int open_profile(const char *path)
{
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT && strcmp(path, PROFILE_DEFAULT_NAME) == 0)
		die_usage("there is no " PROFILE_DEFAULT_NAME " here: run a program that was built "
		          "with cacheprof, or name a profile with -f");
	if (fd < 0)
		die_usage("%s:", path);
	return fd;
}

struct profile *profile_open(const char *path)
{
	struct profile *p = arena_alloc(sizeof *p);
	struct reader_error error;
	int fd = open_profile(path);

	p->path = path;
	if (!profile_parse(p, load(p, fd), &error))
		die_usage("%s:%zu: %s", path, error.line, error.reason);
	if (fd != STDIN_FILENO)
		close(fd);
	return p;
}

bool profile_is_one(const char *path)
{
	char text[65536];
	struct stat st;
	int fd = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	text[n < 0 ? 0 : n] = '\0';
	return strncmp(text, "events:", 7) == 0 || strstr(text, "\nevents:");
}

void profile_free(struct profile *p)
{
	if (p->mapped)
		munmap((void *)p->text.at, p->mapped);
	VEC_FREE(&p->descriptions);
	VEC_FREE(&p->events);
	VEC_FREE(&p->sections);
	VEC_FREE(&p->sums);
}

struct text profile_description(const struct profile *p, const char *key)
{
	struct text wanted = {key, strlen(key)};

	for (size_t i = 0; i < p->descriptions.n; i++)
		if (text_equal(p->descriptions.at[i].key, wanted))
			return p->descriptions.at[i].value;
	return (struct text){"", 0};
}
