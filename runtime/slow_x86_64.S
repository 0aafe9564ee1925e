/* From planted code into the models. x86-64 only.
 *
 * Planted code jumps to its cold half, which calls a routine here, where there may be a red zone having stepped
 * over it:
 *
 *	call routine				lea -128(%rsp),%rsp
 *	jmp back	<- return address	call routine
 *	.long table - .	<- + TABLE		lea 128(%rsp),%rsp	<- return address
 *						jmp back
 *						.long table - .		<- + TABLE_FARTHER + TABLE
 *
 * A routine changes no register but the flags. Those named for a pair of registers, a and b, get in b
 * the place of a cluster's first byte in the filter, and in a the address of that byte, exclusive-or the
 * line that stands there; and on the stack, above the return address, what the last byte is from the first. They
 * find their table always at the same distance:
 *
 *	push $last				lea -128(%rsp),%rsp
 *	call routine				push $last
 *	jmp back	<- return address	call routine
 *	.long table - .	<- + TABLE		sub $-128,%rsp		<- return address
 *						test $(table - .),%eax	<- + TABLE is its operand
 *						jmp back */
#include "include/site.h"
#include "runtime/d1.h"
#include "runtime/frame_x86_64.h"
#include "runtime/rows_x86_64.h"

	.section cacheprof_data,"awo",@nobits,.text
	.balign	16
	.globl	cacheprof_handy
	.hidden	cacheprof_handy
cacheprof_handy:
	.skip	HANDY_SIZE

	.text
/* Where the flags are free: back at once while counting is off (regions.c). */
	.macro unless off,back=ret
	cmpb	$0,\off(%rip)
	je	.Lon\@
	\back
.Lon\@:
	.endm

/* Registers that a C function may change. */
	.macro save_scratch
	save	rax,rcx,rdx,rsi,rdi,r8,r9,r10,r11
	.endm
	.macro restore_scratch
	restore	r11,r10,r9,r8,rdi,rsi,rdx,rcx,rax
	.endm
#define SCRATCH 72

	routine	cacheprof_enter
	save_scratch
	call	cacheprof_thread_enter
	restore_scratch
	ret
	end	cacheprof_enter

	routine	cacheprof_fetch
	unless	cacheprof_fetch_off
	save_scratch
	mov	SCRATCH(%rsp),%rdi
	look_at_slot rdi
	add	$TABLE,%rdi
	lea	SCRATCH+8(%rsp,%rax),%rsi
	call	cacheprof_i1_fetch
	restore_scratch
	ret
	end	cacheprof_fetch

/* What the module's places are relative to, in its own copy of cacheprof_data. A C function. */
	.globl	cacheprof_places
	.hidden	cacheprof_places
	.type	cacheprof_places,@function
cacheprof_places:
	.cfi_startproc
	xor	%ecx,%ecx
	{disp32} lea	0(%rcx),%rcx
	.reloc	.-4,R_X86_64_DTPOFF32,cacheprof_handy+PLACES_FROM
	lea	cacheprof_handy(%rip),%rax
	sub	%rcx,%rax
	ret
	.cfi_endproc
	.size	cacheprof_places,.-cacheprof_places

/* From a stub, with its own return address and the line below the planted code's:
 *	SCRATCH + 16	return address of the stub
 *	SCRATCH + 8	line
 *	SCRATCH		return address into the stub */
	.macro missed name,model
	routine	\name
	save_scratch
	mov	SCRATCH+8(%rsp),%rdi
	mov	SCRATCH+16(%rsp),%rsi
	movslq	TABLE(%rsi),%rax
	lea	TABLE(%rsi,%rax),%rsi
	call	\model
	restore_scratch
	ret
	end	\name
	.endm
	missed	cacheprof_ll_model,cacheprof_ll_missed

/* For the line that is above the return address. */
	.macro of_line name,model
	routine	\name
	save_scratch
	mov	SCRATCH+8(%rsp),%rdi
	call	\model
	restore_scratch
	ret
	end	\name
	.endm
	of_line	cacheprof_ll_region,cacheprof_ll_new_region
	of_line	cacheprof_ll_number,cacheprof_ll_number_again

/* The line that is above the return address becomes the one that LL takes it for (pages.c). */
	routine	cacheprof_ll_page
	.cfi_remember_state
	save	rax,rcx
	mov	24(%rsp),%rcx
	shr	$PAGE_AT+PAGE_LEAF_BITS,%rcx
	and	$PAGE_LEAVES-1,%ecx
	mov	cacheprof_page_leaves(%rip),%rax
	mov	(%rax,%rcx,8),%rax
	test	%rax,%rax
	jz	1f
	mov	24(%rsp),%rcx
	shr	$PAGE_AT,%rcx
	and	$PAGE_LEAF-1,%ecx
	mov	(%rax,%rcx,4),%eax
	test	%eax,%eax
	jz	1f
	shl	$PAGE_AT,%rax
	andq	$(1<<PAGE_AT)-1,24(%rsp)
	or	%rax,24(%rsp)
	.cfi_remember_state
	restore	rcx,rax
	ret
	.cfi_restore_state
1:	restore	rcx,rax
	.cfi_restore_state
	save_scratch
	mov	SCRATCH+8(%rsp),%rdi
	call	cacheprof_page_address
	mov	%rax,SCRATCH+8(%rsp)
	restore_scratch
	ret
	end	cacheprof_ll_page

/* A check reference by reference; the model may say where to go on. */
	check_routine cacheprof_check_all
	unless	cacheprof_off,back
	save_all 8,0
	call	cacheprof_d1_run
	test	%rax,%rax
	jz	1f
	mov	%rax,136(%rsp)
1:	restore_all
	back
	end	cacheprof_check_all

	routine	cacheprof_request
	save_all
	call	cacheprof_request_run
	restore_all
	ret
	end	cacheprof_request

	.macro strided name,model
	routine	\name
	save_all
	call	\model
	restore_all
	ret
	end	\name
	.endm
	strided	cacheprof_strided,cacheprof_strided_left
	strided	cacheprof_strided_on,cacheprof_strided_goes_on

	/* edx: whether the vector registers that stubs use are free. */
	.macro special name,free
	routine	\name
	save_all
	mov	$\free,%edx
	call	cacheprof_special_run
	restore_all
	ret
	end	\name
	.endm
	special	cacheprof_special,1
	special	cacheprof_scalar_special,0

/* What edi is the number of, for C, which leaves vector and mask registers as the program has them. */
#define CASE_AT 4 /* log2 of the bytes of one number's code */
	.macro by_number
	shl	$CASE_AT,%edi
	lea	701f(%rip),%rax
	add	%rdi,%rax
	notrack jmp *%rax
	.p2align CASE_AT
701:
	.endm
	.macro one insn:vararg
	.p2align CASE_AT
	\insn
	ret
	.endm
/* rsi: where it goes. */
	routine	cacheprof_vector
	cmpl	$0,cacheprof_has_avx512(%rip)
	jne	2f
	cmpl	$0,cacheprof_has_avx(%rip)
	jne	1f
	by_number
	.irp	n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	one	movups %xmm\n,(%rsi)
	.endr
1:	by_number
	.irp	n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	one	vmovdqu %ymm\n,(%rsi)
	.endr
2:	by_number
	.irp	n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	one	vmovdqu64 %zmm\n,(%rsi)
	.endr
	end	cacheprof_vector

	routine	cacheprof_mask
	by_number
	.irp	n,0,1,2,3,4,5,6,7
	one	kmovq %k\n,%rax
	.endr
	end	cacheprof_mask

/* %T, %U and %V: three registers other than %a and %b. */
	.macro pick a,b
	.set	Lax,0
	.set	Lcx,0
	.set	Ldx,0
	.set	Ldi,0
	.set	L8,0
	.irp	r,\a,\b
	.ifc	\r,rax
	.set	Lax,1
	.endif
	.ifc	\r,rcx
	.set	Lcx,1
	.endif
	.ifc	\r,rdx
	.set	Ldx,1
	.endif
	.ifc	\r,rdi
	.set	Ldi,1
	.endif
	.ifc	\r,r8
	.set	L8,1
	.endif
	.endr
	.endm

	.macro stub a,b,d
	pick	\a,\b
	.if	Lax & Lcx
	stub_t	\a,\b,rdx,rsi,\d,dl,edx
	.elseif	Lax & Ldx
	stub_t	\a,\b,rcx,rsi,\d,cl,ecx
	.elseif	Lax
	stub_t	\a,\b,rcx,rdx,\d,cl,ecx
	.elseif	Lcx & Ldx
	stub_t	\a,\b,rax,rsi,\d,al,eax
	.elseif	Lcx
	stub_t	\a,\b,rax,rdx,\d,al,eax
	.else
	stub_t	\a,\b,rax,rcx,\d,al,eax
	.endif
	.endm

	.macro stub_t a,b,T,U,d,T8,T32
	.if	Ldi & L8
	stub_v	\a,\b,\T,\U,r9,\d,\T8,\T32
	.elseif	Ldi
	stub_v	\a,\b,\T,\U,r8,\d,\T8,\T32
	.else
	stub_v	\a,\b,\T,\U,rdi,\d,\T8,\T32
	.endif
	.endm

