# Shared objects: linked in, loaded and unloaded, in programs that are ours and that are not. What a
# function counts does not depend on the module it is in.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1

cat >lib.c <<'END'
#include <stdio.h>

static int table[4096];
static _Thread_local int calls;

__attribute__((constructor)) static void arrive(void) { table[0] = 1; }
__attribute__((destructor)) static void leave(void) { printf("bye %d\n", table[0] != 0); }

int sum(int n)
{
	int s = 0;

	calls++;
	for (int i = 0; i < n; i++) {
		table[i & 4095] += i;
		s += table[i & 4095];
	}
	return s;
}

int each(int (*f)(int), int n)
{
	int s = calls;

	for (int i = 0; i < n; i++)
		s += f(i);
	return s;
}
END
cat >main.c <<'END'
#include <pthread.h>
#include <stdio.h>

int sum(int n);
int each(int (*f)(int), int n);

static int square(int x) { return x * x; }

static void *work(void *unused)
{
	(void)unused;
	sum(1000);
	each(square, 1000);
	return NULL;
}

int main(void)
{
	pthread_t threads[4];

	printf("%d %d\n", sum(10000), each(square, 100));
	for (int i = 0; i < 4; i++) {
		pthread_create(&threads[i], NULL, work, NULL);
		pthread_join(threads[i], NULL);
	}
	return 0;
}
END
cat >load.c <<'END'
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	for (int i = 0; i < 3; i++) {
		void *lib = dlopen("./lib.so", RTLD_NOW | RTLD_LOCAL);
		int (*sum)(int);

		if (!lib)
			return puts(dlerror()), 1;
		sum = (int (*)(int))dlsym(lib, "sum");
		printf("%d\n", sum(1000));
		if (dlclose(lib))
			return 2;
	}
	return 0;
}
END

# counts FUNCTION
counts() {
	sums_of cacheprof.out "$1" Ir Dr Dw
}

# native COMMAND...: prints what the uninstrumented pair prints
same() {
	timeout 60 "$@" >ours && cmp ours native
}

gcc -O1 -fPIC -shared -o native.so lib.c && gcc -O1 -pthread main.c ./native.so -o native-main
./native-main >native

# As one executable: what to expect.
cacheprof gcc -O1 -fPIC -c lib.c && cacheprof gcc -O1 -c main.c
cacheprof gcc -pthread main.o lib.o -o whole
check "the parts in one executable" same ./whole
for f in sum each square arrive leave; do
	counts "$f" >"want.$f"
done

check "a shared object links" cacheprof gcc -shared -o lib.so lib.o
# ld.bfd would show the bounds of sections, which are hidden; a library's own test (libunwind's check-namespace) fails.
check "and shows nothing of the runtime" fails sh -c "nm -D --defined-only lib.so | grep cacheprof"

cacheprof gcc -pthread main.o ./lib.so -o both
check "executable and shared object run" same ./both
for f in sum each square arrive leave; do
	check "$f counts as in one executable" test "$(counts $f)" = "$(cat want.$f)"
done
check "one profile, once" test "$(grep -c . cacheprof.out.summary)" = 2

gcc -O1 -pthread main.c ./lib.so -o guest
check "a shared object in a program that is not ours" same ./guest
for f in sum each leave; do
	check "$f counts the same" test "$(counts $f)" = "$(cat want.$f)"
done
check "the program itself is not there" fails grep -q '^fn=square' cacheprof.out

gcc -O1 load.c -o native-load -ldl
cp lib.so ours.so
cp native.so lib.so && ./native-load >native
cp ours.so lib.so
read -r ir dr dw <<<"$(counts arrive)"
arrived="$((3 * ir)) $((3 * dr)) $((3 * dw))"
check "loaded and unloaded by a program that is not ours" same ./native-load
check "each time counts" test "$(counts arrive)" = "$arrived"
first=$(counts sum)
cacheprof gcc -O1 load.c -o ours-load -ldl
check "and by one that is" same ./ours-load
check "with the same counts" test "$(counts sum)" = "$first"
cp native loaded
sum_loaded=$first
check "and its own" grep -qx fn=main cacheprof.out

