# bzip2: a round trip of a 10 MB file, and the package's own samples.
package=bzip2

build() {
	make -s CC="$CC" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64" bzip2
}

exercise() {
	./bzip2 -9 -c "$data/large" >large.bz2 && ./bzip2 -d -c large.bz2 | cmp - "$data/large" || return 1
	cksum <large.bz2
	for i in 1 2 3; do
		./bzip2 -$i <sample$i.ref | cmp - sample$i.bz2 && ./bzip2 -d <sample$i.bz2 | cksum || return 1
	done
	./bzip2 -t bzip2.1 2>&1 | grep -c 'bad magic'
}

oracle() {
	equal bzip2 -9 -c "$data/small" && equal bzip2 -d -c "$work/native/sample2.bz2"
}
