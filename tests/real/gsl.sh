# gsl: its own tests, of each of its directories. Floating point of all kinds, long double among it.
package=gsl
ran="make check"
flags=(-O2 "-O3 -march=native")
clang=
few="complex sort permutation cblas"

# Debian's source has no manual.
prepare() {
	printf 'all check:\n' >doc/Makefile.in
}

build() {
	local part
	./configure --disable-shared --disable-dependency-tracking && make -s || return
	case $CC in
	*--self-check*) for part in $few; do make -s -C "$part" check TESTS= || return 1; done ;;
	*) make -s check TESTS= ;;
	esac
}

exercise() {
	local part
	if [ "$size" = large ]; then
		checked_by make -k check
	else
		for part in $few; do checked_by make -C "$part" check; done
	fi
}

tally() {
	passed "$1"
}
