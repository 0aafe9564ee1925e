# The benchmarks: bench/run measures, here at tiny sizes, and bench/report makes tables and pictures of it.
# No time is asserted, of what was measured only that it is there; the report's arithmetic is tried on
# measurements that are made up.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS ROUNDS CACHEGRIND_ROUNDS
if ! command -v python3 >/dev/null; then
	skip "the benchmarks" "no python3"
	finish
fi

# has FILE WORDS: a line of the file begins with them.
has() {
	awk -v words="$2" 'index($0, words) == 1 { found = 1 } END { exit !found }' "$1"
}
is_xml() {
	python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' "$1"
}

check "one program, threads, cacheprint and what grows, tiny" \
	env WORK="$T/tiny" timeout 300 "$TOP/bench/run" --quick matmul threads print growth
ways="native level1 level2 branches"
if processor_has avx512bw; then
	ways+=" no-avx512"
else
	check "... and that there is no AVX-512" grep -q "^- What is without AVX-512: " tiny/RESULTS.md
	check "... so that its figure is not reached" grep -q "^| without AVX-512 / with.* | - | not measured" tiny/RESULTS.md
fi
for way in $ways; do
	check "... seconds of $way" grep -qE "^seconds	matmul	-O2	$way	1	0\.0*[1-9]" tiny/measurements
done
if command -v valgrind >/dev/null; then
	check "... and of Cachegrind" grep -q "^seconds	matmul	-O2	cachegrind	" tiny/measurements
else
	check "... and that there is no Cachegrind" grep -q "^- Cachegrind: " tiny/RESULTS.md
fi
check "a row for each set of flags" test "$(grep -c '^| matmul | -O' tiny/RESULTS.md)" -ge 4
check "what was not measured is said so" \
	has tiny/RESULTS.md "| cacheprof gcc -O2 -c sqlite3.c / gcc | <= 1.6 | - | not measured"
check "the bars are XML" is_xml tiny/RESULTS.svg
check "the lines are XML" is_xml tiny/GROWTH.svg
for axis in memory functions threads compile-functions assemble-statements cacheprint; do
	check "what grows: $axis" test "$(grep -c "^growth	$axis	" tiny/measurements)" -ge 5
done
# Tools that are not there are named in the report.
without() {
	mkdir tools && cp -as /usr/bin/. tools && rm -f tools/perf tools/valgrind &&
		PATH=$T/tools WORK=$T/without timeout 300 "$TOP/bench/run" --quick print
}
check "cacheprint, without perf and Valgrind" without
check "... perf is said to be missing" has without/RESULTS.md "- Where the time goes: no perf is installed"
check "... and Valgrind" has without/RESULTS.md "- Cachegrind: no Valgrind is installed"
check "a name that is none is refused" fails env WORK="$T/none" "$TOP/bench/run" --quick nonesuch

# row KIND SUBJECT FLAGS WAY X VALUE
row() {
	(IFS=$'\t' && echo "$*")
}
# Three rounds, of which the second is slow for all; the ratios are 2, 3, 2.5 and 10, 12, 10.
made_up() {
	row host processor - - - "a <processor> & more"
	for word in processors load gcc Valgrind cacheprof rounds; do row host $word - - - 3; done
	row host "Cachegrind rounds" - - - 2
	paste <(printf '1\n4\n2\n') <(printf '2\n12\n5\n') <(printf '10\n48\n20\n') | cat -n |
		while read -r round native level2 cachegrind; do
			row seconds 'a<b' -O2 native "$round" "$native"
			row seconds 'a<b' -O2 level2 "$round" "$level2"
			row seconds 'a<b' -O2 cachegrind "$round" "$cachegrind"
			row seconds quick -O2 native "$round" "$native"
			row seconds quick -O2 level2 "$round" "$native"
		done
	for x in 1 2 3 4; do row growth memory -O2 level2 $x $((x * x)); done
	for x in 1 2 3 4; do row growth threads -O2 level2 $x $((10 + 3 * x)); done
	# Two rounds: the median is between them.
	for way in native level2; do
		for seconds in 1 2; do row threads.elapsed far -O2 $way 1 $seconds; done
		for seconds in 1 3; do row threads.elapsed far -O2 $way 2 $seconds; done
		for seconds in 1 2; do row threads.seconds far -O2 $way 1 $seconds; done
		for seconds in 2 5; do row threads.seconds far -O2 $way 2 $seconds; done
		for seconds in 20 30; do row compile sqlite3.c -O2 $way - $seconds; done
	done
	row skipped lua - - - "no network"
	row skipped "perf of lua" - - - "a tab	and more"
}
made_up >measurements
check "a report of made-up measurements" "$TOP/bench/report" measurements "$T"
check "medians of ratios in the same round, least and greatest" \
	has RESULTS.md "| a<b | -O2 | 2.00 | - | 2.50 [2.00 3.00] | 10.00 [10.00 12.00] | 4.00 [4.00 5.00] |"
check "the geometric mean" has RESULTS.md "| level 2, geometric mean | <= 2.3 | 1.58 (2 measured) | yes |"
check "the worst" has RESULTS.md "| level 2, worst program | <= 4.0 | 2.50 (a<b -O2) | yes |"
check "what is not reached" has RESULTS.md "| Cachegrind / level 2, geometric mean | >= 6 | 4.00 (1 measured) | **no** |"
check "the median of two rounds, of threads" \
	has RESULTS.md "| far | level 2 | 1.67 [1.33 2.00] | 1.12 |"
check "... and of what is reached by them" \
	has RESULTS.md "| throughput of two threads, by one, least | >= 1.8 | 1.67 (far) | **no** |"
check "... of tools" has RESULTS.md '| `gcc -O2 -c sqlite3.c` | 25.00 | 20.00 30.00 |'
check "how many rounds, and how many of Cachegrind" has RESULTS.md "3, of Cachegrind 2. "
check "a curve is off the line" grep -qE '^\| touch: .* \| [1-9][0-9] % \|$' RESULTS.md
check "a line is not" grep -qE '^\| threads.* \| 0 % \|$' RESULTS.md
check "what was left out, and why" has RESULTS.md "- lua: no network"
check "... with a tab in it" has RESULTS.md "- perf of lua: a tab"
check "names are escaped in the picture" grep -q 'a&lt;b' RESULTS.svg
check "... which is XML" is_xml RESULTS.svg
finish