# What the threads of the others use is not in the one that goes.
cat >two.c <<'END'
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	void *one = dlopen("./one.so", RTLD_NOW), *two;
	int (*sum)(int) = (int (*)(int))dlsym(one, "sum");

	printf("%d\n", sum(1000));
	two = dlopen("./two.so", RTLD_NOW);
	sum = (int (*)(int))dlsym(two, "sum");
	printf("%d\n", sum(1000));
	dlclose(one);
	printf("%d\n", sum(100000));
	return 0;
}
END
# three_sums COMMAND
three_sums() {
	timeout 60 "$@" | tee three; [ "$(head -n2 three | uniq | wc -l) $(grep -c . three)" = "1 5" ]
}
cp ours.so one.so
cp ours.so two.so
gcc -O1 two.c -o native-two -ldl && cacheprof gcc -O1 two.c -o ours-two -ldl
for options in "" :I1=4k,1,64; do
	CACHEPROF_OPTIONS=quiet=1$options
	check "the first module goes$options" three_sums ./native-two
	check "the second one goes$options" three_sums ./ours-two
done
CACHEPROF_OPTIONS=quiet=1

# Versions of a symbol: each program gets the one that it was linked with, as natively.
cat >versions.c <<'END'
int f1(int x) { return x + 1; }
int f2(int x) { return x * 10 + 2; }
__asm__(".symver f1, f@V1");
__asm__(".symver f2, f@@V2");
static int hidden(int x) { return x; }
int shown(int x) { return hidden(x); }
END
printf 'V1 { global: f; shown; local: *; };\nV2 { global: f; } V1;\n' >versions.map
cat >old.c <<'END'
#include <stdio.h>
int f(int), shown(int);
__asm__(".symver f, f@V1");
int main(void) { return printf("%d %d\n", f(4), shown(6)) < 0; }
END
sed '/symver/d' old.c >new.c
# versions OLD NEW: of two programs, in each combination of ours and others, what they print
versions() {
	local program library
	gcc -O1 -fPIC -shared -Wl,--version-script=versions.map versions.c -o libversions.so &&
		cacheprof gcc -O1 -fPIC -shared -Wl,--version-script=versions.map versions.c -o ours-versions.so || return 1
	for program in old new; do
		gcc -O1 $program.c ./libversions.so -o native-$program && ./native-$program >$program.native &&
			cacheprof gcc -O1 $program.c ./libversions.so -o ours-$program || return 1
	done
	cmp -s old.native new.native && return 1
	nm -D --defined-only libversions.so | sed 's/^[^ ]*//' | sort >native.names
	nm -D --defined-only ours-versions.so | sed 's/^[^ ]*//' | sort | diff native.names - || return 1
	cp ours-versions.so libversions.so
	for program in native-old native-new ours-old ours-new; do
		rm -f cacheprof.out
		./$program | cmp - "${program#*-}.native" && grep -q '^fn=shown' cacheprof.out || return 1
	done
}
check "versions of a symbol" versions

for level in 1 2; do
	cacheprof --level$level gcc -O1 -fPIC -shared -o level$level.so lib.c
done
cp level1.so lib.so
check "another level in one process is refused" fails ./ours-load
check "level 1 alone runs" same ./native-load
check "with the same executions" test "$(counts sum)" = "$first"

gcc -O1 -pthread main.c ./native.so -o native-main && ./native-main >native
for ld in gold lld; do
	if ! command -v ld.$ld >/dev/null; then
		skip "ld.$ld" "is not installed"
		continue
	fi
	if [ $ld = gold ]; then
		cacheprof gcc -fuse-ld=$ld -shared -o lib.so lib.o &&
			cacheprof gcc -fuse-ld=$ld -pthread main.o ./lib.so -o both
		check "ld.$ld: runs" same ./both
		check "ld.$ld: counts" test "$(counts sum)" = "$(cat want.sum)"
	else
		check "ld.$ld: a shared object is linked by another, with a sentence" \
			sh -c "cacheprof gcc -fuse-ld=$ld -shared -o lib.so lib.o 2>&1 | grep -q -- '-fuse-ld=bfd is added'"
		cacheprof gcc -pthread main.o ./lib.so -o both
		check "ld.$ld: and runs" same ./both
		check "ld.$ld: at a fixed address it links" \
			cacheprof gcc -fuse-ld=$ld -no-pie -pthread main.o lib.o -o fixed
		check "ld.$ld: and runs" same ./fixed
		check "ld.$ld: which a program gets without a word" \
			sh -c "cacheprof gcc -fuse-ld=$ld -pthread main.o lib.o -o said 2>&1 | grep -q -- '-no-pie is added'"
		check "ld.$ld: and runs so" same ./said
	fi
