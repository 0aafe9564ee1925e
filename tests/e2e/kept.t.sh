# Registers that functions leave as they were, by another convention or by options (-fcall-saved-REG, -ffixed-REG), also
# where they do not return: they call in their place what is behind a pointer, or what ends the program. The programs
# print what they print natively.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1:out=/dev/null

# alike "FLAGS" SOURCE...
alike() {
	local flags pic level
	read -ra flags <<<"$1"
	for pic in "" -fPIC; do
		flags+=($pic)
		gcc "${flags[@]}" "${@:2}" -o native && ./native >expected || return
		for level in --level1 "--level1 --branch-sim=yes" --level2 "--level2 --branch-sim=yes"; do
			# shellcheck disable=SC2086 # words
			cacheprof $level gcc "${flags[@]}" "${@:2}" -o one && ./one >printed && diff expected printed || return
		done
	done
}

cat >step.h <<'END'
#ifdef MS
#define CONVENTION __attribute__((ms_abi, noinline))
#else
#define CONVENTION __attribute__((noinline))
#endif
struct step {
	long (CONVENTION *next)(long, long);
	long a, b;
	struct step *behind;
};
CONVENTION long take(struct step *s, long x);
END
cat >step.c <<'END'
#include "step.h"

CONVENTION long take(struct step *s, long x)
{
	s = s->behind;
	return s->next(s->a + s->b, x + s->a);
}
END
cat >steps.c <<'END'
#include <stdio.h>
#include "step.h"

CONVENTION static long add(long x, long y)
{
	return x + y;
}

CONVENTION static double keep(struct step *s)
{
	register KEPT kept __asm__(IN) = 3;
	long taken;

	__asm__ volatile("" : "+" WHERE(kept));
	taken = take(s, 3);
	__asm__ volatile("" : "+" WHERE(kept));
	return kept + taken;
}

int main(void)
{
	struct step step = {add, 1, 2, &step};
	double sum = 0;

	for (int i = 0; i < 10; i++)
		sum += keep(&step);
	printf("%g\n", sum);
}
END
check "a call through a pointer in place of a return, by Microsoft's convention" \
	alike '-O2 -DMS -DKEPT=double -DIN="xmm13" -DWHERE="x"' step.c steps.c
check "... with -fcall-saved-REG" alike '-O2 -DKEPT=long -DIN="r11" -DWHERE="r" -fcall-saved-r11' step.c steps.c

# Of all that is in the object nothing tells this convention.
cat >silent.c <<'END'
int table[256];

__attribute__((ms_abi)) double silent(double x)
{
	unsigned a = x, b = 3, s = 0;

	do {
		s += table[(a ^ b) & 255];
		b = b * 5 + s;
		a -= 7 + (b & 1);
	} while ((int)a > 0);
	return s + b % 100;
}
END
cat >loud.c <<'END'
#include <stdio.h>

extern int table[256];
__attribute__((ms_abi)) double silent(double);

__attribute__((noinline)) static double keep(double x)
{
	register long first __asm__("rsi") = 3, second __asm__("rdi") = 5;
	double sum;

	__asm__ volatile("" : "+r"(first), "+r"(second));
	sum = silent(x);
	__asm__ volatile("" : "+r"(first), "+r"(second));
	return sum + first * 7 + second;
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < 256; i++)
		table[i] = i * 7 & 31;
	for (int i = 0; i < 50; i++)
		sum += keep(i * 20);
	printf("%g\n", sum);
}
END
check "a function that shows nothing of its convention, Microsoft's" alike -O2 silent.c loud.c

cat >fixed.h <<'END'
register unsigned long fixed __asm__("r11");
struct link {
	long value;
	struct link *next;
};
void set(unsigned long value);
unsigned long get(void);
void check(struct link *l, long b, long c, long d, long e, long f);
__attribute__((noreturn)) void end(long a, long b, long c, long d, long e, long f);
END
cat >fixed.c <<'END'
#include "fixed.h"

__attribute__((noinline)) void set(unsigned long value)
{
	fixed = value;
}

