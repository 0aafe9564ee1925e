# libgcrypt: its own tests. Hand-written assembly for several processors, chosen at run time, a good part of it in Intel
# syntax, with tables behind the code. It needs libgpg-error (libgpg-error-dev).
package=libgcrypt20
ran="make check"
flags=(-O2)
needs=gpgrt-config
clang=

build() {
	./configure --disable-shared --disable-doc >configure.log 2>&1 && make -s -j2 &&
		make -s -C tests check TESTS= >checks.log 2>&1
}

# All ciphers and digests are too slow for the self-check, and so is what looks for large primes or repeats a thing a
# thousand times.
exercise() {
	local tests="version t-secmem t-sexp t-mpi-bit t-mpi-point mpitests curves hmac prime keygrip dsa-rfc6979"

	[ "$size" = large ] && tests+=" basic pkcs1v2 rsacvt fips186-dsa t-kdf t-ed25519 t-cv25519"
	# shellcheck disable=SC2086 # a word each
	checked_by make -C tests check TESTS="$(echo $tests)"
}

tally() {
	passed "$1"
}
