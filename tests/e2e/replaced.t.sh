# Functions of a unit in whose place others of the same name are called: another unit's for a weak one, another
# module's for one of a shared object. What is planted is right for either, and executions are counted as they are.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1

# Jumps to them (tail calls), whose own code uses none of the arguments, and calls of them that do not come back.
cat >unit.c <<'END'
#define REPLACED __attribute__((noinline)) ATTRIBUTES
extern long table[64];
REPLACED long hook(long a, long b, long c, long d, long e, long f) { return 7; }
REPLACED double scale(double a, double b) { return 0; }
REPLACED void leave(long i) { }
REPLACED long twice(long a) { return 0; }
long jumps(long a, long b, long c, long d, long e, long f)
{
	table[a & 7] += 3;
	table[8 + (b & 7)] += 2;
	return hook(a, b, c, d, e, f);
}
long either(long a, long b, long c, long d, long e, long f)
{
	if (table[a & 15]++ & 1)
		return hook(f, e, d, c, b, a);
	table[c & 3]--;
	return twice(b);
}
double scales(double a, double b, long i)
{
	table[i & 63]++;
	return scale(a, b);
}
void stays(long i)
{
	table[1]++;
	leave(i);
	table[2]++;
}
void always(long i)
{
	table[3]++;
	stays(i);
	table[4]++;
}
END
cat >others.c <<'END'
#include <setjmp.h>
#include <stdio.h>
long table[64];
static jmp_buf env;
long jumps(long, long, long, long, long, long), either(long, long, long, long, long, long);
double scales(double, double, long);
void always(long);
long hook(long a, long b, long c, long d, long e, long f) { return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f; }
double scale(double a, double b) { return a * 2 + b; }
long twice(long a) { return 2 * a; }
void leave(long i)
{
	if (i % 3)
		longjmp(env, 1);
}
int main(void)
{
	double x = 0;
	volatile long sum = 0;

	for (volatile long i = 0; i < 100; i++) {
		sum = sum * 3 + jumps(i, i + 1, i + 2, i + 3, i + 4, i + 5) + either(i, i + 7, i + 2, i + 1, i + 4, i + 9);
		x += scales((double)i, x / 3, i);
		if (!setjmp(env))
			always(i);
	}
	printf("%ld %g\n", sum, x);
	for (int i = 0; i < 64; i++)
		printf("%ld ", table[i]);
	return puts("") < 0;
}
END

# counts of unit.c: function, line, how many were executed
counts() {
	awk '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i } /^fn=/ { f = substr($0, 4) }
		/^[0-9]/ && f ~ /^(jumps|either|scales|stays|always)$/ { print f, $1, $at["Ir"] }' cacheprof.out
}

# program_of COMPILER... -- FLAG...: ./program, the replaced functions in one program
program_of() {
	"${@:1:$#-1}" -O2 -c unit.c ${!#} && "${@:1:$#-1}" -O2 -c others.c && "${@:1:$#-1}" -o program unit.o others.o
}
# object_of COMPILER... FLAGS: the same in a shared object, and the others in the program
object_of() {
	"${@:1:$#-1}" -O2 -fPIC -shared -o libunit.so unit.c ${!#} &&
		"${@:1:$#-1}" -O2 -rdynamic -o program others.c ./libunit.so
}

# same program|object FLAGS
same() {
	local way counted=
	"$1_of" gcc "$2" && ./program >native.out || return 1
	for way in --self-check --level1 --level2 --branch-sim=yes "--self-check --branch-sim=yes" --plain-copies=yes; do
		# shellcheck disable=SC2086 # several options in one line
		"$1_of" cacheprof $way gcc "$2" && ./program >ours.out 2>ours.err || return 1
		diff native.out ours.out && ! grep -v ': 0 differences$' ours.err || { echo "$way"; return 1; }
		counts >counts.out
		[ "$(wc -l <counts.out)" -gt 10 ] && { [ ! "$counted" ] || diff counts.first counts.out; } ||
			{ echo "counts with $way"; return 1; }
		[ "$counted" ] || cp counts.out counts.first
		counted=1
	done
	CACHEPROF_OPTIONS=quiet=1:instr-at-start=no ./program | diff native.out -
}
for flags in "" "-Os" "-fno-ipa-ra" "-fno-optimize-sibling-calls" "-fcf-protection=full"; do
	check "weak functions, ${flags:--O2}" same program "-DATTRIBUTES=__attribute__((weak)) $flags"
	check "weak functions of a shared object, ${flags:--O2}" same object "-DATTRIBUTES=__attribute__((weak)) $flags"
	check "functions of a shared object, ${flags:--O2}" same object "-DATTRIBUTES= $flags"
done

# By hand, with arguments in whatever registers.
cat >hand.s <<'END'
	.globl	go, hand
	.weak	hand
	.type	go, @function
go:	mov	%rdi, %rax
	mov	%rsi, %r11
	lea	table(%rip), %r10
	incq	(%r10)
	incq	64(%r10)
	cmp	$5, %rdi
	je	hand
	incq	128(%r10)
	jmp	hand
	.size	go, .-go
	.type	hand, @function
hand:	mov	$1, %eax
	ret
	.size	hand, .-hand
	.section .note.GNU-stack,"",@progbits
END
cat >other.s <<'END'
	.globl	hand
	.type	hand, @function
hand:	lea	(%rax,%r11,2), %rax
	ret
	.size	hand, .-hand
	.section .note.GNU-stack,"",@progbits
END
cat >by_hand.c <<'END'
#include <stdio.h>
long table[64], go(long, long), sum;
int main(void)
{
	for (long i = 0; i < 10; i++)
		sum = sum * 3 + go(i, i + 7);
	return printf("%ld %ld %ld %ld\n", sum, table[0], table[8], table[16]) < 0;
}
END
by_hand() {
	gcc by_hand.c hand.s other.s -o native && ./native >native.out || return 1
	for way in --level1 --level2 --branch-sim=yes "--self-check --branch-sim=yes"; do
		# shellcheck disable=SC2086 # several options in one line
		cacheprof $way gcc by_hand.c hand.s other.s -o ours && ./ours 2>ours.err | diff native.out - &&
			! grep -v ': 0 differences$' ours.err || { echo "$way"; return 1; }
	done
}
check "jumps that were written by hand" by_hand
finish
