# Branches: Bc and Bi of every function are Cachegrind's. Those mispredicted are so exactly where all
# that branches is instrumented, for the predictor knows branches by their addresses and remembers
# the others'; where libc is part of the program, its branches are in Cachegrind's history only.
. "$(dirname "$0")/../tap.sh"
here=$TOP/tests/oracle
programs=$here/programs

compare() {
	timeout 300 "$here/compare" --driver='cacheprof --branch-sim=yes' --expect="$programs/expected" "$@"
}

# no_difference FLAGS SOURCE...
no_difference() {
	local flags=$1
	shift
	# shellcheck disable=SC2086 # one word a flag
	cacheprof --self-check --branch-sim=yes gcc $flags -o program "$@" || return 1
	CACHEPROF_OPTIONS=quiet=1 timeout 100 ./program >out 2>err
	[ ! -s err ] || { head -n 20 err; return 1; }
}

bare="-nostdlib -ffreestanding -fno-stack-protector"
gcc -c "$programs/bare.S" -o bare.o || exit 1
levels=(-O0 -O1 -O2 -O3 -Os "-O2 -fno-omit-frame-pointer" "-O2 -fno-jump-tables"
	"-O2 -fcf-protection=none -mindirect-branch=thunk-inline")
for flags in "${levels[@]}"; do
	if command -v valgrind >/dev/null; then
		check "mispredicts, $flags" compare --fixed --misses=branches --cflags="$flags $bare" \
			--libs="$PWD/bare.o" "$programs/branches.c"
	fi
	check "self-check, $flags" no_difference "$flags" "$programs/branches.c"
	check "self-check of string instructions, $flags" no_difference "$flags" "$programs/rep.c"
done
for flags in -O0 -O2 "-O2 -fPIC" "-O2 -fPIC -pie -fno-plt" "-O2 -fPIC -static -no-pie -fno-plt"; do
	if command -v valgrind >/dev/null; then
		check "beside libc, $flags" compare --misses=1% --cflags="$flags" "$programs/ordinary.c"
	fi
	check "self-check, ordinary C $flags" no_difference "$flags" "$programs/ordinary.c"
done
for flags in -O2 "-O2 -fPIC -fno-plt" "-O2 -fPIC -mtls-dialect=gnu2" "-O2 -fPIC -static -no-pie" \
	"-O2 -fPIC -mcmodel=large"; do
	if command -v valgrind >/dev/null; then
		check "thread-local variables $flags" compare --cflags="$flags" "$programs/tls.c" \
			"$programs/tls_elsewhere.c"
	fi
done
for name in base unsupported avx2 forms; do
	case $name in
	avx2 | forms) processor_has avx2 fma bmi1 bmi2 movbe adx aes f16c || continue ;;
	esac
	if [ $name != unsupported ] && command -v valgrind >/dev/null; then
		check "rows: $name" compare --name=$name "$programs/rows.c" "$programs/$name.S"
	fi
	check "self-check, rows: $name" no_difference "" "$programs/rows.c" "$programs/$name.S"
done

# A loop without references has the history in a register. A handler's branches come in between.
cat >handler.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>

static volatile unsigned turns;
static void handle(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)info;
	for (unsigned i = 0; i < turns % 5; i++)
		turns ^= 8;
	turns++;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RCX] = 1;
}
__attribute__((noinline)) static unsigned divide(unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned quotient = i;

		if (i & 1)
			sum ^= i;
		__asm__ volatile("cltd\n\tdivl\t%1" : "+a"(quotient) : "c"(i % 16) : "edx", "cc");
		if (quotient & 4)
			sum += quotient;
	}
	return sum;
}
int main(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};

	sigaction(SIGFPE, &action, 0);
	return divide(3000) == 0;
}
END
in_register() {
	# shellcheck disable=SC2086 # one word a flag
	cacheprof --branch-sim=yes gcc $1 -SA -o handler.sA handler.c &&
		grep -A 10 'cacheprof: branch' handler.sA | grep -q "mov$tab%[a-z0-9]*,%[a-z0-9]*\$"
}
tab=$'\t'
for flags in -O2 "-O2 -fPIC"; do
	check "the history in a register, $flags" in_register "$flags"
	check "self-check, a handler between branches $flags" no_difference "$flags" handler.c
done

# The predictor is the process's: a branch of a shared object follows one of the program, and the other way
# round. (Not exactly: the loader's branches are in Cachegrind's history.)
mkdir shared
cat >shared/lib.c <<'END'
static volatile int steps;
__attribute__((noipa)) void lib_step(int go)
{
	if (go)
		steps++;
}
__attribute__((noipa)) int lib_either(unsigned x)
{
	if (x >> 20 & 1)
		steps--;
	return x >> 20 & 1;
}
__attribute__((noipa)) void lib_call(void (*f)(int), int n)
{
	f(n);
}
END
cat >shared/main.c <<'END'
void lib_step(int go);
int lib_either(unsigned x);
void lib_call(void (*f)(int), int n);
static volatile int steps;
__attribute__((noipa)) static void up(int n)
{
	steps += n;
}
__attribute__((noipa)) static void down(int n)
{
	if (n & 1)
		steps -= n;
}
int main(void)
{
	unsigned x = 1;

	for (int i = 0; i < 20000; i++) {
		x = x * 1103515245 + 12345;
		if (x >> 16 & 1)
			steps++;
		lib_step(x >> 16 & 1);
		if (lib_either(x))
			steps++;
		lib_call(x >> 24 & 1 ? up : down, i);
	}
	return 0;
}
END
recipe='$CC $CFLAGS -fPIC -shared -o lib.so lib.c && $CC $CFLAGS -o main main.c ./lib.so && $CC $CFLAGS -fPIC -o pic main.c ./lib.so'
for program in main pic; do
	for flags in -O1 "-O2 -fno-plt"; do
		check "a shared object, $program $flags" compare --misses=1% --cflags="$flags" \
			--dir=shared --make="$recipe" --program=$program
	done
done

totals() {
	cacheprof "$@" --branch-sim=yes gcc -O2 "$programs/branches.c" -o program &&
		CACHEPROF_OPTIONS=out=profile ./program 2>err
	grep -E 'Branches|Mispredicts|Mispred rate' err
}
mixed() {
	cacheprof --branch-sim=yes gcc -c "$programs/rows.c" -o one.o &&
		cacheprof gcc -c "$programs/base.S" -o other.o &&
		cacheprof gcc one.o other.o -o program && ! ./program 2>err &&
		grep -q 'mixes objects of different --branch-sim;' err
}
check "objects with and without are not mixed" mixed
printed() {
	totals >lines && [ "$(wc -l <lines)" = 3 ] && grep -q '^events: .* Bc Bcm Bi Bim$' profile &&
		cacheprint profile | grep -q Bcm
}
check "totals, profile and cacheprint" printed
finish
