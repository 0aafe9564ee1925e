# Inlined functions by name (--inline): on profiles of ours and of Valgrind's, which say nothing about
# them, with the debug information of the program.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS
export CACHEPROF_OPTIONS=quiet=1

cat >weigh.h <<'C'
static inline int half(int n)
{
	return n / 2;
}

static inline int weigh(const int *p, int i)
{
	return p[i] % 7 ? half(p[i]) : -p[i];
}
C
cat >prog.c <<'C'
#include "weigh.h"
#include <stdio.h>
int t[1000];
static inline int one(int n) { return n * 3; } int two(int n) { return one(n) + t[n]; }

__attribute__((noinline)) int sum(const int *p, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += weigh(p, i);
	return s;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 1000; i++)
		t[i] = i;
	printf("%d %d\n", sum(t, 1000), two(argc) + weigh(t, argc));
	return 0;
}
C

# counts NAME [OPTION]...: what the annotated source has above the function's first line.
counts() {
	local name=$1
	shift
	cacheprint --show=Ir "$@" | sed -n "s/^ *\([0-9,]*\) *==== $name: .*/\1/p" | tr -d ,
}
is() { [ "$1" = "$2" ] || { echo "$1, not $2" && false; }; }

# Not by vectors, as newer gcc does by itself: references are counted.
ours() { cacheprof gcc -O2 -fno-tree-vectorize prog.c -o prog && ./prog; }
check "a profile of ours" ours
cp cacheprof.out ours.out

# Wherever it was compiled, by whatever names of files.
elsewhere() {
	mkdir -p lib include build && cp prog.c lib/ && cp weigh.h include/ || return 1
	(cd build && cacheprof gcc -O2 "$@" -I../include ../lib/prog.c -o prog && ./prog && cacheprint --show=Ir --inline | grep "weigh inlined into sum")
}
check "by relative names" elsewhere
check "... DWARF 4" elsewhere -g -gdwarf-4
check "... with names that are mapped" elsewhere -g -ffile-prefix-map="$PWD=/mapped"

# Without --inline sum has all of it. With it the parts are there, and are the whole.
whole=$(counts sum -f ours.out prog.c)
header=$(counts sum -f ours.out weigh.h)
own=$(counts sum -f ours.out --inline prog.c)
weigh=$(counts "weigh inlined into sum" -f ours.out --inline weigh.h)
half=$(counts "half inlined into sum" -f ours.out --inline weigh.h)
check "the function's own lines are as before" is "$own" "$whole"
check "two functions of the header" is $((weigh + half)) "$header"
check "one reference a round is weigh's" is \
	"$(cacheprint -f ours.out --inline --show=Dr weigh.h | sed -n 's/^ *\([0-9,]*\) *==== weigh inlined into sum.*/\1/p')" 1,000
check "weigh is in main, too" test "$(counts "weigh inlined into main" -f ours.out --inline weigh.h)" -gt 0
check "heads stand above the functions" bash -c "cacheprint -f ours.out --inline weigh.h |
	grep -A3 'static inline int weigh' | grep -q '==== weigh inlined into sum'"
check "a line of two functions is not divided" fails grep -q 'one inlined into two' \
	<(cacheprint -f ours.out --inline --threshold=0)
check "... and is counted" grep -qE '^ +[1-9] .*static inline int one' <(cacheprint -f ours.out --inline --show=Ir prog.c)

# Each statement is one instruction, so that it is known which line has code of what.
cat >calls.c <<'C'
#define STEP(n) __asm__ volatile("add %0, %0" : "+r"(n))
static inline int inner(int n)
{
	STEP(n);
	return n;
}
static inline int outer(int n)
{
	return inner(n);
}
__attribute__((noinline)) int nested(int n)
{
	return outer(n);
}

static inline int add(int n)
{
	STEP(n);
	return n;
}
__attribute__((noinline)) int addition(int n)
{
	n = add(n);
	STEP(n);
	return n;
}

