# What compilers and people write that breaks rewriters of assembly: each program prints and returns what it
# does natively, its profile has counts, and its self-check finds no difference.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1
programs=$TOP/tests/e2e/programs

run() {
	timeout 60 "./$1" >"$1.out" 2>"$1.err"
	echo "status $?" >>"$1.out"
}

# plain COMPILER WORD...: the last program of same, in its plain copies.
plain() {
	cacheprof --plain-copies=yes "$1" -w "${@:2}" -o ours && CACHEPROF_OPTIONS=$CACHEPROF_OPTIONS:instr-at-start=no run ours &&
		diff native.out ours.out
}

# same COMPILER WORD...
same() {
	local compiler=$1
	shift
	rm -f native ours checked cacheprof.out
	"$compiler" -w "$@" -o native && cacheprof "$compiler" -w "$@" -o ours 2>log || { cat log; return 1; }
	cacheprof --self-check --branch-sim=yes "$compiler" -w "$@" -o checked 2>>log || { cat log; return 1; }
	run native && run ours && [ -s cacheprof.out ] && run checked || return 1
	cat native.out checked.err
	diff native.out ours.out && diff native.out checked.out && diff native.err ours.err
}

# A caller keeps values in registers that a call may change, but for a function of the same unit that does not
# (-fipa-ra, from -O2 on); one that is exported, too.
cat >kept.c <<'END'
#include <stdio.h>
static int table[64];
__attribute__((noinline)) int once(int x) { return table[x & 63]++ ? x * 3 : x; }
__attribute__((noinline)) static int twice(int x) { table[x & 31]--; return once(x) + 1; }
__attribute__((noinline)) static long mixed(long a, long b, long c, long d, long e, long f)
{
	for (int i = 0; i < 100; i++) {
		long g = once((int)a), h = twice((int)b);

		a += g ^ c;
		b += h ^ d;
		c ^= a + e;
		d ^= b + f;
		e += g;
		f -= h;
	}
	return a ^ b << 1 ^ c << 2 ^ d << 3 ^ e << 4 ^ f << 5;
}
int main(void) { return printf("%ld\n", mixed(1, 2, 3, 4, 5, 6)) & 1; }
END
for level in -O2 "-O3 -march=native" -Os "-O2 -fno-ipa-ra"; do
	check "registers that are kept across calls, $level" same gcc kept.c $level
done
cat >forced.c <<'END'
#include <stdio.h>
static int table[64];
__attribute__((noinline)) static long leaf(long a) { table[a & 63]++; return table[a * 3 & 63]; }
__attribute__((noinline)) static long around(long a, long b, long c) { long x = leaf(a); return x * b + a * c + c; }
int main(void)
{
	long s = 0;

	for (long i = 0; i < 200; i++)
		s = s * 3 + around(i, s, i * 5);
	return printf("%ld\n", s) & 1;
}
END
for thunks in keep thunk thunk-inline; do
	check "... through registers, indirect branches: $thunks" \
		same gcc forced.c -O2 -mforce-indirect-call -mindirect-branch=$thunks -fcf-protection=none
done

# A thunk that several files have is linked once, from the first; the others' callers keep registers across it of
# which that one knows nothing.
cat >look.h <<'END'
struct s {
	double scale;
	const char *name;
	int used;
};
int look(struct s *s, const char *word, double by);
END
cat >first.c <<'END'
#include <stdio.h>
#include "look.h"
int main(void)
{
	struct s s = {1.5, "name", 0};
	int n = look(&s, "word", 3);

	printf("%d %d %s %g\n", n, s.used, s.name, s.scale);
	return 3;
}
END
cat >second.c <<'END'
#include "look.h"
static __attribute__((noinline)) int known(const char *word)
{
	static const char *const words[] = {"a", "word", "b"};

	for (int i = 0; i < 3; i++) {
		const char *p = word, *q = words[i];

		while (*p && *p == *q)
			p++, q++;
		if (*p == *q)
			return i;
	}
	return -1;
}
int look(struct s *s, const char *word, double by)
{
	double scale = s->scale * by;
	int k = word ? known(word) : 3;

	if (k < 0)
		return 0;
	s->used = k;
	s->name = word;
	s->scale = scale;
	return 1;
}
END
returns="-O2 -mfunction-return=thunk -fcf-protection=none"
check "a thunk to return through, of another file" same gcc first.c second.c $returns
gcc -S $returns second.c -o second.s &&
	sed -i 's/^\tmulsd.*/&\n\tmovaps\t%xmm0, %xmm13/; s/\tmovsd\t%xmm0,/\tmovsd\t%xmm13,/' second.s
check "... with a vector register" same gcc first.c second.s $returns

# Conventions that names tell: arguments and results in nearly every register; pieces of functions, whose flags and
# registers are used behind the call.
cat >regcall.h <<'END'
#define REGCALL __attribute__((regcall))
struct three {
	long a, b, c;
};
REGCALL struct three mix(long a, long b, long c, long d, long e, long f, long g, long h);
REGCALL double sum(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j,
		   double k, double l, double m, double n, double o, double p, double *t);
REGCALL double one(double a, long *p);
END
cat >regcall.c <<'END'
#include "regcall.h"
REGCALL struct three mix(long a, long b, long c, long d, long e, long f, long g, long h)
{
	struct three t = {a ^ d, b + e * f, c - g};

	for (int i = 0; i < 9; i++)
		t.a += t.b * 3 + (t.c ^ h);
	return t;
}
REGCALL double sum(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j,
		   double k, double l, double m, double n, double o, double p, double *t)
{
	t[0] += m;
	t[1] += n;
	t[2] += o;
	t[3] -= p;
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m;
}
REGCALL double one(double a, long *p)
{
	p[0]++;
	if (p[1] & 1)
		p[1] += p[0];
	return a * 2;
}
END
cat >caller.c <<'END'
#include <stdio.h>
#include "regcall.h"
__attribute__((noinline)) double work(double a, double b, double c, double d, double e, double f, double g, long *p)
{
	double t[4] = {1, 2, 3, 4}, r = 0;

	for (int i = 0; i < 50; i++) {
		struct three m = mix(i, p[0], p[1], i + 1, i * 2, i * 3, i ^ 5, p[2]);

		r += one(a, p);
		a += b * .5;
		r -= sum(a, b, c, d, e, f, g, a + b, b + c, c + d, d + e, e + f, f + g, g + a, a - b, b - c, t);
		b -= c * .25;
		c += one(d, p) * .01;
		d = -e;
		e = f + .1;
		f = g - a * .1;
		g = a * .3;
		p[2] += m.a + m.b * 3 + m.c * 5;
	}
	return r + a + b + c + d + e + f + g + t[0] + t[1] + t[2] + t[3];
}
int main(void)
{
	long p[3] = {1, 1, 1};

	for (int i = 0; i < 9; i++)
		printf("%.17g\n", work(1, 2, 3, 4, 5, 6, 7 + i, p));
	printf("%ld %ld %ld\n", p[0], p[1], p[2]);
	return 3;
}
END
cat >pieces.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct parser {
	long (*handler)(void *, const char *, int);
	void *user;
	int state, depth;
	const char *at;
};
#define N __attribute__((noinline))
N static long seen(void *user, const char *at, int n) { return *(long *)user += at[0] * n; }
#define STEP(name, first, then) \
	N static int name(struct parser *p, int token) \
	{ \
		int r = -1; \
		if (token == 28 && p->depth == 0) \
			return 59; \
		if (token == first) { \
			p->state += abs(p->state - then); \
			if (p->handler) \
				p->handler(p->user, p->at, p->state); \
			r = token + p->depth; \
		} else if (token == 12 && p->depth == 0) { \
			r = getpid() != 0; \
			p->handler(p->user, p->at, p->state); \
		} \
		p->at += p->at[1] ? 1 : -1; \
		return p->depth == 0 ? r : r + 1; \
	}
STEP(a, 1, 2) STEP(b, 2, 3) STEP(c, 3, 4) STEP(d, 4, 5) STEP(e, 5, 6) STEP(f, 6, 7) STEP(g, 7, 8) STEP(h, 8, 1)
int main(void)
{
	int (*const steps[])(struct parser *, int) = {a, b, c, d, e, f, g, h};
	long sum = 0, results = 0;
	struct parser p = {seen, &sum, 0, 0, "text"};

	for (int i = 0; i < 4000; i++) {
		p.depth = i % 5 == 0;
		results = results * 3 + steps[i % 8](&p, i % 13);
	}
	printf("%lx %ld %d\n", results, sum, p.state);
	return 3;
}
END
command -v clang >/dev/null && for level in -O0 -O1 -O2 "-O2 -fPIC"; do
	check "clang's regcall, $level" same clang regcall.c caller.c $level
	check "... in C++" same clang++ -x c++ regcall.c caller.c $level
	check "clang's outliner, $level" same clang pieces.c $level -mllvm -enable-machine-outliner=always
done

# Microsoft's convention, which keeps rsi and rdi: no object says which functions have it. Each file is compiled
# alone, so that nothing of the other is seen.
cat >keeping.c <<'END'
#define MS __attribute__((ms_abi, noinline))
static long calls;
MS long leaf(long n, long *p, long *q)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum += p[i] * q[i];
	p[0]++;
	return sum;
}
MS double reals(long n, const double *p)
{
	double sum = 0;

	for (long i = 0; i < n; i++)
		sum += p[i];
	return sum;
}
MS long count(void)
{
	static long ring[16];
	long sum = 0;

	for (int i = 0; i < 16; i++)
		sum += ring[(i + ring[i]) & 15];
	ring[calls & 15] = calls;
	return sum + ++calls;
}
END
cat >kept_by.c <<'END'
#include <stdio.h>
#define MS __attribute__((ms_abi, noinline))
MS long leaf(long n, long *p, long *q);
MS double reals(long n, const double *p);
MS long count(void);
static MS long middle(long n, long *p, long *q, long r)
{
	long x = leaf(n, p, q) + count();

	x += leaf(n, q, p) * r;
	return x + (long)reals(n, (double *)p) + n + r + p[1] + q[1] + count();
}
long outer(long n, long *p, long *q, long a, long b, long c)
{
	long s = 0;

	for (long i = 0; i < n; i++) {
		s += leaf(i, p, q) * a + b;
		a += count() ^ c;
		c += s & 15;
	}
	return s + a + b + c;
}
int main(void)
{
	long p[10], q[10], r = 0;
	double d[10], s = 0;
	long (*MS how)(long, long *, long *, long) = middle;

	for (int i = 0; i < 10; i++) {
		p[i] = i * 3;
		q[i] = i * 7;
		d[i] = i * 1.5;
	}
	double k = d[1] * 2, l = d[2] * 3;
	for (int i = 0; i < 10; i++) {
		s += reals(i, d) * k + l;
		r = r * 3 + how(i, p, q, 5) + outer(i, q, p, 1, 2, 3);
	}
	printf("%ld %g\n", r, s);
	return 0;
}
END
# convention WHO OPTION... KEEPING KEPT_BY: WHO of the two is not instrumented
convention() {
	local who=$1 keeping=${@: -2:1} kept_by=${@: -1} file
	shift
	set -- "${@:1:$#-2}"
	for file in $keeping $kept_by; do
		gcc -w "$@" -c $file.c -o $file.o && cacheprof gcc -w "$@" -c $file.c -o $file.ours.o &&
			cacheprof --self-check gcc -w "$@" -c $file.c -o $file.checked.o || return 1
	done
	[ "$who" = nobody ] || for kind in ours checked; do cp $who.o $who.$kind.o; done
	gcc $keeping.o $kept_by.o -o native && cacheprof gcc $keeping.ours.o $kept_by.ours.o -o ours &&
		cacheprof --self-check gcc $keeping.checked.o $kept_by.checked.o -o checked || return 1
	run native && run ours && run checked
	cat native.out checked.err
	diff native.out ours.out && diff native.out checked.out && diff native.err ours.err
}
for level in -O0 -O1 -O2 "-O3 -march=native" -Os; do
	for who in nobody keeping kept_by; do
		check "Microsoft's calling convention, without $who, $level" convention $who $level keeping kept_by
	done
