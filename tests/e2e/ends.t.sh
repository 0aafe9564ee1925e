# However a process ends, its profile is written, and it ends as it would without us: the same output,
# the same status, the same core dump.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS
export CACHEPROF_OPTIONS=quiet=1
ulimit -S -c 0

cat >ends.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sum;
static volatile int *nowhere;

__attribute__((noinline)) static void work(void)
{
	for (int i = 0; i < 1000; i++)
		sum += i;
}

__attribute__((noinline)) static int deep(int n)
{
	volatile char frame[1000];

	frame[0] = (char)n;
	return deep(n + 1) + frame[0];
}

static void *kill_from_thread(void *argument)
{
	work();
	kill(getpid(), SIGTERM);
	pause();
	return argument;
}

static void *exit_from_thread(void *argument)
{
	usleep(20000);
	work();
	return argument;
}

static void *_exit_from_thread(void *argument)
{
	work();
	_exit(5);
	return argument;
}

static void *overflow(void *argument)
{
	work();
	return deep(0) ? argument : 0;
}

static void start(void *(*function)(void *))
{
	pthread_t thread;

	pthread_create(&thread, 0, function, 0);
	pthread_join(thread, 0);
}

static void die_again(int number)
{
	work();
	signal(number, SIG_DFL);
	raise(number);
}

static void once(int number)
{
	(void)number;
	work();
}

static void divide(void)
{
	volatile int seven = 7, zero = 0;

	sum = seven / zero;
}

static void do_once(int number)
{
	struct sigaction action = {.sa_handler = once, .sa_flags = SA_RESETHAND};

	sigaction(number, &action, 0);
	raise(number);
	raise(number);
}

static void blocked_then_suspended(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, 0);
	raise(SIGTERM);
	sigemptyset(&set);
	for (;;)
		sigsuspend(&set);
}

static void limit_cpu(void)
{
	struct rlimit limit = {1, 2};

	setrlimit(RLIMIT_CPU, &limit);
	for (;;)
		sum++;
}

static void use_memory_up(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_AS, &limit);
	limit.rlim_cur = 1 << 20;
	setrlimit(RLIMIT_AS, &limit);
	exit(malloc(1 << 20) ? 1 : 8);
}

static void broken_pipe(void)
{
	int ends[2];

	if (pipe(ends) == 0) {
		close(ends[0]);
		if (write(ends[1], "x", 1) < 0)
			exit(9);
	}
}

static void close_all(void)
{
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
}

static void handlers_of_quick_exit(void)
{
	work();
}

