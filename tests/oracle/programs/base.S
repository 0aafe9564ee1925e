/* Kinds of instructions: x86-64 as every machine has it. */
#include "rows.h"

/* ---- no event beyond the Ir ---- */

ROW(no_reference)
	lea 8(%rdi,%rdi,4), %rax
	lea 8(%rip), %rcx
	nop
	nopw 0(%rdi,%rdi)
	nopl 8(%rdi)
	prefetcht0 (%rdi)
	prefetcht1 64(%rdi)
	prefetcht2 (%rdi)
	prefetchnta (%rdi)
	prefetchw (%rdi)
	clflush (%rdi)
	mfence
	lfence
	sfence
	pause
	endbr64
	jmp 1f
1:	xor %eax, %eax
	ret
END(no_reference)

ROW(cpuid)
	mov %rbx, %r8
	xor %eax, %eax
	cpuid
	rdtsc
	mov %r8, %rbx
	ret
END(cpuid)

ROW(syscall)
	mov $39, %eax
	syscall
	ret
END(syscall)

/* ---- loads and stores ---- */

ROW(load)
	movb (%rdi), %al
	movw 2(%rdi), %ax
	movl 4(%rdi), %eax
	movq 8(%rdi), %rax
	movzbl (%rdi), %eax
	movsbl (%rdi), %eax
	movzwl (%rdi), %eax
	movslq (%rdi), %rax
	cmpl $5, (%rdi)
	cmpb %al, (%rdi)
	testl %eax, (%rdi)
	testq $7, (%rdi)
	addl (%rdi), %eax
	adcq (%rdi), %rax
	subl (%rdi), %eax
	andl (%rdi), %eax
	imull (%rdi), %eax
	imulq $3, (%rdi), %rax
	mulq (%rdi)
	imulb (%rdi)
	bsfq (%rdi), %rax
	bsrl (%rdi), %eax
	movl $1, 128(%rdi)
	xor %edx, %edx
	divl 128(%rdi)
	xor %edx, %edx
	idivq 128(%rdi)
	movl area_in_data(%rip), %eax
	movq %fs:0, %rax
	movl $0, 128(%rdi)
	lea 256(%rdi), %rdx
	mov $-4, %rcx
	movl -4(%rdx,%rcx,8), %eax
	ret
END(load)

ROW(load_vector)
	movd (%rdi), %xmm0
	movq (%rdi), %xmm0
	movss (%rdi), %xmm0
	movsd (%rdi), %xmm0
	movaps (%rdi), %xmm0
	movups 1(%rdi), %xmm0
	movdqa (%rdi), %xmm0
	movdqu 3(%rdi), %xmm0
	movlps (%rdi), %xmm0
	movhps (%rdi), %xmm0
	movhpd (%rdi), %xmm0
	lddqu (%rdi), %xmm0
	addss (%rdi), %xmm0
	addsd (%rdi), %xmm0
	addps (%rdi), %xmm0
	mulpd (%rdi), %xmm0
	ucomisd (%rdi), %xmm0
	comiss (%rdi), %xmm0
	cvtsi2sdl (%rdi), %xmm0
	cvtsi2sdq (%rdi), %xmm0
	cvttsd2si (%rdi), %eax
	cvtps2pd (%rdi), %xmm0
	cvtss2sd (%rdi), %xmm0
	cvtdq2pd (%rdi), %xmm0
	pxor (%rdi), %xmm0
	paddd (%rdi), %xmm0
	pcmpeqb (%rdi), %xmm0
	pshufd $1, (%rdi), %xmm0
	punpcklbw (%rdi), %xmm0
	pinsrw $1, (%rdi), %xmm0
	shufps $1, (%rdi), %xmm0
	unpcklpd (%rdi), %xmm0
	movq (%rdi), %mm0
	paddd (%rdi), %mm0
	emms
	stmxcsr 128(%rdi)
	ldmxcsr 128(%rdi)
	movl $0, 128(%rdi)
	ret
END(load_vector)

ROW(store)
	xor %eax, %eax
	movb %al, (%rdi)
	movw %ax, (%rdi)
	movl %eax, (%rdi)
	movq %rax, (%rdi)
	movb $0, (%rdi)
	movw $0, (%rdi)
	movl $0, (%rdi)
	movq $0, (%rdi)
	movl %eax, area_in_data(%rip)
	movnti %eax, (%rdi)
	movnti %rax, (%rdi)
	setc (%rdi)
	setnz 1(%rdi)
	movb $0, 1(%rdi)
	ret
