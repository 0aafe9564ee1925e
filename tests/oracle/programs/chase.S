/* rdx holds rsp, is read once and then free for checks; a check behind those must not take it for rsp. */
	.text
	.globl	chase
	.type	chase, @function
chase:
	subq	$4096, %rsp
	movq	%rsp, %rdx
	movl	$0, (%rdx)
	movq	(%rdi), %rdi
	movq	(%rdi), %rdi
	movq	(%rdi), %rdi
	movq	(%rdi), %rdi
	movl	2048(%rsp), %eax
	addq	$4096, %rsp
	movq	%rdi, %rax
	xorl	%edx, %edx
	xorl	%esi, %esi
	ret
	.size	chase, .-chase
	.section	.note.GNU-stack,"",@progbits
