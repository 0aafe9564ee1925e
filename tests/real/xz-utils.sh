# xz: its own tests, and round trips of a 10 MB file by one thread and by several.
# Natively, too, xz 5.4.1 as it was published crashes when the reading thread is slow (CVE-2025-31115).
package=xz-utils
patch=patched
ran="make check, round trips, with threads"
clang=
flags=(-O2 "-O3 -march=native")

few="test_check test_hardware test_stream_flags test_filter_flags test_block_header test_vli"

build() {
	./configure --disable-shared --disable-nls && make -s && make -s check TESTS=
}

round_trip() {
	src/xz/xz "$@" <"$data/$size" >file.xz && src/xz/xz -d -T4 <file.xz | cmp - "$data/$size" &&
		cksum <file.xz
}

exercise() {
	if [ "$size" = large ]; then checked_by make check; else checked_by make check TESTS="$few"; fi
	round_trip -2 && round_trip -1 -T4 --block-size=30000 && round_trip --format=lzma -0 &&
		round_trip --x86 --lzma2=preset=1 --check=sha256
}

tally() {
	passed "$1"
}
