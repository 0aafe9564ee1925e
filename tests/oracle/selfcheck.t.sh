# The oracle's programs built with --self-check: beside every planted check a plain simulator sees
# the same references, and no site may have another count. For the built-in caches, and for D1
# caches so small and odd that everything misses, straddles, or is wider than a line.
. "$(dirname "$0")/../tap.sh"
programs=$TOP/tests/oracle/programs

# no_difference FLAGS SOURCE...
no_difference() {
	local flags=$1
	shift
	# shellcheck disable=SC2086 # one word a flag
	cacheprof --self-check gcc $flags -o program "$@" || return 1
	CACHEPROF_OPTIONS=quiet=1 ./program >out 2>err && [ ! -s err ] || { head -n 20 err; return 1; }
}

# all_rows HEADING
all_rows() {
	local name
	for name in base unsupported avx2 forms avx512; do
		case $name in
		avx512) processor_has avx512f avx512vl avx512bw avx512dq || continue ;;
		avx2 | forms) processor_has avx2 fma bmi1 bmi2 movbe adx aes f16c || continue ;;
		esac
		check "$1 rows: $name" no_difference "" "$programs/rows.c" "$programs/$name.S"
	done
}

all_rows "built-in caches,"
for flags in -O0 -O1 -O2 -O3 -Os "-O3 -march=native" "-O2 -fPIC -pie -fno-plt"; do
	check "ordinary C $flags" no_difference "$flags" "$programs/ordinary.c"
done
for flags in -O2 "-O2 -fPIC" "-O0 -fPIC -fno-plt" "-O2 -fPIC -static -no-pie"; do
	check "thread-local variables $flags" no_difference "$flags" "$programs/tls.c" \
		"$programs/tls_elsewhere.c"
done
# Places are counted from a point that ld takes to be behind thread-local memory, wherever its counters are.
for words in 400 480 700 5000 20000 300000 2200000 4000000; do
	check "$words words of thread-local memory" no_difference "-O1 -DN=$words" "$programs/tls_size.c"
done
check "... -fPIC" no_difference "-O1 -fPIC -DN=700" "$programs/tls_size.c"
check "... -static" no_difference "-O1 -static -DN=20000" "$programs/tls_size.c"
# Of 16 MiB and as many bytes more as there are counters its filter would be the counters'.
too_near() {
	cacheprof gcc -O1 -DN=2097152 -o near "$programs/tls_size.c" && ! ./near >out 2>err && [ ! -s out ] &&
		grep "thread-local variables are just so large that its counters have no place" err
}
check "... as many as its counters are from its filter" too_near
# An order that somebody spoils without a miss: of D1's rows as they are without AVX-512 (runtime/d1.h), of I1's times,
# whose clock is set back (FILTER_CLOCK), of LL's lines by a reference that nobody made.
cat >spoil.c <<'END'
_Bool cacheprof_ll_reference(unsigned long address, unsigned long size);
void spoil_d1(void) { __asm__ volatile("movq $0,%gs:16"); }
void spoil_i1(void) { __asm__ volatile("movq $0,%gs:4128"); }
void spoil_ll(const volatile char *at) { cacheprof_ll_reference((unsigned long)at, 1); }
END
cat >spoiled.c <<'END'
static _Alignas(65536) volatile char memory[2][65536];
void spoil_d1(void), spoil_i1(void), spoil_ll(const volatile char *);
__attribute__((aligned(4096), noinline)) static int first(int x) { return x + memory[0][0]; }
__attribute__((aligned(4096), noinline)) static int second(int x) { return x + memory[1][0]; }
__attribute__((aligned(128))) int main(int argc, char **argv)
{
	int x = second(first(argc));

	switch (argc > 1 ? *argv[1] : 0) {
	case 'D':
		spoil_d1();
		break;
	case 'I':
		spoil_i1();
		x = first(x);
		break;
	case 'L':
		spoil_ll(memory[0]);
		break;
	}
	return x == 12345;
}
END
cacheprof --self-check gcc -O1 -c spoiled.c && gcc -O1 -c spoil.c && cacheprof --self-check gcc spoiled.o spoil.o -o spoiled || exit 1
# spoiled_order CACHE OPTIONS: it is the only difference, and one only where it is spoiled.
spoiled_order() {
	CACHEPROF_OPTIONS=quiet=1:$2 ./spoiled && ! CACHEPROF_OPTIONS=quiet=1:$2 ./spoiled "$1" 2>err || return 1
	cat err
	grep "self-check: $1, set [0-9]*: plain" err && fails grep misses err
}
check "a wrong order of lines of D1 is seen" spoiled_order D1 simd=avx2
for cache in I1=32768,8,64 I1=8192,2,64 I1=16384,4,128; do
	check "a wrong order of lines of I1 is seen, $cache" spoiled_order I1 $cache
