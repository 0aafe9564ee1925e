# sqlite3: the amalgamation, which its source package makes with tclsh; tables, indexes, joins,
# updates, a rollback, an integrity check, in a file.
package=sqlite3
ran="a script of 50,000 rows"
needs=tclsh

prepare() {
	./configure --disable-tcl --disable-readline --disable-shared && make -s sqlite3.c shell.c
}

build() {
	$CC $CFLAGS -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -I. \
		-o sqlite3-shell shell.c sqlite3.c -lm -ldl -lpthread
}

# script ROWS
script() {
	sed "s/\$ROWS\\$/$1/g" "$here/sqlite/script.sql"
}

exercise() {
	local rows=500
	if [ "$size" = large ]; then rows=50000; fi
	rm -f test.db
	script $rows | ./sqlite3-shell test.db
}

oracle() {
	script 500 >"$work/script.sql"
	equal --stdin="$work/script.sql" sqlite3-shell :memory:
}
