/* The fetch model's state, which slow_x86_64.S works on too: offsets and bits for both. */
#ifndef RUNTIME_I1_H
#define RUNTIME_I1_H

/* struct i1_line */
#define I1_STAMP 0
#define I1_SET 8
#define I1_KNOWN 16
#define I1_INSIDE 24
#define I1_ALL 26
#define I1_QUICK 30
#define I1_LINE_SIZE 32

/* struct i1_set; the most recently used line at 0 */
#define I1_SET_KNOWN 8
#define I1_SET_ALL 16
#define I1_SET_QUICK 18

/* Blocks of a line for which there is a bit. */
#define I1_BLOCKS 16

/* A block's entry in chunk->lines: its first line's struct i1_line, and in the bits that are 0 in
 * its address the number of further lines; I1_MANY of them or more take the slow way. */
#define I1_MANY 31

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One line of instructions of a thread's program. */
struct i1_line {
	uint64_t stamp;	     /* when it last became the most recently used of its set */
	struct i1_set *set;
	union {
		uint8_t *known; /* the first block's entry in chunk->known; the others' follow */
		uint8_t **each; /* all == 0: each block's; they are of two sections */
	};
	uint16_t inside, all; /* bit i: block i lies wholly in the line; has a part in it (i < I1_BLOCKS) */
	uint16_t n;	      /* blocks in it */
	bool quick;	      /* present, and there is a bit for each of its blocks */
	bool present : 1;
	bool head : 1, tail : 1; /* the first or last block goes over its edge */
};

/* A set: its lines in no order. */
struct i1_set {
	struct i1_line *mru;
	uint8_t *known; /* of mru, as are all and quick; kept here so that displacing it touches */
	uint16_t all;	/* nothing but the set */
	bool quick;
	struct i1_line *way[];
};

_Static_assert(offsetof(struct i1_set, known) == I1_SET_KNOWN, "");
_Static_assert(offsetof(struct i1_set, all) == I1_SET_ALL, "");
_Static_assert(offsetof(struct i1_set, quick) == I1_SET_QUICK, "");

_Static_assert(offsetof(struct i1_line, set) == I1_SET, "");
_Static_assert(offsetof(struct i1_line, known) == I1_KNOWN, "");
_Static_assert(offsetof(struct i1_line, inside) == I1_INSIDE, "");
_Static_assert(offsetof(struct i1_line, all) == I1_ALL, "");
_Static_assert(offsetof(struct i1_line, quick) == I1_QUICK, "");
_Static_assert(sizeof(struct i1_line) == I1_LINE_SIZE, "");
#endif

#endif
