/* Functions of libc that our runtime stands before, called and taken the address of by way of the GOT. The linker
 * makes other instructions of these where the function is in the program. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int n;

static void on(int number)
{
	n += number;
}

__attribute__((noinline)) static void calls(void)
{
	for (int i = 0; i < 10; i++)
		signal(SIGUSR1, on);
	for (int i = 0; i < 3; i++)
		sigaction(SIGUSR1, NULL, NULL);
	raise(SIGUSR1);
}

__attribute__((noinline)) static void addresses(void)
{
	static pid_t (*volatile made)(void);
	static volatile void *any[3];

	for (int i = 0; i < 5; i++) {
		made = fork;
		any[0] = (void *)sigaction;
		any[1] = (void *)_exit;
		any[2] = (void *)puts;
	}
	if (!made())
		_exit(0);
	wait(NULL);
}

int main(void)
{
	calls();
	addresses();
	printf("%d\n", n);
	return 0;
}
