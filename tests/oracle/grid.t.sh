# The self-check over a grid of geometries of I1 and D1, given when the program starts, with what the
# slow paths have for each kind of processor. Programs are compiled once.
. "$(dirname "$0")/../tap.sh"
programs=$TOP/tests/oracle/programs

cacheprof --self-check gcc -O2 -o ordinary "$programs/ordinary.c" || exit 1
cacheprof --self-check gcc -O2 -fPIC -pie -fno-plt -o shared "$programs/ordinary.c" || exit 1
cacheprof --self-check gcc -O1 -o misses "$programs/misses.c" || exit 1
cacheprof --self-check gcc -o base "$programs/rows.c" "$programs/base.S" || exit 1
cacheprof --self-check gcc -O1 -o many "$programs/many.c" || exit 1
cacheprof --self-check gcc -O1 -o deep "$programs/deep.c" || exit 1
cacheprof --self-check gcc -O1 -DMOST=70 -o deeper "$programs/deep.c" || exit 1
cacheprof --self-check gcc -O1 -o rep "$programs/rep.c" || exit 1
# Low addresses: lines whose numbers are smaller than the number of LL's sets.
cacheprof --self-check gcc -O1 -static -no-pie -o low "$programs/misses.c" || exit 1
for first in 0 1 3; do
	cacheprof --self-check gcc -O1 -DFIRST=$first -DTHREADS=0 -o null$first "$programs/null.c" || exit 1
done
cacheprof --self-check gcc -O1 -DFIRST=0 -DTHREADS=4 -o nulls "$programs/null.c" || exit 1

# no_difference OPTIONS PROGRAM...
no_difference() {
	local program
	for program in "${@:2}"; do
		CACHEPROF_OPTIONS=quiet=1:$1 "./$program" >out 2>err && [ ! -s err ] || {
			echo "$program, $1"
			head -n 20 err
			return 1
		}
	done
}

# every_line SIZE WAYS PATHS: with each line of which such a cache can be made.
every_line() {
	local line
	for line in 16 32 64 128; do
		if [ $(($1 / $2 / line)) -gt 0 ] && [ "$1" -gt $line ]; then
			no_difference "simd=$3:I1=$1,$2,$line:D1=$1,$2,$line" ordinary shared base rep || return 1
		fi
	done
}

paths="none avx2 avx512"
processor_has bmi1 bmi2 || paths="none"
processor_has avx512f avx512bw || paths=${paths% avx512}
for path in $paths; do
	for size in 1024 4096 32768 262144 8388608; do
		for ways in 1 2 4 8 16; do
			check "simd=$path, $size bytes, $ways ways" every_line $size $ways $path
		done
	done
	for cache in 32768,8,64 49152,12,64 262144,16,64 4096,1,64 4096,4,32; do
		check "simd=$path, $cache, misses" no_difference "simd=$path:I1=$cache:D1=$cache" misses
	done
	for cache in 16k,4 24k,6 8k,2 20k,5 36k,9 52k,13 64k,16 64k,8 64k,1 128k,16 68k,17; do
		check "simd=$path, D1=$cache,64" no_difference "simd=$path:D1=$cache,64" misses shared many
	done
	for cache in 4k,1 48k,12 12k,3 64k,16; do
		for ll in 64k,1 1152k,18 2M,32 960k,15 2432k,38; do
			check "simd=$path, D1=$cache,64, LL=$ll,64" \
				no_difference "simd=$path:D1=$cache,64:LL=$ll,64" misses many deep
		done
	done
	for cache in 8M,8,64 8M,1,64 6M,12,64 20M,20,64 30M,15,64 34M,17,64 62M,31,64 33M,33,64 304M,38,64 65M,65,64 128M,16,64 \
		2048M,16,64 32k,1,64 8M,16,128 1280k,20,128 1M,16,32; do
		check "simd=$path, LL=$cache" no_difference "simd=$path:LL=$cache" misses shared low
	done
	# Of four ways at least, which the handler's own references do not fill.
	for cache in 32k,8,64 48k,12,64 36k,9,64 128k,16,64 32k,4,64 1k,16,64 2k,8,64 32k,8,32 32k,8,16 64k,8,128; do
		check "simd=$path, D1=$cache, line 0" no_difference "simd=$path:D1=$cache" null0 null1 null3 nulls
	done
	for ll in 1M,16,32 1M,16,128 32M,32,64 65M,65,64 1M,16,64:pages=first-touch; do
		check "simd=$path, LL=$ll, line 0" no_difference "simd=$path:LL=$ll" null0 null1 null3
	done
	# By numbers of pages, where LL is a map and where it may not be one.
	for ll in 1M,16,64 512k,16,64 2M,16,128; do
		for cache in 32k,8 32k,4 48k,12; do
			check "simd=$path, D1=$cache,64, LL=$ll by pages" \
				no_difference "simd=$path:D1=$cache,64:LL=$ll:pages=first-touch" many deep
		done
	done
	for cache in 8M,16,64 1M,16,64 10M,20,64 4M,8,64; do
		check "simd=$path, each way of LL=$cache" no_difference "simd=$path:LL=$cache" deep
	done
	for cache in 16M,32,64 16896k,33,64 19M,38,64 24M,48,64 32M,64,64 33280k,65,64; do
		check "simd=$path, each way of LL=$cache" no_difference "simd=$path:LL=$cache" deeper
	done
done

# Valgrind's processor has AVX2 and no AVX-512; of its own it warns about our unwind information.
with_avx2_only() {
	local program
	for program; do
		CACHEPROF_OPTIONS=quiet=1:LL=1048576,16,64 valgrind -q --tool=none "./$program" >out 2>err || return 1
		! grep -v 'DWARF2 CFI reader: unhandled DW_OP_' err || return 1
	done
}
if command -v valgrind >/dev/null && processor_has avx2; then
	check "AVX2 only" with_avx2_only ordinary shared misses many
else
	skip "AVX2 only" "no valgrind, or no AVX2"
fi
finish