END(store)

ROW(store_vector)
	pxor %xmm0, %xmm0
	movd %xmm0, (%rdi)
	movq %xmm0, (%rdi)
	movss %xmm0, (%rdi)
	movsd %xmm0, (%rdi)
	movaps %xmm0, (%rdi)
	movups %xmm0, 1(%rdi)
	movdqa %xmm0, (%rdi)
	movdqu %xmm0, 3(%rdi)
	movlps %xmm0, (%rdi)
	movhps %xmm0, (%rdi)
	movntps %xmm0, (%rdi)
	movntdq %xmm0, (%rdi)
	movntpd %xmm0, (%rdi)
	stmxcsr 128(%rdi)
	movl $0, 128(%rdi)
	ret
END(store_vector)

/* ---- read-modify-write: one read ---- */

ROW(modify)
	mov $1, %ecx
	xor %eax, %eax
	incb (%rdi)
	incw (%rdi)
	incl (%rdi)
	incq (%rdi)
	decl (%rdi)
	addl %eax, (%rdi)
	addq $5, (%rdi)
	adcl %eax, (%rdi)
	subl %eax, (%rdi)
	sbbq %rax, (%rdi)
	andl %ecx, (%rdi)
	orl %eax, (%rdi)
	xorl %ecx, (%rdi)
	notl (%rdi)
	negq (%rdi)
	shll (%rdi)
	shrl $3, (%rdi)
	sarl %cl, (%rdi)
	roll $2, (%rdi)
	rorq %cl, (%rdi)
	rcll (%rdi)
	rcrl (%rdi)
	shldl $3, %eax, (%rdi)
	shrdq %cl, %rax, (%rdi)
	xaddl %eax, (%rdi)
	btsl $3, (%rdi)
	btrq $4, (%rdi)
	btcw $5, (%rdi)
	addl %eax, area_in_data(%rip)
	movq $0, (%rdi)
	ret
END(modify)

ROW(bt_immediate)
	btl $3, (%rdi)
	btq $40, 8(%rdi)
	ret
END(bt_immediate)

ROW(cmpxchg)
	mov %rbx, %r8
	xor %eax, %eax
	xor %edx, %edx
	xor %ecx, %ecx
	xor %ebx, %ebx
	cmpxchgb %cl, (%rdi)
	cmpxchgw %cx, (%rdi)
	cmpxchgl %ecx, (%rdi)
	cmpxchgq %rcx, (%rdi)
	mov $1, %eax
	cmpxchgl %ecx, (%rdi)
	cmpxchg8b (%rdi)
	cmpxchg16b (%rdi)
	mov %r8, %rbx
	ret
END(cmpxchg)

ROW(lock_cmpxchg)
	mov %rbx, %r8
	xor %eax, %eax
	xor %edx, %edx
	xor %ecx, %ecx
	xor %ebx, %ebx
	lock cmpxchgb %cl, (%rdi)
	lock cmpxchgw %cx, (%rdi)
	lock cmpxchgl %ecx, (%rdi)
	lock cmpxchgq %rcx, (%rdi)
	mov $1, %eax
	lock cmpxchgl %ecx, (%rdi)
	lock cmpxchg8b (%rdi)
	lock cmpxchg16b (%rdi)
	mov %r8, %rbx
	ret
END(lock_cmpxchg)

ROW(cmov)
	xor %eax, %eax
	cmovel (%rdi), %eax
	cmovneq (%rdi), %rax
	cmovcw (%rdi), %ax
	ret
END(cmov)

/* ---- the stack ---- */

ROW(push_pop)
	push %rax
	pop %rax
	push $5
	pop %rax
	push $100000
	pop %rax
	pushf
	popf
	pushw %ax
	popw %ax
	push %rsp
	pop %rax
	push %rbp
	mov %rsp, %rbp
	leave
	enter $16, $0
	leave
	ret
END(push_pop)

ROW(push_pop_memory)
	pushq (%rdi)
	popq 64(%rdi)
	pushq (%rsp)
	popq (%rsp)
	pushq area_in_data(%rip)
	popq area_in_data(%rip)
	push %rax
	push %rax
	popq (%rsp)
	pop %rax
	movq $0, 64(%rdi)
	ret
END(push_pop_memory)

HELPER(callee)
	ret
END_HELPER(callee)

HELPER(callee_pops)
	ret $16
END_HELPER(callee_pops)

