# The smallest of the real programs, so that `make check` meets one; `make check-real` runs all.
. "$(dirname "$0")/../tap.sh"
"$TOP/tests/real/run" --quick >table 2>errors
status=$?
row=$(grep '^| bzip2' table)
case $row in
*skipped*) skip "bzip2 -O2" "no network and no source package in $BUILD/real/sources" ;;
*) check "bzip2 -O2: output, profile, self-check, oracle" \
	sh -c 'printf "%s\n" "$1"; cat errors; exit "$2"' sh "$row" "$status" ;;
esac
case $row in *"| $("$TOP/tests/real/processor") |") named=true ;; *) named=false ;; esac
check "its row names the processor" "$named"
finish
