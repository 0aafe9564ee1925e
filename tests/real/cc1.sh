# gcc's own compiler, cc1, a program of 30 MB in C++: what it makes of bzip2, zlib, lua and sqlite3.c must be
# the same, byte for byte. Its generator programs run natively, and there is no self-check, which takes hours.
package=gcc-12
ran="gcc's cc1 compiles bzip2, zlib, lua, sqlite3.c"
flags=(-O1)
clang=
self_check=
needs=tclsh
libraries="libcpp libdecnumber libiberty libbacktrace"

# source_of PACKAGE: its source, in inputs/PACKAGE.
source_of() {
	mkdir -p "inputs/$1" && "$here/fetch" "$1" "$sources" &&
		tar -xf "$sources/$1_"*.orig.tar.[!a]* -C "inputs/$1" --strip-components=1
}

# preprocessed NAME FILE...: inputs/NAME-FILE.i
preprocessed() {
	local name=$1 file
	shift
	for file; do
		gcc -E -I"${file%/*}" "$file" -o "inputs/$name-$(basename "$file" .c).i" || return 1
	done
}

inputs() {
	source_of bzip2 && preprocessed bzip2 inputs/bzip2/{blocksort,huffman,compress,decompress,bzlib,bzip2}.c &&
		source_of lua5.4 && preprocessed lua inputs/lua5.4/src/l*.c &&
		preprocessed zlib zlib/{adler32,crc32,deflate,infback,inffast,inflate,inftrees,trees}.c &&
		source_of sqlite3 && (cd inputs/sqlite3 && ./configure -q --disable-tcl && make -s sqlite3.c) &&
		preprocessed sqlite inputs/sqlite3/sqlite3.c
}

# Its .tar.gz holds gcc's own archive.
prepare() {
	tar -xf gcc-*.tar.xz --strip-components=1 && rm ./*.tar.xz && inputs && mkdir objects && cd objects &&
		../configure --enable-languages=c --enable-checking=release --with-system-zlib --without-isl \
			--disable-{bootstrap,multilib,nls,lto,plugin} CFLAGS=-O1 CXXFLAGS=-O1 &&
		make -s configure-gcc all-build-libcpp all-build-libiberty ${libraries//lib/configure-lib} &&
		printf 'include Makefile\nfirst: $(generated_files) $(simple_generated_c) s-attrtab\n' |
		make -s -C gcc -f - first
}

build() {
	local flags=${CFLAGS#-g } library
	set -- CC="$CC" CXX="$CXX" CFLAGS="$flags" CXXFLAGS="$flags" CC_FOR_BUILD=gcc CXX_FOR_BUILD=g++
	for library in $libraries; do make -s -C "objects/$library" "$@" || return 1; done
	make -s -C objects/gcc "$@" cc1
}

# compiled OPTION...: by cc1, the preprocessed files $inputs.
compiled() {
	local input
	for input in $inputs; do
		echo "${input##*/} $*" && objects/gcc/cc1 -quiet "$@" "$input" -o "${input%.i}.s" &&
			sha256sum <"${input%.i}.s" || return 1
	done
}

exercise() {
	inputs=$(echo inputs/*.i) && compiled -O2 &&
		inputs=$(echo inputs/bzip2-*.i) && compiled -O3 -march=x86-64-v3 -g
}

tally() {
	grep -c '\.i ' "$1" | sed 's/$/ files/'
}
