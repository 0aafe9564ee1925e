# A profile that cacheprof's runtime wrote: cacheprint understands all of it, and says the same as
# cg_annotate, which reads it without a warning.
. "$(dirname "$0")/../tap.sh"
cp "$TOP/examples/traverse.c" .

newer=$BUILD/real/valgrind/usr/bin/
plain() { tr -d , | tr -s ' ' ' ' | sed 's/^ //; s/ $//'; }

# level N: profiles the example at this level.
level() {
	cacheprof "--level$1" gcc -O -o traverse traverse.c && CACHEPROF_OPTIONS=quiet=1 ./traverse
}

# In all of these CG is the directory of cg_annotate, with a slash, or empty.
same_totals() {
	"$CG"cg_annotate --show-percs=no --auto=no cacheprof.out 2>warnings |
		sed -n 's/ PROGRAM TOTALS//p' | plain | tr ' ' '\n' >cg
	cacheprint | sed -n '/^  EVENT/,/^$/p' | plain | awk 'NR > 2 && NF { print $2 }' >ours
	[ -s cg ] && [ ! -s warnings ] && diff cg ours
}

same_lines() {
	"$CG"cg_annotate --show-percs=no --context=100000 cacheprof.out |
		awk '/source: |^The following|^-- Annotated source file: |^-- Annotation summary/ { on = /traverse\.c$/ } on && /^ *[.0-9]/' |
		grep -vE '<counts for|events annotated' | plain | sed 's/^\([.0-9 ]*\)/\1/' >cg
	cacheprint traverse.c | awk '/^--- Annotated source: / { on = 1 } /COVERAGE$/ { on = 0 } on' |
		grep -E '^ *[.0-9]' | grep -v ' ==== .* ====$' | plain >ours
	# A count that the runtime leaves out at the end of a line is "." to cg_annotate, 0 to us.
	diff <(tr . 0 <cg) <(tr . 0 <ours)
}

# The whole of a size table's row "TOTAL:" is what the program's table says.
sizes_add_up() {
	cacheprint >report && grep -q '^  SIZE  *RD-&-WR' report &&
		[ "$(awk '/^  TOTAL:/ { print $2; exit }' report)" = \
			"$(awk '/^  data / { print $2; exit }' report)" ]
}

for n in 1 2; do
	check "level $n: profile" level "$n"
	check "level $n: sizes add up" sizes_add_up
	check "level $n: no descriptions are left over" fails grep -q '^refs ' report
	if command -v cg_annotate >/dev/null; then
		CG=
		check "level $n: totals as cg_annotate" same_totals
		check "level $n: lines as cg_annotate" same_lines
	else
		skip "level $n: as cg_annotate" "valgrind is not installed"
	fi
	if [ -x "${newer}cg_annotate" ] && command -v python3 >/dev/null; then
		CG=$newer
		check "level $n: totals as the newer cg_annotate" same_totals
		check "level $n: lines as the newer cg_annotate" same_lines
	else
		skip "level $n: as the newer cg_annotate" "tests/real/newer-valgrind fetches it"
	fi
	check "level $n: all is annotated" bash -c "cacheprint traverse.c | tail -2 | grep -q '100.0%  annotated'"
done
if command -v cg_merge >/dev/null; then
	cp cacheprof.out again.out
	check "cg_merge" cg_merge -o merged.out cacheprof.out again.out
	check "cg_merge: twice the counts" bash -c 'diff <(cacheprint -f merged.out --csv) \
		<(cacheprint -f cacheprof.out -f again.out --csv)'
	check "cg_diff" bash -c 'cg_diff cacheprof.out again.out | grep -qx "summary: 0 0 0 0 0 0 0 0 0"'
else
	skip "cg_merge, cg_diff" "valgrind is not installed"
fi
finish
