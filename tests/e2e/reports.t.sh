# What gas writes beside the object is of the user's assembly.
. "$(dirname "$0")/../tap.sh"

printf 'f:\n\tmovl $1,%%eax\n\tret\n.include "included.s"\n' >reported.s
echo '.globl f' >included.s
# as_gas FILE OPTION...: FILE, which gas writes when it is asked so, is the same.
as_gas() {
	gcc -c "${@:2}" reported.s -o 'a $.o' >out.gcc || return 1
	[ "$1" = out ] || mv "$1" "$1.gcc" || return 1
	cacheprof gcc -c "${@:2}" reported.s -o 'a $.o' >out || return 1
	diff "$1.gcc" "$1" && nm 'a $.o' | grep -q 'U cacheprof_'
}
check "a listing" as_gas out -Wa,-aln
check "... into a file" as_gas listing -Wa,-ahls=listing
check "dependencies, of gas" as_gas reported.d -Wa,--MD,reported.d
check "... written in one word" as_gas reported.d -Wa,--MD=reported.d
check "both" as_gas reported.d -Wa,-al=listing,-MD,reported.d
piped() {
	cacheprof gcc -pipe -O -c -x c - -o piped.o -Wa,--MD,piped.d <<<"int f(int x) { return x; }" &&
		! grep -q cacheprof piped.d && grep -q '^piped.o: ' piped.d
}
check "dependencies of standard input" piped
unwritable() {
	! cacheprof gcc -c reported.s -o no.o -Wa,--MD,/nonexistent/d 2>err && grep -q /nonexistent/d err &&
		[ ! -e no.o ]
}
check "dependencies that cannot be written" unwritable
finish
