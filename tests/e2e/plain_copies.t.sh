# --plain-copies=yes: while counting is off functions run in copies in which nothing is planted; where
# counting goes on in the midst of them they go on in themselves. Every profile is the one without copies.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS
headers=-I$TOP/include

cat >sides.h <<'END'
/* Where the caller goes on: 'p' in a plain copy, 'i' in the instrumented function. */
#include <cacheprof.h>
#include <stdio.h>
extern char __start_cacheprof_plain[], __stop_cacheprof_plain[];
#define HERE ((char *)__builtin_return_address(0))
__attribute__((noipa)) static int side(void)
{
	return HERE >= __start_cacheprof_plain && HERE < __stop_cacheprof_plain ? 'p' : 'i';
}
#define TELL (putchar(side()), fflush(stdout))
END

# Off from the start, in main itself, in a callee, in a callee's callee; at cases of a switch and of a
# computed goto; behind setjmp.
cat >sides.c <<'END'
#include "sides.h"
#include <setjmp.h>
static jmp_buf back;
__attribute__((noipa)) static void start(void) { CACHEPROF_START; }
__attribute__((noipa)) static void stop(void) { CACHEPROF_STOP; }
__attribute__((noipa)) static void tell(void) { TELL; }
__attribute__((noipa)) static void starts_deep(int n)
{
	if (n)
		starts_deep(n - 1);
	else
		start();
	TELL;
}
__attribute__((noipa)) static int cases(int n)
{
	switch (n) {
	case 0: TELL; return 4;
	case 1: TELL; return 1;
	case 2: start(); TELL; return 7;
	case 3: tell(); TELL; return 9;
	case 4: stop(); tell(); return 2;
	}
	return 0;
}
__attribute__((noipa)) int goes(const char *code)
{
	static const void *const labels[] = {&&say, &&on, &&off, &&end};
	goto *labels[(int)*code++];
say:	TELL; goto *labels[(int)*code++];
on:	start(); goto *labels[(int)*code++];
off:	stop(); goto *labels[(int)*code++];
end:	return 0;
}
__attribute__((noipa)) static void jumps(int n)
{
	if (n == 1)
		CACHEPROF_START;
	longjmp(back, n);
}
int main(void)
{
	volatile int n = 0;

	TELL; tell(); CACHEPROF_START; TELL; tell(); CACHEPROF_STOP; TELL; tell();
	putchar(' '); start(); TELL; stop(); TELL; tell(); CACHEPROF_STOP; TELL;
	putchar(' '); starts_deep(2); TELL; CACHEPROF_STOP;
	putchar(' '); for (int i = 0; i < 5; i++) cases(i);
	CACHEPROF_STOP;
	putchar(' '); goes("\0\1\0\2\0\3"); CACHEPROF_STOP; goes("\0\1\0\2\0\3"); CACHEPROF_STOP;
	putchar(' '); setjmp(back); TELL; n = n + 1; if (n < 3) jumps(n);
	putchar('\n');
	return 0;
}
END
# sides FLAGS: where the parts of the program run
sides() {
	cacheprof --plain-copies=yes $1 gcc $2 $headers -o sides sides.c &&
		CACHEPROF_OPTIONS=quiet=1:instr-at-start=no ./sides >out && diff - out <<-'END'
		ppiipp iipp iiii ppiiip pippip pii
		END
}
for flags in -O0 -O2 "-O2 -fPIC" "-O2 -no-pie" "-O2 -fcf-protection" "-Os -ffunction-sections -Wl,--gc-sections"; do
	check "where functions run, $flags" sides --level2 "$flags"
done
for level in --level1 --branch-sim=yes --self-check; do
	check "where functions run, $level" sides $level -O2
done
check "none without" eval "cacheprof --plain-copies=yes --plain-copies=no gcc -O1 -SA $headers sides.c &&
	fails grep '[.]plain' sides.sA"

