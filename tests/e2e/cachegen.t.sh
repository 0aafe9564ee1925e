# cachegen's command line, and the generated file as a program that reads a din trace.
. "$(dirname "$0")/../tap.sh"

# status CODE COMMAND...
status() {
	local want=$1 got
	shift
	"$@" >out 2>err
	got=$?
	[ "$got" -eq "$want" ] || {
		echo "status $got"
		cat err
		return 1
	}
}

# refuses WORDS ARGUMENT...
refuses() {
	local words=$1
	shift
	status 1 cachegen "$@" && [ ! -s out ] && [ "$(cat err)" = "cachegen: $words" ]
}

check "no arguments: usage" status 2 cachegen
check "two arguments: usage" status 2 cachegen 32768 64
check "not a number: usage" status 2 cachegen 32768 64 eight
check "too large: usage" status 2 cachegen 4096M 64 8
check "a full disk" status 1 bash -c 'cachegen 32k 64 8 >/dev/full'
check "--help" status 0 cachegen --help
check "--list" status 0 cachegen --list
check "--list: one machine a line" grep -qx 'k6-2  *32k,2,32  *32k,2,32  *512k,1,32  *AMD K6-2.*' out
check "--list: LL as it is simulated" grep -qE '^alder-lake .* 48k,12,64 +30M,15,64 ' out
check "--list: a full disk" status 1 bash -c 'cachegen --list >/dev/full'
check "--help: a full disk" status 1 bash -c 'cachegen --help >/dev/full'
check "--version" grep -qx "cachegen $(cat "$TOP/VERSION")" <(cachegen --version)
check "sets no power of two" refuses "Cache set count is not a power of two." 3000 64 8
check "no ways" refuses "Cache set count is not a power of two." 32768 64 0
check "line no power of two" refuses "Cache line size is not a power of two." 384 48 2
check "line too small" refuses "Cache line size is too small." 1024 4 1
check "one line only" refuses "Cache size <= line size." 64 64 1
cachegen 32k 64 8 >k
cachegen 32768 64 8 >plain
check "suffixes" cmp k plain

# misses GEOMETRY "REFS MISSES" <trace: the numbers that the program prints
misses() {
	cachegen $1 >sim.c && gcc -Wall -Wextra -Werror -DCACHESIM_MAIN -I"$TOP" -o sim sim.c &&
		./sim >out && [ "$(sed 's/[^0-9]\+/ /g; s/^ //; s/ $//' out | paste -sd' ')" = "$2" ] ||
		{ cat out; return 1; }
}
# Direct-mapped, two lines of 16 bytes: 0 and 20 share a set.
cat >trace <<'END'
0 0 first line: a miss
1 c 4
0 20 takes its place
0 0
2 400000 an instruction: no data
0 1e 4 straddles into 20: one miss
0 10 8
END
check "a din trace" misses "32 16 1" "6 5 1 4 4 0" <trace
check "two ways" misses "64 16 2" "6 5 1 3 3 0" <trace
check "an empty trace" misses "32 16 1" "0 0 0 0 0 0" </dev/null
check "a long comment" misses "32 16 1" "1 1 0 1 1 0" <<<"0 10 4 $(printf %248s)0 20 4"
check "no din record" status 1 ./sim <<<"hello"
check "a trace that cannot be read" status 1 ./sim <.
check "counts that cannot be written" status 1 bash -c './sim </dev/null >/dev/full'
finish
