# bzip2: a round trip of a 10 MB file, and the package's own samples.
package=bzip2
ran="round trip of 10 MB, its samples"

build() {
	make -s CC="$CC" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64" bzip2
}

exercise() {
	./bzip2 -9 -c "$data/$size" >file.bz2 && cksum <file.bz2 || return 1
	./bzip2 -d -c file.bz2 | cmp - "$data/$size" || return 1
	if [ "$size" = large ]; then samples="1 2 3"; else samples=3; fi
	for i in $samples; do
		./bzip2 -$i <sample$i.ref | cmp - sample$i.bz2 || return 1
		./bzip2 -d <sample$i.bz2 | cksum
	done
	./bzip2 -t bzip2.1 2>&1 | grep -c 'bad magic'
}

oracle() {
	equal bzip2 -9 -c "$data/small" && equal bzip2 -d -c "$work/native/sample3.bz2"
}