done
for cache in LL=1048576,16,64 LL=1048576,16,64:simd=none LL=2097152,32,64 LL=4194304,64,64; do
	check "a wrong order of lines of LL is seen, $cache" spoiled_order LL $cache
done
check "misses" no_difference "-O2" "$programs/misses.c"
in_shared_object() {
	cacheprof --self-check gcc -O2 -fPIC -shared "-Dmain=in_object" "$1" -o libobject.so || return 1
	gcc -o program -x c - -x none ./libobject.so <<<'int in_object(void); int main(void) { return in_object(); }'
}
fields() {
	local caches
	case $1 in
	*-shared*) in_shared_object "$programs/fields.c" || return 1 ;;
	*) no_difference "$1" "$programs/fields.c" || return 1 ;;
	esac
	for caches in simd={none,avx2,avx512} D1={"32768,8","49152,12","65536,16"},64:LL=131072,2,64 \
		D1=32768,8,64:LL=1048576,16,64 D1=4096,1,64 D1=512,1,64 D1=8192,2,32 \
		D1=65536,4,{16,32,64,128,1024} D1=65536,4,128:LL=131072,4,{32,128} D1=65536,4,32:pages=first-touch; do
		CACHEPROF_OPTIONS=quiet=1:$caches ./program >out 2>err && [ ! -s err ] || { echo "$caches" && head -n 20 err; return 1; }
	done
}
for flags in -O2 "-O2 -fPIC -pie" "-O2 -static" "-O2 -fPIC -shared"; do
	check "several fields at once $flags" fields "$flags"
done
if processor_has avx512f avx512bw; then
	for flags in "-O2 -DWAITING" "-O2 -DWAITING -fPIC -shared"; do
		check "several fields at once $flags" fields "$flags"
	done
else
	skip "several fields at once where vector registers wait" "the processor has no AVX-512"
fi
check "a copy of an address in a register that is free" no_difference "-O2" "$programs/chase.c" "$programs/chase.S"
long_references() {
	local caches
	no_difference "$1" "$programs/lines.c" || return 1
	for caches in LL=1048576,16,64 LL=1048576,16,64:simd=avx2 simd=none D1=49152,12,64:LL=1048576,16,64 D1=4096,2,64:LL=65536,4,64 \
		D1=65536,4,{16,32,64,128} D1={1024,128,64},2,32 D1=128,2,16; do
		CACHEPROF_OPTIONS=quiet=1:$caches ./program >out 2>err && [ ! -s err ] || { head -n 20 err; return 1; }
	done
}
check "long references -O2" long_references -O2
if processor_has avx512f; then
	for flags in "-O2 -mavx512f" "-O2 -mavx512f -fPIC" "-O0 -mavx512f" "-O2 -mavx512f -DWAITING" "-O0 -DWAITING"; do
		check "long references $flags" long_references "$flags"
	done
else
	skip "long references" "the processor has no AVX-512"
fi
# Without AVX-512 LL is by a map of memory; with 1,024 sets most regions have lines in it for a short time only. The
# stack is as high as it can be.
many_regions() {
	local caches
	no_difference -O1 "$programs/regions.c" || return 1
	for caches in simd=none LL=1048576,16,64:simd=none LL=1048576,16,64:simd=avx2; do
		CACHEPROF_OPTIONS=quiet=1:$caches setarch -R ./program >out 2>err && [ ! -s err ] || { head -n 20 err; return 1; }
	done
}
check "lines of many regions of memory" many_regions
check "many lines of one set" no_difference "-O1" "$programs/many.c"

