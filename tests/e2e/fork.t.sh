# A child of fork counts from zero and writes its own file; its parent's is its parent's. A child that
# borrows its parent's memory writes none.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1

cat >family.c <<'END'
#define _GNU_SOURCE
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sum;

#define WORK(name) \
	__attribute__((noinline)) static void name(void) \
	{ \
		for (int i = 0; i < 1000; i++) \
			sum += i; \
	}
WORK(before)
WORK(parents_work)
WORK(childs_work)
WORK(grandchilds_work)

static char *const words[] = {"sh", "-c", "exit 7", 0};
static int how_to_end;

static void childs_life(void)
{
	childs_work();
	switch (how_to_end) {
	case 0: exit(7);
	case 1: _exit(7);
	case 2: execv("/bin/sh", words); break;
	case 3: raise(SIGTERM); break;
	}
}

static void *in_thread(void *argument)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		childs_life();
	waitpid(child, &status, 0);
	return argument;
}

static int childs_function(void *argument)
{
	childs_work();
	return *(int *)argument;
}

/* Not by libc. */
static inline long bare_call(long number, long a)
{
	register long fifth __asm__("r10") = 0, sixth __asm__("r8") = 0;
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(0l), "d"(0l), "r"(fifth), "r"(sixth)
			 : "rcx", "r11", "memory");
	return result;
}

int main(int argc, char **argv)
{
	const char *how = argv[1];
	char stack[16384];
	int status = 0, seven = 7;
	pid_t child = 0;
	pthread_t thread;

	how_to_end = argc > 2 ? atoi(argv[2]) : 0;
	before();
	if (!strcmp(how, "fork"))
		child = fork();
	else if (!strcmp(how, "_Fork"))
		child = _Fork();
	else if (!strcmp(how, "syscall"))
		child = syscall(SYS_fork);
	else if (!strcmp(how, "syscall_clone"))
		child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	else if (!strcmp(how, "syscall_clone3"))
		child = syscall(SYS_clone3, &(struct clone_args){.exit_signal = SIGCHLD}, sizeof(struct clone_args));
	else if (!strcmp(how, "bare_fork"))
		child = bare_call(SYS_fork, 0);
	else if (!strcmp(how, "bare_clone"))
		child = bare_call(SYS_clone, SIGCHLD);
	else if (!strcmp(how, "bare_vfork")) {
		child = bare_call(SYS_vfork, 0);
		if (child == 0) {
			childs_work();
			bare_call(SYS_exit_group, 7);
		}
	}
	else if (!strcmp(how, "vfork")) {
		child = vfork();
		if (child == 0) {
			execv("/bin/no-such-program", words);
			execv("/bin/sh", words);
			_exit(9);
		}
	} else if (!strcmp(how, "vfork_exit")) {
		child = vfork();
		if (child == 0)
			_exit(7);
	} else if (!strcmp(how, "spawn"))
		posix_spawn(&child, "/bin/sh", 0, 0, words, environ);
	else if (!strcmp(how, "system")) {
		status = system("exit 7");
		child = -1;
	} else if (!strcmp(how, "popen")) {
		status = pclose(popen("exit 7", "r"));
		child = -1;
	} else if (!strcmp(how, "thread")) {
		pthread_create(&thread, 0, in_thread, 0);
		pthread_join(thread, 0);
		child = -1;
	} else if (!strcmp(how, "clone"))
		child = clone(childs_function, stack + sizeof stack, SIGCHLD, &seven);
	else if (!strcmp(how, "clone_vm"))
		child = clone(childs_function, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &seven);
	else if (!strcmp(how, "grandchild")) {
		child = fork();
		if (child == 0) {
			child = fork();
			if (child == 0) {
				grandchilds_work();
				exit(0);
			}
			waitpid(child, &status, 0);
			child = 0;
		}
	} else if (!strcmp(how, "daemon")) {
		status = daemon(1, 1);
		childs_work();
		exit(status);
	}
	if (child == 0)
		childs_life();
	parents_work();
	if (child > 0)
		waitpid(child, &status, 0);
	printf("%x\n", status);
	return 3;
}
END
gcc -w -O1 -pthread -o native family.c || exit 1

