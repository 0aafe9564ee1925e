# mawk: a program of ours of all that awk has, its own tests. Code for a machine of its own, a lexer, an automaton of
# regular expressions.
package=mawk
ran="a program of ours with 16000 lines, its tests, its examples"
flags=(-O2 "-O3 -march=native")
clang=
awk=$here/awk/program.awk

build() {
	./configure && make -s -j2 mawk
}

exercise() {
	local rounds=1
	if [ "$size" = large ]; then rounds=40; fi
	./mawk -v rounds=$rounds -f "$awk" "$data/$size" && ./mawk -f examples/eatc.awk code.c | cksum &&
		./mawk -f examples/nocomment.awk scan.c | cksum && ./mawk -f test/wfrq0.awk test/mawktest.dat | sort | cksum &&
		./mawk -W dump -f "$awk" </dev/null | sed 's/0x[0-9a-f]*//' | cksum || return
	if [ "$size" = large ]; then
		sort -r "$data/$size" | head -n 100000 | ./mawk '{ x[$1] = x[$1] $2; n += length($3) * NF } /[0-9]$/ { m++ }
			END { for (i in x) l += length(x[i]); print NR, n, m, l }'
	fi
	(cd test && PATH=$PWD/..:$PATH && ./mawktest 2>&1)
}

oracle() {
	equal mawk -v rounds=1 -f "$awk" "$data/small"
}
