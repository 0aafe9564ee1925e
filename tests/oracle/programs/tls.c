/* Thread-local variables in each model. The linker makes general and local dynamic ones into
 * shorter sequences without a call when it links an executable: what counts is what it left. */
#include <stdio.h>

static __thread long local, another;
__thread int global;
extern __thread int tls_elsewhere;

__attribute__((noinline)) static long local_dynamic(void)
{
	for (int i = 0; i < 10; i++) {
		local += i;
		another ^= local;
	}
	return local + another;
}

__attribute__((noinline)) static long general_dynamic(void)
{
	for (int i = 0; i < 10; i++)
		global += i;
	return global;
}

__attribute__((noinline)) static long elsewhere(void)
{
	for (int i = 0; i < 10; i++)
		tls_elsewhere += i;
	return tls_elsewhere;
}

int main(void)
{
	printf("%ld %ld %ld\n", local_dynamic(), general_dynamic(), elsewhere());
	return 0;
}
