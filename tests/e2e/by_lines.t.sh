# Loops without checks: which way the runtime goes on with their streams. Any way gives the same counts (strides.t.sh);
# others only take longer.
. "$(dirname "$0")/../tap.sh"

# hits FUNCTION: how often its breakpoint was met.
hits() {
	awk -v name="<$1>" '$NF == name { here = 1; next } /^[0-9]/ { here = 0 } here && /already hit/ { print $4; found = 1 }
		END { if (!found) print 0 }' met
}

# goes LINES:BESIDE OPTIONS: so often, at least, the loop goes by lines, or one stream beside another; and never more than
# a few iterations reference by reference.
goes() {
	CACHEPROF_OPTIONS=quiet=1:$2 timeout -k 1 60 gdb -nx -q -batch -ex 'break cacheprof_go_by_lines' \
		-ex 'break cacheprof_go_beside' -ex 'break iterate_all if $rdx > 32' -ex 'ignore 1 1000' -ex 'ignore 2 1000' \
		-ex 'ignore 3 1000' -ex run -ex 'info breakpoints' ./streams >met 2>&1
	cat met
	grep -q '<iterate_all>$' met && [ "$(hits cacheprof_go_by_lines)" -ge "${1%:*}" ] &&
		[ "$(hits cacheprof_go_beside)" -ge "${1#*:}" ] && [ "$(hits iterate_all)" -eq 0 ]
}

if ! processor_has avx2; then
	skip "streams go by lines" "no AVX2"
	finish
elif ! command -v gdb >/dev/null; then
	skip "streams go by lines" "no gdb"
	finish
fi
while read -r loop way; do
	for flags in -O2 "-O3 -mavx2" "-O3 -march=native"; do
		# shellcheck disable=SC2086 # several options in one line
		cacheprof gcc $flags -DLOOP="$loop" "$TOP/tests/e2e/programs/streams.c" -o streams
		for options in simd=avx2 simd=avx512 D1=49152,12,64; do
			check "$loop $flags, $options" goes "$way" "$options"
		done
	done
done <<'END'
sum 20:0
triad 20:0
stencil 20:0
members 20:0
column 0:20
END
finish
