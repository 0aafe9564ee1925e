/* References of loops that ran without checks, for strides.c (d1.h): with AVX-512, where caches are ordinary, and with
 * AVX2 in steady rows by prints, or in ranked ones. */
#include "include/site.h"
#include "runtime/d1.h"
#include "runtime/frame_x86_64.h"
#include "runtime/rows_x86_64.h"
#include "runtime/strides_x86_64.h"

	.text

/* ---- ordinary caches, using the vector registers that stubs use ---- */

	/* Line rax goes to LL; to missing if it was not there. It is lost, and so is r10. */
	.macro ll_line_ordinary missing
	mov	%rax,%r10
	shr	$LL_TAG_AT,%r10
	not	%r10d
	vpbroadcastd %r10d,%ymm29
	and	cacheprof_ll_set_bits(%rip),%rax
	rorx	$6,%rax,%r10
	ll_row	rax,r10
	vmovdqa32 (%rax),%ymm28
	vpcmpeqd %ymm29,%ymm28,%k6
	kortestd %k6,%k6
	jz	.Lbehind\@
	ll_front rax
	jmp	.Lfound\@
.Lbehind\@:
	ll_behind r10,rax
	jz	\missing
.Lfound\@:
	.endm

	/* Line rax becomes the first of its set in D1; to missing, where d1_new makes it that, if it was not there.
	 * r10: the place of its entry. r11 is lost. */
	.macro d1_line_ordinary missing
	vpbroadcastq %rax,%zmm29
	mov	%eax,%r10d
	and	$FILTER_MASK,%r10d
	vmovdqa64 %gs:FILTER_ROWS(%r10),%zmm28
	mov	%rax,%gs:(%r10)
	vpcmpeqq %zmm29,%zmm28,%k6
	kmovb	%k6,%r11d
	test	%r11d,%r11d
	jz	\missing
	vector_used r10,r11d
	.endm
	.macro d1_new_ordinary
	vector_replace r10,r11d
	.endm

	.macro begin_ordinary
	.endm
	.macro end_ordinary
	.endm

/* ---- steady rows, using ymm0 to ymm2; r13: cacheprof_steady_constants ---- */

	.macro begin_steady
	save	r12,r13,r14
	lea	cacheprof_steady_constants(%rip),%r13
	.endm
	.macro end_steady
	restore	r14,r13,r12
	.endm

	/* A way becomes the most recently used one of row r10, whose order is given; n + at: where it is where each way
	 * has a word. */
	.macro now_used n,at,order
	or	CONSTANT_ALL+\n\at,%\order
	and	CONSTANT_BUT+\n\at,%\order
	mov	%\order,%gs:STEADY_ORDER(%r10)
	.endm

	/* As above; r12 is lost, too, but at missing it is the row's order. */
	.macro d1_line_steady missing
	mov	%rax,-8(%rsp)
	vpbroadcastq -8(%rsp),%ymm0
	mov	%eax,%r10d
	and	$FILTER_MASK,%r10d
	vpcmpeqq %gs:FILTER_ROWS(%r10),%ymm0,%ymm1
	vpcmpeqq %gs:FILTER_ROWS+32(%r10),%ymm0,%ymm2
	mov	%rax,%gs:(%r10)
	vpblendd $0xaa,%ymm2,%ymm1,%ymm1
	vmovmskps %ymm1,%r11d
	mov	%gs:STEADY_ORDER(%r10),%r12
	test	%r11d,%r11d
	jz	\missing
	lowest_bit r11d,r11d
	now_used CONSTANT_IN_TURN,"(%r13,%r11,8)",r12
	.endm

	/* In the way that was used before all others. r12: the order, as above. */
	.macro d1_new_steady
	mov	%r12,%r11
	sub	CONSTANT_ONES(%r13),%r12
	andn	%r12,%r11,%r12
	and	CONSTANT_HIGHS(%r13),%r12
	lowest_bit r12,r12
	mov	%rax,%gs:FILTER_ROWS-HIGH_BIT(%r10,%r12)
	now_used -HIGH_BIT,"(%r13,%r12)",r11
	mov	%rax,%r11
	shr	$STEADY_TAG_AT,%r11
	imul	CONSTANT_PRINTER(%r13),%r11
	xor	%gs:STEADY_PRINTS(%r10),%r11
	and	CONSTANT_ALL-HIGH_BIT(%r13,%r12),%r11
	xor	%r11,%gs:STEADY_PRINTS(%r10)
	.endm

	ll_take	cacheprof_lines_ll_take,rax,eax,r12,r10,r11,r11d,r11b,r14,r14d,r14b

	/* r11, r12 and r14 are lost, too. */
	.irp	rows,steady,ranked
	.macro ll_line_\rows missing
	ll_steady rax,r12,r12b,r10,r11,cacheprof_lines_ll_take,\missing
	.endm
	.endr