# works FILE FUNCTION...: the functions that the profile has counts for are these
works() {
	local file=$1
	shift
	[ "$(sed -n 's/^fn=\(.*\(work\|before\)\)$/\1/p' $file | sort | tr '\n' ' ')" = "$(printf '%s ' "$@")" ] || {
		grep '^fn=' $file
		return 1
	}
}

# children: how many profiles of children there are
children() {
	ls | grep -cE '^cacheprof\.out\.[0-9]+$'
}

# runs PROGRAM CHILDREN WORD...: as the native program does, with so many children's profiles
runs() {
	local program=$1 n=$2
	shift 2
	rm -f cacheprof.out*
	./native "$@" >native.out 2>&1
	echo $? >>native.out
	$program "$@" >ours.out 2>&1
	echo $? >>ours.out
	diff native.out ours.out && [ "$(children)" -eq "$n" ] || { ls; return 1; }
}

# zero: each of the counts of a function's work is that of one call
zero() {
	local file
	for file in cacheprof.out cacheprof.out.*[0-9]; do
		awk '/^fn=/ { fn = $0 } /^[0-9]/ && fn ~ /work|before/ && $2 > 9000 { print FILENAME, $0; bad = 1 }
			END { exit bad }' $file || return 1
	done
}

for program in ours "ours -static" "ours --self-check"; do
	options=${program#ours}
	name="${options:+${options# }: }"
	case $options in
	*self*) check "${name}builds" cacheprof --self-check gcc -w -O1 -pthread -o ours family.c ;;
	*) check "${name}builds" cacheprof gcc -w -O1 -pthread$options -o ours family.c ;;
	esac
	for end in exit:0 _exit:1 exec:2 signal:3; do
		check "${name}fork, ${end%:*}" runs ./ours 1 fork ${end#*:}
		check "... the parent's profile" works cacheprof.out before parents_work
		check "... the child's" works "cacheprof.out.*[0-9]" childs_work
		check "... each counted once" zero
	done
	check "${name}_Fork" runs ./ours 1 _Fork
	check "... the child's profile" works "cacheprof.out.*[0-9]" childs_work
	check "${name}fork in a thread" runs ./ours 1 thread
	check "... the child's profile" works "cacheprof.out.*[0-9]" childs_work
	check "... the parent's" works cacheprof.out before parents_work
	check "${name}a grandchild" runs ./ours 2 grandchild
	check "... has its work" sh -c 'grep -lx fn=grandchilds_work cacheprof.out.*[0-9] | wc -l | grep -qx 1'
	for way in syscall syscall_clone syscall_clone3; do
		check "${name}$way" runs ./ours 1 $way
		check "... the child's profile" works "cacheprof.out.*[0-9]" childs_work
		check "... each counted once" zero
	done
	for way in bare_fork bare_clone; do
		check "${name}$way" runs ./ours 1 $way
		check "... the child's profile, and what was before" works "cacheprof.out.*[0-9]" before childs_work
		check "... the parent's" works cacheprof.out before parents_work
	done
	check "${name}bare_vfork" runs ./ours 0 bare_vfork
	check "... all in the parent's profile" works cacheprof.out before childs_work parents_work
	for way in vfork vfork_exit spawn system popen; do
		check "${name}$way" runs ./ours 0 $way
		check "... the parent's profile" works cacheprof.out before parents_work
	done
	check "${name}clone" runs ./ours 1 clone
	check "... the child's profile" works "cacheprof.out.*[0-9]" childs_work
	check "${name}clone in the same memory" runs ./ours 0 clone_vm
	check "... the parent's profile has its work" works cacheprof.out before childs_work parents_work
done

# Who forks is not instrumented: a program that has a library of ours, or loads and unloads it.
cat >lib.c <<'END'
static volatile int sum;
void step(void) { sum++; }
END
cat >guest.c <<'END'
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++) {
		void *lib = dlopen("./lib.so", RTLD_NOW);
		void (*step)(void) = (void (*)(void))dlsym(lib, "step");
		pid_t child;

		for (int k = 0; k < 100; k++)
			step();
		child = fork();
		for (int k = 0; child == 0 && k < 10; k++)
			step();
		if (child == 0)
			exit(7);
		wait(0);
		step();
		dlclose(lib);
		if (fork() == 0)
			_exit(0);
		wait(0);
	}
	return 3;
}
END
# steps FILE: twice what its functions named step were called
steps() {
	awk '/^events:/ { for (i = 2; i <= NF; i++) if ($i == "Dr") at = i }
		/^fn=/ { on = $0 == "fn=step" } on && /^[0-9]/ { n += $at } END { print n }' "$1"
}
foreign() {
	local child n=0
	rm -f cacheprof.out*
	timeout 20 ./guest
	[ $? -eq 3 ] && [ "$(steps cacheprof.out)" -eq 606 ] || return 1
	for child in cacheprof.out.*[0-9]; do
		[ "$(steps "$child")" -eq 20 ] || return 1
		n=$((n + 1))
	done
	[ $n -eq 3 ]
}
gcc -O1 -o guest guest.c -ldl || exit 1
check "a library of ours" cacheprof gcc -O1 -fPIC -shared -o lib.so lib.c
check "in a program that is not, which forks" foreign
check "builds with a forking library that is not ours" sh -c '
	echo "#include <unistd.h>
