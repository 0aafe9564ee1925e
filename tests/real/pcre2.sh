# pcre2: its own tests, with its JIT, which calls what is instrumented and is called by it, for 8, 16 and 32 bits.
package=pcre2
ran="RunTest, RunGrepTest, pcre2_jit_test"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	./configure --disable-shared --enable-jit --enable-pcre2-16 --enable-pcre2-32 && make -s -j2 &&
		make -s check TESTS=
}

exercise() {
	if [ "$size" = large ]; then
		./RunTest && ./RunGrepTest 2>&1 && ./pcre2_jit_test
	else
		./RunTest -8 1 4 6 8 17
	fi
}
