/* As libffi does it: slots of eight bytes, from which short branches lead to what is shared, and a table of
 * trampolines that is mapped a second time, before other data. */
	.text
	.globl	chosen
	.type	chosen, @function
chosen:				/* of 0 to 3: 10, 20, 30, 40, and the argument */
	movq	%rdi, -8(%rsp)
	leaq	1f(%rip), %rcx
	leaq	(%rcx, %rdi, 8), %rcx
	jmp	*%rcx
	.balign	8
1:	.org	1b + 0 * 8
	movl	$10, %eax
	jmp	2f
	.balign	8
	.org	1b + 1 * 8
	movl	$20, %eax
	jmp	2f
	.balign	8
	.org	1b + 2 * 8
	movl	$30, %eax
	jmp	3f
	.balign	8
	.org	1b + 3 * 8
	movl	$40, %eax
2:	addq	-8(%rsp), %rax
	ret
3:	cmpq	$2, -8(%rsp)
	je	2b
	ud2
	.size	chosen, .-chosen

	.align	4096
	.globl	trampolines
	.type	trampolines, @function
trampolines:
	.rept	4096 / 16
	movq	4096 - 7(%rip), %rax
	jmp	*%rax
	.balign	16
	.endr
	.size	trampolines, .-trampolines
	.align	4096
	.section .note.GNU-stack,"",@progbits
