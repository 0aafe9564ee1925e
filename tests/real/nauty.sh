# nauty: all graphs of some sizes, their groups and canonical forms: C with words of bits, recursion and small loops.
package=nauty
ran="graphs, trees and bipartite graphs made, counted and put into canonical form; dreadnaut's groups"
flags=(-O2 "-O3 -march=native")
needs=autoreconf
clang=

# dreadnaut's random graphs are the same in every run.
prepare() {
	autoreconf -fi && sed -i 's/ran_init_time(0)/1/' dreadnaut.c
}

build() {
	./configure --enable-generic && make -s -j2 geng genbg gentreeg genrang countg labelg shortg planarg complg dreadnaut
}

# made TOOL ARGUMENT...: from standard input, what it makes.
made() {
	echo "$*" && "./$1" -q "${@:2}" | grep -v cpu= >next && cksum <next && mv next graphs
}

exercise() {
	local n=6
	[ "$size" = medium ] || n=8
	made geng $n && made countg --noZ --o <graphs && made geng -c $((n + 1)) && made labelg <graphs && made shortg -v <graphs
	made geng -tf $((n + 2)) && made complg <graphs && made labelg -i4 <graphs && made genbg $((n - 3)) $((n - 1))
	made gentreeg $((n + 6)) && made genrang -S7 -g 60 $((n * 10)) && made labelg -i1 -K20 <graphs && made labelg -t <graphs
	made genrang -S8 -r4 100 $((n * 4)) && made shortg <graphs && made geng -b $((n + 1)) && made planarg <graphs
	for options in "" "As" "At"; do
		echo "dreadnaut $options"
		printf '%s\n' $options c n=$((n * 8)) g 0:1 2 4\; 3:5 6 7\; 8:9 10. x o n=$((n * 20)) s3 x z q |
			./dreadnaut | grep -v 'cpu time' | cksum
	done
}

oracle() {
	equal geng -q 7 && equal gentreeg -q 12
}
