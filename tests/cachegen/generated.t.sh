# What cachegen writes, for many geometries: compiles as the runtime compiles it, without a warning
# and without needing anything from outside, and has every reference's outcome in common with a
# plain LRU.
. "$(dirname "$0")/../tap.sh"
warnings="-Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Werror"
runtime_flags="-O2 -ffreestanding -fPIC -fvisibility=hidden -mgeneral-regs-only"

gcc -std=gnu17 -O2 $warnings -I"$TOP" -c -o against_lru.o "$TOP/tests/cachegen/against_lru.c" ||
	exit 1

# simulates SIZE LINE ASSOC
simulates() {
	local references=100000
	if [ "$3" -gt 64 ]; then references=5000; fi
	cachegen "$@" >doref.c &&
		gcc -std=gnu17 $runtime_flags $warnings -I"$TOP" -c -o doref.o doref.c &&
		[ -z "$(nm -u doref.o)" ] &&
		gcc -o against against_lru.o doref.o &&
		./against "$@" $references
}

for size in 1024 4096 32768 262144 8388608; do
	for line in 8 16 32 64 128; do
		for assoc in 1 2 4 8; do
			check "$size $line $assoc" simulates $size $line $assoc
		done
	done
done
check "three ways" simulates 3072 32 3
check "six ways" simulates 24576 64 6
check "twelve ways" simulates 49152 64 12
check "sixteen ways" simulates 1048576 64 16
check "twenty ways" simulates 20971520 64 20
check "a hundred ways" simulates 12800 128 100
check "fully associative" simulates 1024 16 64
check "fully associative, 512 ways" simulates 32768 64 512
check "two lines, one set" simulates 256 128 2
check "two lines, two sets" simulates 256 128 1
check "64 megabytes" simulates 67108864 64 16

cachegen 32k 64 8 >doref.c
check "the committed default is what cachegen writes" cmp doref.c "$TOP/runtime/cachesim_doref.c"
finish
