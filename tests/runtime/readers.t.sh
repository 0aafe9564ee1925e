# What write.c writes is read without a word of complaint by the tools that read Cachegrind's files.
. "$(dirname "$0")/../tap.sh"

sources=$(printf "$TOP/runtime/%s.c " os os_x86_64 file messages process write)
gcc -std=gnu17 -I"$TOP" -o write_profile "$TOP/tests/runtime/write_profile.c" $sources || exit 1

# reads LEVEL TOTAL COMMAND...: no warning, and the totals are those of the file.
reads() {
	local level=$1 total=$2
	shift 2
	./write_profile "$level" p && "$@" >out 2>err
	sed -Ei "/^cg_merge: (parsing|merging|writing)/d" err
	cat err
	[ ! -s err ] && ! grep -iE 'warn|malformed|uninitialized' out && grep -F "$total" out
}

# All three, of the system or of DIRECTORY.
readers() {
	local which=$1 cg=$2
	check "$which cg_annotate, level 2" reads 2 "20,100 (100.0%)" "$cg"cg_annotate --auto=no "$T/p"
	check "$which cg_annotate, level 1" reads 1 "20,100 (100.0%)" "$cg"cg_annotate --auto=no "$T/p"
	check "$which cg_annotate, nothing counted" reads 0 "PROGRAM TOTALS" "$cg"cg_annotate --auto=no "$T/p"
	check "$which cg_merge" reads 2 "summary: 40200 " "$cg"cg_merge "$T/p" "$T/p"
	check "$which cg_diff" reads 2 "summary: 0 " "$cg"cg_diff "$T/p" "$T/p"
}
newer=$BUILD/real/valgrind/usr/bin/
if [ "$(command -v cg_annotate)" ]; then
	readers "the system's" ""
else
	skip "cg_annotate, cg_merge, cg_diff" "valgrind is not installed"
fi
if [ -x "${newer}cg_annotate" ] && command -v python3 >/dev/null; then
	readers "newer" "$newer"
	check "newer cg_annotate --diff" reads 2 "PROGRAM TOTALS" "${newer}cg_annotate" --diff "$T/p" "$T/p"
else
	skip "newer cg_annotate, cg_merge, cg_diff" "tests/real/newer-valgrind fetches them (network, python3)"
fi
finish
