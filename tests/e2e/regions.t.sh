# Parts of a run: what client requests and instr-at-start say is counted, and nothing else; caches stay
# as they are meanwhile.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS
quiet="env CACHEPROF_OPTIONS=quiet=1"
headers=-I$TOP/include

# of EVENT FUNCTION [FILE]: its count in a function
of() {
	sums_of "${3-cacheprof.out}" "$2" "$1"
}

cat >parts.c <<'END'
#include <cacheprof.h>
int table[1000];
#define WALK(name) __attribute__((noinline)) static void name(int n)                                  \
	{ for (int i = 0; i < n; i++) __asm__ volatile("incl %0" : "+m"(table[i])); }
WALK(before) WALK(between) WALK(again) WALK(end)
int main(void)
{
	before(10);
	CACHEPROF_STOP;
	between(100);
	before(100);
	CACHEPROF_STOP;
	CACHEPROF_START;
	CACHEPROF_START;
	again(20);
	CACHEPROF_TOGGLE;
	between(100);
	CACHEPROF_TOGGLE;
	CACHEPROF_DUMP("half of it");
	again(3);
	CACHEPROF_DUMP("");
	again(500);
	CACHEPROF_ZERO;
	end(7);
	CACHEPROF_STOP;
	end(200);
	return 0;
}
END

# parts OPTION...: built with them, the reads (and instructions) are those of the parts.
parts() {
	rm -f cacheprof.out*
	cacheprof "$@" gcc -O1 $headers -o parts parts.c && $quiet ./parts || return 1
	grep . cacheprof.out cacheprof.out.1 cacheprof.out.2
	[ "$(of Dr before cacheprof.out.1)" -eq 11 ] && [ "$(of Dr again cacheprof.out.1)" -eq 21 ] &&
		[ "$(of Dr between cacheprof.out.1)" -eq 0 ] &&
		[ "$(of Dr again cacheprof.out.2)" -eq 4 ] &&
		[ "$(of Dr before cacheprof.out.2)" -eq 0 ] &&
		[ "$(of Dr end)" -eq 8 ] && [ "$(of Dr again)" -eq 0 ] && [ "$(of Ir between)" -eq 0 ]
}
check "level 1" parts --level1
check "level 2" parts
check "the reason of a part" grep -qx "desc: Trigger: Client Request: half of it" cacheprof.out.1
check "a part has no summary" test "$(wc -l <cacheprof.out.summary)" -eq 1
into_one() {
	cacheprof gcc -O1 $headers -o parts parts.c && CACHEPROF_OPTIONS=quiet=1:out=/dev/null ./parts >err 2>&1 && [ ! -s err ] &&
		[ "$(CACHEPROF_OPTIONS=quiet=1:out=/dev/stdout ./parts | grep -c ^summary:)" -eq 3 ]
}
check "a device and a pipe take all parts" into_one
check "with the self-check" parts --self-check

printf '48 c1 c7 03 48 c1 c7 0d 48 c1 c7 3d 48 c1 c7 33 48 87 db' >wanted
# whole: ten of the program's, and the runtime's own
whole() {
	objcopy -O binary --only-section=.text parts text && [ "$(od -An -tx1 -v text | tr -d '\n' |
		grep -oF "$(cat wanted)" | wc -l)" -eq 11 ]
}
check "requests stay whole" whole
check "the header: nothing without cacheprof" gcc -std=c99 -Wall -Wextra -Werror -O1 $headers -o plain parts.c
check "and C++" g++ -x c++ -Wall -Wextra -Werror -O1 $headers -o plain parts.c
check "runs" ./plain

cat >requests.c <<'END'
#include <valgrind/callgrind.h>
#include <valgrind/memcheck.h>
#ifndef CACHEGRIND_START_INSTRUMENTATION /* valgrind/cachegrind.h, since 3.22 */
#define CACHEGRIND_START_INSTRUMENTATION \
	VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ_TOOL_BASE('C', 'G'), 0, 0, 0, 0, 0)
#define CACHEGRIND_STOP_INSTRUMENTATION \
	VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ_TOOL_BASE('C', 'G') + 1, 0, 0, 0, 0, 0)
