/* The process. Each module (the executable, shared objects) has a copy of the runtime, and all of them
 * simulate the same caches and write one profile. They share no symbol: a module may be loaded so that no
 * other sees its names. What they share lies at an address that they all know; whoever comes first maps
 * it. If something else lies there, the module is on its own. */
#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/runtime.h"

/* Far from where the kernel puts anything by itself, and from the shadows of sanitizers. */
#define PROCESS_ADDRESS 0x2cac4e000000l
/* "cachepro", and what must be the same in all modules. */
#define PROCESS_MAGIC (0x6f72706568636163ul + ((uint64_t)SITE_VERSION << 56) + \
		       ((sizeof(struct process) + sizeof(struct thread)) << 40))

static struct process alone;
struct process *cacheprof_the_process;

/* Whether there is memory that can be read: the kernel finds out (access(2), EFAULT). */
static bool is_readable(const void *at)
{
	return cacheprof_syscall(SYS_access, (long)at, 0, 0, 0, 0, 0) != -EFAULT;
}

void cacheprof_process_join(void)
{
	struct process *shared = (struct process *)PROCESS_ADDRESS;
	long at = cacheprof_syscall(SYS_mmap, PROCESS_ADDRESS, sizeof *shared, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	cacheprof_the_process = &alone;
	if (at == PROCESS_ADDRESS)
		shared->magic = PROCESS_MAGIC;
	else if (at > 0)
		cacheprof_syscall(SYS_munmap, at, sizeof *shared, 0, 0, 0, 0);
	if (at != PROCESS_ADDRESS && !is_readable(shared))
		return;
	if (shared->magic == PROCESS_MAGIC) {
		cacheprof_the_process = shared;
	} else if ((uint32_t)shared->magic == (uint32_t)PROCESS_MAGIC) {
		cacheprof_print("==cacheprof== this process mixes modules of different versions of cacheprof; "
				"compile all of it with one\n");
		cacheprof_exit_group(1);
	}
}

void cacheprof_process_lock(void)
{
	while (__atomic_exchange_n(&cacheprof_process.lock, 1, __ATOMIC_ACQUIRE))
		cacheprof_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

void cacheprof_process_unlock(void)
{
	__atomic_store_n(&cacheprof_process.lock, 0, __ATOMIC_RELEASE);
}
