/* Red zones as people write them. */
	.text
	.globl	by_hand
	.type	by_hand, @function
by_hand:			/* the sum of 14 numbers, twice, kept below rsp on the way */
	xorl	%eax, %eax
	movl	$14, %ecx
1:	movq	-8(%rdi,%rcx,8), %rdx
	movq	%rdx, -120(%rsp,%rcx,8)
	decl	%ecx
	jnz	1b
	movl	$14, %ecx
2:	addq	-120(%rsp,%rcx,8), %rax
	addq	-8(%rdi,%rcx,8), %rax
	decl	%ecx
	jnz	2b
	ret
	.size	by_hand, .-by_hand

/* It calls, and before and behind that has a red zone, to which a register leads. */
	.globl	by_hand_calls
	.type	by_hand_calls, @function
by_hand_calls:
	pushq	%rbx
	movq	%rdi, %rbx
	movq	(%rdi), %rdi
	call	*%rsi
	leaq	-64(%rsp), %rdx
	testq	%rax, %rax
	je	3f
3:	movq	%rax, (%rdx)
	movq	8(%rbx), %rcx
	movq	16(%rbx), %rax
	addq	(%rdx), %rax
	addq	%rcx, %rax
	popq	%rbx
	ret
	.size	by_hand_calls, .-by_hand_calls

/* What it has popped is still there. */
	.globl	tail_by_hand
	.type	tail_by_hand, @function
tail_by_hand:
	pushq	8(%rdi)
	popq	%rdx
	movq	24(%rdi), %rax
	subq	$8, %rsp
	addq	(%rsp), %rax
	addq	$8, %rsp
	ret
	.size	tail_by_hand, .-tail_by_hand
	.section .note.GNU-stack,"",@progbits
