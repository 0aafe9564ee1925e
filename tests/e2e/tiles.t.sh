# AMX: a tile's move refers to each of its rows. (Only on processors that have it.)
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1
source=$TOP/tests/e2e/programs/tiles.c
flags="-O2 -mamx-tile -mamx-int8"

# counts COMMENT COLUMN: Ir (1), Dr (2) or Dw (3) of the line, at level 1
counts() {
	local line=$(grep -n "/\* $1 \*/" "$source" | cut -d: -f1)
	awk -v line="$line" -v column="$2" '/^fl=/ { here = /tiles\.c$/ } here && $1 == line { n += $(column + 1) }
		END { print n + 0 }' cacheprof.out
}

is() {
	[ "$(counts "$1" "$2")" = "$3" ] || { echo "$1: $(counts "$1" "$2"), not $3"; return 1; }
}

moves() {
	is accumulator 2 50 && is left 2 50 && is right 2 60 && is result 3 50
}

checked() {
	rm -f checked
	cacheprof --self-check gcc $flags "$@" "$source" -o checked && ./checked >out && diff native.out out
}

gcc $flags "$source" -o native
./native >native.out
if [ $? = 77 ]; then
	skip "tiles" "the processor or the kernel has no AMX"
else
	cacheprof --level1 gcc $flags "$source" -o ours && ./ours >ours.out
	check "prints the same" diff native.out ours.out
	check "rows are counted" moves
	check "the self-check finds no difference" checked
	check "nor with -fPIC" checked -fPIC
	check "nor without optimisation" checked -O0
fi
finish