ROW(call)
	call row_callee
	lea row_callee(%rip), %rax
	call *%rax
	mov %rax, 8(%rdi)
	call *8(%rdi)
	push %rax
	push %rax
	call row_callee_pops
	movq $0, 8(%rdi)
	ret
END(call)

/* ---- jumps ---- */

ROW(conditional_jump)
	mov $5, %ecx
1:	dec %ecx
	jnz 1b
	test %ecx, %ecx
	jz 2f
	nop
2:	jc 3f
	js 3f
	mov $4, %ecx
3:	nop
	loop 3b
	mov $4, %ecx
4:	test %ecx, %ecx
	loopne 4b
	mov $2, %ecx
	test %ecx, %ecx
	loope 5f
5:	xor %ecx, %ecx
	jrcxz 6f
	nop
6:	jecxz 7f
7:	inc %ecx
	jrcxz 8f
8:	ret
END(conditional_jump)

ROW(indirect_jump)
	lea 1f(%rip), %rax
	jmp *%rax
	nop
1:	lea 2f(%rip), %rax
	mov %rax, (%rdi)
	jmp *(%rdi)
	nop
2:	movq $0, (%rdi)
	lea row_callee(%rip), %rax
	jmp *%rax
END(indirect_jump)

/* ---- string instructions ---- */

ROW(string)
	mov %rdi, %rdx
	lea 64(%rdi), %rsi
	movsb
	movsw
	movsl
	movsq
	mov %rdx, %rdi
	xor %eax, %eax
	stosb
	stosw
	stosl
	stosq
	lodsb
	lodsw
	lodsl
	lodsq
	scasb
	scasw
	scasl
	scasq
	ret
END(string)

ROW(rep_movs)
	mov %rdi, %rdx
	lea 256(%rdi), %rsi
	mov $5, %ecx
	rep movsb
	mov $1, %ecx
	rep movsw
	mov $7, %ecx
	rep movsl
	mov $3, %ecx
	rep movsq
	xor %ecx, %ecx
	rep movsq
	std
	mov $4, %ecx
	rep movsb
	cld
	ret
END(rep_movs)

ROW(rep_stos)
	xor %eax, %eax
	mov $5, %ecx
	rep stosb
	mov $1, %ecx
	rep stosw
	mov $7, %ecx
	rep stosl
	mov $300, %ecx
	rep stosq
	xor %ecx, %ecx
	rep stosb
	ret
END(rep_stos)

/* The area is zero: equal throughout. */
ROW(repe_exhausted)
	lea 512(%rdi), %rsi
	mov $6, %ecx
	repe cmpsb
	mov $3, %ecx
	repe cmpsq
	xor %eax, %eax
	mov $4, %ecx
	repe scasl
	mov $5, %eax
	mov $4, %ecx
	repne scasb
	xor %ecx, %ecx
	repe cmpsb
	xor %ecx, %ecx
	repne scasb
	ret
END(repe_exhausted)

ROW(repe_stopped)
	mov %rdi, %rdx
	movb $1, 3(%rdi)
	lea 512(%rdi), %rsi
	mov $6, %ecx
	repe cmpsb
	mov %rdx, %rdi
	mov $1, %eax
	mov $6, %ecx
	repne scasb
	mov %rdx, %rdi
	xor %eax, %eax
	mov $6, %ecx
	repe scasb
	movb $0, 3(%rdx)
	ret
END(repe_stopped)

/* Stopped by the condition in the very last iteration. */
ROW(repe_stopped_at_last)
	mov %rdi, %rdx
	movb $1, 3(%rdi)
	mov $1, %eax
	mov $4, %ecx
	repne scasb
	movb $0, 3(%rdx)
	ret
END(repe_stopped_at_last)

ROW(rep_lods)
	mov %rdi, %rsi
	mov $5, %ecx
	rep lodsb
	mov $3, %ecx
	rep lodsq
	xor %ecx, %ecx
	rep lodsl
	ret
END(rep_lods)

/* ---- where Cachegrind is not followed, or has a way of its own ---- */

ROW(xchg)
	xor %eax, %eax
	xchgb %al, (%rdi)
	xchgl %eax, (%rdi)
	xchgq %rax, (%rdi)
	ret
END(xchg)

ROW(lock_modify)
	xor %eax, %eax
	lock incl (%rdi)
	lock decl (%rdi)
	lock addq %rax, (%rdi)
	lock orl $0, (%rdi)
	lock xaddl %eax, (%rdi)
	lock btsl $3, (%rdi)
	lock btrl $3, (%rdi)
	lock negl (%rdi)
	ret