/* A number of cacheprof_handy. */
	.macro handy insn,field,r,T
#ifdef CACHEPROF_SHARED
	push	%\T
	.cfi_adjust_cfa_offset 8
	mov	cacheprof_here@gottpoff(%rip),%\T
	mov	%fs:(%\T),%\T
	{disp32} \insn	0(%\T),%\r
	.reloc	.-4,R_X86_64_DTPOFF32,cacheprof_handy+\field+PLACES_FROM
	pop	%\T
	.cfi_adjust_cfa_offset -8
#else
	\insn	%gs:0,%\r
	.reloc	.-4,R_X86_64_DTPOFF32,cacheprof_handy+\field+PLACES_FROM
#endif
	.endm

/* What a stub keeps in its red zone: the first byte's address, and its filter entry's place, from which a row's
 * is had sooner than from the address. That counts: the processor holds loads from rows back until it knows
 * where earlier stores to rows went. */
#define ADDRESS -8
#define ENTRY -16
#define FIRST_MISSES -24
#define SECOND_MISSES -32
#define FIRST_KEPT -48

/* The first byte's address is in a: sets a to its line and b to the last byte, and leaves the address where it found
 * how far that is. */
	.macro lines_of a,b
	mov	%\b,ENTRY(%rsp)
	mov	8(%rsp),%\b
	mov	%\a,8(%rsp)
	add	%\a,%\b
	and	$-FILTER_LINE,%\a
	.endm

/* Lines a and b are one: the place of its filter entry, in b. Else to elsewhere, with their exclusive-or in b. */
	.macro entry_of_one a,b,elsewhere
	xor	%\a,%\b
	test	$-FILTER_LINE,%\b
	jne	\elsewhere
	mov	ENTRY(%rsp),%\b
	.endm

/* Line a becomes its entry of the filter; to b, the place of its row. T is kept. */
	.macro row_of a,b,T,elsewhere
	mov	%\a,%\b
	and	$FILTER_MASK,%\b
	mov	%\a,%gs:(%\b)
	.if	\elsewhere
	mov	%\a,%\b
	and	cacheprof_d1_set_mask(%rip),%\b
	handy	add,HANDY_BESIDE,\b,\T
	.endif
	.endm

/* To r: bytes from D1's first row to the one of line a, for any D1. */
	.macro row_offset a,r
	mov	%\a,%\r
	and	cacheprof_d1_set_mask(%rip),%\r
	imul	cacheprof_d1_factor(%rip),%\r
	shr	$16,%\r
	.endm

/* To r: the table, less TABLE bytes, of the check that the return address at this place in the stack leads to. */
	.macro check_table at,r
	mov	\at(%rsp),%\r
	movslq	TABLE(%\r),%\r
	add	\at(%rsp),%\r
	.endm
#define WHOLE TABLE+CHECK_WHOLE
#define MISSES TABLE+CHECK_MISSES
#define ORDERED TABLE+CHECK_ORDERED

/* Of the check whose table a is: makes OWN AT_MISSES(a,b) its misses of D1; those of LL are LL_MISSES bytes further.
 * The distance's lowest bit goes first: what it is added to may be odd. */
#ifdef CACHEPROF_SHARED
#define AT_MISSES(a,b) MISSES(b)
#define OWN
#else
#define AT_MISSES(a,b) MISSES(a,b)
#define OWN %gs:
#endif
#define LL_MISSES 8
	.macro find_misses a,b,of_two
	movslq	MISSES(%\a),%\b
	.ifc	\of_two,may_be_of_two
	and	$-MISSES_OF_TWO-1,%\b
	.endif
	add	cacheprof_to_place(%rip),%\b
#ifdef CACHEPROF_SHARED
	add	%\a,%\b
	mov	cacheprof_here@gottpoff(%rip),%\a
	add	%fs:(%\a),%\b
#endif
	.endm

/* To eax: where the reference at r begins, but for what all of a cluster have in common. */
	.macro reference_begins r=rcx,r32=ecx
	mov	REFERENCE_AT_DISP(%\r),%eax
	testb	$REFERENCE_RIP,REFERENCE_AT_FLAGS(%\r)
	jz	.Lbegins\@
	add	%\r32,%eax
.Lbegins\@:
	.endm

/* What first_in_line has found lately: the distance between two sites, and below it FIRST_ bits, below what it is the
 * answer for, which is the place of cold code, in units of 16 bytes, and, in 7 bits, a distance from a line. 0, too, is
 * no answer for any. */
#define FIRST_BEFORE 1
#define FIRST_BEHIND 2
#define FIRST_KINDS 2 /* bits */
#define ANSWER_BITS (FIRST_BITS+FIRST_KINDS)
#define FIRSTS_BITS 11
#define FIRSTS_MIX 0x4f1bbcdd /* odd */
	.local	cacheprof_firsts
	.comm	cacheprof_firsts,8<<FIRSTS_BITS,FILTER_LINE

/* One of several references of a check misses a line, the first one that is in the line in program order. To r8: how
 * far its misses are behind those of the check's first reference. To elsewhere if it is in two lines, with FIRST_BEFORE
 * or FIRST_BEHIND in eax, or in more, with both. edx: how far the byte that the check looks at, its first one, is
 * behind the line's. The check's table is found at saved; rax, rcx, rdx, rsi, rdi and two words from saved + kept on
 * are lost. */
	.macro first_in_line kept,elsewhere
	mov	saved(%rsp),%rcx
	shr	$4,%rcx
	shl	$7,%rcx
	mov	%edx,%eax
	and	$127,%eax
	or	%rcx,%rax
	imul	$FIRSTS_MIX,%rax,%rcx
	shl	$ANSWER_BITS,%rax
	shr	$FIRST_BITS,%rcx
	and	$(1<<FIRSTS_BITS)-1,%ecx
	lea	cacheprof_firsts(%rip),%rsi
	lea	(%rsi,%rcx,8),%rsi
	mov	(%rsi),%r8
	xor	%rax,%r8
	cmp	$1<<ANSWER_BITS,%r8
	jb	.Lknown\@
	mov	%rax,saved+\kept(%rsp)
	mov	%rsi,saved+\kept+8(%rsp)
	check_table saved,rsi
	mov	TABLE+CHECK_REFS+REFERENCE_AT_SITE(%rsi),%r8d
	/* From its list's distance, 0 where there is none, as many bytes lead to the check's own references. */
	movslq	ORDERED(%rsi),%rcx
	lea	ORDERED+ORDERED_REFS(%rsi,%rcx),%rcx
	jmp	.Lfirst\@
.Lbefore\@:
	add	$REFERENCE_LENGTH,%rcx
.Lfirst\@:
	cmp	%r8d,REFERENCE_AT_SITE(%rcx)
	jne	.Lbefore\@
	/* edx: what to add to where a reference begins, so that it is counted from the line's first byte. */
	movzbl	WHOLE(%rsi),%eax
	and	$WHOLE_WIDE-1,%eax
	sub	%eax,%edx
	add	$WHOLE_BYTE,%edx
	reference_begins
	sub	%eax,%edx
	jmp	.Llook\@
.Lnext\@:
	add	$REFERENCE_LENGTH,%rcx
.Llook\@:
	reference_begins
	add	%edx,%eax
	movzwl	REFERENCE_AT_SIZE(%rcx),%edi
	add	%eax,%edi
	cmp	$FILTER_LINE,%eax
	jge	.Lnext\@
	test	%edi,%edi
	jle	.Lnext\@
	/* It begins before the line; or it ends behind that. */
	shr	$31,%eax
	cmp	$FILTER_LINE,%edi
	jle	.Lends\@
	or	$FIRST_BEHIND,%eax
.Lends\@:
	mov	REFERENCE_AT_SITE(%rcx),%ecx
	sub	%r8d,%ecx
	shl	$FIRST_KINDS,%ecx
	mov	%ecx,%r8d
	or	%rax,%r8
	mov	saved+\kept(%rsp),%rax
	or	%r8,%rax
	mov	saved+\kept+8(%rsp),%rsi
	mov	%rax,(%rsi)
