# Programs that others wrote, by the thousand: each is built natively and with cacheprof and run, and both
# must print the same and end with the same status. Sourced by scripts that hold such programs, of which
# each calls itself: `--one LEVEL FILE`, through table_row, for one of them.
#
# A program is left out when it does not build or takes too long natively, or when what it prints
# differs from one native run to the next (addresses). $most: the seconds it may take, $ours_most: those that
# the instrumented one may. Natively it gets the -g1, too, that cacheprof adds: some print their options.
most=10 ours_most=1000 go_on=
BUILD=$(realpath "${BUILD:-$here/../../build}")
export PATH="$BUILD/bin:$PATH" LC_ALL=C
libraries="-lm -Wl,--as-needed -latomic"

# run_twice: 0 if ./native ends in time and prints the same twice; its status in $native.
run_twice() {
	timeout "$most" ./native >native.out 2>/dev/null </dev/null
	native=$?
	[ $native -ne 124 ] || return 1
	timeout "$most" ./native 2>/dev/null </dev/null | cmp -s - native.out
}

# same_as_native "CACHEPROF" COMPILER ARGUMENT..., in an empty directory: same, left or how it differs.
same_as_native() {
	local cacheprof=$1 ours
	shift
	# shellcheck disable=SC2086 # a list of words
	timeout 60 "$1" -g1 "${@:2}" -o native $libraries >/dev/null 2>&1 </dev/null && run_twice || { echo left; return; }
	# shellcheck disable=SC2086
	timeout 300 $cacheprof "$@" -o ours $libraries >log 2>&1 </dev/null ||
		{ echo "does not build: $(grep -v warning log | head -n 1)"; return; }
	CACHEPROF_OPTIONS=quiet=1 timeout "$ours_most" ./ours >ours.out 2>ours.err </dev/null
	ours=$?
	if grep -qs '==cacheprof== self-check' ours.err; then
		echo "self-check: $(grep '==cacheprof== self-check' ours.err | head -n 1)"
	elif [ $ours -ne $native ]; then
		echo "status $ours, natively $native"
	elif ! cmp -s native.out ours.out; then
		echo "prints something else"
	elif [ $ours -eq 0 ] && ! grep -qs '^summary: [1-9]' cacheprof.out; then
		echo "no profile"
	else
		echo same
	fi
}

# one LEVEL FILE: a line "verdict<tab>level<tab>file" of what judge LEVEL FILE says.
one() {
	local work
	work=$(mktemp -d)
	(cd "$work" && printf '%s\t%s\t%s\n' "$(judge "$@")" "$1" "$2")
	rm -rf "$work"
}

table_head() {
	echo "| suite | level | same | left out | different | of |"
	echo "| --- | --- | --- | --- | --- | --- |"
}

# table_row SUITE LEVEL OF: of the files named on standard input, which are all or a part OF what there is;
# what differs is named on standard error. With $go_on, what the last run found to be the same is not run
# again.
table_row() {
	local log=$BUILD/real/$1${2// /}.log kept=
	if [ "$go_on" ]; then kept=$(grep -s '^same	' "$log"); fi
	echo -n "${kept:+$kept$'\n'}" >"$log"
	awk -F '\t' 'FILENAME != "-" { kept[$3]; next } !($0 in kept)' "$log" - |
		xargs -r -d '\n' -P 2 -n 1 "$0" --one "$2" >>"$log"
	awk -F '\t' -v suite="$1" -v level="$2" -v of="$3" '{ n[$1 == "same" || $1 == "left" ? $1 : "other"]++ }
		END { printf "| %s | %s | %d | %d | %d | %s |\n", suite, level, n["same"], n["left"], n["other"], of }' \
		"$log"
	! grep -vE '^(same|left)	' "$log" >&2
}
