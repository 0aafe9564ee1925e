# flac: round trips of 10 MB, by its intrinsics for several processors. The tests of its library fail for root.
package=flac
ran="round trips of 10 MB"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	./configure --disable-shared --disable-ogg --disable-cpplibs --disable-doxygen-docs CFLAGS="$CFLAGS" &&
		make -s -j2
}

# coded OPTION...: a round trip, and the sum of what is coded.
coded() {
	local form="--force-raw-format --endian=little --sign=signed"
	# shellcheck disable=SC2086 # several words
	src/flac/flac -s -f -V $form --sample-rate=44100 "$@" -o coded.flac "$data/$size" &&
		src/flac/flac -s -f -d $form -o decoded coded.flac && cmp decoded "$data/$size" && cksum <coded.flac
}

exercise() {
	coded -0 --channels=2 --bps=16 && coded -5 --channels=2 --bps=16 && coded -8 --channels=2 --bps=16 &&
		coded -8 -p --channels=1 --bps=8 && coded -8 -e --channels=4 --bps=16 -b 1152 &&
		src/metaflac/metaflac --set-tag=TITLE=x --add-padding=100 coded.flac &&
		src/metaflac/metaflac --list coded.flac
}
