# As people write it by hand: everything gas lets pass, on as few lines as it can stand.
/ a comment of the other kind ; nop (
/* and of the third
   kind ; nop ( " */	.text; .p2align 4,,15 /* fill */ ; .globl byhand
	.type byhand, @function
byhand:	1: nop; 2: 3: lock ; incl counter(%rip)	# ; nop (
	lock/incl counter(%rip)
	movl	((0)+((0)&15)*4)(%rsp), %eax ; movl 8+table(%rip), %ecx
	mov	table@GOTPCREL(%rip), %rdx
	movq	%fs:0, %rax ; movl %fs:tls@tpoff(%rax), %ebx; mov %gs:(%rax , %rbx , 1<<3), %r8
	mov	(,%rdx,8), %r9; mov -(4*2)+table-table(%rbp), %r10; movabs $table+4, %r11
	movb	$'a', %al; movb $'a, %al; movb $';', %al; movb $'\\', %al; movb $'\n, %al; cmpb $'(, %al
	cmpb	$'"', %al; cmpb $'#, %al
	jmp	*%rax ; jmp *8(%rax,%rdx,8); call *table@GOTPCREL(%rip); notrack jmp *%rdx
	jne,pt	1b; ds ; je 1b ; rep; ret
	rep stosb; repne scasb; rep
	movsb
	fadd	%st(1), %st ; fxch % st ( 2 ); wait fnsave (%rax)
	{evex} vpaddd %xmm0, %xmm1, %xmm2; {disp32} {vex3} vaddps 4(%rax), %xmm0, %xmm1
	vaddps	(%rax){1to16}, %zmm1, %zmm2{%k1} {z} ; vaddps {rn-sae}, %zmm1, %zmm2, %zmm3
	vgatherdps	(%rdi,%zmm2,4), %zmm1{%k1}
	DATA16 LEAQ tls@tlsgd(%RIP), %RDI
	call	/* a comment ; ( " */ byhand /* , */ + 0 /* and one
		over lines ( " */
	nop
"a label; with: (all) = of it":	jmp "a label; with: (all) = of it"
café:	jmp café ; .Lä$b: jmp .Lä$b
width = 8 ; half == width/2 ; . = . + 1; "quoted = name" = 3
	.if width == 9
	*** this is left out ***
	.endif
	.macro	twice what:vararg	# .endm
	\what ; \what	/* .endm */
	.ascii ".endm\n"
	.endm
	twice	movl $1, (%rax)
	twice nop
	.rept 2
	.irp reg, rax, rbx
	push %\reg ; pop %\reg
	.endr
	.endr ; nop
	.irpc c, abc
	.byte '\c
	.endr
digest = %rdi
	mov	8*2(digest), %rax ; mov (digest), %rax
	.intel_syntax noprefix
	mov	eax, dword ptr [rip + counter] ; vaddps zmm1{k1}{z}, zmm2, [rax]{1to16}
intel:	ret
	.att_syntax prefix ; ret
	.code32
	push %eax; ljmp *(%esi)
	.code64
	.size byhand, .-byhand
	.section	.data.rel, "aw", @progbits; .balign 8
table:	.quad	byhand, 1f-. , -1 # the end
1:	.ascii	"a;b#c/*d\"e\\" , "\001\377\x41" ; .string ""
	.byte	';', '#, '\'', '"', 255 ; .long 1f - 1b, 0x1F, 0b101 ; 1:
	.float	1.5e-3, 0f2.5
	.loc_mark_labels 0
counter: .long 0
	.section .tbss,"awT",@nobits
tls:	.zero	4
	.section .note.GNU-stack,"",@progbits
	.end
) whatever stands behind it ( ;