#endif
int table[1000];
__attribute__((noinline)) static void walk(int n)
{
	for (int i = 0; i < n; i++)
		__asm__ volatile("incl %0" : "+m"(table[i]));
}
__attribute__((noinline)) static void other(int n)
{
	for (int i = 0; i < n; i++)
		__asm__ volatile("incl %0" : "+m"(table[i]));
}
int main(void)
{
	CACHEGRIND_STOP_INSTRUMENTATION;
	walk(1000);
	CACHEGRIND_START_INSTRUMENTATION;
	walk(5);
	CALLGRIND_DUMP_STATS_AT("one");
	walk(50);
	CALLGRIND_ZERO_STATS;
	CALLGRIND_TOGGLE_COLLECT;
	other(70);
	CALLGRIND_TOGGLE_COLLECT;
	walk(9);
	CALLGRIND_STOP_INSTRUMENTATION;
	other(80);
	return VALGRIND_MAKE_MEM_DEFINED(table, 4) || VALGRIND_COUNT_ERRORS || RUNNING_ON_VALGRIND;
}
END
if [ -r /usr/include/valgrind/callgrind.h ]; then
	rm -f cacheprof.out*
	check "Valgrind's headers" cacheprof --self-check gcc -O1 -g -o requests requests.c
	check "are understood, and nobody is on Valgrind" $quiet ./requests
	check "Cachegrind's" test "$(of Dr walk cacheprof.out.1)" -eq 6
	check "Callgrind's" test "$(of Dr walk)" -eq 10
	check "nothing else" test "$(of Dr other)" -eq 0
else
	skip "Valgrind's headers" "they are not installed"
fi

# The same instructions, function by function, as Callgrind counts of the native program.
as_callgrind() {
	local function part
	gcc -O1 -g $headers -o native parts.c && rm -f callgrind.* cacheprof.out* &&
		valgrind -q --tool=callgrind --vex-iropt-level=0 --vex-guest-chase=no \
			--callgrind-out-file=callgrind ./native &&
		cacheprof gcc -O1 $headers -o parts parts.c && $quiet ./parts || return 1
	for part in .1 .2 ""; do
		for function in before between again end; do
			[ "$(callgrind_annotate --threshold=100 callgrind$part | tr -d , |
				awk "/:$function /"'{ print $1; n++; exit } END { if (!n) print 0 }')" -eq \
				"$(of Ir $function cacheprof.out$part)" ] || { echo "$function $part"; return 1; }
		done
	done
}
if command -v callgrind_annotate >/dev/null; then
	check "Callgrind counts the same parts" as_callgrind
else
	skip "Callgrind counts the same parts" "no valgrind"
fi

cat >late.c <<'END'
#include <cacheprof.h>
volatile int sum;
__attribute__((noinline)) static void part(int n)
{
	for (int i = 0; i < n; i++)
		sum = i;
}
int main(int argc, char **argv)
{
	part(1000);
	if (argc > 1)
		CACHEPROF_START;
	part(argc > 1 ? 10 : 100);
	return 0;
}
END
check "instr-at-start=no" cacheprof --self-check gcc -O1 $headers -o late late.c
check "never started" env CACHEPROF_OPTIONS=quiet=1:instr-at-start=no ./late
check "nothing is counted" grep -qx "summary: 0 0 0 0 0 0 0 0 0" cacheprof.out
check "started" env CACHEPROF_OPTIONS=quiet=1:instr-at-start=no ./late x
check "counts from there" test "$(of Dw part)" -eq 10
check "another word" fails env CACHEPROF_OPTIONS=instr-at-start=0 ./late

# Caches stay as they are: what was there is there again, and what only came meanwhile is not.
cat >keep.c <<'END'
#include <cacheprof.h>
static struct { char mine[4096], others[1 << 20]; } data __attribute__((aligned(4096)));
__attribute__((noinline)) static void mine(void)
{
	for (int i = 0; i < 4096; i += 64)
		__asm__ volatile("incb %0" : "+m"(data.mine[i]));
}
__attribute__((noinline)) static void others(void)
{
	for (int i = 0; i < 1 << 20; i += 64)
		__asm__ volatile("incb %0" : "+m"(data.others[i]));
}
int main(void)
{
	mine();
	CACHEPROF_ZERO;
	CACHEPROF_STOP;
	for (int i = 0; i < 10; i++)
		others();
	CACHEPROF_START;
	mine();
	CACHEPROF_DUMP("");
	others();
	return 0;
}
END
keeps() {
	rm -f cacheprof.out*
	CACHEPROF_OPTIONS=quiet=1:$1 ./keep || return 1
	[ "$(of D1mr mine cacheprof.out.1)" -eq 0 ] && [ "$(of I1mr mine cacheprof.out.1)" -eq 0 ] &&
		[ "$(of DLmr others)" -eq 16384 ]
}
check "caches stay as they are" cacheprof --self-check gcc -O1 $headers -o keep keep.c
for options in "" simd=none D1=48k,12,64 simd=none:D1=48k,12,64 D1=256k,16,64 D1=8k,2,64 D1=8k,4,32:I1=1k,2,32 D1=1M,16,64; do
	check "${options:-built-in caches}" keeps $options
