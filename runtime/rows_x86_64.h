/* What the stubs (slow_x86_64.S) and the references of strided loops (strides_x86_64.S) do with rows of lines. x86-64
 * only. */

/* For steady rows (d1.h), in cacheprof_steady_constants: for each way all bits of its byte; for each way all but its
 * one of each byte; the lowest bit of each byte, the highest one; STEADY_PRINTER. */
#define CONSTANT_ALL 0
#define CONSTANT_BUT 64
#define CONSTANT_ONES 128
#define CONSTANT_HIGHS 136
#define CONSTANT_PRINTER 144

/* Of these masks, each of one bit or none: a bit's, and all below it; all, where there is none. In mask registers:
 * by way of a general one it takes twice the time, which the next check of the row waits for. */
	.macro up_to_found masks:vararg
	kxnord	%k5,%k5,%k5
	.irp	k,\masks
	kaddd	%\k,%\k,%\k
	kaddd	%k5,%\k,%\k
	.endr
	.endm

/* Where caches are ordinary (d1.h): a line's set bits become the place of its row of LL (ll.c). shifted: the
 * same bits, 6 further to the right; lost. */
	.macro ll_row set,shifted
	and	$-2*LL_HALF,%\shifted
	xor	%\shifted,%\set
	shr	%\set
	add	cacheprof_ll_rows(%rip),%\set
	.endm

/* Where caches are ordinary (d1.h): the tag in ymm29 becomes the first one of the row of LL at b, whose first half is
 * in ymm28 and has it where k6 has a bit. */
	.macro ll_front b
	up_to_found k6
	valignd	$7,%ymm29,%ymm28,%ymm28{%k6}
	vmovdqa32 %ymm28,(%\b)
	.endm

	/* The line is not in the first half, which moves up. ZF: it is not in the second, either. */
	.macro ll_behind a,b
	mov	cacheprof_ll_far(%rip),%\a
	vmovdqa32 (%\b,%\a),%ymm30
	vpcmpeqd %ymm29,%ymm30,%k6
	kortestd %k6,%k6
	up_to_found k6
	valignd	$7,%ymm28,%ymm30,%ymm30{%k6}
	vmovdqa32 %ymm30,(%\b,%\a)
	valignd	$7,%ymm29,%ymm28,%ymm28
	vmovdqa32 %ymm28,(%\b)
	.endm
