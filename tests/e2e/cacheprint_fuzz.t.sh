# A few seconds of fuzzing for cacheprint's reader. FUZZ_SECONDS=600 makes it worth while.
. "$(dirname "$0")/../tap.sh"

if ! command -v clang >/dev/null; then
	skip "fuzz the reader" "clang is not installed"
	finish
fi

build() {
	clang -g -O1 -std=gnu17 -D_GNU_SOURCE -fsanitize=fuzzer,address,undefined -I"$TOP" \
		"$TOP"/tests/fuzz/fuzz_reader.c "$TOP"/cacheprint/reader.c \
		"$TOP"/common/diag.c "$TOP"/common/mem.c -o fuzz_reader
}

mkdir corpus
cp "$TOP"/tests/cacheprint/golden/data/*.out corpus
printf '"%s"\n' fl= fn= desc: cmd: events: summary: >words
if build >build.log 2>&1; then
	check "fuzz the reader" ./fuzz_reader -max_total_time="${FUZZ_SECONDS:-5}" -dict=words corpus
else
	skip "fuzz the reader" "clang has no libFuzzer here"
fi
finish
