# What configure scripts ask a compiler gets the compiler's own answer: the same words on both
# streams and the same status. No part of cacheprof is needed for it.
. "$(dirname "$0")/../tap.sh"
. "$TOP/tests/driver/standin.sh"
rm -r "$PARTS"

# same COMMAND...: cacheprof in front makes no difference to see, but for names of temporary files.
same() {
	"$@" >out1 2>err1 <foo.c
	local status1=$?
	cacheprof "$@" >out2 2>err2 <foo.c
	local status2=$?
	sed -i 's#/tmp/cc[[:alnum:]]*#TEMP#g' err1 err2
	[ "$status1" -eq "$status2" ] && cmp out1 out2 && cmp err1 err2 && [ ! -e "$LOG" ]
}
for probe in --version -v -dumpversion -dumpfullversion -dumpmachine -dumpspecs \
	-print-search-dirs -print-libgcc-file-name -print-prog-name=as -print-file-name=libc.so \
	-print-multi-lib -print-multi-os-directory -print-sysroot --print-multiarch \
	--help --target-help -Q\ --help=target -m32\ -print-multi-directory \
	-Wl,--version '-Xlinker --help' -Wl,-v -V -qversion '' -c -O2 '-o x' missing.c\ -E \
	'-### -c foo.c' '-### foo.c -o foo' '-v -E foo.c' \
	'-E foo.c' '-E -' '-E -x c -' '-E -dM -x c /dev/null' '-E -v -x c -' '-E -m32 foo.c' \
	'-M foo.c' '-MM foo.c' '-M -MF deps foo.c' '-fsyntax-only foo.c' '-fsyntax-only -m32 foo.c' \
	'-P -E -pg foo.c'; do
	# shellcheck disable=SC2086 # several options in one word
	check "gcc $probe" same gcc $probe
done
for tool in g++ gfortran gdc gccgo clang; do
	if command -v "$tool" >/dev/null; then
		check "$tool --version" same "$tool" --version
		check "$tool -dumpmachine" same "$tool" -dumpmachine
		check "$tool without inputs" same "$tool"
	else
		skip "$tool" "there is no $tool"
	fi
done

# Options whose argument is the next word, by gcc's own list: what follows one is no input.
takes_next() {
	cacheprof --dryrun gcc "$1" foo.c >out && ! grep -q CACHEPROF_ out
}
mkdir -p "$PARTS/libexec/cacheprof" "$PARTS/lib/cacheprof"
ln -s "$(command -v as)" "$PARTS/libexec/cacheprof/instead-of-as"
echo | gcc -x c -c - -o "$PARTS/lib/cacheprof/cacheprof.o"
cp "$PARTS/lib/cacheprof/cacheprof.o" "$PARTS/lib/cacheprof/cacheprof_shared.o"
ar rc "$PARTS/lib/cacheprof/ends.a"
for option in $(gcc --help=separate | sed -n 's/^  \(-[^ <\[]*\).*/\1/p' | sort -u); do
	case $option in
	# The driver itself gives these their argument, or they are for a compiler proper only.
	-MD | -MMD | --write-dependencies | --write-user-dependencies | --output-pch= | -gnatO | -fcobol-exceptions=) ;;
	# One that is in gcc 14's list, but that it does not know.
	--output-pch) gcc --output-pch foo.c -dumpversion >log 2>&1 && check "$option takes the next word" takes_next "$option" ;;
	*) check "$option takes the next word" takes_next "$option" ;;
	esac
done
finish
