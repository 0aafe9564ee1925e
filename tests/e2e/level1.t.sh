# Level 1 counts what level 2 counts: also where the number of references is known only when they are
# made.
. "$(dirname "$0")/../tap.sh"
programs=$TOP/tests/oracle/programs
export CACHEPROF_OPTIONS=quiet=1

# counts: each line's file, line, Ir, Dr and Dw.
counts() {
	awk '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i } /^fn=/ { f = $0 }
		/^[0-9]/ { print f, $1, $at["Ir"], $at["Dr"], $at["Dw"] } ' cacheprof.out
}
# same FLAGS SOURCE...
same() {
	local flags=$1
	shift
	# shellcheck disable=SC2086 # one word a flag
	cacheprof --level1 gcc $flags -o program "$@" && ./program >out && counts >one &&
		cacheprof gcc $flags -o program "$@" && ./program >out && counts >two && diff one two
}
for name in base unsupported avx2 forms avx512; do
	case $name in
	avx512) processor_has avx512dq || continue ;;
	avx2 | forms) processor_has avx2 || continue ;;
	esac
	check "rows: $name" same "" "$programs/rows.c" "$programs/$name.S"
done
check "ordinary C" same -O2 "$programs/ordinary.c"
finish
