# nlohmann-json: units of its own tests. C++ templates, exceptions, and little else.
package=nlohmann-json3
ran="11 units of its tests"
flags=(-O2)
clang=
units="allocator class_lexer class_parser constructor1 conversions element_access1 iterators1
	json_pointer modifiers ordered_json udt"
few="json_pointer modifiers"

build() {
	local unit
	case $CXX in *--self-check*) units=$few ;; esac
	$CXX $CFLAGS -std=c++11 -w -Iinclude -Itests/thirdparty/doctest -c tests/src/unit.cpp
	for unit in $units; do
		$CXX $CFLAGS -std=c++11 -w -Iinclude -Itests/thirdparty/doctest -DJSON_TEST_KEEP_MACROS \
			-DSKIP_LIBRARY_VERSION_CHECK unit.o "tests/src/unit-$unit.cpp" -o "unit-$unit" || return 1
	done
}

exercise() {
	local unit
	if [ "$size" = medium ]; then units=$few; fi
	for unit in $units; do
		echo "$unit" && "./unit-$unit" --no-skip=false --duration=false
	done
}

tally() {
	awk '/assertions:/ { n += $3 } END { print n " assertions" }' "$1"
}
