# An instrumented program on Valgrind: memcheck finds nothing in the runtime, and the profile has the program's own
# command and options, not Valgrind's.
. "$(dirname "$0")/../tap.sh"

if ! command -v valgrind >/dev/null; then
	skip "on Valgrind" "there is no valgrind"
	finish
fi
cat >prog.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void *work(void *unused)
{
	char *text = malloc(100);
	long sum = 0;

	(void)unused;
	for (int i = 0; i < 100; i++)
		text[i] = (char)i;
	for (int i = 0; i < 100; i++)
		sum += text[i];
	free(text);
	return (void *)sum;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	void *result;

	if (argc != 3 || !getenv("NAME"))
		return 1;
	pthread_create(&thread, 0, work, 0);
	pthread_join(thread, &result);
	printf("%s %ld %s\n", argv[2], (long)result, getenv("NAME"));
	fflush(stdout);
	if (!fork())
		_exit(work(0) != result);
	wait(0);
	return 0;
}
END
# on_valgrind OPTIONS: it prints what it does without, and the profile is named by its environment
on_valgrind() {
	rm -f here.out*
	# shellcheck disable=SC2086
	cacheprof $1 gcc -O2 -pthread -o prog prog.c &&
		NAME=here CACHEPROF_OPTIONS=quiet=1:out=%q{NAME}.out \
			valgrind -q --error-exitcode=9 --leak-check=full ./prog one two >out 2>err || return 1
	grep -v 'unhandled DW_OP_ opcode 0x12' err && return 1
	[ "$(cat out)" = "two 4950 here" ] && grep -x 'cmd: ./prog one two' here.out
}
check "memcheck finds nothing" on_valgrind --level2
check "at level 1" on_valgrind --level1
finish