done
check "the same with -fPIC" cacheprof --self-check gcc -O1 -fPIC -pie $headers -o keep keep.c
check "built-in caches" keeps ""
check "simd=none" keeps simd=none

# Many switches within a program that does everything.
switching() {
	sed 's/^\(int\|void\|static [a-z ]*\) .*[^;]$/&/; s/^{$/{ SWITCH/' \
		"$TOP/tests/oracle/programs/ordinary.c" >switching.c
	cacheprof --self-check gcc -O2 $headers -include cacheprof.h "-DSWITCH=CACHEPROF_TOGGLE;" \
		-o switching switching.c && $quiet ./switching >out
}
check "a switch in each function" switching
check "of which there are some" test "$(grep -c '^{ SWITCH' switching.c)" -gt 10

# Functions that switch.
cat >inside.c <<'END'
#include <setjmp.h>
volatile int sum;
static jmp_buf out;
__attribute__((noipa)) static void leaf(int n)
{
	for (int i = 0; i < n; i++)
		sum = i;
}
__attribute__((noipa)) static void part(int n)
{
	leaf(10);
	if (n)
		part(n - 1);
	leaf(1);
}
__attribute__((noipa)) static void thrown(void)
{
	leaf(100);
	longjmp(out, 1);
}
__attribute__((noipa)) static int tail(int n)
{
	leaf(n);
	return n;
}
__attribute__((noipa)) static int before_tail(int n)
{
	sum = n;
	return tail(n);
}
int main(void)
{
	leaf(1000);
	part(2);
	leaf(1000);
	if (!setjmp(out))
		thrown();
	leaf(1000);
	before_tail(20000);
	leaf(1000);
	part(0);
	return 0;
}
END
# inside OPTIONS WRITES: what leaf and main have written
inside() {
	CACHEPROF_OPTIONS=quiet=1:$1 ./inside && [ "$(of Dw leaf) $(of Ir main)" = "$2" ]
}
for flags in -O0 -O1 "-O2 -fPIC"; do
	check "functions $flags" cacheprof --self-check gcc $flags -o inside inside.c
	loops=$([ "$flags" = -O0 ] && echo other)
	if [ ! "$loops" ]; then
		check "recursion, and a second time" inside toggle=part "44 0"
		check "a longjmp" inside toggle=thrown "100 0"
		check "a tail call" inside toggle=before_tail "20000 0"
		check "wildcards" inside 'toggle=?art*' "44 0"
		check "several" inside 'toggle=part:toggle=t*n' "144 0"
	fi
	for pattern in part thrown tail '*' main leaf; do
		check "no difference inside $pattern" \
			env CACHEPROF_OPTIONS=quiet=1:D1=1k,2,16:toggle=$pattern ./inside
	done
done
check "a prologue" cacheprof gcc -O1 -fno-omit-frame-pointer -foptimize-sibling-calls -o inside inside.c
check "recursion behind it" inside toggle=part "44 0"
check "a tail call behind it" inside toggle=before_tail "20000 0"
check "functions again" cacheprof --self-check gcc -O2 -fPIC -o inside inside.c
check "everything" env CACHEPROF_OPTIONS=quiet=1 ./inside
mv cacheprof.out whole
check "from main's beginning" env CACHEPROF_OPTIONS=quiet=1:toggle=main ./inside
check "is everything" test "$(sed -n '/^summary/s/ .*//p' cacheprof.out; of Ir main; of Ir leaf)" = \
	"$(sed -n '/^summary/s/ .*//p' whole; of Ir main whole; of Ir leaf whole)"
