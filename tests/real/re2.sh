# re2: its own tests, the random ones and some of those of its DFA: C++ of many small classes, threads, its shared
# library.
package=re2
ran="its tests, against its archive and its shared library"
flags=(-O2 "-O3 -march=native")
needs=python3
[ -e /usr/share/unicode/UnicodeData.txt ] || needs=unicode-data # no command: the row says so
patch=patched
clang=

tests="charclass_test compile_test filtered_re2_test mimics_pcre_test parse_test possible_match_test re2_test
	re2_arg_test regexp_test required_prefix_test search_test set_test simplify_test string_generator_test
	random_test dfa_test"
shared="re2_test search_test set_test"
few="charclass_test compile_test parse_test re2_arg_test regexp_test simplify_test"

# Debian's source has no tables: they are made of the package unicode-data's. The tests that repeat themselves do
# so less often.
prepare() {
	make -s REBUILD_TABLES=1 re2/perl_groups.cc re2/unicode_{casefold,groups}.cc &&
		sed -i 's/\(count\), 100,/\1, 20,/' re2/testing/random_test.cc &&
		sed -i 's/(int, size, 8,/(int, size, 6,/; s/(int, repeat, 2,/(int, repeat, 1,/' re2/testing/dfa_test.cc
}

build() {
	case $CXX in
	*--self-check*) set -- $(printf 'obj/test/%s ' $few) ;;
	*) set -- $(printf 'obj/test/%s ' $tests) $(printf 'obj/so/test/%s ' $shared) ;;
	esac
	make -s -j2 CXX="$CXX" CXXFLAGS="$CFLAGS" "$@"
}

# says DIRECTORY TEST...: what they print.
says() {
	local directory=$1 name
	shift
	for name; do
		echo "$directory/$name" && LD_LIBRARY_PATH=obj/so "$directory/$name"
		echo "status $?"
	done
}

exercise() {
	if [ "$size" = medium ]; then
		says obj/test $few
	else
		says obj/test $tests && says obj/so/test $shared
	fi
}

tally() {
	awk '/^PASS$/ { p++ } /^status [^0]/ { f++ } END { printf "%d programs pass, %d fail", p, f }' "$1"
}
