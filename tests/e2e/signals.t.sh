# The program's own signals: it sees what it would see without us, and its handlers work as they would.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1

cat >seen.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static void handler(int number) { (void)number; }

static const char *name_of(void *h)
{
	return h == (void *)SIG_DFL ? "default" : h == (void *)SIG_IGN ? "ignore" :
	       h == (void *)handler ? "handler" : h == (void *)SIG_ERR ? "error" : "something else";
}

static void show(const char *what, int number)
{
	struct sigaction old = {0};
	int result = sigaction(number, NULL, &old), members = 0;

	for (int s = 1; s <= 64; s++)
		members += sigismember(&old.sa_mask, s) == 1;
	printf("%s %d: %d %s flags %x mask %d\n", what, number, result,
	       result ? "" : name_of((void *)old.sa_handler), old.sa_flags, members);
}

static void show_stack(const char *what)
{
	stack_t old = {0};
	int result = sigaltstack(NULL, &old);

	printf("%s: %d %s flags %x size %zu\n", what, result, old.ss_sp ? "some" : "none", old.ss_flags,
	       old.ss_size);
}

static int on_which;
static char *alternate;

static void where(int number, siginfo_t *info, void *context)
{
	char here;

	(void)number, (void)info, (void)context;
	on_which = alternate && &here > alternate && &here < alternate + 100000 ? 2 : 1;
}

static void *in_thread(void *argument)
{
	show_stack("a thread's stack");
	return argument;
}

int main(int argc, char **argv)
{
	int (*volatile by_pointer)(int, const struct sigaction *, struct sigaction *) = sigaction;
	struct sigaction a = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
	stack_t stack = {.ss_size = 100000};
	pthread_t thread;
	sigset_t set;

	for (int s = 0; s <= 66; s++)
		if (s != 32 && s != 33)
			show("at the start", s);
	if (argc > 1)
		return 3;
	printf("signal %s", name_of((void *)signal(SIGTERM, handler)));
	printf(" then %s", name_of((void *)signal(SIGTERM, SIG_IGN)));
	printf(" then %s", name_of((void *)signal(SIGTERM, SIG_DFL)));
	printf(" then %s\n", name_of((void *)signal(SIGTERM, SIG_DFL)));
	show("after signal", SIGTERM);
	printf("signal %s %s\n", name_of((void *)signal(SIGKILL, handler)),
	       name_of((void *)signal(999, handler)));
	printf("sysv %s", name_of((void *)sysv_signal(SIGHUP, handler)));
	show(" is", SIGHUP);
	raise(SIGHUP);
	show("once used", SIGHUP);
	sigfillset(&a.sa_mask);
	printf("%d", sigaction(SIGUSR1, &a, &old));
	printf(" %s\n", name_of((void *)old.sa_handler));
	show("a handler", SIGUSR1);
	a.sa_flags = SA_RESETHAND | SA_NODEFER;
	printf("%d", by_pointer(SIGUSR1, &a, &a));
	printf(" %s %x\n", name_of((void *)a.sa_handler), a.sa_flags);
	show("a handler for once", SIGUSR1);
	raise(SIGUSR1);
	show("used", SIGUSR1);
	a.sa_handler = SIG_DFL;
	a.sa_flags = SA_RESTART;
	sigaction(SIGUSR2, &a, &a);
	show("default with flags", SIGUSR2);
	siginterrupt(SIGUSR2, 1);
	printf("sigset %s", name_of((void *)sigset(SIGALRM, handler)));
	printf(" %s", name_of((void *)sigset(SIGALRM, SIG_DFL)));
	printf(" %s\n", name_of((void *)sigset(SIGALRM, SIG_DFL)));
	sigignore(SIGALRM);
	show("ignored", SIGALRM);

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGALRM);
	raise(SIGINT);
	sigpending(&set);
	printf("pending %d %d\n", sigismember(&set, SIGALRM), sigismember(&set, SIGINT));
	printf("waited for %d\n", sigwaitinfo(&set, NULL));

	show_stack("the stack");
	pthread_create(&thread, 0, in_thread, 0);
	pthread_join(thread, 0);
	a = (struct sigaction){.sa_sigaction = where, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaction(SIGUSR2, &a, 0);
	raise(SIGUSR2);
	printf("without an alternate stack: %d\n", on_which);
	stack.ss_sp = alternate = malloc(stack.ss_size);
	printf("sigaltstack %d\n", sigaltstack(&stack, 0));
	raise(SIGUSR2);
	printf("with an alternate stack: %d\n", on_which);
	show_stack("the stack");
	stack.ss_flags = SS_DISABLE;
	printf("sigaltstack %d\n", sigaltstack(&stack, &stack));
	show_stack("the stack");
	fflush(stdout);
	execl("/proc/self/exe", "seen", "again", (char *)0);
	return 0;
}
END