# An interpreter's function, many times as long as a way of I1, whose code meets in shared pieces: where caches of
# few ways replace lines, their order is known.
{
	printf 'static unsigned x = 1, n;\nint main(void)\n{\n\tstatic const void *const at[] = {'
	printf '&&L%s, ' {0..63}
	printf '};\nnext:\n\tif (++n > 30000) return 0;\n\tgoto *at[x >> 16 & 63];\n'
	for i in {0..63}; do
		printf 'L%s: x = x * 1664525 + %s;\n' "$i" "$((i * 2 + 1))"
		for ((k = i; k < i + 12; k++)); do
			printf '\tif (x >> %s & 1) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; x += %s; }\n' $((k % 29 + 2)) "$k"
		done
		printf '\tif (x & 64) goto next;\n\tif (x & 128) goto shared%s;\n\tgoto *at[x >> 20 & 63];\n' $((i % 4))
	done
	for i in {0..3}; do printf 'shared%s: x += x >> 9; if (x & 1) goto next;\n' "$i"; done
	printf '\tgoto next;\n}\n'
} >long.c
long_function() {
	local cache
	no_difference "$1" long.c || return 1
	for cache in 4096,1,64 8192,2,64 8192,1,32 8192,2,128 16384,4,16; do
		CACHEPROF_OPTIONS=quiet=1:I1=$cache ./program >out 2>err && [ ! -s err ] || { head -n 20 err; return 1; }
	done
}
for flags in -O1 -O2 "-O2 -fPIC"; do
	check "I1 in a long function $flags" long_function "$flags"
done

# Three times as much code as the ordinary I1 holds, in functions called at random: lines with parts of one block, of
# few and of many; and with one that goes on in four ways, of which one was executed whenever it was.
mix() {
	local k
	for ((k = 0; k < $1; k++)); do printf '\tx = x * 1664525 + %s; x ^= x >> %s;\n' $((k + $2)) $((k % 13 + 1)); done
}
four_ways() {
	mix 20 "$1"
	printf '\tif (x & 16) {\n\tif (x & 32) {\n'
	mix 10 "$1"
	printf '\t} else {\n'
	mix 11 "$1"
	printf '\t}\n\t} else if (x & 64) {\n'
	mix 12 "$1"
	printf '\t} else {\n'
	mix 13 "$1"
	printf '\t}\n'
}
{
	printf 'static unsigned v[8], n;\n'
	for i in {0..249}; do
		printf '__attribute__((noinline)) static unsigned f%s(unsigned x)\n{\n' "$i"
		if ((i % 5 == 0)); then four_ways "$i"; fi
		for ((k = 0; k < 12; k++)); do
			case $(((i + k / 4) % 3)) in
			0) printf '\tif (x & %s) x++;\n\tif (x & %s) x ^= %s;\n' $((1 << k)) $((2 << k)) "$i" ;;
			1) printf '\tx = x * 1664525 + v[%s]; v[%s] += x >> %s; x ^= x << 13; x ^= x >> 17; x += %s;\n' \
				$((k % 8)) $((i % 8)) $((k + 1)) "$i" ;;
			2) printf '\tif (x >> %s & 1) { x ^= x << 5; v[%s]++; }\n' $((k + 3)) $((i % 8)) ;;
			esac
		done
		printf '\treturn x;\n}\n'
	done
	printf 'static unsigned (*const f[])(unsigned) = {'
	printf 'f%s, ' {0..249}
	printf '};\nint main(void)\n{\n\tunsigned seed = 1, x = 1;\n\n\tdo {\n'
	printf '\t\tseed = seed * 1103515245 + 12345;\n\t\tx += f[(seed >> 16) %% 250](x);\n\t} while (++n %% 4000);\n\treturn x == 0;\n}\n'
} >much.c
much_code() {
	no_difference "$1" much.c && misses=$(CACHEPROF_OPTIONS=quiet=1:out=misses ./program && awk '/^summary:/ { print $3 }' misses) &&
		test "$misses" -gt 10000
}
for flags in -O0 -O1 -O2 "-O2 -fPIC"; do
	check "I1 and much code $flags" much_code "$flags"
done

