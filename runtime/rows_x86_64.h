/* What the stubs (slow_x86_64.S) and the references of strided loops (strides_x86_64.S) do with rows of lines. x86-64
 * only. */

/* For steady rows (d1.h), in cacheprof_steady_constants: for each way all bits of its byte; for each way all but its
 * one of each byte; the lowest bit of each byte, the highest one; STEADY_PRINTER. For ranked rows: of four bits each
 * the lowest one, and the highest. As at the beginning once more, for ways of the first half and the second one in
 * turn. */
#define CONSTANT_ALL 0
#define CONSTANT_BUT 64
#define CONSTANT_ONES 128
#define CONSTANT_HIGHS 136
#define CONSTANT_PRINTER 144
#define CONSTANT_RANK_ONES 152
#define CONSTANT_RANK_HIGHS 160
#define CONSTANT_IN_TURN 168
#define HIGH_BIT 7 /* of a byte */

/* The number of the lowest bit that is set; one is. Where there is no tzcnt it does what bsf does, which takes several
 * times as long on AMD's processors. */
	.macro lowest_bit of,number
	tzcnt	%\of,%\number
	.endm

/* To x: the prints of line a in each of the ways. */
	.macro prints a,x
	mov	%\a,%\x
	shr	$STEADY_TAG_AT,%\x
	imul	cacheprof_steady_constants+CONSTANT_PRINTER(%rip),%\x
	.endm

/* To y: the highest bit of the lowest byte of x that is 0, and perhaps of others above it; ZF: none is. */
	.macro zero_bytes x,y
	mov	%\x,%\y
	sub	cacheprof_steady_constants+CONSTANT_ONES(%rip),%\y
	not	%\x
	and	%\x,%\y
	and	cacheprof_steady_constants+CONSTANT_HIGHS(%rip),%\y
	.endm

/* Ranked rows (d1.h). To missing if the line is in none of the row's ways, the row being where its filter's entry is;
 * else n: four times the way. x and y are lost. */
	.macro ranked_find line,row,x,y,n,missing
	prints	\line,\x
	mov	%\x,%\n
	xor	%gs:RANKED_PRINTS(%\row),%\x
	xor	%gs:RANKED_PRINTS+8(%\row),%\n
	zero_bytes \x,\y
	zero_bytes \n,\x
	/* A bit for each way with its print, and perhaps for others above it. */
	shr	$HIGH_BIT,%\y
	shr	$HIGH_BIT-4,%\x
	or	%\x,%\y
.Lnext\@:
	jz	\missing
	lowest_bit \y,\n
	lea	(%\row,%\n),%\x
	cmp	%\line,%gs:FILTER_ROWS(,%\x,RANKED_ROW)
	je	.Lhere\@
	lea	-1(%\y),%\x
	and	%\x,%\y
	jmp	.Lnext\@
.Lhere\@:
	.endm

/* That way becomes the most recently used one. n, x, y and z are lost. */
	.macro ranked_used row,n,x,y,z
	lea	cacheprof_ranked(%rip),%\x
	mov	%gs:RANKED_ORDER(%\row),%\z
	mov	(%\x,%\n,2),%\y
	mov	RANKED_NEWEST(%\x,%\n,2),%\n
	xor	%\z,%\y
	xor	RANKED_START(%\x),%\z
	/* Its rank is the lowest one of y that is 0. y: all bits of those below it. */
	mov	%\y,%\x
	sub	cacheprof_steady_constants+CONSTANT_RANK_ONES(%rip),%\x
	not	%\y
	and	%\y,%\x
	and	cacheprof_steady_constants+CONSTANT_RANK_HIGHS(%rip),%\x
	lea	-1(%\x),%\y
	not	%\x
	and	%\x,%\y
	shr	$3,%\y
	/* Those above it come down. */
	mov	%\z,%\x
	shr	$4,%\x
	xor	%\x,%\z
	and	%\y,%\z
	xor	%\x,%\z
	or	%\n,%\z
	xor	cacheprof_ranked+RANKED_START(%rip),%\z
	mov	%\z,%gs:RANKED_ORDER(%\row)
	.endm

