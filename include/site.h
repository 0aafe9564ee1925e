/* The tables that the instrumenter plants into an object and the runtime reads. Read-only, without
 * dynamic relocations: a "rel" is a signed 32-bit distance from the field's own address, 0 for
 * none. Usable from C and from assembler.
 *
 * For each executable section of each object there is one chunk: its blocks, instructions, sites
 * and cost centres, and the memory for its counters. All counters of a module (executable or shared
 * object) lie in its output section cacheprof_data, which is zero at the start; each thread has a copy
 * of it. Planted code names a counter by its *place*: the number that R_X86_64_DTPOFF32 gives for its
 * symbol, which is the distance from a point of the module, and PLACES_FROM. So it is counted from one point, and
 * the same in every copy. In executables the base of %gs is that point of the thread's copy: `incq %gs:place`. There,
 * too, is the thread's filter, and %gs shows that also where no executable is instrumented.
 * Code compiled with -fPIC finds the point in cacheprof_here. (An operand without a register is what processors since
 * Golden Cove forward from one store to the next load without delay; relative to %rip they do not. Zen 5 does so the
 * other way round, but not where different instructions take turns.) */
#ifndef CACHEPROF_SITE_H
#define CACHEPROF_SITE_H

#define SITE_VERSION 24

/* Bits of chunk.mode: what must be the same in a whole program. */
#define CHUNK_LEVEL_MASK 0x0f
#define CHUNK_SHOWN 0x10 /* each instruction is shown; runtime/show.h */
#define CHUNK_BRANCHES 0x20

/* The filter: the most recently used line of each D1 set. It serves caches with lines of FILTER_LINE
 * bytes whose ways hold FILTER_BYTES or more, as those of all processors since 2000 do; an address's
 * entry is at its bits FILTER_MASK. For other caches it has less (d1.c), or is empty. The entry behind
 * is always 0 and matches the line 0; beside it is the time of the thread's fetches (i1.c). Behind it there is room
 * for the rows of a cache with one for each entry, FILTER_ROWS bytes from it: a multiple of 4096 would look like one
 * place to some processors, which tell by low bits whether a load may be from an earlier store. They take as much as
 * the entries, or twice that (d1.h). */
#define FILTER_BYTES 4096
#define FILTER_LINE 64
#define FILTER_MASK 4032
#define FILTER_NEVER FILTER_BYTES
#define FILTER_CLOCK (FILTER_NEVER + 32)
#define FILTER_ROWS (FILTER_BYTES + FILTER_LINE)
#define FILTER_ROOM (FILTER_ROWS + 2 * FILTER_BYTES)

/* What the relocation counts from is the beginning of thread-local memory or, for ld.bfd in code of executables, its
 * end; cacheprof_data is near to it, on either side. So many bytes further no place is one of the filter's, but in
 * programs with about as many bytes of thread-local memory (threads.c). */
#define PLACES_FROM 16777216

/* Offset in cacheprof_here, and in cacheprof_handy (struct here and struct handy, runtime.h). */
#define HERE_FILTER 8
#define HANDY_ROWS 8
#define HANDY_BESIDE 16
#define HANDY_FAR 24
#define HANDY_PREDICTOR 32
#define HANDY_SIZE 40

/* In a check's table, the lowest bit of the distance to a site's misses: D1's miss is one of a reference of two
 * lines, of which the check looks at the last byte; or the check is a wide cluster's, and the miss is one of any of
 * its segment's references. */
#define MISSES_OF_TWO 1
/* In a check's table: 0 where it is of lanes of one line. Where it is of several references, how far the byte that it
 * looks at, its first one, is behind where the first of them begins, from WHOLE_BYTE on; and WHOLE_WIDE besides if it
 * is a wide cluster's. */
