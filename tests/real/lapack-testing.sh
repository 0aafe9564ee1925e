# LAPACK itself and the tests in its TESTING, in all four precisions: linear equations and eigenvalues.
package=lapack
needs=gfortran
ran="its TESTING"
flags=(-O2)
clang=

prepare() {
	cp make.inc.example make.inc
}

# made ARGUMENT...: as make.inc has it, which makes slamch and dlamch without optimization.
made() {
	make -s CC="$CC" FC="$FC" FFLAGS="$CFLAGS -frecursive" FFLAGS_NOOPT="$CFLAGS -O0 -frecursive" "$@"
}

build() {
	made blaslib lapacklib tmglib && made -C TESTING/LIN && made -C TESTING/EIG
}

small_tests() {
	local type kind
	echo dtest_rfp.out
	for type in s d c z; do
		for kind in bak bal bb csd gbak gbal glm gqr gsv lse nep sb; do echo "$type$kind.out"; done
	done
}

exercise() {
	local tests=all
	[ "$size" = large ] || tests=$(small_tests)
	rm -f TESTING/*.out
	# shellcheck disable=SC2086 # a list of words
	make -s -C TESTING $tests && grep -v seconds TESTING/*.out
}

tally() {
	awk '/passed the threshold/ { p++ } /failed to pass/ { f++ }
		END { printf "%d groups pass, %d fail", p, f }' "$1"
}
