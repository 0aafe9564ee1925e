# libsodium: its own tests. Intrinsics for several processors, chosen at run time, and hand-written assembly with AVX.
package=libsodium
ran="make check"
flags=(-O2 "-O3 -march=native")
needs=autoreconf
clang=

prepare() {
	autoreconf -if
}

build() {
	./configure --disable-shared && make -s -j2 && make -s -j2 -C test/default check TESTS=
}

# The self-check sees some, which use the assembly, too.
exercise() {
	local tests="aead_aes256gcm aead_aes256gcm2 aead_chacha20poly1305 aead_chacha20poly13052 aead_xchacha20poly1305 auth
		auth2 auth3 auth5 auth6 box box2 box_easy box_easy2 box_seal box_seed chacha20 codecs core1 core2
		core4 core5 core6"

	if [ "$size" = large ]; then
		checked_by make -C test/default check
	else
		# shellcheck disable=SC2086,SC2116 # a word each
		checked_by make -C test/default check TESTS="$(echo $tests)"
	fi
}

tally() {
	passed "$1"
}
