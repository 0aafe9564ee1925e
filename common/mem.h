/* Memory of the tools: allocation that cannot fail silently, an arena whose end is the end of the
 * process, and a growing array. */
#ifndef COMMON_MEM_H
#define COMMON_MEM_H

#include <stddef.h>

/* As malloc and friends, but die on failure. xalloc returns zeroed memory. */
void *xalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t count, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t len);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* From the arena (glibc's obstack): never freed singly, zeroed. arena_string copies len bytes and
 * ends them with a NUL; s may be NULL where len is 0. */
void *arena_alloc(size_t size);
char *arena_string(const char *s, size_t len);

/* A growing array: VEC(struct x) v = {0}; VEC_PUSH(&v, item); v.at[i], v.n. */
#define VEC(T)                                                                                     \
	struct {                                                                                   \
		T *at;                                                                             \
		size_t n, room;                                                                    \
	}
#define VEC_RESERVE(v)                                                                             \
	((v)->n < (v)->room                                                                        \
	     ? (void)0                                                                             \
	     : (void)((v)->room = (v)->room ? (v)->room * 2 : 16,                                  \
		      (v)->at = xrealloc((v)->at, (v)->room, sizeof *(v)->at)))
#define VEC_PUSH(v, ...) (VEC_RESERVE(v), (v)->at[(v)->n++] = (__VA_ARGS__))
#define VEC_FREE(v) (free((v)->at), (v)->at = NULL, (v)->n = (v)->room = 0)

#endif
