# openssl: digests, ciphers, signatures and key exchange, for the code of several processors, most of it written by hand.
package=openssl
ran="digests, ciphers, keys, for eight kinds of processors"
flags=(-O2)
clang=

# What is taken away from what cpuid says (OPENSSL_ia32cap(3)), in turn: nothing; AVX-512; AVX2, BMI, ADX and
# SHA, too; AVX; AES, SSSE3 and PCLMULQDQ, ...; everything.
processors="~0x0 ~0x0:~0x600dc230000 ~0x0:~0xffff0330 ~0x1000000000000000:~0xffff0330
	~0x1200020200000000:~0xffff0330 ~0x0:~0x20000000 ~0x0:~0xffffffff 0"
digests="md5 sha1 sha224 sha256 sha384 sha512 sha3-256 sha3-512 blake2b512 blake2s256 sm3"
ciphers="aes-128-cbc aes-256-ctr aes-128-ecb aes-192-cfb aes-256-ofb aes-256-cbc camellia-128-cbc chacha20 aria-128-cbc
	sm4-cbc des-ede3-cbc"

build() {
	# shellcheck disable=SC2086 # several flags
	./Configure linux-x86_64 no-shared no-tests no-dso $CFLAGS >configure.log 2>&1 &&
		make -s build_generated && make -s -j2 apps/openssl
}

ask() {
	apps/openssl "$@"
}

use() {
	local name keys=$here/openssl
	for name in $digests; do
		ask dgst -"$name" <"$data/$size"
	done
	for name in $ciphers; do
		ask enc -"$name" -in "$data/$size" -iv 000102030405060708090a0b0c0d0e0f \
			-K 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f | cksum
	done
	ask dgst -sha256 -hmac key <"$data/$size"
	ask dgst -sha256 -sign "$keys/rsa.pem" <"$data/$size" | cksum
	ask pkeyutl -derive -inkey "$keys/ec.pem" -peerkey "$keys/ec-peer.pem" | cksum
	ask pkey -in "$keys/x25519.pem" -pubout
	ask prime 170141183460469231731687303715884105727
}

exercise() {
	local processor
	for processor in $processors; do
		echo "$processor"
		OPENSSL_ia32cap=$processor use
	done
}