__attribute__((noinline)) int visible(int n)
{
	n = add(n);
	return n;
}
static int hidden(int n) __attribute__((alias("visible"), used));

static inline int left(int n) { STEP(n); return n; } __attribute__((noinline)) int right(int n) { n = left(n); STEP(n); return n; }

int main(int argc, char **argv)
{
	(void)argv;
	return nested(argc) + addition(argc) + visible(argc) + right(argc) == 0;
}
C
calls() { cacheprof gcc -O2 calls.c -o calls && CACHEPROF_OPTIONS=quiet=1:out=calls.out ./calls; }
# of NAME: its instructions with --inline
of() { counts "$1" -f calls.out --inline --threshold=0 calls.c; }
check "functions of a few instructions" calls
check "the innermost of calls that begin together" test "$(of 'inner inlined into nested')" -gt 0
check "... has all of it" fails grep -q 'outer inlined' <(cacheprint -f calls.out --inline --threshold=0)
check "a function whose name begins with the other's" test "$(of 'add inlined into addition')" -gt 0
check "... has what stands behind the call" test "$(of addition)" -ge 2
check "a function with two names" test "$(of 'add inlined into visible')" -gt 0
check "a line of two functions, both with code, is not divided" fails grep -q 'left inlined' \
	<(cacheprint -f calls.out --inline --threshold=0)

# Assembly is of symbols, whatever was inlined.
gcc -O2 -g1 -S calls.c
in_assembly() { cacheprint -f calls.out --show=Ir --asm=calls.s "$@" | sed -n '/^ .* addition:$/,/^$/p'; }
check "assembly shows what its symbols executed" grep -q '^ [1-9].* calls.c:18' <(in_assembly)
check "... with --inline, too" diff <(in_assembly) <(in_assembly --inline)

# Recursion that the compiler unrolled by inlining, with a line that only what is inlined has.
cat >self.c <<'C'
static int count(int n, int known)
{
	if (__builtin_constant_p(known))
		__asm__ volatile("nop");
	return n < 2 ? 1 : count(n - 1, 1) + count(n - 2, 1);
}
int main(int argc, char **argv)
{
	(void)argv;
	return count(15 + argc, argc) + count(16, argc) == 0;
}
C
self() { cacheprof gcc -O2 self.c -o self && ./self && readelf --debug-dump=info self | grep -q inlined_subroutine; }
check "a function inlined into itself" self
check "... which executes that line" grep -qE '^ +[1-9].*"nop"' <(cacheprint --show=Ir self.c)
check "... is one function" fails grep -q 'count inlined into count' <(cacheprint --inline --threshold=0)

# The sums of hosts do not change.
hosts() { cacheprint "$@" --csv | sed 's/,[^,]* inlined into /,/' | awk -F, 'NR > 1 { s[$1 "," $2] += $4 } END { for (k in s) print k, s[k] }' | sort; }
check "every function has what it had" bash -c "$(declare -f hosts); diff <(hosts -f ours.out) <(hosts -f ours.out --inline)"

check "all views have the names" bash -c "
	cacheprint -f ours.out --inline --json | grep -q 'weigh inlined into sum' &&
	cacheprint -f ours.out --inline --html=- | grep -q 'weigh inlined into sum' &&
	cacheprint -f ours.out --inline --group=file | grep -q 'weigh inlined into sum'"

