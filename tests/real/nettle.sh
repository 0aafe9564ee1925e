# nettle: its own tests. Elliptic curves, and hand-written assembly for several processors, chosen at run time.
package=nettle
ran="make check"
flags=(-O2)
clang=

build() {
	./configure --disable-shared --enable-fat --disable-documentation --disable-openssl CC_FOR_BUILD=gcc >configure.log 2>&1 &&
		make -s -j2 && make -s -C testsuite check EMULATOR=true TS_SH= >checks.log 2>&1
}

exercise() {
	checked_by make -C testsuite check
}

tally() {
	passed "$1"
}
