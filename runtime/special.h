/* References that must be worked out when they are made. */
#ifndef RUNTIME_SPECIAL_H
#define RUNTIME_SPECIAL_H

#include "runtime/models.h"

/* Registers as frame_x86_64.h saves them. */
struct saved {
	uint64_t regs[16];
	uint64_t flags;
};

/* Who is told of the references. */
struct sink {
	/* n references of size bytes, in their order. */
	void (*refer)(const struct sink *sink, uint32_t site, const uint64_t *addresses, unsigned n, uint64_t size);
	/* n instructions more than the block counts; the site is of kind SITE_INSN. */
	void (*repeat)(const struct sink *sink, uint32_t site, uint64_t n);
	/* A branch of such a prefix; the same site. NULL: they are not predicted. */
	void (*branch)(const struct sink *sink, uint32_t site, bool taken);
	/* How many iterations behind the one whose n references, at these addresses, it was just told of only add to
	 * counts; step: from one iteration's address to the next one's. again then tells of all such references of a
	 * site at once. NULL: each reference must be told. */
	uint64_t (*alike)(const struct sink *sink, const struct reference *refs, uint32_t n, const uint64_t *at,
			  int64_t step);
	void (*again)(const struct sink *sink, uint32_t site, uint64_t times);
};

/* Tells sink the references, of whatever form, of one instruction that is about to run: with vector registers and
 * masks as the program has them, since C uses none. */
void cacheprof_special_expand(const struct saved *saved, uint32_t n, const struct reference *refs,
			      const struct sink *sink);

/* Of FORM_LANES, whose size is as struct reference has it: where those begin that are active. Returns how many. */
#define MOST_LANES 16
unsigned cacheprof_special_lanes(const uint64_t *regs, const struct reference *r, uint64_t at[MOST_LANES]);

#endif