check "no such function" fails env CACHEPROF_OPTIONS=toggle=par ./inside
check "at level 1" cacheprof --level1 gcc -o inside inside.c
check "not" fails env CACHEPROF_OPTIONS=toggle=part ./inside
# (It counts the way to longjmp, which is the linker's, in the function that calls it.)
toggled_callgrind() {
	gcc -O1 -g -o native inside.c && rm -f callgrind* && valgrind -q --tool=callgrind \
		--vex-iropt-level=0 --vex-guest-chase=no --toggle-collect=thrown \
		--toggle-collect=before_tail --callgrind-out-file=callgrind ./native &&
		cacheprof gcc -O1 -o inside inside.c &&
		CACHEPROF_OPTIONS=quiet=1:toggle=thrown:toggle=before_tail ./inside || return 1
	for function in leaf before_tail tail; do
		[ "$(callgrind_annotate --threshold=100 callgrind | tr -d , |
			awk "/:$function /"'{ print $1; exit }')" -eq "$(of Ir $function)" ] ||
			{ echo "$function"; return 1; }
	done
}
if command -v callgrind_annotate >/dev/null; then
	check "Callgrind counts the same inside" toggled_callgrind
else
	skip "Callgrind counts the same inside" "no valgrind"
fi

# Shared objects: linked, loaded while counting is off, and unloaded.
for name in lib plug; do
	cat >$name.c <<END
static int ${name}_table[1000];
__attribute__((noipa)) void ${name}_walk(int n)
{
	for (int i = 0; i < n; i++)
		__asm__ volatile("incl %0" : "+m"(${name}_table[i]));
}
__attribute__((noipa)) void ${name}_calls(void (*f)(int), int n)
{
	${name}_walk(1);
	f(n);
	${name}_walk(1);
}
END
done
cat >modules.c <<'END'
#include <cacheprof.h>
#include <dlfcn.h>
void lib_walk(int n), lib_calls(void (*f)(int), int n);
int table[1000];
__attribute__((noipa)) static void walk(int n)
{
	for (int i = 0; i < n; i++)
		__asm__ volatile("incl %0" : "+m"(table[i]));
}
__attribute__((noipa)) static void both(int n)
{
	walk(n);
	lib_walk(n);
}
int main(void)
{
	void *plug;
	void (*plug_walk)(int), (*plug_calls)(void (*f)(int), int n);

	both(10);
	CACHEPROF_STOP;
	both(100);
	plug = dlopen("./plug.so", RTLD_NOW);
	plug_walk = (void (*)(int))dlsym(plug, "plug_walk");
	plug_calls = (void (*)(void (*)(int), int))dlsym(plug, "plug_calls");
	plug_walk(100);
	CACHEPROF_START;
	plug_calls(both, 20);
	CACHEPROF_DUMP("first");
	lib_calls(plug_walk, 30);
	CACHEPROF_STOP;
	both(100);
	plug_calls(walk, 100);
	dlclose(plug);
	lib_calls(walk, 100);
	CACHEPROF_START;
	both(3);
	CACHEPROF_DUMP("second");
	return 0;
}
END
# in_modules OPTIONS DR...: what walk, lib_walk and plug_walk have read (a return included) in two parts. Behind them
# what was unloaded has no counts.
in_modules() {
	local file counted

	rm -f cacheprof.out*
	CACHEPROF_OPTIONS=quiet=1:$1 ./modules || return 1
	counted=$(for file in cacheprof.out.1 cacheprof.out.2; do
		of Dr walk $file; of Dr lib_walk $file; of Dr plug_walk $file
	done | xargs)
	[ "$counted" = "$2" ] && [ "$(of Dr plug_walk)" = 0 ] || { echo "$counted"; return 1; }
}
for flags in --level1 --level2 --branch-sim=yes; do
	check "modules $flags" eval "cacheprof $flags gcc -O1 -fPIC -shared -o lib.so lib.c &&
		cacheprof $flags gcc -O1 -fPIC -shared -o plug.so plug.c &&
		cacheprof $flags gcc -O1 $headers -o modules modules.c ./lib.so -ldl"
	check "count their parts" in_modules "" "32 32 4 4 8 31"
	check "from STOP to START only" in_modules instr-at-start=no "21 21 4 4 8 31"
	[ $flags = --level1 ] && continue
	check "with small caches" in_modules D1=1k,2,16:I1=1k,2,32 "32 32 4 4 8 31"
	check "functions of a library" in_modules toggle=lib_calls "0 0 0 0 4 31"
	check "and of the program" in_modules toggle=both "32 32 0 4 4 0"
	check "and of both" in_modules 'toggle=*walk' "32 32 4 4 8 31"
done

