/* Frames of the assembler routines that planted code calls. x86-64 only. */

/* Where, behind its return address, a routine finds the distance to its table (slow_x86_64.S). */
#define TABLE 13
/* A check's, whose cold code is another (COLD_CHECK), and the place (site.h) of the miss counts of its
 * first reference's site. */
#define CHECK_TABLE 11
#define MISSES 15

	.macro routine name
	.p2align 4
	.globl	\name
	.hidden	\name
	.type	\name,@function
\name:
	.cfi_startproc
	.endm

	.macro end name
	.cfi_endproc
	.size	\name,.-\name
	.endm

/* The values of planted code are in the stack: a debugger finds those of its variables. */
	.macro save registers:vararg
	.irp	r,\registers
	push	%\r
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %\r,0
	.endr
	.endm

	.macro restore registers:vararg
	.irp	r,\registers
	pop	%\r
	.cfi_adjust_cfa_offset -8
	.cfi_restore %\r
	.endr
	.endm

/* Moves rsp down or up by n bytes, which nobody looks for. */
	.macro lower n
	lea	-(\n)(%rsp),%rsp
	.cfi_adjust_cfa_offset \n
	.endm
	.macro raise n
	lea	\n(%rsp),%rsp
	.cfi_adjust_cfa_offset -(\n)
	.endm

/* All registers in memory, by number, then the flags:
 *	0	rax rcx rdx rbx rsp rbp rsi rdi r8 ... r15
 *	128	flags
 *	136	return address
 * rsi: the table; above: bytes that the planted code's rsp is higher besides. */
	.macro save_all table=TABLE,above=0
	pushfq
	.cfi_adjust_cfa_offset 8
	save	r15,r14,r13,r12,r11,r10,r9,r8,rdi,rsi,rbp
	lower	8
	save	rbx,rdx,rcx,rax
	lea	136+8+\above+128(%rsp),%rax
	mov	%rax,32(%rsp)
	cld
	mov	%rsp,%rdi
	mov	136(%rsp),%rsi
	movslq	\table(%rsi),%rax
	lea	\table(%rsi,%rax),%rsi
	.endm
	.macro restore_all
	restore	rax,rcx,rdx,rbx
	raise	8
	restore	rbp,rsi,rdi,r8,r9,r10,r11,r12,r13,r14,r15
	popfq
	.cfi_adjust_cfa_offset -8
	.endm

/* Behind save_all: struct vectors in rdx, zmm0..31 at 64 bytes each, then k0..7. Without AVX-512 the
 * upper halves and the masks do not exist. Nothing is restored: C code uses no vector register. */
	.macro save_vectors
	lower	32*64+64
	cmpl	$0,cacheprof_has_avx512(%rip)
	jne	701f
	.irp	n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	vmovdqu	%ymm\n,64*\n(%rsp)
	.endr
	jmp	702f
701:	.irp	n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	vmovdqu64 %zmm\n,64*\n(%rsp)
	.endr
	.irp	n,0,1,2,3,4,5,6,7
	kmovq	%k\n,32*64+8*\n(%rsp)
	.endr
702:	mov	%rsp,%rdx
	.endm
	.macro drop_vectors
	raise	32*64+64
	.endm