/* The line takes the place of the least recently used one. x, y, z and base, which may be row, are lost. */
	.macro ranked_replace line,row,x,y,z,base
	lea	cacheprof_ranked(%rip),%\x
	mov	%gs:RANKED_ORDER(%\row),%\z
	xor	RANKED_START(%\x),%\z
	mov	%\z,%\y
	and	$15,%\y
	shr	$4,%\z
	or	RANKED_NEWEST(%\x,%\y,8),%\z
	xor	RANKED_START(%\x),%\z
	mov	%\z,%gs:RANKED_ORDER(%\row)
	lea	(%\row,%\y,4),%\z
	mov	%\line,%gs:FILTER_ROWS(,%\z,RANKED_ROW)
	mov	%\y,%\x
	and	$1,%\x
	lea	(%\row,%\x,8),%\x
	shr	%\y
	prints	\line,\z
	xor	%gs:RANKED_PRINTS(%\x),%\z
	lea	cacheprof_steady_constants(%rip),%\base
	and	CONSTANT_ALL(%\base,%\y,8),%\z
	xor	%\z,%gs:RANKED_PRINTS(%\x)
	.endm

/* Steady rows (d1.h) by AVX-512, for the place of the entry. The way whose bit k6 and bit have becomes the most
 * recently used one: (order | all bits of its byte) & ~its bit of each byte. zmm28 and zmm30 are lost. Orders are
 * loaded and stored as 16 bytes, of which the second half is nobody's. */
#define MADE_NEWEST 0x0e
	.macro vector_used entry,bit
	vpmovm2b %k6,%xmm28
	vpbroadcastb %\bit,%xmm30
	vpternlogq $MADE_NEWEST,%gs:STEADY_ORDER(%\entry),%xmm28,%xmm30
	vmovdqa64 %xmm30,%gs:STEADY_ORDER(%\entry)
	.endm

/* The line in zmm29 takes the place of the least recently used one of the row in zmm28. These, bit and zmm30 are
 * lost. */
	.macro vector_replace entry,bit
	vmovdqa64 %gs:STEADY_ORDER(%\entry),%xmm30
	vptestnmb %xmm30,%xmm30,%k6
	kmovd	%k6,%\bit
	vmovdqa64 %zmm29,%zmm28{%k6}
	vmovdqa64 %zmm28,%gs:FILTER_ROWS(%\entry)
	vpmovm2b %k6,%xmm28
	vpbroadcastb %\bit,%xmm29
	vpternlogq $MADE_NEWEST,%xmm30,%xmm28,%xmm29
	vmovdqa64 %xmm29,%gs:STEADY_ORDER(%\entry)
	.endm

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

	/* byte: where the line's byte is (ll_map.c); to missing if its region has none yet. x is lost. */
	.macro ll_byte line,byte,x,missing,regions=cacheprof_ll_regions
	mov	%\line,%\x
	shr	$LL_REGION_AT,%\x
	and	$LL_REGIONS-1,%\x
	mov	\regions(%rip),%\byte
	mov	(%\byte,%\x,8),%\x
	test	%\x,%\x
	jz	\missing
	mov	%\line,%\byte
	shr	$LL_LINE_AT,%\byte
	and	$LL_REGION_LINES-1,%\byte
	add	%\x,%\byte
	.endm

	/* Has routine what do something with the line. The symbol ll_below: how many bytes below rsp are in use. */
	.macro ll_call what,line
	lower	ll_below
	save	\line
	call	\what
	restore	\line
	raise	ll_below
	.endm

	/* set: where the line's set is (ll_map.c). */
	.macro ll_set line,set
	mov	%\line,%\set
	and	cacheprof_ll_set_bits(%rip),%\set
	shr	$LL_LINE_AT,%\set
	imul	cacheprof_ll_set_bytes(%rip),%\set
	add	cacheprof_ll_sets(%rip),%\set
	.endm

	/* With LL by a map (ll_map.c): the line, which is in LL, becomes the most recently used one of its set. To
	 * missing if it is not there, to region if its region has no bytes, to number if its set has no number left.
	 * byte8: the lowest byte of byte. All registers that are named but the line's are lost. */
	.macro ll_hit line,byte,byte8,set,way,missing,region,number,regions
	ll_byte	\line,\byte,\set,\region,\regions
	movzbq	(%\byte),%\way
	ll_set	\line,\set
	test	%\way,%\way
	jz	\missing
	movzbq	LL_LAST(%\set),%\byte
	inc	%\byte8
	jz	\number
	mov	%\byte8,LL_LAST(%\set)
	mov	%\byte8,LL_STAMPS-LL_PRESENT(%\set,%\way)
	.endm

	/* The same of any line, or of that which LL takes it for (pages.c); to missing, by way of routine take, if it
	 * was not there. Its register is lost, too. */
	.macro ll_steady line,byte,byte8,set,way,take,missing
	cmpb	$0,cacheprof_ll_paged(%rip)
	jne	.Lpaged\@
