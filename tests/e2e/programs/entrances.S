/* Code that others come into without a function's label: OpenSSL's does. */
	.section .init
	call	begun
	.text
	.globl	plus_three
plus_three:
	movq	%rdi, -8(%rsp)
	addq	$3, -8(%rsp)
	movq	-8(%rsp), %rax
	ret
	.globl	begun
begun:
	incl	beginnings(%rip)
	ret
	.section .fini
	call	begun
	.bss
	.globl	beginnings
beginnings: .zero 4
	.section .note.GNU-stack,"",@progbits
