/* What the stubs (slow_x86_64.S) and the references of strided loops (strides_x86_64.S) do with rows of lines. x86-64
 * only. */

/* For steady rows (d1.h), in cacheprof_steady_constants: for each way all bits of its byte; for each way all but its
 * one of each byte; the lowest bit of each byte, the highest one; STEADY_PRINTER; for each way of LL its number in all
 * groups of four bits; the lowest bit of each of these, the highest one. */
#define CONSTANT_ALL 0
#define CONSTANT_BUT 64
#define CONSTANT_ONES 128
#define CONSTANT_HIGHS 136
#define CONSTANT_PRINTER 144
#define CONSTANT_FOURS 152
#define CONSTANT_LOWS (CONSTANT_FOURS+128)
#define CONSTANT_TOPS (CONSTANT_LOWS+8)

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

/* at: where the line's byte is (ll_map.c). x is lost. To find if its region is not in the table. */
	.macro ll_byte line,at,x,x32,find
	mov	%\line,%\x
	shr	$LL_REGION_AT-1,%\x
	and	$2*(LL_REGIONS-1),%\x32
	mov	cacheprof_ll_regions(%rip),%\at
	lea	(%\at,%\x,8),%\at
	mov	%\line,%\x
	shr	$LL_REGION_AT,%\x
	cmp	%\x,(%\at)
	jne	\find
	mov	%\line,%\x
	shr	$LL_LINE_AT,%\x
	and	$(1<<(LL_REGION_AT-LL_LINE_AT))-1,%\x32
	add	LL_REGION_WAYS(%\at),%\x
	mov	%\x,%\at
	.endm

/* Brings it there. The symbol ll_below: how many bytes below rsp are in use. */
	.macro ll_find line
	lower	ll_below
	save	\line
	call	cacheprof_ll_region
	restore	\line
	raise	ll_below
	.endm

/* With LL by a map (ll_map.c): the line becomes the most recently used one of its set; then to missing, if it was not
 * there. All five registers are lost. */
	.macro ll_steady line,line32,x,x32,y,y32,y8,at,way,missing
.Lagain\@:
	ll_byte	\line,\at,\x,\x32,.Lfind\@
	movzbl	(%\at),%\y32
	mov	%\line,%\x
	and	cacheprof_ll_set_bits(%rip),%\x
	shr	$LL_LINE_AT-3,%\x
	add	cacheprof_ll_orders(%rip),%\x
	test	%\y32,%\y32
	jz	.Lmissed\@
	/* The numbers up to the way's own go one further, and it comes first. */
	and	$15,%\y32
	mov	%\y,%\way
	lea	cacheprof_steady_constants(%rip),%\line
	mov	(%\x),%\y
	mov	CONSTANT_FOURS(%\line,%\way,8),%\line
	xor	%\y,%\line
	mov	%\line,%\at
	sub	cacheprof_steady_constants+CONSTANT_LOWS(%rip),%\at
	not	%\line
	and	%\line,%\at
	and	cacheprof_steady_constants+CONSTANT_TOPS(%rip),%\at
	lea	-1(%\at),%\line
	xor	%\at,%\line
	mov	%\y,%\at
	shl	$4,%\at
	xor	%\y,%\at
	and	%\line,%\at
	xor	%\at,%\y
	or	%\way,%\y
	mov	%\y,(%\x)
	jmp	.Ldone\@
	/* The least recently used way, which comes last, gets it. */
.Lmissed\@:
	mov	(%\x),%\y
	test	%\y,%\y
	jz	.Lempty\@
.Lreplace\@:
	rol	$4,%\y
	mov	%\y,(%\x)
	and	$15,%\y32
	lea	cacheprof_ll_tags_at(%rip),%\way
	mov	(%\way,%\y,8),%\way
	or	$LL_PRESENT,%\y32
	mov	%\y8,(%\at)
	shr	%\x
	mov	%\line,%\y
	shr	$LL_TAG_AT,%\y
	not	%\y32
	xchg	%\y32,(%\way,%\x)
	test	%\y32,%\y32
	jz	\missing
	not	%\y32
	shl	$LL_TAG_AT,%\y
	and	$(1<<LL_TAG_AT)-1,%\line32
	or	%\y,%\line
.Lgone\@:
	ll_byte	\line,\at,\x,\x32,.Lfind_gone\@
	movb	$0,(%\at)
	jmp	\missing
.Lempty\@:
	mov	$LL_FIRST_ORDER,%\y
	jmp	.Lreplace\@
.Lfind\@:
	ll_find	\line
	jmp	.Lagain\@
.Lfind_gone\@:
	ll_find	\line
	jmp	.Lgone\@
.Ldone\@:
	.endm
