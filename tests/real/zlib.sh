# zlib: its own test programs, and minigzip on a file.
package=zlib

build() {
	CC="$CC" CFLAGS="$CFLAGS" ./configure --static && make -s libz.a example minigzip
}

exercise() {
	./example example.gz && ./minigzip <"$data/large" >large.gz && ./minigzip -d <large.gz |
		cmp - "$data/large" && cksum <large.gz && ./minigzip -1 <"$data/large" | cksum
}

oracle() {
	equal example "$work/example.gz" && equal --stdin="$data/small" minigzip -9
}
