/* Kinds of instructions: AVX, AVX2, FMA, BMI, SSE4. Needs a processor that has them. */
#include "rows.h"

ROW(avx_load_store)
	vmovups (%rdi), %ymm0
	vmovaps 32(%rdi), %ymm1
	vmovdqu 5(%rdi), %ymm2
	vmovdqa (%rdi), %xmm3
	vmovntdqa (%rdi), %ymm4
	vlddqu (%rdi), %ymm5
	vaddps (%rdi), %ymm0, %ymm1
	vmulpd (%rdi), %xmm0, %xmm1
	vaddsd (%rdi), %xmm0, %xmm1
	vpaddd (%rdi), %ymm0, %ymm1
	vpshufb (%rdi), %ymm0, %ymm1
	vpermd (%rdi), %ymm0, %ymm1
	vcvtdq2pd (%rdi), %ymm0
	vpmovzxbd (%rdi), %ymm0
	vpmovsxbq (%rdi), %ymm0
	vptest (%rdi), %ymm0
	vpxor %ymm0, %ymm0, %ymm0
	vmovups %ymm0, (%rdi)
	vmovaps %ymm0, 32(%rdi)
	vmovdqu %ymm0, 5(%rdi)
	vmovntps %ymm0, (%rdi)
	vmovsd %xmm0, (%rdi)
	vmovss %xmm0, (%rdi)
	vzeroupper
	ret
END(avx_load_store)

ROW(avx_lanes)
	vbroadcastss (%rdi), %ymm0
	vbroadcastsd (%rdi), %ymm0
	vbroadcastf128 (%rdi), %ymm0
	vpbroadcastb (%rdi), %ymm0
	vpbroadcastq (%rdi), %xmm0
	vinsertf128 $1, (%rdi), %ymm0, %ymm1
	vinserti128 $0, (%rdi), %ymm0, %ymm1
	vpinsrd $1, (%rdi), %xmm0, %xmm1
	vmovhps (%rdi), %xmm0, %xmm1
	vpxor %ymm0, %ymm0, %ymm0
	vextractf128 $1, %ymm0, (%rdi)
	vextracti128 $0, %ymm0, (%rdi)
	vpextrb $3, %xmm0, (%rdi)
	vpextrq $1, %xmm0, (%rdi)
	vmovhpd %xmm0, (%rdi)
	vzeroupper
	ret
END(avx_lanes)

ROW(avx_parts)
	vcvtps2pd (%rdi), %xmm0
	vcvtps2pd (%rdi), %ymm0
	vmovddup (%rdi), %ymm0
	vperm2f128 $0x21, (%rdi), %ymm0, %ymm1
	vperm2i128 $0x31, (%rdi), %ymm0, %ymm1
	vzeroupper
	ret
END(avx_parts)

ROW(sse4)
	pmovzxbw (%rdi), %xmm0
	pmulld (%rdi), %xmm0
	pinsrb $1, (%rdi), %xmm0
	insertps $0x10, (%rdi), %xmm0
	roundsd $1, (%rdi), %xmm0
	pxor %xmm0, %xmm0
	pextrb $1, %xmm0, (%rdi)
	pextrw $1, %xmm0, (%rdi)
	pextrd $1, %xmm0, (%rdi)
	extractps $1, %xmm0, (%rdi)
	pcmpistri $0, (%rdi), %xmm0
	ptest (%rdi), %xmm0
	popcntq (%rdi), %rax
	crc32b (%rdi), %eax
	crc32q (%rdi), %rax
	ret
END(sse4)

ROW(bmi)
	xor %edx, %edx
	andn (%rdi), %rdx, %rax
	bextrl %edx, (%rdi), %eax
	blsrq (%rdi), %rax
	bzhil %edx, (%rdi), %eax
	mulxq (%rdi), %rax, %rcx
	pdepq (%rdi), %rdx, %rax
	rorxq $3, (%rdi), %rax
	shlxq %rdx, (%rdi), %rax
	tzcntl (%rdi), %eax
	lzcntq (%rdi), %rax
	movbel (%rdi), %eax
	xor %eax, %eax
	movbeq %rax, (%rdi)
	ret
END(bmi)

/* Lanes 0, 2 and 3 of 4, and no lane. */
ROW(masked_move)
	lea 256(%rdi), %rsi
	movl $0x80000000, (%rdi)
	movl $0, 4(%rdi)
	movl $0x80000000, 8(%rdi)
	movl $0xffffffff, 12(%rdi)
	vmovdqu (%rdi), %xmm1
	vmaskmovps (%rsi), %xmm1, %xmm0
	vmaskmovps %xmm0, %xmm1, (%rsi)
	vpmaskmovd (%rsi), %xmm1, %xmm0
	vpmaskmovd %xmm0, %xmm1, (%rsi)
	vpmaskmovd (%rsi), %ymm1, %ymm0
	vmaskmovpd (%rsi), %xmm1, %xmm0
	vpmaskmovq %xmm0, %xmm1, (%rsi)
	vpxor %xmm1, %xmm1, %xmm1
	vmaskmovpd (%rsi), %ymm1, %ymm0
	vpmaskmovd %ymm0, %ymm1, (%rsi)
	movq $0, (%rdi)
	movq $0, 8(%rdi)
	vzeroupper
	ret
END(masked_move)

ROW(gather)
	vpcmpeqd %ymm1, %ymm1, %ymm1
	vpxor %ymm2, %ymm2, %ymm2
	vpgatherdd %ymm1, 64(%rdi,%ymm2,4), %ymm0
	vpcmpeqd %xmm1, %xmm1, %xmm1
	vpgatherdd %xmm1, 64(%rdi,%xmm2,4), %xmm0
	vpcmpeqd %ymm1, %ymm1, %ymm1
	vgatherdps %ymm1, (%rdi,%ymm2,4), %ymm0
	vpcmpeqd %ymm1, %ymm1, %ymm1
	vgatherdpd %ymm1, (%rdi,%xmm2,8), %ymm0
	vpcmpeqd %ymm1, %ymm1, %ymm1
	vpgatherqq %ymm1, (%rdi,%ymm2,8), %ymm0
	vpcmpeqd %xmm1, %xmm1, %xmm1
	vpgatherqd %xmm1, (%rdi,%ymm2,8), %xmm0
	vzeroupper
	ret
END(gather)

/* Lanes 0 and 2 of 4. */
ROW(gather_masked)
	movl $0x80000000, (%rdi)
	movl $0x80000000, 8(%rdi)
	vmovdqu (%rdi), %xmm1
	vpxor %xmm2, %xmm2, %xmm2
	vpgatherdd %xmm1, 64(%rdi,%xmm2,4), %xmm0
	movl $0, (%rdi)
	movl $0, 8(%rdi)
	vzeroupper
	ret
END(gather_masked)

ROW(fma_scalar)
	vpxor %xmm0, %xmm0, %xmm0
	vfmadd213sd (%rdi), %xmm0, %xmm0
	vfmadd231ss (%rdi), %xmm0, %xmm0
	vfnmsub132sd (%rdi), %xmm0, %xmm0
	ret
END(fma_scalar)

ROW(fma_packed)
	vpxor %ymm0, %ymm0, %ymm0
	vfmadd213pd (%rdi), %ymm0, %ymm0
	vfmadd231ps (%rdi), %ymm0, %ymm0
	vfmaddsub132pd (%rdi), %xmm0, %xmm0
	vzeroupper
	ret
END(fma_packed)

	.section .note.GNU-stack, "", @progbits