# Where the program is.
mkdir -p away
cp ours.out away/
check "the program is looked for beside the profile" grep -q 'weigh inlined into' <(cacheprint -f "$T/ours.out" --inline)
fails_with() {
	local words=$1 status
	shift
	"$@" >out 2>err
	status=$?
	cat err
	[ "$status" -eq 2 ] && grep -qF -- "$words" err && [ ! -s out ]
}
merged() {
	CACHEPROF_OPTIONS=quiet=1:out=more.out ./prog x && cacheprint --merge ours.out more.out -o merged.out &&
		cacheprint -f merged.out --inline | grep 'weigh inlined into'
}
check "... of runs that were merged" merged
check "it is not there: status 2" fails_with "name the program with --inline=PROGRAM" cacheprint -f away/ours.out --inline
check "... named" grep -q 'weigh inlined into' <(cacheprint -f away/ours.out --inline=prog)
cp -p prog stripped && strip -p stripped
check "no debug information: status 2" fails_with "no debug information" cacheprint -f ours.out --inline=stripped
echo 'int main(void) { return 0; }' >other.c && gcc -g other.c -o other
nothing() { cacheprint -f ours.out --inline=other 2>&1 >all | grep " of other nothing was inlined" && grep -q " sum (" all; }
check "nothing that was inlined: said" nothing
said() { cacheprint -f ours.out --inline 2>&1 >all | grep "nothing was inlined"; }
check "... but not where there is some" fails said
check "no program: status 2" fails_with "prog.c" cacheprint -f ours.out --inline=prog.c
objcopy --only-keep-debug prog prog.debug && cp prog split && strip split && objcopy --add-gnu-debuglink=prog.debug split
check "a separate debug file" grep -q 'weigh inlined into' <(cacheprint -f ours.out --inline=split)
# Split debug information: what was inlined is in .dwo files.
for dwarf in 4 5; do
	(rm -f *.dwo && cacheprof gcc -O2 -gsplit-dwarf -gdwarf-$dwarf prog.c -o dwo && CACHEPROF_OPTIONS=quiet=1:out=dwo.out ./dwo >/dev/null)
	check "split debug information, DWARF $dwarf" grep -q 'weigh inlined into' <(cacheprint -f dwo.out --inline)
	check "... that is there" test -z "$(cacheprint -f dwo.out --inline 2>&1 >/dev/null)"
	rm *.dwo
	check "... or not: said" grep -q "dwo: some of its debug information is in .dwo files" <(cacheprint -f dwo.out --inline 2>&1 >/dev/null)
done
check "not with --diff" fails_with "--inline goes with" cacheprint --diff ours.out ours.out --inline
touch -d 2040-01-01 prog
check "a newer program is told" bash -c "cacheprint -f ours.out --inline 2>&1 >/dev/null | grep -q 'prog is newer than ours.out'"
touch -r ours.out prog

# C++: the names of both, and of templates.
cat >prog.cc <<'C'
template <class T> struct box { T v; T twice() const { return v + v; } };
int t[100];
namespace outer {
__attribute__((noinline)) int sum(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += box<int>{t[i]}.twice();
	return s;
}
}
int main() { return outer::sum(100); }
C
cxx() { cacheprof g++ -O1 prog.cc -o cxx && ./cxx && cp cacheprof.out cxx.out; }
check "a profile of C++" cxx
check "... both names" grep -qF 'box<int>::twice() const inlined into outer::sum(int)' \
	<(cacheprint -f cxx.out --inline --threshold=0 --full-names)
check "... and as symbols" grep -qF '_ZNK3boxIiE5twiceEv inlined into _ZN5outer3sumEi' \
	<(cacheprint -f cxx.out --inline --threshold=0 --full-names --no-demangle)
check "long names keep both ends of both" grep -qE ' inlined into [^.]*\.\.\.' \
	<(cacheprint -f cxx.out --inline --threshold=0 --mod-funcname='s/sum/an_extremely_long_name_that_does_not_fit_into_any_table_whatsoever/')

if command -v valgrind >/dev/null; then
	valgrinds() {
		gcc -O2 -fno-tree-vectorize -g prog.c -o native &&
			valgrind -q --tool=cachegrind --cache-sim=yes --cachegrind-out-file=vg.out ./native
	}
	check "a profile of Valgrind's" valgrinds
	# Valgrind 3.19 takes weigh's line in sum for one of prog.c; what is inlined cannot be known then.
	for f in "half inlined into sum" "half inlined into main" "weigh inlined into main"; do
		check "$f: as in ours" is "$(counts "$f" -f vg.out --inline weigh.h)" "$(counts "$f" -f ours.out --inline weigh.h)"
	done
else
	skip "a profile of Valgrind's" "valgrind is not installed"
fi
finish