cat >timer.c <<'END'
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

#define N 4096
static unsigned table[N];
static volatile unsigned ticks, jumps;
static double series;
static sigjmp_buf back;
static volatile int may_jump;

__attribute__((noinline)) static unsigned mix(unsigned *t, unsigned n, unsigned seed)
{
	for (unsigned i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		t[seed % n] += seed ^ t[i];
	}
	return seed;
}

static void tick(int number)
{
	static unsigned own[32];
	static unsigned seed;

	ticks++;
	seed = mix(own, 32, seed + (unsigned)number);
	series += 1.0 / ticks;
	if (may_jump && ticks % 3 == 0) {
		jumps++;
		siglongjmp(back, 1);
	}
}

/* Carries, signs and overflows through 64 words. */
__attribute__((noinline)) static unsigned long long flags(unsigned long long x)
{
	unsigned long long hi = x * 0x9e3779b97f4a7c15, lo = ~x;

	for (int i = 0; i < 64; i++) {
		__asm__("add %2,%0\n\tadc %3,%1\n\tsbb $3,%0\n\tadc $0,%1"
			: "+r"(lo), "+r"(hi) : "r"(x), "r"(x >> 7) : "cc");
		x ^= lo;
	}
	return hi ^ lo;
}

static void begin(int clock, int microseconds)
{
	struct itimerval every = {{0, microseconds}, {0, microseconds}};

	setitimer(clock, &every, 0);
}

static volatile int repaired;
static char *page;

static void repair(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	repaired++;
	mprotect((char *)((unsigned long)info->si_addr & -4096ul), 4096, PROT_READ | PROT_WRITE);
}

static void leap(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

__attribute__((noinline)) static int deep(int n)
{
	volatile char frame[4000];

	frame[0] = (char)n;
	return n > 100000 ? n : deep(n + 1) + frame[0];
}

int main(int argc, char **argv)
{
	struct sigaction a = {.sa_handler = tick, .sa_flags = SA_RESTART};
	unsigned long long sum = 0, x = 1;
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	volatile int faults = 0;
	unsigned first = mix(table, N, 1);

	sigaction(SIGALRM, &a, 0);
	begin(ITIMER_REAL, 1000);
	while (ticks < 200) {
		table[0] = 0;
		memset(table, 0, sizeof table);
		if (mix(table, N, 1) != first)
			sum++;
		sum += flags(x) != flags(x);
		x = flags(x);
		for (int i = 0; i < 100; i++)
			if (x % 7 + x / 7 * 7 != x)
				sum++;
	}
	/* Out of the handler, again and again. */
	if (argc == 1) {
		sigsetjmp(back, 1);
		may_jump = 1;
		while (jumps < 30)
			x = flags(x);
	}
	begin(ITIMER_REAL, 0);
	printf("%llu %d\n", sum, series > 1);

	page = mmap(0, 16 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	a = (struct sigaction){.sa_sigaction = repair, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &a, 0);
	for (int i = 0; i < 16 * 4096; i++)
		page[i] = (char)i;
	for (int i = 0; i < 16 * 4096; i++)
		sum += page[i];
	printf("%llu repaired %d\n", sum, repaired);

	if (argc > 1)
		return 0;
	a = (struct sigaction){.sa_handler = leap};
	sigaction(SIGSEGV, &a, 0);
	for (volatile int i = 0; i < 100; i++)
		if (sigsetjmp(back, 1) == 0)
			*(volatile int *)0 = 1;
		else
			faults++;
	sigaltstack(&stack, 0);
	a.sa_flags = SA_ONSTACK;
	sigaction(SIGSEGV, &a, 0);
	for (volatile int i = 0; i < 3; i++)
		if (sigsetjmp(back, 1) == 0)
			sum += deep(0);
		else
			faults++;
	printf("%d\n", faults);
	return 3;
}
END

# as_native PROGRAM: prints and ends as the native program of that name does
as_native() {
	timeout 60 "./$1-native" >native.out 2>&1
	echo $? >>native.out
	timeout 60 "./$2" >ours.out 2>&1
	echo $? >>ours.out
	diff native.out ours.out
}

for program in seen timer; do
	for flags in "-O0" "-O2" "-O2 -static"; do
		gcc -w $flags -pthread -o $program-native $program.c || exit 1
		check "$program $flags builds" cacheprof gcc -w $flags -pthread -o $program-ours $program.c
		check "is as native" as_native $program $program-ours
	done
done
check "builds with the self-check" cacheprof --self-check gcc -w -O1 -pthread -o seen-ours seen.c
check "is as native" as_native seen seen-ours
check "the timer, too, comes to its end" cacheprof --self-check gcc -w -O1 -pthread -o timer-ours timer.c
# Where a handler comes between a check and its reference, the plain simulation sees another order.
executions() {
	CACHEPROF_OPTIONS= timeout 100 ./timer-ours no-jumps >out 2>err
	grep -q "self-check: [0-9]* differences" err && ! grep "executions" err
}
check "... and counts every execution" executions

ignored() {
	local which
	for which in native ours; do
		(trap '' INT HUP; exec ./seen-$which) | grep -E "at the start (1|2):" >$which.out
	done
	[ "$(grep -c ignore ours.out)" -eq 3 ] && diff native.out ours.out
}
check "what was ignored stays ignored" ignored

# Eleven functions in one set of I1, of which no more than eight have room. Handlers that come, and return or not, while lines go and
# come, leave none behind that is never missed again: one is called 10000 times when they are over.
cat >lines.c <<'END'
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile long hits, sink;
static volatile int leaves;
static sigjmp_buf away;
__attribute__((noinline, aligned(4096))) static void on(int number)
{
	hits += number;
	if (leaves)
		siglongjmp(away, 1);
}
#define F(n) __attribute__((noinline, aligned(4096))) static long f##n(long x) { sink += x; return x * 3 + n; }
F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10)

static void all(void)
{
	f1(f2(f3(f4(f5(f6(f7(f8(f9(f10(1))))))))));
}

int main(int argc, char **argv)
{
	struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};

	leaves = argc > 1;
	signal(SIGALRM, on);
	setitimer(ITIMER_REAL, &often, 0);
	sigsetjmp(away, 1);
	while (hits < 300 * SIGALRM)
		all();
	setitimer(ITIMER_REAL, &never, 0);
	leaves = 0;
	for (int i = 0; i < 10000; i++) {
		all();
		on(1);
	}
	return 0;
}
END
# are_missed OPTIONS ARGUMENT...: by each of those calls
are_missed() {
	local missed options=$1
	shift
	CACHEPROF_OPTIONS=quiet=1:$options timeout 60 ./lines "$@" && missed=$(sums_of cacheprof.out on I1mr) &&
		echo "$missed" && [ "$missed" -ge 10000 ]
}
check "lines builds" cacheprof gcc -O2 -o lines lines.c
for options in I1=32k,8,64 I1=16k,4,64 I1=32k,8,32; do
	check "handlers that return: $options" are_missed $options
	check "handlers that do not: $options" are_missed $options leave
