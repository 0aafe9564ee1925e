# gnugo: a game: patterns of stones found by an automaton, searches that undo their moves, a cache of positions; 160,000
# lines that its own tools make of its patterns.
package=gnugo
ran="parts of its regression tests: reading, life, connections, moves; five moves of a game"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	./configure CFLAGS="$CFLAGS -fcommon" && make -s -j2
}

# asked TEST N: what it says to a test's first N lines.
asked() {
	head -n "$2" "$1.tst" | ../interface/gnugo --quiet --seed 1 --mode gtp
}

exercise() {
	cd regression || return
	if [ "$size" = medium ]; then
		asked reading 60
		return
	fi
	asked reading 1000 && asked owl 60 && asked connection 40 && asked 9x9 12 &&
		printf '%s\n' "boardsize 9" "level 3" "genmove black" "genmove white" "genmove black" "genmove white" \
			"genmove black" "estimate_score" showboard | ../interface/gnugo --quiet --seed 1 --mode gtp
}

# Misses are not compared: libc's memset, which ours does not go through, clears a position's tables, and pushes out of
# Cachegrind's D1 what new_position then writes.
oracle() {
	cd "$work/source/regression" && head -n 60 reading.tst >"$work/reading.gtp" &&
		equal --misses=no interface/gnugo --quiet --seed 1 --mode gtp --gtp-input "$work/reading.gtp"
}
