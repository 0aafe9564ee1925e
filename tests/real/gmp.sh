# gmp: its own tests. Hand-written assembly with carries through whole loops, inline assembly, C++.
# The self-check, a hundred times slower, sees those of mpn, the assembly.
package=gmp
ran="make check"
flags=(-O2)
clang=

# Debian's source has no doc.
prepare() {
	mkdir doc && printf 'all check:\n' >doc/Makefile.in
}

build() {
	./configure --disable-shared --enable-cxx && make -s || return
	case $CC in
	*--self-check*) make -s -C tests check TESTS= SUBDIRS=". mpn" ;;
	*) make -s check TESTS= ;;
	esac
}

exercise() {
	if [ "$size" = large ]; then
		checked_by make check
	else
		GMP_CHECK_REPFACTOR=0.01 checked_by make -C tests check SUBDIRS=". mpn"
	fi
}

tally() {
	passed "$1"
}
