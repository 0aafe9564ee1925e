/* Not instrumented: what is called here returns in another thread, and then in the first one again. */
#include <pthread.h>
#include <semaphore.h>
#include <ucontext.h>
#include <unistd.h>

static ucontext_t caller;
static sem_t wanted;

static void *go_on(void *unused)
{
	setcontext(&caller);
	return unused;
}

static void wait_for_it(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, go_on, 0);
	sem_wait(&wanted);
	setcontext(&caller);
}

static void want_it(void)
{
	sem_post(&wanted);
	for (;;)
		pause();
}

static void leave_to(void (*next)(void), char *stack, size_t size)
{
	ucontext_t other;

	getcontext(&other);
	other.uc_stack.ss_sp = stack;
	other.uc_stack.ss_size = size;
	makecontext(&other, next, 0);
	swapcontext(&caller, &other);
}

void move(void)
{
	static char stack[1 << 16];

	leave_to(wait_for_it, stack, sizeof stack);
}

void move_back(void)
{
	static char stack[1 << 16];

	leave_to(want_it, stack, sizeof stack);
}