/* ---- ranked rows; r12 to r15 are lost ---- */

	.macro begin_ranked
	save	r12,r13,r14,r15
	.endm
	.macro end_ranked
	restore	r15,r14,r13,r12
	.endm

	.macro d1_line_ranked missing
	mov	%eax,%r10d
	and	$FILTER_MASK,%r10d
	mov	%rax,%gs:(%r10)
	ranked_find rax,r10,r11,r12,r14,\missing
	ranked_used r10,r14,r11,r12,r15
	.endm

	.macro d1_new_ranked
	ranked_replace rax,r10,r11,r12,r14,r13
	.endm

	/* rdi: struct kept_vectors. What steady rows use, and which state is in use (SDM, XGETBV with ecx 1). Parts
	 * that are not are clear, and left so: where they were in use some processors' SSE would be slower. */
#define AVX 4
#define ZMM_HIGH 0x40
	.macro move_kept insn,register,to_memory
	.irp	n,0,1,2
	.if	\to_memory
	\insn	%\register\n,64*\n(%rdi)
	.else
	\insn	64*\n(%rdi),%\register\n
	.endif
	.endr
	.endm
	.macro move_vectors to_memory
	testb	$ZMM_HIGH,KEPT_IN_USE(%rdi)
	jnz	2f
	testb	$AVX,KEPT_IN_USE(%rdi)
	jnz	1f
	move_kept vmovups,xmm,\to_memory
	vzeroupper
	ret
1:	move_kept vmovups,ymm,\to_memory
	ret
2:	move_kept vmovups,zmm,\to_memory
	ret
	.endm
	routine	cacheprof_keep_vectors
	mov	$1,%ecx
	xgetbv
	mov	%eax,KEPT_IN_USE(%rdi)
	move_vectors 1
	end	cacheprof_keep_vectors
	routine	cacheprof_give_vectors_back
	move_vectors 0
	end	cacheprof_give_vectors_back

/* ---- lines ---- */

	/* rdi: a reference's line; esi: whether it is in the next one, too. Returns in eax what it missed: TOUCH_... */
	.macro touch name,rows
	routine	\name
	begin_\rows
	save	rbx
	xor	%ebx,%ebx
	mov	%rdi,%rax
	d1_line_\rows 4f
1:	test	%esi,%esi
	jnz	5f
2:	test	%ebx,%ebx
	jnz	7f
3:	mov	%ebx,%eax
	.cfi_remember_state
	restore	rbx
	end_\rows
	ret
	.cfi_restore_state
4:	d1_new_\rows
	mov	$TOUCH_L1,%ebx
	jmp	1b
5:	lea	FILTER_LINE(%rdi),%rax
	d1_line_\rows 6f
	jmp	2b
6:	d1_new_\rows
	mov	$TOUCH_L1,%ebx
	jmp	2b
7:	mov	%rdi,%rax
	ll_line_\rows 9f
8:	test	%esi,%esi
	jz	3b
	lea	FILTER_LINE(%rdi),%rax
	ll_line_\rows 10f
	jmp	3b
9:	or	$TOUCH_LL,%ebx
	jmp	8b
10:	or	$TOUCH_LL,%ebx
	jmp	3b
	end	\name
	.endm

	touch	cacheprof_touch,ordinary
	touch	cacheprof_steady_touch,steady
	touch	cacheprof_ranked_touch,ranked

	/* rdi: a line; rsi: bytes from one to the next; rdx: how many; ecx: whether references come to two lines,
	 * each of these and the one before it, which then goes to LL, too, if D1 misses the other. Returns in rax how
	 * many D1 missed, in rdx LL. new: D1 has none of them, and need not get them. */

	/* A line whose reference comes to two goes to LL. To on, if the line before it was the last to go there, and is
	 * LL's most recently used one of its set; else rax is that line. next: the line behind the last one. */
	.macro line_before next,on
	mov	%\next,%rax
	lea	(%rdi,%rsi),%\next
	cmp	%rdi,%rax
	je	\on
	mov	%rdi,%rax
	sub	%rsi,%rax
	.endm

	.macro ranked_lines name,new
	routine	\name
	begin_ranked
	save	rbx,rbp
	xor	%ebp,%ebp
	xor	%ebx,%ebx
	xor	%r8d,%r8d