.Lknown\@:
	mov	%r8d,%eax
	shr	$FIRST_KINDS,%r8
	shl	$MISSES_SHIFT,%r8
	and	$FIRST_BEFORE|FIRST_BEHIND,%eax
	jnz	\elsewhere
	.endm

/* Where first_in_line goes elsewhere, of the line or of an address in it at this place in the stack: leaves the
 * reference's other line at other. To line: the line. To elsewhere if there are more, or if the other one is not its
 * set's most recently used one. rax is lost. */
	.macro other_line at,other,line,x,elsewhere
	cmp	$FIRST_BEHIND,%eax
	ja	\elsewhere
	mov	saved+\at(%rsp),%\line
	and	$-FILTER_LINE,%\line
	imul	$2*FILTER_LINE,%eax,%eax
	lea	-3*FILTER_LINE(%\line,%rax),%\x
	mov	%\x,%rax
	and	$FILTER_MASK,%eax
	cmp	%\x,%gs:(%rax)
	jne	\elsewhere
	mov	%\x,saved+\other(%rsp)
	.endm
	/* To rsi and rdi, for OWN AT_MISSES, where that reference's misses are. */
	.macro find_first_misses
	check_table saved,rsi
	find_misses rsi,rdi,may_be_of_two
	add	%r8,%rdi
	.endm

/* The same of the check that is returned to. */
	.macro find_own_misses a,b
	check_table 0,\a
	find_misses \a,\b
	.endm

/* Where caches are ordinary (d1.h), of the line of the address at this place in the stack: b: the first half of its
 * row of LL, which is in ymm28; ymm29: its tag; k6: a bit for the way where it is, if it is there. Register a is
 * lost. */
	.macro ll_look at,a,b
	vpbroadcastd \at+LL_TAG_AT/8(%rsp),%ymm29
	vpternlogd $0x55,%ymm29,%ymm29,%ymm29
	mov	\at(%rsp),%\b
	and	cacheprof_ll_set_bits(%rip),%\b
	rorx	$6,%\b,%\a
	ll_row	\b,\a
	vmovdqa32 (%\b),%ymm28
	vpcmpeqd %ymm29,%ymm28,%k6
	.endm

/* The end of a stub's miss there. */
	.macro ll_ordinary_stub a,b
	check_routine cacheprof_ll_ordinary_\a\()_\b
	ll_look	ADDRESS,\a,\b
	kortestd %k6,%k6
	jz	1f
	ll_front \b
	back
1:	ll_behind \a,\b
	jz	2f
	back
2:	find_own_misses \a,\b
	incq	OWN LL_MISSES+AT_MISSES(%\a,%\b)
	back
	end	cacheprof_ll_ordinary_\a\()_\b
	.endm

/* The same for a reference of two lines, of which D1 missed one or both: they are at ADDRESS and ENTRY. ecx:
 * how many LL misses. */
	.macro ll_go at
	ll_look	\at,rdx,rax
	kortestd %k6,%k6
	jz	1f
	ll_front rax
	jmp	2f
1:	ll_behind rdx,rax
	jnz	2f
	inc	%ecx
2:
	.endm

	check_routine cacheprof_ll_two
	lower	16
	save	rax,rcx,rdx
	xor	%ecx,%ecx
	ll_go	16+24+ADDRESS
	ll_go	16+24+ENTRY
	check_table 16+24,rax
	find_misses rax,rdx,may_be_of_two
	incq	OWN AT_MISSES(%rax,%rdx)
	test	%ecx,%ecx
	jz	1f
	incq	OWN LL_MISSES+AT_MISSES(%rax,%rdx)
1:	restore	rdx,rcx,rax
	raise	16
	back
	end	cacheprof_ll_two

	.macro ordinary_saves
	lower	48
	save	rax,rcx,rdx,rsi,rdi,r8
	.set	saved,96
	.endm
	.macro vectors move,move_mask,back
	.irp	n,28,29,30,31
	moved	\move,zmm\n,64*(\n-28),\back
	.endr
	.irp	n,5,6,7
	moved	\move_mask,k\n,256+8*(\n-5),\back
	.endr
	.endm
	.macro moved move,r,at,back
	.ifc	\back,back
	\move	\at(%rsp),%\r
	.else
	\move	%\r,\at(%rsp)
	.endif
	.endm

	/* Line rdx becomes its entry of the filter, at place. zmm29: the line; zmm28: its row; found: where it is. */
	.macro look_in_row place,place32,found=k6
	mov	%edx,%\place32
	and	$FILTER_MASK,%\place32
	mov	%rdx,%gs:(%\place)
	vpbroadcastq %rdx,%zmm29
	vmovdqa64 %gs:FILTER_ROWS(%\place),%zmm28
	vpcmpeqq %zmm29,%zmm28,%\found
	.endm

/* There, misses of some of several references of a check, whose address is above the return address. */
	.macro ordinary_begin name
	check_routine \name
	ordinary_saves
	mov	saved+8(%rsp),%rdx
	mov	%rdx,saved+ADDRESS(%rsp)
	add	$FILTER_LINE,%rdx
	mov	%rdx,saved+ENTRY(%rsp)
	.endm
#define KEPT 280 /* bytes */
	.macro ordinary_restore
	.if	saved != 96
	vectors	vmovdqu64,kmovq,back
	raise	KEPT
	.endif
	restore	r8,rdi,rsi,rdx,rcx,rax
	raise	48
	.endm
	.macro ordinary_end
	.cfi_remember_state
	ordinary_restore
	back
	.cfi_restore_state
6:	ordinary_restore
	jmp	cacheprof_check_all
	.endm
	/* To r8, of the line that begins so many bytes behind the first one's. */
	.macro ordinary_first behind,elsewhere=6f
	mov	saved+ADDRESS(%rsp),%edx
	and	$FILTER_LINE-1,%edx
	.if	\behind
	sub	$\behind,%edx
	.endif
	first_in_line FIRST_KEPT,\elsewhere
	.endm
	/* The line of the address at this place becomes its set's most recently used one. */
	.macro ordinary_used at
	mov	saved+\at(%rsp),%rdx
	and	$-FILTER_LINE,%rdx
	look_in_row rax,eax
	kmovb	%k6,%ecx
	test	%ecx,%ecx
	jz	.Lreplace\@
	vector_used rax,ecx
	jmp	.Lused\@
.Lreplace\@:
	vector_replace rax,ecx
.Lused\@:
	.endm
	.macro ordinary_missed at
	find_first_misses
	incq	OWN AT_MISSES(%rsi,%rdi)
	xor	%ecx,%ecx
	ll_go	saved+\at
	add	%rcx,OWN LL_MISSES+AT_MISSES(%rsi,%rdi)
	.endm

	/* A miss of the reference whose misses rsi and rdi lead to, which is in the lines at ADDRESS and ENTRY. */
	.macro ordinary_two
	xor	%ecx,%ecx
	ll_go	saved+ADDRESS
	ll_go	saved+ENTRY
	incq	OWN AT_MISSES(%rsi,%rdi)
	test	%ecx,%ecx
	jz	.Lin_ll\@
	incq	OWN LL_MISSES+AT_MISSES(%rsi,%rdi)
.Lin_ll\@:
	.endm

	/* A wide cluster's check, of one byte. */
	.macro ordinary_byte
	ordinary_first 0,.Ltwo\@
	ordinary_used ADDRESS
	ordinary_missed ADDRESS
	jmp	.Lmissed\@
.Ltwo\@:
	other_line ADDRESS,ENTRY,rcx,rdx,6f
	ordinary_used ADDRESS
	find_first_misses
	ordinary_two
.Lmissed\@:
	.endm
	ordinary_begin cacheprof_ll_first
	ordinary_byte
	ordinary_end
	end	cacheprof_ll_first

	/* Of two lines, of which one is in no way where k6 has no bit, and the other one where k7 has none. */
	.macro ordinary_both
	ordinary_used ADDRESS
	ordinary_used ENTRY
	.endm
	.macro ordinary_several
	movq	$-1,saved+FIRST_MISSES(%rsp)
	movq	$-1,saved+SECOND_MISSES(%rsp)
	kortestd %k6,%k6
	jnz	3f
	ordinary_first 0
	mov	%r8,saved+FIRST_MISSES(%rsp)
3:	kortestd %k7,%k7
	jnz	3f
	ordinary_first FILTER_LINE
	mov	%r8,saved+SECOND_MISSES(%rsp)
3:	ordinary_both
	mov	saved+FIRST_MISSES(%rsp),%r8
	test	%r8,%r8
	js	3f
	ordinary_missed ADDRESS
