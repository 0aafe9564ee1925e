# The assembly view: counts of instructions that add up to those of their source lines, in a profile
# by instruction (cacheprof --asm) and against one by source line; assembly written by hand.
. "$(dirname "$0")/../tap.sh"
unset CACHEPROF_OPTIONS
export CACHEPROF_OPTIONS=quiet=1

mkdir a b
cat >a/part.c <<'C'
static inline int weigh(const int *p, int i)
{
	return p[i] % 7 ? p[i] : -p[i];
}

int sum(const int *p, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += weigh(p, i);
	return s;
}
C
cat >b/part.c <<'C'
#include <stdio.h>
int sum(const int *p, int n);
int t[5000];

int main(void)
{
	for (int i = 0; i < 5000; i++)
		t[i] = i * 3 % 101;
	printf("%d\n", sum(t, 5000));
	return 0;
}
C

# One row a source line and function: "FUNCTION FILE:LINE counts", from the view.
centres() {
	cacheprint "$@" --show=Ir,Dr,Dw --threshold=0 | tr -d , | awk '
		/ ==== / { sub(/.* ==== /, ""); sub(/:.*/, ""); f = $0 }
		match($0, /[^ ]*\.c:[0-9]+: /) {
			where = substr($0, RSTART, RLENGTH - 2)
			counts = substr($0, 1, RSTART - 1)
			if (counts !~ /^[ .0]*$/) { $0 = counts; $1 = $1; print f, where, $0 }
		}' | sort
}
# The same from a profile by source line; lines that the assembly does not name are line 0.
rows() {
	cacheprint -f "$1" --show=Ir,Dr,Dw --csv | tr -d '"\r' | awk -F, 'NR > 1 && $3 > 0 {
		sub(/.*\//, "", $1)
		s = $2 " " $1 ":" $3
		for (i = 4; i <= NF; i++) s = s " " $i
		print s }' | sort
}

by_line() { cacheprof gcc "$1" a/part.c b/part.c -o lines && ./lines && mv cacheprof.out lines.out; }
by_insn() { cacheprof --asm gcc "$1" a/part.c b/part.c -o insns && ./insns && mv cacheprof.out insns.out; }

# Misses move a little with the size of the tables beside the data.
add_up() {
	centres -f insns.out --asm a-part.c.s --asm b-part.c.s >got && rows lines.out >want &&
		[ -s want ] && diff want got
}
lines_beside() {
	gcc "$1" -g1 -S a/part.c -o a.s && gcc "$1" -g1 -S b/part.c -o b.s &&
		centres -f lines.out --asm a.s --asm b.s >got && diff want got
}
# What is printed beside instructions is the whole profile.
all_there() {
	cacheprint -f insns.out --show=Ir --threshold=0 --asm a-part.c.s --asm b-part.c.s | tr -d , |
		awk '/^--- Assembly/ { on = 1 } on && /^ *[0-9]+ / && !/ ==== |\.c:[0-9]+: / { s += $1 } END { print s }' >got
	sed -n 's/^summary: \([0-9]*\).*/\1/p' insns.out | diff - got
}
for o in -O0 -O2; do
	check "$o: by line" by_line "$o"
	check "$o: by instruction" by_insn "$o"
	check "$o: both assemblies are kept" test -s a-part.c.s -a -s b-part.c.s
	check "$o: instructions add up to source lines" add_up
	check "$o: every instruction is shown" all_there
	check "$o: a profile by line shows the same source lines" lines_beside "$o"
done
check "a profile by line says what it lacks" bash -c \
	'cacheprint -f lines.out --asm a.s | grep -q "only source lines were counted"'
# a.s and b.s were made after lines.out, but it is the lines of a/part.c and b/part.c that were counted.
newer_than_lines() {
	touch a.s && cacheprint -f lines.out --asm a.s --asm b.s >out 2>err && [ ! -s err ] || return 1
	touch -d "now + 1 hour" a/part.c && cacheprint -f lines.out --asm a.s >out 2>err &&
		[ "$(grep -c 'a/part.c is newer' err)" -eq "$(wc -l <err)" ] && [ -s err ] && touch a/part.c
}
check "a profile by line: the sources may be newer, not the assembly" newer_than_lines
check "what was not executed is shown with dots or zeros" bash -c \
	'cacheprint -f insns.out --asm a-part.c.s | grep -qE "^ *[.0-9]+ .*ret"'