1:	.if	\new
	jmp	3f
	.else
	mov	%rdi,%rax
	d1_line_ranked 3f
	.endif
2:	add	%rsi,%rdi
	dec	%rdx
	jnz	1b
	mov	%rbp,%rax
	mov	%rbx,%rdx
	.cfi_remember_state
	restore	rbp,rbx
	end_ranked
	ret
	.cfi_restore_state
3:	.if	!\new
	d1_new_ranked
	.endif
	inc	%rbp
	xor	%r9d,%r9d
	test	%ecx,%ecx
	jnz	6f
4:	mov	%rdi,%rax
	ll_line_ranked 7f
5:	add	%r9,%rbx
	jmp	2b
6:	line_before r8,4b
	ll_line_ranked 8f
	jmp	4b
7:	mov	$1,%r9d
	jmp	5b
8:	mov	$1,%r9d
	jmp	4b
	end	\name
	.endm

	ranked_lines cacheprof_ranked_lines,0
	ranked_lines cacheprof_ranked_new_lines,1

	/* Of ordinary caches: lines that lie side by side, one or more of one page. In a page LL's tag is the same, and
	 * so is what its rows are scattered by.
	 * rdi: a line; rsi: bytes from one to the next; edx: how many; rcx: by line, the last one in bit 0, whether its
	 * reference comes to the line before, too. Returns such bits: in rax which lines D1 missed, in rdx for which
	 * LL missed one. new: D1 has none of them, and need not get them.
	 * r8: how many lines are to come behind this one; r9: the place of its entry; r11: what the place of its row
	 * of LL is exclusive-or'ed with, and r10: the row for 0, both as bytes of D1's sets, which are twice as many;
	 * ymm31: its tag; rbp and rbx: the bits; r12: the line behind the one that went to LL last; rax and r14 are
	 * lost. */
	.macro ordinary_page new,two
2:	.if	!\new
	vpbroadcastq %rdi,%zmm29
	vmovdqa64 %gs:FILTER_ROWS(%r9),%zmm28
	mov	%rdi,%gs:(%r9)
	vpcmpeqq %zmm29,%zmm28,%k6
	kmovb	%k6,%eax
	test	%eax,%eax
	jnz	5f
	vector_replace r9,eax
	.endif
	bts	%r8,%rbp
	.if	\two
	mov	%r12,%rax
	lea	(%rdi,%rsi),%r12
	bt	%r8,%rcx
	jnc	3f
	cmp	%rdi,%rax
	jne	6f
	.endif
3:	mov	%r9d,%eax
	xor	%r11d,%eax
	shr	%eax
	vmovdqa32 (%r10,%rax),%ymm28
	vpcmpeqd %ymm31,%ymm28,%k6
	kmovb	%k6,%r14d
	blsmsk	%r14d,%r14d
	jc	7f
	kmovb	%r14d,%k6
	valignd	$7,%ymm31,%ymm28,%ymm28{%k6}
	vmovdqa32 %ymm28,(%r10,%rax)
4:	add	%rsi,%rdi
	add	%esi,%r9d
	dec	%r8
	jns	2b
	jmp	.Lpage_done\@
	.if	!\new
5:	vector_used r9,eax
	jmp	4b
	.endif
	/* LL has it not in the first half of the row. */
7:	add	%r10,%rax
	vmovdqa32 %ymm31,%ymm29
	ll_behind r14,rax
	jnz	4b
	bts	%r8,%rbx
	jmp	4b
	.if	\two
6:	mov	%rdi,%rax
	sub	%rsi,%rax
	mov	%r10,%r14
	ll_line_ordinary 8f
	mov	%r14,%r10
	jmp	3b
8:	mov	%r14,%r10
	bts	%r8,%rbx
	jmp	3b
	.endif
.Lpage_done\@:
	.endm

	.macro ordinary_lines name,new
	routine	\name
	save	rbx,rbp,r12,r14
	xor	%ebx,%ebx
	xor	%ebp,%ebp
	xor	%r12d,%r12d
	lea	-1(%rdx),%r8
	mov	%edi,%r9d
	and	$FILTER_MASK,%r9d
	mov	%rdi,%rax
	shr	$LL_TAG_AT,%rax
	not	%eax
	vpbroadcastd %eax,%ymm31
	mov	%rdi,%r10
	and	cacheprof_ll_set_bits(%rip),%r10
	rorx	$6,%r10,%r11
	and	$-2*LL_HALF,%r11
	xor	%r11,%r10
	and	$-FILTER_BYTES,%r10
	shr	%r10
	add	cacheprof_ll_rows(%rip),%r10
	and	$FILTER_MASK,%r11d
	test	%rcx,%rcx
	jnz	9f
	ordinary_page \new,0