3:	mov	saved+SECOND_MISSES(%rsp),%r8
	test	%r8,%r8
	js	3f
	ordinary_missed ENTRY
3:
	.endm

	.macro ordinary_check
	mov	saved+8(%rsp),%rdx
	mov	saved+ENTRY(%rsp),%rcx
	mov	%rdx,saved+ADDRESS(%rsp)
	xor	%rdx,%rcx
	and	$-FILTER_LINE,%rdx
	look_in_row rax,eax
	test	$-FILTER_LINE,%rcx
	jnz	14f
	kmovb	%k6,%ecx
	test	%ecx,%ecx
	jz	11f
	vector_used rax,ecx
	jmp	16f
	/* A miss, of the check's first reference, or of any. */
11:	check_table saved,rsi
	testb	$MISSES_OF_TWO,MISSES(%rsi)
	jnz	12f
	vector_replace rax,ecx
	xor	%r8d,%r8d
	ordinary_missed ADDRESS
	jmp	16f
	/* The line before has just been D1's most recently used one. */
12:	cmpb	$0,WHOLE(%rsi)
	js	13f
	vector_replace rax,ecx
	mov	saved+ADDRESS(%rsp),%rdx
	mov	%rdx,saved+ENTRY(%rsp)
	subq	$FILTER_LINE,saved+ADDRESS(%rsp)
	jmp	17f
13:	ordinary_byte
	jmp	16f
	/* Two lines. If both are there no miss is to be counted; else a reference that is all of its check misses. */
14:	add	$FILTER_LINE,%rdx
	look_in_row rcx,ecx,k7
	mov	%rdx,saved+ENTRY(%rsp)
	kortestd %k6,%k6
	jz	15f
	kortestd %k7,%k7
	jz	15f
	ordinary_both
	jmp	16f
15:	check_table saved,rsi
	cmpb	$1,WHOLE(%rsi)
	jne	18f
	ordinary_both
17:	find_misses rsi,rdi,may_be_of_two
	ordinary_two
	jmp	16f
18:	ordinary_several
16:	ordinary_end
	.endm

	/* The address of the first byte is above the return address, that of the last one at ENTRY. */
	check_routine cacheprof_ll_both
	ordinary_saves
	ordinary_check
	end	cacheprof_ll_both

	/* The same of code that uses those vector or mask registers itself, which are kept meanwhile. */
	check_routine cacheprof_ll_kept
	ordinary_saves
	lower	KEPT
	.set	saved,96+KEPT
	vectors	vmovdqu64,kmovq
	ordinary_check
	end	cacheprof_ll_kept

/* The end of a stub's miss elsewhere: the line in zmm29 goes to LL, in rows as ll.c has them. b: its number, then
 * its row; a: its tag. */
	.macro ll_stub a,b,d
	check_routine cacheprof_ll_\a\()_\b
	vmovq	%xmm29,%\b
	cmpb	$0,cacheprof_ll_paged(%rip)
	jne	6f
	mov	cacheprof_ll_line_shift(%rip),%\a
	shrx	%\a,%\b,%\b
	mov	cacheprof_ll_tag_shift(%rip),%\a
	shrx	%\a,%\b,%\a
	not	%\d
	vpbroadcastd %\d,%zmm29
	and	cacheprof_ll_set_mask(%rip),%\b
	mov	%\b,%\a
	shr	$6,%\a
	xor	%\a,%\b
	shl	$6,%\b
	add	cacheprof_ll_rows(%rip),%\b
	vmovdqa32 (%\b),%zmm28
	vpcmpeqd %zmm29,%zmm28,%k6
	kortestd %k6,%k6
	jz	2f
	up_to_found k6
	valignd	$15,%zmm29,%zmm28,%zmm28{%k6}
1:	vmovdqa32 %zmm28,(%\b)
	find_own_misses \a,\b
	incq	OWN AT_MISSES(%\a,%\b)
	back
2:	cmpq	$0,cacheprof_ll_far(%rip)
	jne	4f
	kmovw	cacheprof_ll_ways(%rip),%k6
	valignd	$15,%zmm29,%zmm28,%zmm28{%k6}
3:	vmovdqa32 %zmm28,(%\b)
	find_own_misses \a,\b
	incq	OWN AT_MISSES(%\a,%\b)
	incq	OWN LL_MISSES+AT_MISSES(%\a,%\b)
	back
	/* The ways from 16 on. */
4:	add	cacheprof_ll_far(%rip),%\b
	vmovdqa32 (%\b),%zmm30
	vpcmpeqd %zmm29,%zmm30,%k6
	kortestd %k6,%k6
	jz	5f
	up_to_found k6
	valignd	$15,%zmm28,%zmm30,%zmm30{%k6}
	vmovdqa32 %zmm30,(%\b)
	sub	cacheprof_ll_far(%rip),%\b
	valignd	$15,%zmm29,%zmm28,%zmm28
	jmp	1b
5:	kmovw	cacheprof_ll_ways(%rip),%k6
	valignd	$15,%zmm28,%zmm30,%zmm30{%k6}
	vmovdqa32 %zmm30,(%\b)
	sub	cacheprof_ll_far(%rip),%\b
	valignd	$15,%zmm29,%zmm28,%zmm28
	jmp	3b
6:	save	\b
	call	cacheprof_ll_model
	lea	8(%rsp),%rsp
	.cfi_adjust_cfa_offset -8
	back
	end	cacheprof_ll_\a\()_\b
	.endm

/* Where LL is by a map (ll_map.c): steady rows of D1, or ranked ones (d1.h). The stubs
 * themselves find a line that is the first of its print, and end a miss of one line that is in LL. What is otherwise
 * comes here. rax: the place of a row; rdx: the line; rsi: the number of the highest bit of its way's byte, which is
 * the place, HIGH_BIT bytes on, of the way's word where each has one; rcx and rdi are lost. Where the lines are below
 * the stub's rsp, of which registers take 40 or 48 bytes and a call 8 more, and how much of what is below it then they
 * reach: */
#define LINE -64
#define SECOND -72
#define BELOW 24
#define STEADY_KEPT -88

	ll_take	cacheprof_ll_take,rdx,edx,rdi,rax,rcx,ecx,cl,rsi,esi,sil
	.set	ll_below,BELOW

	/* CONSTANT_ALL and CONSTANT_BUT, for these ways. */
	.macro of_ways ways:vararg
	.irp	n,\ways
	.quad	0xff<<(8*\n)
	.endr
	.irp	n,\ways
	.quad	~(0x0101010101010101<<\n)
	.endr
	.endm

	.section .rodata,"a",@progbits
	.balign	64
/* At CONSTANT_...: */
	.globl	cacheprof_steady_constants
	.hidden	cacheprof_steady_constants
cacheprof_steady_constants:
	of_ways	0,1,2,3,4,5,6,7
	.quad	0x0101010101010101
	.quad	0x8080808080808080
	.quad	STEADY_PRINTER
	.quad	0x1111111111111111
	.quad	0x8888888888888888
	of_ways	0,4,1,5,2,6,3,7
	.text

/* The way becomes its row's most recently used one. Leaves the constants in x. */
	.macro used b,way,x,y
	lea	cacheprof_steady_constants(%rip),%\x
	mov	%gs:STEADY_ORDER(%\b),%\y
	or	CONSTANT_ALL-HIGH_BIT(%\x,%\way),%\y
	and	CONSTANT_BUT-HIGH_BIT(%\x,%\way),%\y
	mov	%\y,%gs:STEADY_ORDER(%\b)
	.endm

	.macro use_steady
	used	rax,rsi,rcx,rdi
	.endm

/* rax and rdx, of the line that is there. */
	.macro row_of_line at
	mov	saved+\at(%rsp),%rdx
	mov	%edx,%eax
	and	$FILTER_MASK,%eax
	.endm

/* rsi; to missing if the line is in no way. */
	.macro find_steady missing
	prints	rdx,rdi
	xor	%gs:STEADY_PRINTS(%rax),%rdi
	zero_bytes rdi,rcx
.Lnext\@:
	jz	\missing
	lowest_bit rcx,rsi
	cmp	%rdx,%gs:FILTER_ROWS-HIGH_BIT(%rax,%rsi)
	je	.Lhere\@
	lea	-1(%rcx),%rdi
	and	%rdi,%rcx
	jmp	.Lnext\@
.Lhere\@:
	.endm

