# Our counts against Cachegrind's, function by function: each kind of instruction,
# ordinary C as compilers make it at each -O, and misses where they can be compared exactly.
# Where ours differ on purpose, programs/expected says so.
. "$(dirname "$0")/../tap.sh"
here=$TOP/tests/oracle
programs=$here/programs

compare() {
	"$here/compare" --expect="$programs/expected" "$@"
}

# rows NAME FLAG...: the rows of NAME.S, if the processor has all flags
rows() {
	local name=$1 option
	shift
	for option in "" --fixed; do
		if processor_has "$@"; then
			check "rows: $name${option:+ $option}" compare $option $no_oracle \
				--name="$name" "$programs/rows.c" "$programs/$name.S"
		else
			skip "rows: $name${option:+ $option}" "this processor lacks one of: $*"
		fi
	done
}

if ! command -v valgrind >/dev/null; then
	skip "oracle" "no valgrind"
	finish
fi
no_oracle=
rows base
rows avx2 avx2 fma bmi1 bmi2 movbe
rows forms avx2 fma bmi1 bmi2 movbe adx aes pclmulqdq f16c
no_oracle=--no-oracle
rows unsupported
rows avx512 avx512f avx512vl avx512bw avx512dq

v3=
if processor_has avx2 fma bmi2; then v3="-O3 -march=x86-64-v3"; fi
for flags in -O0 -O1 -O2 -O3 -Os "-O2 -fPIC -pie -fno-plt" \
	"-O1 -mno-red-zone -fno-omit-frame-pointer" \
	"-Og -fcf-protection=none -fstack-protector-all" "-O2 -static -no-pie -mcmodel=medium" \
	"-O0 -falign-labels=512" "-O2 -falign-labels=256" "$v3"; do
	if [ "$flags" ]; then
		check "ordinary C $flags" compare --cflags="$flags" "$programs/ordinary.c"
	fi
done
# Without --expect: compare itself knows these.
cat >parts.c <<'END'
static const float from[16] __attribute__((aligned(32)));
#define INSTRUCTION(name, instruction)                                                             \
	__attribute__((noinline)) static void name(int n)                                          \
	{                                                                                          \
		for (int i = 0; i < n; i++)                                                        \
			__asm__ volatile(instruction : : "m"(from[i & 7]) : "xmm0", "xmm1");       \
	}
INSTRUCTION(low_floats, "vcvtps2pd %0, %%xmm0")
INSTRUCTION(floats, "vcvtps2pd %0, %%ymm0")
INSTRUCTION(low_doubles, "vmovddup %0, %%ymm0")
INSTRUCTION(halves, "vperm2f128 $0x21, %0, %%ymm0, %%ymm1")
INSTRUCTION(integers, "vperm2i128 $0x31, %0, %%ymm0, %%ymm1")
int main(void)
{
	low_floats(100), floats(90), low_doubles(80), halves(70), integers(60);
}
END
if [ "$v3" ]; then
	for flags in -O0 -O2; do check "what Cachegrind reads in parts $flags" "$here/compare" --cflags="$flags" parts.c; done
else
	skip "what Cachegrind reads in parts" "this processor lacks one of: avx2 fma bmi2"
fi
for flags in -O0 -O2 "-O3 -fPIC"; do
	check "C++ $flags" compare --cc=g++ --cflags="-std=c++17 $flags" "$programs/classes.cc"
done

# Handlers of exceptions, which are in main.cold.
cat >caught.cc <<'END'
#include <stdexcept>
#include <string>
static int n;
int main()
{
	for (int i = 0; i < 10; i++) {
		try { n += std::stoi(i & 1 ? "x" : "3"); } catch (std::exception &) { __sync_fetch_and_add(&n, i); }
		try { n += std::string("abc").at(i); } catch (std::exception &) { __sync_fetch_and_xor(&n, i); }
		try { try { if (n & 1) throw n; } catch (long) { n++; } } catch (int &k) { __sync_fetch_and_add(&n, k); }
	}
	return n & 1;
}
END
check "what Cachegrind counts in handlers" "$here/compare" --cc=g++ caught.cc

# Line by line: among others padding that is run through, and code that has no line.
check "ordinary C by line -O3" compare --by=line --cflags=-O3 "$programs/ordinary.c"
random=$TOP/tests/e2e/random_c
gcc -O1 -o generate "$random/generate.c" || exit 1
by_line() {
	for unit in a b; do ./generate "$1" "$2" $unit >$unit.$3 || return; done
	"$here/compare" --by=line --cc="$2" --cflags="-w -I$random $(./generate "$1" "$2" flags)" a.$3 b.$3 "$random/main.c"
}
for seed in ${v3:+"257 gcc c"} "328 g++ cc"; do
	# shellcheck disable=SC2086 # words
	check "random_c's seed $seed by line" by_line $seed
done

for flags in -O2 "-O2 -fPIC" "-O0 -fPIC" "-O2 -fPIC -fno-plt" "-O2 -fPIC -mtls-dialect=gnu2" \
	"-O2 -fPIC -rdynamic" "-O2 -fPIC -fno-plt -rdynamic" "-O2 -fPIC -static -no-pie" \
	"-O2 -fPIC -mcmodel=large" "-O0 -fPIC -mcmodel=large" "-O2 -fPIC -mcmodel=large -rdynamic"; do
	check "thread-local variables $flags" compare --cflags="$flags" "$programs/tls.c" \
		"$programs/tls_elsewhere.c"
done

for flags in -O0 "-O2 -fno-plt" "-O2 -fPIC -fno-plt -masm=intel" "-O2 -fno-plt -static" "-O2 -fno-plt -Wl,--no-relax"; do
	check "places in the GOT $flags" compare --cflags="$flags" "$programs/got.c"
done
cat >own.c <<'END'
int daemon(int a, int b) { return a + b; }
END
cat >calls.c <<'END'
int daemon(int a, int b);
int main(void)
{
	int (*volatile call)(int, int), sum = 0;
	for (int i = 0; i < 100; i++)
		call = daemon, sum += daemon(i, 1) + call(2, i);
	return !sum;
}
END
for flags in -O0 "-O2 -fno-plt" "-O2 -fno-plt -rdynamic"; do
	check "places in the GOT of the program's own $flags" compare --cflags="$flags" calls.c own.c
done

# Valgrind 3.19 reads no symbols of a file whose .bss needs a segment of its own.
for flags in -O0 -O1 -O2 -O3; do
	check "misses $flags" compare --fixed --misses=exact --only=^measured \
		--cflags="$flags -Wl,-z,max-page-size=0x100000" "$programs/misses.c"
done
finish
