/* As DynASM spells functions: the distances between them are numbers, here and in laid_out.c. */
	.text
	.globl	code
	.type	code, @object
code:
	.type	add, @function
add:
	.byte	0x48, 0x89, 0x7c, 0x24, 0xf8	/* movq	%rdi, -8(%rsp) */
	.byte	0x48, 0x89, 0x74, 0x24, 0xf0	/* movq	%rsi, -16(%rsp) */
	.byte	0x48, 0x8b, 0x44, 0x24, 0xf8	/* movq	-8(%rsp), %rax */
	.byte	0x48, 0x03, 0x44, 0x24, 0xf0	/* addq	-16(%rsp), %rax */
	.byte	0xc3				/* ret */
	.type	sub, @function
sub:
	.byte	0x48, 0xf7, 0xde		/* negq	%rsi */
	.byte	0xeb, 0xe6			/* jmp	add */
	.type	twice, @function
twice:
	.byte	0x48, 0x89, 0x7c, 0x24, 0xf8	/* movq	%rdi, -8(%rsp) */
	.byte	0x48, 0x8b, 0x44, 0x24, 0xf8	/* movq	-8(%rsp), %rax */
	.byte	0x48, 0x01, 0xc0		/* addq	%rax, %rax */
	.byte	0xc3				/* ret */
	.section .note.GNU-stack,"",@progbits