#define WHOLE_BYTE 64
#define WHOLE_WIDE 128
/* Offsets in struct check, struct ordered and struct reference; log2 of a site's misses, in bytes. */
#define CHECK_ORDERED 4
#define CHECK_N 8
#define CHECK_WHOLE 10
#define CHECK_MORE 11
#define CHECK_MISSES 12
#define CHECK_REFS 16
#define ORDERED_REFS 12
#define REFERENCE_AT_SITE 0
#define REFERENCE_AT_DISP 4
#define REFERENCE_AT_FLAGS 11
#define REFERENCE_AT_SIZE 12
#define REFERENCE_LENGTH 16
#define REFERENCE_RIP 8 /* a bit of its flags */
#define MISSES_SHIFT 4
/* Sites of one segment are less than 1 << FIRST_BITS apart. */
#define FIRST_BITS 10

/* The branch predictor (the manual, 5.1), of which each thread has one, for all modules. The history
 * is a byte: the outcomes of the last seven conditional branches, the newest in bit 1, and bit 0 is 0. The
 * 2-bit counter of a branch is the byte of the predictor at its row, which ends in eight 0 bits, + history;
 * the target of an indirect one is at its row. The rows behind the real ones are those of branches that the
 * linker made direct: nobody asks for theirs. */
#define HISTORY_NEWEST 2
#define DIRECTION_ROWS 128
#define DIRECTION_ROW 256
#define TARGET_ROWS 512
#define PREDICTOR_HISTORY 40960 /* offset of the history */

#ifndef __ASSEMBLER__
#include <stdint.h>

typedef int32_t rel;

static inline const void *rel_at(const rel *field)
{
	const char *at = (const char *)field;

	__asm__("" : "+r"(at)); /* the compiler must not think that the result is part of the field */
	return *field ? at + *field : 0;
}

/* The same where there is one. */
static inline const void *rel_there(const rel *field)
{
	const char *at = (const char *)field;

	__asm__("" : "+r"(at));
	return at + *field;
}

struct chunk { /* section cacheprof_chunks */
	uint16_t version; /* SITE_VERSION */
	uint16_t mode;	  /* level and CHUNK_ bits */
	uint32_t text_size; /* bytes of the original section */
	uint32_t align;	  /* of the original section; with text and text_end of all chunks it gives
			   * every section's place in the uninstrumented module (modules.c) */
	rel text;	  /* the instrumented section's first byte */
	rel text_end;	  /* behind its last byte */
	rel blocks;	  /* struct block[n_blocks], by offset */
	rel insns;	  /* uint32_t[n_insns]: centre << 8 | length in bytes, blocks one after the other */
	rel sites;	  /* struct site[n_sites] */
	rel centres;	  /* struct centre_row[n_centres] */
	rel gots;	  /* struct got[n_gots] */
	rel counters;	  /* per-thread: level 1: uint64_t[n_blocks], executions;
			   * level 2: struct block_state[n_blocks] */
	rel times;	  /* uint32_t[n_blocks]: 0, or for one that does not note its time where, from times on, a
			   * list begins: uint32_t n, then n blocks that do, the latest of whose times is its own;
			   * level 2 */
	rel fetches;	  /* per-thread: struct misses[n_centres], I1 misses; level 2 */
	rel misses;	  /* per-thread: struct misses[n_sites]; level 2 */
	rel dynamics;	  /* per-thread: uint64_t[n_dynamics] */
	rel derivations;  /* how the executions of blocks without a counter follow from those of others, in
			   * an order in which they can be worked out. Each: uint32_t n, then n times
			   * block << 1 | 1 to subtract it or 0 to add it */
	rel derived;	  /* per-thread: uint64_t[n_derived], the results when they were last wanted */
	uint32_t n_derived;
	uint32_t n_blocks, n_insns, n_sites, n_centres, n_gots, n_dynamics;
	/* With CHUNK_BRANCHES. */
	rel branches;	  /* struct branch[n_branches] */
	rel rows;	  /* uint64_t[n_branches], filled in when the module is registered: the
			   * offsets of their rows in the predictor */
	rel mispredicts;  /* per-thread: uint64_t[n_branches] */
	uint32_t n_branches;
	/* Functions with plain copies (instrument/copies.h), in the order of their blocks. */
	rel copied;	  /* uint32_t[n_copied]: their first blocks */
	rel asleep;	  /* uint8_t[n_copied], zero at the start, the runtime's to write: 1 where the next
			   * execution is to be the copy's */
	uint32_t n_copied;
	uint32_t n_loops;
	rel loops;	  /* struct loop[n_loops] */
};

