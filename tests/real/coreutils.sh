# coreutils: its tests of the tools that work on data, and some of the tools over a 10 MB file.
package=coreutils
ran="a part of make check, tools on 10 MB"
flags=(-O2)
clang=
build() {
	FORCE_UNSAFE_CONFIGURE=1 ./configure --disable-nls && make -s
}

tests() {
	echo tests/misc/{base64,basenc,comm,cut,expand,fmt,fold,head,join,md5sum,nl,numfmt,od,paste}* \
		tests/misc/{printf,ptx,seq,shuf,sort,sum,tac,tail,tr,tsort,unexpand,uniq,wc}* \
		tests/{cp,dd,df,ln,ls,mv,rm,mkdir,touch}/* | tr ' ' '\n' | grep -E '\.(sh|pl)$' | tr '\n' ' '
}

# Each test has profiles of its own: process ids come back during the whole, and a process that has given
# up its rights cannot add to the summary of one that had them. The tests have that variable, too.
exercise() {
	local file=$data/$size
	export CU_TEST_NAME=tools CACHEPROF_OPTIONS="${CACHEPROF_OPTIONS%\%p.out}%q{CU_TEST_NAME}.%p.out"
	if [ "$size" = large ]; then checked_by make check SUBDIRS=. TESTS="$(tests)"; fi
	src/sort --parallel=4 -S 2M "$file" | src/md5sum
	src/tr ' ' '\n' <"$file" | src/sort | src/uniq -c | src/sort -rn | src/head -n 5
	src/sha512sum <"$file" && src/base64 <"$file" | src/base64 -d | cmp - "$file"
	src/tac "$file" | src/wc && src/od -c "$file" | src/tail -n 3
	src/seq $((${bytes[$size]} / 10)) | src/factor | src/cksum
}

tally() {
	passed "$1"
}