int make(void) { return fork(); }" >maker.c && gcc -O1 -shared -fPIC -o maker.so maker.c &&
	{ echo "int make(void);"; sed "s/child = fork()/child = make()/" family.c; } >made.c &&
	cacheprof gcc -w -O1 -pthread -o ours made.c ./maker.so'
check "a library forks" runs ./ours 1 fork 0
check "... the child's profile" works "cacheprof.out.*[0-9]" childs_work
check "builds" cacheprof gcc -w -O1 -pthread -o ours family.c

# What another thread holds while a child is made is nobody's in the child.
cat >beside.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long n;
static volatile int stop;

static void *work(void *p)
{
	while (!stop)
		n++;
	return p;
}

int main(void)
{
	pthread_t thread;
	int waits = 0;

	if (pthread_create(&thread, NULL, work, NULL))
		return 1;
	for (int i = 0; i < 60; i++) {
		int status;
		pid_t child = fork();

		if (!child) {
			alarm(10);
			n++;
			_exit(7);
		}
		waitpid(child, &status, 0);
		waits += !WIFEXITED(status) || WEXITSTATUS(status) != 7;
	}
	stop = 1;
	pthread_join(thread, NULL);
	printf("children that wait: %d\n", waits);
	return waits != 0;
}
END
beside() {
	cacheprof "$@" gcc -O2 -pthread beside.c -o beside && CACHEPROF_OPTIONS=quiet=1:out=/dev/null timeout 90 ./beside
}
for way in --level1 --level2 --self-check --trace; do
	check "children that are made while another thread works, $way" beside $way
done

# Where the kernel clears no pages in copies (before Linux 4.14, and some that only look like Linux).
cat >without.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MADV_WIPEONFORK, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 77;
	execv(argv[1], argv + 1);
	return 78;
}
END
gcc -D_GNU_SOURCE -O1 -o without without.c || exit 1
if ./without ./native vfork >native.out; [ $? -eq 3 ]; then
	check "no page is cleared: fork" runs "./without ./ours" 1 fork 1
	check "... the child's profile" works "cacheprof.out.*[0-9]" childs_work
	check "... the parent's" works cacheprof.out before parents_work
	for way in vfork vfork_exit spawn; do
		check "no page is cleared: $way" runs "./without ./ours" 0 $way
	done
else
	skip "no page is cleared" "no seccomp filters here"
fi

becomes_daemon() {
	rm -f cacheprof.out*
	./ours daemon || return 1
	for i in 1 2 3 4 5 6 7 8 9; do [ "$(children)" -eq 1 ] && return; sleep 0.3; done
	return 1
}
check "daemon" becomes_daemon
check "... the profile of what was before" works cacheprof.out before
check "... and of the daemon" works "cacheprof.out.*[0-9]" childs_work
numbered() {
	rm -f cacheprof.out*
	CACHEPROF_OPTIONS=quiet=1:out=p%%%p.out ./ours fork >out
	[ "$(ls p%*.out | wc -l)" -eq 2 ] && ls p%*.out | grep -qvE '^p%[0-9]+\.out$'
	[ $? -eq 1 ]
}
check "%p is the child's number" numbered
device() {
	rm -f cacheprof.out*
	CACHEPROF_OPTIONS=quiet=1:out=/dev/null ./ours fork >out 2>err
	cat err
	[ ! -s err ]
}
check "/dev/null is the children's, too" device
finish
