# lmdb: a database that is a tree in a file mapped into memory.
package=lmdb
ran="mdb_load, mdb_dump, mdb_stat and mdb_copy with tables of keys in and out of order, and of sorted values"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	make -s -j2 -C libraries/liblmdb CC="$CC" OPT="$CFLAGS" mdb_load mdb_dump mdb_stat mdb_copy
}

# table NAME RECORDS ORDERED DUPLICATES: as mdb_load reads it; of a key, as many values of many sizes
table() {
	perl -e '
		my ($name, $records, $ordered, $duplicates) = @ARGV;
		my $x = 1;
		print "VERSION=3\nformat=print\ndatabase=$name\ntype=btree\nmapsize=1073741824\nmaxreaders=126\n";
		print "dupsort=1\n" if $duplicates > 1;
		print "HEADER=END\n";
		for my $i (0 .. $records - 1) {
			my $group = int($i / $duplicates);
			$x = ($x * 69069 + 12345) & 0xffffffff;
			printf " %010d\n", $ordered ? $group : $group * 2654435761 % 4294967296;
			printf " %*d\n", $x % ($duplicates > 1 ? 300 : $i % 37 ? 100 : 9000) + 1, $i;
		}
		print "DATA=END\n";' "$@"
}

# written DIRECTORY OPTION...: the table on standard input; what is then in the database
written() {
	./mdb_load "${@:2}" "$1" && ./mdb_stat -a -e -f "$1" && ./mdb_dump -a "$1" | cksum
	echo "status $?"
}

exercise() {
	local records=60000
	if [ "$size" = medium ]; then records=400; fi
	cd libraries/liblmdb && rm -rf one two && mkdir one two || return
	table mixed $records 0 1 | written one
	table ordered $records 1 1 | written one
	table sorted $records 1 8 | written one
	table mixed $((records / 2)) 0 1 | written one -N
	./mdb_copy -c one two && ./mdb_stat -a -f two && ./mdb_dump -p -s sorted two | cksum
}

tally() {
	echo "$(grep -c '^status 0' "$1") tables, $(awk '/Entries/ { n += $2 } END { print n }' "$1") entries seen"
}

# What only reads: Cachegrind's run and ours find the same. Of functions that lmdb keeps in a section of its own,
# text_env, Cachegrind knows no source.
oracle() {
	local tools=libraries/liblmdb known='--only=^(?!mdb_(env_(close1?|create|info|map|open2?|set.*|stat)|fopen|stat)$)'
	rm -rf "$work/database" && mkdir "$work/database" &&
		table sorted 300 1 8 | "$work/native/$tools/mdb_load" "$work/database" &&
		equal "$known" $tools/mdb_dump -s sorted "$work/database" &&
		equal "$known" $tools/mdb_stat -a -e -f "$work/database"
}
