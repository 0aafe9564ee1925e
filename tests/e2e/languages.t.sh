# The GNU languages and clang: the instrumented program prints and returns what the native one does, and
# its profile has counts of the source's own lines.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1
programs=$TOP/tests/e2e/programs

run() {
	"./$1" >"$1.out" 2>"$1.err"
	echo "status $?" >>"$1.out"
}

# counted SOURCE: lines of it have executed instructions.
counted() {
	awk -v name="/$(basename "$1")$" '/^fl=/ { mine = $0 ~ name } mine && /^[0-9]/ && $2 > 0 { n++ }
		END { exit n < 5 }' cacheprof.out
}

# same COMPILER SOURCE FLAG...: flags last, as libraries are to be; each build in a directory of its own, where
# gnatmake leaves files.
same() {
	local compiler=$1 source=$programs/$2 build
	shift 2
	rm -rf native ours native.d ours.d cacheprof.out
	mkdir native.d ours.d
	(cd native.d && "$compiler" "$source" "$@" -o ../native) &&
		(cd ours.d && cacheprof "$compiler" "$source" "$@" -o ../ours) || return 1
	run native && run ours && counted "$source" || return 1
	diff native.out ours.out && diff native.err ours.err
}

# lacks_objective_c COMPILER SOURCE: and the source is such.
lacks_objective_c() {
	case $2 in
	*.m) [[ $("$1" -print-prog-name=cc1obj) != */* ]] ;;
	*.mm) [[ $("$1" -print-prog-name=cc1objplus) != */* ]] ;;
	*) false ;;
	esac
}

gcc -O2 -c "$programs/move.c" -o move.o -pthread
while read -r compiler source flags; do
	if ! command -v "$compiler" >/dev/null; then
		skip "$compiler $flags" "there is no $compiler"
		continue
	fi
	if lacks_objective_c "$compiler" "$source"; then
		skip "$compiler $source $flags" "it has no Objective-C"
		continue
	fi
	if [ "$compiler" = gm2 ] && ! gm2 -c "$programs/everything.mod" -o everything.o 2>log; then
		skip "$compiler $flags" "gm2 does not find its own library, as Debian 12's: $(head -n 1 log)"
		continue
	fi
	if [[ $compiler = clang && $flags =~ -fxray-instrument|-fsanitize=[a-z-]* ]] &&
		! clang "${BASH_REMATCH[0]}" "$programs/gotos.c" -o tried 2>log; then
		skip "$compiler $flags" "clang has no runtime for it"
		continue
	fi
	# shellcheck disable=SC2086 # several options in one line
	check "$compiler $flags" same $compiler $source $flags
done <<'END'
g++ everything.cc -std=c++20 -pthread -O0
g++ everything.cc -std=c++20 -pthread -O2
g++ everything.cc -std=c++20 -pthread -O3 -fPIC -fno-plt -fnon-call-exceptions
g++ everything.cc -std=c++20 -pthread -O2 -flto -static
g++ everything.cc -std=c++20 -pthread -O2 -mcmodel=large
g++ everything.cc -std=c++20 -pthread -O1 -fsanitize=address
gfortran everything.f90 -O3 -march=native
gfortran everything.f90 -O2 -fopenmp
gfortran everything.f90 -O0 -fopenmp -fno-pie -no-pie
gnatmake everything.adb -O0
gnatmake everything.adb -O2 -g
gnatmake concurrent.adb -O2
gdc everything.d -O0
gdc everything.d -O2
gdc concurrent.d -O2
gccgo everything.go -O0
gccgo everything.go -O2
gccgo concurrent.go -O2
gccgo moved.go -O0 ../move.o
gccgo moved.go -O2 ../move.o
gccgo moved.go -O2 -fPIC ../move.o
gm2 everything.mod -O0
gm2 everything.mod -O2
gcobol everything.cob -O0
gcobol everything.cob -O2
ga68 everything.a68 -O0
ga68 everything.a68 -O2
gccrs everything.rs -O0 -frust-incomplete-and-experimental-compiler-do-not-use
gccrs everything.rs -O2 -frust-incomplete-and-experimental-compiler-do-not-use
gcc everything.m -std=gnu17 -O0 -fobjc-exceptions -lobjc -w
gcc everything.m -std=gnu17 -O2 -fobjc-exceptions -lobjc -w
gcc everything.m -std=gnu17 -O2 -fPIC -fobjc-exceptions -lobjc -w
g++ everything.mm -O0 -fobjc-exceptions -lobjc -w
g++ everything.mm -O2 -fobjc-exceptions -lobjc -w
clang gotos.c -O0
clang gotos.c -O2 -fno-pic -no-pie
clang gotos.c -O2 -fxray-instrument
clang gotos.c -O2 -fsanitize=memory
clang gotos.c -O0 -fsanitize=memory -fsanitize-memory-track-origins
clang gotos.c -O2 -fsanitize=address
clang gotos.c -O2 -fsanitize=thread
clang gotos.c -O2 -fsanitize=safe-stack
clang symbols.c -O2 -fbasic-block-sections=all
clang parts.c -O2 -fbasic-block-sections=all
clang++ everything.cc -std=c++20 -pthread -O2 -w
clang++ everything.cc -std=c++20 -pthread -O2 -w -fbasic-block-sections=all
clang++ everything.cc -std=c++20 -pthread -O2 -w -mretpoline
END

# Ada's own objects that are there already are compiled again, or the program would have no counts.
ada_again() {
	mkdir ada && cd ada && cp "$programs/everything.adb" . &&
		gnatmake -q everything.adb && cacheprof gnatmake -q everything.adb &&
		./everything >/dev/null && counted everything.adb
}
# gnatbind's -E is none of gcc's.
ada_bound() {
	cd "$T/ada" && cacheprof gnatmake -f -q everything.adb -cargs -O1 -bargs -E -largs -s && rm -f cacheprof.out &&
		./everything >/dev/null && counted everything.adb
}
if command -v gnatmake >/dev/null; then
	check "gnatmake where objects are there" ada_again
	check "gnatmake with words for gnatbind" ada_bound
else
	skip "gnatmake where objects are there" "there is no gnatmake"
fi

# C++: a frame that is not instrumented between two that are, and the other way round.
cat >a.cc <<'END'
#include <cstdio>
#include <stdexcept>
void through(void (*f)(int), int n);
struct Guard { int n; ~Guard() { std::printf("~%d\n", n); } };
static void thrower(int n) { Guard g{n}; if (n > 2) throw std::runtime_error("here"); through(thrower, n + 1); }
int main() { try { through(thrower, 0); } catch (std::exception &e) { std::printf("%s\n", e.what()); } }
END
cat >b.cc <<'END'
#include <cstdio>
struct Other { int n; ~Other() { std::printf("-%d\n", n); } };
void through(void (*f)(int), int n) { Other o{n}; try { f(n); } catch (int) { } }
END
mixed() {
	local first=$1 second=$2
	g++ -O2 a.cc b.cc -o native && $first g++ -O2 -c a.cc && $second g++ -O2 -c b.cc &&
		cacheprof g++ a.o b.o -o ours && run native && run ours && diff native.out ours.out
}
check "exceptions through frames of uninstrumented code" mixed cacheprof ""
check "exceptions through frames of instrumented code" mixed "" cacheprof
finish