/* Vector registers in which others wait. */
#define LOOP_PARK 13
#define LOOP_PARKS 3
#define LOOP_NONE 0xff

/* A loop of one block (instrument/loops.h), while its code from begin on and before end is executed. Registers by
 * number, or LOOP_NONE. A strided loop has several of these. */
struct loop {
	rel begin, end;
	uint32_t block;
	uint8_t counter;   /* its lowest byte, or two less start if that is not 0, has to be added to the block's
			    * counter */
	uint8_t parked[LOOP_PARKS]; /* vector registers from LOOP_PARK on have what is in them natively */
	uint32_t start;
	rel strided;	   /* struct strided, if its references are to be made up for; else 0 */
};

struct block {
	uint32_t offset;     /* of its first byte in the original section */
	uint32_t length;     /* bytes of instructions */
	uint32_t first_insn;
	uint32_t n_insns;
	uint32_t derived;    /* 1 + its number among the derivations, or 0: it has a counter */
};

/* What cold code has of a block that it fetches, so that the runtime need not look elsewhere. */
struct fetched {
	uint32_t offset, length; /* as struct block has them */
	uint32_t insn;	/* its first one, as chunk.insns has it */
	rel chunk;
	uint32_t block; /* its number in the chunk */
	uint8_t moved;	/* how much lower rsp is in the planted code than at the block's beginning, in words */
};

/* What planted code keeps of a block at level 2. */
struct block_state {
	uint64_t executions; /* and BLOCK_KNOWN */
	uint64_t fetched;    /* the time (FILTER_CLOCK) of the last execution, if it notes it */
};
#define BLOCK_KNOWN (1ull << 63) /* all lines of instructions that it fetches are present in I1 */

/* Lines that share an I1 set are never fetched at one time (instrument/ticks.h). Planted code's times serve where
 * ways are FETCH_BYTES long, or a multiple, and lines no longer than FETCH_LINE_MAX. */
#define FETCH_BYTES 4096
#define FETCH_LONGEST 1024 /* bytes of a block, but for its last instruction */
#define FETCH_LINE_MAX 128

enum site_kind { SITE_READ, SITE_WRITE, SITE_INSN /* extra Ir of a rep prefix; no reference */ };
enum {
	SITE_DYNAMIC = 1, /* counted in dynamics[block], not by its block's counter */
	/* A reference of the call of a thread-local sequence. Not simulated. Where the linker made the
	 * sequence shorter (got tells), what is left is */
	SITE_TLS = 2,	    /* nothing, */
	SITE_TLS_READ = 4,  /* or a read of %fs:0, and where the bytes are such one of the GOT, */
	SITE_TLS_SHORT = 8, /* and an instruction less; */
	SITE_TLS_LARGE = 32, /* and an instruction less, and what is left lies before a nop. */
	SITE_MODIFY = 16,   /* a read of what the instruction then writes */
};

struct site {
	uint32_t block;	 /* index into blocks, or into dynamics */
	uint32_t centre; /* index into centres */
	uint16_t size;	 /* bytes of one reference */
	uint8_t kind;	 /* enum site_kind */
	uint8_t flags;
	uint32_t got;	 /* 1 + index into gots if the linker may have relaxed it away, else 0;
			  * SITE_INSN: 1 + index into branches, 0 without CHUNK_BRANCHES */
};

enum predict_kind {
	PREDICT_DIRECTION,
	PREDICT_TARGET,
	PREDICT_REPEAT, /* the branches that a rep prefix is (the manual, 5.1), counted in dynamics[block] */
};