10:	mov	%rbp,%rax
	mov	%rbx,%rdx
	.cfi_remember_state
	restore	r14,r12,rbp,rbx
	ret
	.cfi_restore_state
9:	ordinary_page \new,1
	jmp	10b
	end	\name
	.endm

	ordinary_lines cacheprof_page_lines,0
	ordinary_lines cacheprof_new_page_lines,1

	/* The same of steady rows. Lines are found by their prints, which are the same in a page, and LL's bytes and
	 * sets lie side by side, too.
	 * rdi, rsi: as above; r9: lines of the page that are left; r8: what prints are a byte of; rcx: the line's
	 * byte of LL, r15: bytes to the next one's; rbx: its set; rbp: how many D1 missed; r13: the constants; r14:
	 * less the lowest bit of each byte. In memory: */
#define LINES_LEFT 0
#define LINES_SET 8	/* bytes from a set to the next line's */
#define LINES_TWO 16	/* rcx as it came */
#define LINES_NEXT 24	/* the line behind the one that went to LL last */
#define LINES_MISSED 32 /* how many LL missed */
#define LINES_ONE 40	/* the line whose reference LL has missed before it */
#define LINES_PAGED 48	/* bytes from a line to the one that LL takes it for */
#define LINES_BYTES 56

	/* To y the highest bit of the lowest byte of x that is 0, and perhaps of others above it; ZF: none is. */
	.macro zero_bytes_of_line x,y
	lea	(%\x,%r14),%\y
	andn	%\y,%\x,%\y
	and	CONSTANT_HIGHS(%r13),%\y
	.endm

	.macro less_ones
	mov	CONSTANT_ONES(%r13),%r14
	neg	%r14
	.endm

	/* To count: how many of the lines that are left there are up to a page's end, where D1's sets begin again.
	 * left is then without them. */
	.macro lines_of_page count,count32,left
	mov	%edi,%\count32
	shr	$LL_LINE_AT,%\count32
	test	%rsi,%rsi
	js	.Ldown\@
	not	%\count32
.Ldown\@:
	and	$FILTER_BYTES/FILTER_LINE-1,%\count32
	inc	%\count32
	cmp	\left,%\count
	cmova	\left,%\count
	sub	%\count,\left
	.endm

	.macro steady_lines name,new
	routine	\name
	save	rbx,rbp,r12,r13,r14,r15
	lower	LINES_BYTES
	lea	cacheprof_steady_constants(%rip),%r13
	less_ones
	mov	%rsi,%r15
	sar	$LL_LINE_AT,%r15
	mov	%r15,%rax
	imul	cacheprof_ll_set_bytes(%rip),%rax
	mov	%rdx,LINES_LEFT(%rsp)
	mov	%rax,LINES_SET(%rsp)
	mov	%ecx,LINES_TWO(%rsp)
	xor	%ebp,%ebp
	mov	%rbp,LINES_NEXT(%rsp)
	mov	%rbp,LINES_MISSED(%rsp)
	movq	$-1,LINES_ONE(%rsp)
	/* A page. */
1:	lines_of_page r9,r9d,LINES_LEFT(%rsp)
	mov	%rdi,%r8
	shr	$STEADY_TAG_AT,%r8
	imul	CONSTANT_PRINTER(%r13),%r8
3:	mov	%rdi,%r12
	cmpb	$0,cacheprof_ll_paged(%rip)
	jne	20f
21:	ll_byte	r12,rcx,rax,11f
	ll_set	r12,rbx
	sub	%rdi,%r12
	mov	%r12,LINES_PAGED(%rsp)
	/* A line. */
4:	.if	!\new
	mov	%edi,%r10d
	and	$FILTER_MASK,%r10d
	mov	%gs:STEADY_PRINTS(%r10),%r11
	xor	%r8,%r11
	mov	%rdi,%gs:(%r10)
	zero_bytes_of_line r11,r12
	jnz	9f
	/* D1 has it not: it goes into the way that was used before all others. */