.Lagain\@:
	ll_hit	\line,\byte,\byte8,\set,\way,.Lmissed\@,.Lregion\@,.Lnumber\@,cacheprof_ll_regions
	jmp	.Ldone\@
.Lpaged\@:
	ll_call	cacheprof_ll_page,\line
	jmp	.Lagain\@
.Lmissed\@:
	lower	ll_below
	call	\take
	raise	ll_below
	jmp	\missing
.Lregion\@:
	ll_call	cacheprof_ll_region,\line
	jmp	.Lagain\@
.Lnumber\@:
	ll_call	cacheprof_ll_number,\line
	jmp	.Lagain\@
.Ldone\@:
	.endm

	/* way: the stamp of the way found so far, and its number below it; or those of way n, if it is earlier. */
	.macro ll_or_earlier n,set,way,x
	movzbq	LL_STAMPS+\n(%\set),%\x
	shl	$LL_MOST_BITS,%\x
	or	$\n,%\x
	cmp	%\way,%\x
	cmovb	%\x,%\way
	.endm

	/* Such a routine: the line takes the place of the one that was used before all others. Loses the registers of
	 * ll_steady, and x. */
	.macro ll_take name,line,line32,byte,set,way,way32,way8,x,x32,x8
	.set	ll_below,0
	routine	\name
	cmpb	$0,LL_LAST(%\set)
	je	7f
8:	movzbq	LL_STAMPS(%\set),%\way
	shl	$LL_MOST_BITS,%\way
	.irp	n,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	ll_or_earlier \n,\set,\way,\x
	.endr
	cmpb	$LL_MORE,cacheprof_ll_room(%rip)
	jb	6f
	.irp	n,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	ll_or_earlier \n,\set,\way,\x
	.endr
	cmpb	$LL_MOST,cacheprof_ll_room(%rip)
	jb	6f
	.irp	n,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47
	ll_or_earlier \n,\set,\way,\x
	.endr
	.irp	n,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63
	ll_or_earlier \n,\set,\way,\x
	.endr
6:	and	$LL_MOST-1,%\way32
1:	movzbq	LL_LAST(%\set),%\x
	inc	%\x8
	jz	4f
	mov	%\x8,LL_LAST(%\set)
	mov	%\x8,LL_STAMPS(%\set,%\way)
	mov	%\line,%\set
	and	cacheprof_ll_set_bits(%rip),%\set
	shr	$LL_LINE_AT-2,%\set
	lea	cacheprof_ll_tags(%rip),%\x
	add	(%\x,%\way,8),%\set
	or	$LL_PRESENT,%\way32
	mov	%\way8,(%\byte)
	mov	%\line,%\x
	shr	$LL_TAG_AT,%\x
	not	%\x32
	xchg	%\x32,(%\set)
	test	%\x32,%\x32
	jz	3f
	/* The line that goes. */
	not	%\x32
	shl	$LL_TAG_AT,%\x
	and	$(1<<LL_TAG_AT)-1,%\line32
	or	%\x,%\line
2:	ll_byte	\line,\byte,\x,5f
	movb	$0,(%\byte)
3:	ret
4:	ll_call	cacheprof_ll_number,\line
	jmp	1b
5:	ll_call	cacheprof_ll_region,\line
	jmp	2b
7:	ll_call	cacheprof_ll_number,\line
	jmp	8b
	end	\name
	.endm