done
# The only function of the convention may have no arguments that it reads: who calls it reads rsi behind the call.
cat >unread.c <<'END'
int __attribute__((sysv_abi)) printf(const char *, ...);
static int a[56];
static volatile int b = -1000;
void nothing(int *x, int y, int z) { }
void (*volatile const unknown)(int *, int, int) = nothing;
__attribute__((noinline)) int sum(void)
{
	int all = 0, room[8];

	for (; b; b++) {
		int c = b & 1 ? 2 : b;

		unknown(room, 3, c);
		a[-(b % 56)] = room[b & 7] = c;
	}
	for (int i = 0; i < 56; i++)
		all += a[i] + room[i & 7];
	return all;
}
int main(void) { return printf("%d\n", sum()) & 1; }
END
for level in -O2 -Ofast; do
	check "Microsoft's convention without arguments that are read, $level" same gcc unread.c $level -mabi=ms
done

# ... and libgcc saves what only that keeps, called in between by conventions of its own: what the function was given, and
# only hands on, waits in registers, and so does what it returns. (Whose flag it is: -mcall-ms2sysv-xlogues.)
cat >given.c <<'END'
#include <stdio.h>
#define MS __attribute__((ms_abi, noinline))
long twice(long);
long MS mixed(long, long, long);
__attribute__((noipa)) long MS two(long a, long b, long c) { long r = mixed(a, b, c); return r + twice(r) + twice(2); }
__attribute__((noipa)) double MS real(double x, long k) { double r = two(k, k, k) * x; return r + twice(k); }
int main(void)
{
	long s = 0;
	double d = 0;

	for (long i = 0; i < 100; i++) {
		s += two(i, i * 3, s);
		d += real(d * 1e-9, i);
	}
	return printf("%ld %g\n", s, d) & 1;
}
END
cat >called.c <<'END'
static long t[64];
long twice(long x) { t[x & 63]++; return x * 2; }
long __attribute__((ms_abi)) mixed(long a, long b, long c) { t[a & 63] += b; return (a ^ b * 5 ^ c) + t[c & 63]; }
END
for level in -O1 -O2 -O3 "-Os -fno-omit-frame-pointer" "-O2 -mavx"; do
	check "registers saved out of line, $level" same gcc given.c called.c $level -mcall-ms2sysv-xlogues
done

# Conventions by which who is called saves all registers, or nearly all: callers keep what they like in any, and give on
# what they have there without another look at it.
cat >keeps.h <<'END'
#if defined __clang__ && !defined LIKE_GCC
#define MOST __attribute__((preserve_most))
#define EVERY __attribute__((preserve_all))
#define NO_VECTORS MOST
#else
#define MOST __attribute__((no_caller_saved_registers))
#define EVERY
#define NO_VECTORS __attribute__((no_caller_saved_registers, target("general-regs-only")))
#endif
struct s { long v[8]; double d[8]; };
MOST long get(const struct s *), sum(const struct s *, int);
MOST void set(struct s *, long), nothing(void), sort(struct s *, int);
EVERY double get_real(const struct s *);
EVERY void set_real(struct s *, double, int);
void twice(struct s *);
END
cat >keeping.c <<'END'
#include <stdio.h>
#include "keeps.h"
static NO_VECTORS __attribute__((noinline)) void local(long x, long *p) { p[x & 3] += x; }
__attribute__((noinline)) long mixed(struct s *s, long a, long b, long c, long d, long e)
{
	long r = a;

	for (int i = 0; i < 500; i++) {
		a = a * 3 + b;
		b ^= c + i;
		c += d;
		d = d * 5 ^ e;
		e -= a;
		set(s, r);
		r += a ^ b;
		nothing();
		r ^= get(s) + c * d;
		sort(s, i);
		r += e + a * b - c;
		r ^= sum(s, i & 7) * d;
		local(r, s->v);
		r += b + c + d + e;
	}
	return r;
}
__attribute__((noinline)) double real(struct s *s, double a, double b, double c, double d, double e, double f, double g)
{
	double r = 0, h = 8, k = 1, l = 2, m = 3, n = 4, o = 5;

	for (int i = 0; i < 500; i++) {
		a += b * .5; b -= c * .25; c = c * .5 + d; d = e - f * .125; e = e * .5 + g; f = h * .5 - a;
		g = g * .5 + b; h = h * .25 + c; k = k * .5 + l; l = l * .25 - m; m = n * .5 + o; n = o - k;
		o = o * .5 + a;
		set_real(s, r, i);
		r += a * b + c * d + e * f + g * h + k * l + m * n + o - get_real(s);
		r = r * .5 + a + b + c + d + e + f + g + h + k + l + m + n + o;
	}
	return r;
}
int main(void)
{
	struct s s = {{1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3}};

	printf("%ld\n", mixed(&s, 1, 2, 3, 4, 5));
	printf("%.17g\n", real(&s, 1, 2, 3, 4, 5, 6, 7));
	twice(&s);
	for (int i = 0; i < 8; i++)
		printf("%ld %g\n", s.v[i], s.d[i]);
	return 0;
}
END
cat >kept_by.c <<'END'
#include "keeps.h"
NO_VECTORS long get(const struct s *s) { return s->v[2] * 3; }
NO_VECTORS long sum(const struct s *s, int n)
{
	long r = 0;

	for (int i = 0; i < n; i++)
		r += s->v[i] ^ r << 3;
	return r;
}
NO_VECTORS void set(struct s *s, long v) { s->v[1] = v; }
NO_VECTORS void nothing(void) {}
NO_VECTORS void sort(struct s *s, int n)
{
	for (int i = 0; i < 8; i++)
		if (s->v[i] > s->v[(i + n) & 7])
			s->v[i] -= n * 7 + s->v[(i * n) & 7];
}
EVERY double get_real(const struct s *s) { return s->d[0] * .5 + s->d[1]; }
EVERY void set_real(struct s *s, double v, int i) { s->d[i & 7] = v * .25 + s->d[(i + 1) & 7] * .5 + i; }
END
cat >given_on.c <<'END'
#include "keeps.h"
void twice(struct s *s)
{
	set(s, 1);
	nothing();
	set(s, 2);
}
END
for flags in -O0 -O1 -O2 "-O3 -march=native" "-Os -fPIC"; do
	check "all registers are kept, $flags" same gcc keeping.c kept_by.c given_on.c $flags
	if command -v clang >/dev/null; then
		check "nearly all registers are kept, clang, $flags" same clang keeping.c kept_by.c given_on.c $flags
		check "all registers are kept, clang, $flags" \
			same clang -DLIKE_GCC keeping.c kept_by.c given_on.c $flags
	else
		skip "registers that are kept, clang, $flags" "there is no clang"
	fi
done
# A convention by which nobody saves any, and arguments are in nearly all of them.
cat >twelve.h <<'END'
#define ARGUMENTS long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l
__attribute__((preserve_none)) long mix(ARGUMENTS);
extern __attribute__((preserve_none)) long (*volatile mixing)(ARGUMENTS);
END
cat >twelve.c <<'END'
#include "twelve.h"
__attribute__((preserve_none)) long (*volatile mixing)(ARGUMENTS) = mix;
__attribute__((preserve_none)) long mix(ARGUMENTS)
{
	return a + b * 3 + c * 5 + d * 7 + e * 9 + f * 11 + g * 13 + h * 15 + i * 17 + j * 19 + k * 21 + l * 23;
}
END
cat >gives.c <<'END'
#include <stdio.h>
#include "twelve.h"
#define AT(n) t[(n) & 255]
#define FOUR(n) AT(n), AT((n) * 3), AT((n) * 5), AT((n) * 7)
#define ALL(n) FOUR(n), FOUR((n) + 1), FOUR((n) + 2)
static long t[256];
int main(void)
{
	long s = 0;

	for (long n = 0; n < 256; n++)
		t[n] = n * 7919 % 1009;
	for (long n = 0; n < 300; n++) {
		s += mix(ALL(n));
		s ^= mixing(ALL(s));
		AT(s) += s;
	}
	printf("%ld\n", s);
	return 0;
}
END
for flags in -O0 -O2 "-Os -fPIC"; do
	for compiler in gcc clang; do
		if ! $compiler -Werror -c twelve.c -o none.o 2>none.log; then
			skip "no registers are kept, $compiler, $flags" "there is no $compiler, or none that can do that"
			continue
		fi
		check "no registers are kept, $compiler, $flags" same $compiler gives.c twelve.c $flags
	done
done

# A convention of one's own: these registers are never touched, or whoever is called saves them. (The leaf touches
# none of them; what it is called by relies on that.)
cat >alone.c <<'END'
static long table[16];
long leaf(long a)
{
	table[a & 15] += a;
	return table[(a + 1) & 15] + table[a * 3 & 15];
}
END
cat >around.c <<'END'
#include <stdio.h>
long leaf(long);
long around(long a, long b, double c)
{
	long x, fixed = 0;

#ifdef FIXED
	__asm__ volatile("mov %0, %%rcx" :: "r"(a * 3));
#endif
	x = leaf(a);
#ifdef FIXED
	__asm__ volatile("mov %%rcx, %0" : "=r"(fixed));
#endif
	return x * b + a + (long)(c * 2) + fixed;
}
int main(void)
{
	long s = 0;

	for (long i = 0; i < 20; i++)
		s = s * 3 + around(i, i + 1, i * 1.5);
	return printf("%ld\n", s) & 1;
}
END
saved="-fcall-saved-rdi -fcall-saved-rsi -fcall-saved-rdx -fcall-saved-rcx -fcall-saved-r8 -fcall-saved-xmm15"
for flags in "$saved" "-ffixed-rcx -DFIXED"; do
	for who in nobody alone around; do
		check "$flags, without $who" convention $who -O2 $flags alone around
	done
done

# A stretch of code whose addresses take every register there is (zstd at -O3 -march=native: fourteen vpinsrb
# of a table, one behind another). A check needs two that are not of its addresses.
indices="rax rbx rcx rdx rsi rdi rbp r9 r10 r11 r12 r13 r14 r15"
saved="rbx rbp r12 r13 r14 r15"
{
	printf '\t.globl\ttotal\n\t.type\ttotal, @function\ntotal:\n'
	printf '\tpush\t%%%s\n' $saved
	printf '\tpush\t$300\n\tmov\t%%rdi, %%r8\n\tpxor\t%%xmm0, %%xmm0\n\tpxor\t%%xmm1, %%xmm1\n'
	n=0
	for r in $indices; do
		printf '\tmov\t$%d, %%%s\n' $((n * 4099)) "$r"
		n=$((n + 1))
	done
	printf '1:\n'
	n=0
	for r in $indices; do
		printf '\tpinsrb\t$%d, (%%r8,%%%s), %%xmm0\n' $n "$r"
		n=$((n + 1))
	done
	printf '\tpaddb\t%%xmm0, %%xmm1\n'
	printf '\tadd\t$320, %%%s\n' $indices
	printf '\tdecl\t(%%rsp)\n\tjne\t1b\n\tpop\t%%rax\n'
	printf '\tpop\t%%%s\n' $(printf '%s\n' $saved | tac)
	printf '\tmovhlps\t%%xmm1, %%xmm0\n\tpaddq\t%%xmm1, %%xmm0\n\tmovq\t%%xmm0, %%rax\n\tret\n'
	printf '\t.size\ttotal, .-total\n\t.section\t.note.GNU-stack,"",@progbits\n'
} >all_registers.s
cat >all.c <<'END'
#include <stdio.h>
static unsigned char table[160000];
unsigned long total(const unsigned char *);
int main(void)
{
	for (unsigned i = 0; i < sizeof table; i++)
		table[i] = (unsigned char)(i * i >> 5);
	return printf("%lx\n", total(table)) & 1;
}
END
for flags in -O2 "-O2 -fPIC"; do
	check "addresses in all registers, $flags" same gcc $flags all.c all_registers.s
done