# All that starts and stops counting, at all depths: calls, recursion, longjmp, exceptions, handlers of
# signals, threads, kept addresses of labels.
cat >all.cc <<'END'
#include <cacheprof.h>
#include <cstdio>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <vector>
#include <string>
#include <pthread.h>
static jmp_buf back;
static volatile int sink;
struct guard { int &n; ~guard() { n++; } };
__attribute__((noinline)) static int leaf(int x) { int s = 0; for (int i = 0; i < x; i++) s += i ^ x; return s; }
__attribute__((noinline)) static int start(int x) { CACHEPROF_START; return leaf(x); }
__attribute__((noinline)) static int stop(int x) { int s = leaf(x); CACHEPROF_STOP; return s + leaf(x); }
__attribute__((noinline)) static int deep(int n, int at, int x) {
	int s = 0;
	if (n == at) s += x & 1 ? start(x) : stop(x);
	if (n) s += deep(n - 1, at, x) + leaf(n);
	return s + n;
}
__attribute__((noinline)) static int jump(int x) { if (x == 3) CACHEPROF_START; if (x == 5) CACHEPROF_STOP; if (x > 2) longjmp(back, x); return leaf(x); }
__attribute__((noinline)) static int thrower(int x) { if (x & 4) { if (x & 1) CACHEPROF_START; else CACHEPROF_STOP; } if (x % 3 == 0) throw std::runtime_error("three"); if (x % 5 == 0) throw x; return leaf(x); }
__attribute__((noinline)) static int catcher(int x, int &n) { guard g{n}; try { return thrower(x) + thrower(x + 1); } catch (int y) { return leaf(y); } }
__attribute__((noinline)) static int outer(int x, int &n) { guard g{n}; try { return catcher(x, n); } catch (std::exception &e) { return (int)strlen(e.what()) + leaf(x); } }
static int sw(int x) { switch (x) { case 0: return leaf(1); case 1: return leaf(x) + 1; case 2: return x * 5; case 3: return stop(x); case 4: return start(x); case 5: return -x; case 6: return leaf(9); } return 0; }
int go(const unsigned char *p) { static const void *const t[] = {&&a, &&b, &&c, &&d, &&e}; int s = 0; goto *t[*p]; a: s += leaf(3); goto *t[*++p]; b: s += start(2); goto *t[*++p]; c: s += stop(4); goto *t[*++p]; d: s ^= 5; goto *t[*++p]; e: return s; }
static const void *kept[4];
int threaded(const void **code, int n) { if (!code) { kept[0] = &&a; kept[1] = &&b; kept[2] = &&c; kept[3] = &&d; return 0; } int s = 0; goto **code; a: s += n; goto **++code; b: s += start(n); goto **++code; c: s += stop(n); goto **++code; d: return s; }
static void on_signal(int) { sink += leaf(5); }
static void on_signal_start(int) { sink += start(5); }
/* toggle=worker counts what main does meanwhile, too: it is to wait already. */
extern "C" void main_waits();
__attribute__((noipa)) static void *worker(void *p) { long n = (long)p; int k = 0; for (long i = 0; i < n; i++) sink += outer((int)i & ~5, k); return 0; }
static void *late(void *p) { main_waits(); void *r = worker(p); sink = sink + 1; return r; }
int main()
{
	int s = 0, n = 0;
	std::vector<std::string> v;
	for (int x = 1; x < 9; x++) for (int at = 0; at < 5; at++) { s += deep(4, at, x); s += leaf(x); }
	CACHEPROF_DUMP("deep");
	for (volatile int x = 0; x < 8; x = x + 1) if (int r = setjmp(back)) s += leaf(r); else s += jump(x);
	for (int x = 0; x < 40; x++) s += outer(x, n);
	CACHEPROF_DUMP("exceptions");
	for (int i = 0; i < 30; i++) s += sw(i % 7);
	CACHEPROF_DUMP("switch");
	static const unsigned char p1[] = {0, 1, 3, 0, 2, 3, 0, 1, 0, 4}, p2[] = {2, 0, 0, 3, 1, 0, 3, 4};
	s += go(p1) + go(p2) + go(p1);
	CACHEPROF_DUMP("goto");
	CACHEPROF_STOP; threaded(0, 0);
	const void *c1[] = {kept[0], kept[1], kept[0], kept[2], kept[0], kept[3]};
	s += threaded(c1, 3); CACHEPROF_START; s += threaded(c1, 4); threaded(0, 0);
	const void *c2[] = {kept[0], kept[1], kept[0], kept[2], kept[0], kept[3]};
	s += threaded(c2, 5); s += threaded(c1, 6);
	CACHEPROF_STOP;
	CACHEPROF_DUMP("threaded");
	signal(SIGUSR1, on_signal); signal(SIGUSR2, on_signal_start);
	raise(SIGUSR1); for (int i = 0; i < 5; i++) s += leaf(i); raise(SIGUSR2); for (int i = 0; i < 5; i++) s += leaf(i);
	CACHEPROF_STOP;
	CACHEPROF_DUMP("signals");
	pthread_t t;
	for (int k = 0; k < 4; k++) { pthread_create(&t, 0, late, (void *)(20l + k)); pthread_join(t, 0); if (k & 1) s += start(2); else CACHEPROF_STOP; }
	CACHEPROF_DUMP("threads");
	for (int i = 0; i < 20; i++) { v.push_back(std::string(i, 'x')); if (i == 7) CACHEPROF_STOP; if (i == 12) CACHEPROF_START; try { s += v.at(i * 2).size(); } catch (std::out_of_range &) { s++; } }
	CACHEPROF_TOGGLE; s += leaf(40); CACHEPROF_TOGGLE; CACHEPROF_DUMP("at"); s += leaf(7); s += deep(4, 2, 2); s += deep(4, 3, 1);
	std::printf("%d %d %d\n", s, n, (int)sink);
	return 0;
}
END
cat >waits.c <<'END'
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
void main_waits(void)
{
	char text[500] = "", *state;

	do {
		int fd = open("/proc/self/stat", O_RDONLY);
		ssize_t n = read(fd, text, sizeof text - 1);

		close(fd);
		text[n > 0 ? n : 0] = 0;
		state = strrchr(text, ')');
	} while (!state || state[2] != 'S');
}
END
gcc -O1 -fPIC -c waits.c
# profiles: all parts' counts, without what names the program
profiles() {
	cat cacheprof.out* | grep -v '^cmd: '
}
# equal LEVEL FLAGS OPTIONS...: with each of the options, the profiles with copies are those without.
equal() {
	local options

	mkdir -p with without
	cacheprof $1 g++ $2 $headers all.cc waits.o -o without/all -pthread &&
		cacheprof --plain-copies=yes $1 g++ $2 $headers all.cc waits.o -o with/all -pthread || return 1
	for options in "${@:3}"; do
		for dir in with without; do
			(cd $dir && rm -f cacheprof.out* && CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1:$options \
				timeout 60 ./all >out 2>err; echo $? >>out; profiles >profile; cat err)
		done
		[ "$(tail -n 1 with/out)" = 0 ] && diff with/out without/out &&
			[ "$(grep -c ^summary: with/profile)" -ge 9 ] && diff with/profile without/profile ||
			{ echo "$options"; return 1; }
	done
}
for flags in -O0 -O2 "-O3 -fPIC" "-O2 -fcf-protection -no-pie"; do
	check "profiles, level 1, $flags" equal --level1 "$flags" quiet=1 instr-at-start=no
	check "profiles, $flags" equal --branch-sim=yes "$flags" quiet=1 instr-at-start=no toggle=main \
		toggle=*leaf* toggle=*start* toggle=*worker* toggle=*deep*:instr-at-start=no D1=1k,2,16:I1=1k,2,32
