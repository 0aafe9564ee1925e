/* The doors to the kernel and to what the processor tells of itself. x86-64 only: the registers of system
 * calls, cpuid. */
#include "runtime/runtime.h"

long cacheprof_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

struct cpuid cacheprof_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid r;

	__asm__("cpuid" : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx) : "a"(leaf), "c"(subleaf));
	return r;
}