/* The line takes the place of the least recently used one. All registers that are named but the line's and the row's
 * are lost. */
	.macro replace_steady line=rdx,row=rax,way=rsi,x=rcx,y=rdi
	mov	%gs:STEADY_ORDER(%\row),%\y
	zero_bytes \y,\x
	lowest_bit \x,\way
	mov	%\line,%gs:FILTER_ROWS-HIGH_BIT(%\row,%\way)
	used	\row,\way,\x,\y
	prints	\line,\y
	xor	%gs:STEADY_PRINTS(%\row),%\y
	and	CONSTANT_ALL-HIGH_BIT(%\x,%\way),%\y
	xor	%\y,%gs:STEADY_PRINTS(%\row)
	.endm

/* The line, which is to replace another, becomes the filter's entry, if it is of a reference that is all of its check.
 * rcx is lost. */
	.macro whole_enters
	check_table saved,rcx
	cmpb	$1,WHOLE(%rcx)
	jne	.Lsteady_several
	mov	%rdx,%gs:(%rax)
	.endm

/* Those that are for two lines have r8, too. */
	.macro steady_begin name,two
	check_routine \name
	save	rax,rcx,rdx,rsi,rdi
	.set	saved,40
	.ifc	\two,two
	save	r8
	.set	saved,48
	.endif
	.endm
	.macro steady_restore
	.if	saved == 48
	restore	r8
	.endif
	restore	rdi,rsi,rdx,rcx,rax
	.endm
	.macro steady_back
	.cfi_remember_state
	steady_restore
	back
	.cfi_restore_state
	.endm
	.macro steady_model
	.cfi_remember_state
	steady_restore
	jmp	cacheprof_check_all
	.cfi_restore_state
	.endm

/* The lines at LINE and SECOND go to LL; to missed if one was not there, from where it goes on at next. */
	.macro both_to_ll missed,next
.Lagain\@:
	mov	saved+LINE(%rsp),%rdx
	ll_steady rdx,rdi,dil,rax,rcx,cacheprof_ll_take,\missed
\next:	mov	saved+SECOND(%rsp),%rdx
	cmp	%rdx,saved+LINE(%rsp)
	mov	%rdx,saved+LINE(%rsp)
	jne	.Lagain\@
	.endm

/* A reference of two lines of which D1 missed one or both, and those are in D1 now. Routines with the same frame jump
 * behind its beginning. */
	steady_begin cacheprof_steady_ll_two,two
.Lsteady_ll_two:
	xor	%r8d,%r8d
	both_to_ll 9f,10
	check_table saved,rcx
	find_misses rcx,rdx,may_be_of_two
	incq	OWN AT_MISSES(%rcx,%rdx)
	test	%r8d,%r8d
	jz	8f
	incq	OWN LL_MISSES+AT_MISSES(%rcx,%rdx)
8:	steady_back
9:	inc	%r8d
	jmp	10b
	end	cacheprof_steady_ll_two

	/* The line is in no way. */
	steady_begin cacheprof_steady_missed
.Lmissed:
	check_table saved,rsi
	testb	$MISSES_OF_TWO,MISSES(%rsi)
	jne	6f
	find_misses rsi,rdi
	incq	OWN AT_MISSES(%rsi,%rdi)
	row_of_line LINE
	replace_steady
.Lsteady_ll:
	ll_steady rdx,rdi,dil,rax,rcx,cacheprof_ll_take,5f
	steady_back
	/* The line before has just been D1's most recently used one. */
6:	cmpb	$0,WHOLE(%rsi)
	js	7f
	row_of_line LINE
	replace_steady
.Lsecond_replaced:
	mov	%rdx,saved+SECOND(%rsp)
	sub	$FILTER_LINE,%rdx
	mov	%rdx,saved+LINE(%rsp)
	.cfi_remember_state
	save	r8
	jmp	.Lsteady_ll_two
	.cfi_restore_state
	.cfi_remember_state
7:	save	r8
	jmp	.Lsteady_first
	.cfi_restore_state
5:	check_table saved,rsi
	find_misses rsi,rdi
	incq	OWN LL_MISSES+AT_MISSES(%rsi,%rdi)
	steady_back
	end	cacheprof_steady_missed

	/* ... and it is in D1 now, and counted as a miss of that. */
	steady_begin cacheprof_steady_ll
	mov	saved+LINE(%rsp),%rdx
	jmp	.Lsteady_ll
	end	cacheprof_steady_ll

	/* The first way with its print has another line. */
	steady_begin cacheprof_steady_find
	row_of_line LINE
	find_steady .Lmissed
	use_steady
	steady_back
	end	cacheprof_steady_find

/* Ranked rows. rcx: four times the way of the line in rdx, which becomes the most recently used one of row rax. All but
 * rax are lost. */
	.macro use_ranked
	ranked_used rax,rcx,rdx,rsi,rdi
	.endm
	.macro find_ranked missing
	ranked_find rdx,rax,rdi,rsi,rcx,\missing
	.endm
	/* rax is lost, too, but rdx is not. */
	.macro replace_ranked
	ranked_replace rdx,rax,rcx,rsi,rdi,rax
	.endm

/* A check of several references, at the address that the stub has left where it found how far the last byte is. */
	.macro first_of_line at,elsewhere
	mov	saved+8(%rsp),%edx
	sub	saved+\at(%rsp),%edx
	first_in_line STEADY_KEPT,\elsewhere
	.endm
	.macro replace_any
	cmpq	$0,cacheprof_d1_ranked(%rip)
	jne	.Lranked\@
	replace_steady
	jmp	.Lreplaced\@
.Lranked\@:
	replace_ranked
.Lreplaced\@:
	.endm
	steady_begin cacheprof_ll_several_steady,two
	/* One byte, of a wide cluster, whose line is in no way. */
.Lsteady_first:
	mov	saved+LINE(%rsp),%rdx
	mov	%rdx,saved+SECOND(%rsp)
	first_of_line LINE,1f
	jmp	5f
1:	other_line LINE,SECOND,rdx,rcx,9f
	mov	%edx,%eax
	and	$FILTER_MASK,%eax
	replace_any
	find_first_misses
	incq	OWN AT_MISSES(%rsi,%rdi)
	both_to_ll 10f,11
	btr	$0,%r8d
	jc	8f
	steady_back
10:	or	$1,%r8d
	jmp	11b
	/* Two lines, of which one is in no way, or both. If the second one's miss is of a reference that is in both,
	 * everything runs, which changes nothing about the first any more. */
.Lsteady_several:
	row_of_line LINE
	cmp	%rdx,%gs:(%rax)
	je	7f
	mov	%rdx,%gs:(%rax)
	cmpq	$0,cacheprof_d1_ranked(%rip)
	jne	3f
	find_steady 4f
	use_steady
	jmp	7f
3:	find_ranked 4f
	use_ranked
	jmp	7f
4:	first_of_line LINE,9f
5:	row_of_line LINE
	replace_any
	find_first_misses
	incq	OWN AT_MISSES(%rsi,%rdi)
	ll_steady rdx,rdi,dil,rax,rcx,cacheprof_ll_take,8f
7:	mov	saved+SECOND(%rsp),%rdx
	cmp	%rdx,saved+LINE(%rsp)
	mov	%rdx,saved+LINE(%rsp)
	jne	.Lsteady_several
	steady_back
8:	find_first_misses
	incq	OWN LL_MISSES+AT_MISSES(%rsi,%rdi)
	jmp	7b
9:	steady_model
	end	cacheprof_ll_several_steady

	/* One line, which is its filter's entry now. */
	steady_begin cacheprof_ranked_one
	row_of_line LINE
	find_ranked 1f
	use_ranked
	steady_back
	/* It is in no way. */
1:	check_table saved,rsi
	testb	$MISSES_OF_TWO,MISSES(%rsi)
	jne	2f
	find_misses rsi,rdi
	incq	OWN AT_MISSES(%rsi,%rdi)
	replace_ranked
	jmp	.Lsteady_ll
	/* The line before has just been D1's most recently used one. */
2:	cmpb	$0,WHOLE(%rsi)
	js	3f
	replace_ranked
	jmp	.Lsecond_replaced
3:	save	r8
	jmp	.Lsteady_first
	end	cacheprof_ranked_one

	/* Two lines, of two sets. If both are there no miss is to be counted; else a reference that is all of its
	 * check misses. way: the register in which the way is found. */
	.macro two_lines rows,way
	steady_begin cacheprof_\rows\()_two,two
	row_of_line LINE
	cmp	%rdx,%gs:(%rax)
	je	1f
	find_\rows 3f
	mov	%\way,%r8
	row_of_line SECOND
	find_\rows 4f
	mov	%rdx,%gs:(%rax)
	use_\rows
	row_of_line LINE
	mov	%rdx,%gs:(%rax)
	mov	%r8,%\way
	use_\rows
	steady_back
	/* The first is the most recently used one of its set, */
