# Threads: what N of them do counts N times, however they begin and end, and those that are gone leave
# their memory to others.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1
# One arena: where a thread's memory lies must not depend on how many there are.
export MALLOC_ARENA_MAX=1

cat >threads.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static volatile long nothing;
static pthread_barrier_t together;

/* 4096 bytes of its own, two sweeps: at least 64 misses in an empty D1. */
__attribute__((noinline)) static void work(void)
{
	volatile char own[4096] __attribute__((aligned(4096)));

	for (int sweep = 0; sweep < 2; sweep++)
		for (int i = 0; i < 4096; i++)
			if (i % 3)
				own[i] = (char)i;
}

static void *just_work(void *argument)
{
	work();
	return argument;
}

static void *work_together(void *argument)
{
	pthread_barrier_wait(&together);
	work();
	pthread_barrier_wait(&together);
	return argument;
}

static void *work_and_exit(void *argument)
{
	work();
	pthread_exit(argument);
}

static int c11(void *argument)
{
	work();
	return argument != 0;
}

static void *work_until_cancelled(void *asynchronously)
{
	if (asynchronously)
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
	work();
	pthread_barrier_wait(&together);
	for (;;)
		if (asynchronously)
			nothing++;
		else
			pthread_testcancel();
}

static void *outlive(void *argument)
{
	usleep(50000);
	work();
	return argument;
}

static void show_memory(void)
{
	FILE *maps = fopen("/proc/self/maps", "r"), *status = fopen("/proc/self/status", "r");
	char line[512];
	int n = 0;

	while (fgets(line, sizeof line, maps))
		n++;
	while (fgets(line, sizeof line, status))
		if (!strncmp(line, "VmRSS:", 6))
			printf("%d %ld\n", n, atol(line + 6));
}

static pthread_t all[4000];

int main(int argc, char **argv)
{
	const char *how = argv[1];
	int n = atoi(argv[2]);

	pthread_barrier_init(&together, 0, n + !!strstr(how, "cancel"));
	if (!strcmp(how, "successive"))
		for (int i = 0; i < n; i++) {
			pthread_create(&all[0], 0, just_work, 0);
			pthread_join(all[0], 0);
		}
	else if (!strcmp(how, "waves")) {
		pthread_barrier_destroy(&together);
		pthread_barrier_init(&together, 0, 20);
		for (int wave = 0; wave < n; wave += 20) {
			for (int i = 0; i < 20; i++)
				pthread_create(&all[i], 0, work_together, 0);
			for (int i = 0; i < 20; i++)
				pthread_join(all[i], 0);
		}
	} else if (!strcmp(how, "c11")) {
		thrd_t threads[100];

		for (int i = 0; i < n; i++)
			thrd_create(&threads[i], c11, 0);
		for (int i = 0; i < n; i++)
			thrd_join(threads[i], 0);
	} else if (!strcmp(how, "detached")) {
		for (int i = 0; i < n; i++) {
			pthread_create(&all[0], 0, outlive, 0);
			pthread_detach(all[0]);
		}
		pthread_exit(0);
	} else {
		void *(*function)(void *) = !strcmp(how, "together") ? work_together :
					    !strcmp(how, "exit") ? work_and_exit : work_until_cancelled;

		for (int i = 0; i < n; i++)
			pthread_create(&all[i], 0, function, !strcmp(how, "cancel-any") ? argv : 0);
		if (strstr(how, "cancel")) {
			pthread_barrier_wait(&together);
			for (int i = 0; i < n; i++)
				pthread_cancel(all[i]);
		}
		for (int i = 0; i < n; i++)
			pthread_join(all[i], 0);
	}
	if (argc > 3)
		show_memory();
	return 0;
}
END

# counts [EXCEPT]: the sum of work's counts, but for events of that name, which belong to caches that are shared
counts() {
	awk -v except="${1:-L}" '/^events:/ { for (i = 2; i <= NF; i++) name[i] = $i; n = NF }
		/^fn=/ { on = $0 == "fn=work" }
		on && /^[0-9]/ { for (i = 2; i <= n; i++) sum[i] += $i }
		END { for (i = 2; i <= n; i++) if (name[i] !~ except) printf "%s %d\n", name[i], sum[i] }' cacheprof.out
}

# times PROGRAM HOW N [BASE]: N threads count N / BASE times what BASE do; one, if it is not given
times() {
	timeout 60 "./$1" "$2" "${4:-1}" || return 1
	counts | awk -v n="$(($3 / ${4:-1}))" '{ print $1, $2 * n }' >want
	timeout 100 "./$1" "$2" "$3" || return 1
	counts >got
	diff want got && [ -s want ]
}