# A block whose time is told by one far away, with more blocks in between than 16 bits count, and code of its set.
{
	printf '.ident "GCC"\n.text\n.p2align 12\n.globl f\n.type f, @function\nf:\n\ttest %%edi,%%edi\n\tje .Lfar\n'
	printf '\tmov $1,%%eax\n\tret\n.rept 70000\n\tjmp 1f\n1:\n.endr\n\tjmp f\n.Lfar:\n\txor %%eax,%%eax\n\tret\n'
	printf '.section .note.GNU-stack,"",@progbits\n'
} >far.s
{
	printf 'int f(int);\n'
	printf '__attribute__((aligned(4096), noinline)) static int g%s(int x) { return x + %s; }\n' {0..8}{,}
	printf 'static int (*const g[])(int) = {g0, g1, g2, g3, g4, g5, g6, g7, g8};\n'
	printf 'int main(void)\n{\n\tint x = 0;\n\n\tfor (int i = 0; i < 2000; i++)\n'
	printf '\t\tx += f(i %% 100 == 0) + g[i * 7 %% 9](x);\n\treturn x == 0;\n}\n'
} >near.c
check "I1 and a block far away" no_difference -O1 near.c far.s

# Each module compares what it counted with the one second simulation.
printf 'int work(void);\nint main(void)\n{\n\twork();\n\treturn 0;\n}\n' >start.c
# agree PROGRAM OPTIONS...: it runs with each, and prints nothing of differences
agree() {
	local program=$1 caches
	shift
	for caches; do
		CACHEPROF_OPTIONS=quiet=1$caches ./"$program" >out 2>err && [ ! -s err ] || { echo "$caches"; head -n 20 err; return 1; }
	done
}
caches=("" :simd=none :D1=49152,12,64 :D1=4096,2,64:LL=65536,4,64 :D1=2048,2,32:LL=1048576,32,64 :I1=4096,1,64)
# in_shared_object OPTIONS FLAGS SOURCE...: in a program that is ours, and in one that is not
in_shared_object() {
	local compiler="cacheprof --self-check $1 gcc" flags=$2
	shift 2
	# shellcheck disable=SC2086
	$compiler $flags -fPIC -shared -Dmain=work -o work.so "$@" && $compiler -pthread -o ours start.c ./work.so &&
		gcc -pthread -o guest start.c ./work.so && agree ours "${caches[@]}" && agree guest "" :simd=none
}
for flags in -O0 -O2 "-O3 -march=native"; do
	for source in ordinary lines misses many; do
		check "a shared object, $source $flags" in_shared_object "" "$flags" "$programs/$source.c"
	done
	check "a shared object, thread-local variables $flags" in_shared_object "" "$flags" "$programs/tls.c" "$programs/tls_elsewhere.c"
done
check "a shared object, much code" in_shared_object "" -O1 much.c
check "a shared object with branches" in_shared_object --branch-sim=yes -O2 "$programs/branches.c"
mixed() {
	cacheprof "$1" gcc -O2 -pthread -o mixed start.c ./work.so && cacheprof "$2" gcc -O2 -fPIC -shared -Dmain=work -o work.so "$programs/many.c" || return 1
	./mixed >out 2>err && return 1
	cat err
	grep 'objects of different --self-check; compile all of it in one way' err
}
check "only the executable is checked" mixed --self-check --level2
check "only the shared object is checked" mixed --level2 --self-check
caches=("")
check "a shared object with threads" in_shared_object "" -O2 "$programs/threads.c"

# What is loaded where something was before finds its lines.
cat >load.c <<'END'
#include <cacheprof.h>
#include <dlfcn.h>
#include <pthread.h>

int own(void);

static void *run(void *work)
{
	((int (*)(void))work)();
	return work;
}

int main(void)
{
	for (int i = 0; i < 6; i++) {
		void *so = dlopen("./work.so", RTLD_NOW), *work = so ? dlsym(so, "work") : 0;
		pthread_t thread;

		if (!work)
			return 1;
		run(work);
		if (i >= 4) {
			pthread_create(&thread, 0, run, work);
			pthread_join(thread, 0);
		}
		if (i % 2) {
			CACHEPROF_STOP;
			run(work);
		}
		if (i % 3)
			own();
		dlclose(so);
		if (i % 2)
			own();
		CACHEPROF_START;
	}
	return 0;
}
END
loaded_again() {
	local compiler="cacheprof --self-check $1 gcc"
	$compiler -O1 -fPIC -shared -Dmain=work -o work.so much.c && $compiler -O1 -Dmain=own -c -o own.o much.c &&
		$compiler -O1 -I"$TOP/include" -pthread -o load load.c own.o -ldl &&
		agree load "" :I1=65536,8,64 :I1=65536,16,64 :I1=16384,4,64 :I1=4096,1,64 :LL=65536,4,64
}
check "a shared object that is loaded again" loaded_again ""
check "a shared object that is loaded again, with branches" loaded_again --branch-sim=yes
# Its lines were used last while counting was on, whatever it does while counting is off, and then is unloaded.
cat >meanwhile.c <<'END'
#include <cacheprof.h>
#include <dlfcn.h>