# What is counted by the runtime: rounds of rep and the ranges of libc's functions.
cat >ranges.c <<'END'
#include <cacheprof.h>
#include <string.h>
static char a[4096], b[4096];
volatile unsigned long n = 100;
__attribute__((noipa)) static void set(unsigned long k)
{
	void *to = a;

	__asm__ volatile("rep stosb" : "+D"(to), "+c"(k) : "a"(0) : "memory");
}
__attribute__((noipa)) static void copy(void)
{
	memcpy(a, b, n * 32);
}
int main(void)
{
	set(10);
	copy();
	CACHEPROF_STOP;
	set(1000);
	copy();
	CACHEPROF_START;
	CACHEPROF_DUMP("before");
	set(7);
	copy();
	return 0;
}
END
for level in --level1 --level2 --self-check; do
	check "ranges $level" cacheprof $level --libc-model=yes gcc -O1 $headers -o ranges ranges.c
	check "run" $quiet ./ranges
	check "rounds of rep, and libc's" test "$(of Dw set) $(of Dr memcpy)" = "7 100"
	check "... before and behind a dump" test "$(of Dw set cacheprof.out.1) $(of Dr memcpy cacheprof.out.1)" = "10 100"
done

cat >threads.c <<'END'
#include <cacheprof.h>
#include <pthread.h>
volatile int sum;
static void *work(void *n)
{
	for (long i = 0; i < (long)n; i++)
		sum = (int)i;
	return 0;
}
static void run(long n)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, work, (void *)n);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
}
int main(void)
{
	CACHEPROF_STOP;
	run(10000);
	CACHEPROF_START;
	run(1000);
	CACHEPROF_STOP;
	run(10000);
	return 0;
}
END
check "threads" cacheprof --self-check gcc -O1 $headers -o threads threads.c -lpthread
check "run" $quiet ./threads
check "and are all switched" test "$(of Dw work)" -eq 2000
check "in a function" env CACHEPROF_OPTIONS=quiet=1:toggle=work ./threads
check "all that are in it" test "$(of Dw work)" -eq 2000

# Each thread's predictor knows behind STOP and START what it knew before. While one thread switches, the other waits in
# what is not instrumented.
cat >rest.c <<'END'
#include <semaphore.h>

static sem_t there, go;
void rest(void);
void await(void);
void go_on(void);
void rest(void)
{
	sem_post(&there);
	sem_wait(&go);
}
void await(void)
{
	sem_wait(&there);
}
void go_on(void)
{
	sem_post(&go);
}
END
cat >others.c <<'END'
#include <cacheprof.h>
#include <pthread.h>

void rest(void), await(void), go_on(void);
static volatile unsigned odd;
/* Of so many at random, in turn. */
__attribute__((noipa)) static void branches(unsigned n, unsigned x)
{
	for (; n; n--) {
		x = x * 1103515245 + 12345;
		if (x >> 16 & 1)
			odd++;
	}
}
static void *other(void *nothing)
{
	for (unsigned i = 0; i < 20; i++) {
		branches(50, 1);
		rest();
		branches(300, 1000 + i);
		rest();
	}
	return nothing;
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, other, 0);
	for (unsigned i = 0; i < 20; i++) {
		await();
		branches(50, 2);
		CACHEPROF_STOP;
		branches(300, 2000 + i);
		go_on();
		await();
		CACHEPROF_START;
		go_on();
	}
	return pthread_join(thread, 0);
}
END
for flags in "-no-pie" "-fPIC -pie"; do
	check "predictors $flags" eval "gcc -c rest.c &&
		cacheprof --self-check --branch-sim=yes gcc -O1 $headers $flags -o others others.c rest.o -lpthread"
	check "of all threads wait" $quiet ./others
done