unsigned long get(void)
{
	return fixed;
}
END
cat >check.c <<'END'
#include "fixed.h"

void check(struct link *l, long b, long c, long d, long e, long f)
{
	l = l->next;
	end(l->value + b, l->next->value + c, c, d, e, f);
}
END
cat >main.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "fixed.h"

static long table[1000];

void end(long a, long b, long c, long d, long e, long f)
{
	unsigned long found = fixed;

	printf("%lu %ld\n", found, a + b + c + d + e + f);
	exit(0);
}

int main(int argc, char **argv)
{
	struct link link = {3, &link};
	unsigned long found;

	(void)argv;
	set(77);
	for (int i = 0; i < 900; i++)
		table[i + argc] += table[i] + i;
	found = get();
	printf("%lu %ld\n", found, table[500]);
	set(78);
	check(&link, 1, 2, 3, 4, 5);
}
END
check "a fixed register in main, and where a function does not return" alike "-O2 -w -ffixed-r11" fixed.c check.c main.c

# Where calls go through registers, the compiler knows all the same what the called function leaves alone (-fipa-ra),
# also one that it goes on in by a jump.
cat >far.c <<'END'
#include <stdio.h>

struct link {
	long value;
	struct link *next;
};

__attribute__((noinline, noclone)) static long value(struct link *l)
{
	return l->value;
}

__attribute__((noinline, noclone)) static long step(struct link *l)
{
	l = l->next;
	l->value++;
	return value(l->next);
}

__attribute__((noinline)) long mix(struct link *l, long a, long b, long c, long d, long e, long f, long g)
{
	long s = a * b, t = c * d, u = e * f, w = a + g, x = b ^ c, y = d - e, z = f * 3, r;

	r = step(l);
	r += step(l->next);
	r ^= step(l);
	return r + s + t * 2 + u * 3 + w * 5 + x * 7 + y * 11 + z * 13 + a + b * 3 + c * 9 + d * 4 + e * 6 + f * 8 + g * g;
}

int main(void)
{
	struct link a, b = {2, &a}, c = {3, &b};
	long sum = 0;

	a = (struct link){1, &c};
	for (long i = 0; i < 50; i++)
		sum = sum * 3 + mix(&a, i, i + 1, i + 2, i + 3, i + 4, i + 5, i * 7);
	printf("%ld\n", sum);
}
END
for flags in -mforce-indirect-call -mcmodel=large "-mforce-indirect-call -mindirect-branch=thunk"; do
	check "a jump to a function that keeps registers, $flags" alike "-O2 $flags" far.c
done

# C lets a program call main, with more arguments than the system gives it.
cat >main.c <<'END'
#include <stdio.h>

int main(int turn, char **argv, char **envp, int left, long a, long b)
{
	if (turn >= 0)
		return main(-1, argv, envp, 5, 11, 13);
	printf("%d %ld %ld\n", left, a, b);
	return left && left <= 5 ? main(turn, argv, envp, left - 1, a * 3, a ^ b) : 0;
}
END
cat >variadic_main.c <<'END'
#include <stdarg.h>
#include <stdio.h>

int main(int turn, ...)
{
	va_list given;
	double left;

	if (turn >= 0)
		return main(-1, 5.0);
	va_start(given, turn);
	left = va_arg(given, double);
	va_end(given);
	printf("%g\n", left);
	return left > 0 ? main(turn, left - 1) : 0;
}
END
cat >main_taken.c <<'END'
int (*volatile again)();

int main(int turn, char **argv, char **envp, int left)
{
	static int calls;

	if (!calls++) {
		again = (int (*)())main;
		return again(-1, argv, envp, 41);
	}
	return left != 41;
}
END
for flags in -O0 -O1 -O3 -Os; do
	check "main is called, with more arguments, $flags" alike "-w $flags" main.c
	check "... with any number, $flags" alike "-w $flags" variadic_main.c
	check "... through a pointer, $flags" alike "-w -std=gnu17 $flags" main_taken.c
done
finish
