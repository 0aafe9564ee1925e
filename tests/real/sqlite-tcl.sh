# sqlite3: some of its own tests, in Tcl: the library inside of libtcl's interpreter, threads, errors of
# reading and writing, corrupt files, crashes.
package=sqlite3
ran="about 120 files of its Tcl tests"
flags=(-O2)
needs=tclsh
clang=

topics="select join index where trigger fkey insert update delete vtab func window with json rowvalue
	orderby collate upsert analyze wal shared corrupt types expr date alter"
others="thread001 thread2 crash8 ioerr backup savepoint incrblob fts3aa rtree attach auth blob"

# BCC: what only the build runs takes minutes with the self-check.
build() {
	./configure --disable-readline --disable-shared --with-tcl=/usr/lib/tcl8.6 && make -s BCC=gcc testfixture
}

# names: of the files without .test; index4 takes as long as all others.
names() {
	local topic name
	for topic in $topics; do ls "test/$topic"{,[1-5]}.test 2>/dev/null; done |
		sed 's#.*/##; s/\.test$//' | grep -v '^index4$'
	for name in $others; do echo "$name"; done
}

# says FILE: without the memory that was used.
says() {
	./testfixture "test/$1.test" 2>&1 | sed -nE "/==cacheprof==/w says.err
		s/^([^ ]*)\.\.\. Ok$/PASS: \1/p
		s/^! ([^ ]*) expected.*/FAIL: \1/p; /errors out of/p"
	cat says.err >&2
}

exercise() {
	local name
	if [ "$size" = medium ]; then set -- trigger1 expr rowvalue; else set -- $(names); fi
	for name; do echo "$name" && says "$name"; done
}

tally() {
	passed "$1"
}
