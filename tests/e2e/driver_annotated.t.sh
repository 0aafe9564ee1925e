# -SA and .sA: annotated assembly as a stage of its own between assembly and object code.
. "$(dirname "$0")/../tap.sh"
. "$TOP/tests/driver/standin.sh"

# annotated FILE
annotated() {
	[ "$(head -n 1 "$1")" = "# annotated" ]
}
check "-SA makes foo.sA" quiet cacheprof gcc -SA -O2 foo.c
check "... annotated" annotated foo.sA
check "... with lines" grep -q '\.loc' foo.sA
check "... and leaves no object" fails test -e foo.o
check "-SA -o" quiet cacheprof gcc -SA foo.c -o other
check "... is the name of the output" annotated other
check "-SA of several inputs" quiet cacheprof gcc -SA foo.c bar.c
check "... annotates each" assembled 2
check "... under its own name" annotated bar.sA
elsewhere() {
	mkdir -p sub.d && cp foo.c sub.d/x.y.c && quiet cacheprof gcc -SA "$PWD/sub.d/x.y.c" && annotated x.y.sA
}
check "foo.sA goes to the working directory" elsewhere
check "-SA with -o and several inputs is an error" complains '-o with -SA' cacheprof gcc -SA foo.c bar.c -o x
assembly() {
	gcc -S foo.c -o asm.s && cp asm.s pre.S
	quiet cacheprof gcc -SA asm.s pre.S && annotated asm.sA && annotated pre.sA
}
check "-SA of .s and .S" assembly
from_stdin() {
	quiet cacheprof gcc -SA -x c - -o stdin.sA <foo.c && annotated stdin.sA
}
check "-SA of standard input" from_stdin
check "... of which the compiler is not told what it is" status 1 cacheprof gcc -SA - </dev/null
language() {
	cp foo.c foo.txt && cp bar.c bar.txt
	quiet cacheprof gcc -SA -x c foo.txt bar.txt -O1 && annotated foo.sA && annotated bar.sA
}
check "-SA with -x" language
unused() {
	gcc -c bar.c && rm -f foo.sA bar.sA && cacheprof gcc -SA foo.c bar.o 2>err && annotated foo.sA &&
		grep -q 'bar.o: not used' err && [ ! -e bar.sA ]
}
check "-SA does not use objects, and says so" unused
earlier() {
	quiet cacheprof gcc -S -SA foo.c && [ -s foo.s ] && [ ! -e "$LOG" ]
}
check "-S stops before -SA" earlier
failing() {
	echo 'int f(' >bad.c && rm -f bad.sA bar.sA
	status 1 cacheprof gcc -SA bad.c bar.c && annotated bar.sA && [ ! -e bad.sA ]
}
check "-SA goes on behind a bad input, and fails" failing

rm -f ./*.o
quiet cacheprof gcc -SA foo.c
check "-c foo.sA bar.s" quiet cacheprof gcc -c foo.sA asm.s
check "... runs our assembler for both" assembled 2
check "... makes foo.o" test -s foo.o
check "... and the other" test -s asm.o
check "a link takes .sA" quiet cacheprof gcc bar.c foo.sA -o foo
check "... with the runtime" has_runtime foo
echo 'int g;' >g.i
check "... and .c before and behind keep their language" quiet cacheprof gcc -c bar.c foo.sA g.i
check "... all three" assembled 3
check ".sA with -x is what the user says" complains "error" cacheprof gcc -x c -c foo.sA
check "--dryrun" prints ' gcc -B[^ ]* -c -x assembler foo.sA -x none bar.c -g1$' \
	cacheprof --dryrun gcc -c foo.sA bar.c
check "--dryrun of -SA" prints '^CACHEPROF_AS=[^ ]* CACHEPROF_ANN=.level2 annotate. gcc .* -c -o foo.sA$' \
	cacheprof --dryrun gcc -SA foo.c
finish
