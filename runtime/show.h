/* Who is shown every instruction of a program, and each of its references, in the program's order:
 * those of programs built with --self-check or --trace. One thread at a time. */
#ifndef RUNTIME_SHOW_H
#define RUNTIME_SHOW_H

#include "runtime/special.h"

/* Where the program is: an instruction of this chunk, in this thread, with these references. */
struct place {
	const struct thread *thread;
	const struct chunk *chunk;
	const struct reference *refs;
};

struct watcher {
	/* An instruction is fetched; centre: its number in the chunk. */
	void (*fetch)(const struct place *place, uint32_t centre, uint64_t address, uint64_t size);
	/* size 0: the address is not known, and nothing simulates it. */
	void (*refer)(const struct place *place, uint32_t site, uint64_t address, uint64_t size);
	/* All rounds of a repeated instruction have been told: it counts n times more. */
	void (*repeat)(const struct place *place, uint32_t site, uint64_t n);
	/* Counts begin again. */
	void (*zero)(void);
	/* The module ends, or the process does. */
	void (*end)(void);
	/* That has been said in all modules; the process ends by exit(3), or not. NULL: not asked for. */
	void (*report)(bool by_exit);
	/* A branch, by its number in the chunk: a conditional one is about to be taken or not, an indirect
	 * one to go to target. NULL: not asked for. */
	void (*direction)(const struct place *place, uint32_t branch, bool taken);
	void (*target)(const struct place *place, uint32_t branch, uint64_t target);
};

/* Those of them that are linked in, and NULL (watchers.c) for those that are not. */
extern const struct watcher *const cacheprof_trace;	/* trace.c */
extern const struct watcher *const cacheprof_selfcheck; /* selfcheck.c */

/* Defined beside each of the two, so that a linker that finds them in an archive (gm2's) takes one out of it. */
extern const char cacheprof_watching;

#endif
