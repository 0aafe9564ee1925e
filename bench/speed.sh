# The programs of bench/programs: processor time, memory and size of text of all ways, taken in turn, and
# where an instrumented program spends its time.

flag_sets=("-O2" "-O3 -march=native")

# once ROUND WAY FLAGS: runs and records; the output is to be the native one's.
once() {
	local status=0
	ran "$2" || status=$?
	if [ "$2" = cachegrind ] && [ "$status" = 132 ]; then
		skip "Cachegrind of $name $3" "it dies of an instruction that it does not know (SIGILL)"
		cachegrind_left=0
		return
	fi
	[ "$status" = 0 ] || die "$name $3 ends with status $status ($2): $(tail -n 5 "$work/err")"
	if [ "$2" = native ]; then
		cp "$work/out" "$work/out.native"
	else
		cmp -s "$work/out" "$work/out.native" || die "$name $3 prints something else ($2)"
	fi
	record seconds "$name" "$3" "$2" "$1" "$cpu"
	record memory "$name" "$3" "$2" "$1" "$memory"
}

run_in_turn() {
	local round way
	local cachegrind_left=$cachegrind_rounds
	for round in $(seq "$rounds"); do
		for way in "${ways[@]}"; do once "$round" "$way" "$1"; done
		if [ "$round" -le "$cachegrind_left" ]; then once "$round" cachegrind "$1"; fi
	done
}

# sizes FLAGS: bytes of text.
sizes() {
	local how area bytes found
	for how in native level2; do
		found=$("$bench/areas" "$work/trees/$how/${command[0]}") || die "$name $1 has no areas ($how)"
		while read -r area bytes; do
			record text "$name" "$1" "$how.$area" - "$bytes"
		done <<<"$found"
	done
}

# shares FLAGS: samples of the instrumented program by area.
shares() {
	local area samples found
	command -v perf >/dev/null || return 0
	cd "$work/trees/level2" || return
	CACHEPROF_OPTIONS=quiet=1 perf record -q -e cpu-clock -c 250000 -o "$work/perf.data" "${command[@]}" \
		<"$stdin" >"$work/out" 2>"$work/err" || { skip "perf of $name $1" "$(tail -n 1 "$work/err")"; return; }
	if ! perf script -i "$work/perf.data" -F ip --show-mmap-events >"$work/samples" 2>"$work/err" ||
		! found=$("$bench/areas" "./${command[0]}" "$work/samples" 2>"$work/err"); then
		skip "perf of $name $1" "$(tail -n 1 "$work/err")"
		return
	fi
	while read -r area samples; do
		record samples "$name" "$1" level2 "$area" "$samples"
	done <<<"$found"
}

# program NAME
program() {
	local flags how
	load "$1"
	source_of || return 0
	for flags in "${flag_sets[@]}"; do
		say "$name $flags"
		for how in "${!wrapper[@]}"; do built "$flags" "$how"; done
		run_in_turn "$flags"
		sizes "$flags"
		shares "$flags"
	done
}
