# Crypto++: its test vectors. C++ templates, and inline assembly in Intel syntax, which has functions of its own.
package=libcrypto++
ran="its test vectors"
flags=(-O2)
clang=

build() {
	make -s -j2 CXX="$CXX" CXXFLAGS="-DNDEBUG -g1 $CFLAGS -pthread" cryptest.exe
}

# An algorithm's vectors each; those of the self-check are fewer.
exercise() {
	local algorithms="aes salsa chacha sosemanuk panama vmac sha1_fips_180 sha2_fips_180"

	[ "$size" = large ] && algorithms+=" whrlpool seed camellia gcm eax seal rabbit hc256 sm3 dsa rsa_pkcs1_1_5 xts"
	for algorithm in $algorithms; do
		echo "$algorithm: $(./cryptest.exe tv "$algorithm" | tail -n 1)"
	done
}

tally() {
	echo "$(grep -c 'Failed tests = 0' "$1") of $(grep -c . "$1") groups pass"
}
