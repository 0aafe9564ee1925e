# Planted code and the runtime, interrupted at every instruction by a handler. Where it refers to other sets than what
# it interrupts, that misses as often as alone; where it refers to the same, nothing is lost, and caches are sound behind
# it; and no line that is gone is taken for one that is there.
. "$(dirname "$0")/../tap.sh"
source=$TOP/tests/e2e/programs/steps.c

# counts WORD COLUMN...: of the lines of the source that end with that word, in profile
counts() {
	local word=$1
	shift
	awk -v columns="$*" -v lines="$(grep -n "/\* $word \*/$" "$source" | cut -d: -f1 | tr '\n' ' ')" '
		BEGIN { n = split(columns, column, " "); m = split(lines, line, " ") }
		/^fl=/ { ours = /steps\.c$/ }
		ours && /^[0-9]/ { for (i = 1; i <= n; i++) count[$1, i] += $column[i] }
		END { for (k = 1; k <= m; k++) { printf "%d:", line[k]; for (i = 1; i <= n; i++) printf " %d", count[line[k], i]; print "" } }' profile
}
executions=(2 5 8)
misses=(6 7 9 10)

# steps HOW OPTIONS: runs it so. All of these words have four letters, since the stack's place depends on it.
steps() {
	CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1:LL=1048576,16,64$2:out=profile timeout 100 ./steps "$1" >out || return 1
	counts work "${executions[@]}" >"$1.work"
	counts work "${misses[@]}" >"$1.missed"
	counts measured "${executions[@]}" "${misses[@]}" >"$1.measured"
	mv out "$1.out"
}

# sound OPTIONS
sound() {
	local how what
	steps none "$1" && grep -q ' 0$' none.out || return 1
	for how in same away; do
		steps $how "$1" && sed 's/ 1$/ 0/' $how.out | diff none.out - || return 1
		for what in work measured; do
			[ -s none.$what ] && diff none.$what $how.$what || { echo "$how: $what"; return 1; }
		done
	done
	grep -qv ': 0 0 0 0$' none.missed && diff none.missed away.missed
}
# everywhere FLAGS OPTIONS...
everywhere() {
	local flags=$1 options
	shift
	# shellcheck disable=SC2086
	check "builds $flags" cacheprof gcc -O2 $flags -o steps "$source"
	for options; do
		check "interrupted everywhere $flags $options" sound "$options"
	done
}
everywhere "" "" :simd=none :simd=avx2 :D1=49152,12,64 :D1=16384,4,64:simd=none :D1=32768,8,16 :D1=32768,8,32 :D1=65536,8,128 :LL=262144,4,64 :I1=4096,1,64
everywhere -fPIC "" :simd=none :simd=avx2
if processor_has avx512f; then
	everywhere "-O3 -mavx512f" "" :simd=none :simd=avx2
else
	skip "-mavx512f" "the processor has no AVX-512"
fi

# kept WAY LINE: in a direct-mapped D1, but for what an interruption itself may cost, turns miss as often as without.
kept() {
	local how wanted missed places interrupted
	for how in none same third late left; do
		CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1:D1=$1,1,$2:out=profile timeout 100 ./kept $how "$1" >out &&
			read -r places interrupted <out &&
			missed=$(awk '/^fn=/ { ours = /^fn=turns$/ } ours && /^[0-9]/ { n += $6 } END { print n + 0 }' profile) || return 1
		wanted=${wanted:-$missed}
		echo "$how: interrupted at $interrupted of $places, $missed of $wanted"
		[ "$places" -gt 100 ] && [ "$interrupted" -eq "$places" ] && [ "$missed" -gt $((places * 1900)) ] &&
			[ $((missed + places)) -ge "$wanted" ] || return 1
	done
}
for flags in "" -fPIC; do
	# shellcheck disable=SC2086
	gcc -O2 $flags -c "$TOP/tests/e2e/programs/interrupt.c"
	# shellcheck disable=SC2086
	check "builds $flags" cacheprof gcc -O2 $flags -o kept "$TOP/tests/e2e/programs/kept.c" interrupt.o
	for cache in "4096 64" "4096 128" "4096 32" "2048 64" "2048 128" "2048 32"; do
		# shellcheck disable=SC2086
		check "no line is kept that is gone, $cache $flags" kept $cache
	done
done
check "builds with branches" cacheprof --branch-sim=yes gcc -O2 -o steps "$source"
check "interrupted everywhere, branches" sound ""
finish
