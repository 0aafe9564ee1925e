# wolfssl: its tests of algorithms, as by four processors: 165,000 lines of hand-written assembly, chosen at run time,
# of which half, for big numbers, are one file.
package=wolfssl
ran="testwolfcrypt, as by four processors"
flags=(-O2 "-O3 -march=native")
needs=autoreconf
clang=

# In the environment, FEW leaves out what takes longest, and WITHOUT are bits of what the processor is said to lack, of
# cpuid.h. (With AVX and without AVX2, 2, its AES_GCM_decrypt_update_avx1 crashes natively.)
prepare() {
	local slow="sakke|pwdbased|dh|ecc|prime|cryptocb"
	local without='cpuid_flags \&= ~(getenv("WITHOUT") ? strtol(getenv("WITHOUT"), 0, 16) : 0);'

	./autogen.sh && sed -i -e '1i #include <stdlib.h>' -e "s/cpuid_check = 1;/$without &/" wolfcrypt/src/cpuid.c &&
		sed -i -E "s/\\(ret = (($slow)_test\\(\\))\\)/(ret = getenv(\"FEW\") ? 0 : \\1)/" wolfcrypt/test/test.c
}

build() {
	./configure --disable-shared --enable-static --enable-intelasm --enable-sp --enable-sp-asm --enable-all-crypto \
		CPPFLAGS=-DWOLFSSL_GENSEED_FORTEST &&
		make -s -j2 wolfcrypt/test/testwolfcrypt
}

exercise() {
	local without lacking="0 1d3"
	if [ "$size" = large ]; then lacking="150 1d3 1f3" && wolfcrypt/test/testwolfcrypt || return; fi
	for without in $lacking; do
		echo "without $without" && FEW=1 WITHOUT=$without wolfcrypt/test/testwolfcrypt || return
	done
}

tally() {
	echo "$(grep -c 'test passed' "$1") tests passed"
}
