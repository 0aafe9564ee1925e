/* Offsets in structs of beside.c and strides.h, for assembler. */
#ifndef RUNTIME_STRIDES_X86_64_H
#define RUNTIME_STRIDES_X86_64_H

#define BESIDE_FAR 0
#define BESIDE_STEP 8
#define BESIDE_NEAR 16
#define BESIDE_NEXT 24
#define BESIDE_LEFT 32
#define BESIDE_EACH 40
#define BESIDE_SET 48
#define BESIDE_LAST 56
#define BESIDE_AGAIN 64
#define BESIDE_FAR_MISSES 72
#define BESIDE_NEAR_MISSES 88

/* Bits of what a reference missed. */
#define TOUCH_L1 1
#define TOUCH_LL 2

#define KEPT_VECTORS 3
#define KEPT_IN_USE (64 * KEPT_VECTORS)

#endif