done
for flags in -O0 -O2 "-O3 -fPIC"; do
	check "self-check, $flags" eval "cacheprof --self-check --branch-sim=yes --plain-copies=yes g++ $flags $headers \
		all.cc waits.o -o checked -pthread && CACHEPROF_OPTIONS=toggle=*catcher* ./checked 2>&1 | grep 'self-check: 0 diff' &&
		./checked 2>&1 | grep 'self-check: 0 diff'"
done

# A copy goes on in the function in the midst of a block, at a request, and what is behind that lies in one set of I1 with
# what was executed before counting went off.
cat >pages.c <<'END'
#include <cacheprof.h>
static volatile int sink;
__attribute__((noipa, aligned(4096))) static void start(void) { CACHEPROF_START; sink = 1; }
__attribute__((noipa, aligned(4096))) static void stop(void)
{
	for (int i = 0; i < 4; i++) {
		sink = 2;
		CACHEPROF_STOP;
		start();
	}
}
int main(void)
{
	start();
	stop();
	return 0;
}
END
for flags in -O0 -O1 "-O2 -fPIC"; do
	check "time goes on where a copy does, $flags" eval "cacheprof --self-check --plain-copies=yes gcc $flags $headers \
		pages.c -o pages && ./pages 2>&1 | grep 'self-check: 0 diff'"
