# The self-check over a grid of geometries of I1 and D1, given when the program starts, with what the
# slow paths have for each kind of processor. Programs are compiled once.
. "$(dirname "$0")/../tap.sh"
programs=$TOP/tests/oracle/programs

processor_has() {
	local flag
	for flag; do grep -qw "$flag" /proc/cpuinfo || return 1; done
}

cacheprof --self-check gcc -O2 -o ordinary "$programs/ordinary.c" || exit 1
cacheprof --self-check gcc -O2 -fPIC -pie -fno-plt -o shared "$programs/ordinary.c" || exit 1
cacheprof --self-check gcc -O1 -o misses "$programs/misses.c" || exit 1
cacheprof --self-check gcc -o base "$programs/rows.c" "$programs/base.S" || exit 1

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
			no_difference "simd=$3:I1=$1,$2,$line:D1=$1,$2,$line" ordinary shared base || return 1
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
done
finish
