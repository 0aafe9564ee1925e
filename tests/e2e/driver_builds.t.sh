# cacheprof in build systems, as the manual page shows it, with stand-ins for its parts.
. "$(dirname "$0")/../tap.sh"
. "$TOP/tests/driver/standin.sh"

by_make() {
	printf 'prog: foo.o bar.o\n\t$(CC) $(LDFLAGS) $^ -o $@\n' >Makefile
	env -u MAKEFLAGS -u MAKELEVEL make -s "$@" prog && has_runtime prog && assembled 2
	local status=$?
	rm -f ./*.o prog
	return $status
}
check "make CC=" by_make CC="cacheprof gcc"
check "make -j CC=" by_make -j2 CC="cacheprof --level1 gcc"
masquerade() {
	mkdir masquerade && ln -s "$BUILD/bin/cacheprof" masquerade/cc
	PATH="$PWD/masquerade:$PATH" by_make
}
check "a link named cc in PATH" masquerade

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(try C)
add_library(bar SHARED bar.c)
add_executable(foo foo.c)
target_link_libraries(foo bar)
END
by_cmake() {
	cmake -S . -B out -DCMAKE_C_COMPILER=gcc -DCMAKE_C_COMPILER_LAUNCHER=cacheprof \
		-DCMAKE_C_LINKER_LAUNCHER=cacheprof && rm -f "$LOG" &&
		env -u MAKEFLAGS cmake --build out && assembled 2 && has_runtime out/foo &&
		has_runtime out/libbar.so && out/foo
}
if command -v cmake >/dev/null; then
	check "cmake with launchers" by_cmake
else
	skip "cmake" "there is no cmake"
fi

# by_ccache COMMAND...: it compiles at level 2 twice, then at level 1; of these three the second alone is
# found in the cache, and so is none for the compiler alone.
by_ccache() {
	rm -rf cached "$LOG" && mkdir cached && export CCACHE_DIR=$PWD/cached
	"$@" -c foo.c && assembled 1 && "$@" -c foo.c && assembled 0 &&
		cacheprof --level1 "${@:2}" -c foo.c && said level1 && ccache gcc -c foo.c && assembled 0
}
through_links() {
	PATH=/usr/lib/ccache:$PATH by_ccache cacheprof gcc
}
whole_by_ccache() {
	rm -f "$LOG" && cacheprof ccache gcc foo.c -o whole && has_runtime whole
}
if command -v ccache >/dev/null; then
	check "cacheprof ccache gcc" by_ccache cacheprof ccache gcc
	check "... compiles and links" whole_by_ccache
	check "ccache's links, behind cacheprof" through_links
else
	skip "ccache" "there is no ccache"
fi

configure() {
	mkdir configured && cd configured || return 1
	printf 'AC_INIT([try],[1])\nAC_PROG_CC\nAC_C_INLINE\nAC_CHECK_SIZEOF([long])\nAC_CHECK_FUNCS([fork])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n' >configure.ac
	printf 'foo: ../foo.c\n\t@CC@ @CFLAGS@ ../foo.c -o foo\n' >Makefile.in
	autoconf && CC="cacheprof gcc" ./configure && rm -f "$LOG" && make && assembled 1 && has_runtime foo
}
if command -v autoconf >/dev/null; then
	check "configure with CC=" configure
else
	skip "configure" "there is no autoconf"
fi
finish
