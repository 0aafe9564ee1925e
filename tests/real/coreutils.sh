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

exercise() {
	local file=$data/$size
	if [ "$size" = large ]; then checked_by make check SUBDIRS=. TESTS="$(tests)"; fi
	src/sort --parallel=4 -S 2M "$file" | src/md5sum
	src/tr ' ' '\n' <"$file" | src/sort | src/uniq -c | src/sort -rn | src/head -n 5
	src/sha512sum <"$file" && src/base64 <"$file" | src/base64 -d | src/cmp - "$file"
	src/tac "$file" | src/wc && src/od -c "$file" | src/tail -n 3
	src/seq $((${bytes[$size]} / 10)) | src/factor | src/cksum
}

tally() {
	passed "$1"
}