# A handler that leaves by siglongjmp in the middle of a switch, which more functions make longer.
{
	cat <<'END'
#include <cacheprof.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
static sigjmp_buf back;
static volatile int may_leave, left, over;
static int table[4096];
static long calls;
__attribute__((noinline)) static void part(long k)
{
	for (int i = 0; i < 20; i++)
		table[i * k & 4095]++;
	__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}
static void leave(int number)
{
	(void)number;
	if (!may_leave)
		return;
	may_leave = 0;
	left++;
	siglongjmp(back, 1);
}
static void *beside(void *unused)
{
	while (!over) {
		CACHEPROF_START;
		part(1);
		CACHEPROF_STOP;
	}
	return unused;
}
/* N: with requests; N beside: in another thread, too; N alone function: without */
int main(int argc, char **argv)
{
	struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
	int n = atoi(argv[1]);
	pthread_t thread;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	signal(SIGALRM, leave);
	if (argc == 3)
		pthread_create(&thread, 0, beside, 0);
	pthread_sigmask(SIG_UNBLOCK, &set, 0);
	setitimer(ITIMER_REAL, &often, 0);
	while (left < n) {
		if (sigsetjmp(back, 1))
			continue;
		for (may_leave = 1;;) {
			if (argc < 4)
				CACHEPROF_START;
			part(left);
			if (argc < 4)
				CACHEPROF_STOP;
		}
	}
	setitimer(ITIMER_REAL, &never, 0);
	over = 1;
	if (argc == 3)
		pthread_join(thread, 0);
	printf("%ld\n", calls);
	return 0;
}
END
	for i in $(seq 300); do
		echo "int more$i(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] > $i) s += a[i]; return s; }"
	done
} >left.c
# sane WORD...: it comes to its end, and what the function reads is counted, but for what its own loop may have in a
# register
sane() {
	local calls reads
	calls=$(CACHEPROF_OPTIONS=quiet=1:$options timeout -s KILL 60 ./left "$@") || return 1
	reads=$(of Dr part)
	echo "$calls calls, $reads reads"
	[ "$reads" -ge $((20 * calls)) ] && [ "$reads" -le $((24 * calls)) ]
}
check "switches that are left" cacheprof gcc -O1 -pthread $headers -o left left.c
options=instr-at-start=no check "are made whole" sane 1000
options=instr-at-start=no check "and let other threads make theirs" sane 300 beside
options=toggle=part check "also those of functions" sane 1000 alone function

# A thread whose first function is watched ends inside, as to the program; a child of fork has no thread but its own.
cat >inside.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static int table[1000], to_main[2], to_thread[2];
#define WALK(name) __attribute__((noinline)) static void name(int n)                                  \
	{ for (int i = 0; i < n; i++) __asm__ volatile("incl %0" : "+m"(table[i])); }
WALK(counted) WALK(outside) WALK(in_child)
static void *watched(void *how)
{
	char c = 'x';
	counted(10);
	if (how && (write(to_main[1], &c, 1) != 1 || read(to_thread[0], &c, 1) != 1))
		return 0;
	if (!how)
		pthread_exit(0);
	return how;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	char c = 'x';
	for (int i = 0; i < 5; i++) {
		pthread_create(&thread, 0, watched, 0);
		pthread_join(thread, 0);
		outside(100);
	}
	if (pipe(to_main) || pipe(to_thread))
		return 1;
	pthread_create(&thread, 0, watched, argv);
	if (read(to_main[0], &c, 1) != 1)
		return 1;
	if (!fork()) {
		in_child(100);
		_exit(0);
	}
	wait(0);
	if (write(to_thread[1], &c, 1) != 1)
		return 1;
	pthread_join(thread, 0);
	outside(100);
	return 0;
}
END
cat >inside.cc <<'END'
#include <thread>
static int table[1000];
static void walk(int n) { for (int i = 0; i < n; i++) __asm__ volatile("incl %0" : "+m"(table[i])); }
__attribute__((noinline)) void outside() { walk(100); }
__attribute__((noinline)) void watched() { walk(10); }
int main()
{
	for (int i = 0; i < 3; i++) {
		std::thread thread(watched);
		thread.join();
		outside();
	}
}
END
ends_inside() {
	rm -f cacheprof.out*
	cacheprof gcc -O1 "$@" -pthread -o inside inside.c && CACHEPROF_OPTIONS=quiet=1:toggle=watched ./inside || return 1
	cat cacheprof.out*
	[ "$(of Dr counted)" -eq 66 ] && [ "$(of Ir outside)" -eq 0 ] && [ "$(of Ir in_child "$(ls cacheprof.out.*[0-9])")" -eq 0 ]
}
check "threads that end inside" ends_inside
check "in a static program" ends_inside -static
of_cxx() {
	cacheprof g++ -O2 -pthread -o inside inside.cc && CACHEPROF_OPTIONS='quiet=1:toggle=_Z7watchedv' ./inside || return 1
	cat cacheprof.out
	[ "$(of Dr _Z7watchedv)" -ge 30 ] && [ "$(of Ir _Z7outsidev)" -eq 0 ]
}
check "those of C++" of_cxx

# A handler's own stack may lie above that of what it interrupts, as here: it is not outside for that, and where it is
# watched itself, what it interrupted is.
cat >alternate.c <<'END'
#include <setjmp.h>
#include <signal.h>
static int table[1000], leave;
static sigjmp_buf back;
#define WALK(name) __attribute__((noipa)) static void name(int n)                                     \
	{ for (int i = 0; i < n; i++) __asm__ volatile("incl %0" : "+m"(table[i])); }
