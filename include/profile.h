/* The profile, cacheprof.out: Cachegrind's "cachegrind.out" format, in prose.
 *
 *	desc: I1 cache:         32768 B, 64 B, 8-way associative
 *	desc: D1 cache:         32768 B, 64 B, 8-way associative
 *	desc: LL cache:         8388608 B, 64 B, 16-way associative
 *	desc: cacheprof level:  2
 *	desc: Trigger: Client Request: reason                    (of a part of a run)
 *	desc: refs 4 B:         Dr D1mr DLmr Dw D1mw DLmw        (six numbers; one line a size)
 *	cmd: ./foo bar
 *	events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw           (level 1: Ir Dr Dw;
 *	                                     with --branch-sim=yes further Bc Bcm Bi Bim)
 *	fl=/home/me/foo.c
 *	fn=main
 *	12 5 1 1 2 0 0
 *	summary: ...
 *
 * "direct-mapped" stands for "1-way associative". The sizes of the "refs" lines are the byte
 * sizes 1, 2, 4, 8, 16, 32, 64 and "other"; every size is present, in this order; at level 1 the
 * misses are 0. Files, functions and lines are sorted; each fl= is followed by an fn=. An unknown
 * file or function is "???", an unknown line 0. A count line is the line number and one count per
 * event; trailing zero counts may be left out and "." stands for zero. summary: has one total
 * per event.
 *
 * cacheprof.out.summary gets one line appended per run:
 *	cmd<TAB>level<TAB>event=total<TAB>... */
#ifndef CACHEPROF_PROFILE_H
#define CACHEPROF_PROFILE_H

#define PROFILE_DEFAULT_NAME "cacheprof.out"
#define PROFILE_SUMMARY_SUFFIX ".summary"
#define PROFILE_UNKNOWN "???"
#define PROFILE_SIZE_CLASSES 8 /* 1, 2, 4, 8, 16, 32, 64, other */

#endif
