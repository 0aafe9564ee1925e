# mujs: an interpreter of JavaScript, whose exceptions are setjmp and longjmp. Its test suite is no part of the
# source package.
package=mujs
clang=
ran="a script of ours"
flags=(-O2 "-O3 -march=native")
script=$here/mujs/language.js

# Its makefile says -O2 behind ours, and strips. Of functions that gcc made one, Cachegrind takes another name.
build() {
	make -s build=none HAVE_READLINE=no XCFLAGS="$CFLAGS -fno-ipa-icf" build/none/mujs
}

exercise() {
	local rounds=1
	if [ "$size" = large ]; then rounds=20; fi
	build/none/mujs "$script" $rounds
}

oracle() {
	equal build/none/mujs "$script" 1
}
