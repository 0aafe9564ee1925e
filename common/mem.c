/* Allocation for tools that run once and end: what is needed to the end comes from one arena that
 * nobody frees; what grows comes from the heap. */
#include "common/mem.h"

#include "common/diag.h"

#include <obstack.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc arena_chunk
#define obstack_chunk_free free

static struct obstack arena;
static int arena_ready;

static _Noreturn void no_memory(void)
{
	die("out of memory");
}

void *xalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		no_memory();
	return p;
}

void *xrealloc(void *p, size_t count, size_t size)
{
	void *q = reallocarray(p, count ? count : 1, size);

	if (!q)
		no_memory();
	return q;
}

static void *arena_chunk(size_t size)
{
	return xalloc(1, size);
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xstrndup(const char *s, size_t len)
{
	char *p = strndup(s, len);

	if (!p)
		no_memory();
	return p;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	if (vasprintf(&p, fmt, ap) < 0)
		no_memory();
	va_end(ap);
	return p;
}

void *arena_alloc(size_t size)
{
	if (!arena_ready) {
		obstack_begin(&arena, 1 << 20);
		arena_ready = 1;
	}
	return memset(obstack_alloc(&arena, size), 0, size);
}

char *arena_string(const char *s, size_t len)
{
	char *p = arena_alloc(len + 1);

	if (len)
		memcpy(p, s, len);
	return p;
}