__attribute__((aligned(4096), noinline)) static int first(int x) { return x + 1; }
__attribute__((aligned(4096), noinline)) static int second(int x) { return x + 2; }

static void *so;
static int (*lines)(int);

static void load(void)
{
	so = dlopen("./lines.so", RTLD_NOW);
	lines = (int (*)(int))dlsym(so, "lines");
}

int main(void)
{
	int x;

	load();
	x = lines(1);
	if (AGAIN)
		dlclose(so);
	x += first(x);
	CACHEPROF_STOP;
	if (AGAIN)
		load();
	x += lines(x);
	dlclose(so);
	CACHEPROF_START;
	x += second(x); /* comes in the place of lines, not of first */
	x += first(x);
	return x == 0;
}
END
printf '__attribute__((aligned(4096))) int lines(int x) { return x + 3; }\n' >lines.c
unloaded_meanwhile() {
	cacheprof --self-check gcc -O1 -fPIC -shared -o lines.so lines.c &&
		cacheprof --self-check gcc -O1 -DAGAIN="$1" -I"$TOP/include" -o meanwhile meanwhile.c -ldl &&
		agree meanwhile "" :I1=8192,2,64
}
check "a shared object that is unloaded while counting is off" unloaded_meanwhile 0
check "... that was loaded again meanwhile" unloaded_meanwhile 1
threads() {
	local n
	no_difference "-O2" "$programs/threads.c" || return 1
	for n in 1 2 3 4 5 6; do
		CACHEPROF_OPTIONS=quiet=1:D1=1024,2,64:LL=65536,4,64 ./program &&
			CACHEPROF_OPTIONS=quiet=1:simd=none ./program || return 1
	done
}
check "threads that share LL" threads

# unfinished PROGRAM: how many threads it says go on when its process ends, or nothing.
unfinished() {
	CACHEPROF_OPTIONS= "./$1" 2>&1 >/dev/null | sed -n 's/.*ends while \([0-9]*\) of its threads go on.*/\1/p'
}
for flags in -O0 -O2 "-O3 -fPIC"; do
	check "threads that go on when the process ends $flags" no_difference "$flags -pthread" "$programs/unfinished.c"
	check "... which is said" test "$(unfinished program)" = 2
done
threads
check "... of threads that have ended nothing is" test -z "$(unfinished program)"

# A fault in the midst of a block, behind which a handler goes on, makes differences (manual 5.2).
cat >fault.c <<'END'
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf behind;
static volatile int step;
static int *volatile nowhere;

static void on_fault(int number)
{
	(void)number;
	siglongjmp(behind, 1);
}

int main(void)
{
	signal(SIGSEGV, on_fault);
	if (!sigsetjmp(behind, 1)) {
		step = 1;
		*nowhere = 1;
		step = 2;
	}
	printf("step %d\n", step);
	return 0;
}
END
told() {
	cacheprof --self-check gcc -O2 $1 -o fault fault.c && gcc -O2 -o fault-native fault.c || return 1
	./fault-native >native.out
	CACHEPROF_OPTIONS=quiet=1 ./fault >out 2>err
	[ $? -eq 1 ] && grep 'self-check: .*fault.c' err && grep step native.out && diff native.out out
}
for flags in "" -static; do check "differences are told, and what stdio holds is written $flags" told $flags; done

built=$BUILD
BUILD=$T/build
PATH=$BUILD/bin:$PATH
mkdir "$BUILD" && cp -a "$built"/{bin,lib,libexec,runtime,obj} "$BUILD" || exit 1
for cache in "1024 8 1" "1024 16 2" "2048 32 64" "3072 16 3" "4096 128 4" "8388608 64 16"; do
	make -s -C "$TOP" BUILD="$BUILD" CACHE="$cache" cachesim >/dev/null || exit 1
	all_rows "$cache,"
	check "$cache, ordinary C" no_difference "-O2" "$programs/ordinary.c"
	check "$cache, misses" no_difference "-O1" "$programs/misses.c"
done
finish