# Where the assembly is kept.
kept() {
	local name=$1
	shift
	rm -f ./*.s ./*.o && "$@" && [ -s "$name" ] && grep -qF "$name" "${name%.s}"
}
check "-c: OBJECT.s" kept part.o.s cacheprof --asm gcc -O1 -c a/part.c
check "-c -o: beside the object" kept a/x.o.s cacheprof --asm gcc -O1 -c a/part.c -o a/x.o
check "-pipe" kept part.o.s cacheprof --asm gcc -O1 -pipe -c a/part.c
from_text() {
	cacheprof --asm gcc -O1 -S a/part.c -o hand.s && cacheprof --asm gcc -c hand.s &&
		grep -q "$PWD/hand.s" hand.o && [ ! -e hand.o.s ]
}
check "a .s file is its own" from_text
each_its_own() { # of one command, in directories above each other
	mkdir -p up/down && cp a/part.c up/down/part.c && cp b/part.c up/part.c &&
		(cd up/down && cacheprof --asm gcc -O1 ./part.c ../part.c -o it && grep -q 'part.c' part.c.s &&
			[ -s ^-part.c.s ] && ! cmp -s part.c.s ^-part.c.s && [ "$(ls -A | wc -l)" -eq 4 ])
}
check "sources above each other" each_its_own
unwritable() {
	mkdir -p d/part.o.s && ! (cd d && cacheprof --asm gcc -c ../a/part.c) 2>err && [ ! -e d/part.o ] &&
		grep -q 'cannot keep the assembly as part.o.s' err
}
check "what cannot be kept is an error" unwritable
self_check() {
	cacheprof --asm --self-check gcc -O2 a/part.c b/part.c -o checked &&
		CACHEPROF_OPTIONS= ./checked 2>err && grep -q 'self-check: 0 differences' err
}
check "self-check" self_check
without_asm() { cacheprof gcc -O1 -c a/part.c -o none.o && [ ! -e none.o.s ]; }
check "without --asm nothing is kept" without_asm

# By hand: a source like any other. Ten rounds of three instructions, one of them a read.
cat >loop.s <<'S'
	.text
	.globl count
	.type count, @function
count:				# long count(long *cell)
	movl $10, %ecx
again:
	addq $1, (%rdi)
	decl %ecx
	jnz again
	ret
	.size count, .-count
	.section .note.GNU-stack,"",@progbits
S
cat >call.c <<'C'
void count(long *cell);
long cell;
int main(void) { count(&cell); return cell != 10; }
C
by_hand() { cacheprof gcc -O1 loop.s call.c -o hand && ./hand && cp cacheprof.out hand.out; }
annotated() {
	cacheprint --show=Ir,Dr,Dw -f hand.out "$@" >out && grep -qE '^ *10 +10 +0\s+addq \$1, \(%rdi\)$' out &&
		grep -qE '^ *1 +0 +0\s+movl \$10, %ecx$' out && grep -qE '^ *1 +1 +0\s+ret$' out
}
check "assembly by hand is profiled" by_hand
check "... annotated as a source" annotated loop.s
check "... with its comments and directives" grep -q '# long count' out
check "... from elsewhere, by the directory recorded" bash -c \
	'mkdir -p elsewhere && cd elsewhere && cacheprint -f ../hand.out loop.s | grep -q "addq \$1"'
check "... in the assembly view" annotated --asm loop.s
cat >macro.S <<'S'
#define ROUNDS $10
	.text
	.globl count
count:
	movl ROUNDS, %ecx
1:	addq $1, (%rdi)
	loop 1b
	ret
	.section .note.GNU-stack,"",@progbits
S
preprocessed() {
	cacheprof gcc -O1 macro.S call.c -o hand && ./hand && cacheprint --show=Ir,Dr macro.S >out &&
		grep -qE '^ *1 +0\s+movl ROUNDS, %ecx$' out && grep -qE '^ *10 +10\s+1:	addq' out
}
check "a preprocessed source has its own lines" preprocessed

# 3000 functions, and one of 3000 lines, in a profile by source line.
make_many() {
	awk -v out=many.out -v source="$PWD/many.c" '
		function row(line) { print line, 1 >out; sum++ }
		BEGIN {
		print "cmd: ./many\nevents: Ir\nfl=" source >out
		for (i = 0; i < 3000; i++) {
			print "int f" i "(volatile int *g)\n{"
			for (k = 0; k < 5; k++) print "\t*g += " k ";"
			print "\treturn *g;\n}"
			print "fn=f" i >out
			for (k = 2; k <= 9; k++) row(9 * i + k)
		}
		print "int main(void)\n{\n\tint g = 1;"
		for (i = 0; i < 3000; i++) print "\tf" i "(&g);"
		print "\treturn 0;\n}"
		print "fn=main" >out
		for (i = 4; i <= 3005; i++) row(27000 + i)
		print "summary: " sum >out
	}' >many.c
	# The profile is as old as its source, whichever of the two was written last.
	touch -r many.c many.out
	gcc -O1 -g1 -fno-inline -S many.c
}
check "many functions are compiled" make_many
in_time() {
	TIMEFORMAT=%U
	{ time cacheprint -f many.out --asm many.s --threshold=0 >out 2>warnings; } 2>seconds
	cat warnings seconds
	[ ! -s warnings ] && [ "$(grep -c ' ==== ' out)" -eq 3001 ] && awk '{ exit $1 > 2 }' seconds
}
check "... and shown within seconds" in_time

# The compiler writes what is no ASCII in a name as octal numbers.
odd_name() {
	mkdir odd && sed 's/sum/odd/' a/part.c >odd/pé.c && sed 's/sum/odd/g' b/part.c >odd/main.c
	cacheprof gcc -O2 odd/pé.c odd/main.c -o odd/program && CACHEPROF_OPTIONS=quiet=1:out=odd.out odd/program &&
		gcc -O2 -g1 -S odd/pé.c -o odd/p.s && cacheprint -f odd.out --asm odd/p.s --show=Dr >out
	cat out
	grep -q '^ *[0-9],[0-9]* *pé\.c:3: return p\[i\]' out
}
check "a source with a name that is not ASCII" odd_name

check "a name that is nowhere: status 1" fails cacheprint -f hand.out --asm nosuch.s
not_counted() {
	gcc -O1 -g1 -S call.c -o other.s && sed -i 's/call\.c/other.c/' other.s &&
		! cacheprint -f hand.out --asm other.s >out 2>err && grep -q 'no counts of it' err
}
check "assembly of something else: status 1" not_counted
status_2() {
	"$@" 2>err
	[ $? -eq 2 ] && grep -q -- --asm err
}
check "not with --json" status_2 cacheprint -f hand.out --asm loop.s --json
check "not with --diff" status_2 cacheprint --diff hand.out hand.out --asm loop.s
finish
