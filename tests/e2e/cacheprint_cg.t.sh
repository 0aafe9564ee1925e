# cacheprint beside cg_annotate, on profiles that Valgrind made: the same totals, the same sum for
# every function, the same numbers on every line.
. "$(dirname "$0")/../tap.sh"

if ! command -v valgrind >/dev/null || ! command -v cg_annotate >/dev/null; then
	skip "cacheprint beside cg_annotate" "valgrind is not installed"
	finish
fi

cat >prog.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int weigh(const unsigned char *p, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += p[i] % 7 ? p[i] : -p[i];
	return sum;
}

static int by_weight(const void *a, const void *b)
{
	return weigh(a, 16) - weigh(b, 16);
}

int main(int argc, char **argv)
{
	unsigned char (*t)[16] = calloc(3000, 16);

	(void)argv;
	for (int i = 0; i < 3000 * 16; i++)
		t[0][i] = (unsigned char)(i * 2654435761u >> 23);
	qsort(t, 3000, 16, by_weight);
	printf("%d\n", weigh(t[argc], 16));
	return 0;
}
C

# profile NAME GCC-OPTION... -- VALGRIND-OPTION...
profile() {
	local name=$1 flags=()
	shift
	while [ "$1" != -- ]; do flags+=("$1") && shift; done
	shift
	gcc -g "${flags[@]}" prog.c -o prog &&
		valgrind -q --tool=cachegrind --cachegrind-out-file="$name" "$@" ./prog
}

# The numbers and the text of a table's rows, without commas and with single blanks.
plain() {
	tr -d , | tr -s ' ' ' ' | sed 's/^ //; s/ $//'
}

# same_totals PROFILE: cg_annotate prints one row, cacheprint one row an event.
same_totals() {
	cg_annotate --show-percs=no --auto=no "$1" | sed -n 's/ PROGRAM TOTALS//p' | plain |
		tr ' ' '\n' >cg
	cacheprint -f "$1" | sed -n '/^  EVENT/,/^$/p' | plain | awk 'NR > 2 && NF { print $2 }' >ours
	[ -s cg ] && diff cg ours
}

# A row "numbers file:function" each; cg_annotate has had them below "numbers file:" since 3.21, if it has several.
functions_of() {
	cg_annotate --show-percs=no --auto=no --threshold=0 "$1" |
		sed -n '/file:function$/,/^-- Function:file/p' | plain | awk '
			{ sub(/^[<>] */, "") }
			/^[-0-9]+ .*:$/ { file = $NF; next }
			/^[-0-9]+ .*:/ { print; next }
			/^[-0-9]+ / { $NF = file $NF; print }'
}

# same_functions PROFILE: the functions that cacheprint shows, by name and file name; those that
# are in several files are left out, because cg_annotate tells whole paths.
same_functions() {
	functions_of "$1" | sed -nE 's,^([-0-9]+) (.*[ /])?([^/ ]+):([^:]+)$,\4 \3 \1,p' | sort -u >cg
	cacheprint -f "$1" | sed -n '/FUNCTION (FILE)$/,/^$/p' | plain |
		sed -nE 's,^([-0-9]+) .*% ([^ ]+) \(([^/]*)\)$,\2 \3 \1,p' | sort -u >ours
	[ -s ours ] && ! comm -13 cg ours | grep .
}

# same_lines PROFILE: both annotate prog.c whole; cacheprint's ==== lines are its own.
same_lines() {
	cg_annotate --show-percs=no --context=100000 "$1" |
		awk '/source: |^The following|^-- Annotated source file: |^-- Annotation summary/ { on = /prog\.c$/ }
			on && /^ *[.0-9]/' |
		grep -vE '<counts for|events annotated' | plain >cg
	cacheprint -f "$1" prog.c |
		awk '/^--- Annotated source: / { on = 1 } /COVERAGE$/ { on = 0 } on && /^ *[.0-9]/' |
		grep -vE ' ==== .* ====$|<lines unknown>' | plain >ours
	[ "$(wc -l <cg)" -ge "$(wc -l <prog.c)" ] && diff cg ours
}

check "profile with caches and branches" profile all.out -O1 -- --cache-sim=yes --branch-sim=yes
check "profile of instructions only" profile ir.out -O2 -- --cache-sim=no
check "profile without optimisation" profile o0.out -O0 -- --cache-sim=yes
check "profile to compare" profile o1.out -O1 -- --cache-sim=yes
for p in all.out ir.out o0.out; do
	check "$p: totals" same_totals "$p"
	check "$p: functions" same_functions "$p"
	check "$p: lines" same_lines "$p"
done
# merges PROFILE...: cg_annotate sees no difference between cg_merge's and cacheprint's.
merges() {
	cg_merge -o one.out "$@" && cacheprint --merge -o two.out "$@" &&
		cg_annotate --threshold=0 --auto=no one.out | grep -vE '^(Data file|Invocation)' >cg &&
		cg_annotate --threshold=0 --auto=no two.out | grep -vE '^(Data file|Invocation)' >ours &&
		diff <(sort cg) <(sort ours)
}

# differs A B: the totals of cg_diff and those of cacheprint --diff.
differs() {
	cg_diff "$1" "$2" | tail -1 | tr ' ' '\n' | tail -n +2 >cg
	cacheprint --diff "$1" "$2" | sed -n '/^  EVENT/,/^$/p' | plain | tr -d + |
		awk 'NR > 2 && NF { print $4 }' | head -n "$(wc -l <cg)" >ours
	[ -s cg ] && diff cg ours
}

check "cg_merge" cg_merge -o merged.out all.out all.out
check "merged: totals" same_totals merged.out
check "merged: lines" same_lines merged.out
check "merge as cg_merge" merges all.out all.out
check "merge three as cg_merge" merges o0.out o1.out o0.out
check "what is merged can be merged" cg_merge -o three.out two.out o0.out
check "diff as cg_diff" differs o0.out o1.out
check "diff as cg_diff, the other way" differs o1.out o0.out
check "cg_diff" bash -c 'cg_diff all.out o0.out >diff.out || cg_diff all.out merged.out >diff.out'
check "difference: totals" same_totals diff.out
finish