WALK(handled) WALK(counted) WALK(outside)
static void handler(int number)
{
	handled(number);
	if (leave)
		siglongjmp(back, 1);
}
__attribute__((noinline)) static void watched(void)
{
	raise(SIGUSR1);
	counted(10);
	__asm__ volatile("");
}
int main(void)
{
	char memory[1 << 16];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	sigaltstack(&stack, 0);
	sigaction(SIGUSR1, &action, 0);
	for (int i = 0; i < 5; i++) {
		watched();
		outside(100);
	}
	leave = 1;
	if (!sigsetjmp(back, 1))
		watched();
	outside(100);
	return 0;
}
END
# alternate FUNCTION HANDLED COUNTED: what is read in there, and in what it interrupts
alternate() {
	CACHEPROF_OPTIONS=quiet=1:toggle=$1 ./alternate || return 1
	cat cacheprof.out
	[ "$(of Dr handled)" -eq "$2" ] && [ "$(of Dr counted)" -eq "$3" ] && [ "$(of Ir outside)" -eq 0 ]
}
for flags in "-O1" "-O2 -fPIC -pie"; do
	check "a handler's own stack $flags" eval "cacheprof gcc $flags -o alternate alternate.c"
	check "is not outside" alternate watched 66 55
	check "is left for what it interrupted" alternate handler 66 0
done

# One that nobody has waited for yet is inside still, and nobody else in its place; and who begins while counting is off
# knows nothing of what branches did before.
cat >place.c <<'END'
#define _GNU_SOURCE
#include <cacheprof.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>
static int table[1000];
static volatile int odd, tid;
static sem_t begun, go;
__attribute__((noipa)) static void outside(void)
{ for (int i = 0; i < 100; i++) __asm__ volatile("incl %0" : "+m"(table[i])); }
__attribute__((noipa)) static void branches(void)
{ for (int i = 0; i < 200; i++) if (i % 3 == 1) odd = 1; }
static void *watched(void *unused) { tid = gettid(); return unused; }
static void *first(void *unused) { branches(); return unused; }
static void *waits(void *argument) { sem_post(&begun); sem_wait(&go); return argument; }
static void *second(void *unused) { waits(0); branches(); return unused; }
static pthread_t start(void *(*function)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, 0, function, 0))
		_exit(2);
	return thread;
}
int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argv;
	if (argc > 1) {
		pthread_join(start(first), 0);
		CACHEPROF_STOP;
		thread = start(second);
		sem_wait(&begun);
		CACHEPROF_START;
	} else {
		pthread_detach(start(watched));
		while (!tid || !tgkill(getpid(), tid, 0))
			usleep(1000);
		thread = start(waits);
		sem_wait(&begun);
		pthread_join(start(first), 0);
		outside();
	}
	sem_post(&go);
	return pthread_join(thread, 0);
}
END
cacheprof --branch-sim=yes gcc -O1 $headers -pthread -o place place.c
# in_place: what outside reads while only what watched calls is counted
in_place() {
	CACHEPROF_OPTIONS=quiet=1:toggle=watched ./place && [ "$(of Ir watched)" -gt 0 ] && of Dr outside
}
check "a thread in the place of one that ended inside is not" [ "$(in_place)" = 0 ]
# not_told: two threads mispredict twice as much as one
not_told() {
	CACHEPROF_OPTIONS=quiet=1 ./place twice && twice=$(of Bcm branches) && CACHEPROF_OPTIONS=quiet=1 ./place && once=$(of Bcm branches)
	echo "$once $twice"
	[ "$once" -gt 0 ] && [ "$twice" = $((2 * once)) ]
}
check "a thread that begins meanwhile predicts nothing" not_told

# A function is left, too, where counting does not change by that: it was off or on already, or goes on for another thread.
cat >left.c <<'END'
#include <cacheprof.h>
#include <pthread.h>
#include <semaphore.h>
static int table[1000];
static sem_t begun, done;
#define WALK(name) __attribute__((noipa)) void name(int n)                                                   \
	{ for (int i = 0; i < n; i++) __asm__ volatile("incl %0" : "+m"(table[i])); }
