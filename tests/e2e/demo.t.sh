# The demonstration: the example of the 1999 manual as make demo shows it.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS CACHEPROFDIR

demo() {
	"$TOP/tools/demo" >out 2>&1
}
check "the demonstration runs" demo
shows() {
	grep -qE -e "$1" out || { cat out; return 1; }
}
check "... shows its commands" shows '^\$ cacheprof gcc -O -Wall -o traverse traverse.c$'
check "... and" shows '^\$ ./traverse$'
check "... and" shows '^\$ cacheprint traverse.c$'
check "the program says hello" shows '^hello, world!$'
check "... and what it is" shows '^==cacheprof== level-2 instrumented program: startup$'
check "the functions are there" shows 'rmTraverse \(traverse.c\)'
# The default D1: every store of one traversal misses, of the other one in 16 (64-byte lines of ints).
check "the column traversal's line" shows ' 1,048,576 +1,048,576 +[0-9,]+[[:space:]]+arr\[j\]\[i\] = \(i \+ j\);'
check "the row traversal's line" shows ' 1,048,576 +65,53[67] +[0-9,]+[[:space:]]+arr\[i\]\[j\] = \(i \+ j\);'
finish
