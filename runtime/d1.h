/* What the stubs' common case (slow_x86_64.S) is able to do: cacheprof_vectors. */
#ifndef RUNTIME_D1_H
#define RUNTIME_D1_H

#define VECTORS_NONE 0
#define VECTORS_BEHIND 1 /* the rows, or their first parts, lie behind the filter's entries (site.h) */
#define VECTORS_ROWS 2	 /* they lie elsewhere */

/* How cacheprof_plain (slow_x86_64.S) is to go about the rows for which they do nothing themselves: bits of
 * cacheprof_d1_plain. */
#define PLAIN_OFF 1	   /* not at all, while counting is off */
#define PLAIN_UNFILTERED 2 /* no entry of the filter ever stands, as lines are smaller than PLAIN_LINE_MIN bytes */
#define PLAIN_APART 4	   /* each check by itself */
#define PLAIN_STANDS 8	   /* where an entry may stand it does: none has the place of another that may, and each all
			    * bytes of its lines */
#define PLAIN_LINE_MIN (FILTER_LINE / 2)

/* Their shortest way is for ordinary caches: VECTORS_BEHIND, steady rows of D1, and compact rows of LL (ll.c) of two
 * halves, whose lines are the filter's and whose tags begin at this bit of an address. */
#define LL_TAG_AT 16
#define LL_HALF 32 /* bytes */
#define LL_HALVES_WAYS 16
#define LL_ROW_WAYS 32 /* the most that compact rows have */

/* There, and where LL is by a map (choose_ll, d1.c), D1 has steady rows: a line stays in its way until another one
 * takes that, and the order is a matrix of bits, a byte for each way with the bits of those that were used before it. A
 * way that is used gets all bits, and the others lose theirs for it; the one without any is the least recently used. So
 * no way is dearer than another, and what a hit changes, which the next check of the set waits for, is one word. With
 * AVX-512 all ways are compared at once. Else a line is found by its print in the way, which nobody else keeps: of the
 * number above its set, multiplied, byte n in way n. At these bytes of the filter's entry: */
#define STEADY_PRINTS 8
#define STEADY_ORDER 16
#define STEADY_TAG_AT 12
#define STEADY_PRINTER 0x9e3779b97f4a7c15

/* Where it has another number of ways, up to 16 of FILTER_BYTES each, it has ranked rows there: of so many
 * bytes for one of the filter's entry, and steady, too. Prints of the even ways are in one word, those of the odd ones
 * in another. The order is a word of four bits for each rank, the least recently used way lowest, exclusive-or what it
 * is at the start: each way at its own rank. At these bytes of the filter's entry: */
#define RANKED_ROW 2
#define RANKED_WAYS 16
#define RANKED_PRINTS 8
#define RANKED_ORDER 24
/* In cacheprof_ranked (d1.c): */
#define RANKED_NEWEST 128
#define RANKED_START 256

/* LL by a map (ll_map.c): of addresses, of the byte of a line that is present, and of a set's bytes. */
#define LL_LINE_AT 6
#define LL_REGION_AT 26
#define LL_REGION_LINES (1 << (LL_REGION_AT - LL_LINE_AT))
#define LL_REGIONS (1 << (LL_TAG_AT + 32 - LL_REGION_AT)) /* all that tags tell apart */
#define LL_PRESENT 0x80
#define LL_LAST 0
#define LL_STAMPS 1
/* The ways that it may have, and that its sets may have bytes for. */
#define LL_FEW 16
#define LL_MORE 32
#define LL_MOST_BITS 6
#define LL_MOST (1 << LL_MOST_BITS)

/* Where LL takes pages by numbers (pages.c): bits of an address within a page, and of a page's number within a leaf. */
#define PAGE_AT 12
#define PAGE_LEAF_BITS 17
#define PAGE_LEAF (1 << PAGE_LEAF_BITS)
#define PAGE_LEAVES (1 << (LL_TAG_AT + 32 - PAGE_AT - PAGE_LEAF_BITS))

/* What stands in the filter where no entry does, unless entries are D1's lines: of the kernel's, to which no program
 * refers. To 0 one may, and go on by a handler. */
#define NO_ENTRY -2147483648

#endif