WALK(watched) WALK(walk) WALK(never)
__attribute__((noipa)) void starter(int n) { CACHEPROF_START; walk(n); }
__attribute__((noipa)) void caller(int n) { table[0] += n; watched(n); table[1] += n; }
__attribute__((noipa)) void outside(int n) { watched(n); walk(n); }
__attribute__((noipa)) void waits(void) { sem_post(&begun); sem_wait(&done); }
static void *second(void *unused)
{
	sem_wait(&begun);
	for (int i = 0; i < 3; i++)
		outside(10);
	sem_post(&done);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t thread;

	(void)argv;
	switch (argc) {
	case 1:
		watched(10);
		CACHEPROF_STOP;
		watched(10);
		starter(10);
		break;
	case 2:
		CACHEPROF_TOGGLE;
		for (int i = 0; i < 5; i++)
			caller(10);
		CACHEPROF_TOGGLE;
		caller(10);
		break;
	case 3:
		sem_init(&begun, 0, 0);
		sem_init(&done, 0, 0);
		pthread_create(&thread, 0, second, 0);
		waits();
		walk(100);
		never(10);
		pthread_join(thread, 0);
	}
	return 0;
}
END
cacheprof gcc -O1 $headers -pthread -o left left.c
# left_with OPTION FUNCTION ARGS...: prints the references that are read in the function.
left_with() {
	CACHEPROF_OPTIONS="quiet=1:$1" ./left "${@:3}" && of Dr "$2"
}
check "no function goes on while counting is off" [ "$(left_with toggle=watched walk)" = 0 ]
check "nor is one that was called with counting on" [ "$(left_with toggle=watched caller 1)" = "$(left_with toggle=never caller 1)" ]
check "which counts all" [ "$(left_with toggle=watched caller 1)" = 20 ]
check "nor in one of two threads" [ "$(left_with toggle=waits:toggle=watched walk 1 2)" = 33 ]

# The library first sees the thread inside of the program's function, or one that ends there; and code that is not
# counted calls a function again from further up the stack.
cat >inner.c <<'END'
static int table[1000];
__attribute__((noipa)) void inner_walk(int n)
{ for (int i = 0; i < n; i++) __asm__ volatile("incl %0" : "+m"(table[i])); }
END
cat >outer.c <<'END'
#include <pthread.h>
void inner_walk(int n);
static int table[1000];
__attribute__((noipa)) void outside(int n) { for (int i = 0; i < n; i++) __asm__ volatile("incl %0" : "+m"(table[i])); }
__attribute__((noipa)) void outer_walk(int n) { inner_walk(n); outside(n); }
static void *second(void *unused)
{
	outer_walk(10);
	outside(100);
	return unused;
}
__attribute__((noipa)) static void last_walk(void)
{
	inner_walk(5);
	pthread_exit(0);
}
static void *third(void *unused)
{
	outside(100);
	last_walk();
	return unused;
}
__attribute__((noipa)) static void up_walk(void) { __asm__ volatile("incl %0" : "+m"(table[0])); }
void from_further_up(void (*walk)(void));
int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, 0, second, 0) || pthread_join(thread, 0) || pthread_create(&thread, 0, third, 0) ||
	    pthread_join(thread, 0))
		return 1;
	outside(100);
	from_further_up(up_walk);
	return 0;
}
END
cat >further_up.c <<'END'
__attribute__((noipa)) static void down(void (*walk)(void))
{
	volatile char frame[256];

	frame[0] = 1;
	walk();
	frame[1] = 1;
}
void from_further_up(void (*walk)(void))
{
	down(walk);
	walk();
}
END
first_inside() {
	gcc -O1 -c further_up.c && cacheprof gcc -O1 -fPIC -shared -o libinner.so inner.c &&
		cacheprof gcc -O1 -pthread -o outer outer.c further_up.o -L. -linner -Wl,-rpath,"$PWD" || return 1
	CACHEPROF_OPTIONS='quiet=1:toggle=*walk' ./outer || return 1
	cat cacheprof.out
	[ "$(of Dr inner_walk)" = 17 ] && [ "$(of Dr outside)" = 11 ] && [ "$(of Dr up_walk)" = 4 ]
}
check "a library that is come to inside" first_inside

check "a trace" cacheprof --trace gcc -O1 -static -no-pie $headers -o traced late.c
# writes OPTION: references in the part
writes() {
	CACHEPROF_OPTIONS=quiet=1:$1 ./traced x && grep -c '^ S [0-9a-f]*,4' cacheprof.trace
}
check "has all" test "$(writes quiet=1)" -ge 1010
check "or the part" test "$(writes instr-at-start=no)" -eq 10
finish
