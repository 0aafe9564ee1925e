# nlohmann-json: units of its own tests. C++ templates, exceptions, and little else.
package=nlohmann-json3
ran="11 units of its tests"
flags=(-O0 -O2)
units="allocator class_lexer class_parser constructor1 conversions element_access1 iterators1
	json_pointer modifiers ordered_json udt"

build() {
	local unit
	$CXX $CFLAGS -std=c++11 -w -Iinclude -Itests/thirdparty/doctest -c tests/src/unit.cpp
	for unit in $units; do
		$CXX $CFLAGS -std=c++11 -w -Iinclude -Itests/thirdparty/doctest -DJSON_TEST_KEEP_MACROS \
			-DSKIP_LIBRARY_VERSION_CHECK unit.o "tests/src/unit-$unit.cpp" -o "unit-$unit" || return 1
	done
}

exercise() {
	local unit
	for unit in $units; do
		if [ "$size" = large ] || [ "$unit" = json_pointer ] || [ "$unit" = modifiers ]; then
			echo "$unit" && "./unit-$unit" --no-skip=false --duration=false
		fi
	done
}

tally() {
	awk '/assertions:/ { n += $3 } END { print n " assertions" }' "$1"
}
