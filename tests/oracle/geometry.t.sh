# Another D1 is another runtime and nothing else: misses are Cachegrind's exactly for caches that
# cachegen makes, from direct-mapped to fully associative. (Cachegrind refuses lines below 32 bytes
# here: its largest register must fit into one.)
. "$(dirname "$0")/../tap.sh"
if ! command -v valgrind >/dev/null; then
	skip "geometry" "no valgrind"
	finish
fi
built=$BUILD
BUILD=$T/build
mkdir "$BUILD" && cp -a "$built"/{bin,lib,libexec,runtime,obj} "$BUILD" || exit 1

# with_cache SIZE LINE ASSOC
with_cache() {
	make -s -C "$TOP" BUILD="$BUILD" CACHE="$*" cachesim >/dev/null &&
		BUILD=$BUILD "$TOP/tests/oracle/compare" --fixed --misses=exact --only=^measured \
			--cflags="-O1 -Wl,-z,max-page-size=0x100000" --keep=kept \
			"$TOP/tests/oracle/programs/misses.c" &&
		grep -q "^desc: D1 cache: *$1 B, $2 B, " kept/ours.out
}
check "32 KiB, direct-mapped" with_cache 32768 64 1
check "32 KiB, lines of 32 bytes, two ways" with_cache 32768 32 2
check "1 KiB, lines of 32 bytes, four ways" with_cache 1024 32 4
check "48 KiB, twelve ways" with_cache 49152 64 12
check "8 KiB, lines of 128 bytes, fully associative" with_cache 8192 128 64
check "1 MiB, lines of 128 bytes, sixteen ways" with_cache 1048576 128 16
finish
