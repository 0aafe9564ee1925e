# The table of the real programs: writing it loses no row, and each row says on which processor it ran.
. "$(dirname "$0")/../tap.sh"
mkdir tests && cp -r "$TOP/tests/real" tests/real
results=tests/real/RESULTS.md
row="| lua | -O2 | scripts | 1 line | same | 1 | - | - | - | 1.00 | 2.00 (2.0) | 2000-01-01 | - | This One |"

written() {
	BUILD=$T/build tests/real/run --results
}

rows() {
	grep '^|' "$results"
}

# unlike: rows with more or fewer columns than the head of their table, or with no processor.
unlike() {
	awk -F ' *[|] *' '/^[|] (program|suite) / { n = NF } /^[|]/ && (NF != n || $(NF - 1) == "")' "$results" |
		grep .
}

rows >before
written
check "a clone that ran nothing keeps all rows" diff before <(rows)
check "... of programs and of suites" grep -q '^| csmith |' "$results"
check "every row has its processor" fails unlike

check "a program behind --results, which would not be run, is refused" \
	fails env BUILD="$T/build" tests/real/run --results lua

echo "$row" >build/real/rows/lua
written
check "what was run here stands in place of what the table had" test "$(grep '^| lua |' "$results")" = "$row"
check "... and the rest stays" diff <(grep -v '^| lua |' before) <(rows | grep -v '^| lua |')

# skipped PROGRAM: for want of a network
skipped() {
	MIRROR=file:/nonexistent BUILD=$T/build tests/real/run "$1" | grep ' | skipped: '
}
check "a program that is skipped" skipped lua
check "... keeps its rows" test "$(cat build/real/rows/lua)" = "$row"

sed -i '/^| zlib | -O0 /s/ |[^|]*|$/ |  |/' "$results"
check "a row without processor is seen" unlike
finish
