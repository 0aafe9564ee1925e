#!/usr/bin/env bash
# Blocks without a counter: what is derived for them is what was executed, also where control does not
# come back from a call. The self-check compares every line with what was really executed; level 1 must
# then count the same.
source "$(dirname "$0")/../tap.sh"

cat >leave.c <<'C'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf back;
static char text[64];
static __attribute__((noinline)) int maybe(int x)
{
	if (x == 7)
		longjmp(back, x);
	if (x == 90)
		exit(strlen(text) > 2 ? 5 : 6);
	return x * 3;
}
static __attribute__((noinline)) int always(int x)
{
	if (x & 1)
		return x / 3;
	return x > 40 ? x + 2 : x - 1;
}
static __attribute__((noinline)) int work(int x)
{
	int sum = always(x);

	if (sum % 5 == 0)
		memcpy(text, "hello", (size_t)(sum % 4));
	sum += maybe(x);
	while (sum > 100)
		sum -= always(sum);
	return sum;
}
int main(void)
{
	volatile int x = 0;
	int sum = 0;

	if (setjmp(back))
		x = x + 1;
	for (; x < 1000; x++)
		sum += work(x);
	printf("%d\n", sum);
	return 0;
}
C
cat >throw.cc <<'C'
#include <cstdio>
#include <vector>
struct guard {
	int &n;
	~guard() { n++; }
};
static __attribute__((noinline)) int pick(const std::vector<int> &v, unsigned i)
{
	if (i > 90)
		throw (int)i;
	return v.at(i % 20);
}
static __attribute__((noinline)) int tries(const std::vector<int> &v, unsigned i, int &n)
{
	guard g{n};
	int a = pick(v, i);

	if (a & 1)
		a += pick(v, i + 1);
	return a;
}
int main()
{
	std::vector<int> v;
	int n = 0, sum = 0;

	for (int i = 0; i < 10; i++)
		v.push_back(i * i);
	for (unsigned i = 0; i < 100; i++)
		try {
			sum += tries(v, i, n);
		} catch (int x) {
			sum -= x;
		} catch (const std::exception &) {
			sum++;
		}
	std::printf("%d %d\n", sum, n);
	return n == 100 ? 3 : 4;
}
C

# checked COMPILER FLAGS FILE STATUS: no difference from what was executed, and the same at level 1.
checked() {
	local flags=$2 file=$3 status=$4

	cacheprof --self-check "$1" $flags "$file" -o checked || return 1
	CACHEPROF_OPTIONS=out=checked.out ./checked >out 2>err
	[ $? -eq "$status" ] && grep -q "self-check: 0 differences" err || { cat err; return 1; }
	cacheprof --level1 "$1" $flags "$file" -o level1 || return 1
	CACHEPROF_OPTIONS=quiet=1:out=level1.out ./level1 >out
	[ $? -eq "$status" ] || return 1
	counts checked.out >checked.counts
	counts level1.out >level1.counts
	[ -s level1.counts ] && diff checked.counts level1.counts
}

# Ir of each line, as "function line Ir".
counts() {
	awk '/^events:/ { for (i = 2; i <= NF; i++) if ($i == "Ir") at = i } /^fn=/ { fn = $0 }
	     /^[0-9]/ { print fn, $1, $at }' "$1"
}

derives() {
	cacheprof --level1 --ddump-use-bbs gcc -O2 -c leave.c -o /dev/null 2>dump
	cacheprof --ddump-use-bbs gcc -O2 -c leave.c -o /dev/null 2>>dump
	grep -q "fetched here" dump
}

# Code of no function, which nothing but an address in data leads to, as GHC makes it; called a hundred times.
cat >outside.s <<'S'
	.text
	ret
.Lstep:
	cmpq	$5, steps(%rip)
	je	.Lback
	incq	steps(%rip)
	ret
.Lback:
	movq	$0, steps(%rip)
	ret
	.data
step:	.quad	.Lstep
steps:	.quad	0
	.text
	.globl	main
	.type	main, @function
main:	pushq	%rbx
	movl	$100, %ebx
.Lagain:
	call	*step(%rip)
	decl	%ebx
	jne	.Lagain
	popq	%rbx
	xorl	%eax, %eax
	ret
	.size	main, .-main
	.ident	"GHC 9.0.2"
	.section .note.GNU-stack,"",@progbits
S

check "some blocks have no counter" derives
for flags in -O0 -O1 -O2 "-O3 -march=native" "-O2 -fPIC" "-O2 -ffunction-sections"; do
	check "exit and longjmp, $flags" checked gcc "$flags" leave.c 5
done
for flags in -O0 -O2 "-O2 -fPIC"; do
	check "exceptions, $flags" checked g++ "$flags" throw.cc 3
	check "code of no function, $flags" checked gcc "$flags" outside.s 0
done

# A fault that ends a recursion: the calls that were made are counted.
cat >deep.c <<'C'
static int deep(volatile int *p, int n)
{
	return n ? deep(p, n - 1) + 3 : *p;
}
static int even(volatile int *p, int n);
static __attribute__((noinline)) int odd(volatile int *p, int n)
{
	return n ? even(p, n - 1) + 3 : *p;
}
static __attribute__((noinline)) int even(volatile int *p, int n)
{
	return n ? odd(p, n - 1) + 5 : *p;
}
static int bounce(volatile int *p, int n);
static __attribute__((noinline)) int back(volatile int *p, int n)
{
	return bounce(p, n - 1);
}
static __attribute__((noinline)) int bounce(volatile int *p, int n)
{
	return n ? back(p, n) + 3 : *p;
}
int main(int argc, char **argv)
{
	(void)argv;
	return argc > 2 ? bounce(0, 1000) : argc > 1 ? even(0, 1000) : deep(0, 1000);
}
C
# written FUNCTION COUNT ARGUMENT...: by its calls, which write return addresses
written() {
	./faulty "${@:3}"
	[ $? -eq 139 ] && sums_of cacheprof.out "$1" Dw | tee writes && [ "$(cat writes)" = "$2" ]
}
export CACHEPROF_OPTIONS=quiet=1
for level in --level1 --level2; do
	cacheprof $level gcc -O1 -foptimize-sibling-calls deep.c -o faulty
	check "... of which one half jumps, $level" written bounce 1000 jumps back
	cacheprof $level gcc -O1 -fno-optimize-sibling-calls deep.c -o faulty
	check "a fault in a recursion, $level" written deep 1000
	check "... of two functions" written even 500 both
done

# ... or an endless loop: so is what was executed before it, and what called that.
cat >endless.c <<'C'
static volatile int n;
static __attribute__((noinline)) void spin(volatile int *p)
{
	n = 5;
	for (;;)
		n += *p++;
}
int main(int argc, char **argv)
{
	(void)argv;
	n = 3;
	if (argc == 1)
		spin(0);
	n = 4;
	for (;;)
		*(volatile int *)8 = 0;
}
C
for level in --level1 --level2; do
	cacheprof $level gcc -O1 endless.c -o faulty
	check "a fault in an endless loop, $level" written main 3 in main
	check "... of another function, $level" written main 2
done

# Code at a section's end may go on in what the linker puts behind it.
cat >begun.c <<'C'
static volatile int n;
static __attribute__((noinline, used)) void begun(void)
{
	n++;
}
__asm__(".section .init\n\tcall begun\n\t.text");
int main(void)
{
	return n;
}
C
check "a call at the end of .init" checked gcc -O2 begun.c 1
finish