1:	row_of_line SECOND
	cmp	%rdx,%gs:(%rax)
	je	6f
	find_\rows 2f
	mov	%rdx,%gs:(%rax)
	use_\rows
6:	steady_back
	/* the second is not there. */
2:	whole_enters
	replace_\rows
	jmp	.Lsteady_ll_two
	/* Not the first, */
3:	whole_enters
	replace_\rows
	row_of_line SECOND
	mov	%rdx,%gs:(%rax)
	find_\rows 5f
	use_\rows
	jmp	.Lsteady_ll_two
	/* nor the second; */
5:	replace_\rows
	jmp	.Lsteady_ll_two
	/* the first only. */
4:	whole_enters
	replace_\rows
	row_of_line LINE
	mov	%rdx,%gs:(%rax)
	mov	%r8,%\way
	use_\rows
	jmp	.Lsteady_ll_two
	end	cacheprof_\rows\()_two
	.endm
	two_lines steady,rsi
	two_lines ranked,rcx

/* Rows for which the stubs do nothing themselves (d1.c). The addresses of the check's first byte and of its last one
 * are at ADDRESS and ENTRY, below the stub's rsp. If both are in one line only the first reference can miss, and does
 * nothing where the line is the most recently used one of its set; but a wide cluster's check has one byte only. Else
 * all references run, in program order, and with them those of its segment's list that are between them, which have the
 * same base: theirs changes nothing any more when their own check comes. Where sets are too near for that (PLAIN_APART)
 * all of the segment's run, in C. */
#define BEGIN saved+ADDRESS(%rsp)
#define END saved+ENTRY(%rsp)
#define MISSED saved+FIRST_MISSES(%rsp)
#define IN_LL_TOO 2

	/* To rax: where the row of line r is. */
	.macro plain_row r,x
	row_offset \r,rax
	handy	add,HANDY_ROWS,rax,\x
	.endm

	/* The filter's entries of the line, or those where they would be, unless it is 0: no line. line and n are
	 * lost. */
	.macro clear_entries line,n
	test	%\line,%\line
	jz	.Lcleared\@
	mov	cacheprof_d1_line_mask(%rip),%\n
.Lentry\@:
	and	$FILTER_MASK,%\line
	movq	$NO_ENTRY,%gs:(%\line)
	add	$FILTER_LINE,%\line
	add	$FILTER_LINE,%\n
	js	.Lentry\@
.Lcleared\@:
	.endm

	/* From the way at rsi on, up to r10, each takes over what the way before it held, which is in rax, until line
	 * rdx is found: then to found. rcx is lost. */
	.macro through_ways found
	jmp	.Lend\@
.Lway\@:
	mov	(%rsi),%rcx
	mov	%rax,(%rsi)
	cmp	%rdx,%rcx
	je	\found
	mov	%rcx,%rax
	add	$8,%rsi
.Lend\@:
	cmp	%r10,%rsi
	jb	.Lway\@
	.endm

	/* The entry of these bytes of memory, at rcx, stands if all lines of them are the most recently used of their
	 * sets. Stored first: a signal's handler may come between. rax and rdx are lost; x is a register. */
	.macro enter x
	mov	%ecx,%eax
	and	$FILTER_MASK,%eax
	mov	%rcx,%gs:(%rax)
	mov	%rcx,%rdx
	and	cacheprof_d1_line_mask(%rip),%rdx
.Lline\@:
	plain_row rdx,\x
	cmp	%rdx,(%rax)
	jne	.Lnone\@
	sub	cacheprof_d1_line_mask(%rip),%rdx
	mov	%rdx,%rax
	sub	%rcx,%rax
	cmp	$FILTER_LINE,%rax
	jb	.Lline\@
	jmp	.Lentered\@
.Lnone\@:
	mov	%ecx,%eax
	and	$FILTER_MASK,%eax
	movq	$NO_ENTRY,%gs:(%rax)
.Lentered\@:
	.endm

	/* To rcx and rsi, for OWN AT_MISSES, where the misses of the reference at rbx are. rax is lost. */
	.macro find_plain_misses
	check_table saved,rcx
	mov	REFERENCE_AT_SITE(%rbx),%eax
	sub	TABLE+CHECK_REFS+REFERENCE_AT_SITE(%rcx),%eax
	movslq	%eax,%rax
	shl	$MISSES_SHIFT,%rax
	find_misses rcx,rsi,may_be_of_two
	add	%rax,%rsi
	.endm

	check_routine cacheprof_plain
	lower	24
	save	rax,rcx,rdx
	.set	saved,24+24
	testl	$PLAIN_OFF,cacheprof_d1_plain(%rip)
	jnz	5f
	mov	BEGIN,%rdx
	mov	%rdx,%rcx
	xor	END,%rcx
	je	4f
	test	cacheprof_d1_line_mask(%rip),%rcx
	jnz	6f
1:	and	cacheprof_d1_line_mask(%rip),%rdx
	plain_row rdx,rcx
	cmp	%rdx,(%rax)
	jne	6f
	testl	$PLAIN_UNFILTERED|PLAIN_STANDS,cacheprof_d1_plain(%rip)
	.cfi_remember_state
	jnz	3f
	/* Mostly it stays out for the other line that it has, if lines are as small as they may be. */
	cmpl	$-PLAIN_LINE_MIN,cacheprof_d1_line_mask(%rip)
	jne	2f
	xor	$PLAIN_LINE_MIN,%rdx
	plain_row rdx,rcx
	cmp	%rdx,(%rax)
	jne	3f
2:	mov	BEGIN,%rcx
	and	$-FILTER_LINE,%rcx
	enter	rdx
3:	restore	rdx,rcx,rax
	raise	24
	back
	.cfi_restore_state
	/* Perhaps a wide cluster's, or the last byte of a reference as long as an entry. That may have another line
	 * in the same entry where lines are half as long, and is run again then, which changes nothing unless two of
	 * its lines are of one set; there the last one is the most recently used only if the first byte's check has
	 * run it. */
	.cfi_remember_state
4:	check_table saved,rcx
	cmpb	$0,WHOLE(%rcx)
	js	6f
	testb	$MISSES_OF_TWO,MISSES(%rcx)
	jz	1b
	cmpl	$-PLAIN_LINE_MIN,cacheprof_d1_line_mask(%rip)
	jne	1b
	cmpq	$FILTER_LINE,cacheprof_d1_set_mask(%rip)
	jb	1b
	jmp	6f
5:	restore	rdx,rcx,rax
	raise	24
	jmp	cacheprof_check_all
	.cfi_restore_state
6:	save	rsi,rdi,r8,r9,r10,r11,rbx,rbp
	.set	saved,24+24+64
	check_table saved,rbx
	testl	$PLAIN_APART,cacheprof_d1_plain(%rip)
	jnz	1f
	cmpl	$0,ORDERED(%rbx)
	.cfi_remember_state
	je	1f
7:	restore	rbp,rbx,r11,r10,r9,r8,rdi,rsi,rdx,rcx,rax
	raise	24
	jmp	cacheprof_check_all
	.cfi_restore_state
	/* rdx: where the reference at rbx begins; r9: the last reference; r8d, rbp: as the first one's table says, and
	 * the address, where that begins. */
1:	mov	BEGIN,%rdx
	movzbl	WHOLE(%rbx),%eax
	cmp	$1,%eax
	jb	7b
	je	2f
	mov	%rax,%rdi
	and	$WHOLE_WIDE-1,%eax
	lea	WHOLE_BYTE(%rdx),%rbp
	sub	%rax,%rbp
	mov	END,%rcx
	xor	%rdx,%rcx
	and	cacheprof_d1_line_mask(%rip),%rcx
	mov	%rbp,%rdx
	test	$WHOLE_WIDE,%dil
	jnz	4f
	test	%rcx,%rcx
	jnz	4f
	lea	TABLE+CHECK_REFS(%rbx),%rbx
	jmp	3f
	/* It covers what the others do, too; but its lines may be more than their sets hold where those are near. */
2:	testl	$PLAIN_APART,cacheprof_d1_plain(%rip)
	jnz	2f
	cmpw	$1,TABLE+CHECK_N(%rbx)
	jne	7b
2:	lea	TABLE+CHECK_REFS(%rbx),%rcx
	testb	$MISSES_OF_TWO,MISSES(%rbx)
	mov	%rcx,%rbx
	jz	3f
	movzwl	REFERENCE_AT_SIZE(%rbx),%eax
	sub	%rax,%rdx
	inc	%rdx
3:	mov	%rbx,%r9
	jmp	.Lreference
