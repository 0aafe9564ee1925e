/* The beginning and end of a static program without libc, itself not instrumented. It calls the one
 * constructor and the one destructor that an instrumented program has, and none of another, without any
 * branch that a predictor would see: a return goes to the address that was pushed. */
#define SYS_arch_prctl 158
#define SYS_exit_group 231
#define ARCH_SET_FS 0x1002

	.macro	call_first start,end,back
	lea	nothing(%rip),%rax
	lea	\start(%rip),%rcx
	lea	\end(%rip),%rdx
	cmp	%rdx,%rcx
	cmovb	%rcx,%rax
	lea	\back(%rip),%rcx
	push	%rcx
	push	(%rax)
	mov	(%r12),%rdi
	lea	8(%r12),%rsi
	lea	16(%r12,%rdi,8),%rdx
	ret

	.endm

	.text
	.globl	_start
_start:
	mov	%rsp,%r12
	and	$-16,%rsp
	lea	thread(%rip),%rsi
	mov	%rsi,(%rsi)
	mov	$ARCH_SET_FS,%edi
	mov	$SYS_arch_prctl,%eax
	syscall
	call_first __init_array_start,__init_array_end,1f
1:
	call	main
	mov	%eax,%ebx
	call_first __fini_array_start,__fini_array_end,2f
2:
	mov	%ebx,%edi
	mov	$SYS_exit_group,%eax
	syscall
nothing_to_do:
	ret

	.data
	.balign	8
nothing:
	.quad	nothing_to_do
	.bss
	.balign	4096
	.skip	16384
thread:	.skip	4096
	.section .note.GNU-stack,"",@progbits