# What a call that does not return leaves in registers the unwinder hands on; and with -fnon-call-exceptions
# every access may be one. (A block that a fault ends is counted whole or not at all: no self-check.)
behaves() {
	local compiler=$1
	shift
	rm -f native ours cacheprof.out
	"$compiler" -w "$@" -o native && cacheprof "$compiler" -w "$@" -o ours || return 1
	run native && run ours && [ -s cacheprof.out ] && diff native.out ours.out && diff native.err ours.err
}
cat >thrown.cc <<'END'
#include <cstdio>
#include <csignal>
[[noreturn]] __attribute__((noinline)) void give_up(int n) { throw n; }
__attribute__((noinline)) static long caught(long a, long b, long c, long d, int *p)
{
	long e = a * b, f = c * d, g = a ^ d, h = b ^ c;

	try {
		if (!p)
			give_up((int)a);
		*p = 1;
		g += *p;
	} catch (int n) {
		return e + f * n + g + h;
	} catch (...) {
		return e - f + g - h;
	}
	return e ^ f ^ g ^ h;
}
static void fault(int) { throw 1.0; }
int main()
{
	struct sigaction action = {};
	int here = 0;
	long sum = 0;

	action.sa_handler = fault;
	action.sa_flags = SA_NODEFER;
	sigaction(SIGSEGV, &action, nullptr);
	for (long i = 1; i < 50; i++)
		sum = sum * 31 + caught(i, i + 1, i + 2, i + 3, i % 3 ? &here : i % 2 ? nullptr : (int *)8);
	std::printf("%ld\n", sum);
}
END
for level in -O0 -O1 -O2 "-O3 -march=native" -Os; do
	check "values in registers when something is thrown, $level" behaves g++ -fnon-call-exceptions thrown.cc $level
done

# Sequences that the linker knows whole: thread-local variables in all models and dialects.
cat >tls.c <<'END'
#include <pthread.h>
#include <stdio.h>
__thread long mine[3] = {1, 2, 3};
static __thread long own = 5, zero;
extern __thread long others;
long others_of(void);
static void *work(void *argument)
{
	for (int i = 0; i < 10; i++) {
		own += mine[i % 3] * 3 + others;
		zero += own & 7;
		mine[i % 3] ^= zero;
		others += i;
	}
	*(long *)argument = own * 1000 + zero * 10 + others_of();
	return 0;
}
int main(void)
{
	pthread_t thread;
	long there, here;
	pthread_create(&thread, 0, work, &there);
	pthread_join(thread, 0);
	work(&here);
	printf("%ld %ld\n", here, there);
	return here != there;
}
END
cat >tls_other.c <<'END'
__thread long others = 7;
long others_of(void) { return others; }
END
while read -r flags; do
	case $flags in *=gold) command -v ld.gold >/dev/null || { skip "thread-local: $flags" "there is no ld.gold"; continue; } ;; esac
	# shellcheck disable=SC2086
	check "thread-local: $flags" same gcc tls.c tls_other.c -pthread $flags
	case $flags in
	*-fno-p* | *-static*) ;;
	*)
		# shellcheck disable=SC2086
		check "... the other one in a shared object" sh -c "gcc ${flags/-pie/} -fPIC -shared tls_other.c -o libother.so" &&
			check "... which is not ours" same gcc tls.c ./libother.so -pthread $flags &&
			check "... and is" sh -c "cacheprof gcc ${flags/-pie/} -fPIC -shared tls_other.c -o libother.so && ./ours >again; echo status \$? >>again; cmp again native.out"
		;;
	esac
done <<'END'
-O0
-O2
-O2 -fno-pie -no-pie
-O2 -fPIC -pie
-O0 -fPIC -pie
-O2 -fPIC -pie -fno-plt
-O2 -fPIC -pie -mtls-dialect=gnu2
-O2 -fPIC -pie -ftls-model=global-dynamic -Wl,--no-relax
-O2 -fPIC -pie -ftls-model=initial-exec
-O2 -fPIC -pie -mcmodel=large
-O2 -static
-O2 -static-pie
-O2 -fPIC -pie -fuse-ld=gold
END

# -fsplit-stack: what stands behind a call of __morestack, and its arguments in r10 and r11.
cat >split.c <<'END'
#include <stdarg.h>
#include <stdio.h>
#include <pthread.h>
__attribute__((noinline)) static long sum(int n, ...)
{
	volatile char room[3000];
	va_list ap;
	long s = 0;
	room[n] = 1;
	va_start(ap, n);
	while (n--)
		s += va_arg(ap, long);
	va_end(ap);
	return s + room[0];
}
__attribute__((noinline)) static long deep(int n)
{
	volatile char frame[5000];
	frame[n] = (char)n;
	return n ? deep(n - 1) + sum(3, (long)n, 2l, 3l) + frame[n] : 0;
}
static void *in_thread(void *result) { *(long *)result = deep(50); return 0; }
int main(void)
{
	pthread_t thread;
	long there;
	pthread_create(&thread, 0, in_thread, &there);
	pthread_join(thread, 0);
	return printf("%ld %ld\n", deep(100), there) & 1;
}
END
for flags in -O0 -O2 "-O3 -march=native" "-O2 -fPIC -pie" "-O2 -static" "-O2 -mcmodel=large" \
	"-O0 -mcmodel=large -fPIC -pie" "-O2 -mcmodel=medium" "-O2 -fcf-protection=full"; do
	check "split stacks, $flags" same gcc split.c -fsplit-stack -pthread $flags
done

# Prefixes on lines of their own; calls of what has its own conventions; branches that reach 127 bytes; .byte,
# macros and data amid code; symbols that mean something else elsewhere; carries that live through a loop.
cat >byhand.S <<'END'
	.text
	.macro	load from to
	movl	(\from), \to
	.endm
	.globl	four, five
	.globl	prefixes
	.type	prefixes, @function
prefixes:			/* rdi: 4 longs; rsi: 4 longs */
	lock
	incq	(%rdi)
	lock; addq $2, 8(%rdi)
	movl	$4, %ecx
	xchg	%rdi, %rsi
	rep
	movsq
	lea	-32(%rdi), %rax
	movq	(%rax), %rax
	ret
	.size	prefixes, .-prefixes

	.globl	own_convention
	.type	own_convention, @function
own_convention:			/* keeps everything but rax, and takes r10 */
	leaq	(%r10,%r10,2), %rax
	ret
	.globl	calls
	.type	calls, @function
calls:
	movq	%rdi, %rcx
	leaq	1(%rdi), %rdx
	leaq	2(%rdi), %rsi
	leaq	3(%rdi), %r8
	leaq	4(%rdi), %r9
	leaq	5(%rdi), %r11
	movq	%rdi, %r10
	stc
	call	own_convention
	adcq	%rcx, %rax
	addq	%rdx, %rax
	addq	%rsi, %rax
	addq	%r8, %rax
	addq	%r9, %rax
	addq	%r11, %rax
	addq	%rdi, %rax
	ret

	.globl	short
	.type	short, @function
short:				/* rdi: longs, rsi: how many */
	xorl	%eax, %eax
	movq	%rsi, %rcx
	jrcxz	3f
1:	addq	(%rdi), %rax
	adcq	$0, %rax
	xorq	8(%rdi), %rax
	addq	16(%rdi), %rax
	rolq	$3, 24(%rdi)
	addq	24(%rdi), %rax
	loop	1b
	cmpq	%rax, %rax
	movl	$3, %ecx
2:	addq	(%rdi), %rax
	cmpq	$0, 32(%rdi)
	loopne	2b
	movl	$1, %ecx
	cmpl	%ecx, %ecx
	loope	2b
3:	ret

	.globl	mixed
	.type	mixed, @function
mixed:
	load	%rdi, %eax
	.byte	0x03, 0x47, 0x04	/* addl 4(%rdi), %eax */
	jmp	1f
	.long	0x12345678, 0
	.ascii	"data amid code"
1:	addl	8(%rdi), %eax
	.pushsection .rodata
four:
4:	.long	1000
	.popsection
	addl	4b(%rip), %eax
	addl	5f(%rip), %eax
	.set	where, 0
	addl	where(%rdi), %eax
	where = where + 12
	addl	where(%rdi), %eax
	.set	where, 8
	addl	where(%rdi), %eax
	.rept	3
	addl	12(%rdi), %eax
	.endr
	ret

	.section .rodata
	.zero	4096
4:	.long	1
five:
5:	.long	2000
	.zero	4096
5:	.long	2
	.text

	.globl	carries
	.type	carries, @function
carries:			/* rdi += rsi, rdx words */
	leaq	(%rdi,%rdx,8), %rdi
	leaq	(%rsi,%rdx,8), %rsi
	negq	%rdx
	clc
1:	movq	(%rsi,%rdx,8), %rax
	adcq	%rax, (%rdi,%rdx,8)
	leaq	1(%rdx), %rdx
	leaq	(%rdx), %rcx
	jrcxz	2f
	jmp	1b
2:	setc	%al
	movzbl	%al, %eax
	ret
	.section .note.GNU-stack,"",@progbits
END
cat >byhand.c <<'END'
#include <stdio.h>
long prefixes(long *from, long *to), calls(long), own_convention(long), short_(long *v, long n) __asm__("short");
int mixed(const int *v);
int carries(unsigned long *to, const unsigned long *from, long n);
int main(void)
{
	long from[] = {1, 2, 3, 4}, to[4], v[8] = {1, 2, 3, 4};
	unsigned long a[20], b[20], hash = 0;
	printf("%ld ", prefixes(from, to));
	printf("%ld %ld ", to[1] + to[3], calls(7));
	printf("%ld %ld ", short_(v, 0), short_(v, 10));
	printf("%d\n", mixed((const int[]){1, 20, 300, 4}));
	for (int i = 0; i < 20; i++)
		a[i] = -1ul - i, b[i] = (i * 0x9e3779b97f4a7c15ul) | 1ul << 63;
	for (int i = 0; i < 50; i++)
		hash = hash * 31 + carries(a, b, 20);
	for (int i = 0; i < 20; i++)
		hash = hash * 31 + a[i];
	printf("%lx\n", hash);
	return 3;
}
END
for flags in -O0 -O2 "-O2 -fno-pie -no-pie"; do
	check "written by hand, $flags" same gcc byhand.c byhand.S $flags
done
# The trace has the addresses that were worked out from the tables, behind the text.
cat >names.c <<'END'
#include <stdio.h>
int mixed(const int *v);
extern const int four, five;
int main(void)
{
	static const int v[] __attribute__((aligned(16))) = {1, 20, 300, 4};

	mixed(v);
	printf("%lx\n%lx\n%lx\n%lx\n", (long)&four, (long)&five, (long)&v[2], (long)&v[3]);
	return 0;
}
END
names() {
	local address
	cacheprof --trace gcc -O1 names.c byhand.S -o names || return 1
	CACHEPROF_OPTIONS=quiet=1:trace=names.trace ./names >addresses || return 1
	while read -r address; do
		grep -q "^ L 0*$address,4$" names.trace || { echo "no read of $address"; return 1; }
	done <addresses
}
check "symbols that mean something else elsewhere" names

cat >thunks.S <<'END'
	.text
	.irp	reg, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
	.globl	__x86_indirect_thunk_\reg
	.type	__x86_indirect_thunk_\reg, @function
__x86_indirect_thunk_\reg:
	jmp	*%\reg
	.endr
	.section .note.GNU-stack,"",@progbits
END
cat >pointers.c <<'END'
#include <stdio.h>
static long one(long x) { return x + 1; }
static long two(long x) { return x * 2; }
static long (*const functions[])(long) = {one, two, one};
__attribute__((noinline)) static long tail(int i, long x) { return functions[i](x); }
int main(void)
{
	long x = 1;
	for (int i = 0; i < 60; i++)
		x = tail(i % 3, x) + (functions[(i + 1) % 3](x) & 7);
	printf("%ld\n", x);
	return 3;
}
END
for level in -O0 -O2; do
	check "thunks of the program's own, $level" same gcc pointers.c thunks.S $level -mindirect-branch=thunk-extern -fcf-protection=none
done

# Where the length of code is used it stays as it is, and that is said.
cat >measured.c <<'END'
#include <stdio.h>
int f(const int *v);
extern const unsigned char lengths[];
extern int total;
int main(void)
{
	static const int v[] = {1, 2, 3, 4, 5};
	int sum = 0;

	for (int i = 0; i < 1000; i++)
		sum += f(v);
	printf("%d %d:", sum, total);
	for (int i = 0; i < 11; i++)
		printf(" %d", lengths[i]);
	puts("");
	return 3;
}
END
for flags in -O0 "-O2 -fPIC"; do
	check "lengths of code that are used, $flags" same gcc measured.c "$programs/measured.S" $flags
	check "... which is said once" test "$(grep -c 'the length of code is used' log)" -eq 2