4:	movzwl	TABLE+CHECK_N(%rbx),%eax
	imul	$REFERENCE_LENGTH,%eax,%eax
	mov	TABLE+CHECK_REFS-REFERENCE_LENGTH+REFERENCE_AT_SITE(%rbx,%rax),%esi
	mov	TABLE+CHECK_REFS+REFERENCE_AT_SITE(%rbx),%eax
	/* From its list's distance, 0 where there is none, as many bytes lead to the check's own references. */
	movslq	ORDERED(%rbx),%rcx
	lea	ORDERED+ORDERED_REFS-REFERENCE_LENGTH(%rbx,%rcx),%rbx
1:	add	$REFERENCE_LENGTH,%rbx
	cmp	%eax,REFERENCE_AT_SITE(%rbx)
	jne	1b
	lea	-REFERENCE_LENGTH(%rbx),%r9
1:	add	$REFERENCE_LENGTH,%r9
	cmp	%esi,REFERENCE_AT_SITE(%r9)
	jne	1b
	reference_begins rbx,ebx
	mov	%eax,%r8d
.Lreference:
	mov	%rdx,BEGIN
	movzwl	REFERENCE_AT_SIZE(%rbx),%eax
	lea	-1(%rdx,%rax),%r11
	mov	%r11,END
	movb	$0,MISSED
	and	cacheprof_d1_line_mask(%rip),%r11
	and	cacheprof_d1_line_mask(%rip),%rdx
	/* Line rdx; r11: the last one; rsi: its row. */
1:	plain_row rdx,rcx
	mov	%rax,%rsi
	mov	(%rsi),%rax
	cmp	%rdx,%rax
	je	4f
	/* No entry of the filter is of the line that was before it any more; nor of one that a signal's handler has put
	 * there since. */
	mov	%rax,%rcx
	clear_entries rcx,r10
	cmpxchg	%rdx,(%rsi)
	je	2f
	/* A handler has come between, which might go on for ever. */
	mov	%rdx,%rax
	xchg	%rax,(%rsi)
2:	mov	%rax,%rcx
	clear_entries rcx,r10
	cmp	%rdx,%rax
	je	4f
	mov	%rsi,%r10
	add	cacheprof_d1_way_bytes(%rip),%r10
	add	$8,%rsi
	through_ways 4f
	cmpb	$0,cacheprof_d1_parts(%rip)
	je	3f
	sub	cacheprof_d1_way_bytes(%rip),%rsi
	handy	add,HANDY_FAR,rsi,rcx
	mov	%rsi,%r10
	add	cacheprof_d1_rest_bytes(%rip),%r10
	through_ways 4f
3:	movb	$1,MISSED
4:	cmp	%r11,%rdx
	je	1f
	sub	cacheprof_d1_line_mask(%rip),%rdx
	jmp	1b
1:	testl	$PLAIN_UNFILTERED,cacheprof_d1_plain(%rip)
	jnz	3f
	mov	BEGIN,%rcx
	and	$-FILTER_LINE,%rcx
2:	enter	rsi
	add	$FILTER_LINE,%rcx
	cmp	END,%rcx
	jbe	2b
3:	cmpb	$0,MISSED
	jne	5f
4:	cmp	%r9,%rbx
	.cfi_remember_state
	je	8f
	add	$REFERENCE_LENGTH,%rbx
	reference_begins rbx,ebx
	sub	%r8d,%eax
	movslq	%eax,%rdx
	add	%rbp,%rdx
	jmp	.Lreference
8:	restore	rbp,rbx,r11,r10,r9,r8,rdi,rsi,rdx,rcx,rax
	raise	24
	back
	.cfi_restore_state
5:	find_plain_misses
	incq	OWN AT_MISSES(%rcx,%rsi)
	cmpq	$0,cacheprof_ll_regions(%rip)
	je	8f
	.set	ll_below,0
	andq	$-FILTER_LINE,BEGIN
1:	mov	BEGIN,%rdx
	ll_steady rdx,rdi,dil,rax,rcx,cacheprof_ll_take,3f
2:	addq	$FILTER_LINE,BEGIN
	mov	BEGIN,%rdx
	cmp	END,%rdx
	jbe	1b
	.set	ll_below,BELOW
	cmpb	$IN_LL_TOO,MISSED
	jne	4b
	jmp	6f
3:	movb	$IN_LL_TOO,MISSED
	jmp	2b
8:	mov	BEGIN,%rdi
	movzwl	REFERENCE_AT_SIZE(%rbx),%esi
	save	r8,r9
	call	cacheprof_ll_reference
	restore	r9,r8
	test	%al,%al
	jz	4b
6:	find_plain_misses
	incq	OWN LL_MISSES+AT_MISSES(%rcx,%rsi)
	jmp	4b
	end	cacheprof_plain

/* Of the line in zmm29, whose row is at place b: moved to the front of the row, and back, if it is in it; else to
 * missing, with the row in zmm28. */
	.macro find b,missing
	vmovdqa64 %gs:FILTER_ROWS(%\b),%zmm28
	vpcmpeqq %zmm29,%zmm28,%k6
	kortestd %k6,%k6
	jz	\missing
	/* The ways before the one where it is move up, the line goes to the front. */
	up_to_found k6
	valignq	$7,%zmm29,%zmm28,%zmm28{%k6}
	vmovdqa64 %zmm28,%gs:FILTER_ROWS(%\b)
	back
	.endm

/* Puts the first byte's address where it is kept; to a: where the last byte is in, or behind, the first one's line. */
	.macro last_byte a,b,d
	xor	%gs:(%\b),%\a
	mov	%\a,ADDRESS(%rsp)
	and	$FILTER_LINE-1,%\d
	add	8(%rsp),%\a
	.endm

/* A stub. The planted code uses neither register again, so both are free here once they have served.
 * First, for AVX-512, caches that are ordinary (d1.h); from 17 on steady rows by prints, from 27 on ranked ones; from
 * 24 on, for AVX-512, rows of up to eight ways, or of sixteen in two halves, that lie behind the filter or elsewhere
 * (d1.c), and an LL in compact rows; from 6 on any geometry with scalars. Only code that does not use zmm28-31 and k5-7
 * itself comes in by this name (emit_checks.c). */
	.macro stub_v a,b,T,U,V,d,T8,T32
	check_routine cacheprof_check_\a\()_\b
	last_byte \a,\b,\d
	cmp	cacheprof_d1_ordinary(%rip),%\a
	jae	20f
	mov	ADDRESS(%rsp),%\a
	and	$-FILTER_LINE,%\a
	mov	%\a,%gs:(%\b)
	vpbroadcastq %\a,%zmm29
	vmovdqa64 %gs:FILTER_ROWS(%\b),%zmm28
	vpcmpeqq %zmm29,%zmm28,%k6
	kmovb	%k6,%\d
	test	%\d,%\d
	jz	21f
	vector_used \b,\d
	back
	/* A miss, of the check's first reference, or of any. */
21:	check_table 0,\a
	testb	$MISSES_OF_TWO,MISSES(%\a)
	jne	23f
	mov	%\T,ENTRY(%rsp)
	vector_replace \b,\T32
	mov	ENTRY(%rsp),%\T
	find_misses \a,\b
	incq	OWN AT_MISSES(%\a,%\b)
	jmp	cacheprof_ll_ordinary_\a\()_\b
	/* The line before has just been D1's most recently used one. */
23:	cmpb	$0,WHOLE(%\a)
	js	29f
	vector_replace \b,\d
	mov	ADDRESS(%rsp),%\a
	mov	%\a,ENTRY(%rsp)
	sub	$FILTER_LINE,%\a
	mov	%\a,ADDRESS(%rsp)
	jmp	cacheprof_ll_two
29:	mov	ADDRESS(%rsp),%\a
	mov	%\a,8(%rsp)
	jmp	cacheprof_ll_first
20:	cmp	cacheprof_d1_steady(%rip),%\a
	jae	24f
17:	mov	ADDRESS(%rsp),%\a
	mov	%\a,8(%rsp)
	and	$-FILTER_LINE,%\a
	mov	%\a,%gs:(%\b)
	save	\T,\U
	prints	\a,\T
	xor	%gs:STEADY_PRINTS(%\b),%\T
	zero_bytes \T,\U
	jz	18f
	lowest_bit \U,\U
	cmp	%\a,%gs:FILTER_ROWS-HIGH_BIT(%\b,%\U)
	jne	19f
	used	\b,\U,\T,\a
	.cfi_remember_state
	restore	\U,\T
	back
	.cfi_restore_state
	/* It is in no way. */
	.cfi_remember_state