done
# Interpreters load modules by the dozen, all of which share what memory the C library has put by for
# thread-local variables: 1600 bytes.
cat >load-many.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int (*sum)(int);

	for (int i = 0; i < (argc == 2 ? atoi(argv[1]) : 0); i++) {
		char name[32];
		void *module;

		snprintf(name, sizeof name, "./many/%d.so", i);
		module = dlopen(name, RTLD_NOW);
		if (!module)
			return fprintf(stderr, "%s\n", dlerror()), 1;
		sum = (int (*)(int))dlsym(module, "sum");
		sum(100);
	}
	return 0;
}
END
mkdir many
cacheprof --branch-sim=yes gcc -O2 -fPIC -shared -o many/0.so lib.c
for i in $(seq 63); do cp many/0.so "many/$i.so"; done
gcc load-many.c -o native-many
cacheprof --branch-sim=yes gcc load-many.c -o ours-many
for program in native-many ours-many; do
	./$program 1 >out
	first=$(counts arrive)
	check "$program: 64 shared objects are loaded" ./$program 64
	check "and each counts" test "$(counts arrive)" = "$(echo $first | awk '{ print 64 * $1, 64 * $2, 64 * $3 }')"
done

# A thread's caches move into the executable's memory when it is entered, with all that is in them: rows as stubs
# see them, and as C does (rep).
cat >begin.c <<'END'
char block[4096 * WAYS] __attribute__((aligned(4096)));

__attribute__((constructor)) static void begin(void)
{
	for (unsigned i = 0; i < sizeof block; i += 64)
		*(volatile char *)&block[i];
}
END
cat >goes-on.c <<'END'
extern char block[4096 * WAYS];
static char other[4096 * 2] __attribute__((aligned(4096)));

__attribute__((noinline)) static void found(void)
{
	for (unsigned i = 0; i < sizeof block; i += 64)
		*(volatile char *)&block[i];
}

__attribute__((noinline)) static void fresh(void)
{
	for (unsigned i = 0; i < sizeof other; i += 64)
		*(volatile char *)&other[i];
}

__attribute__((noinline)) static void again(const char *from, unsigned long bytes)
{
	__asm__ volatile("rep lodsb" : "+S"(from), "+c"(bytes) : : "rax", "memory");
}

int main(void)
{
	found();
	fresh();
	again(other, sizeof other);
	again(block, sizeof block);
	return 0;
}
END
# misses FUNCTION
misses() {
	sums_of cacheprof.out "$1" D1mr
}
# goes_on D1 WAYS SIMD
goes_on() {
	cacheprof gcc -O1 -fPIC -DWAYS="$2" -shared -o begin.so begin.c &&
		cacheprof gcc -O1 -DWAYS="$2" -o goes-on goes-on.c ./begin.so &&
		CACHEPROF_OPTIONS=quiet=1:D1=$1:simd=$3 ./goes-on &&
		test "$(misses found) $(misses fresh) $(misses again)" = "0 128 0"
}
for simd in avx512 avx2; do
	check "caches go on in the executable, $simd: 32k,8,64" goes_on 32k,8,64 4 $simd
	check "caches go on in the executable, $simd: 48k,12,64" goes_on 48k,12,64 8 $simd
	check "caches go on in the executable, $simd: 64k,8,64" goes_on 64k,8,64 4 $simd
done

# So does its predictor: what the program's branches did is what tells the object's.
cat >tells.c <<'END'
static volatile int taken, not_taken;

