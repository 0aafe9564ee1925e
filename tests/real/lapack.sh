# LAPACK's BLAS, in Fortran, and its tests.
package=lapack
needs=gfortran
ran="tests of BLAS 1, 2 and 3"
flags=(-O0 -O2 "-O3 -march=native")
clang=

prepare() {
	cp make.inc.example make.inc
}

build() {
	make -s -C BLAS/SRC FC="$FC" FFLAGS="$CFLAGS -frecursive" &&
		make -s -C BLAS/TESTING FC="$FC" FFLAGS="$CFLAGS -frecursive" all
}

exercise() {
	local type kinds="s d c z"
	cd BLAS/TESTING || return 1
	for type in $kinds; do ./xblat1$type || return 1; done
	if [ "$size" = large ]; then
		for type in $kinds; do
			./xblat2$type <${type}blat2.in && ./xblat3$type <${type}blat3.in || return 1
		done
		cat ./*.out
	fi
}

tally() {
	grep -ciE 'PASS' "$1" | sed 's/$/ pass/'
}

oracle() {
	# xblat2s writes a file where it is.
	cd "$work" && equal BLAS/TESTING/xblat1d && equal BLAS/TESTING/xblat1c &&
		equal --stdin="$work/source/BLAS/TESTING/sblat2.in" BLAS/TESTING/xblat2s
}