18:	save	\V
	check_table 24,\V
	testb	$MISSES_OF_TWO,MISSES(%\V)
	jne	25f
	find_misses \V,\T
	incq	OWN AT_MISSES(%\V,%\T)
	replace_steady	\a,\b,\V,\U,\T
	ll_hit	\a,\T,\T8,\b,\U,26f,26f,26f,cacheprof_ll_direct
	.cfi_remember_state
	restore	\V,\U,\T
	back
	.cfi_restore_state
	.cfi_remember_state
25:	restore	\V,\U,\T
	mov	%\a,LINE(%rsp)
	jmp	cacheprof_steady_missed
	.cfi_restore_state
26:	restore	\V,\U,\T
	mov	%\a,LINE(%rsp)
	jmp	cacheprof_steady_ll
	.cfi_restore_state
19:	restore	\U,\T
	mov	%\a,LINE(%rsp)
	jmp	cacheprof_steady_find
27:	mov	ADDRESS(%rsp),%\a
	mov	%\a,8(%rsp)
	and	$-FILTER_LINE,%\a
	mov	%\a,%gs:(%\b)
	mov	%\a,LINE(%rsp)
	jmp	cacheprof_ranked_one
24:	cmp	cacheprof_d1_ranked(%rip),%\a
	jb	27b
	mov	ADDRESS(%rsp),%\a
	lines_of \a,\b
	cmpq	$0,cacheprof_d1_ordinary(%rip)
	jne	22f
	cmpb	$VECTORS_BEHIND,cacheprof_vectors(%rip)
	jne	5f
	entry_of_one \a,\b,4f
	mov	%\a,%gs:(%\b)
10:	vpbroadcastq %\a,%zmm29
	find	\b,1f
1:	cmpb	$0,cacheprof_d1_parts(%rip)
	jne	11f
	check_table 0,\a
	testb	$MISSES_OF_TWO,MISSES(%\a)
	jne	cacheprof_check_all
	kmovw	cacheprof_d1_ways(%rip),%k6
	valignq	$7,%zmm29,%zmm28,%zmm28{%k6}
	vmovdqa64 %zmm28,%gs:FILTER_ROWS(%\b)
	jmp	cacheprof_ll_\a\()_\b
	/* The ways from 8 on; a: the place of this half. */
11:	mov	%\b,%\a
	handy	add,HANDY_FAR,\a,\T
	vmovdqa64 %gs:FILTER_ROWS(%\a),%zmm30
	vpcmpeqq %zmm29,%zmm30,%k6
	kortestd %k6,%k6
	jz	12f
	up_to_found k6
	mov	%\b,%\a
	handy	add,HANDY_FAR,\a,\T
	valignq	$7,%zmm28,%zmm30,%zmm30{%k6}
	vmovdqa64 %zmm30,%gs:FILTER_ROWS(%\a)
	valignq	$7,%zmm29,%zmm28,%zmm28
	vmovdqa64 %zmm28,%gs:FILTER_ROWS(%\b)
	back
12:	check_table 0,\a
	testb	$MISSES_OF_TWO,MISSES(%\a)
	jne	cacheprof_check_all
	mov	%\b,%\a
	handy	add,HANDY_FAR,\a,\T
	kmovw	cacheprof_d1_ways(%rip),%k6
	valignq	$7,%zmm28,%zmm30,%zmm30{%k6}
	vmovdqa64 %zmm30,%gs:FILTER_ROWS(%\a)
	valignq	$7,%zmm29,%zmm28,%zmm28
	vmovdqa64 %zmm28,%gs:FILTER_ROWS(%\b)
	jmp	cacheprof_ll_\a\()_\b
	/* Two lines, of two sets: a, b. If both are there no miss is to be counted, and each goes to the
	 * front of its own. */
4:	xor	%\a,%\b
	and	$-FILTER_LINE,%\b
	save	\T
	vpbroadcastq %\a,%zmm29
	vpbroadcastq %\b,%zmm31
	cmpb	$VECTORS_BEHIND,cacheprof_vectors(%rip)
	jne	14f
	row_of	\b,\T,\a,0
	row_of	\a,\b,\T,0
13:	vmovdqa64 %gs:FILTER_ROWS(%\b),%zmm28
	vmovdqa64 %gs:FILTER_ROWS(%\T),%zmm30
	vpcmpeqq %zmm29,%zmm28,%k6
	vpcmpeqq %zmm31,%zmm30,%k7
	kortestd %k6,%k6
	jz	3f
	kortestd %k7,%k7
	jz	3f
	up_to_found k6,k7
	valignq	$7,%zmm29,%zmm28,%zmm28{%k6}
	valignq	$7,%zmm31,%zmm30,%zmm30{%k7}
	vmovdqa64 %zmm28,%gs:FILTER_ROWS(%\b)
	vmovdqa64 %zmm30,%gs:FILTER_ROWS(%\T)
	.cfi_remember_state
	restore	\T
	back
	.cfi_restore_state
14:	row_of	\b,\T,\a,1
	row_of	\a,\b,\T,1
	jmp	13b
3:	restore	\T
	jmp	cacheprof_check_all
22:	mov	%\b,ENTRY(%rsp)
	jmp	cacheprof_ll_both
	/* Rows that lie elsewhere. */
5:	jb	6f
	xor	%\a,%\b
	test	$-FILTER_LINE,%\b
	jne	4b
	row_of	\a,\b,\T,1
	jmp	10b
	.globl	cacheprof_scalar_check_\a\()_\b
	.hidden	cacheprof_scalar_check_\a\()_\b
cacheprof_scalar_check_\a\()_\b:
	last_byte \a,\b,\d
	cmp	cacheprof_d1_steady(%rip),%\a
	jb	17b
	cmp	cacheprof_d1_ranked(%rip),%\a
	jb	27b
	mov	ADDRESS(%rsp),%\a
	lines_of \a,\b
6:	cmpq	$0,cacheprof_d1_steady(%rip)
	jne	16f
	cmpq	$0,cacheprof_d1_ranked(%rip)
	jne	16f
	cmpb	$0,cacheprof_filter_lent(%rip)
	jne	15f
	mov	%\b,ENTRY(%rsp)
	cmpq	$0,cacheprof_d1_ordinary(%rip)
	jne	cacheprof_ll_kept
	/* Rows of another kind. */
	jmp	cacheprof_plain
	/* Counting is off: the next check of this line is to pass. */
15:	mov	%\a,%\b
	and	$FILTER_MASK,%\b
	mov	%\a,%gs:(%\b)
	back
	/* Steady rows, or ranked ones. */
16:	and	$-FILTER_LINE,%\b
	mov	%\a,LINE(%rsp)
	mov	%\b,SECOND(%rsp)
	cmpq	$0,cacheprof_d1_ranked(%rip)
	jne	cacheprof_ranked_two
	jmp	cacheprof_steady_two
	end	cacheprof_check_\a\()_\b
	.endm

	.macro both_ll_stubs a,b,d
	ll_ordinary_stub \a,\b
	ll_stub	\a,\b,\d
	.endm

	.macro stubs_of kind,a,d
	.irp	b,rax,rcx,rdx,rbx,rbp,rsi,rdi,r8,r9,r10,r11,r12,r13,r14,r15
	.ifnc	\a,\b
	\kind	\a,\b,\d
	.endif
	.endr
	.endm

	.macro all_stubs kind
	stubs_of \kind,rax,eax
	stubs_of \kind,rcx,ecx
	stubs_of \kind,rdx,edx
	stubs_of \kind,rbx,ebx
	stubs_of \kind,rbp,ebp
	stubs_of \kind,rsi,esi
	stubs_of \kind,rdi,edi
	stubs_of \kind,r8,r8d
	stubs_of \kind,r9,r9d
	stubs_of \kind,r10,r10d
	stubs_of \kind,r11,r11d
	stubs_of \kind,r12,r12d
	stubs_of \kind,r13,r13d
	stubs_of \kind,r14,r14d
	stubs_of \kind,r15,r15d
	.endm

	all_stubs both_ll_stubs
	all_stubs stub

/* From C, with AVX-512: what the stubs leave in vector registers. */
	routine	cacheprof_clear_vectors
	.irp	n,28,29,30,31
	vpxord	%zmm\n,%zmm\n,%zmm\n
	.endr
	ret
	end	cacheprof_clear_vectors

/* The bounds of our sections are hidden (modules.c), but ld.bfd lets go what it noted of them as dynamic symbols,
 * before it defined them, only where somebody called them. */
	.section .rodata
	.irp	bound,__start_cacheprof_chunks,__stop_cacheprof_chunks,__start_cacheprof_data,__stop_cacheprof_data
	.weak	\bound
	.hidden	\bound
	.reloc	.,R_X86_64_PLT32,\bound
	.long	0
	.endr

	.section .note.GNU-stack,"",@progbits
