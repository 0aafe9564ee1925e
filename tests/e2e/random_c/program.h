/* What programs made by generate have in common: types, how each is made of and becomes 64 bits, the memory that all
 * of them change, and functions that are not instrumented (main.c). */
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#define EXTERN_C extern "C"
#else
#define EXTERN_C extern
#endif

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef unsigned __int128 u128;
typedef long double extended;
typedef _Complex double complex_double;
typedef u32 u32x4 __attribute__((vector_size(16)));
typedef double double_x2 __attribute__((vector_size(16)));
typedef u32 u32x8 __attribute__((vector_size(32)));
typedef double double_x4 __attribute__((vector_size(32)));
typedef struct {
	u32 a;
	u8 b;
} packed_pair; /* one general register, System V ABI, 3.2.3 */
typedef struct {
	double d;
	u64 i;
} mixed_pair; /* one general and one vector register */
typedef struct {
	u64 x[5];
	double y;
} in_memory; /* the caller's memory */

EXTERN_C u64 mem[1024];
EXTERN_C double fmem[512];
EXTERN_C long fuel; /* calls that may still be made */
EXTERN_C volatile u64 sink;
EXTERN_C jmp_buf *way_out;

/* These leave other values in all registers that a callee may change. */
EXTERN_C u64 outside(u64 x);
EXTERN_C double outside_double(double x);
EXTERN_C u64 outside_variadic(int n, ...);
EXTERN_C u64 call_back(u64 (*f)(u64), u64 x);

/* What main calls: the functions of one unit. */
EXTERN_C void run_a(void);
EXTERN_C void run_b(void);

static inline u64 from_double(double x)
{
	u64 bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

/* from_TYPE and to_TYPE, of x. */
#define CONVERSIONS(type, from, ...)          \
	static inline u64 from_##type(type x) \
	{                                     \
		return from;                  \
	}                                     \
	static inline type to_##type(u64 x)   \
	{                                     \
		return __VA_ARGS__;           \
	}

static inline complex_double complex(double real, double imaginary)
{
	complex_double c;

	__real__ c = real;
	__imag__ c = imaginary;
	return c;
}

static inline double to_double(u64 x)
{
	return (s32)x;
}

CONVERSIONS(u8, x, (u8)x)
CONVERSIONS(u16, x, (u16)x)
CONVERSIONS(u32, x, (u32)x)
CONVERSIONS(u64, x, x)
CONVERSIONS(s32, (u64)x, (s32)x)
CONVERSIONS(s64, (u64)x, (s64)x)
CONVERSIONS(u128, (u64)(x ^ x >> 64), (u128)x << 64 | x * 7)
CONVERSIONS(float, from_double((double)x), (float)(s32)x)
CONVERSIONS(extended, from_double((double)x), (s32)x)
CONVERSIONS(complex_double, from_double(__real__ x) ^ 3 * from_double(__imag__ x),
	    complex(to_double(x), to_double(x >> 3)))
CONVERSIONS(u32x4, x[0] ^ x[1] ^ x[2] ^ x[3], (u32x4){(u32)x, 2, (u32)x * 3, 4})
CONVERSIONS(double_x2, from_double(x[0] + x[1]), (double_x2){to_double(x), 2.5})
#ifdef __AVX__
CONVERSIONS(u32x8, x[0] ^ x[3] ^ x[5] ^ x[7], (u32x8){(u32)x, 2, (u32)x * 3, 4, 5, 6, 7, (u32)x})
CONVERSIONS(double_x4, from_double(x[0] + x[3]), (double_x4){to_double(x), 2.5, 3.5, to_double(x >> 5)})
#endif
CONVERSIONS(packed_pair, x.a ^ x.b, (packed_pair){(u32)x, (u8)(x >> 8)})
CONVERSIONS(mixed_pair, from_double(x.d) ^ x.i, (mixed_pair){to_double(x), x})
CONVERSIONS(in_memory, x.x[0] ^ x.x[4] ^ from_double(x.y), (in_memory){{x, 1, 2, 3, x * 5}, to_double(x)})

#ifdef __cplusplus
struct thrown {
	u64 v;
};

struct thrown_double {
	double d;
};

/* What its destructor does is seen in memory. */
struct guard {
	u64 at, v;

	guard(u64 at, u64 v) : at(at), v(v)
	{
		mem[at] += v;
	}
	~guard()
	{
		mem[at] ^= v * 3;
	}
};

struct base {
	u64 n;

	base(u64 n) : n(n)
	{
	}
	virtual u64 get(u64 x) const
	{
		return x + n;
	}
	virtual ~base()
	{
	}
};

struct left : base {
	using base::base;
	u64 get(u64 x) const override
	{
		if ((x & 15) == 3)
			throw thrown{x};
		return x * n;
	}
};

struct other {
	u64 e = 7;

	virtual u64 more(u64 x)
	{
		return x ^ e;
	}
};

/* Its more() is come to by a thunk that corrects `this'. */
struct right : other, base {
	double d;

	right(u64 n) : base(n), d((double)(s32)n * .5)
	{
	}
	u64 get(u64 x) const override
	{
		return x ^ from_double(d);
	}
	u64 more(u64 x) override
	{
		return x + e + n;
	}
};

__attribute__((noinline)) inline u64 by_base(const base &b, u64 x)
{
	return b.get(x) + 1;
}
__attribute__((noinline)) inline u64 by_other(other &o, u64 x)
{
	return o.more(x);
}
#endif
