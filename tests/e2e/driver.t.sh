# cacheprof in front of compile and link commands: every way into the assembler is diverted, every
# link gets the runtime, and nothing else changes. With stand-ins for cacheann and the runtime.
. "$(dirname "$0")/../tap.sh"
. "$TOP/tests/driver/standin.sh"

# Compiling and linking

check "compiles and links, silently" quiet cacheprof gcc -O2 foo.c -o foo
check "... through our assembler" assembled 1
check "... with the runtime" has_runtime foo
check "... into a program that runs" ./foo
check "compiles to an object" quiet cacheprof gcc -c foo.c
check "... through our assembler" assembled 1
check "... without the runtime" fails has_runtime foo.o
check "links objects" quiet cacheprof gcc foo.o -o foo
check "... without assembling" assembled 0
check "... with the runtime" has_runtime foo

several() {
	rm -f ./*.o
	quiet cacheprof gcc -c foo.c bar.c && [ -f foo.o ] && [ -f bar.o ] && assembled 2
}
check "several inputs at once" several
mixed() {
	gcc -S bar.c && cacheprof gcc -c bar.c && assembled 1 && ar rc libbar.a bar.o && gcc -E bar.c >baz.i || return 1
	quiet cacheprof gcc foo.c bar.s -o foo && assembled 2 && has_runtime foo &&
		quiet cacheprof gcc foo.o baz.i -o foo && assembled 1 &&
		quiet cacheprof gcc foo.c libbar.a -o foo && assembled 1 &&
		quiet cacheprof gcc foo.c -L. -lbar -o foo && assembled 1
}
check "inputs .c .i .s .o .a and -l" mixed
capital() {
	echo '#define R ret' >foo.S && gcc -S -o - bar.c >>foo.S
	quiet cacheprof gcc -c foo.S && assembled 1
}
check "input .S" capital
check "standard input" quiet cacheprof gcc -x c -c - -o in.o <bar.c
check "... through our assembler" assembled 1
check "-x in force at the end of a link" quiet cacheprof gcc -o foo -x c foo.c
check "... does not make the runtime a C source" has_runtime foo
check "-pipe" quiet cacheprof gcc -pipe -c foo.c
check "... through our assembler" assembled 1
temps() {
	mkdir -p temps
	(cd temps && quiet cacheprof gcc -save-temps -c ../foo.c && [ -s foo.i ] && [ -s foo.s ]) &&
		assembled 1
}
check "-save-temps" temps
# What is made besides a program has the source's name where the two are the same, for gcc sees one input only.
besides() {
	mkdir -p native ours &&
		(cd native && gcc "$@" ../foo.c -o foo && ls) >expected &&
		(cd ours && quiet cacheprof gcc "$@" ../foo.c -o foo && ls) >got &&
		grep -q '^foo\.' expected && diff expected got
	local status=$?
	rm -r native ours
	return $status
}
for flag in -save-temps --coverage "-g -gsplit-dwarf" -fstack-usage; do
	check "names of what is made besides a program: $flag" besides $flag
done
dependencies() {
	quiet cacheprof gcc -MD -MF deps -c foo.c && grep -q '^foo.o: foo.c' deps && assembled 1
}
check "-MD" dependencies
check "-flto: compiles" quiet cacheprof gcc -O2 -flto -c foo.c bar.c
check "... through our assembler" assembled 2
check "... and the code made at the link too" quiet cacheprof gcc -O2 -flto foo.o bar.o -o foo
check "... through our assembler" assembled 1
check "... with the runtime" has_runtime foo

link_with() {
	quiet cacheprof gcc "$@" foo.c -o out && has_runtime out
}
for how in -static -static-pie -pie -no-pie '-shared -fPIC' '-nostdlib -Wl,-e,main' -g3; do
	# shellcheck disable=SC2086 # several options in one word
	check "link with $how" link_with $how
done
for how in -r '-Wl,-r -no-pie' '-no-pie -Xlinker -r'; do
	# shellcheck disable=SC2086
	check "$how makes an object" quiet cacheprof gcc $how foo.c -nostdlib -o out.o
	check "... without the runtime" fails has_runtime out.o
	check "... through our assembler" said level2
done
header() {
	echo 'int f(int);' >f.h
	rm -f ./*.gch
	quiet cacheprof gcc f.h && [ -s f.h.gch ] && assembled 0 &&
		echo 'int g(void) { return f(1); }' >g.c &&
		prints '^! .*f.h.gch' sh -c 'cacheprof gcc -H -include f.h -c g.c 2>&1'
}
check "a precompiled header is made and used" header

blanks() {
	mkdir -p "a 'b" && cp foo.c "a 'b/c d.c"
	quiet cacheprof --cacheprofdir="$BLANK" gcc -DX="\"a b\"" "a 'b/c d.c" -o "a 'b/out" &&
		"./a 'b/out" && has_runtime "a 'b/out" && assembled 1
}
BLANK="$T/pa 'rts"
cp -r "$PARTS" "$BLANK"
check "blanks and quotes in paths" blanks

# What the annotator is told

told() {
	local words=$1
	shift
	quiet cacheprof "$@" -c foo.c && grep -q " ANN=$words -" "$LOG"
	local status=$?
	rm -f "$LOG"
	return $status
}
check "level 2" told level2 gcc
check "level 1" told level1 --level1 gcc
check "level 0" told level0 --level0 gcc
check "the last level counts" told level2 --level1 --level2 gcc
check "pic" told "level2 pic" gcc -fPIC
check "not pic" told "level2" gcc -fPIC -fPIE
check "pic with -shared" told "level2 pic" gcc -shared
check "self-check" told "level2 show" --self-check gcc
check "trace" told "level2 show" --trace gcc
for o in self-check trace; do
	for l in 0 1; do
		refused() { cacheprof "--$o" "--level$l" gcc -c foo.c 2>err; [ $? -eq 2 ] && grep -qx "cacheprof: --$o is at level 2 only.*" err; }
		check "--$o is refused at level $l" refused
	done
done
check "branches" told "level2 branches" --branch-sim=yes gcc
check "branches at level 1" told "level1 branches" --level1 --branch-sim=yes gcc
check "the last --branch-sim counts" told level2 --branch-sim=yes --branch-sim=no gcc
check "dumps" told "level1 pic dump-ccs dump-ident-bbs" --ddump-ccs --level1 --ddump-ident-bbs gcc -fpic
check "-H and -K have no effect" told level2 -H16m -K1m gcc
real_as() {
	local path
	quiet cacheprof gcc -c foo.c && path=$(sed -n 's/^AS=\([^ ]*\) .*/\1/p' "$LOG") && rm "$LOG" &&
		[ "${path:0:1}" = / ] && [ "$path" -ef "$(command -v as)" ]
}
check "the real assembler by its absolute path" real_as
verbose() {
	cacheprof -v gcc -c foo.c 2>err && grep -q "^CACHEPROF_AS=.*gcc .* -c foo.c -g1" err && said verbose
}
check "-v prints the command and tells the annotator" verbose
check "level 0 links no runtime" quiet cacheprof --level0 gcc foo.c -o foo
check "... indeed" fails has_runtime foo
# links PARTS OPTION...: of those that are shown instructions
links() {
	local parts=$1
	shift
	quiet cacheprof "$@" gcc foo.c -o foo && has_runtime foo &&
		[ "$(nm foo | grep -oE 'standin_(show|selfcheck|trace)' | sort | tr '\n' ' ')" = "$parts" ]
}
check "--self-check links the plain simulator" links "standin_selfcheck standin_show " --self-check
check "--trace links the writer" links "standin_show standin_trace " --trace
check "both" links "standin_selfcheck standin_show standin_trace " --trace --self-check
check "neither" links ""

