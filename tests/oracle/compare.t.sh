# compare itself, with cachegrind in cacheprof's place: it agrees with itself, and every change that
# is made to the profile is found.
. "$(dirname "$0")/../tap.sh"
if ! command -v valgrind >/dev/null; then
	skip "compare" "no valgrind"
	finish
fi
compare=$TOP/tests/oracle/compare
stub=$TOP/tests/oracle/stub-cacheprof
export STUB_SOURCES=program.c STUB_EDIT=

cat >program.c <<'END'
#include <stdio.h>
__attribute__((noinline)) static int twice(int i)
{
	return i * 2;
}

int main(int argc, char **argv)
{
	int sum = argc;
	for (int i = 0; i < 100; i++)
		sum += twice(i);
	printf("%d %s %d\n", sum, argc > 1 ? argv[1] : "none", getchar());
	return 3;
}
END

# compared STATUS PATTERN OPTION...: ends with that status and prints a line like PATTERN
compared() {
	local want=$1 pattern=$2 status
	shift 2
	"$compare" --driver="$stub" "$@" >out 2>&1
	status=$?
	[ $status -eq "$want" ] && grep -qE -- "$pattern" out || { cat out; return 1; }
}

none='^program: 2 functions, 6 counts compared, 0 different$'
check "equal" compared 0 "$none" program.c
check "flags, arguments, standard input" compared 0 "$none" --cflags="-O0 -Wall" --stdin=program.c \
	program.c -- one two
check "all counts" compared 0 '^twice +Ir +200 +200$' --all program.c
check "lines" compared 0 '^program.c:4 twice +Ir +100 +100$' --all --by=line program.c
check "some functions" compared 0 '1 functions, 3 counts' --only='^twice$' program.c
check "no function" compared 1 '0 functions, 0 counts compared, 0 different' --only='^nosuch$' program.c
check "misses within a bound" compared 0 '^\(all\) +D1mr .* within' --misses=50% program.c
mkdir tree
mv program.c tree
check "a tree with a recipe" compared 0 "$none" --dir=tree --program=program \
	--make='$CC $CFLAGS -o program program.c'
cp tree/program.c .

export STUB_EDIT='s/^5 100 0 0 100/5 100 0 0 101/'
check "a difference" compared 1 '^twice +Dr +100 +101  DIFFERS \+1$' program.c
check "a summary that is no sum" compared 1 '^\(summary\) +Dr .* DIFFERS' program.c
export STUB_EDIT='s/^\(summary: [0-9]*\) [0-9]*/\1 50/;s/^\(5 [0-9]*\) [0-9]*/\1 50/'
check "misses beyond a bound" compared 1 '^\(all\) +I1mr .* DIFFERS' --misses=0.1% program.c
# reads_missing NUMBER: the sed command that gives line 5, and all, that many D1mr.
reads_missing() {
	echo "s/^\\(\\(5\\|summary:\\) [0-9]* [0-9]* [0-9]* [0-9]*\\) [0-9]*/\\1 $1/"
}
STUB_EDIT=$(reads_missing 40)
check "misses that were libc's" compared 0 '^\(all\) +D1mr .* within' --misses=0.1% program.c
STUB_EDIT=$(reads_missing 40000000)
check "more than these" compared 1 '^\(all\) +D1mr .* DIFFERS' --misses=0.1% program.c
export STUB_EDIT='s/^\(summary: [0-9]*\) [0-9]*/\1 50/;s/^\(5 [0-9]*\) [0-9]*/\1 50/'
check "misses exactly" compared 1 '^twice +I1mr +[0-9]+ +50  DIFFERS' --misses=exact program.c
export STUB_EDIT='s/^fn=twice/fn=thrice/'
check "a function that only one has" compared 1 '^thrice +Ir +0 +200  DIFFERS' program.c
export STUB_EDIT='s/^4 100/4 90/'
cat >expected <<'END'
# program function event cachegrind ours reason
program twice Ir 200 190 because we say so
program twice Bc 0 1 is not compared
another twice Ir 1 2 is not meant
END
check "what is expected" compared 1 '^twice +Ir +200 +190  known: because we say so$' \
	--expect=expected program.c
export STUB_EDIT=
check "what is expected and does not come" compared 1 '^twice +Ir +200 +200  EXPECTED 200 190$' \
	--expect=expected program.c
echo 'program gone Ir 200 190 because' >expected
check "a function that is expected and missing" compared 1 '^gone Ir: expected, but not there$' \
	--expect=expected program.c

check "no source" compared 2 '^compare: nothing to compare' --all
check "a program that does not compile" compared 2 'native build failed|instrumented build failed' \
	expected
export STUB_EDIT='/^events/d'
check "no profile" compared 2 'no events' program.c
unset STUB_EDIT
gcc -g -O2 -o native.1 program.c && "$stub" gcc -g -O2 -o counts.1 program.c
check "two programs" compared 0 '^native: 2 functions, 6 counts compared, 0' --built --dir=. \
	--keep=kept native.1 counts.1 -- one
sed -n '1,/^events/p' kept/ours.out >empty.out && echo "summary: 0 0 0 0 0 0 0 0 0" >>empty.out
check "a profile without counts" compared 1 '0 counts compared' --profiles kept/cachegrind.out empty.out
check "two profiles" compared 0 '2 functions, 6 counts compared, 0 different' --profiles \
	kept/cachegrind.out kept/ours.out
# Code without a line: Cachegrind does not say its file either.
printf '%s\n' 'events: Ir' fl=f.f90 fn=main '7 10' 'fl=???' fn=cold '0 5' fn=printf '0 90' 'summary: 105' >theirs.out
printf '%s\n' 'events: Ir' fl=f.f90 fn=main '7 10' fl=f.f90 fn=cold '0 5' 'summary: 15' >ours.out
check "code of line 0" compared 0 '2 functions, 2 counts compared, 0 different' --profiles theirs.out ours.out
finish