int main(int argc, char **argv)
{
	const char *how = argv[1];
	char *const words[] = {"sh", "-c", "exit 7", 0};

	if (strcmp(how, "quick_handler"))
		work();
	printf("%s\n", how);
	fflush(stdout);
#define WAY(name, ...) if (!strcmp(how, name)) { __VA_ARGS__; }
	WAY("return", return 3)
	WAY("exit", exit(3))
	WAY("_exit", _exit(3))
	WAY("_Exit", _Exit(3))
	WAY("pointer", void (*volatile f)(int) = _exit; f(3))
	WAY("quick_exit", quick_exit(3))
	WAY("quick_handler", at_quick_exit(handlers_of_quick_exit); quick_exit(3))
	WAY("syscall", syscall(SYS_exit_group, 3))
	WAY("thread_exit", syscall(SYS_exit, 3))
	WAY("abort", abort())
	WAY("abort_handled", signal(SIGABRT, once); abort())
	WAY("abort_once", sysv_signal(SIGABRT, once); abort())
	WAY("abort_ignored", signal(SIGABRT, SIG_IGN); abort())
	WAY("segv", *nowhere = 1)
	WAY("fpe", divide())
	WAY("ill", __builtin_trap())
	WAY("trap", __asm__ volatile("int3"))
	WAY("bus", raise(SIGBUS))
	WAY("term", raise(SIGTERM))
	WAY("int", kill(getpid(), SIGINT))
	WAY("hup", kill(getpid(), SIGHUP))
	WAY("quit", raise(SIGQUIT))
	WAY("usr1", raise(SIGUSR1))
	WAY("alarm", alarm(1); for (;;) pause())
	WAY("realtime", raise(SIGRTMIN + 3))
	WAY("pipe", broken_pipe())
	WAY("cpu", limit_cpu())
	WAY("memory", use_memory_up())
	WAY("overflow", return deep(0))
	WAY("thread_overflow", start(overflow))
	WAY("thread_term", start(kill_from_thread))
	WAY("thread__exit", start(_exit_from_thread))
	WAY("pthread_exit", pthread_t t; pthread_create(&t, 0, exit_from_thread, 0); pthread_exit(0))
	WAY("again", signal(SIGTERM, die_again); raise(SIGTERM))
	WAY("segv_again", signal(SIGSEGV, die_again); *nowhere = 1)
	WAY("once", do_once(SIGUSR2))
	WAY("once_segv", struct sigaction a = {.sa_handler = once, .sa_flags = SA_RESETHAND};
		sigaction(SIGSEGV, &a, 0); *nowhere = 1)
	WAY("sysv", sysv_signal(SIGUSR1, once); raise(SIGUSR1); raise(SIGUSR1))
	WAY("suspended", blocked_then_suspended())
	WAY("closed", close_all(); return 3)
	WAY("chdir", if (chdir("/")) return 1; _exit(3))
	WAY("execv", execv("/bin/sh", words))
	WAY("execve", execve("/bin/sh", words, environ))
	WAY("execvp", execvp("sh", words))
	WAY("execvpe", execvpe("sh", words, environ))
	WAY("execl", execl("/bin/sh", "sh", "-c", "exit $0", "7", (char *)0))
	WAY("execlp", execlp("sh", "sh", "-c", "exit $3", "1", "2", "3", "7", (char *)0))
	WAY("execle", execle("/bin/sh", "sh", "-c", "exit 7", (char *)0, environ))
	WAY("fexecve", fexecve(open("/bin/sh", O_RDONLY), words, environ))
	WAY("execveat", execveat(AT_FDCWD, "/bin/sh", words, environ, 0))
	WAY("syscall_exec", syscall(SYS_execve, "/bin/sh", words, environ))
	WAY("exec_fails", execv("/bin/no-such-program", words); printf("%d\n", errno);
		execvp("no-such-program", words); printf("%d\n", errno); return 3)
	return 77;
}
END
gcc -g1 -O1 -pthread -w -o native ends.c || exit 1

# status COMMAND...: as waitpid has it, for core dumps too
status() {
	python3 -c 'import subprocess, os, sys
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
print(hex(os.waitpid(pid, 0)[1]))' "$@"
}

# ends_as PROGRAM WAY: as the native program does, and with a profile that has the work.
ends_as() {
	local program=$1 way=$2
	status ./native "$way" >native.out 2>&1
	rm -f cacheprof.out*
	status "$program" "$way" >ours.out 2>&1
	diff native.out ours.out && grep -qx "fn=work" cacheprof.out &&
		grep -A9 "^fn=work" cacheprof.out | awk '$2 >= 3000 { found = 1 } END { exit !found }' &&
		! ls | grep tmp
}

# dumps WAY: a core, where the system writes cores into files, that says where and why
dumps() {
	local program
	for program in native ours; do
		mkdir -p cores.$program
		(cd cores.$program && rm -f core* && ulimit -c unlimited && exec ../$program "$1") >/dev/null 2>&1
		gdb -batch -ex bt -ex 'p $_siginfo.si_signo' -ex 'p $_siginfo.si_code' $program \
			"$(echo cores.$program/core*)" 2>/dev/null | grep -E '^(#|Program term|\$)' |
			sed 's/0x[0-9a-f]*//g; s/ at ends.c.*//' | grep -v '(deleted)' >dump.$program
	done
	grep -q '^Program term' dump.native && diff dump.native dump.ours
}

ways() {
	sed -n 's/^\tWAY("\([^"]*\)".*/\1/p' ends.c
}

check "builds" cacheprof gcc -O1 -pthread -w -o ours ends.c
for way in $(ways); do
	check "$way" ends_as ./ours "$way"
