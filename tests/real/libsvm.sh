# libsvm: its five kinds of machines with its four kernels, trained with its example, which they then foretell, and
# cross-validation: C++ whose kernels go through sparse rows and keep columns in a cache.
package=libsvm
ran="its example: five kinds of machines, four kernels, cross-validation"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	make -s CXX="$CXX" CFLAGS="$CFLAGS" svm-train svm-predict svm-scale
}

# trained ARGUMENT...: the machine, and how well it foretells its own example.
trained() {
	echo "$*" && ./svm-train -q "$@" example machine && cksum <machine && ./svm-predict example machine foretold &&
		cksum <foretold
}

exercise() {
	local kind kernel most=270
	if [ "$size" = medium ]; then most=90; fi
	head -n $most heart_scale >example
	for kind in 0 1 2 3 4; do
		for kernel in 0 1 2 3; do trained -s $kind -t $kernel || return 1; done
	done
	trained -b 1 && trained -h 0 -m 1 && trained -w1 3 -c 50 -g 0.2 && ./svm-scale -l 0 example | cksum
	if [ "$size" = large ]; then
		./svm-train -q -v 27 example && ./svm-train -q -v 9 -s 4 -c 30 example
	fi
}

tally() {
	echo "$(grep -c '^-' "$1") machines"
}

oracle() {
	head -n 90 "$work/source/heart_scale" >"$work/example" && equal svm-train -q "$work/example" "$work/machine"
}