# Debug information

lines() {
	quiet cacheprof "$@" -c foo.c -o lines.o && has_lines lines.o
}
check "-g1 is added" lines gcc
check "-g0 is no wish" lines gcc -g0
check "--no-g adds none" fails lines --no-g gcc
check "-g3 stays" prints '^[^ ]* [^ ]* gcc -B[^ ]* -g3 -c foo.c$' cacheprof --dryrun gcc -g3 -c foo.c
check "-S has lines for who assembles it later" quiet cacheprof gcc -S foo.c -o later.s
check "... in its text" grep -q '\.loc' later.s
check "... and is not assembled" assembled 0
located() {
	quiet cacheprof gcc "$@" -S foo.c -o located.s && grep -q '\.loc' located.s
}
check "-gno-as-loc-support is taken back" located -gno-as-loc-support
check "... beside the user's own -g, too" located -g -gno-as-loc-support

# The user's own -B, response files, where the parts are

own_b() {
	mkdir -p own
	printf '#!/bin/sh\necho own >>own.log\nexec as "$@"\n' >own/as && chmod +x own/as
	rm -f own.log
	quiet cacheprof gcc "$@" -c foo.c && assembled 1 && [ "$(cat own.log)" = own ]
}
check "-B of the user: his assembler runs behind ours" own_b "-B$PWD/own/"
check "-B relative" own_b -Bown/
check "-B as two words" own_b -B own/
# As musl's and others' specs do, which have no other way to gcc's own libraries.
own_directory() {
	printf '*link_libgcc:\n-L .%%s\n' >specs
	quiet gcc -specs=specs foo.c -o specified && quiet cacheprof gcc -specs=specs foo.c -o specified
}
check "gcc's own directory stays what specs find" own_directory
response() {
	echo "-c 'foo.c' -o \"r p.o\"" >args
	quiet cacheprof gcc @args && [ -s "r p.o" ] && assembled 1 &&
		prints ' gcc -B[^ ]* @args -g1$' cacheprof --dryrun gcc @args
}
check "a response file is read, and passed on as it is" response
response_sa() {
	echo "-SA foo.c" >args
	rm -f foo.sA
	quiet cacheprof gcc @args && [ -s foo.sA ] && said annotate
}
check "-SA in a response file" response_sa
prefix() {
	local prefix="$T/pre fix"
	mkdir -p "$prefix/bin" && cp "$BUILD/bin/cacheprof" "$prefix/bin" && cp -r "$PARTS"/* "$prefix"
	prints "gcc '-B$prefix/libexec/cacheprof/instead-of-' foo.c -g1 -Xlinker '$prefix/lib/cacheprof/cacheprof.o'" \
		env -u CACHEPROFDIR "$prefix/bin/cacheprof" --dryrun gcc foo.c &&
		ln -s "$prefix/bin/cacheprof" cacheprof-link &&
		prints "gcc '-B$prefix/libexec" env -u CACHEPROFDIR ./cacheprof-link --dryrun gcc foo.c &&
		prints "gcc -B$PARTS/libexec" "$prefix/bin/cacheprof" --dryrun gcc foo.c &&
		prints "gcc '-B$prefix/libexec" cacheprof --cacheprofdir="$prefix" --dryrun gcc foo.c &&
		(cd "$T" && prints "gcc '-B$prefix/libexec" cacheprof --cacheprofdir="./pre fix" --dryrun gcc x.c)
}
check "parts: beside the tool, CACHEPROFDIR, --cacheprofdir=" prefix

# --dryrun

dryrun() {
	rm -f ./*.o "$LOG" && cp -r . ../before
	cacheprof --dryrun gcc -O2 -DX='a "b" $c' -c foo.c bar.c >commands && assembled 0 &&
		mv commands .. && diff -r . ../before && sh ../commands && assembled 2 && [ -s bar.o ]
}
check "--dryrun runs nothing, and prints what a shell can run" dryrun
check "--dryrun of an untouched command" prints '^gcc -E foo.c$' cacheprof --dryrun gcc -E foo.c

# Other compilers and other ways to be called

if command -v clang >/dev/null; then
	check "clang compiles and links, silently" quiet cacheprof clang -O2 foo.c -o foo
	check "... through our assembler" assembled 1
	check "... with the runtime" has_runtime foo
	check "clang links objects, silently" quiet cacheprof clang bar.o foo.o -o foo
	check "clang assembles, silently" quiet cacheprof clang -c bar.s
	check "... through our assembler" assembled 1
	ln -s "$(command -v clang)" mycc
	check "clang by another name is told by its answer" quiet cacheprof ./mycc -c foo.c
	check "... and runs our assembler" assembled 1
	check "clang -flto is refused" complains 'flto' cacheprof clang -flto -c foo.c
else
	skip "clang" "there is no clang"
fi
# language TOOL SUFFIX: a program in its language is diverted and linked.
language() {
	quiet cacheprof "$1" -O1 "lang.$2" -o lang && ./lang && assembled 1 && has_runtime lang
}
echo 'class A { public: ~A() {} }; int main() { try { A a; throw 1; } catch (int) { } }' >lang.cc
echo '      end' >lang.f
echo 'package main; func main() { }' >lang.go
echo 'void main() { }' >lang.d
for tool in g++:cc gfortran:f gdc:d gccgo:go; do
	if command -v ${tool%:*} >/dev/null; then
		check "${tool%:*}" language ${tool%:*} ${tool#*:}
	else
		skip ${tool%:*} "there is no ${tool%:*}"
	fi
done
masquerade() {
	mkdir -p masquerade && ln -sf "$BUILD/bin/cacheprof" masquerade/gcc
	PATH="$PWD/masquerade:$PATH" quiet gcc "$@" foo.c -o foo && has_runtime foo
}
check "a link named gcc, early in PATH" masquerade -O2
check "... assembles once" assembled 1
check "... with -flto, where gcc calls itself" masquerade -O2 -flto
check "... assembles both stages" assembled 2
nested() {
	PATH="$PWD/masquerade:$PATH" quiet cacheprof gcc foo.c -o foo && has_runtime foo && assembled 1 &&
		quiet cacheprof "$PWD/masquerade/gcc" foo.c -o foo && has_runtime foo && assembled 1
}
check "cacheprof in front of such a link" nested

# Nothing is left behind

clean() {
	mkdir -p tmp && TMPDIR=$PWD/tmp cacheprof gcc -SA foo.c bar.c &&
		TMPDIR=$PWD/tmp cacheprof gcc foo.c -o foo && rmdir tmp
}
check "no temporary file is left" clean
finish
