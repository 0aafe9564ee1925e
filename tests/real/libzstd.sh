# zstd: its fuzzers with fixed seeds, its thread pool's test, and round trips.
package=libzstd
ran="fuzzer, zstreamtest, poolTests, round trips, with threads"
flags=(-O2 "-O3 -march=native")

build() {
	make -s -C programs zstd V=1 && make -s -C tests fuzzer zstreamtest poolTests
}

round_trip() {
	programs/zstd -q -f "$@" "$data/$size" -o file.zst &&
		programs/zstd -q -d -c file.zst | cmp - "$data/$size" && cksum <file.zst
}

exercise() {
	round_trip -1 && round_trip -3 -T3 && round_trip -12 --long && round_trip --fast=3 || return 1
	if [ "$size" = large ]; then
		tests/fuzzer -v -s7 -i40 --no-big-tests 2>&1 | told
		tests/zstreamtest -v -s7 -i40 --no-big-tests 2>&1 | told
		tests/zstreamtest -v --newapi -s7 -t1 -i40 --no-big-tests 2>&1 | told
		tests/poolTests 2>&1
	fi
}

# told: what a fuzzer says, without times, progress and addresses.
told() {
	tr '\r' '\n' | grep -vE '[0-9]/ *[0-9]+|MB/s|^ *([0-9]+% *)?$|seconds|tests are running' |
		sed 's/([0-9.]* *s)//; s/0x[0-9a-f]*//g'
}

tally() {
	grep -c ' OK' "$1" | sed 's/$/ steps OK/'
}