done

# ... from the section's beginning: by a number for .org or the place, or by the section's name; and from what is
# something else later.
measured_place() {
	cat >placed.S <<-END
		.section .rodata
		.org	8
		.section .text.placed, "ax"
		.globl	g
		.type	g, @function
	g:	movl	(%rdi), %eax
		again = .
		addl	4(%rdi), %eax
		addl	8(%rdi), %eax
		jmp	1f
		$1
		again = .
	1:	addl	12(%rdi), %eax
		addl	16(%rdi), %eax
		ret
		.size	g, .-g
		.section .note.GNU-stack,"",@progbits
	END
	same gcc placed.c placed.S -O2 && [ "$(grep -c 'the length of code is used' log)" -eq 2 ]
}
cat >placed.c <<'END'
#include <stdio.h>
int g(const int *v);
int main(void)
{
	static const int v[] = {1, 2, 3, 4, 5};

	printf("%d\n", g(v));
	return 0;
}
END
for place in ".org 16" ".org 8 * 2, 0x90" ". = 16" ".set ., 0x10" ".skip 16 - (. - .text.placed)" \
	".org again + 14" ".skip 14 - (. - again)"; do
	check "a place that depends on the length of code, $place" measured_place "$place"
done

# Nor is anything planted on the way of a short branch that stands in what is measured: it would become a long one.
left_by() {
	cat >left.S <<-END
		.globl	g
		.type	g, @function
	g:	xorl	%eax, %eax
		movl	\$3, %ecx
	5:	addl	(%rdi), %eax
		addl	4(%rdi), %eax
		addl	8(%rdi), %eax
		decl	%ecx
		js	3f
	1:	testl	%ecx, %ecx
		$1
	2:	addl	12(%rdi), %eax
		addl	16(%rdi), %eax
	4:	cmpl	\$50, %eax
		jg	6f
		addl	(%rdi), %eax
	3:	ret
	6:	addl	4(%rdi), %eax
		addl	8(%rdi), %eax
		ret
		.size	g, .-g
		.section .rodata
		.globl	length
	length:	.byte	2b - 1b
		.section .note.GNU-stack,"",@progbits
	END
	same gcc left.c left.S -O2
}
cat >left.c <<'END'
#include <stdio.h>
int g(const int *v);
extern const unsigned char length;
int main(void)
{
	static const int v[] = {1, 2, 3, 4, 5};

	printf("%d %d\n", g(v), length);
	return 0;
}
END
for branch in "jz 3f" "jmp 3f" "jrcxz 3f" "jnz 5b" "jmp 5b" "loop 5b" "jnz 4f"; do
	check "what is measured is left by $branch" left_by "$branch"
done

# The same where instructions hold distances as numbers.
cat >distances.c <<'END'
#include <stdio.h>
long five_less(long), five_times(long), plus_one(long);
static volatile long called;
static void callee(void) { called++; }
int main(void)
{
	long sum = 0;

	for (long i = 0; i < 1000; i++) {
		long x = i % 10, y = x;

		__asm__ volatile("cmpq $5, %0\n\t.byte 0x7c, 9\n\tsubq $5, %0\n\tmovq %0, (%1)\n\tcall *%2"
				 : "+D"(x)
				 : "S"(&y), "a"(callee)
				 : "memory", "cc", "rcx", "rdx", "r8", "r9", "r10", "r11");
		sum = sum * 3 + five_less(x + y) + five_times(i) + plus_one(i);
	}
	printf("%ld %ld\n", sum, called);
	return 3;
}
END
# gmp's loops: jumps to what stands behind an instruction that works its own end out, or farther away.
{
	printf '\t.text\n\tdec %%ecx\n\tadd $3,%%eax\n\ttest %%ecx,%%ecx\n\tjg .-7\n\tret\n'
	printf '\t.globl here0\n\t.type here0,@function\nhere0:\n\txor %%eax,%%eax\n\tmov (%%rdi),%%ecx\n\tjmp .-14\n\t.size here0,.-here0\n'
	n=1
	for lea in 'lea 0(%rip),%r11' 'lea .+7(%rip),%r11' 'lea (%rip),%r11' '.byte 0x4c,0x8d,0x1d,0,0,0,0' \
		'lea 2(%rip),%r11; xor %edx,%edx' 'lea 3f+2(%rip),%r11; 3: xor %edx,%edx'; do
		printf '\t.globl here%d\n\t.type here%d,@function\nhere%d:\n\txor %%eax,%%eax\n\tmov (%%rdi),%%ecx\n\t%s\n' $n $n $n "$lea"
		printf '\tmov (%%rdi),%%edx\n\tadd %%edx,%%eax\n\tdec %%ecx\n\tmov %%rax,8(%%rdi)\n\tjz 1f\n\tjmp *%%r11\n1:\tret\n'
		printf '\t.size here%d,.-here%d\n' $n $n
		n=$((n + 1))
	done
	printf '\t.section .note.GNU-stack,"",@progbits\n'
} >here.S
cat >heres.c <<'END'
#include <stdio.h>
long here0(long *), here1(long *), here2(long *), here3(long *), here4(long *), here5(long *), here6(long *);
int main(void)
{
	static long (*const functions[])(long *) = {here0, here1, here2, here3, here4, here5, here6};

	for (int f = 0; f < 7; f++)
		for (int i = 0; i < 10; i++) {
			long v[2] = {100 + i};

			printf("%ld %ld\n", functions[f](v), v[1]);
		}
	return 7;
}
END
for flags in -O2 "-O2 -fPIC"; do
	check "addresses by distances, $flags" same gcc heres.c here.S $flags
	check "... which need no length of code" fails grep 'the length of code is used' log
done

# The same from global names, of which the linker works the distance out.
cat >beside.S <<'END'
	.text
	.globl	sum, sum_from, sum_by, sum_through, sum_called
	.type	sum, @function
sum:	mov	$1, %eax
	add	(%rdi), %rax
	add	8(%rdi), %rax
	ret
	.size	sum, .-sum
	.type	sum_from, @function
sum_from:
	mov	$40, %eax
	jmp	sum+5
	.size	sum_from, .-sum_from
	.type	sum_by, @function
sum_by:	mov	$50, %eax
	test	%rdi, %rdi
	jne	5+sum@PLT
	ret
	.size	sum_by, .-sum_by
	.type	sum_through, @function
sum_through:
	mov	$60, %eax
	lea	sum+5(%rip), %rdx
	jmp	*%rdx
	.size	sum_through, .-sum_through
	.type	sum_called, @function
sum_called:
	mov	$70, %eax
	call	sum + 5
	inc	%rax
	ret
	.size	sum_called, .-sum_called
	.section .note.GNU-stack,"",@progbits
END
cat >besides.c <<'END'
#include <stdio.h>
long sum(long *), sum_from(long *), sum_by(long *), sum_through(long *), sum_called(long *);
int main(void)
{
	static long (*const functions[])(long *) = {sum, sum_from, sum_by, sum_through, sum_called};

	for (int f = 0; f < 5; f++)
		for (int i = 0; i < 10; i++) {
			long v[2] = {100 + i, 1000};

			printf("%ld\n", functions[f](v));
		}
	return 7;
}
END
for flags in -O2 "-O2 -fpie"; do
	check "distances from global names, $flags" same gcc besides.c beside.S $flags
done

# The same in other words: sums that gas alone can work out, names that were set, and behind prefixes on lines of their
# own, where what is on the way stays as it is, for instructions that reach 127 bytes only, too.
cat >sums.S <<'END'
	.globl	sums
	.type	sums, @function
	.set	SKIP, 3
sums:	movl	(%rdi), %eax
	jmp	1f + SKIP
1:	ud2
	nop
	addl	(%rdi), %eax
	jmp	2f + (2)
2:	ud2
	addl	4(%rdi), %eax
	.set	there, 3f + 4
	jmp	there
3:	ud2
	ud2
	addl	(%rdi), %eax
	leaq	4f + SKIP(%rip), %rdx
	jmp	*%rdx
4:	ud2
	nop
	addl	4(%rdi), %eax
	movl	$3, %ecx
5:	addl	(%rdi), %eax
	movl	4(%rdi), %edx
	addl	%edx, (%rdi)
	movl	%eax, 8(%rdi, %rcx, 8)
	addl	12(%rdi, %rcx, 8), %eax
	jz	6f
	addl	$2, (%rdi, %rcx, 4)
6:	addl	%ecx, 44(%rdi, %rcx, 4)
	.byte	0x67
	loop	5b
	ds
	jmp	. + 4
	addl	(%rdi), %eax
	ds
	leaq	7f + 2(%rip), %rdx
	jmp	*%rdx
7:	ud2
	addl	4(%rdi), %eax
	ret
	.size	sums, .-sums
	.section .note.GNU-stack,"",@progbits
END
cat >sum.c <<'END'
#include <stdio.h>
int sums(int *);
int main(void)
{
	int v[32] = {1, 20, 300}, sum = 0;

	for (int i = 0; i < 10; i++)
		sum = sum * 3 + sums(v);
	for (int i = 0; i < 32; i++)
		sum = sum * 5 + v[i];
	printf("%d\n", sum);
	return 9;
}
END
for flags in -O2 "-O2 -fPIC"; do
	check "distances in other words, $flags" same gcc sum.c sums.S $flags
	check "... some of which need the length of code" grep 'sums.S:31: .*the length of code is used' log
done

# Sums that the linker works out, of global names and other sections: behind endbr64 nothing needs to stay.
cat >linked.S <<'END'
	.globl	linked, behind
	.type	behind, @function
behind:	endbr64
	addl	4(%rdi), %eax
	ret
	.type	linked, @function
linked:	movl	(%rdi), %eax
	call	behind + 4
#ifdef FAR
	call	1f + 1
	call	2f - 5
	jmp	far + 2
	.section .text.far, "ax"
1:	lock
	addl	%eax, 8(%rdi)
	addl	8(%rdi), %eax
	ret
	addl	4(%rdi), %eax
	addl	(%rdi), %eax
2:	addl	4(%rdi), %eax
	ret
	.globl	far
far:	addl	(%rdi), %eax
	addl	4(%rdi), %eax
#endif
	ret
	.section .note.GNU-stack,"",@progbits
END
sed 's/sums/linked/' sum.c >link.c
for flags in -O2 "-O2 -fPIC"; do
	check "distances that the linker completes, $flags" same gcc link.c linked.S $flags
	check "... silently" test ! -s log
	check "... in other sections, $flags" same gcc link.c linked.S $flags -DFAR
	check "... which need the length of code" grep 'linked.S:10: .*the length of code is used' log
done

# Tables of jumps in numbers by names that compilers do not use.
for table in ".slong .La-.Ltable, .Lb-.Ltable, .Lc-.Ltable" ".dc.l .La-.Ltable, .Lb-.Ltable, .Lc-.Ltable" \
	".eqv .Lx, .La; .quad .Lx, .Lb, .Lc" ".dc.a .La, .Lb, .Lc" ".dcb.l 1, .Lc-.Ltable; .dcb.l 2, .Lb-.Ltable"; do
	load='mov (%rdx,%rcx,8), %rcx'
	[ "${table%-.Ltable}" = "$table" ] || load='movslq (%rdx,%rcx,4), %rcx; add %rdx, %rcx'
	cat >tables.S <<-END
		.globl tables
		.type tables, @function
	tables:	xor %eax, %eax
		mov \$9, %esi
	.Lloop:	mov %esi, %ecx
		and \$3, %ecx
		lea .Ltable(%rip), %rdx
		$load
		jmp *%rcx
		inc %eax
	.La:	add (%rdi), %eax
		inc %eax
	.Lb:	add 4(%rdi), %eax
		inc %eax
	.Lc:	add (%rdi), %eax
		dec %esi
		jz .Lend
		test \$3, %esi
		jnz .Lloop2
		dec %esi
	.Lloop2: cmp \$3, %esi
		jnz .Lnot
		dec %esi
	.Lnot:	mov %esi, %ecx
		and \$3, %ecx
		cmp \$3, %ecx
		jne .Lloop
		dec %esi
		jmp .Lloop
	.Lend:	ret
		.section .data.rel.ro, "aw"
	.Ltable: $table
		.section .note.GNU-stack,"",@progbits
	END
	printf '#include <stdio.h>\nint tables(int *);\nint main(void) { int v[2] = {3, 50}; return printf("%%d\\n", tables(v)) & 1; }\n' >table.c
	check "a table by ${table%% *}" same gcc table.c tables.S -O2
