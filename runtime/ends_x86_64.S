/* Where the members of ends.a (libc_x86_64.S) come together, and what the kernel calls for a signal that
 * has a handler for once. x86-64 only. */
	.text

	.macro function name
	.globl	\name
	.hidden	\name
	.type	\name,@function
	.p2align 4
\name:
	.cfi_startproc
	.endm

	.macro end name
	.cfi_endproc
	.size	\name,.-\name
	.endm

	.macro save registers:vararg
	.irp	r,\registers
	push	%\r
	.cfi_adjust_cfa_offset 8
	.endr
	.endm

	.macro restore registers:vararg
	.irp	r,\registers
	pop	%\r
	.cfi_adjust_cfa_offset -8
	.endr
	.endm

/* r10: the function of libc, r11: the runtime's. Seven registers have arguments, al the number of those in
 * vector registers, which are nowhere touched. */
	.macro if_instrumented
	save	rdi,rsi,rdx,rcx,r8,r9,rax,r10,r11
	mov	%r10,%rdi
	call	cacheprof_is_instrumented
	test	%al,%al
	restore	r11,r10,rax,r9,r8,rcx,rdx,rsi,rdi
	.endm

	function cacheprof_libc_before
	if_instrumented
	jnz	1f
	save	rdi,rsi,rdx,rcx,r8,r9,rax,r10,r11
	call	*%r11
	restore	r11,r10,rax,r9,r8,rcx,rdx,rsi,rdi
1:	jmp	*%r10
	end	cacheprof_libc_before

	function cacheprof_libc_change
	if_instrumented
	jnz	1f
	save	rdi,rsi,rdx,rcx,r8,r9,rax,r10,r11
	mov	%rsp,%rdi
	call	*%r11
	restore	r11,r10,rax,r9,r8,rcx,rdx,rsi,rdi
1:	jmp	*%r10
	end	cacheprof_libc_change

	function cacheprof_libc_after
	if_instrumented
	jnz	1f
	save	r11
	call	*%r10
	restore	r11
	save	rax
	call	*%r11
	restore	rax
	ret
1:	jmp	*%r10
	end	cacheprof_libc_after

	function cacheprof_libc_around
	if_instrumented
	jnz	1f
	save	rdi,rsi,rdx,rcx,r8,r9,rax,r10,r11
	call	*%r11
	test	%al,%al
	restore	r11,r10,rax,r9,r8,rcx,rdx,rsi,rdi
	jz	1f
	lea	cacheprof_after_fork(%rip),%r11
	jmp	cacheprof_libc_after
1:	jmp	*%r10
	end	cacheprof_libc_around

	function cacheprof_libc_instead
	if_instrumented
	jnz	1f
	mov	%r10,%rcx
	jmp	*%r11
1:	jmp	*%r10
	end	cacheprof_libc_instead

/* Stands for a handler that the program wants to be called once only (SA_RESETHAND). That sees its frame
 * as the kernel made it. Or for one of SIGABRT (6), which is looked after when it returns. */
	function cacheprof_signal_once
	endbr64
	save	rdi,rsi,rdx
	call	cacheprof_signal_used
	cmpl	$6,16(%rsp)
	je	1f
	.cfi_remember_state
	restore	rdx,rsi,rdi
	jmp	*%rax
	.cfi_restore_state
1:	mov	(%rsp),%rdx
	mov	8(%rsp),%rsi
	mov	16(%rsp),%rdi
	call	*%rax
	restore	rdx,rsi,rdi
	jmp	cacheprof_abort_handled
	end	cacheprof_signal_once

	.section .note.GNU-stack,"",@progbits
