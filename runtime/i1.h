/* The fetch model's state, which slow_x86_64.S works on too: offsets and bits for both. */
#ifndef RUNTIME_I1_H
#define RUNTIME_I1_H

/* struct i1_line */
#define I1_STAMP 0
#define I1_SET 8
#define I1_FLAGS 16
#define I1_INSIDE 24
#define I1_ALL 25
#define I1_QUICK 26
#define I1_LINE_SIZE 32

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
		uint8_t *flags;	 /* byte COUNTER_MRU_BYTE of the counter of the first block in it; one
				  * block's follows the other's 8 bytes on */
		uint8_t **each;	 /* all == 0: each block's; they are of two sections */
	};
	uint8_t inside, all; /* bit i: block i lies wholly in the line; has a part in it (i < 8) */
	bool quick;	     /* present, and all its blocks are among the eight */
	bool present;
	bool head, tail;     /* the first or last block goes over its edge */
	uint16_t n;	     /* blocks in it */
};

/* A set: its lines in no order. */
struct i1_set {
	struct i1_line *mru;
	struct i1_line *way[];
};

_Static_assert(offsetof(struct i1_line, set) == I1_SET, "");
_Static_assert(offsetof(struct i1_line, flags) == I1_FLAGS, "");
_Static_assert(offsetof(struct i1_line, inside) == I1_INSIDE, "");
_Static_assert(offsetof(struct i1_line, all) == I1_ALL, "");
_Static_assert(offsetof(struct i1_line, quick) == I1_QUICK, "");
_Static_assert(sizeof(struct i1_line) == I1_LINE_SIZE, "");
#endif

#endif