done

# Sections that conditions choose: data in the one that is taken, though the other is named last.
cat >chosen.s <<'END'
	.text
	.globl	main
	.type	main, @function
main:	movl	first(%rip), %eax
	.ifdef	nothing
	.section .rodata
	.else
	.text
	.endif
	jmp	1f
	.byte	0x48, 0x8b
1:	addl	first(%rip), %eax
	.ifndef	nothing
	.text
	.else
	.section .rodata
	.endif
	addl	second(%rip), %eax
	jmp	1f
	.byte	0x48, 0x8b
1:	addl	second(%rip), %eax
	.pushsection .rodata
	.popsection
	jmp	1f
	.byte	0x48, 0x8b
1:	addl	second(%rip), %eax
	.data
	.previous
	jmp	1f
	.byte	0x48, 0x8b
1:	addl	second(%rip), %eax
	ret
	.size	main, .-main
first:	.byte	0x1f, 0, 0, 0, 0x48, 0x8b
	.data
second:	.long	5
	.section .note.GNU-stack,"",@progbits
END
check "sections that conditions choose" same gcc chosen.s
check "... say nothing" test ! -s log
check "... and all counts" test "$(sums_of cacheprof.out main Ir)" = 11

# A name that .set gives to one place after the other, as a label that may be there twice.
cat >again.c <<'END'
#include <stdio.h>
static int v[8] = {7, 3, 5, 6}, w[8] = {3, 4, 5, 6, 7};
#define LOOP(n) \
	__asm__ volatile(".set again, .\n\taddl (%2), %0\n\ttestl $1, %0\n\tjz 1f\n\tnop\n1:\taddl 8(%3), %0\n\t" \
			 "movl %0, 16(%3)\n\tdecl %1\n\tjnz again" \
			 : "+r"(sum), "+r"(n) : "r"(v), "r"(w) : "cc", "memory")
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 10; i++) {
		int n = i + 3, m = i + 2;

		LOOP(n);
		sum += i;
		LOOP(m);
	}
	printf("%d\n", sum);
	return 0;
}
END
for level in -O0 -O2 -O3; do
	check "a name for several places, $level" same gcc again.c $level
done

# What gas leaves out may be prose.
cat >prose.s <<'END'
	.globl	main
	.type	main, @function
main:	movl	(%rsp), %eax
	.if	0
	this is (not code
	.ifdef	main
	it's "text": ] } {), (
	.endif
	foo:) bar
	.else
	xorl	%eax, %eax
	.endif
	ret
	.size	main, .-main
	.section .note.GNU-stack,"",@progbits
END
check "prose in a branch that is left out" same gcc prose.s

# A prefix that is jumped over, as OpenJDK's and glibc's locks on one processor are.
cat >locks.c <<'END'
#include <stdio.h>
static int many, v;
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 500; i++) {
		many = i & 1;
		__asm__ volatile("cmpl $0, %1; je 1f; lock; 1: xaddl %0, %2\n\t"
				 "cmpl $0, %1\n\tje 0f\n\tlock\n0:\taddl $3, %2\n\taddl %2, %0"
				 : "+r"(sum), "+m"(many), "+m"(v) : : "memory", "cc");
	}
	printf("%d %d\n", sum, v);
	return 0;
}
END
for level in -O0 -O2; do
	check "a prefix that is jumped over, $level" same gcc locks.c $level
	check "... silently" test ! -s log
done

# ... and one that stands before a condition, of which only one side is there.
cat >condition.S <<'END'
	.globl	main
	.type	main, @function
main:	xorl	%eax, %eax
	lock
	.ifdef	nowhere
	incl	absent(%rip)
	.else
	incl	v(%rip)
	.endif
	.byte	0x66
	.if	0
	addl	absent(%rip), %eax
	.else
	addl	v(%rip), %eax
	.endif
	ret
	.size	main, .-main
	.data
v:	.long	7
	.section .note.GNU-stack,"",@progbits
END
check "a prefix before a condition" same gcc condition.S

# Data that a call leads over, also to a global name, so that its place comes to the stack. No code goes on in it.
cat >over.s <<'END'
	.globl	main, behind
	.type	main, @function
main:	xorl	%eax, %eax
	call	behind
	.long	5
	.byte	6, 0, 0, 0x48
behind:	popq	%rdx
	addl	(%rdx), %eax
	addb	4(%rdx), %al
	call	2f
	.ascii	"\270\270\270"
2:	addl	(%rsp), %eax
	popq	%rdx
	subl	%edx, %eax
	addb	2(%rdx), %al
	ret
	.size	main, .-main
	.section .note.GNU-stack,"",@progbits
END
check "data that is called over" same gcc over.s
check "... silently" test ! -s log
check "... and all counts" test "$(sums_of cacheprof.out main Ir)" = 11

# Jumps in bytes to bytes.
cat >bytes.s <<'END'
	.globl	main
	.type	main, @function
main:	xorl	%eax, %eax
	addl	v(%rip), %eax
	.byte	0xeb, 1
	nop
	.byte	0xeb, 1
	nop
	addl	v(%rip), %eax
	.byte	0xeb, 1
	nop
	nop
	.byte	0xeb, 1
	nop
	addl	v(%rip), %eax
	ret
	.size	main, .-main
	.data
v:	.long	7
	.section .note.GNU-stack,"",@progbits
END
bytes_at_levels() {
	local level
	gcc bytes.s -o native && run native || return 1
	for level in 1 2; do
		cacheprof --level$level gcc bytes.s -o ours 2>log && run ours && diff native.out ours.out || return 1
	done
}
check "jumps in bytes to bytes" bytes_at_levels
check "... the self-check" same gcc bytes.s

# Where such a distance leads to another function, other files may know the places of all of them.
cat >laid_out.c <<'END'
#include <stdio.h>
extern const char code[];
static const unsigned char places[] = {0, 21, 26};
int main(void)
{
	long sum = 0;

	for (long i = 0; i < 1000; i++)
		sum = sum * 3 + ((long (*)(long, long))(code + places[i % 3]))(i, 5);
	printf("%ld\n", sum);
	return 3;
}
END
cat >slots.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#define PAGE 4096
#define SLOT 16
long chosen(long);
extern const char trampolines[];
static long calls;
static long twice(long x) { return ++calls, 2 * x; }
static long square(long x) { return calls += 2, x * x; }
int main(void)
{
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long sum = 0;

	memcpy(pages, trampolines, PAGE);
	for (int i = 0; i < PAGE / SLOT; i++)
		*(long (**)(long))(pages + PAGE + SLOT * i) = i % 3 ? square : twice;
	for (long i = 0; i < 1000; i++)
		sum = sum * 3 + chosen(i % 4) + ((long (*)(long))(pages + SLOT * (i % (PAGE / SLOT))))(i);
	printf("%ld %ld\n", sum, calls);
	return 3;
}
END
while read -r program files; do
	check "numbers for distances: $program" same gcc $program.c "$programs/$program.S" -O2
	check "... which is said once of a file" test "$(grep -c 'the length of code is used' log)" -eq $((2 * files))
	check "... in plain copies" plain gcc $program.c "$programs/$program.S" -O2
done <<<"distances 2
laid_out 1
slots 1"

# ... out of the section on both sides, and of sections without a function of their own.
cat >sides.s <<'END'
	.section .text.a, "ax"
	.type	before, @function
before:	movl	(%rdi), %eax
	ret
	.type	out, @function
out:	movl	4096(%rip), %eax
	addl	-4096(%rip), %eax
	ret
	.section .text.b, "ax"
	movl	(%rdi), %eax
	addl	4096(%rip), %eax
	ret
	.section .text.c, "ax"
	.type	behind, @function
behind:	movl	-4096(%rip), %eax
	ret
	.type	after, @function
after:	movl	(%rdi), %eax
	ret
	.section .text.d, "ax"
	.type	elsewhere, @function
elsewhere: movl	(%rdi), %eax
	ret
	.type	end, @function
end:	movl	4096(%rip), %eax
	ret
END
cacheprof gcc -SA sides.s 2>log
check "nothing is planted between a place and what it is so far from" \
	test "$(sed -n 's/^\t# cacheprof: block.* //p' sides.sA | xargs)" = "after elsewhere"

# A file may end before its last line, or in another mode of the processor or another syntax.
ending() {
	cat >ending.s <<-'END'
		.text
		.globl	main
		.type	main,@function
	main:
		mov	number(%rip),%eax
		add	%eax,number(%rip)
		mov	number(%rip),%eax
		ret
		.size	main,.-main
		.section .note.GNU-stack,"",@progbits
		.data
	number:	.long	21
	END
	printf '%b' "$1" >>ending.s
	same gcc ending.s && grep -qx 'status 42' ours.out
}
check "what stands behind .end" ending '\t.end\nnothing that gas knows\n'
check ".END main, without a newline" ending '\t.END main'
check "a file that ends in code for 32 bits" ending '\t.text\n\t.code32\npush %eax\n\tljmp *(%esi)\n'
check "a file that ends in code for 16 bits" ending '\t.code16\n\tpush %ax'
check "a file that ends in names without %" ending '\t.att_syntax noprefix\n\t.long 1\n'

# Threads that come from code that is not instrumented come in at any global name; and what runs before the
# first constructor does at the beginning of a section.
cat >entrances.c <<'END'
#include <pthread.h>
#include <stdio.h>
long plus_three(long);
extern int beginnings;
static void *work(void *sum)
{
	for (long i = 0; i < 1000; i++)
		*(long *)sum += plus_three(i);
	return NULL;
}
int main(void)
{
	pthread_t threads[2];
	long sum[2] = {0};

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &sum[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%ld %ld %d\n", sum[0], sum[1], beginnings);
	return 3;
}
END
entered() {
	rm -f cacheprof.out
	gcc -c entrances.c && gcc entrances.o "$programs/entrances.S" -o native &&
		cacheprof "$@" gcc entrances.o "$programs/entrances.S" -o ours && run native && run ours &&
		diff native.out ours.out && grep -q '^summary: 8003 ' cacheprof.out
}
for options in "" --level1 "--self-check --branch-sim=yes"; do
	# shellcheck disable=SC2086
	check "entrances without labels of functions: $options" entered $options
done

# What the linker puts before a piece of .init or .fini runs into it, by whatever label.
pieces() {
	local init=$1 fini=$2 instructions=$3
	cat >pieces.c <<-END
		int n, m;
		asm(".section .init\n$init decl n(%rip)\n cmpl \$-3, n(%rip)\n jg 2b\n"
		    ".section .fini\n$fini incl m(%rip)\n cmpl \$4, m(%rip)\n jl 3b\n .text");
		int main(void) { return n + 10; }
	END
	rm -f cacheprof.out
	gcc -O1 pieces.c -o native && cacheprof --self-check gcc -O1 pieces.c -o ours && run native && run ours &&
		diff native.out ours.out && grep -q "^summary: $instructions " cacheprof.out
}
check "a piece of .init that begins with no label" pieces 'nop\n 2:' 'nop\n 3:' 13
check "... with a number" pieces 2: 3: 12
check "... with a compiler's label" pieces '.Linit: 2:' '.Lfini: 3:' 12
check "... with one behind its first instruction" pieces 'nop\n .Linit: nop\n 2:' 'nop\n .Lfini: 3:' 14
check "... with a name" pieces 'init: 2:' 'fini: 3:' 12
check "... with a function's" pieces '.type init, @function\n init: 2:' '.type fini, @function\n fini: 3:' 12

# Jumps that are spelled as bytes: their distances stay. A table may look like one.
cat >leaps.c <<'END'
#include <stdio.h>
int leap(int n), after_table(int n);
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 1000; i++)
		sum += leap(i) + after_table(i);
	printf("%d\n", sum);
	return 3;
}
END
cat >leaps.S <<'END'
	.text
	.globl	leap
	.type	leap, @function
