# parse -> print is the identity, and what is put together again from names, arguments and operands'
# parts assembles to the same object: for what compilers write and for what people write.
. "$(dirname "$0")/../tap.sh"
asmcat=$BUILD/tests/asmparse/asmcat
samples=$TOP/tests/asmparse/samples

# same FILE.s: the identity; rebuilt FILE.s: the same object.
same() {
	"$asmcat" "$1" | cmp - "$1"
}

rebuilt() {
	as -o original.o "$1" && "$asmcat" --rebuild "$1" >rebuilt.s && as -o rebuilt.o rebuilt.s &&
		cmp original.o rebuilt.o
}

both() {
	same "$1" && rebuilt "$1"
}

# compiled COMPILER SOURCE FLAGS...: compiles, then both.
compiled() {
	local compiler=$1 source=$2
	shift 2
	"$compiler" "$@" -w -S -o out.s "$source" && both out.s
}

# at_levels COMPILER SOURCE FLAGS...
at_levels() {
	local compiler=$1 source=$2 level
	shift 2
	for level in -O0 -O1 -O2 -O3; do
		check "$compiler $level $* $source" \
			compiled "$compiler" "$samples/$source" $level "$@"
	done
}

for source in control.c inline.c numbers.c; do
	at_levels gcc $source -g -march=native
	at_levels gcc $source -fPIC -fverbose-asm -march=skylake-avx512 -fcf-protection=full
	if type clang >/dev/null 2>&1; then
		at_levels clang $source -fno-integrated-as -g -march=skylake-avx512
	else
		skip "clang $source" "no clang"
	fi
done
for source in control.c numbers.c; do
	at_levels gcc $source -masm=intel -g -march=native
	at_levels gcc $source -masm=intel -fPIC -march=skylake-avx512
done
for pair in g++:exceptions.cc gfortran:loops.f90; do
	if type "${pair%:*}" >/dev/null 2>&1; then
		at_levels "${pair%:*}" "${pair#*:}" -g -march=native
	else
		skip "$pair" "no ${pair%:*}"
	fi
done

check "by hand" both "$samples/byhand.s"
check "by hand, \\r\\n" eval 'sed "s/\$/\r/" "$samples/byhand.s" >crlf.s && same crlf.s'
check "by hand, last newline missing" eval 'head -c -1 "$samples/byhand.s" >cut.s && same cut.s'
check "cpp" eval 'gcc -E "$samples/preprocessed.S" -o cpp.s && both cpp.s'
check "nothing" same /dev/null
check "several files and both dumps" eval '
	"$asmcat" --check "$samples"/*.s cpp.s &&
	"$asmcat" --preparsed cpp.s | grep -q "linemark" &&
	"$asmcat" --parsed cpp.s | grep -q "disp=\"((0)+((0)&15)\*4)\" base=\"rsp\""'
finish