done

# Behind a call that lets counting go on stands what may go anywhere, and before that all flags are taken for in use.
cat >anywhere.c <<'END'
#include <cacheprof.h>
static volatile int sink;
__attribute__((noipa)) static void start(void) { CACHEPROF_START; sink = 1; }
__attribute__((noipa)) static void stop(void) { sink = 2; CACHEPROF_STOP; }
__attribute__((noipa)) static void goes_on(int n)
{
	start();
	__asm__ volatile("xbegin .Lbehind%=\n\txend\n.Lbehind%=:" : : : "eax", "memory");
	for (int i = 0; i < n; i++)
		sink += i;
}
int main(void)
{
	for (int i = 0; i < 4; i++) {
		stop();
		goes_on(1000);
	}
	return 0;
}
END
# Counted in goes_on: at least 4 * 1000 iterations of 3 instructions.
counts_behind() {
	cacheprof --plain-copies=yes gcc $1 $headers anywhere.c -o anywhere && CACHEPROF_OPTIONS=quiet=1 ./anywhere &&
		awk '/^summary:/ { n = $2 } END { exit !(n > 12000) }' cacheprof.out || { grep ^summary: cacheprof.out; return 1; }
}
for flags in -O0 -O2 "-O2 -fPIC"; do
	if processor_has rtm; then
		check "behind what may go anywhere, $flags" counts_behind "$flags"
	else
		skip "behind what may go anywhere, $flags" "this processor lacks rtm"
	fi
done
check "behind alignment that is jumped over" equal "" "-O0 -falign-labels=512" quiet=1 instr-at-start=no

# Inline assembly takes the address of a place by a numeric label, or by a distance, while counting is off, and goes
# there by it when counting has gone on. A function beside it has a copy though it has a 1, and 1: is a label.
cat >places.c <<'END'
#include <cacheprof.h>
#include <stdio.h>
static void *kept;
static volatile int sink;
__attribute__((noipa)) static void start(void) { CACHEPROF_START; }
__attribute__((noipa)) static int one(volatile int *p) { return *p = 1; }
__attribute__((noipa)) static void goes(int there)
{
	__asm__ volatile("testl %0,%0\n\tjne 2f\n\tleaq PLACE,%%rax\n\tmovq %%rax,%1\n\tjmp .Lplace\n"
			 "2:\tjmp *%1\n.Lplace:\n\tnop\n1:" : : "r"(there), "m"(kept) : "rax", "memory", "cc");
	for (int i = 0; i < 1000; i++)
		sink += i;
}
int main(void)
{
	goes(0);
	start();
	goes(1);
	printf("%d %d\n", sink, one(&sink));
	return 0;
}
END
goes_to() {
	local copies

	sed "s/PLACE/$1/" places.c >place.c
	for copies in no yes; do
		cacheprof --plain-copies=$copies gcc -O1 $headers place.c -o place 2>warned && (export \
			CACHEPROF_OPTIONS=quiet=1:instr-at-start=no:fixed-addresses=1:out=$copies && ./place >$copies.out) || return
	done
	diff no.out yes.out && diff no yes && nm place | grep -w one.plain
}
for place in "1f(%%rip)" ".Lplace(%%rip)" ".Lplace+1(%%rip)"; do check "a place is kept: $place" goes_to "$place"; done

