/* Code whose length something depends on: planted code must not come between. f adds up five numbers. */
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	xorl	%eax, %eax
1:	movl	(%rdi), %ecx
	addl	%ecx, %eax
	movl	4(%rdi), %ecx
	addl	%ecx, %eax
	movl	8(%rdi), %ecx
	addl	%ecx, %eax
2:
	.if	. - 1b > 14
	.error	"what is measured has become longer"
	.endif
	.skip	16 - (. - 1b), 0x90
	movl	12(%rdi), %ecx
	addl	%ecx, %eax
	cmpl	$10, %eax
	jne	3f
	pushq	$1
	popq	%rcx
	jrcxz	3f
	movl	16(%rdi), %ecx
	addl	%ecx, %eax
3:	.org	f + 64, 0x90
	movl	%eax, total(%rip)
	movl	(%rdi), %ecx
	ret
	.cfi_endproc
	.size	f, .-f
	.set	last, . - 3b
	double = last * 2

/* Up to code for 32 bits, and in it. */
	.type	g, @function
g:	movl	(%rdi), %eax
	ret
	.code32
	.if	. - g > 3
	.error	"what is measured has become longer"
	.endif
4:	nop
	.ifgt	4b - g - 3
	.error	"what is measured has become longer"
	.endif
	.code64
	.size	g, .-g

/* Filled up in other words. */
	.type	h, @function
h:	movl	(%rdi), %eax
	addl	4(%rdi), %eax
	ret
	.ds.b	16 - (. - h)
5:	movl	(%rdi), %eax
	ret
	.dcb.b	8 - (. - 5b), 0x90
6:	movl	(%rdi), %eax
	ret
	.dcb.w	4 - (. - 6b + 1) / 2, 0x9090
7:	.size	h, .-h

/* Lengths and places as those who patch code want them. */
	.section .rodata
	.globl	lengths
lengths:
	.byte	2b-1b, 3b-2b, 2b-1b+0xf1
.Lother:
	.byte	.-.Lother
	.byte	double
	.value	5b-h, 6b-5b, 7b-6b
	.value	3b-1b
	.bss
	.globl	total
	.balign	4
total:	.zero	4
	.section .note.GNU-stack,"",@progbits
