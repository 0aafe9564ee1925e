# brotli: its own tests, and round trips at all levels and with windows of several sizes.
package=brotli
clang=
ran="its tests, round trips"
flags=(-O2 "-O3 -march=native")

# Its makefile says -O2 behind ours. Of functions that gcc made one, Cachegrind takes another name.
prepare() {
	sed -i 's/^CFLAGS += -O2//' Makefile
}

build() {
	CFLAGS="$CFLAGS -fno-ipa-icf" make -s brotli
}

round_trip() {
	bin/brotli -f "$@" "$data/$size" -o file.br &&
		bin/brotli -dc file.br | cmp - "$data/$size" && cksum <file.br
}

exercise() {
	local quality
	tests/compatibility_test.sh || return 1
	if [ "$size" = large ]; then tests/roundtrip_test.sh || return 1; fi
	for quality in 0 1 2 3 4 5 6 7 8; do round_trip -"$quality" || return 1; done
	round_trip -5 --lgwin=10 && round_trip -5 --large_window=28
	if [ "$size" = medium ]; then round_trip -q 9 -w 16; fi
}

oracle() {
	cp "$data/small" "$work/file"
	equal bin/brotli -5 -f -o "$work/file.br" "$work/file" && equal bin/brotli -q 11 -c "$work/file" &&
		equal bin/brotli -dc "$work/file.br"
}
