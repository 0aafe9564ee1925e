# openblas: BLAS with kernels written in assembly, by macros, and in C with asm statements;
# without LAPACK and threads. Of its tests those of real numbers in double and of complex ones in single precision.
package=openblas
needs=gfortran
ran="its tests dblat1 to 3 and cblat1 to 3, and sums of ours of what 14 routines make, at sizes of 3 to 971"
flags=(-O2 "-O3 -march=native")
clang=
sums=$here/openblas/sums.c

# Its makefiles take a compiler to be one word.
one_word() {
	printf '#!/bin/sh\nexec %s "$@"\n' "$2" >"$1" && chmod +x "$1"
}

build() {
	local target=NEHALEM
	if processor_has avx2; then target=HASWELL; fi
	case $CFLAGS in *native*) if processor_has avx512vl; then target=SKYLAKEX; fi ;; esac
	local options=(TARGET=$target CC="$PWD/cc" FC="$PWD/fc" HOSTCC=gcc COMMON_OPT="$CFLAGS" FCOMMON_OPT="$CFLAGS"
		USE_THREAD=0 NO_SHARED=1 NO_LAPACK=1)

	one_word cc "$CC" && one_word fc "$FC" && make -s -j2 "${options[@]}" libs &&
		make -s -j2 -C test "${options[@]}" {d,c}blat{1,2,3} && "$PWD/cc" $CFLAGS -o sums "$sums" libopenblas.a -lm
}

# smaller FILE: what it is to test, for sizes of 7 and 31 only
smaller() {
	sed -E 's/^[67] +NUMBER OF VALUES OF N$/2/; s/^0 1 2 3 7 31.*VALUES OF N$/7 31/' "$1" >small && mv small "$1"
}

exercise() {
	local name file greatest=1000
	if [ "$size" = medium ]; then greatest=40; fi
	./sums $greatest && cd test || return
	for name in dblat cblat; do
		./${name}1 || return
		for file in ${name}2 ${name}3; do
			[ "$size" = large ] || smaller $file.dat
			./$file <$file.dat && cat "${file^^}.SUMM" || return
		done
	done
}

tally() {
	echo "$(grep -cE '^[a-z0-9]+ [0-9]+ ' "$1") sums, $(grep -cE 'PASSED|PASS *-+' "$1") tests passed," \
		"$(grep -c FAIL "$1") failed"
}

oracle() {
	equal sums 12
}
