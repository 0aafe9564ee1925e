# fftw: its random tests, which verify each transform, planned by estimate, so that the plans and the
# errors that are printed are always the same; with one thread and with three. Vectors of AVX2 and
# AVX-512, long basic blocks, OpenMP.
package=fftw3
needs=perl
ran="random tests of its check.pl, with threads, with OpenMP"
flags=(-O2 "-O3 -march=native")
clang=

# Half of the codelets: the others are of the same kinds, and three builds are to take minutes.
prepare() {
	local sizes="(6|9|10|11|12|13|14|15|20|25|32|64|128)"
	find dft rdft -name codlist.c -print0 | xargs -0 sed -i -E "/_$sizes\)/d"
	find dft rdft -name Makefile.in -print0 | xargs -0 sed -i -E "/include@.*_$sizes\.Plo/d
		/-rm -f .*_$sizes\.Plo/d
		s,[^ ]*_$sizes\.(c|lo|Plo),,g"
	find dft rdft '(' -name Makefile.am -o -name codlist.mk ')' -print0 |
		xargs -0 sed -i -E "s,[^ ]*_$sizes\.c,,g"
	touch aclocal.m4 && sleep 1 && touch configure config.h.in && find . -name Makefile.in -exec touch {} +
}

build() {
	local simd=
	if processor_has avx2; then simd=--enable-avx2; fi
	if processor_has avx512f; then simd+=" --enable-avx512"; fi
	# shellcheck disable=SC2086 # a list of words
	./configure --disable-shared --disable-fortran --disable-doc --disable-dependency-tracking \
		--enable-threads --enable-openmp $simd && make -s && mv tests/bench tests/threads &&
		make -s -C tests bench LIBFFTWTHREADS=../threads/libfftw3_omp.la CFLAGS="$CFLAGS -fopenmp" &&
		mv tests/bench tests/openmp
}

# random_tests COUNT THREADS PROGRAM: check.pl does not say where its random numbers begin.
random_tests() {
	perl -e 'srand 7; do shift' ./check.pl --estimate -v -r -c="$1" --nthreads="$2" --flushcount=400 \
		"./$3" >log && grep -v ^Executing log
}

exercise() {
	cd tests || return 1
	if [ "$size" = large ]; then
		random_tests 5 1 threads && random_tests 5 3 threads && random_tests 2 3 openmp
	else
		random_tests 1 1 threads
	fi
}

tally() {
	grep -cE '( [0-9.]+e-[0-9]+){3}$' "$1" | sed 's/$/ transforms verified/'
}
