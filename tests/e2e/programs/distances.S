/* Instructions that hold distances as numbers: what lies between must not get longer. Each function returns
 * what its name says of its argument. */
	.text
	.globl	five_less
	.type	five_less, @function
five_less:
	movq	%rdi, -8(%rsp)
	movq	-8(%rsp), %rax
	cmpq	$5, %rax
	.byte	0x7c, 10	/* jl 1f */
	subq	$5, -8(%rsp)
	movl	-8(%rsp), %eax
1:	addq	$0, -8(%rsp)
	movq	-8(%rsp), %rax
	ret
	.size	five_less, .-five_less

	.globl	five_times
	.type	five_times, @function
five_times:
	movq	%rdi, -8(%rsp)
	xorl	%eax, %eax
	movl	$5, %ecx
2:	addq	-8(%rsp), %rax
	decl	%ecx
	.byte	0x75		/* jnz 2b */
	.byte	-9
	.pushsection .rodata	/* what is named here is no part of it */
	.long	2b - .
	.popsection
	ret
	.size	five_times, .-five_times

	.globl	plus_one
	.type	plus_one, @function
plus_one:
	movq	%rdi, -8(%rsp)
	leaq	12(%rip), %rax	/* 3f */
	movq	%rax, -16(%rsp)
	movq	-16(%rsp), %rax
	.byte	0xff, 0xe0	/* jmp *%rax */
3:	addq	$1, -8(%rsp)
	.byte	0xe9		/* jmp 4f: this one gas works out again */
	.type	plus_one, @function
	.long	4f - . - 4
	ud2
4:	movq	-8(%rsp), %rax
	ret
	.size	plus_one, .-plus_one

	.section .note.GNU-stack,"",@progbits
