# box2d: all scenes of its testbed without a window: C++ of floats and virtual functions, Dear ImGui for the panels.
package=box2d
ran="the scenes of its testbed, their panels, its unit tests"
flags=(-O2 "-O3 -march=native")
clang=

build() {
	local options="-DDOCTEST_CONFIG_NO_POSIX_SIGNALS -Iinclude -Isrc -Itestbed -Iextern -Iextern/imgui
		-Iextern/glfw/include -Iextern/glad/include"
	cp "$here/box2d/headless.cc" headless.cpp && find src -name '*.cpp' >library.files &&
		printf '%s\n' {headless,testbed/test,extern/imgui/imgui{,_draw,_widgets}}.cpp {unit-test,testbed/tests}/*.cpp |
		cat library.files - | xargs -P 2 -I FILE $CXX $CFLAGS $options -c FILE -o FILE.o &&
		ar rcs libbox2d.a $(sed 's/$/.o/' library.files) &&
		$CXX $CFLAGS -o unit_test unit-test/*.o libbox2d.a &&
		$CXX $CFLAGS -o headless headless.cpp.o testbed/test.cpp.o testbed/tests/*.o extern/imgui/*.o libbox2d.a
}

exercise() {
	if [ "$size" = large ]; then
		./unit_test && ./headless 240
	else
		./headless 4
	fi
}

tally() {
	echo "$(grep -c ' shapes, ' "$1") scenes"
}

oracle() {
	equal headless 6 5
}