5:	mov	%gs:STEADY_ORDER(%r10),%r12
	zero_bytes_of_line r12,rax
	lowest_bit rax,rax
	mov	%rdi,%gs:FILTER_ROWS-HIGH_BIT(%r10,%rax)
	now_used -HIGH_BIT,"(%r13,%rax)",r12
	mov	%gs:STEADY_PRINTS(%r10),%r11
	xor	%r8,%r11
	and	CONSTANT_ALL-HIGH_BIT(%r13,%rax),%r11
	xor	%r11,%gs:STEADY_PRINTS(%r10)
	.endif
	inc	%rbp
	cmpl	$0,LINES_TWO(%rsp)
	jne	14f
6:	movzbl	(%rcx),%eax
	test	%eax,%eax
	jz	12f
	movzbl	LL_LAST(%rbx),%r11d
	inc	%r11b
	jz	13f
	mov	%r11b,LL_LAST(%rbx)
	mov	%r11b,LL_STAMPS-LL_PRESENT(%rbx,%rax)
7:	add	%rsi,%rdi
	add	%r15,%rcx
	add	LINES_SET(%rsp),%rbx
	dec	%r9
	jnz	4b
	cmpq	$0,LINES_LEFT(%rsp)
	jne	1b
	mov	%rbp,%rax
	mov	LINES_MISSED(%rsp),%rdx
	.cfi_remember_state
	raise	LINES_BYTES
	restore	r15,r14,r13,r12,rbp,rbx
	ret
	.cfi_restore_state
	.if	!\new
	/* One of its prints is there. */
8:	lea	-1(%r12),%rax
	and	%rax,%r12
	jz	5b
9:	lowest_bit r12,rax
	cmp	%rdi,%gs:FILTER_ROWS-HIGH_BIT(%r10,%rax)
	jne	8b
	mov	%gs:STEADY_ORDER(%r10),%r12
	now_used -HIGH_BIT,"(%r13,%rax)",r12
	jmp	7b
	.endif
11:	ll_call	cacheprof_ll_region,r12
	jmp	21b
20:	ll_call	cacheprof_ll_page,r12
	jmp	21b
	/* LL has it not. */
12:	mov	LINES_PAGED(%rsp),%rax
	add	%rdi,%rax
	mov	%rcx,%r12
	mov	%rbx,%r10
	call	cacheprof_lines_ll_take
	cmp	%rdi,LINES_ONE(%rsp)
	je	15f
	incq	LINES_MISSED(%rsp)
15:	less_ones
	jmp	7b
13:	mov	LINES_PAGED(%rsp),%r12
	add	%rdi,%r12
	ll_call	cacheprof_ll_number,r12
	jmp	6b
	/* The reference comes to two lines. */
14:	mov	LINES_NEXT(%rsp),%r12
	line_before r12,16f
	mov	%r12,LINES_NEXT(%rsp)
	ll_line_steady 17f
18:	less_ones
	jmp	6b
16:	mov	%r12,LINES_NEXT(%rsp)
	jmp	6b
17:	mov	%rdi,LINES_ONE(%rsp)
	incq	LINES_MISSED(%rsp)
	jmp	18b
	end	\name
	.endm

	steady_lines cacheprof_steady_lines,0
	steady_lines cacheprof_steady_new_lines,1

	/* rdi: struct beside; rsi: iterations. rdi then: the far stream's address, r8: the near one's line, rcx:
	 * iterations until it comes to another one. */
	.macro begin_beside rows
	begin_\rows
	save	rbx
	mov	%rdi,%rbx
	mov	BESIDE_FAR(%rbx),%rdi
	mov	BESIDE_NEAR(%rbx),%r8
	mov	BESIDE_LEFT(%rbx),%rcx
	.endm
	.macro end_beside rows
	mov	%rdi,BESIDE_FAR(%rbx)
	mov	%r8,BESIDE_NEAR(%rbx)
	mov	%rcx,BESIDE_LEFT(%rbx)
	restore	rbx
	end_\rows
	ret
	.endm

	/* r9: the place of the near one's entry. */
	.macro lines_beside name,rows
	routine	\name
	begin_beside \rows
	mov	BESIDE_SET(%rbx),%r9
1:	dec	%rcx
	js	4f
2:	mov	BESIDE_LAST(%rbx),%rax
	add	%rdi,%rax
	xor	%rdi,%rax
	and	$-FILTER_LINE,%rax
	jnz	11f
	mov	%rdi,%rax
	and	$-FILTER_LINE,%rax
	d1_line_\rows	5f