# A symbol that is set again has its last value behind the whole text.
cat >values.c <<'END'
#include <stdio.h>
#define AT __attribute__((noipa)) static long
__asm__(".set place, 8");
AT member(const long *p) { long v; __asm__("movq place(%1),%0" : "=r"(v) : "r"(p) : "memory"); return v; }
AT offset(void) { long v; __asm__("movq $place,%0" : "=r"(v)); return v; }
__asm__(".set place, 16");
AT next_member(const long *p) { long v; __asm__("movq place(%1),%0" : "=r"(v) : "r"(p) : "memory"); return v; }
int main(void) { long v[] = {1, 2, 3}; return printf("%ld %ld %ld\n", member(v), offset(), next_member(v)) != 6; }
END
keeps_values() {
	cacheprof --plain-copies=yes $1 gcc -O1 -fno-toplevel-reorder -o values values.c &&
		[ "$(CACHEPROF_OPTIONS=quiet=1:instr-at-start=no ./values)" = "2 8 3" ]
}
for level in --level1 --level2; do check "symbols that are set again, $level" keeps_values $level; done

# jrcxz reaches 127 bytes, which calls with looks behind them would be more than.
cat >reaches.c <<'END'
#include <stdio.h>
static volatile int sink;
__attribute__((noipa)) static void called(int n) { sink += n; }
__attribute__((noipa)) static int reaches(long n)
{
	__asm__ goto("jrcxz %l[out]" : : "c"(n) : : out);
	called(1); called(2); called(3); called(4); called(5); called(6); called(7); called(8);
	return 1;
out:	return 2;
}
int main(void) { return printf("%d %d %d\n", reaches(0), reaches(1), sink) != 7; }
END
as_far() {
	cacheprof --plain-copies=yes $1 gcc -O1 -o reaches reaches.c &&
		[ "$(CACHEPROF_OPTIONS=quiet=1:instr-at-start=no ./reaches)" = "$(gcc -O1 -o native reaches.c && ./native)" ]
}
for level in --level1 --level2; do check "branches that do not reach far, $level" as_far $level; done

# clang's -mspeculative-load-hardening compares where a call returned to with the address of a label behind it.
cat >compares.c <<'END'
#include <stdio.h>
static volatile int sink;
__attribute__((noinline)) static int leaf(int n) { return sink += n; }
int main(void)
{
	int sum = 0, *at = &sum;

	for (int i = 0; i < 100; i++)
		*at += leaf(i);
	printf("%d\n", sum);
	return 0;
}
END
compares() {
	clang -w $1 -o native compares.c && ./native >native.out &&
		cacheprof --plain-copies=yes $2 clang -w $1 -o ours compares.c &&
		CACHEPROF_OPTIONS=quiet=1:instr-at-start=no ./ours >out && diff native.out out
}
for level in --level1 --level2; do
	for flags in "-O2 -mspeculative-load-hardening" "-O0 -mspeculative-load-hardening -fno-pic -no-pie"; do
		if clang $flags -c -o compares.o compares.c 2>err; then
			check "returned to: $flags $level" compares "$flags" $level
		else
			skip "returned to: $flags $level" "no clang, or none that can do that"
		fi
	done
done
finish
