# gnucobol4: COBOL by way of C: its compiler, its library and its tests, each of which has cobc make a program (or
# modules, which it loads) of gotos and computed gotos, built by the same compiler as cobc itself.
# Left out are its tests of files with an index, which need Berkeley DB, and of messages and listings, in which few
# programs run.
package=gnucobol4
ran="a part of its tests, each of which builds and runs programs"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	./configure --disable-nls --without-db --without-xml2 --without-curses && make -s -j2 &&
		sed -i "s/^\tCOB_CFLAGS=.*-pipe/& $CFLAGS/" tests/atlocal
}

# says TEST...: what the testsuite says of these; what cacheprof says is in the logs of those that failed.
says() {
	(cd tests && ./testsuite -j2 "$@") >check.log 2>&1
	cat tests/testsuite.dir/*/testsuite.log 2>/dev/null | grep '==cacheprof==' >&2
	sed -nE 's/^ *([0-9]+: .*[^ ]) +(ok|FAILED|skipped|expected failure)( \(.*\))?$/\2: \1/p' check.log | sort
}

exercise() {
	if [ "$size" = medium ]; then
		says 419-424 462-466 535-540 710 823-826
	else
		says 419-534 703-720 823-890 1053-1080
	fi
}

tally() {
	awk '/^ok:/ { p++ } /^FAILED:/ { f++ } /^skipped:/ { s++ }
		END { printf "%d pass, %d fail, %d skipped\n", p, f, s }' "$1"
}
