# The red zone: planted code leaves what lies below rsp alone where something may, and steps over it only there.
. "$(dirname "$0")/../tap.sh"
programs=$TOP/tests/e2e/programs
small=D1=512,1,64

# same COMPILER FLAG...: prints what the native program does, by whatever way its checks go.
same() {
	local level options
	"$1" "${@:2}" "$programs"/redzone.c "$programs"/redzone_hand.S -o native && ./native >native.out || return 1
	for level in --level2 --level1 --branch-sim=yes --self-check --plain-copies=yes; do
		cacheprof $level "$1" "${@:2}" "$programs"/redzone.c "$programs"/redzone_hand.S -o ours || return 1
		for options in out=cacheprof.out simd=none $small instr-at-start=no; do
			CACHEPROF_OPTIONS=quiet=1:$options ./ours >ours.out 2>ours.err && diff native.out ours.out &&
				! grep -v ': 0 differences$' ours.err || { echo "$level $options"; return 1; }
		done
	done
}

for flags in -O0 -O1 -O2 "-O2 -fPIC" "-O3 -march=native" "-O2 -mtune=k8" "-O2 -mtune=k8 -fno-omit-frame-pointer" \
	"-O2 -mno-red-zone" "-O2 -mfunction-return=thunk-inline -mindirect-branch=thunk-inline -fcf-protection=none"; do
	check "gcc $flags" same gcc $flags
done
command -v clang >/dev/null && for flags in -O0 -O2 "-O2 -fPIC"; do
	check "clang $flags" same clang -fno-integrated-as $flags
done

shared() {
	gcc "$@" -Dmain=lib_main -shared -fPIC "$programs"/redzone.c "$programs"/redzone_hand.S -o libnative.so &&
		cacheprof gcc "$@" -Dmain=lib_main -shared -fPIC "$programs"/redzone.c "$programs"/redzone_hand.S \
			-o libours.so || return 1
	echo 'int lib_main(void); int main(void) { return lib_main(); }' >main.c
	gcc main.c ./libnative.so -o native && cacheprof gcc main.c ./libours.so -o ours || return 1
	./native >native.out
	for options in out=cacheprof.out simd=none $small; do
		CACHEPROF_OPTIONS=quiet=1:$options ./ours | diff native.out - || return 1
	done
}
check "a shared object" shared -O2

# form FILE COMMAND...: whether some of the file's cold code steps over a red zone. (Where planted code has already
# done so it need not.)
form() {
	cacheprof "${@:2}" -SA "$1" -o annotated.sA || return 1
	if grep -q '^cacheprof_[a-z]*_stepping' annotated.sA; then echo stepping; else echo plain; fi
}

# pushes FORM <SOURCE: whether hot code, where registers wait on the stack, steps over a red zone.
pushes() {
	local fixed=(-ffixed-{rbx,r8,r9,r10,r11,r12,r13,r14,r15,xmm13,xmm14,xmm15})
	cat >source.c
	cacheprof gcc -O2 -fno-omit-frame-pointer "${fixed[@]}" -SA source.c -o annotated.sA || return 1
	sed '/cacheprof_cold/,$d' annotated.sA >hot.sA
	grep '^	push	' hot.sA &&
		case $1 in
		plain) ! grep '^	lea	-128(%rsp),%rsp' hot.sA ;;
		stepping) grep '^	lea	-128(%rsp),%rsp' hot.sA ;;
		esac
}

# is FORM NAME COMMAND... <SOURCE
is() {
	local suffix=c
	[[ $2 == *.s ]] && suffix=s
	cat >source.$suffix
	check "$2: $1" test "$(form source.$suffix "${@:3}")" = "$1"
}

