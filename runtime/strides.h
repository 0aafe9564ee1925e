/* Loops that run without checks (instrument/strides.h): what they have referred to is made up for. */
#ifndef RUNTIME_STRIDES_H
#define RUNTIME_STRIDES_H

#include "runtime/models.h"
#include "runtime/strides_x86_64.h"

/* In strides_x86_64.S: a reference to a line, or that and the next one, through D1, and LL if that misses it. Returns
 * TOUCH_L1 and TOUCH_LL for misses. */
typedef unsigned touch(uint64_t line, bool two);
extern uint8_t cacheprof_strides; /* whether they may be used: */
touch *cacheprof_touch_of_rows(void); /* the one for D1's rows */

/* Where lines are found by prints, those use vector registers, which must be kept for the planted code. */
struct kept_vectors {
	char registers[KEPT_VECTORS][64];
	uint32_t in_use; /* bits as in XCR0 */
};
void cacheprof_keep_vectors(struct kept_vectors *kept);
void cacheprof_give_vectors_back(const struct kept_vectors *kept);
touch cacheprof_touch, cacheprof_steady_touch, cacheprof_ranked_touch;

/* Counts those iterations that the loop's register has, of a loop that was interrupted at ip, and makes their
 * references and predictions; one that has begun counts as one that is over, but for its branch. Puts the register
 * back. thread: the module's record of the running thread. */
void cacheprof_strided_flush(struct thread *thread, uint64_t *regs, const struct strided *loop, const char *begin,
			     const char *ip);

#endif