3:	add	BESIDE_STEP(%rbx),%rdi
	cmp	%r9d,%r10d
	je	8f
	dec	%rsi
	jnz	1b
	jmp	9f
	/* The near stream comes to a line. */
4:	add	BESIDE_NEXT(%rbx),%r8
	mov	BESIDE_EACH(%rbx),%rcx
	mov	%r8,%rax
	d1_line_\rows	6f
	mov	%r10d,%r9d
	jmp	2b
5:	d1_new_\rows
	incq	BESIDE_FAR_MISSES(%rbx)
	mov	%r10d,%edx
	ll_line_\rows	7f
	mov	%edx,%r10d
	jmp	3b
6:	d1_new_\rows
	incq	BESIDE_NEAR_MISSES(%rbx)
	mov	%r10d,%r9d
	ll_line_\rows	10f
	jmp	2b
7:	incq	BESIDE_FAR_MISSES+8(%rbx)
	mov	%edx,%r10d
	jmp	3b
10:	incq	BESIDE_NEAR_MISSES+8(%rbx)
	jmp	2b
	/* Both in one set: the near one is the first again, if it stays (struct beside). */
8:	dec	%rsi
	jz	9f
	cmp	BESIDE_AGAIN(%rbx),%rcx
	jl	1b
	mov	%r8,%rax
	d1_line_\rows	1b
	jmp	1b
	/* Two lines. edx: 1: D1 has missed one; 2: one is in near's set; 4: LL has missed one. */
11:	mov	%rdi,%rax
	and	$-FILTER_LINE,%rax
	d1_line_\rows	15f
	xor	%edx,%edx
12:	cmp	%r9d,%r10d
	je	16f
13:	mov	%rdi,%rax
	and	$-FILTER_LINE,%rax
	add	$FILTER_LINE,%rax
	d1_line_\rows	17f
14:	cmp	%r9d,%r10d
	je	18f
19:	test	$1,%dl
	jnz	20f
22:	mov	%r9d,%r10d
	test	$2,%dl
	jnz	3b
	not	%r10d
	jmp	3b
15:	d1_new_\rows
	mov	$1,%edx
	jmp	12b
16:	or	$2,%edx
	jmp	13b
17:	d1_new_\rows
	or	$1,%edx
	jmp	14b
18:	or	$2,%edx
	jmp	19b
20:	incq	BESIDE_FAR_MISSES(%rbx)
	mov	%rdi,%rax
	and	$-FILTER_LINE,%rax
	ll_line_\rows	23f
21:	mov	%rdi,%rax
	and	$-FILTER_LINE,%rax
	add	$FILTER_LINE,%rax
	ll_line_\rows	24f
25:	test	$4,%dl
	jz	22b
	incq	BESIDE_FAR_MISSES+8(%rbx)
	jmp	22b
23:	or	$4,%edx
	jmp	21b
24:	or	$4,%edx
	jmp	25b
9:	end_beside \rows
	end	\name
	.endm

	lines_beside cacheprof_lines_beside,ordinary
	lines_beside cacheprof_steady_lines_beside,steady
	lines_beside cacheprof_ranked_lines_beside,ranked

	/* The same where D1 has none of the lines that the far stream comes to, and need not get them: LL alone has. */
	.macro new_lines_beside name,rows
	routine	\name
	begin_beside \rows
	add	%rsi,BESIDE_FAR_MISSES(%rbx)
1:	dec	%rcx
	js	4f
2:	mov	%rdi,%rax
	and	$-FILTER_LINE,%rax
	ll_line_\rows	5f
3:	add	BESIDE_STEP(%rbx),%rdi
	dec	%rsi
	jnz	1b
	.cfi_remember_state
	end_beside \rows
	.cfi_restore_state
	/* The near stream comes to a line. */
4:	add	BESIDE_NEXT(%rbx),%r8
	mov	BESIDE_EACH(%rbx),%rcx
	mov	%r8,%rax
	d1_line_\rows	6f
	jmp	2b
5:	incq	BESIDE_FAR_MISSES+8(%rbx)
	jmp	3b
6:	d1_new_\rows
	incq	BESIDE_NEAR_MISSES(%rbx)
	ll_line_\rows	7f
	jmp	2b
7:	incq	BESIDE_NEAR_MISSES+8(%rbx)
	jmp	2b
	end	\name
	.endm

	new_lines_beside cacheprof_new_lines_beside,ordinary
	new_lines_beside cacheprof_steady_new_lines_beside,steady
	new_lines_beside cacheprof_ranked_new_lines_beside,ranked

	.section .note.GNU-stack,"",@progbits