is plain "calls another" gcc -O2 <<'END'
long g(long *);
long f(long *p) { return g(p) + p[1]; }
END
is plain "calls another, -O0" gcc -O0 <<'END'
long g(long *);
long f(long *p) { long a[9]; a[1] = g(p); return a[*p]; }
END
is plain "calls by pointer" gcc -O2 <<'END'
long f(long *p, long (*g)(long)) { return g(*p) + p[1]; }
END
is plain "does nothing with the stack" gcc -O2 <<'END'
long f(long *p) { return p[0] + p[1]; }
END
is plain "calls another, alloca" gcc -O2 <<'END'
long g(long *);
long f(long *p, long n) { long *q = __builtin_alloca(n * 8); return g(q) + p[1] + q[n - 1]; }
END
is plain "calls another, with a part in .text.unlikely" gcc -O2 <<'END'
long g(long *);
void h(long *) __attribute__((cold, noreturn));
long f(long *p) { if (p[1]) { p[2] = 3; h(p); } return g(p) + p[1]; }
END
is stepping "a leaf's array" gcc -O2 <<'END'
long f(long *p) { volatile long a[9]; a[*p] = p[1]; return a[p[2]]; }
END
is stepping "a leaf's variable, -O0" gcc -O0 <<'END'
long f(long *p) { return p[1]; }
END
is stepping "a leaf, alloca" gcc -O2 <<'END'
long f(long *p, long n) { volatile long *q = __builtin_alloca(n * 8); q[*p] = 1; return q[n - 1]; }
END
is stepping "a leaf with assembly that calls" gcc -O2 <<'END'
long f(long *p) { __asm__ volatile("call g" : : : "memory"); return p[1]; }
END
is stepping "a leaf with assembly that pushes" gcc -O2 <<'END'
long f(long *p) { __asm__ volatile("push %%rax; pop %%rax" : : : "memory"); return p[1]; }
END
is stepping "calls another, assembly below rsp" gcc -O2 <<'END'
long g(long *);
long f(long *p) { __asm__ volatile("mov %%rax,-8(%%rsp)" : : : "memory"); return g(p) + p[1]; }
END
is stepping "calls another, a prologue below rsp" gcc -O2 -mtune=k8 <<'END'
long g(long, long *);
long f(long a, long b, long *p) { return g(a, p) + g(b, p) * b + *p; }
END
is stepping "calls another, a prologue below rbp" gcc -O2 -mtune=k8 -fno-omit-frame-pointer <<'END'
long g(long, long *);
long f(long a, long b, long *p) { return g(a, p) + g(b, p) * b + *p; }
END
is stepping "a leaf that returns by a call" gcc -O0 -mfunction-return=thunk-inline -fcf-protection=none <<'END'
extern long left;
void f(void) { while (left) { volatile long l = left; left = l - 1; } }
END
is stepping "a leaf with TLS descriptors" gcc -O2 -fPIC -mtls-dialect=gnu2 <<'END'
extern __thread long t;
long f(long *p) { volatile long a[9]; a[*p] = p[1]; return a[p[2]] + t; }
END
command -v clang >/dev/null && clang -O0 -pg -mfentry -fno-addrsig -S -x c - -o fentry.s <<'END' &&
extern long left;
void f(void) { while (left) { volatile long l = left; left = l - 1; } }
END
	is stepping "a leaf that calls __fentry__, fentry.s" gcc <fentry.s
# clang marks assembly between functions by comments only, if at all.
if command -v clang >/dev/null; then
	for flags in -O2 "-O2 -fno-verbose-asm" "-O2 -fno-ident -fno-verbose-asm"; do
		is stepping "assembly of the file, $flags" clang -fno-integrated-as $flags <<'END'
__asm__("\t.type\thand, @function\nhand:\tpush\t%rbx\n\tmov\t%rsp, %rbx\n\tcall\tg\n"
	"\tmov\t%rax, -16(%rbx)\n\tmov\tx, %rax\n\tadd\t-16(%rbx), %rax\n\tpop\t%rbx\n\tret\n\t.size\thand, .-hand");
long g(long *);
long f(long *p) { return g(p) + p[1]; }
END
		is plain "functions and data, $flags" clang -fno-integrated-as $flags <<'END'
long g(long *), x = 3;
static long h(long *p) { return g(p) + p[1] + x; }
long f(long *p) { return g(p) + p[1]; }
long (*const table[])(long *) = {f, h};
END
	done
	is plain "functions in parts" clang -fno-integrated-as -O2 -fbasic-block-sections=all <<'END'
long g(long);
long f(long n) { if (n > 3) return g(n) + 1; while (n--) g(n); return 4; }
END
	is stepping "nothing but assembly of the file" clang -fno-integrated-as -O2 <<'END'
__asm__("\t.type\thand, @function\nhand:\tpush\t%rbx\n\tmov\t%rsp, %rbx\n\tcall\tg\n"
	"\tmov\t%rax, -16(%rbx)\n\tmov\tx, %rax\n\tadd\t-16(%rbx), %rax\n\tpop\t%rbx\n\tret\n\t.size\thand, .-hand");
END
fi
is stepping "by hand.s" gcc <<'END'
	.type	f,@function
f:	movq	(%rdi),%rdi
	call	g
	movq	(%rdi),%rax
	ret
END
check "pushes: plain" pushes plain <<'END'
long g(long *);
long f(long *p, long a, long b, long c) { return g(p) * a + p[1] * b + p[c] / (p[2] + a * b); }
END
check "pushes: stepping" pushes stepping <<'END'
long f(long *p, long a, long b, long c) { volatile long k[9]; k[a] = p[b]; return k[b] * a + p[1] * b + p[c] / (p[2] + a); }
END

