# What is measured once, not of each program: threads, compile time, cacheprint.

# thread_run KIND WAY N
thread_run() {
	command=(./program "$3" "$percent" "$1")
	ran "$2" || die "threads fails ($2): $(tail -n 5 "$work/err")"
	record threads.elapsed "$1" -O2 "$2" "$3" "$elapsed"
	record threads.seconds "$1" -O2 "$2" "$3" "$cpu"
}

# threads: the same work in each of one and of two threads.
threads() {
	local kind way n round ways
	load threads
	source_of
	built -O2 native
	built -O2 level2
	for kind in near far; do
		for round in $(seq "$rounds"); do
			ways=(native level2)
			if [ "$round" -le "$cachegrind_rounds" ]; then ways+=(cachegrind); fi
			for way in "${ways[@]}"; do
				for n in 1 2; do thread_run "$kind" "$way" "$n"; done
			done
		done
	done
}

# compile_in_turn KIND SUBJECT X SOURCE ROUNDS: with gcc, and with cacheprof in front.
compile_in_turn() {
	local round how stdin=/dev/null
	for round in $(seq "$5"); do
		for how in native level2; do
			# shellcheck disable=SC2086 # words
			measured ${wrapper[$how]}gcc -O2 -w -c "$4" -o "$work/compiled.o" ||
				die "$4 cannot be compiled: $(tail -n 5 "$work/err")"
			record "$1" "$2" -O2 "$how" "$3" "$cpu"
		done
	done
}

# compile: the longest source that there is.
compile() {
	load sqlite
	source_of || return 0
	compile_in_turn compile sqlite3.c - "$work/source/sqlite/sqlite3.c" "$rounds"
}

# counts FILES: a profile with a thousand lines of counts of each of so many files.
counts() {
	awk -v files="$1" 'BEGIN {
		print "cmd: ./counts\nevents: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw"
		for (f = 0; f < files; f++) {
			print "fl=src/file" f ".c\nfn=function" f
			for (i = 1; i <= 1000; i++)
				print i " 4321234 17 3 1234567 12345 678 765432 23456 789"
		}
		n = files * 1000
		printf "summary:"
		split("4321234 17 3 1234567 12345 678 765432 23456 789", each, " ")
		for (i = 1; i <= 9; i++) printf " %.0f", each[i] * n
		print ""
	}'
}

# print_in_turn KIND FILES ROUNDS: cacheprint of such a profile; KIND is also the subject.
print_in_turn() {
	local round stdin=/dev/null
	counts "$2" >"$work/counts.out"
	for round in $(seq "$3"); do
		measured cacheprint -f "$work/counts.out" -o "$work/counts.txt" ||
			die "cacheprint fails: $(tail -n 5 "$work/err")"
		record "$1" cacheprint - level2 "$(($2 * 1000))" "$cpu"
	done
}

print() {
	print_in_turn print $((10 * percent)) "$rounds"
}