END(lock_modify)

ROW(bt_register)
	mov $100, %eax
	btl %eax, (%rdi)
	btsq %rax, (%rdi)
	btrq %rax, (%rdi)
	btcl %eax, (%rdi)
	btcl %eax, (%rdi)
	mov $-3, %rax
	btq %rax, 64(%rdi)
	ret
END(bt_register)

ROW(bt_no_memory)
	mov $5, %eax
	btl %eax, %ecx
	btsq %rax, %rcx
	btrl %eax, %ecx
	btcl %eax, %ecx
	btl $3, %ecx
	ret
END(bt_no_memory)

/* ---- x87 ---- */

ROW(x87)
	fldz
	fstps (%rdi)
	flds (%rdi)
	fstpl (%rdi)
	fldl (%rdi)
	fstpt (%rdi)
	fldt (%rdi)
	fistps 16(%rdi)
	filds 16(%rdi)
	fistpl 16(%rdi)
	fildl 16(%rdi)
	fistpll 16(%rdi)
	fildll 16(%rdi)
	fadds (%rdi)
	faddl 16(%rdi)
	fiaddl 16(%rdi)
	fsts (%rdi)
	fistl (%rdi)
	fstp %st(0)
	fnstcw 32(%rdi)
	fldcw 32(%rdi)
	fnstsw 32(%rdi)
	fnstsw %ax
	ret
END(x87)

ROW(x87_state)
	fnstenv 64(%rdi)
	fldenv 64(%rdi)
	fnsave 64(%rdi)
	frstor 64(%rdi)
	ret
END(x87_state)

ROW(fxsave)
	fxsave 1024(%rdi)
	fxrstor 1024(%rdi)
	ret
END(fxsave)

ROW(xsave)
	mov $3, %eax
	xor %edx, %edx
	xsave 1024(%rdi)
	mov $3, %eax
	xrstor 1024(%rdi)
	ret
END(xsave)

/* Cachegrind sees the masked store as a read and a write of the same 16 (8) bytes. */
ROW(maskmov)
	pxor %xmm0, %xmm0
	maskmovdqu %xmm0, %xmm0
	pxor %mm0, %mm0
	maskmovq %mm0, %mm0
	emms
	ret
END(maskmov)

/* ---- what the text does not show ---- */

/* The NOPs that gas writes before the loops are executed, once a call. */
ROW(padding)
	mov $3, %ecx
	.p2align 4
1:	addl %ecx, (%rdi)
	dec %ecx
	jnz 1b
	.p2align 5
2:	inc %ecx
	cmp $2, %ecx
	jne 2b
	movq $0, (%rdi)
	.p2align 6,,63
	ret
END(padding)

/* Nothing falls into this padding, but its label is gone to, by a branch and by its address. */
ROW(padding_gone_to)
	mov $3, %ecx
	jmp 2f
1:	.p2align 5
	addl %ecx, (%rdi)
	dec %ecx
2:	test %ecx, %ecx
	jnz 1b
	lea 3f(%rip), %rax
	jmp *%rax
3:	.p2align 6
	movq $0, (%rdi)
	ret
END(padding_gone_to)

ROW(relaxed)
	movq area_in_data@GOTPCREL(%rip), %rax
	movl (%rax), %ecx
	addq area_in_data@GOTPCREL(%rip), %rax
	cmpq area_in_data@GOTPCREL(%rip), %rax
	call *row_callee@GOTPCREL(%rip)
	movq tls_word@GOTTPOFF(%rip), %rax
	movl %fs:(%rax), %ecx
	ret
END(relaxed)

/* movl (%rdi), %eax; addl %eax, 4(%rdi); nop; push $5; pop %rax; ret */
ROW(bytes)
	.byte 0x8b, 0x07
	.byte 0x01, 0x47, 0x04, 0x90
	.value 0x056a
	.byte 0x58
	ret
END(bytes)

ROW(straddle)
	movq 60(%rdi), %rax
	movq %rax, 124(%rdi)
	addq %rax, 188(%rdi)
	movdqu 120(%rdi), %xmm0
	movdqu %xmm0, 4088(%rdi)
	ret
END(straddle)

	.data
	.p2align 4
	.type area_in_data, @object
area_in_data:
	.quad 0, 0
	.size area_in_data, 16

	.section .tbss, "awT", @nobits
	.type tls_word, @object
tls_word:
	.zero 8
	.size tls_word, 8

	.section .note.GNU-stack, "", @progbits
