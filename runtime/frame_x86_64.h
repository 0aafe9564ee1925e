/* Frames of the assembler routines that planted code calls. x86-64 only. */
#include "include/site.h"

/* Where, behind its return address, a routine finds the distance to its table (slow_x86_64.S). Cold code that has
 * stepped over the red zone has it TABLE_FARTHER bytes further, but that of checks. */
#define TABLE 5
#define TABLE_FARTHER 8
#define STEP 128 /* bytes */

	.macro routine name
	.p2align 4
	.globl	\name
	.hidden	\name
	.type	\name,@function
\name:
	.cfi_startproc
	.endm

/* One that checks call: above its return address is a word that it drops when it returns. Its caller's rsp is that
 * behind it. */
	.macro check_routine name
	routine	\name
	.cfi_def_cfa_offset 16
	.cfi_offset 16,-16
	.endm
	.macro back
	ret	$8
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

/* r: a return address into cold code. To it what TABLE is counted from, and to eax how many bytes the cold code
 * has moved rsp by. Where it lies tells, and no instruction there, which a debugger's breakpoint may hide: slots
 * (sequences_x86_64.def) lie at multiples of 16 bytes, and what one calls returns to 5 or 7 bytes in where nothing has
 * moved, else to 10 or 12. */
	.macro look_at_slot r,farther=TABLE_FARTHER
	xor	%eax,%eax
	bt	$0,%\r
	setnc	%al
	.if	\farther
	lea	(%\r,%rax,\farther),%\r
	.endif
	imul	$STEP,%eax,%eax
	.endm

/* All registers in memory, by number, then the flags:
 *	0	rax rcx rdx rbx rsp rbp rsi rdi r8 ... r15
 *	128	flags
 *	136	return address
 * rsi: the table; above: bytes that the planted code's rsp is higher besides. */
	.macro save_all above=0,farther=TABLE_FARTHER
	pushfq
	.cfi_adjust_cfa_offset 8
	save	r15,r14,r13,r12,r11,r10,r9,r8,rdi,rsi,rbp
	lower	8
	save	rbx,rdx,rcx,rax
	mov	136(%rsp),%rsi
	look_at_slot rsi,\farther
	lea	136+8+\above(%rsp,%rax),%rax
	mov	%rax,32(%rsp)
	cld
	mov	%rsp,%rdi
	movslq	TABLE(%rsi),%rax
	lea	TABLE(%rsi,%rax),%rsi
	.endm
/* The flags without popfq, which takes some twenty cycles: those of a result, and that of direction, which is clear.
 * (Sums of 0 and 1 with 127 differ in whether they overflow.) */
#define FLAG_DIRECTION_IN_BYTE_1 4
#define FLAG_OVERFLOW_AT 11
	.macro restore_all
	mov	128(%rsp),%ecx
	testb	$FLAG_DIRECTION_IN_BYTE_1,%ch
	jz	.Lforwards\@
	std
.Lforwards\@:
	mov	%cl,%ah
	shr	$FLAG_OVERFLOW_AT,%ecx
	and	$1,%ecx
	mov	%cl,%al
	add	$127,%al
	sahf
	restore	rax,rcx,rdx,rbx
	raise	8
	restore	rbp,rsi,rdi,r8,r9,r10,r11,r12,r13,r14,r15
	raise	8
	.endm
