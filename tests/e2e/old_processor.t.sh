# Processors without AVX, and with no more than AVX2, as qemu has them: nothing that they lack is used, also where
# vector registers are looked at.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1
programs=$TOP/tests/oracle/programs
if ! command -v qemu-x86_64 >/dev/null; then
	skip "processors without AVX" "there is no qemu-x86_64"
	finish
fi

# Stores the bytes that a mask in a vector register names: which these are is looked at when it is executed.
cat >masked.c <<'C'
#include <emmintrin.h>
#include <stdio.h>
static _Alignas(64) char to[4096];
int main(void)
{
	for (int i = 0; i < 64; i++)
		_mm_maskmoveu_si128(_mm_set1_epi8('a'), _mm_set_epi64x(i & 1 ? -1 : 0, 0x8000800080ul << i % 3 * 8), to + 61 * i);
	for (int i = 0; i < 4096; i += 8)
		putchar(to[i] ? to[i] : '.');
	return 0;
}
C
# like_native PROCESSOR SOURCE OPTION...
like_native() {
	local processor=$1 source=$2
	shift 2
	gcc -O2 "$source" -o native && ./native >native.out || return 1
	cacheprof "$@" gcc -O2 "$source" -o ours || return 1
	qemu-x86_64 -cpu "$processor" ./ours >ours.out 2>err || { cat err; return 1; }
	! grep -v "warning: TCG doesn't support" err && diff native.out ours.out && [ -s cacheprof.out ]
}
for processor in core2duo Nehalem Haswell; do
	for source in "$programs/misses.c" masked.c; do
		check "$processor, $(basename "$source")" like_native $processor "$source"
		check "... self-check" like_native $processor "$source" --self-check
		check "... with branches" like_native $processor "$source" --self-check --branch-sim=yes
	done
done
finish