/* A conditional or indirect branch. */
struct branch {
	uint32_t offset; /* of the instruction's first byte in the original section */
	uint32_t block;	 /* index into blocks, or into dynamics */
	uint32_t centre; /* index into centres */
	uint32_t got;	 /* 1 + index into gots if the linker may have made it direct, else 0 */
	uint8_t kind;	 /* enum predict_kind */
	uint8_t condition; /* PREDICT_DIRECTION: CONDITION_ or the lowest four bits of jcc's opcode */
	uint8_t target;	 /* PREDICT_TARGET: register number, or 0xff: in memory, where the first
			  * reference of the instruction is */
	uint8_t unplaced; /* no planted code can look at it: it is counted, and never mispredicted */
};

/* Conditions of loopne, loope, loop and jrcxz, in the order of their opcodes; with CONDITION_ECX they
 * look at ecx. */
#define CONDITION_LOOP 16
#define CONDITION_ECX 32

struct centre_row {
	rel file;     /* NUL-ended names */
	rel function;
	uint32_t line;
};

/* A memory operand that the linker may relax away (mov x@GOTPCREL(%rip), %r -> lea). Whether it
 * did is seen in the linked bytes. The planted check reads its words, filled in when the module is
 * registered: the slot, whose last byte is in its first one's line, and its filter entry, or 0 and
 * FILTER_NEVER. */
struct got {
	rel insn;  /* the instruction's first byte in the instrumented section */
	rel words; /* struct got_words */
	uint8_t length, disp_at; /* bytes of the instruction, and where its displacement stands */
	uint16_t original; /* the two bytes before the displacement as the compiler wrote them: the
			    * linker changes at least one of them when it relaxes */
};

struct got_words {
	uint64_t slot;
	uint64_t entry;
};

struct misses {
	uint64_t l1, ll;
};

/* What a check, or a special reference, covers: its references in program order. Read on the slow
 * path only. */
enum reference_form { /* form of a struct reference; the numbers stand in planted tables */
	FORM_PLAIN, FORM_GOT, FORM_REP, FORM_BIT, FORM_MASKED, FORM_LANES, FORM_GATHER, FORM_XLAT,
	FORM_CALL, FORM_TILE
};
enum {
	REFERENCE_FS = 1,
	REFERENCE_ADDR32 = 4,
	/* REFERENCE_RIP = 8 */
	REFERENCE_INDEX64 = 16, /* FORM_GATHER: indices of 8 bytes, else 4 */
	REFERENCE_EVEX = 32,	/* the mask is a k register, else a vector register */
};

/* FORM_CALL: base points to a range that a called function refers to, in pieces of up to CALL_PIECE bytes
 * that end where an address is a multiple of it. How long the range is, from the arguments in rdi, rsi, rdx: */
#define CALL_PIECE 32
enum call_length { /* extra */
	CALL_BYTES = 1,	    /* rdx */
	CALL_ITEMS,	    /* rsi * rdx */
	CALL_STRING,	    /* the string there, its NUL included */
	CALL_STRING_N,	    /* the same, but rdx bytes at most */
	CALL_FOUND,	    /* up to the character sil or the NUL, included */
	CALL_COPY,	    /* the string at rsi */
	CALL_APPEND,	    /* the same, from the NUL of the string at rdi on */
	CALL_APPEND_N,	    /* the same, but rdx bytes and a NUL at most */
	CALL_SAME_BYTES,    /* up to where rdi and rsi first differ, but rdx bytes at most */
	CALL_SAME_STRING,   /* the same for strings */
	CALL_SAME_STRING_N, /* the same, but rdx bytes at most */
	CALL_STRING_AT_MOST, /* the string there, its NUL included, but rsi bytes at most */
	CALL_ITEMS_CHECKED, /* rdx * rcx */
};

#define TILE_ROW 64 /* bytes that a tile's row has at most */

enum { REP_ALWAYS, REP_WHILE_EQUAL, REP_WHILE_UNEQUAL }; /* extra of FORM_REP */