done
if ulimit -c unlimited && [ "$(cat /proc/sys/kernel/core_pattern)" = core ] && command -v gdb >/dev/null; then
	for way in segv abort abort_handled fpe bus segv_again; do
		check "$way: the same core dump" dumps $way
	done
else
	skip "the same core dump" "no core files here, or no gdb"
fi
ulimit -S -c 0
cat >fault.f90 <<'END'
program fault
  integer, pointer :: p
  integer :: i, sum
  sum = 0
  do i = 1, 1000
    call work(sum, i)
  end do
  nullify(p)
  call store(p, sum)
contains
  subroutine store(p, sum)
    integer, pointer :: p
    integer :: sum
    p = sum
  end subroutine
  subroutine work(sum, i)
    integer :: sum, i
    sum = sum + i
  end subroutine
end program
END
# fortran FLAGS...: libgfortran's own handler says where it was.
fortran() {
	local native ours
	set -- -fno-inline "$@"
	gfortran "$@" -o native-fault fault.f90 && cacheprof gfortran "$@" -o ours-fault fault.f90 || return 1
	rm -f cacheprof.out
	native=$(status ./native-fault 2>native.err)
	ours=$(status ./ours-fault 2>ours.err)
	echo "$native $ours"
	[ "$native" = "$ours" ] && grep -q '^fn=.*work' cacheprof.out &&
		[ "$(head -n 2 native.err)" = "$(head -n 2 ours.err)" ] && grep -q SIGSEGV ours.err
}
if command -v gfortran >/dev/null; then
	check "Fortran: a fault" fortran -O1
	check "Fortran: a fault, static" fortran -O1 -static
else
	skip "Fortran: a fault" "no gfortran"
fi

# Where no profile can be written one sentence says so, the one of before stays, and the program's status.
# refused STATUS COMMAND...
refused() {
	local want=$1
	shift
	cp cacheprof.out before
	{ "$@" 2>&1 >/dev/null; echo $? >../status; } | cat >../err
	cat ../err ../status
	[ "$(cat ../status)" -eq "$want" ] && cmp before cacheprof.out &&
		[ "$(grep -c == ../err)" -eq 1 ] &&
		grep -q "^==cacheprof== cannot write $PWD/cacheprof.out: " ../err && ! ls | grep tmp
}
too_large() {
	(ulimit -f 0 && exec ../ours $1)
}
as_nobody() {
	setpriv --reuid=65534 --clear-groups ../ours $1
}
full_disk() {
	(unshare -m bash -c 'mount -t tmpfs -o size=64k tmpfs . && cd "$PWD" && echo old >cacheprof.out && {
		cat /dev/zero >filler 2>/dev/null
		../ours exit 2>../err
		status=$?
		ls && cat cacheprof.out
		exit $status
	}') >out
	[ $? -eq 3 ] && grep -qx old out && ! grep tmp out && [ "$(grep -c == ../err)" -eq 1 ] &&
		grep -q "cannot write .*: No space left on device" ../err
}
mkdir obstacles; ./ours exit >/dev/null; cp cacheprof.out obstacles && cd obstacles || exit 1
check "a limit of file sizes: exit" refused 3 too_large exit
check "a limit of file sizes: a signal" refused 143 too_large term
cd .. && rm -rf obstacles && mkdir obstacles && cp cacheprof.out obstacles && chmod 755 . obstacles && cd obstacles
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	check "a directory of others: exit" refused 3 as_nobody exit
	check "a directory of others: a signal" refused 143 as_nobody term
	check "a directory of others: exec" refused 7 as_nobody execv
else
	skip "a directory of others" "not root, or no setpriv"
fi
if unshare -m mount -t tmpfs -o size=64k tmpfs . 2>/dev/null; then
	check "a full disk" full_disk
else
	skip "a full disk" "no file system can be mounted here"
fi
cd ..

check "builds statically" cacheprof gcc -O1 -pthread -w -static -o static ends.c
for way in $(ways); do
	check "static: $way" ends_as ./static "$way"
done
finish
