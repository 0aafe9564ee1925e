# Unwinding from everywhere: planted code, its cold half, the runtime's stubs and models. By libgcc,
# which serves backtrace(3), exceptions and cancellation.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1
here=$TOP/tests/e2e/unwind
gcc -O1 -fomit-frame-pointer -c "$here/watch.c" -o watch.o || exit 1

# walk LEVEL LINKING RUNTIME FLAG...: from every instruction. The watching half is not instrumented.
walk() {
	cacheprof "$1" gcc "${@:4}" -c "$here/walked.c" -o walked.o &&
		cacheprof "$1" gcc $2 watch.o walked.o -o walk || return 1
	CACHEPROF_OPTIONS=quiet=1:$3 timeout 120 ./walk >out
	cat out
	tail -n 1 out | grep -qx "1 0"
}

for flags in -O0 -O2 "-O2 -fPIC" "-O2 -fno-omit-frame-pointer" "-O3 -march=native"; do
	check "from every instruction, $flags" walk --level2 -g out=cacheprof.out $flags
done
for flags in -O2 "-O2 -fPIC"; do
	check "with scalars, $flags" walk --level2 -g simd=none $flags
	check "with small caches, $flags" walk --level2 -g D1=512,1,64 $flags
done
for flags in -O0 "-O2 -fPIC"; do
	check "with branch prediction, $flags" walk --branch-sim=yes -g out=cacheprof.out $flags
done
check "at level 1" walk --level1 -g out=cacheprof.out -O2
check "in a static program" walk --level2 -static out=cacheprof.out -O2
check "with sections for functions" walk --level2 -Wl,--gc-sections out=cacheprof.out -O2 \
	-ffunction-sections

# same COMPILER SOURCE FLAG...: the instrumented program prints what the native one does.
same() {
	"$1" "${@:3}" "$here/$2" -o native && cacheprof "$1" "${@:3}" "$here/$2" -o ours || return 1
	timeout 120 ./native >native.out && timeout 120 ./ours >ours.out && diff native.out ours.out
}

for flags in -O0 "-O2 -fPIC"; do
	check "exceptions, $flags" same g++ thrown.cc -fnon-call-exceptions $flags
	check "cancellation, $flags" same gcc cancelled.c -pthread $flags
	check "cancellation with cleanups as landing pads, $flags" \
		same gcc cancelled.c -pthread -fexceptions $flags
done
finish
