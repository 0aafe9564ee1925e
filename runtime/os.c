/* What a guest has instead of libc: system calls by name, memory, text.
 *
 * The program may have replaced malloc, stdio or write by its own, may be half torn down, may be in
 * a signal handler on a small stack. So nothing here locks, touches errno or keeps state (but where the
 * next mapping is to be), and a write that fails raises no signal: a closed pipe as standard error or a file size
 * limit must not change how the program ends. */
#include "runtime/runtime.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>


/* Far from where the kernel and libc put things, so that the program's own mappings lie where they would
 * lie without us, and from what sanitizers take (process.c). A hint: what is taken is passed over. */
#define OUR_PLACE UINT64_C(0x544000000000)

/* Sizes asked for are upper bounds, hence MAP_NORESERVE: what is never touched costs nothing. */
static long map(uint64_t hint, size_t bytes)
{
	return SYSCALL(mmap, hint, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* A limit that the program gave itself is for its own memory: meanwhile it is raised as far as a process
 * may. */
static long map_above_limits(uint64_t hint, size_t bytes)
{
	static const int limits[] = {RLIMIT_AS, RLIMIT_DATA};
	enum { N = sizeof limits / sizeof *limits };
	struct rlimit before[N], raised;
	long at;

	for (int i = 0; i < N; i++) {
		SYSCALL(prlimit64, 0, limits[i], 0, &before[i]);
		raised.rlim_cur = raised.rlim_max = before[i].rlim_max;
		SYSCALL(prlimit64, 0, limits[i], &raised, 0);
	}
	at = map(hint, bytes);
	for (int i = 0; i < N; i++)
		SYSCALL(prlimit64, 0, limits[i], &before[i], 0);
	return at;
}

void *cacheprof_mmap(size_t bytes)
{
	static uint64_t used;
	size_t pages = (bytes + !bytes + PAGE - 1) & -PAGE;
	uint64_t hint = OUR_PLACE + __atomic_fetch_add(&used, pages + PAGE, __ATOMIC_RELAXED);
	long at = map(hint, pages);

	if (at == -ENOMEM)
		at = map_above_limits(hint, pages);
	return at < 0 ? 0 : (void *)at;
}

#define GRAIN 16

bool cacheprof_arena_reset(struct arena *arena, size_t bytes)
{
	if (arena->base)
		SYSCALL(munmap, arena->base, arena->size);
	arena->size = bytes + ARENA_PIECES * GRAIN;
	arena->base = arena->at = cacheprof_mmap(arena->size);
	return arena->base;
}

void *cacheprof_arena_take(struct arena *arena, size_t bytes)
{
	void *at = arena->at;

	arena->at += (bytes + GRAIN - 1) & -(size_t)GRAIN;
	return at;
}

size_t cacheprof_read(const char *path, void *to, size_t room)
{
	long fd = SYSCALL(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC), got;
	size_t n = 0;

	if (fd < 0)
		return 0;
	while (n < room && (got = SYSCALL(read, fd, (char *)to + n, room - n)) > 0)
		n += (size_t)got;
	SYSCALL(close, fd);
	return n;
}

uint64_t cacheprof_auxiliary(uint64_t type)
{
	Elf64_auxv_t entries[64];
	size_t n = cacheprof_read("/proc/self/auxv", entries, sizeof entries) / sizeof *entries;

	for (size_t i = 0; i < n; i++)
		if (entries[i].a_type == type)
			return entries[i].a_un.a_val;
	return 0;
}

int cacheprof_getpid(void)
{
	return (int)SYSCALL(getpid);
}

int cacheprof_gettid(void)
{
	return (int)SYSCALL(gettid);
}

uint64_t cacheprof_alternate_stack(void)
{
	stack_t stack;

	if (SYSCALL(sigaltstack, 0, &stack) || !(stack.ss_flags & SS_ONSTACK))
		return 0;
	return (uint64_t)stack.ss_sp;
}

uint64_t cacheprof_now_ns(void)
{
	struct timespec now = {0};

	SYSCALL(clock_gettime, CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

_Noreturn void cacheprof_exit_group(int status)
{
	for (;;)
		SYSCALL(exit_group, status);
}

void *cacheprof_memcpy(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;

	while (n--)
		*t++ = *f++;
	return to;
}

void *cacheprof_memset(void *to, int byte, size_t n)
{
	char *t = to;

	while (n--)
		*t++ = (char)byte;
	return to;
}

size_t cacheprof_strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

int cacheprof_strcmp(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (unsigned char)*a - (unsigned char)*b;
}

/* ---- writing ---- */

/* One write, whose SIGPIPE or SIGXFSZ, which the kernel sends to the writing thread, is blocked and
 * then taken away, unless the program had one pending itself. */
static long silent_write(int fd, const char *data, size_t n)
{
	static const struct timespec at_once;
	const uint64_t ours = UINT64_C(1) << (SIGPIPE - 1) | UINT64_C(1) << (SIGXFSZ - 1);
	uint64_t mask, pending = 0, raised;
	long result;

	SYSCALL(rt_sigprocmask, SIG_BLOCK, &ours, &mask, sizeof mask);
	SYSCALL(rt_sigpending, &pending, sizeof pending);
	result = SYSCALL(write, fd, data, n);
	raised = ours & ~pending;
	if (result == -EPIPE || result == -EFBIG)
		SYSCALL(rt_sigtimedwait, &raised, 0, &at_once, sizeof raised);
	SYSCALL(rt_sigprocmask, SIG_SETMASK, &mask, 0, sizeof mask);
	return result;
}

/* Returns 0 or the errno of what failed. */
static int write_all(int fd, const char *data, size_t n)
{
	while (n) {
		long done = silent_write(fd, data, n);

		if (done == -EINTR)
			continue;
		if (done <= 0)
			return done ? (int)-done : EIO;
		data += done;
		n -= (size_t)done;
	}
	return 0;
}

/* ---- text ---- */

/* A text on its way to a descriptor, through a buffer of whoever asks. */
struct text {
	int fd, error;
	char *buffer;
	size_t room, n;
};

/* A text without a descriptor stays in its buffer, and is cut there. */
static void drain(struct text *text)
{
	if (text->fd < 0)
		text->error = ENOSPC;
	else if (!text->error)
		text->error = write_all(text->fd, text->buffer, text->n);
	text->n = 0;
}

static inline void put(struct text *text, char c)
{
	if (text->n == text->room)
		drain(text);
	text->buffer[text->n++] = c;
}

static void put_padded(struct text *text, const char *s, size_t n, size_t width, char padding)
{
	for (; width > n; width--)
		put(text, padding);
	for (size_t i = 0; i < n; i++)
		put(text, s[i]);
}

static void put_quoted(struct text *text, char c)
{
	static const char quoted[] = "\nn\tt\rr";

	for (const char *q = quoted; *q; q += 2)
		if (*q == c) {
			put(text, '\\');
			c = q[1];
			break;
		}
	put(text, c);
}

struct conversion { /* what stands between % and the letter */
	unsigned base;
	size_t width;
	char padding;
	bool comma, wide;
};

static void put_number(struct text *text, const struct conversion *how, uint64_t value,
		       bool negative)
{
	char digits[32], *end = digits + sizeof digits, *at = end;
	unsigned n = 0;

	do {
		if (how->comma && n && n % 3 == 0)
			*--at = ',';
		*--at = "0123456789abcdef"[value % how->base];
		value /= how->base;
		n++;
	} while (value);
	if (negative)
		*--at = '-';
	put_padded(text, at, (size_t)(end - at), how->width, how->padding);
}

/* Reads [0][width or *][,][l]; returns the letter's place. */
static const char *read_conversion(const char *fmt, struct conversion *how, va_list *ap)
{
	*how = (struct conversion){.base = 10, .padding = ' '};
	if (*fmt == '0')
		how->padding = *fmt++;
	if (*fmt == '*') {
		how->width = va_arg(*ap, unsigned);
		fmt++;
	}
	for (; *fmt >= '0' && *fmt <= '9'; fmt++)
		how->width = how->width * 10 + (size_t)(*fmt - '0');
	if (*fmt == ',')
		how->comma = *fmt++;
	if (*fmt == 'l')
		how->wide = *fmt++;
	return fmt;
}

static void put_argument(struct text *text, char letter, struct conversion *how, va_list *ap)
{
	const char *s;
	uint64_t value;
	int number;

	switch (letter) {
	case 'q':
		for (s = va_arg(*ap, const char *); *s; s++)
			put_quoted(text, *s);
		break;
	case 's':
		s = va_arg(*ap, const char *);
		put_padded(text, s, cacheprof_strlen(s), how->width, ' ');
		break;
	case 'd':
		number = va_arg(*ap, int);
		value = (uint64_t)number;
		put_number(text, how, number < 0 ? -value : value, number < 0);
		break;
	case 'x':
		how->base = 16; /* fall through */
	case 'u':
		value = how->wide ? va_arg(*ap, uint64_t) : va_arg(*ap, unsigned);
		put_number(text, how, value, false);
		break;
	default:
		put(text, letter);
	}
}

static void format(struct text *text, const char *fmt, va_list *ap)
{
	for (; *fmt; fmt++) {
		struct conversion how;

		if (*fmt != '%') {
			put(text, *fmt);
			continue;
		}
		fmt = read_conversion(fmt + 1, &how, ap);
		put_argument(text, *fmt, &how, ap);
	}
}

void cacheprof_print(const char *fmt, ...)
{
	char buffer[512];
	struct text text = {.fd = cacheprof_messages_open(), .buffer = buffer, .room = sizeof buffer};
	va_list ap;

	va_start(ap, fmt);
	format(&text, fmt, &ap);
	va_end(ap);
	drain(&text);
	cacheprof_messages_close(text.fd);
}

void cacheprof_no_memory_for(const char *what)
{
	cacheprof_print(SAY "no memory for %s\n", what);
	cacheprof_exit_group(1);
}

void *cacheprof_memory_for(size_t bytes, const char *what)
{
	void *at = cacheprof_mmap(bytes);

	if (!at)
		cacheprof_no_memory_for(what);
	return at;
}

bool cacheprof_format(char *buffer, size_t room, const char *fmt, ...)
{
	struct text text = {.fd = -1, .buffer = buffer, .room = room - 1};
	va_list ap;

	va_start(ap, fmt);
	format(&text, fmt, &ap);
	va_end(ap);
	buffer[text.n] = 0;
	return !text.error;
}

void cacheprof_out_open(struct out *out, int fd)
{
	out->fd = fd;
	out->n = 0;
	out->error = 0;
}

void cacheprof_out(struct out *out, const char *fmt, ...)
{
	struct text text = {out->fd, out->error, out->buffer, sizeof out->buffer, out->n};
	va_list ap;

	va_start(ap, fmt);
	format(&text, fmt, &ap);
	va_end(ap);
	out->n = text.n;
	out->error = text.error;
}

bool cacheprof_out_flush(struct out *out)
{
	struct text text = {out->fd, out->error, out->buffer, sizeof out->buffer, out->n};

	drain(&text);
	out->n = 0;
	out->error = text.error;
	return !out->error;
}