leap:
	.byte	0xeb, 9		/* over what may be put here later */
	nopw	512(%rax,%rax)
	xorl	%eax, %eax
	movl	$3, %ecx
1:	addl	$5, %eax
	.byte	0xeb, 3		/* over the next instruction */
	addl	$100, %eax
	addl	%edi, %eax
	decl	%ecx
	.byte	0x75, 0xf2	/* jnz 1b */
	cmpl	$7, %edi
	.byte	0x74, 2		/* je */
	incl	%eax
	ret
	.size	leap, .-leap
	.type	table, @object
table:
	.byte	0xeb, 4, 0x75, 0x0a, 0xeb, 0xf0, 0x90, 0x90
	.size	table, .-table
	.globl	after_table
	.type	after_table, @function
after_table:
	movzbl	table+1(%rip), %eax
	addl	%edi, %eax
	ret
	.size	after_table, .-after_table
	.section .note.GNU-stack, "", @progbits
END
check "jumps that are spelled as bytes" same gcc leaps.c leaps.S -O2
check "... which is said once" test "$(grep -c 'the length of code is used' log)" -eq 2
sed '/^leap:/,/leap, .-leap/{/nop/d;/\.byte/d}' leaps.S >table.S
check "a table that looks like jumps" same gcc leaps.c table.S -O2
check "... is none" test ! -s log

# What gas says of annotated assembly only is told once, with the line of the user's file.
cat >twice.s <<'END'
	.type	f, @function
f:	ret
1:	movabsq	$0x1122334455667788, %rax
2:	ret
	.data
	.value	65520 + 2b - 1b
	.warning "mind"
	.ident	"GCC: (GNU) 12"
END
said_once() {
	cacheprof --level1 gcc -c twice.s 2>log
	cat log
	[ "$(grep -c 'twice\.s:7: Warning: mind' log)" -eq 1 ] && [ "$(grep -c mind log)" -eq 1 ] &&
		[ "$(grep -c "twice\\.s:6: $1" log)" -eq 1 ] && ! grep -q annotated log
}
check "warnings of gas" said_once 'Warning: value .* truncated'
# In a file by hand what data names may be come to from elsewhere: it begins with a jump, whose length gas knows late.
sed -i /ident/d twice.s
check "errors of gas in what is planted" said_once 'Error: value of .* too large'
check "... and its status" fails cacheprof --level1 gcc -c twice.s -o none.o
check "... without an object" test ! -e none.o
echo 'int next(int n) { return n + 1; }' >next.c
gcc -S next.c
for options in "" --level1 --branch-sim=yes "--self-check --branch-sim=yes" --trace "--plain-copies=yes --branch-sim=yes"; do
	# shellcheck disable=SC2086
	check "... none of ours: $options" cacheprof $options gcc -O2 -Wa,--fatal-warnings -c next.c
	if ! as --gsframe next.s -o framed.o; then
		skip "... nor of SFrame: $options" "gas makes no SFrame"
		continue
	fi
	# shellcheck disable=SC2086
	check "... nor of SFrame: $options" silently cacheprof $options gcc -O2 -Wa,--gsframe,--fatal-warnings -c next.c
done
{
	printf '\t.text\nf:\n'
	for i in {1..6000}; do printf '\tjz\t1f\n\tmovl\t(%%rdi), %%eax\n1:\n'; done
	printf '\t.data\n\t.value\t1b-f\n'
} >far.s
too_far() {
	gcc -c far.s && ! cacheprof gcc -c far.s 2>log && cat log && [ "$(grep -c 'far\.s:18004: Error: ' log)" -eq 1 ] &&
		! grep -q annotated log
}
check "errors of gas" too_far
# Calls within a unit: arguments and results of all kinds, Microsoft's convention, recursion.
cat >calls.c <<'END'
#include <stdio.h>
#include <stdarg.h>
static long t[1024];
#define N __attribute__((noinline, noclone))
N static __attribute__((ms_abi)) long ms(long a, long b, long c, long d, long e) { t[a & 1023]++; return a + 2*b + 3*c + 5*d + 7*e + t[b & 1023]; }
N static long sysv(long a, long b, long c) { t[c & 1023] += a; return a ^ b ^ ms(c, a, b, a + 1, t[a & 1023]); }
N static __attribute__((ms_abi)) long mssys(long a, long b) { return sysv(a, b, t[b & 1023]) + a * 3 + b; }
N static long leaf(long a) { return t[a & 1023] + a; }
N static long va(int n, ...) { va_list l; long s = 0; va_start(l, n); for (int i = 0; i < n; i++) s += va_arg(l, long) * (i + 1); va_end(l); return s; }
N static double vd(int n, ...) { va_list l; double s = 0; va_start(l, n); for (int i = 0; i < n; i++) s += va_arg(l, double) * (i + 1); va_end(l); return s; }
struct big { long a, b, c; };
N static struct big three(long a, long b, long c, long d, long e, long f, long g) { return (struct big){a + d + leaf(g), b * e, c ^ f}; }
N static __int128 wide(long a, long b) { return (__int128)a * b + leaf(a); }
struct two { long a, b; };
N static struct two pair(long a, long b) { return (struct two){leaf(b) + a, b - t[a & 1023]}; }
N static long rec(long n, long a, long b, long c, long d) { return n ? rec(n - 1, b, c, d, a + t[n & 1023]) + a : leaf(a) + b + c + d; }
int main(void)
{
	long s = 0;
	double x = 0;
	for (long i = 0; i < 3000; i++) {
		struct big b = three(i, s, i * 3, i ^ 7, i + 1, i >> 2, s & 255);
		struct two p = pair(i, s & 0xffff);
		s += ms(i, i + 1, s & 7, 3, i * 5) + sysv(s & 63, i, i * 7) + mssys(i, s & 1023) + leaf(i) * leaf(s & 31);
		s += va(7, i, i + 1, i + 2, i + 3, i + 4, i + 5, s & 3) + b.a + b.b + b.c + p.a + p.b + (long)(wide(i, s & 255) >> 3);
		s += rec(i & 7, i, i + 1, i + 2, s & 15);
		x += vd(9, 1., 2., 3., 4., 5., 6., 7., 8., (double)i);
		s &= 0xffffffffff;
	}
	printf("%ld %g\n", s, x);
	return 0;
}
END
for flags in -O1 -O2 -O3 "-O2 -fPIC" "-O2 -mharden-sls=all" "-O2 -fno-asynchronous-unwind-tables"; do
	# shellcheck disable=SC2086 # one word a flag
	check "calls within a unit $flags" same gcc calls.c $flags
done

# A vector or mask register that stubs use may be the program's own: a value that waits in it while references miss.
cat >waits.c <<'END'
#include <stdio.h>
static char lines[66 * 4096] __attribute__((aligned(4096)));
static long start[8] = {11, 22, 33, 44, 55, 66, 77, 88}, end[8];
__attribute__((noinline)) static void go(const char *p)
{
	__asm__ volatile(MOVE " (%1),%%" REGISTER "\n\tmov $64,%%ecx\n"
		"1:\tmov (%0),%%eax\n\tadd 62(%0),%%eax\n\tadd 4096(%0),%%eax\n\tadd $4096,%0\n\tdec %%ecx\n\tjnz 1b\n\t"
		MOVE " %%" REGISTER ",(%2)"
		: "+r"(p) : "r"(start), "r"(end) : "rax", "rcx", "cc", "memory");
}
int main(void)
{
	if (!__builtin_cpu_supports(NEEDS))
		return 0;
	go(lines);
	for (int i = 0; i < 8; i++)
		printf("%ld\n", end[i]);
	return 0;
}
END
for register in zmm28 zmm29 zmm30 zmm31 k5 k6 k7; do
	case $register in k*) move=kmovq ;; *) move=vmovdqu64 ;; esac
	check "$register waits" same gcc waits.c -O2 -DNEEDS='"avx512bw"' "-DREGISTER=\"$register\"" "-DMOVE=\"$move\""
done
# waits_with SIMD REGISTER MOVE NEEDS
waits_with() {
	local -x CACHEPROF_OPTIONS=$CACHEPROF_OPTIONS:simd=$1
	same gcc waits.c -O2 "-DREGISTER=\"$2\"" "-DMOVE=\"$3\"" "-DNEEDS=\"$4\""
}
for simd in none avx2; do
	for register in 0 1 2; do
		check "xmm$register waits, simd=$simd" waits_with $simd xmm$register movups sse2
		check "ymm$register waits, simd=$simd" waits_with $simd ymm$register vmovups avx
		check "zmm$register waits, simd=$simd" waits_with $simd zmm$register vmovdqu64 avx512bw
	done
	check "zmm28 waits, simd=$simd" waits_with $simd zmm28 vmovdqu64 avx512bw
done
# Valgrind's processor has AVX2 and no AVX-512.
waits_in_valgrind() {
	waits_with avx2 "$1" "$2" "$3" && valgrind -q --tool=none ./ours >out && ./native | diff - out
}
for register in 0 1 2; do
	if command -v valgrind >/dev/null; then
		check "xmm$register waits, AVX2 only" waits_in_valgrind xmm$register movups sse2
		check "ymm$register waits, AVX2 only" waits_in_valgrind ymm$register vmovups avx
	else
		skip "registers wait, AVX2 only" "no valgrind"
	fi
done

# A function for several processors, written by hand. General registers wait in vector registers by AVX's instructions
# only where the processor has AVX; there by no others, which wait until upper halves are no more in use.
cat >several.s <<'END'
	.globl	f
	.type	f, @function
f:	test	%edi, %edi
	jne	avx
	movaps	(%rsi), %xmm0
	ret
avx:	vmovaps	(%rsi), %ymm0
	vmovaps	%ymm0, (%rdx)
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
END
cacheprof gcc -SA several.s
# only WHAT NOT FIRST: how what is planted from the label on has registers wait, and that it does not the other way
only() {
	sed -n "/^$3:/,/\tret\$/p" several.sA >"$3.part"
	grep -P "\t$1\t%r\w+,%xmm1[345]" "$3.part" && ! grep -P "\t$2\t.*xmm1[345]" "$3.part"
}
check "registers wait by SSE where there may be no AVX" only movq vmovq f
check "... and by AVX where it is used" only vmovq movq avx

# What a trap throws is caught in the function (-fnon-call-exceptions, as Ada and Go have it): the landing pad reads
# registers of which nothing behind the trap needs anything. And a handler goes on behind inline assembly that traps.
cat >trapped.cc <<'END'
#include <csignal>
#include <cstdio>
long t[64], five[5] = {1, 2, 3, 4, 5};
static void thrower(int)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, 0);
	throw 5;
}
__attribute__((noinline)) long caught(long a, long b, long c, long d, long e, long *p)
{
	long r = 0;

	try {
		t[a & 7] += b;
		t[8 + (c & 7)] += d;
		r = *p;
		t[b & 7] += a;
		t[16 + (d & 7)] += c;
		r += p[1] / (a % 7);
	} catch (int x) {
		r = a + 2 * b + 3 * c + 4 * d + 5 * e + x;
	}
	return r;
}
/* An endless loop, left by a trap: the caller finds its registers. */
__attribute__((noinline)) void walk(long *p, long x)
{
	for (;; p += 4096, x = x * 7 + 3) {
		t[x & 7] += *p;
		t[8 + (x & 15)] ^= x;
		t[32 + (x & 15)]++;
	}
}
__attribute__((noinline)) long walked(long a, long b, long c, long d, long e)
{
	try {
		walk(five, a);
	} catch (int x) {
		return a + 2 * b + 3 * c + 4 * d + 5 * e + x;
	}
	return 0;
}
int main()
{
	long sum = 0;

	signal(SIGSEGV, thrower);
	signal(SIGFPE, thrower);
	for (long i = 0; i < 50; i++)
		sum = sum * 3 + caught(i, i + 1, i + 2, i + 3, i + 4, i % 3 ? five : (long *)8) + walked(i, i + 1, i + 2, i + 3, i + 4);
	return printf("%ld\n", sum) < 0;
}
END
cat >stepped.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
long t[64];
static void step(int s, siginfo_t *info, void *context)
{
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}
__attribute__((noinline)) long over(long a, long b, long c, long d, long e, long f)
{
	t[a & 7] += b;
	t[8 + (c & 7)] += d;
	__asm__ volatile("ud2");
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
}
int main(void)
{
	struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
	long sum = 0;

	sigaction(SIGILL, &action, NULL);
	for (long i = 0; i < 50; i++)
		sum = sum * 3 + over(i, i + 1, i + 2, i + 3, i + 4, i + 5);
	return printf("%ld\n", sum) < 0;
}
END
# prints COMPILER SOURCE FLAG...: the same at each level
prints() {
	local level
	"$1" -w "${@:2}" -o native && ./native >native.out || return 1
	for level in --level1 --level2 --branch-sim=yes --plain-copies=yes; do
		cacheprof $level "$1" -w "${@:2}" -o ours && ./ours | diff native.out - || { echo "$level"; return 1; }
	done
}
for flags in -O0 -O1 -O2 "-O3 -march=native" "-O2 -fPIC" "-O2 -fno-omit-frame-pointer"; do
	# shellcheck disable=SC2086 # several options in one line
	check "traps are caught, $flags" prints g++ trapped.cc -fnon-call-exceptions $flags
	# shellcheck disable=SC2086
	check "traps are stepped over, $flags" prints gcc stepped.c $flags
