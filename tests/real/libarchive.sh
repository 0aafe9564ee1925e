# libarchive: trees packed and unpacked in all formats it writes, its samples of those it reads (rar, lha, cab and
# others, also broken ones), a part of its tests. Decoders of bits as macros, callbacks through tables.
package=libarchive
ran="bsdtar and bsdcpio with trees in 21 ways, its samples, a part of its tests"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	./configure --disable-shared && make -s -j2 bsdtar bsdcpio libarchive_test
}

# A tree of files of many sizes, with long names, links, and a hole.
tree() {
	local n=0 part=$((${bytes[$size]} / 45))
	local long=a-name-that-is-longer-than-the-hundred-characters-which-the-oldest-of-all-formats-has-in-store-for-names

	rm -rf tree && mkdir -p tree/some/"${long:0:60}"/"${long:20}" tree/empty || return
	for ((n = 1; n < 10; n++)); do
		tail -c "+$((n * n * part / 2))" "$data/$size" | head -c $((n * part / 15)) >tree/some/$n
		head -c $((n * n * n)) "$data/$size" >"tree/some/${long:0:60}/$n"
	done
	cp NEWS tree/some/news && : >tree/none && ln -s some/1 tree/symbolic && ln tree/some/2 tree/hard &&
		head -c 3000 "$data/small" >tree/hole && truncate -s 300000 tree/hole && echo end >>tree/hole &&
		chmod 750 tree/some && find tree -exec touch -h -d '2001-02-03 04:05:06 UTC' {} +
}

# listed ARCHIVE: with a sum of each file
listed() {
	./bsdtar -cf - --format=mtree --options='!all,type,size,mode,link,cksum' "@$1"
}

# packed NAME OPTION...: the sum of an archive, unless it has times or random numbers in it; what is in it, and whether
# it comes out as it went in.
packed() {
	local name=$1
	shift
	echo "$name $*" && ./bsdtar -cf packed --uid 12 --gid 34 --uname user --gname group "$@" tree || return
	case $name in
	same) cksum <packed && listed packed | cksum ;;
	secret) ./bsdtar -tvf packed --passphrase word | cksum ;;
	*) listed packed | cksum ;;
	esac
	rm -rf out && mkdir out &&
		case $* in
		*shar*) (cd out && sh ../packed >../shar.log) ;;
		*) ./bsdtar -xf packed -C out --passphrase word ;;
		esac
	diff -rq tree out/tree
	echo "status $?"
}

# copied FORMAT: by bsdcpio
copied() {
	find tree | sort | ./bsdcpio -o -H "$1" --quiet >copied && ./bsdcpio -it --quiet <copied | cksum
	rm -rf out && mkdir out && (cd out && ../bsdcpio -id --quiet <../copied) && diff -rq tree out/tree
	echo "status $?"
}

# sample FILE: what is read of it, up to where it is broken, but not of a hole of gigabytes
sample() {
	basename "$1" .uu
	case $1 in
	*skip_entry*) ;;
	*encr* | *traditional* | *winzip*) ./bsdtar -xOf "$1" --passphrase password 2>&1 | cksum ;;
	*) { listed "$1" || echo "status $?"; } 2>&1 ;;
	esac
}

exercise() {
	local file samples="libarchive/test/*.uu" tests="test_write_format* test_entry* test_acl* test_archive_*"
	export TZ=UTC

	tree && packed same --format=ustar --exclude "*that*" && packed same --format=gnutar && packed time --format=pax &&
		packed same -Z --format=v7tar --exclude "*that*" --exclude hole && packed same --uuencode --format=gnutar &&
		packed same -j --b64encode && packed same -J --format=gnutar -s ',some,other,' --exclude symbolic &&
		packed time --format=zip && packed time --format=zip --options zip:compression=store &&
		packed secret --passphrase word --format=zip --options zip:encryption=aes256 &&
		packed secret --passphrase word --format=zip --options zip:encryption=traditional &&
		packed time --format=7zip --options 7zip:compression=ppmd &&
		packed time --format=7zip --options 7zip:compression=deflate &&
		packed time --format=iso9660 --options rockridge=useful && packed time --format=xar &&
		packed time --format=newc --exclude hole &&
		packed time --format=odc -z && packed same --format=shar &&
		copied newc && copied odc && copied bin
	if [ "$size" = large ]; then
		./libarchive_test -r "$PWD/libarchive/test" $tests 2>&1 | grep -E '^ *[0-9]+: |passed'
	else
		samples="libarchive/test/*_{rar5_sty*,lha,cab_*,7zip_*}.uu"
	fi
	for file in $(eval echo "$samples"); do sample "$file"; done
}

tally() {
	echo "$(grep -cE '^(same|time|secret) ' "$1") archives, $(grep -c '^#mtree' "$1") samples read," \
		"$(sed -n 's/, no failures$//p' "$1")"
}

oracle() {
	equal bsdtar -cf "$work/small.tar" --format=7zip --options 7zip:compression=ppmd -C "$data" small &&
		equal bsdtar -cf - --format=shar "@$work/small.tar" &&
		equal bsdtar -cZf "$work/small.tar" -C "$data" small && equal bsdtar -tvf "$work/small.tar"
}