# successive PROGRAM N: they leave no more memory than a few do
successive() {
	local few many
	few=$("./$1" successive 10 show) && many=$(timeout 100 "./$1" successive "$2" show) || return 1
	echo "mappings and KiB: $few, $many"
	[ "${many% *}" -le $((${few% *} + 10)) ] && [ "${many#* }" -le $((${few#* } + 1000)) ]
}

for options in "-O0" "-O2" "-O2 -fPIC -pie" "-O1 -static"; do
	check "builds $options" cacheprof gcc $options -w -pthread -o threads threads.c
	for how in together exit c11 detached cancel cancel-any; do
		check "$how: nothing is lost" times threads $how 20
	done
	check "waves" times threads waves 200 20
	check "one after the other" times threads successive 500
done
# Of 4000 at once, natively a third of a second, each wants the runtime's lock and a record among so many.
if gcc -O1 -w -pthread -o plain threads.c && timeout 60 ./plain together 4000; then
	check "4000 together" times threads together 4000 20
else
	skip "4000 together" "natively it fails here"
fi
check "20,000 threads need no more memory than 10" successive threads 20000
check "builds with branches" cacheprof --branch-sim=yes gcc -O1 -w -pthread -o threads threads.c
check "one after the other: branches too" times threads successive 100
check "together: branches too" times threads together 20
check "builds at level 1" cacheprof --level1 gcc -O1 -w -pthread -o threads threads.c
check "one after the other at level 1" times threads successive 100
check "5,000 threads at level 1 need no more memory than 10" successive threads 5000
check "builds with the self-check" cacheprof --self-check gcc -O1 -w -pthread -o threads threads.c
# Lines of one set, from another one on each time, so that what a thread left in any of the ways the next one would find.
cat >turns.c <<'END'
#include <pthread.h>

enum { WAYS = 16, APART = 8192, THREADS = WAYS };

static volatile char block[WAYS * APART] __attribute__((aligned(APART)));

static void *walk(void *turn)
{
	long first = (long)turn * ((long)turn + 1) / 2;

	for (long i = 0; i < WAYS; i++)
		block[(first + i) % WAYS * APART]++;
	return turn;
}

int main(void)
{
	for (long turn = 0; turn < THREADS; turn++) {
		pthread_t thread;

		if (pthread_create(&thread, 0, walk, (void *)turn) || pthread_join(thread, 0))
			return 1;
	}
	return 0;
}
END
check "builds with the self-check" cacheprof --self-check gcc -O1 -pthread -o turns turns.c
# same_as_plain PROGRAM D1
same_as_plain() {
	CACHEPROF_OPTIONS=D1=$2 timeout 100 "./$1" successive 20 2>err
	grep -q "self-check: 0 differences" err || { cat err; return 1; }
}
for d1 in 32k,8,64 48k,12,64 1k,2,64 64k,8,64 128k,16,64; do
	for program in threads turns; do
		check "a thread's caches are empty, whoever was there before: $program, D1=$d1" same_as_plain $program $d1
	done
done

# Collectors of garbage stop the other threads by a signal, wherever these are.
cat >stop.c <<'END'
#include <semaphore.h>
#include <signal.h>

sem_t stopped;

static void stop(int sig)
{
	sigset_t others;

	sigfillset(&others);
	sigdelset(&others, SIGUSR2);
	sem_post(&stopped);
	sigsuspend(&others);
}

static void go_on(int sig)
{
}

void handle(void)
{
	struct sigaction action = {.sa_handler = stop};

	sem_init(&stopped, 0, 0);
	sigfillset(&action.sa_mask);
	sigaction(SIGUSR1, &action, 0);
	action.sa_handler = go_on;
	sigaction(SIGUSR2, &action, 0);
}
END
cat >collect.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

extern sem_t stopped;
void handle(void);

static volatile long heap[64];
static volatile int over;

static void *change(void *arg)
{
	while (!over)
		for (int i = 0; i < 64; i++)
			heap[i] += i;
	return arg;
}

int main(void)
{
	pthread_t thread;

	handle();
	if (pthread_create(&thread, 0, change, 0))
		return 2;
	for (int i = 0; i < 300; i++) {
		usleep(500);
		pthread_kill(thread, SIGUSR1);
		while (sem_wait(&stopped))
			;
		for (int j = 0; j < 64; j++)
			heap[j] &= 0xffff;
		pthread_kill(thread, SIGUSR2);
	}
	over = 1;
	return pthread_join(thread, 0);
}
END
stops() {
	gcc -O1 -c stop.c && cacheprof "$@" gcc -O1 -pthread collect.c stop.o -o collect && timeout 100 ./collect
}
check "a thread is stopped by a signal" stops
check "... also while it is shown to the self-check" stops --self-check

# A thread may begin in a shared object and go on in the executable, and the other way round.
sed 's/^int main.*/int whole(int argc, char **argv)/; s/^__attribute__((noinline)) static void work/void work/' threads.c >whole.c
sed -n '/noinline/,/^}/p' threads.c | sed 's/static void work/void work/' >work.c
sed '/noinline/,/^}/d; s/^static volatile long nothing/void work(void);\n&/' threads.c >rest.c
both() {
	cacheprof gcc -O1 -w -fPIC -shared -o "$1.so" "$1.c" &&
		cacheprof gcc -O1 -w -pthread -o both "$2" "./$1.so"
}
check "work in a shared object" both work rest.c
check "counts N times" times both successive 100
check "together too" times both together 20
check "and needs no more memory" successive both 5000
cat >only.c <<'END'
int whole(int argc, char **argv);
int main(int argc, char **argv) { return whole(argc, argv); }
END
check "all in a shared object" both whole only.c
check "it counts N times" times both successive 100
check "and together" times both together 20
check "and needs no more memory than a few" successive both 5000
sed 's/^int main.*/int whole(int argc, char **argv)/; /noinline/,/^}/d; s/^static volatile long nothing/void work(void);\n&/' threads.c >whole.c
cat work.c only.c >back.c
both_ways() {
	cacheprof gcc -O1 -w -fPIC -shared -o whole.so whole.c &&
		cacheprof gcc -O1 -w -pthread -rdynamic -o both back.c ./whole.so
}
check "begun in a shared object, work in the executable" both_ways
check "the executable counts N times" times both successive 100
check "and together, too" times both together 20
check "and no more memory, either" successive both 5000

# Where a thread comes in at a label whose address assembly gives away, it is known there.
cat >label.s <<'S'
	.text
	.globl	give
	.type	give, @function
give:	leaq	.Lwork(%rip), %rax
	ret
.Lwork:	movl	$1000, %ecx
	xorl	%eax, %eax
.Lloop:	incq	sum(%rip)
	testb	$3, sum(%rip)
	je	.Lfar
	incq	sum+4096(%rip)
	jmp	.Lnext
.Lfar:	incq	sum+8192(%rip)
.Lnext:	incl	%eax
	decl	%ecx
	jne	.Lloop
	ret
	.size	give, .-give
	.bss
	.align	8
sum:	.zero	8200
	.section .note.GNU-stack,"",@progbits
S
cat >start.c <<'C'
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
void *give(void);
static void *in_thread(void *work)
{
	return (void *)(intptr_t)((int (*)(void))work)();
}
int main(void)
{
	pthread_t thread;
	void *result;

	if (pthread_create(&thread, NULL, in_thread, give()) || pthread_join(thread, &result))
		return 1;
	return printf("%d\n", (int)(intptr_t)result) < 0;
}
C
gcc -O2 -c start.c -o start.o
cat >patched.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *left, *right; };
static void release(struct node *n)
{
	if (!n)
		return;
	release(n->left);
	release(n->right);
	free(n);
}
static void *in_thread(void *p)
{
	release(calloc(1, sizeof(struct node)));
	return p;
}
int main(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, in_thread, NULL) || pthread_join(thread, NULL);
}
C
# comes_in_behind OPTION...: where a function begins with a block that is nothing but nops for whoever patches them.
comes_in_behind() {
	cacheprof "$@" gcc -O2 -fpatchable-function-entry=2,1 -mcmodel=large patched.c -o patched -pthread &&
		./patched 2>err && ! grep "self-check: [1-9]" err
}
for options in --level1 --level2 --self-check; do
	check "a thread comes in behind nops, $options" comes_in_behind $options
done
# comes_in OPTION...: two threads are known, and the second one's instructions counted.
comes_in() {
	cacheprof "$@" gcc start.o label.s -pthread -o start && rm -f cacheprof.out &&
		CACHEPROF_OPTIONS=quiet=0 ./start >out 2>err && [ "$(cat out)" = 1000 ] &&
		[ "$(totals_of cacheprof.out Ir)" = "$((2 + 2 + 750 * 8 + 250 * 7 + 1))" ] && ! grep "self-check: [1-9]" err
}
for options in --level1 --level2 --branch-sim=yes --self-check --trace; do
	# shellcheck disable=SC2086 # words
	check "a thread comes in at a label, $options" comes_in $options
done

# Another thread's counters and caches are nobody's; LL is everybody's, on purpose (ll.c, ll_map.c), and what
# helgrind cannot know is that process.c has a lock.
cat >known <<'END'
{
   LL
   Helgrind:Race
   fun:cacheprof_ll_*
}
{
   lock
   Helgrind:Race
   fun:cacheprof_process_*lock
}
{
   under the lock
   Helgrind:Race
   fun:cacheprof_thread_register
}
END
races() {
	local threads=$1
	shift
	timeout 200 valgrind --tool=helgrind --history-level=none --suppressions=known --error-exitcode=9 "$threads" \
		together 4 >out 2>&1 && return
	grep -A6 race out | head -30
	return 1
}
# A thread's %gs is the parent's until it has its own: where that is not to be had it would count into the parent's.
cat >filtered.c <<'C'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static volatile int counts[100];

static void *run(void *argument)
{
	for (int i = 0; i < 100; i++)
		counts[i]++;
	return argument;
}

int main(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
	pthread_t thread;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 77;
	if (pthread_create(&thread, NULL, run, NULL) || pthread_join(thread, NULL))
		return 1;
	return puts("ok") < 0;
}
C
gcc -O1 -w -pthread -o filtered filtered.c
if [ "$(./filtered)" = ok ]; then
	refused() {
		cacheprof "$@" gcc -O1 -w -pthread -o filtered filtered.c && ! ./filtered >out 2>err && [ ! -s out ] &&
			[ "$(grep -c 'a thread cannot be counted' err)" -eq 1 ]
	}
	for level in --level1 --level2; do
		check "a filter forbids what a thread needs: said, $level" refused $level
	done
else
	skip "a filter forbids what a thread needs" "no seccomp filters here"
fi

# Threads that have no thread-local storage of their own: said, and the program goes on.
cat >cloned.c <<'C'
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
static char stacks[2][65536] __attribute__((aligned(64)));
static volatile int sums[2];
static int run(void *number)
{
	for (int i = 0; i < 1000; i++)
		sums[(long)number] += i;
	return 0;
}
int main(void)
{
	for (long i = 0; i < 2; i++)
		if (clone(run, stacks[i] + sizeof stacks[i], CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, (void *)i) < 0)
			return 1;
	while (wait(NULL) > 0)
		;
	return printf("%d %d\n", sums[0], sums[1]) < 0;
}
C
shares() {
	cacheprof $1 gcc -O1 -w cloned.c -o cloned && ./cloned >out 2>err && cat err && [ "$(cat out)" = "499500 499500" ] &&
		[ "$(grep -c "has its maker's counters" err)" -eq 1 ]
}
for level in --level1 --level2; do
	check "threads with their maker's thread-local storage: said, $level" shares $level
done

# On one processor a thread of a real-time policy makes threads in the midst of which another one, of a higher
# priority, makes some, too, and must let it go on where it waits for it.
cat >realtime.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static int numbers[512];
static volatile int stop;
static volatile long made[3];
static void *work(void *unused)
{
	long sum = 0;

	for (int i = 0; i < 512; i++)
		sum += numbers[i];
	return (void *)sum;
}
static int start(pthread_t *thread, long priority, void *(*function)(void *))
{
	struct sched_param parameters = {.sched_priority = (int)priority};
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameters);
	return pthread_create(thread, &attributes, function, (void *)priority);
}
static void *make(void *priority)
{
	const struct timespec a_moment = {.tv_nsec = 130000};
	pthread_t thread;

	while (!stop) {
		if ((long)priority > 1)
			nanosleep(&a_moment, NULL);
		if (!start(&thread, (long)priority, work) && !pthread_join(thread, NULL))
			made[(long)priority]++;
	}
	return NULL;
}
int main(void)
{
	pthread_t low, high;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof one, &one) || start(&low, 1, make) || start(&high, 2, make))
		return 77;
	sleep(2);
	stop = 1;
	alarm(20);
	pthread_join(low, NULL);
	pthread_join(high, NULL);
	return printf("%d %d\n", made[1] > 0, made[2] > 0) < 0;
}
C
gcc -O1 -pthread -o realtime realtime.c
if ./realtime >native; then
	cacheprof gcc -O1 -pthread -o realtime realtime.c
	check "threads of two real-time priorities" eval './realtime >ours && cmp native ours'
else
	skip "threads of two real-time priorities" "no such threads here"
fi

if command -v valgrind >/dev/null; then
	cacheprof gcc -O1 -w -pthread -o threads threads.c
	check "helgrind finds no other races" races ./threads
else
	skip "helgrind finds no other races" "no valgrind"
fi
finish