__attribute__((constructor, noipa)) void told(int bit)
{
	if (bit)
		taken = 1;
	else
		not_taken = 1;
}
END
cat >told.c <<'END'
void told(int bit);
static volatile int taken, not_taken;

int main(void)
{
	for (unsigned i = 0, n = 1; i < 1000; i++, n = n * 1103515245 + 12345) {
		if (n >> 16 & 1)
			taken = 1;
		else
			not_taken = 1;
		told(n >> 16 & 1);
	}
	return 0;
}
END
is_told() {
	cacheprof --branch-sim=yes gcc -O1 -fPIC -shared -o libtells.so tells.c &&
		cacheprof --branch-sim=yes gcc -O1 -o told told.c ./libtells.so && ./told &&
		[ "$(sums_of cacheprof.out told Bc)" = 1001 ] && [ "$(sums_of cacheprof.out told Bcm)" -lt 100 ]
}
check "predictors go on in the executable" is_told

# Threads of a program that is not ours, one after the other: what one leaves, and what another shares between two
# objects, which it enters in any order.
cat >touch.c <<'END'
void touch(const volatile char *block, int bytes)
{
	for (int i = 0; i < bytes; i += 64)
		block[i];
}
END
cat >turns.c <<'END'
#include <pthread.h>
#include <stdlib.h>

void touch_a(const volatile char *, int), touch_b(const volatile char *, int);
static char blocks[4][9 * 4096] __attribute__((aligned(4096)));
static int bytes;
static const char *const turns[] = {"b", "a", "ab", "ba"};

static void *work(void *number)
{
	for (const char *turn = turns[(long)number]; *turn; turn++)
		(*turn == 'a' ? touch_a : touch_b)(blocks[(long)number], bytes);
	return number;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	bytes = atoi(argv[argc - 1]);
	for (long i = 0; i < 4; i++)
		if (pthread_create(&thread, 0, work, (void *)i) || pthread_join(thread, 0))
			return 1;
	return 0;
}
END
# turns OPTION: each object sees two threads' blocks first
turns() {
	local object caches lines
	for object in a b; do
		cacheprof $1 gcc -O1 -fPIC -shared -Dtouch=touch_$object -o libtouch_$object.so touch.c || return 1
	done
	gcc -O1 -pthread -o turns turns.c ./libtouch_a.so ./libtouch_b.so || return 1
	for caches in simd=avx512 simd=none D1=48k,12,64 D1=48k,12,64:simd=none \
		D1=48k,12,64:LL=1m,16,128 D1=4k,1,64; do
		case $caches in *48k*) lines=576 ;; *) lines=64 ;; esac
		CACHEPROF_OPTIONS=quiet=1:$caches ./turns $((lines * 64)) &&
			[ $(($(misses touch_a) / lines)) = 2 ] && [ $(($(misses touch_b) / lines)) = 2 ] || { echo $caches; return 1; }
	done
}
for option in --level2 --self-check; do
	check "threads go from one object to another, $option" turns $option
done

# In a shared object misses are counted as in an executable: of lines in the same sets, and of references of two lines.
# For smaller caches it matters where a module's other variables lie, and the stack; oracle/selfcheck has those. So it
# does here where tables of jumps lie.
printf 'int work(void);\nint main(void)\n{\n\treturn work();\n}\n' >start.c
# missed: of the whole program, references and misses of D1 and LL
missed() {
	totals_of cacheprof.out Dr D1mr DLmr Dw D1mw DLmw
}
# as_in_executable PROGRAM FLAGS
as_in_executable() {
	local caches
	cacheprof gcc $2 -fPIC -fno-jump-tables -Dmain=work -c -o work.o "$TOP/tests/oracle/programs/$1.c" &&
		cacheprof gcc $2 -c start.c &&
		cacheprof gcc start.o work.o -o whole && cacheprof gcc -shared work.o -o work.so &&
		cacheprof gcc start.o ./work.so -o parts || return 1
	for caches in simd=avx512 simd=none D1=49152,12,64 D1=49152,12,64:simd=none; do
		CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1:$caches
		./whole && missed >whole.missed && ./parts && missed | diff whole.missed - || { echo $caches; return 1; }
	done
}
for flags in -O2 "-O2 -mavx512f"; do
	if [[ $flags = *avx512f ]] && ! processor_has avx512f; then
		skip "misses, $flags" "the processor has no AVX-512"
		continue
	fi
	for program in lines many misses; do
		check "misses, $program.c $flags" as_in_executable $program "$flags"
	done
