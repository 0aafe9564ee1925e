# The plain simulator against traces whose outcome is worked out by hand, and against Cachegrind:
# fed with lackey's trace of a program it has Cachegrind's nine totals.
. "$(dirname "$0")/../tap.sh"
plainsim=$BUILD/tests/oracle/plainsim

# totals "I1 D1 LL" "NINE TOTALS" <trace
totals() {
	set -- $1 "$2"
	"$plainsim" --I1=$1 --D1=$2 --LL=$3 >out && [ "$(sed -n 's/^summary: //p' out)" = "$4" ] ||
		{ cat out; return 1; }
}

# refuses WORDS OPTION
refuses() {
	! "$plainsim" "$2" </dev/null 2>err >out && [ ! -s out ] && grep -qxF "plainsim: $1" err ||
		{ cat err; return 1; }
}

small="32,1,16 32,1,16 64,1,16" # two lines each, LL four
check "nothing" totals "$small" "0 0 0 0 0 0 0 0 0" </dev/null
check "hits, misses and the three kinds" totals "$small" "2 1 1 3 1 1 1 0 0" <<'END'
==123== of no interest
I  00,4
I  0c,4
 L 20,8
 S 28,8
 M 20,4
 L 2f,1
END
check "a straddle is one miss and installs both lines" totals "$small" "0 0 0 3 1 1 0 0 0" <<'END'
 L 1e,4
 L 10,1
 L 20,1
END
# Line 1 stays in D1, where it is used, and leaves LL, which does not see that. The straddle misses
# line 2 only, but LL is asked for both lines: the last reference finds line 1 there.
check "the whole reference goes to LL" totals "32,1,16 32,2,16 64,4,16" "0 0 0 12 9 6 0 0 0" <<'END'
 L 10,1
 L 30,1
 L 10,1
 L 40,1
 L 10,1
 L 50,1
 L 10,1
 L 60,1
 L 1e,4
 L 60,1
 L 50,1
 L 10,1
END
check "as wide as four lines" totals "32,1,16 64,1,16 128,1,16" "0 0 0 5 1 1 0 0 0" <<'END'
 L 40,64
 L 40,1
 L 50,1
 L 60,1
 L 70,1
END
check "least recently used goes" totals "32,1,16 32,2,16 1024,1,16" "0 0 0 5 4 3 0 0 0" <<'END'
 L 00,1
 L 10,1
 L 00,1
 L 20,1
 L 10,1
END
check "I1 and D1 share LL" totals "$small" "1 1 1 1 1 0 0 0 0" <<'END'
I  00,1
 L 00,1
END
check "an odd line" fails "$plainsim" <<<"L 1234"
check "an unknown option" fails "$plainsim" --L2=1,2,3
check "sets" refuses "D1: Cache set count is not a power of two." --D1=3000,2,64
check "line" refuses "I1: Cache line size is not a power of two." --I1=384,2,48
check "small line" refuses "LL: Cache line size is too small." --LL=1024,1,4
check "small cache" refuses "D1: Cache size <= line size." --D1=64,1,64

if ! command -v valgrind >/dev/null; then
	skip "against Cachegrind" "no valgrind"
	finish
fi
gcc -O1 -static -o program "$TOP/tests/oracle/programs/ordinary.c" || exit 1
counting="--vex-iropt-level=0 --vex-guest-chase=no"
valgrind --tool=lackey --trace-mem=yes --basic-counts=no $counting --log-file=trace \
	./program >/dev/null

# as_cachegrind I1 D1 LL
as_cachegrind() {
	valgrind -q --tool=cachegrind --cache-sim=yes $counting --I1=$1 --D1=$2 --LL=$3 \
		--cachegrind-out-file=cachegrind.out ./program >/dev/null &&
		totals "$*" "$(sed -n 's/^summary: //p' cachegrind.out)" <trace
}
check "Cachegrind's totals" as_cachegrind 32768,8,64 32768,8,64 8388608,16,64
check "Cachegrind's totals, small caches" as_cachegrind 1024,1,32 2048,4,32 16384,2,64
check "Cachegrind's totals, odd caches" as_cachegrind 49152,3,64 24576,12,128 131072,32,32
finish
