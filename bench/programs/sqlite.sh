# sqlite's shell runs what its real test runs: inserts, joins, indexes, changes, in memory.
. "$real/sqlite.sh"
stdin=$work/sqlite.$percent.sql
sed "s/\$ROWS\\$/$((450 * percent))/g" "$real/sqlite/script.sql" >"$stdin"
command=(./sqlite3-shell :memory:)
