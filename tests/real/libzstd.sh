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
	local rounds=2
	if [ "$size" = large ]; then rounds=40; fi
	round_trip -1 && round_trip -3 -T3 && round_trip -12 --long && round_trip --fast=3 || return 1
	tests/fuzzer -v -s7 -i$rounds --no-big-tests 2>&1 | told
	tests/zstreamtest -v -s7 -i$rounds --no-big-tests 2>&1 | told
	tests/zstreamtest -v --newapi -s7 -t1 -i$rounds --no-big-tests 2>&1 | told
	if [ "$size" = large ]; then tests/poolTests 2>&1; fi
}

# told: lines of a fuzzer without times and progress.
told() {
	tr '\r' '\n' | grep -vE '[0-9]/ *[0-9]+|MB/s|^ *$|seconds|tests are running' |
		sed 's/([0-9.]* *s)//'
}