done

# A loop of one block in inline assembly whose registers are all in use, and before it a branch with flags in use on
# both ways (GMP's carries): with --branch-sim=yes what is planted on the way into the loop.
cat >carries.c <<'END'
#include <stdio.h>
static long limbs[40];
__attribute__((noinline)) static long carry(long *p, unsigned long more, long a, long b, long c, long d)
{
	register long r8 __asm__("r8") = a ^ 5, r9 __asm__("r9") = b ^ 6, r10 __asm__("r10") = c + d, r11 __asm__("r11") = d - a;

	__asm__ volatile("addq %7,(%0)\n\tjnc 2f\n1:\n\taddq $1,8(%0)\n\tlea 8(%0),%0\n\tjc 1b\n2:\n"
			 : "+r"(p), "+a"(a), "+d"(b), "+r"(r8), "+r"(r9), "+r"(r10), "+r"(r11)
			 : "S"(more), "c"(c), "D"(d)
			 : "memory", "cc");
	return a + 2 * b + 3 * c + 4 * d + 5 * r8 + 6 * r9 + 7 * r10 + 8 * r11 + (p - limbs);
}
int main(void)
{
	unsigned long sum = 0;

	for (long n = 0; n < 400; n++) {
		for (int i = 0; i < n % 30; i++)
			limbs[i] = -1;
		sum = sum * 31 + (unsigned long)carry(limbs, n % 3 ? 1 : ~0ul, n, n + 1, n + 2, n + 3);
		for (int i = 0; i < 40; i++)
			sum = sum * 31 + (unsigned long)limbs[i];
	}
	return printf("%lu\n", sum) < 0;
}
END
for flags in -O1 -O2 "-O2 -fPIC" "-O2 -fno-omit-frame-pointer"; do
	# shellcheck disable=SC2086 # several options in one line
	check "carries through a loop, $flags" prints gcc carries.c $flags
done

# Bytes of data that are the beginning of an instruction, whose rest is code that others come to: 0x3d compares with the
# next four bytes, and so jumps over them; come to from before them, by a label, and from another section.
cat >begun.S <<'END'
	.text
	.globl	over, from_over, led, far
	.type	over,@function
	.type	from_over,@function
	.type	led,@function
over:	movl	(%rdi), %edx
	movl	$1, %eax
	.byte	0x3d
from_over:
	movl	%esi, %eax
	movl	%esi, %eax
	addl	%edx, %eax
	addl	(%rdi), %eax
	ret
led:	movl	$2, %eax
	jmp	1f
	.byte	0x90, 0xff, 0xff
1:	.byte	0x90, 0x3d
2:	movl	%esi, (%rdi)
	movl	%esi, (%rdi)
	addl	(%rdi), %eax
	cmpl	$5, %eax
	jb	2b
	ret
	.type	far,@function
far:	movl	(%rdi), %eax
	call	4f
	jmp	3f
	.section .text.far,"ax",@progbits
3:	.byte	0x3d
4:	addl	%esi, %eax
	addl	%esi, %eax
	addl	(%rdi), %eax
	ret
	.section .note.GNU-stack,"",@progbits
END
cat >begins.c <<'END'
#include <stdio.h>
int over(int *, int), from_over(int *, int, int), led(int *, int), far(int *, int);
int main(void)
{
	int x = 5;

	printf("%d %d", over(&x, 7), from_over(&x, 7, 1));
	printf(" %d %d", led(&x, 7), x);
	printf(" %d\n", far(&x, 7));
	return 0;
}
END
for how in "" --level1 --self-check; do
	# shellcheck disable=SC2086 # or none
	check "bytes that are the beginning of the code behind them $how" eval \
		'gcc begins.c begun.S -o native && cacheprof $how gcc begins.c begun.S -o begun 2>err &&
		cmp <(./native) <(CACHEPROF_OPTIONS=quiet=1 ./begun) && grep -q "begun.S:8: .*these bytes go on" err'
done

# goes_on BEFORE: the bytes behind it are said to go on.
goes_on() {
	printf '\tadd %%eax, %%eax\n\t%s\n\t.byte 0x3d\n1:\taddl %%eax, (%%rdi)\n\taddl %%eax, (%%rdi)\n\tloop 1b\n\tret\n' \
		"$1" >begun.s
	cacheprof gcc -c begun.s 2>err || return 126
	grep -q 'begun.s:3: .*these bytes go on' err
}
for before in "nop" "je 1f" "jrcxz 1f" "call f" "call *(%rax)" "syscall" "call f; nop; .p2align 4"; do
	check "bytes go on behind $before" goes_on "$before"
done
for before in "jmp 1f" "jmp *%rax" "ret" "ud2" "ret; .p2align 4" "call 1f"; do
	check "... and not behind $before" fails goes_on "$before"
done

# Displacements of nearly 2 GB, to which planted code can add nothing, nor write the address by another register.
cat >far.c <<'END'
#include <stdio.h>
#include <sys/mman.h>
#define FAR 0x7fffffffL
struct pair {
	char first[FAR], second[1];
};
long away(char *);
__attribute__((noinline)) static long before(char *p) { return p[-FAR - 1] + p[-FAR]++; }
__attribute__((noinline)) static long behind(struct pair *p, long i) { return p->second[0] + p[i].second[0]++; }
__attribute__((noinline)) static long straddling(char *p) { return *(int *)(p + FAR - 99); }
int main(void)
{
	char *p = mmap(NULL, 2 * FAR + 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) + FAR + 1;
	long t = 0;

	mprotect(p - FAR - 1, 8192, PROT_READ | PROT_WRITE);
	mprotect(p, 8192, PROT_READ | PROT_WRITE);
	mprotect(p + FAR - 4095, 16384, PROT_READ | PROT_WRITE);
	for (long i = 0; i < 4096; i += 8)
		t += before(p + i) + behind((struct pair *)(p + i), 0) + straddling(p + i) + away(p + i);
	printf("%ld\n", t);
	return 0;
}
END
cat >away.S <<'END'
	.text
	.globl	away
	.type	away, @function
away:	mov	%rdi, %rax
	lea	0x7fffe000(%rax), %rdi
	movsbq	0x1800(%rdi), %rdx
	movsbq	(%rax), %rax
	add	%rdx, %rax
	ret
	.section .note.GNU-stack,"",@progbits
END
for flags in -O0 -O2 "-O2 -fPIC"; do
	check "displacements of nearly 2 GB, $flags" same gcc far.c away.S $flags
done

# Jumps to where arithmetic leads from a label: to one of pieces of one size, into the middle of instructions of one
# length, and to pieces elsewhere, by a number from memory. Not so: by a table of distances.
cat >computed.S <<'END'
	.text
	.globl	piece, back, scaled, table
	.type	piece,@function
	.type	back,@function
	.type	scaled,@function
	.type	table,@function
piece:	leaq	0f(%rip), %rax
	leaq	(%rax,%rdi,8), %rax
	jmp	*%rax
	.balign	8
0:	movl	(%rsi), %eax
	addl	$1, %eax
	ret
	.balign	8
	movl	(%rsi), %eax
	addl	$2, %eax
	ret
	.balign	8
	movl	(%rsi), %eax
	addl	$3, %eax
	ret
	.size	piece,.-piece
# So many of four additions, of two bytes each.
back:	leaq	(%rdi,%rdi), %rdi
	leaq	1f(%rip), %rcx
	xorl	%eax, %eax
	subq	%rdi, %rcx
	jmp	*%rcx
	addl	(%rsi), %eax

	addl	(%rsi), %eax

	addl	(%rsi), %eax

	addl	(%rsi), %eax

1:	ret
	.size	back,.-back
scaled:	movzbl	(%rdi), %eax
	shll	$3, %eax
	leaq	pieces(%rip), %rdx
	addq	%rdx, %rax
	jmp	*%rax
	.size	scaled,.-scaled
	.balign	8
pieces:	movl	(%rsi), %eax
	addl	$7, %eax
	ret
	.balign	8
	movl	(%rsi), %eax
	addl	$8, %eax
	ret
table:	leaq	4f(%rip), %rdx
	movslq	(%rdx,%rdi,4), %rax
	addq	%rdx, %rax
	jmp	*%rax
2:	movl	(%rsi), %eax
	ret
3:	movl	(%rsi), %eax
	addl	%eax, %eax
	ret
	.size	table,.-table
	.section .rodata
	.balign 4
4:	.long	2b-4b, 3b-4b
	.section .note.GNU-stack,"",@progbits
END
cat >computes.c <<'END'
#include <stdio.h>
int piece(long, int *), back(long, int *), scaled(unsigned char *, int *), table(long, int *);
int main(void)
{
	int x = 5;

	for (long n = 0; n < 3; n++)
		printf("%d %d\n", piece(n, &x), back(n, &x));
	for (long n = 0; n < 2; n++)
		printf("%d %d\n", scaled(&(unsigned char){n}, &x), table(n, &x));
	return 0;
}
END
for how in "" --level1 --self-check; do
	# shellcheck disable=SC2086 # or none
	check "jumps by arithmetic into code $how" eval \
		'gcc computes.c computed.S -o native && cacheprof $how gcc computes.c computed.S -o computed 2>err &&
		cmp <(./native) <(CACHEPROF_OPTIONS=quiet=1 ./computed) && grep -q "computed.S:[0-9]*: .*where this jumps" err'
done
check "a jump by a table counts" eval \
	'rm -f cacheprof.out && CACHEPROF_OPTIONS=quiet=1 ./computed >out && cacheprint >out && grep -qF " table (computed.S)" out'

# ... nor what compilers make of a switch, of addresses of labels, and of a call that ends a function.
cat >tables.c <<'END'
int through(const unsigned char *, int), elsewhere(int);
int through(const unsigned char *p, int x)
{
	static const int distances[] = {&&one - &&one, &&two - &&one, &&three - &&one};
	static const void *const addresses[] = {&&one, &&two, &&three};

	goto *(&&one + distances[*p++]);
one:	x += 3;
	if (x > 1000)
		return -x;
	goto *(&&one + distances[*p++]);
two:	x *= 5;
	goto *addresses[*p++];
three:	switch (x) {
	case 1: return p[3];
	case 2: return x ^ p[1];
	case 3: return p[2] + 1;
	case 4: return 7;
	case 5: return p[1] * 2;
	case 6: return -p[0];
	}
	return x;
}
void last(void);
void last(void)
{
	elsewhere(1);
}
END
for flags in -O0 -O2 "-O2 -fPIC" "-Os -fno-pie" "-O2 -fno-pie -mcmodel=large" "-O2 -fPIE -mcmodel=large"; do
	# shellcheck disable=SC2086 # several options in one line
	check "jumps by tables are nothing to warn of, $flags" eval \
		"cacheprof gcc $flags -c tables.c 2>err && cmp err /dev/null"
