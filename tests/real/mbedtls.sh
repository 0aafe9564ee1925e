# mbedtls: its own tests, of which some fail since their certificates have expired. Inline assembly with carries
# through whole loops.
package=mbedtls
ran="its test suites, selftest"
flags=(-O2 "-O3 -march=native")
clang=

slow=" bignum.misc dhm ecdsa ecp hmac_drbg.no_reseed pk pkcs1_v21 pkcs5 pkparse psa_crypto psa_crypto_hash rsa ssl "
slow+=" psa_crypto_generate_key.generated psa_crypto_storage_format.v0 x509parse x509write "

# Of the library's programs one only.
build() {
	make -s -j2 -C tests CFLAGS="$CFLAGS" && make -s -C programs CFLAGS="$CFLAGS" test/selftest
}

# tests: a line for each.
tests() {
	local suite
	for suite in test_suite_*.datax; do
		suite=${suite%.datax}
		if [ "$size" = medium ]; then
			case $slow in *" ${suite#test_suite_} "*) continue ;; esac
		fi
		echo "== $suite"
		"./$suite" >log
		echo "status $?"
		sed -nE 's/^(.*[^ .]) *\.* (PASS|FAILED|----)$/\2: \1/p; /^(PASSED|FAILED) \(/p' log
	done
}

exercise() {
	local tests
	(cd tests && tests)
	if [ "$size" = large ]; then tests="-x timing"; else tests="aes gcm mpi"; fi
	# shellcheck disable=SC2086 # a word each
	programs/test/selftest $tests >log && grep -E ': *(passed|failed|skipped)$' log
}

tally() {
	awk '/^PASS: / { p++ } /^FAILED: / { f++ } /^----: / { s++ }
		END { printf "%d pass, %d fail, %d skipped\n", p, f, s }' "$1"
}

oracle() {
	equal programs/test/selftest md5 sha1 sha256 sha512 des aes gcm ccm chacha20 poly1305 camellia mpi
}