struct reference {
	uint32_t site;	/* index into the chunk's sites */
	int32_t disp;	/* or, with REFERENCE_RIP, a rel to the operand (FORM_GOT: to its got_words) */
	uint8_t base;	/* register number or 0xff */
	uint8_t index;
	uint8_t scale;	/* 1, 2, 4, 8 */
	uint8_t flags;	/* REFERENCE_ */
	uint16_t size;	/* bytes; the vector forms: of one element, and lanes << 8; 0: the address is not known */
	uint8_t form;	/* enum reference_form */
	uint8_t extra;	/* vector forms: the mask's register; FORM_BIT: the register with the bit
			 * number, its width in bytes << 4; FORM_REP: REP_; FORM_TILE: the tile's
			 * number, index being how far one row is from the last one */
};

/* The references of one check. Where the check is one of several of its segment, ordered lists the
 * whole segment's: caches too small for checks to be independent run that list instead, and go
 * on at its end. */
struct check {
	rel chunk;
	rel ordered; /* struct ordered, or 0 */
	uint16_t n;
	uint8_t whole; /* 1: the first reference covers what the others do, too; 0: lanes; else WHOLE_BYTE,
			* WHOLE_WIDE */
	uint8_t more;  /* checks of its segment behind it, whose cold code is behind its own */
	rel misses;    /* of its first reference's site, in the module's own copy of the counters; MISSES_OF_TWO */
	struct reference refs[];
};

/* A loop that runs without checks (instrument/strides.h) where cacheprof_strides, a byte of the runtime, is 1, not 0.
 * Its references, in program order, by registers as they are where an iteration begins, and by how much the next
 * iteration's addresses are further. */
#define STRIDED_REFS 8		/* of which each is a stream by itself; groups, of which each is one */
#define STRIDED_GROUPED_REFS 16	/* of all groups */
#define STRIDED_EXTENT (2 * FILTER_LINE) /* bytes of a group, at most, where there are others */
#define STRIDED_PHASES 8 /* lines, at most, after which that begins one as it did before */
#define STRIDED_START 32768 /* what its register then counts from, in its lowest two bytes */
#define STRIDED_OPEN 65536  /* in that register: the branch of the iteration before those is still to come */
struct strided_reference {
	struct reference is;
	int32_t step;
	uint8_t by;    /* and so many times what is in this register, if it is not 0xff */
	uint8_t times;
	uint8_t twin;  /* 1: one before it is of the same bytes */
	uint8_t group; /* which one it is in, if there are any */
	uint16_t behind; /* bytes from the group's lowest one on */
	uint16_t extent; /* bytes from there to its end, where it is its group's first; else 0 */
};
/* A register that they refer by and that an iteration changes once: where it has done so. */
struct strided_change {
	rel behind;
	int32_t step;
	uint16_t reg;
	uint16_t by;   /* and by what is in this register, if it is not 0xff */
};
struct strided {
	rel chunk;
	uint32_t block;
	uint32_t branch; /* 1 + index into branches of the one back, or 0: it is not predicted */
	uint8_t counter; /* register: STRIDED_START and the iterations begun since references were made up for */
	uint8_t groups;	 /* if not 0, references are of so many groups, each a stream if it may be; else each is one */
	uint8_t n, n_changes;
	rel counted;	 /* code behind which an iteration has begun */
	rel changes;	 /* struct strided_change[n_changes] */
	struct strided_reference refs[];
};

struct ordered {
	rel chunk;
	rel end; /* code that goes on behind the segment's last check */
	uint32_t n;
	struct reference refs[];
};
/* CHUNK_SHOWN: what is shown directly before an instruction: the fetch of that
 * one and of n_insns - 1 glued to it, and their references. */
struct shown {
	rel chunk;
	uint32_t insn;	/* number in its block */
	uint32_t block;
	uint32_t n_insns;
	uint32_t branch; /* 1 + index into branches, or 0 */
	uint32_t target; /* of an indirect one: index into refs of where the target is, if in memory */
	uint32_t n;
	struct reference refs[];
};
#endif

#endif
