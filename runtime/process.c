/* The process. Each module (the executable, shared objects) has a copy of the runtime, and all of them
 * simulate the same caches and write one profile. They share no symbol: a module may be loaded so that no
 * other sees its names. What they share lies at one of a few addresses that they all know; whoever comes first maps
 * the first of them at which nothing else lies. */
#include <asm/prctl.h>
#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/runtime.h"

/* Far from where the kernel puts anything by itself, and where the address and the memory sanitizer (compiler-rt,
 * asan_allocator.h, msan.h) leave programs alone. The thread sanitizer (tsan_platform.h) does so only where programs
 * usually lie: so two are behind those that are linked at fixed addresses. */
static const uintptr_t addresses[] = {0x54ac4e000000, 0x54ac8e000000, 0x6cac4e0000, 0x6cec4e0000};
#define ADDRESSES (sizeof addresses / sizeof *addresses)
/* "cachepro", and what must be the same in all modules. */
#define PROCESS_MAGIC (0x6f72706568636163ul + ((uint64_t)SITE_VERSION << 56) + \
		       ((sizeof(struct process) + sizeof(struct module) + sizeof(struct thread)) << 40))

struct process *cacheprof_the_process;

/* The kernel finds out (access(2), EFAULT). Where nothing is mapped, it says so when asked of that (mincore(2)), and
 * memcheck has nothing to report. */
bool cacheprof_is_readable(const void *at)
{
	uintptr_t page = (uintptr_t)at & -PAGE;
	unsigned char resident;

	if (SYSCALL(mincore, page, 1, &resident) == -ENOMEM)
		return false;
	return SYSCALL(access, at, 0) != -EFAULT;
}

/* What another module has mapped. */
static struct process *find(void)
{
	for (unsigned i = 0; i < ADDRESSES; i++) {
		struct process *p = (struct process *)addresses[i];

		if (!cacheprof_is_readable(p) || (uint32_t)p->magic != (uint32_t)PROCESS_MAGIC)
			continue;
		if (p->magic == PROCESS_MAGIC)
			return p;
		cacheprof_print(SAY "this process mixes modules of different versions of cacheprof; "
				"compile all of it with one\n");
		cacheprof_exit_group(1);
	}
	return 0;
}

static struct process *map(void)
{
	for (unsigned i = 0; i < ADDRESSES; i++) {
		struct process *p = (struct process *)addresses[i];
		long at = SYSCALL(mmap, p, sizeof *p, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

		if (at == (long)p) {
			p->magic = PROCESS_MAGIC;
			return p;
		}
		if (at > 0)
			SYSCALL(munmap, at, sizeof *p);
	}
	cacheprof_print(SAY "no memory for what modules share at %lx, nor at the other places for it\n",
			addresses[0]);
	cacheprof_exit_group(1);
}

void cacheprof_process_join(void)
{
	struct process *shared = find();

	cacheprof_the_process = shared ? shared : map();
}

/* Thousands of threads may begin at once, so who waits sleeps until it is woken. */
enum lock { FREE, TAKEN, AWAITED };

void cacheprof_process_lock(void)
{
	int *lock = &cacheprof_process.lock, was = FREE;

	if (__atomic_compare_exchange_n(lock, &was, TAKEN, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	while (__atomic_exchange_n(lock, AWAITED, __ATOMIC_ACQUIRE) != FREE)
		SYSCALL(futex, lock, FUTEX_WAIT_PRIVATE, AWAITED);
}

void cacheprof_process_unlock(void)
{
	int *lock = &cacheprof_process.lock;

	if (__atomic_exchange_n(lock, FREE, __ATOMIC_RELEASE) == AWAITED)
		SYSCALL(futex, lock, FUTEX_WAKE_PRIVATE, 1);
}
