# Programs that others wrote, by the thousand: each is built natively and with cacheprof and run, and both
# must print the same and end with the same status. Sourced by scripts that hold such programs, of which
# each calls itself: `--one LEVEL FILE`, through table_row, for one of them.
#
# A verdict is "same" (or "same: " and what is special about it), "left: " and why, or how they differ.
# Left out is what does not build or takes too long natively. Where native runs print one thing and another
# (addresses), only the status is compared. $most: the seconds that a native run may take, $ours_most:
# those that the instrumented one may. Natively a program gets the -g1, too, that cacheprof adds: some
# print their options.
most=10 ours_most=1000 go_on=
BUILD=$(realpath "${BUILD:-$here/../../build}")
export PATH="$BUILD/bin:$PATH" LC_ALL=C
libraries="-lm -Wl,--as-needed -latomic"

# run_for SECONDS PROGRAM: by a name that both have, for programs that print it; 124: it takes longer.
run_for() {
	timeout "$1" bash -c 'exec -a ./program "$0"' "$2" </dev/null
}

# native_status: of ./native, whose output goes to native.out; 124: it takes too long.
native_status() {
	run_for "$most" ./native >native.out 2>/dev/null
	echo $?
}

prints_always_so() {
	run_for "$most" ./native 2>/dev/null | cmp -s - native.out
}

# same_as_native "CACHEPROF" COMPILER ARGUMENT..., in an empty directory: a verdict.
same_as_native() {
	local cacheprof=$1 ours native varies=
	shift
	# shellcheck disable=SC2086 # a list of words
	timeout 60 "$1" -g1 "${@:2}" -o native $libraries >native.log 2>&1 </dev/null ||
		{ echo "left: does not build natively"; return; }
	native=$(native_status)
	[ "$native" -ne 124 ] || { echo "left: natively longer than $most s"; return; }
	prints_always_so || varies=yes
	# shellcheck disable=SC2086
	timeout 300 $cacheprof "$@" -o ours $libraries >log 2>&1 </dev/null ||
		{ echo "does not build: $(grep -v warning log | head -n 1)"; return; }
	CACHEPROF_OPTIONS=quiet=1 run_for "$ours_most" ./ours >ours.out 2>ours.err
	ours=$?
	if grep -qs '==cacheprof== self-check' ours.err; then
		echo "self-check: $(grep '==cacheprof== self-check' ours.err | head -n 1)"
	elif [ $ours -ne "$native" ]; then
		echo "status $ours, natively $native"
	elif [ -z "$varies" ] && ! cmp -s native.out ours.out; then
		echo "prints something else"
	elif [ $ours -eq 0 ] && ! grep -qs '^summary: [1-9]' cacheprof.out; then
		echo "no profile"
	elif [ $ours -ne 0 ]; then
		echo "same: with a status of failure"
	elif [ "$varies" ]; then
		echo "same: in status, prints vary natively"
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

columns=(suite level same "of these" "left out" because different of build processor)

# line COLUMN...: of the table.
line() {
	printf '| %s ' "$@"
	echo "|"
}

table_head() {
	line "${columns[@]}"
	line "${columns[@]//*/---}"
}

# counted LOG VERDICT: how many there are.
counted() {
	grep -cP "^$2[:\t]" "$1"
}

# reasons LOG VERDICT: what its lines say behind the colon, with numbers.
reasons() {
	sed -n "s/^$2: \([^\t]*\)\t.*/\1/p" "$1" | sort | uniq -c | sort -rn | sed 's/^ *//' |
		paste -sd ';' | sed 's/;/; /g'
}

# all_of LOG FIELD: what stands there in its lines: with $go_on there are several builds, or processors.
all_of() {
	cut -f "$2" "$1" | sort -u | paste -sd ';' | sed 's/^;//; s/;/; /g'
}

settled='^(same|left)[:\t]'

# table_row SUITE LEVEL OF: of the files named on standard input, which are all or a part OF what there is;
# what differs is named on standard error. With $go_on, what the last run found to be the same is not run
# again. The log's lines end with what the program was built with and where it ran, which a run that goes on
# may not share.
table_row() {
	local log=$BUILD/real/$1${2// /}.log kept= tested
	tested=$("$here/built")$'\t'$("$here/processor")
	if [ "$go_on" ]; then kept=$(grep -sP '^same[:\t]' "$log"); fi
	echo -n "${kept:+$kept$'\n'}" >"$log"
	awk -F '\t' 'FILENAME != "-" { kept[$3]; next } !($0 in kept)' "$log" - |
		xargs -r -d '\n' -P 2 -n 1 "$0" --one "$2" | sed -u "s#\$#\t$tested#" >>"$log"
	line "$1" "$2" "$(counted "$log" same)" "$(reasons "$log" same)" "$(counted "$log" left)" \
		"$(reasons "$log" left)" "$(grep -cvP "$settled" "$log")" "$3" "$(all_of "$log" 4)" \
		"$(all_of "$log" 5)"
	! grep -vP "$settled" "$log" >&2
}