done
CACHEPROF_OPTIONS=quiet=1

# What modules share lies where nothing else does. The program, which is not ours, takes the first N of the places.
cat >taken.c <<'END'
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	static const uintptr_t places[] = {0x54ac4e000000, 0x54ac8e000000, 0x6cac4e0000, 0x6cec4e0000};
	int n = argc > 1 ? atoi(argv[1]) : 0;
	int (*sum[2])(int);

	for (int i = 0; i < n; i++) {
		void *at = (void *)places[i];

		if (mmap(at, 4096, i & 1 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != at)
			return 2;
	}
	for (int i = 0; i < 2; i++) {
		void *lib = dlopen(i ? "./second.so" : "./first.so", RTLD_NOW | RTLD_LOCAL);

		if (!lib)
			return puts(dlerror()), 3;
		sum[i] = (int (*)(int))dlsym(lib, i ? "second" : "first");
	}
	for (int i = 0; i < 1000; i++)
		sum[i & 1](1000);
	return 0;
}
END
cacheprof gcc -O1 -fPIC -shared -Dsum=first -o first.so lib.c && cacheprof gcc -O1 -fPIC -shared -Dsum=second -o second.so lib.c &&
	gcc -o taken taken.c && rm -f cacheprof.out.summary && setarch -R ./taken 0 >printed && missed >want.taken
both_count() {
	[ "$(counts first)" = "$(counts second)" ] && [ "$(counts first)" != "0 0 0" ]
}
check "two shared objects in a program that is not ours" both_count
# goes_beside N: at the next place it is as without
goes_beside() {
	rm -f cacheprof.out cacheprof.out.summary
	setarch -R ./taken $1 | cmp - printed && both_count && [ "$(grep -c . cacheprof.out.summary)" = 1 ] && missed | diff want.taken -
}
check "... which has something where modules meet" goes_beside 1
check "... and at two places more" goes_beside 3
refused_place() {
	fails ./taken 4 >out 2>&1 && grep 'no memory for what modules share at 54ac4e000000' out
}
check "... and at all of them: refused" refused_place

# Another build of cacheprof, whose struct thread has one field more.
other_build() {
	local flags=(-std=gnu17 -O2 -ffreestanding -fPIC -fvisibility=hidden -include "$TOP/runtime/hidden.h"
		-ftls-model=initial-exec -fno-stack-protector -mgeneral-regs-only -fcf-protection=none)
	mkdir -p other/lib changed/runtime &&
		cp -r "$BUILD/lib/cacheprof" other/lib && cp -r "$BUILD/libexec" other &&
		sed "s/^struct $1 {\$/&\n\tuint64_t more;/" "$TOP/runtime/runtime.h" >changed/runtime/runtime.h &&
		fails cmp -s "$TOP/runtime/runtime.h" changed/runtime/runtime.h &&
		gcc "${flags[@]}" -DCACHEPROF_SHARED -Ichanged -I"$TOP" -c -o process.o "$TOP/runtime/process.c" &&
		find "$BUILD/runtime" -name '*.shared.o' ! -name 'process*' -print0 |
		xargs -0 ld -r -o other/lib/cacheprof/cacheprof_shared.o process.o &&
		cacheprof --cacheprofdir="$T/other" gcc -O1 -fPIC -shared -o lib.so lib.c
}
refused() {
	cacheprof gcc -O1 -pthread -o main main.c ./lib.so && fails ./main >out 2>&1 &&
		grep 'mixes modules of different versions of cacheprof' out
}
for struct in thread module; do
	check "another build of cacheprof: struct $struct" other_build $struct
	check "... is refused in one process" refused
done

