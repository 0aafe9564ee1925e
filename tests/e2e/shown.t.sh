# Programs whose instructions are shown (--self-check, --trace): handlers that leave for good, ends by a signal, and
# linkers that find the runtime in an archive.
. "$(dirname "$0")/../tap.sh"

# The handler mostly comes while an instruction is shown. Another thread wants to be shown some then.
cat >leaves.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static sigjmp_buf start;
static volatile char bytes[1 << 16];
static volatile long rounds;
static char stack[1 << 16];

static void leave(int number) { siglongjmp(start, number); }

static void *look(void *unused)
{
	long sum = 0;

	(void)unused;
	for (int i = 0; i < 1000; i++)
		sum += bytes[i * 64];
	return (void *)sum;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = leave, .sa_flags = argc > 1 ? SA_ONSTACK : 0};
	stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};

	(void)argv;
	sigaltstack(&other, NULL);
	sigaction(SIGALRM, &action, NULL);
	for (int i = 0; i < 40; i++) {
		struct itimerval soon = {{0, 0}, {0, 500 + i}};
		pthread_t thread;

		if (!sigsetjmp(start, 1)) {
			setitimer(ITIMER_REAL, &soon, NULL);
			for (;;)
				rounds += bytes[rounds * 64 & 0xffff] + 1;
		}
		pthread_create(&thread, NULL, look, NULL);
		pthread_join(thread, NULL);
	}
	write(1, "done\n", 5);
	return 0;
}
END
# goes_on OPTION ARGUMENT: the self-check has differences then, since what was shown last was not all executed.
goes_on() {
	cacheprof $1 gcc -O1 -pthread leaves.c -o leaves || return 1
	CACHEPROF_OPTIONS=quiet=1:out=/dev/null$([ $1 = --trace ] && echo :trace=/dev/null) timeout 120 ./leaves $2 >printed 2>err
	[ "$(cat printed)" = done ]
}
for option in --self-check --trace; do
	check "a handler that leaves for good, $option" goes_on $option
	check "... on a stack of its own" goes_on $option own
done

cat >ends.c <<'END'
#include <signal.h>
int main(void)
{
	raise(SIGTERM);
	return 0;
}
END
says_so() {
	cacheprof --self-check gcc -O1 ends.c -o ends && CACHEPROF_OPTIONS=out=/dev/null ./ends 2>err
	[ $? -eq 143 ] && grep 'self-check: not asked, for a signal ended the program' err
}
check "the self-check says that it was not asked" says_so
is_quiet() {
	CACHEPROF_OPTIONS=quiet=1:out=/dev/null ./ends 2>err
	[ $? -eq 143 ] && [ ! -s err ]
}
check "... but where nothing is to be said" is_quiet

# As gm2 links.
printf 'int main(void)\n{\n\treturn 0;\n}\n' >main.c
from_archive() {
	local lib=$BUILD/lib/cacheprof
	cacheprof --$1 gcc -c main.c && rm -f all.a && ar rc all.a main.o "$lib"/{cacheprof,show,$2}.o &&
		gcc -o archived all.a "$lib/ends.a" &&
		CACHEPROF_OPTIONS=out=/dev/null$([ $1 = trace ] && echo :trace=trace.out) ./archived 2>err
}
archived_check() {
	from_archive self-check selfcheck && grep 'self-check: 0 differences' err
}
archived_trace() {
	from_archive trace trace && [ -s trace.out ]
}
check "the self-check in an archive" archived_check
check "... and the trace" archived_trace

# only_linked OPTION: nothing would be compared, or written.
only_linked() {
	echo 'int main(void) { return 0; }' >plain.c && cacheprof gcc -c plain.c && cacheprof "$1" gcc plain.o -o plain || return 1
	./plain 2>err
	[ $? -eq 1 ] && grep -q 'linked with --self-check or --trace and compiled without' err
}
check "--self-check where it is linked only" only_linked --self-check
check "... and --trace" only_linked --trace
finish