done
# A program may refer to address 0 and go on, by a handler. That is a line like any other: what is compared with it are
# ways, and not the words that a row has besides.
cat >zero.c <<'END'
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
static sigjmp_buf back;
static void handler(int signal)
{
	siglongjmp(back, signal);
}
static volatile char memory[16][2 * 4096] __attribute__((aligned(2 * 4096)));
__attribute__((noinline)) static char load(volatile char *p)
{
	return *p;
}
__attribute__((noinline)) static void walk(int n)
{
	for (int i = 0; i < n; i++)
		memory[i][0]++;
}
int main(int argc, char **argv)
{
	int ways = atoi(argv[1]);
	char *p = mmap(NULL, 2 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	p = argc > 2 ? NULL : p + (uintptr_t)p % (2 * 4096);
	signal(SIGSEGV, handler);
	for (volatile int round = 0; round < 200; round++) {
		for (int again = 0; again < 10; again++)
			walk(ways - 1 + round % 2);
		if (!sigsetjmp(back, 1))
			load(p);
	}
	return 0;
}
END
cacheprof gcc -O1 zero.c -o zero
# zero WAYS CACHE: the same misses as with an address of the same set.
zero() {
	local misses run=fixed-addresses=1:quiet=1:D1=$2

	CACHEPROF_OPTIONS=$run:out=one ./zero "$1" && CACHEPROF_OPTIONS=$run:out=other ./zero "$1" 0 || return
	sums_of one walk D1mr && sums_of other walk D1mr | tee misses && misses=$(cat misses) &&
		[ "$misses" = "$(sums_of one walk D1mr)" ] && [ "$misses" -ge $((100 * $1)) ]
}
for ways in 2 5 8 9 12 16; do
	for simd in none avx2 avx512; do
		check "the line at 0, $ways ways, simd=$simd" zero $ways $((ways * 4096)),$ways,64:simd=$simd
	done
done
for cache in 16384,8,64 16384,2,64 8192,8,32 4096,4,16 1024,1,64; do
	ways=${cache#*,}
	check "... D1=$cache" zero ${ways%,*} $cache
done
finish
