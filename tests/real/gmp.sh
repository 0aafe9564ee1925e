# gmp: its own tests. Hand-written assembly with carries through whole loops, inline assembly, C++.
package=gmp
ran="make check"
flags=(-O2)
clang=

# Debian's source has no doc.
prepare() {
	mkdir doc && printf 'all check:\n' >doc/Makefile.in
}

build() {
	./configure --disable-shared --enable-cxx && make -s &&
		make -s check TESTS=
}

exercise() {
	if [ "$size" = medium ]; then export GMP_CHECK_REPFACTOR=0.01; fi
	checked_by make check
}

tally() {
	passed "$1"
}
