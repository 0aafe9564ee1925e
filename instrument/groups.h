/* Where the memory references of a block are checked.
 *
 * A reference to the most recently used line of its set changes nothing in an LRU cache, so
 * as long as every check of a stretch of code passes, their order and number do not matter, and
 * references may be checked together, before or behind their instructions. A segment is a run of
 * references, in program order, that are checked at one point of the code; a cluster is a
 * part of it that lies within a few bytes and is checked as one range. Segments follow one
 * another in program order; within one, a cluster takes in a later reference only if everything in
 * between has the same base and so cannot share a set with it (see SAME_BASE_REACH), or else the
 * order of two lines in one set could come out wrong. */
#ifndef INSTRUMENT_GROUPS_H
#define INSTRUMENT_GROUPS_H

#include "instrument/liveness.h"

/* Registers that a check needs beside those of its segment's addresses. */
#define CHECK_REGISTERS 2

/* An address in terms of the registers as they are at the point of the check. */
struct address {
	uint8_t base, index, scale, segment; /* as in struct ref */
	int64_t disp;
	struct asm_text symbol;
};

struct planned_ref {
	uint32_t insn;
	uint32_t site; /* of its section */
	const struct ref *ref;
	struct address at;
};

struct cluster {
	uint32_t first, n; /* planned.refs, in program order */
	struct address low; /* the lowest byte */
	uint32_t span;	    /* bytes from there to behind the highest */
	bool special;	    /* an instruction's references that take the special path; low is void */
	bool got;
	bool wide;	    /* too wide for one check: its lowest and its highest byte are checked, whose
			     * lines are all that it touches */
};

struct segment {
	uint32_t point;	   /* instruction before which it is checked */
	uint32_t first, n; /* planned.clusters, by first reference */
	uint32_t first_ref, n_refs; /* planned.in_order */
	regset used;	   /* registers of its addresses */
};

struct planned {
	VEC(struct planned_ref) refs;	  /* cluster by cluster */
	VEC(struct planned_ref) in_order; /* segment by segment, in program order */
	VEC(struct cluster) clusters;
	VEC(struct segment) segments; /* by point */
	uint32_t *first_site;	      /* per instruction: the site of its first reference */
	uint32_t *n_sites;	      /* per section; a rep prefix has one of its own, the last */
};

void groups_find(struct planned *planned, const struct flow *flow, const struct liveness *live);

/* The address as the instruction itself has it. */
struct address address_of(const struct ref *ref);

/* The call of a thread-local sequence, which the linker may take out; its operand cannot be copied. */
bool is_tls_call(const struct insn *i);

/* Whether planted code may stand directly before the instruction. */
bool plantable(const struct unit *unit, uint32_t insn);

/* Whether what is planted in the instruction's block stands behind the instruction: the block's last one, where all of
 * it must stand first, as endbr64, or may be written over, and a label follows. */
bool plantable_behind(const struct flow *flow, uint32_t insn);

/* Whether code before the instruction would keep gdb from knowing the push %rbp; mov %rsp,%rbp with which
 * a function begins: it goes by them to find where the body begins, and sets breakpoints there. */
bool splits_prologue(const struct flow *flow, uint32_t insn);

/* --ddump-annotated */
void groups_dump(const struct planned *planned, const struct flow *flow, FILE *out);

#endif
