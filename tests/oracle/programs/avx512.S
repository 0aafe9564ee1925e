/* Kinds of instructions: AVX-512 F, VL, BW, DQ. Valgrind 3.19 dies on all of it. */
#include "rows.h"

ROW(zmm_load_store)
	vmovups (%rdi), %zmm0
	vmovdqu64 64(%rdi), %zmm1
	vmovdqu8 3(%rdi), %zmm2
	vmovdqu32 (%rdi), %xmm18
	vaddpd (%rdi), %zmm0, %zmm1
	vpaddd 128(%rdi), %ymm17, %ymm18
	vpternlogd $1, (%rdi), %zmm0, %zmm1
	vpxord %zmm0, %zmm0, %zmm0
	vmovups %zmm0, (%rdi)
	vmovdqa64 %zmm0, 64(%rdi)
	vmovntdq %zmm0, (%rdi)
	vmovdqu16 %ymm0, 7(%rdi)
	vzeroupper
	ret
END(zmm_load_store)

ROW(broadcast)
	vaddpd (%rdi){1to8}, %zmm0, %zmm1
	vaddps (%rdi){1to16}, %zmm0, %zmm1
	vpandq (%rdi){1to4}, %ymm0, %ymm1
	vbroadcastss (%rdi), %zmm0
	vbroadcasti32x4 (%rdi), %zmm0
	vbroadcastf64x4 (%rdi), %zmm0
	vzeroupper
	ret
END(broadcast)

ROW(mask_register)
	movq $-1, (%rdi)
	kmovb (%rdi), %k1
	kmovw (%rdi), %k1
	kmovd (%rdi), %k1
	kmovq (%rdi), %k1
	kxorq %k1, %k1, %k1
	kmovw %k1, (%rdi)
	kmovq %k1, (%rdi)
	ret
END(mask_register)

/* One reference of the full width while the mask is not zero, none when it is. */
ROW(masked_512)
	mov $5, %eax
	kmovd %eax, %k1
	kxorq %k2, %k2, %k2
	vpxord %zmm0, %zmm0, %zmm0
	vmovups (%rdi), %zmm1{%k1}
	vmovups (%rdi), %zmm1{%k1}{z}
	vmovups (%rdi), %zmm1{%k2}{z}
	vmovups %zmm0, (%rdi){%k1}
	vmovups %zmm0, (%rdi){%k2}
	vmovdqu8 %ymm0, (%rdi){%k1}
	vaddps (%rdi), %zmm0, %zmm1{%k1}
	vaddps (%rdi), %zmm0, %zmm1{%k2}
	vpaddd (%rdi), %xmm0, %xmm1{%k1}{z}
	vmovss (%rdi), %xmm1{%k1}
	vmovss (%rdi), %xmm1{%k2}
	vmovsd %xmm0, (%rdi){%k1}
	vmovsd %xmm0, (%rdi){%k2}
	vzeroupper
	ret
END(masked_512)

/* Lanes 0 and 2. */
ROW(gather_512)
	mov $5, %eax
	vpxord %zmm2, %zmm2, %zmm2
	kmovd %eax, %k1
	vpgatherdd 64(%rdi,%zmm2,4), %zmm0{%k1}
	kmovd %eax, %k1
	vgatherqpd (%rdi,%zmm2,8), %zmm0{%k1}
	kmovd %eax, %k1
	vpgatherdq (%rdi,%xmm2,8), %ymm0{%k1}
	kxnorw %k1, %k1, %k1
	vpgatherdd (%rdi,%zmm2,4), %zmm0{%k1}
	kxorw %k1, %k1, %k1
	vpgatherdd (%rdi,%zmm2,4), %zmm0{%k1}
	vzeroupper
	ret
END(gather_512)

ROW(scatter_512)
	mov $5, %eax
	vpxord %zmm0, %zmm0, %zmm0
	vpxord %zmm2, %zmm2, %zmm2
	kmovd %eax, %k1
	vpscatterdd %zmm0, 64(%rdi,%zmm2,4){%k1}
	kmovd %eax, %k1
	vscatterqpd %ymm0, (%rdi,%ymm2,8){%k1}
	kxnorw %k1, %k1, %k1
	vpscatterdd %zmm0, (%rdi,%zmm2,4){%k1}
	vzeroupper
	ret
END(scatter_512)

ROW(compress_expand)
	mov $5, %eax
	kmovd %eax, %k1
	vpxord %zmm0, %zmm0, %zmm0
	vpcompressd %zmm0, (%rdi){%k1}
	vpexpandd (%rdi), %zmm0{%k1}
	vpmovdb %zmm0, (%rdi)
	vpmovqd %zmm0, (%rdi)
	vpmovdb %zmm0, (%rdi){%k1}
	vextracti32x4 $1, %zmm0, (%rdi)
	vextractf64x4 $1, %zmm0, (%rdi)
	vinserti64x4 $1, (%rdi), %zmm0, %zmm1
	vzeroupper
	ret
END(compress_expand)

ROW(fma_512)
	vpxord %zmm0, %zmm0, %zmm0
	vfmadd213pd (%rdi), %zmm0, %zmm0
	vfmadd213ps (%rdi){1to16}, %zmm0, %zmm0
	vzeroupper
	ret
END(fma_512)

	.section .note.GNU-stack, "", @progbits
