/* The doors to the kernel, to what the processor tells of itself, and to Valgrind. x86-64 only: the registers of
 * system calls, cpuid, client requests. */
#include "runtime/runtime.h"

#include <linux/sched.h>
#include <sys/syscall.h>

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

/* valgrind.h: VALGRIND_DO_CLIENT_REQUEST_EXPR, RUNNING_ON_VALGRIND. */
bool cacheprof_on_valgrind(void)
{
	const uint64_t request[6] = {0x1001};
	uint64_t result = 0;

	__asm__ volatile("rolq $3,%%rdi\n\trolq $13,%%rdi\n\t"
			 "rolq $61,%%rdi\n\trolq $51,%%rdi\n\t"
			 "xchgq %%rbx,%%rbx"
			 : "+d"(result)
			 : "a"(request)
			 : "cc", "memory");
	return result;
}

long cacheprof_spawn(void (*run)(void *), void *argument, char *stack_end, int *number)
{
	register int *r10 __asm__("r10") = number;
	register long r8 __asm__("r8") = 0;
	register void *kept __asm__("r12") = argument;
	long result;

	__asm__ volatile("syscall\n\t"
			 "test %0,%0\n\t"
			 "jnz 1f\n\t"
			 "xor %%ebp,%%ebp\n\t"
			 "mov %%r12,%%rdi\n\t"
			 "call *%%rbx\n\t"
			 "ud2\n"
			 "1:"
			 : "=a"(result)
			 : "a"(SYS_clone), "D"(CLONE_VM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID),
			   "S"(stack_end), "d"(number), "r"(r10), "r"(r8), "b"(run), "r"(kept)
			 : "rcx", "r11", "memory");
	return result;
}

__asm__(".text\n"
	".globl	cacheprof_sigreturn\n"
	".hidden cacheprof_sigreturn\n"
	".type	cacheprof_sigreturn,@function\n"
	"cacheprof_sigreturn:\n"
	"	mov	$15,%rax\n" /* unwinders know it by these bytes */
	"	syscall\n"
	".size	cacheprof_sigreturn,.-cacheprof_sigreturn");
