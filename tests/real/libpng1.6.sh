# libpng: its tests, which make pictures of all kinds and compare what is read with what they computed in doubles; its
# filters with SSE 2.
package=libpng1.6
ran="parts of pngvalid, pngstest and pngimage; pngunknown, pngtest"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	./configure --disable-shared --enable-intel-sse && make -s -j2 png{test,valid,stest,image,unknown}
}

# said COMMAND...: what it prints, which ends in PASS.
said() {
	echo "$*" && "./$1" "${@:2}" >said.log 2>said.err
	echo "status $?"
	cat said.log
	cat said.err >&2
}

exercise() {
	local pictures=contrib/testpngs suite=contrib/pngsuite part
	said pngtest --strict pngtest.png && cksum pngout.png &&
		said pngunknown --strict default=discard pngtest.png && said pngunknown --strict IDAT=save pngtest.png || return
	if [ "$size" = medium ]; then
		said pngimage --list-combos --log "$suite"/basn{2c16,3p04,6a08}.png
		return
	fi
	for part in standard transform gamma-threshold gamma-background; do
		said pngvalid --strict --$part
	done
	said pngstest --strict --log "$pictures"/{gray-16-1.8,rgb-8-linear-tRNS}.png &&
		said pngimage --list-combos --log "$suite"/*.png &&
		said pngimage --exhaustive --list-combos --log "$suite"/basn{0g01,6a08}.png
}

tally() {
	awk '/^PASS:/ { p++ } /^(FAIL|ERROR|XFAIL)/ { f++ } /^status [^0]/ { f++ }
		END { printf "%d pass, %d fail\n", p, f }' "$1"
}

oracle() {
	cd "$work" && equal pngtest --strict "$work/source/pngtest.png" "$work/pngout.png" &&
		equal pngunknown default=discard "$work/source/pngtest.png" &&
		equal pngimage --list-combos --log "$work/source/contrib/pngsuite/basn4a16.png"
}
