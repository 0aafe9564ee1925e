# memcached: a part of its own tests (perl): servers with threads and events that are ended by a signal.
package=memcached
ran="a part of its tests"
flags=(-O2 "-O3 -march=native")
needs=prove
clang=

names="00-startup binary-get binary bogus-commands cas chunked-items evictions flags flush-all getset incrdecr issue_14
	issue_22 issue_29 issue_42 issue_68 item_size_max line-lengths lru metaget multiversioning noreply quit
	stats-detail strtol-testing unixsocket whitespace"

build() {
	./configure CFLAGS="$CFLAGS -Wno-error=maybe-uninitialized" && make -s -j2 all testapp
}

exercise() {
	local names=$names
	if [ "$size" = medium ]; then names="binary-get cas flags getset incrdecr multiversioning noreply"; fi
	# shellcheck disable=SC2046 # a word each
	prove -v $(printf 't/%s.t ' $names) |
		sed -nE 's/(unix domain socket) .*/\1/; s/^ok /PASS: &/p; s/^not ok /FAIL: &/p'
}

tally() {
	passed "$1"
}
