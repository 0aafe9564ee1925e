# musl, another C library than glibc: what it gives to constructors is not what glibc gives. Programs print and return
# what they do natively, and their profiles have what was executed.
. "$(dirname "$0")/../tap.sh"
programs=$TOP/tests/e2e/programs
if ! command -v musl-gcc >/dev/null; then
	skip "musl" "there is no musl-gcc"
	finish
fi

cat >guest.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static __thread long mine;
static sigjmp_buf back;
static volatile sig_atomic_t faults;

static void on_fault(int number)
{
	(void)number;
	faults++;
	siglongjmp(back, 1);
}

static void *work(void *argument)
{
	for (long i = 0; i < 1000; i++)
		mine = mine * 3 + (i ^ *(long *)argument);
	return (void *)mine;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];
	long factors[4], sum = 0;
	int status;

	for (int i = 0; i < argc; i++)
		printf("%s,", strrchr(argv[i], '/') ? "program" : argv[i]);
	printf(" %s %d\n", getenv("GUEST"), getenv("CACHEPROF_FIXED") != NULL);
	for (int i = 0; i < 4; i++) {
		factors[i] = i;
		pthread_create(&threads[i], NULL, work, &factors[i]);
	}
	for (int i = 0; i < 4; i++) {
		void *result;

		pthread_join(threads[i], &result);
		sum += (long)result;
	}
	signal(SIGSEGV, on_fault);
	for (volatile int i = 0; i < 3; i++)
		if (!sigsetjmp(back, 1))
			*(volatile int *)8 = i;
	fflush(stdout);
	if (!fork())
		_exit(7);
	wait(&status);
	printf("%ld %d %d\n", sum, (int)faults, WEXITSTATUS(status));
	return 3;
}
END

# same OPTION WORD...: the compiler's words
same() {
	local option=$1
	shift
	rm -f cacheprof.out
	musl-gcc -w "$@" -o native && cacheprof "$option" musl-gcc -w "$@" -o ours || return 1
	GUEST=here ./native one "two words" >native.out
	echo $? >>native.out
	CACHEPROF_OPTIONS=quiet=1 GUEST=here timeout 60 ./ours one "two words" >ours.out
	echo $? >>ours.out
	diff native.out ours.out && grep -q '^fn=main' cacheprof.out && grep -q '^cmd: ./ours one' cacheprof.out
}
for flags in "-O2" "-O2 -static" "-O2 -static-pie" "-O0"; do
	for option in --level2 --level1 --branch-sim=yes --plain-copies=yes; do
		# shellcheck disable=SC2086 # several options in one word
		check "threads, faults and a child, $flags $option" same $option guest.c $flags
	done
	for source in everything.c gotos.c "entrances.c $programs/entrances.S"; do
		# shellcheck disable=SC2086
		check "$(basename "${source% *}"), $flags" same --level2 $programs/$source $flags
		# shellcheck disable=SC2086
		check "... and its self-check" same --self-check $programs/$source $flags
	done
done
worked() {
	[ "$(sums_of cacheprof.out work Ir)" -gt 4000 ]
}
check "builds again" same --level2 guest.c -O2
check "threads are counted" worked

# loaded WORD...: the loader has options of its own
loaded() {
	local loader
	loader=$(readelf -l ours | sed -n 's/.*interpreter: \(.*\)]/\1/p')
	GUEST=here "$loader" "$@" ./native one "two words" >native.out
	CACHEPROF_OPTIONS=quiet=1 GUEST=here "$loader" "$@" ./ours one "two words" >ours.out
	diff native.out ours.out && grep '^cmd: ./ours one' cacheprof.out
}
check "by way of the loader" loaded
check "by way of the loader, with a word for it" loaded --library-path .

# The environment is filled up, and the program executed again: it sees neither.
fixed() {
	GUEST=here ./native one "two words" >native.out
	echo $? >>native.out
	for n in 1 2; do
		CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1 GUEST=here ./ours one "two words" >ours.out
		echo $? >>ours.out
		diff native.out ours.out && grep '^[f0-9]' cacheprof.out >profile.$n || return 1
	done
	diff profile.1 profile.2
}
check "fixed addresses" fixed

# Without /proc nobody tells our constructor of arguments and environment: what it was given is anything.
cat >alone.c <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	printf("%d %s\n", argc, argv[argc - 1]);
	return 7;
}
END
# alone COMPILER OPTION COMMAND: it runs, and has a profile with that line
alone() {
	rm -rf jail && mkdir jail && cacheprof "$2" "$1" -O2 -static -o jail/ours alone.c || return 1
	chroot jail /ours one "two words" >ours.out
	[ $? -eq 7 ] && [ "$(cat ours.out)" = "3 two words" ] && grep '^fn=main' jail/cacheprof.out &&
		grep -x "$3" jail/cacheprof.out
}
if chroot . /nothing 2>&1 | grep -q "No such file"; then
	check "without /proc" alone musl-gcc --level2 "cmd: "
	check "without /proc, at level 1" alone musl-gcc --level1 "cmd: "
	check "glibc tells of it all" alone gcc --level2 "cmd: /ours one two words"
else
	skip "without /proc" "chroot is root's"
fi
finish