# Linked by cacheprof, and none of its own units instrumented: all that a shared object counts, or nothing.
echo 'int own(void) { return 1; }' >own.c
echo 'int own(void); int main(void) { return own() - 1; }' >plain.c
gcc -c plain.c && gcc -c own.c -o plain_own.o
# without_own OPTION...
without_own() {
	rm -f cacheprof.out
	cacheprof "$@" gcc -fPIC -shared -o libown.so own.c && cacheprof "$@" gcc -o plain plain.o ./libown.so &&
		./plain >out 2>&1 && grep "^fn=own" cacheprof.out && ! grep "self-check: [1-9]" out &&
		cacheprof "$@" gcc -o nothing plain.o plain_own.o && ./nothing >out 2>&1
}
for option in --level1 --level2 --branch-sim=yes --self-check; do
	check "no unit of the program is instrumented, $option" without_own $option
done

# ... and loads such objects, one after the other.
gcc -c load.c -o load.o
# loads OPTION...
loads() {
	rm -f cacheprof.out
	cacheprof "$@" gcc -O1 -pthread -fPIC -shared -o lib.so lib.c && cacheprof "$@" gcc -o loads load.o -ldl &&
		./loads >out 2>checked && cmp out loaded && ! grep "self-check: [1-9]" checked &&
		test "$(counts sum)" = "$sum_loaded"
}
for option in --level1 --level2 --branch-sim=yes --self-check; do
	check "it loads objects that are, $option" loads $option
done
rm -f cacheprof.out
cacheprof gcc -O1 -pthread -fPIC -shared -o lib.so lib.c && cacheprof gcc -o loads load.o -ldl
# toggled FUNCTION: what sum counts while only that one, and what it calls, does.
toggled() {
	rm -f cacheprof.out
	CACHEPROF_OPTIONS=quiet=1:toggle=$1 ./loads >out && cmp -s out loaded && counts sum
}
check "... with toggle=sum: it counts" test "$(toggled sum)" = "$sum_loaded"
toggled each >counted
check "... with toggle=each, which is never called: sum does not" fails grep -qx fn=sum cacheprof.out
check "... but there is a profile" grep -q "^summary:" cacheprof.out
cp lib.so level2.so
cacheprof --level1 gcc -O1 -pthread -fPIC -shared -o level1.so lib.c
sed 's/"\.\/lib\.so"/i ? ".\/level1.so" : ".\/level2.so"/' load.c >mixes.c
gcc -c mixes.c && cacheprof gcc -o mixes mixes.o -ldl
check "... of two levels: refused" sh -c "./mixes 2>&1 | grep -q 'mixes objects of different levels'"

check "--trace is refused in a shared object" \
	sh -c "cacheprof --trace gcc -O1 -fPIC -shared -o x.so lib.c 2>&1 | grep -q 'executables only'"

# A thread that a library makes goes on in the midst of a function of the program, as TBB's do with suspended tasks.
cat >hop.c <<'END'
#include <pthread.h>
#include <ucontext.h>

static ucontext_t caller, other;
static char stack[65536];

static void *go_on(void *unused)
{
	setcontext(&caller);
	return unused;
}

static void park(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, go_on, NULL);
	for (;;)
		pthread_join(thread, NULL);
}

void hop(void)
{
	getcontext(&other);
	other.uc_stack.ss_sp = stack;
	other.uc_stack.ss_size = sizeof stack;
	makecontext(&other, park, 0);
	swapcontext(&caller, &other);
}
END
cat >hops.c <<'END'
#include <stdio.h>
#include <stdlib.h>

void hop(void);

static int data[1000];

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 1000; i++)
		data[i] = i;
	hop();
	for (int i = 0; i < 1000; i++)
		sum += data[i * 7 % 1000];
	printf("%ld\n", sum);
	exit(0);
}
END
hops() {
	for flags in -O2 "-O2 -fPIC"; do
		# shellcheck disable=SC2086
		cacheprof $1 gcc -O2 -fPIC -shared hop.c -o libhop.so -pthread &&
			cacheprof $1 gcc $flags hops.c -o hops ./libhop.so && [ "$(./hops)" = 499500 ] || return
	done
}
for how in --level2 --level1 --branch-sim=yes --self-check; do
	check "a library's thread goes on in the program $how" hops $how
done
finish
