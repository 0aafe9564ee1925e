# lz4: its fuzzers with fixed seeds, its tests of what the tool does, and round trips.
package=lz4
clang=
ran="fuzzer, frametest, a part of make check, round trips"
flags=(-O2 "-O3 -march=native")

build() {
	make -s -C programs lz4 && make -s -C tests fuzzer frametest datagen roundTripTest decompress-partial \
		decompress-partial-usingDict lz4 unlz4 lz4cat
}

round_trip() {
	programs/lz4 -q -f "$@" "$data/$size" file.lz4 &&
		programs/lz4 -q -d -c file.lz4 | cmp - "$data/$size" && cksum <file.lz4
}

# told: what a fuzzer says, without progress.
told() {
	tr '\r' '\n' | grep -vE '[0-9] */ *[0-9]+ *$|^ *[0-9]* *$|[0-9]%|MB/s'
}

exercise() {
	round_trip -1 && round_trip -1 -BD -B4 && round_trip --fast=7 && round_trip -l &&
		round_trip -6 -BX && round_trip -12 && tests/roundTripTest "$data/$size" &&
		tests/decompress-partial && tests/decompress-partial-usingDict || return 1
	if [ "$size" = large ]; then
		(cd tests && ./fuzzer -v -s7 -i300 2>&1 | told && ./frametest -v -s7 -i300 2>&1 | told)
		make -s -C tests test-lz4-multiple test-lz4-multiple-legacy test-lz4-frame-concatenation \
			test-lz4-testmode test-lz4-contentSize test-lz4-skippable test-lz4-sparse >make.log 2>&1
		echo "make: $?"
	fi
}

# With -m, since for a single file lz4 subtracts clocks, in two instructions more where a second has passed.
oracle() {
	cp "$data/small" "$work/file"
	"$work/native/programs/lz4" -q -1 -f "$work/file" "$work/file.lz4"
	equal programs/lz4 -1 -m -c "$work/file" && equal programs/lz4 -9 -m -c "$work/file" &&
		equal programs/lz4 -d -m -c "$work/file.lz4"
}
