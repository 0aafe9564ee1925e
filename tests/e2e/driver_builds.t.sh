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
by_both() {
	rm -rf out && CC="cacheprof gcc" cmake -S . -B out -DCMAKE_C_COMPILER_LAUNCHER=cacheprof \
		-DCMAKE_C_LINKER_LAUNCHER=cacheprof && rm -f "$LOG" &&
		env -u MAKEFLAGS cmake --build out && assembled 2 && has_runtime out/foo && out/foo
}
if command -v cmake >/dev/null; then
	check "cmake with launchers" by_cmake
	check "cmake with launchers and CC=" by_both
else
	skip "cmake" "there is no cmake"
fi

by_meson() {
	printf "project('try', 'c')\nbar = shared_library('bar', 'bar.c')\n%s\n" \
		"executable('foo', 'foo.c', link_with: bar)" >meson.build
	CC="cacheprof gcc" meson setup meson && rm -f "$LOG" && ninja -C meson && assembled 2 &&
		has_runtime meson/foo && has_runtime meson/libbar.so && meson/foo
}
by_ninja() {
	printf 'rule cc\n  command = cacheprof gcc -MD -MF $out.d -c $in -o $out\n  depfile = $out.d\n' >build.ninja
	printf 'rule link\n  command = cacheprof gcc $in -o $out\n' >>build.ninja
	printf 'build foo.o: cc foo.c\nbuild bar.o: cc bar.c\nbuild prog: link foo.o bar.o\n' >>build.ninja
	rm -f "$LOG" && ninja && assembled 2 && has_runtime prog && ./prog && ninja | grep 'no work'
}
for tool in meson ninja; do
	if command -v $tool >/dev/null && command -v ninja >/dev/null; then
		check "$tool" by_$tool
	else
		skip "$tool" "there is no $tool"
	fi
done

by_pkg_config() {
	mkdir packages && printf 'Name: bar\nDescription: bar\nVersion: 1\nCflags: -DBAR=1\nLibs: %s\n' \
		"-L$PWD/packages -lbar" >packages/bar.pc && cacheprof gcc -c bar.c && ar rc packages/libbar.a bar.o &&
		export PKG_CONFIG_PATH=$PWD/packages && echo 'int bar(int); int main(void) { return bar(-2 * BAR); }' >uses.c &&
		cacheprof gcc uses.c $(pkg-config --cflags --libs bar) -o uses && has_runtime uses && ./uses
}
if command -v pkg-config >/dev/null; then
	check "pkg-config" by_pkg_config
else
	skip "pkg-config" "there is no pkg-config"
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
# A link to cacheprof before ccache's links: each would find the other.
before_links() {
	rm -rf cached "$LOG" && mkdir -p cached before && ln -sf "$BUILD/bin/cacheprof" before/gcc
	(
		export CCACHE_DIR=$PWD/cached PATH=$PWD/before:/usr/lib/ccache:$PATH
		timeout 20 gcc -c foo.c && assembled 1 && timeout 20 gcc -c foo.c && assembled 0 &&
			timeout 20 gcc foo.o -o foo && has_runtime foo && timeout 20 gcc --version &&
			CACHEPROFDIR= timeout 20 gcc -E foo.c
	)
}
whole_by_ccache() {
	rm -f "$LOG" && cacheprof ccache gcc foo.c -o whole && has_runtime whole
}
# The cache has no assembly that is kept beside an object.
with_assembly() {
	rm -rf cached "$LOG" && mkdir cached && export CCACHE_DIR=$PWD/cached
	cacheprof --asm ccache gcc -c foo.c && assembled 1 && cacheprof --asm ccache gcc -c foo.c && assembled 1
}
if command -v ccache >/dev/null; then
	check "cacheprof ccache gcc" by_ccache cacheprof ccache gcc
	check "... with --asm" with_assembly
	check "... compiles and links" whole_by_ccache
	check "ccache's links, behind cacheprof" through_links
	check "... and behind a link to cacheprof" before_links
else
	skip "ccache" "there is no ccache"
fi

# A distcc that runs what it is given here, as the real one does where there is no other host.
mkdir launch && printf '#!/bin/sh\nexec "$@"\n' >launch/distcc && chmod +x launch/distcc
by_distcc() {
	rm -f "$LOG" && PATH=$PWD/launch:$PATH cacheprof distcc gcc -O2 -c foo.c && assembled 1
}
check "cacheprof distcc gcc" by_distcc
behind() {
	! cacheprof "$1" gcc -c foo.c 2>err && grep -q "if it runs gcc, put cacheprof between the two: $1 cacheprof gcc" err
}
check "who runs what is named behind it" eval "behind nice && behind env"

configure() (
	mkdir configured && cd configured || exit 1
	printf 'AC_INIT([try],[1])\nAC_PROG_CC\nAC_C_INLINE\nAC_CHECK_SIZEOF([long])\nAC_CHECK_FUNCS([fork])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n' >configure.ac
	printf 'foo: ../foo.c\n\t@CC@ @CFLAGS@ ../foo.c -o foo\n' >Makefile.in
	autoconf && CC="cacheprof gcc" ./configure && rm -f "$LOG" && make && assembled 1 && has_runtime foo
)
if command -v autoconf >/dev/null; then
	check "configure with CC=" configure
else
	skip "configure" "there is no autoconf"
fi

# A package's own libtool, which configure makes, links by the compiler that configure was told. Libraries of C++
# it links with the objects that it has seen the compiler link: ours, too.
by_libtool() (
	mkdir library && cd library && mkdir m4 || exit 1
	printf '%s\n' 'AC_INIT([try],[1])' 'AC_CONFIG_MACRO_DIR([m4])' 'AM_INIT_AUTOMAKE([foreign subdir-objects])' \
		'AC_PROG_CC' 'AC_PROG_CXX' 'LT_INIT' 'AC_CONFIG_FILES([Makefile])' AC_OUTPUT >configure.ac
	printf '%s\n' 'lib_LTLIBRARIES = libbar.la' 'libbar_la_SOURCES = bar.c more.cc' 'bin_PROGRAMS = foo' \
		'foo_SOURCES = foo.c' 'foo_LDADD = libbar.la' >Makefile.am
	echo 'int more;' >more.cc
	cp ../foo.c ../bar.c . && autoreconf --install && CC="cacheprof gcc" CXX="cacheprof g++" ./configure &&
		rm -f "$LOG" && make && assembled 5 && has_runtime .libs/foo && has_runtime .libs/libbar.so && ./foo &&
		make install DESTDIR="$PWD/installed" && has_runtime installed/usr/local/bin/foo
)
if command -v libtoolize >/dev/null && command -v automake >/dev/null; then
	check "libtool" by_libtool
else
	skip "libtool" "there is no libtool, or no automake"
fi
finish
