# zlib: its own test programs, and minigzip on a file.
package=zlib
ran="its tests, round trip of 10 MB"

build() {
	CC="$CC" CFLAGS="$CFLAGS" ./configure --static && make -s libz.a example minigzip
}

exercise() {
	./example example.gz && ./minigzip <"$data/$size" >file.gz && ./minigzip -d <file.gz |
		cmp - "$data/$size" && cksum <file.gz && ./minigzip -1 <"$data/$size" | cksum
}

oracle() {
	equal example "$work/example.gz" && equal --stdin="$data/small" minigzip -9
}