done

# Hand-written functions that keep a convention of their own with who calls them, in assembly that version control or
# its own name would make look like a compiler's.
cat >own.S <<'END'
	.text
	.globl	less
	.type	less, @function
less:	mov	numbers(%rip), %eax
	cmp	numbers+4(%rip), %eax
	ret
	.size	less, .-less
	.section .note.GNU-stack,"",@progbits
END
cat >owns.c <<'END'
#include <stdio.h>
int numbers[2] = {7, 9};
int main(void)
{
	long kept;

	__asm__ volatile("sub $128,%%rsp\n\tmov $42,%%ecx\n\tcall less\n\tmov $1,%%eax\n\tcmovc %%rcx,%%rax\n\tlea 128(%%rsp),%%rsp"
			 : "=a"(kept) : : "rcx", "memory", "cc");
	printf("%ld\n", kept);
	return 0;
}
END
for own in '.ident "$Id: own.S,v 1.2$"' '.ident "@(#)own.S"' '.file "own.asm"' ""; do
	echo "$own" | cat - own.S >named.S
	check "conventions of hand-written functions, $own" prints gcc -O1 owns.c named.S
done

# Functions of the program's own libraries by names of libc's that ends.a stands before: the linker takes them, and not
# libc's, where the libraries are not instrumented, either.
mkdir -p named
cat >named/lib.c <<'END'
#include <stdio.h>
int daemon(int a, int b)
{
	return a * 10 + b;
}
void (*signal(int number, void (*handler)(int)))(int)
{
	printf("own signal %d\n", number);
	return handler;
}
END
cat >named/main.c <<'END'
#include <signal.h>
#include <stdio.h>
int daemon(int, int);
int main(void)
{
	printf("%d\n", daemon(3, 4));
	return signal(SIGUSR1, SIG_DFL) != SIG_DFL;
}
END
gcc -w -fPIC -c named/lib.c -o named/lib.o && ar rc named/libown.a named/lib.o && gcc -shared named/lib.o -o named/libown.so
for library in named/libown.a "named/libown.so -Wl,-rpath,named" "-Lnamed -lown -static"; do
	# shellcheck disable=SC2086 # several words
	check "the program's own functions by libc's names, $library" prints gcc -O2 -w named/main.c $library
done

# Bytes that are left out by setting the place are no instructions, and what a label and a number set it to depends on
# how long the code between is.
cat >places.c <<'END'
#include <stdio.h>
int numbers[4] = {1, 2, 3, 4};
__attribute__((noipa)) long left_out(int x, int y, int z)
{
	static const void *const labels[] = {&&one, &&two};

	if (x) {
		y++;
one:
		__asm__(SET);
two:		;
	}
	if (y)
		goto *labels[z];
	return labels[1] > labels[0];
}
__attribute__((noipa)) int padded(const int *p)
{
	int sum;

	__asm__("1:\tmovl (%1),%0\n\taddl 4(%1),%0\n\taddl 8(%1),%0\n\tjmp 2f\n\t. = 1b + 64\n2:" : "=&r"(sum) : "r"(p));
	return sum;
}
int main(void)
{
	printf("%ld %d\n", left_out(0, 0, 0), padded(numbers));
	return 0;
}
END
for set in '.=.+16' '.set .,.+16' '.skip 16'; do
	check "places that are set, $set" same gcc -O2 "-DSET=\"$set\"" places.c
done

# With an address of 32 bits, loop, jrcxz and rep count in ecx, whatever stands above it.
cat >ecx.c <<'END'
#include <stdio.h>
char buffer[64];
static void ends(const char *name, unsigned long c, unsigned long n) { printf("%s %lx %lu\n", name, c, n); }
#define COUNTS(name, text)                                                                             \
	{                                                                                              \
		unsigned long c = 0x100000003, n = 0;                                                  \
		__asm__ volatile(text : "+c"(c), "+a"(n) : : "rdi", "cc", "memory");                   \
		ends(name, c, n);                                                                      \
	}
int main(void)
{
	COUNTS("loop", "1: incq %1; addr32 loop 1b")
	COUNTS("loopl", "1: incq %1; loopl 1b")
	COUNTS("loope", "1: incq %1; cmpl %%eax, %%eax; addr32 loope 1b")
	COUNTS("Intel", ".intel_syntax noprefix\n1: inc rax; addr32 loop 1b\n.att_syntax prefix")
	COUNTS("jrcxz", "movl $0, %%ecx; btsq $32, %%rcx; addr32 jrcxz 1f; incq %1; 1:")
	COUNTS("jecxz", "movl $0, %%ecx; btsq $32, %%rcx; jecxz 1f; incq %1; 1:")
	COUNTS("rep", "leal buffer, %%edi; addr32 rep stosb; movl $0, %%edi")
	return 0;
}
END
check "counts in ecx" same gcc -O2 -fno-pie -no-pie ecx.c
few() { [ "$(sums_of cacheprof.out main Ir)" -lt 200 ]; }
check "... are few" few

# rdssp does nothing where there are no shadow stacks: what stands in its register then is what counts
# (-fcf-protection, which is the default in places).
cat >shadow.c <<'END'
#include <stdio.h>
struct place { struct place *next; void **buffer; long n; };
static void *buffer[20];
__attribute__((noinline)) static void jump(struct place *p)
{
	p->n++;
	__builtin_longjmp(p->next->next->buffer, 1);
}
__attribute__((noinline)) static long set(struct place *p)
{
	if (!__builtin_setjmp(p->next->buffer))
		jump(p);
	return p->n;
}
int main(void)
{
	struct place p = {&p, buffer, 3};
	return printf("%ld\n", set(&p)) & 1;
}
END
for level in -O2 -Os; do check "rdssp, $level" same gcc $level -fcf-protection shadow.c; done

# All vector registers at once, named by no operand, where many registers are in use: in a loop around which some wait
# in vector registers, and where a caller has given these values.
cat >states.c <<'END'
#include <stdio.h>
unsigned char area[4096] __attribute__((aligned(64)));
long numbers[1000], given(void);
static long v[11];
__attribute__((noinline)) static long crowded(const long *from, const long *to)
{
	long a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7], i = v[8], j = v[9];
	long k = v[10];
	long sum = 0;

	do {
		sum += *from++;
		__asm__ volatile(STATE : "+m"(area) : MASK : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
				 "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
	} while (from != to);
	v[0] = a + 1, v[1] = b + 1, v[2] = c + 2, v[3] = d + 3, v[4] = e + 4, v[5] = f + 5, v[6] = g + 6, v[7] = h + 7;
	v[8] = i + 8, v[9] = j + 9, v[10] = k + 10;
	return sum;
}
__asm__(".text\n.globl state\n.type state, @function\nstate:\n"
	"1:\taddq (%rsi), %rcx\n\taddq $8, %rsi\n\t" STATE "\n\tcmpq $4, %rcx\n\tjb 1b\n"
	"\tleaq (%rcx,%rdx), %rax\n\taddq %rbx, %rax\n\taddq %rsi, %rax\n\taddq %r8, %rax\n\taddq %r9, %rax\n"
	"\taddq %r10, %rax\n\taddq %r11, %rax\n\tret\n\t.size state, . - state");
int main(void)
{
	long sum = 0;

	for (int i = 0; i < 1000; i++)
		v[i % 11] = numbers[i] = i;
	__asm__ volatile("fxsave64 %0; movq $3, 512+%0" : "+m"(area));
	for (int i = 1; i < 1000; i *= 3)
		sum = sum * 3 + crowded(numbers, numbers + i);
	for (int i = 0; i < 11; i++)
		sum = sum * 31 + v[i];
	printf("%ld %ld\n", sum, given());
	for (int i = 368; i < 416; i++)
		printf("%02x", area[i]);
	return 0;
}
END
cat >given.c <<'END'
extern long numbers[];
long given(void)
{
	static const long known[] = {0x1122334455667788, 0x99aabbccddeeff0};
	long sum, *p = numbers;

	__asm__ volatile("movdqu %2, %%xmm13; movdqu %2, %%xmm14; movdqu %2, %%xmm15; movl $1, %%r8d\n\t"
			 "movl $2, %%r9d; movl $3, %%r10d; movl $4, %%r11d; movl $5, %%ebx; call state"
			 : "=a"(sum), "+S"(p)
			 : "m"(known), "a"(7), "d"(0), "c"(0)
			 : "rbx", "r8", "r9", "r10", "r11", "memory", "xmm13", "xmm14", "xmm15");
	return sum - (long)(p - numbers) * 8 - (long)numbers;
}
END
states=("fxsave area" "fxsave64 area" "fxrstor64 area")
if processor_has xsave; then states+=("xsave area" "xsave64 area" "xrstor64 area"); fi
if processor_has avx; then states+=(vzeroall); fi
for state in "${states[@]}"; do
	case $state in x*) mask='"a"(7), "d"(0)' ;; *) mask= ;; esac
	check "$state" same gcc -O2 -fno-pie -no-pie "-DSTATE=\"$state\"" "-DMASK=$mask" states.c given.c
done

# At a fixed place, what lies far before an array has an address below 0.
cat >below.c <<'END'
#include <stdio.h>
static long array[1000];
__attribute__((noinline)) static long get(long i) { return array[i - 10000000]++; }
__attribute__((noinline)) static int test(long i)
{
	char set;

	__asm__("bts %2,%1\n\tsetc %0" : "=q"(set), "+m"(array[i - 10000000]) : "r"(i & 63));
	return set;
}
int main(void)
{
	long sum = 0;

	for (long i = 0; i < 1000; i++)
		sum += get(i % 300 + 10000000) + test(i + 10000000);
	return printf("%ld\n", sum) & 1;
}
END
for flags in "-O0" "-O2" "-O2 -mcmodel=large"; do
	check "addresses below 0, $flags" same gcc $flags -fno-pie -no-pie below.c
done
# A reference whose address can be written in its own instruction only is counted, and not simulated.
cat >unwritten.c <<'END'
#include <stdio.h>
#include <sys/mman.h>
#define PAGE 0x123456789000
long far_ones(void);
int main(void)
{
	long *page = mmap((void *)PAGE, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	for (int i = 0; i < 8; i++)
		page[i] = i * 7777;
	return printf("%ld %ld\n", far_ones(), page[3]) & 1;
}
__asm__(".text\n.globl far_ones\n.type far_ones, @function\nfar_ones:\n"
	"\tmovabsq 0x123456789008, %rax\n\tmovabsb 0x123456789010, %al\n\tmovabsq %rax, 0x123456789018\n\tret\n"
	"\t.size far_ones, . - far_ones");
END
check "addresses that cannot be written elsewhere" same gcc -O1 unwritten.c
of_far_ones() { [ "$(sums_of cacheprof.out far_ones Ir Dr Dw)" = "4 3 1" ]; }
check "... are counted" of_far_ones
told() {
	[ "$(grep -c 'address of more than 32 bits, written as a number,' log)" -eq 2 ] && [ "$(grep -c . log)" -eq 2 ]
}
check "... and told, once for each way" told

# Of a static program resolvers run before there is thread-local memory: their branches are not predicted either.
cat >early.c <<'END'
#include <stdio.h>

static int one(void) { return 1; }
static int two(void) { return 2; }
static unsigned char bits[] = {1, 0, 3, 7, 0, 9};
static int (*resolve(void))(void)
{
	int n = 0;

	for (int k = 0; k < 40; k++)
		for (int i = 0; i < (int)sizeof bits; i++)
			if (bits[i] & 1)
				n = bits[i] & k ? n + 3 : n ^ i;
			else
				bits[i] = n;
	return n & 1 ? one : two;
}
int chosen(void) __attribute__((ifunc("resolve")));
int main(void)
{
	int n = 0;

	for (int i = 0; i < 100; i++)
		n += i % 7 == chosen();
	return !printf("%d\n", n);
}
END
for level in -O0 -O1 -O2; do
	check "an ifunc's resolver, $level" same gcc early.c -static $level
done
finish