# How far below a function's own memory planted code and the runtime reach, as the manual has it (3).
cat >reach.c <<'END'
#include <stdio.h>
#include <string.h>
static int table[4096];
static char page[16384], stack[65536] __attribute__((aligned(4096)));
__attribute__((noinline)) static void checked(void)
{
	for (int i = 0; i < 4096; i += 3) {
		table[i] += i;
		if (table[i & 7] == i)
			table[7]++;
	}
}
__attribute__((noinline)) static void unchecked(void)
{
	for (int i = 0; i < 4096; i += 3)
		table[i] += i;
}
__attribute__((noinline)) static void repeated(void)
{
	void *to = table, *from = page;
	long n = sizeof page;

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}
#ifdef __AVX2__
__attribute__((noinline)) static void gathered(void)
{
	__asm__ volatile("vpcmpeqd %%ymm1,%%ymm1,%%ymm1\n\tvpxor %%ymm2,%%ymm2,%%ymm2\n\t"
			 "vpgatherdd %%ymm1,(%0,%%ymm2,4),%%ymm0\n\tvzeroupper" : : "r"(table) : "xmm0", "xmm1", "xmm2");
}
#else
#define gathered repeated
#endif
static long reach(void (*function)(void))
{
	const char *p = stack, *top = stack + sizeof stack;

	memset(stack, 0x5a, sizeof stack);
	__asm__ volatile("mov %%rsp,%%rbx\n\tmov %0,%%rsp\n\tcall *%1\n\tmov %%rbx,%%rsp" : : "r"(top), "r"(function)
			 : "rbx", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
	while (p < top && *p == 0x5a)
		p++;
	return top - p - 8;
}
int main(void)
{
	return printf("%ld %ld %ld %ld\n", reach(checked), reach(unchecked), reach(repeated), reach(gathered)) < 0;
}
END
avx2=
processor_has avx2 && avx2=-mavx2
# reaches LEVEL MOST...
reaches() {
	# shellcheck disable=SC2086 # or none
	cacheprof $1 gcc -O2 -w $avx2 reach.c -o reach || return 1
	CACHEPROF_OPTIONS=quiet=1 ./reach >out 2>/dev/null
	cat out
	awk -v most="${*:2}" '{ split(most, m, " "); for (i = 1; i <= 4; i++) if ($i > m[i]) exit 1; found = 1 } END { exit !found }' out
}
check "how far below the stack: level 1" reaches --level1 0 0 640 960
check "... level 2" reaches --level2 800 1600 1450 1720
check "... self-check" reaches --self-check 1100 1600 1450 1720
# What a profile says is never executed stands elsewhere, and here calls nothing and leaves rsp alone, but in what it is a
# part of values wait below rsp. That function has two names, as C++'s constructors have.
cat >parts.c <<'END'
#include <stdio.h>
#include <stdlib.h>

__attribute__((noipa)) long f(long *p, long n)
{
	volatile long keep[4];
	long a = p[0];

	for (int i = 0; i < 4; i++)
		keep[i] = p[i] + n;
	if (n < 0)
		for (long i = 0; i < 40; i++)
			a = a * 3 + p[i & 7] + (p[a & 7] >> 3);
	for (int i = 0; i < p[6]; i++)
		a += keep[i & 3] * (p[i & 7] ^ a);
	return a;
}
long g(long *p, long n) __attribute__((alias("f")));

int main(int argc, char **argv)
{
	long p[8] = {1, 2, 3, 4, 5, 6, 7, 8}, t = 0, step = argc > 1 ? atol(argv[1]) : 1;

	for (long i = 0; i < 1000; i++)
		t = t * 3 + f(p, i * step);
	printf("%ld\n", t);
}
END
parts() {
	gcc -O2 -fprofile-generate -c parts.c -o parts.o && gcc -fprofile-generate parts.o -o trained && ./trained || return 1
	gcc -O2 -fprofile-use -c parts.c -o parts.o && gcc parts.o -o native && ./native -1 >native.out || return 1
	nm native | grep -F ' f.cold' || return 1
	cacheprof gcc -O2 -fprofile-use -c parts.c -o parts.o && cacheprof gcc parts.o -o ours || return 1
	for options in out=cacheprof.out $small; do
		CACHEPROF_OPTIONS=quiet=1:$options ./ours -1 | diff native.out - || return 1
	done
}
check "a part elsewhere of a function with two names" parts
finish
