# Assembly within C that does what compilers do not: it jumps out of its unit, calls by conventions of its own, goes to
# other stacks. The programs print what they print natively, and the self-check finds no difference.
. "$(dirname "$0")/../tap.sh"

# alike "FLAGS" SOURCE...: natively, at level 1 and under the self-check.
alike() {
	local flags
	read -ra flags <<<"$1"
	gcc "${flags[@]}" "${@:2}" -o native && ./native >expected || return
	for level in --level1 --level2 "--level2 --branch-sim=yes" --self-check; do
		# shellcheck disable=SC2086 # words
		cacheprof $level gcc "${flags[@]}" "${@:2}" -o one && ./one >printed 2>err && diff expected printed || return
	done
	grep "self-check: 0 differences" err
}

# r11 is no argument and flags are none either; these functions pass them on.
cat >jumps.c <<'END'
#include <stdio.h>

struct argument {
	long (*to)(long), value;
};
struct outer {
	long unused;
	struct argument *argument;
};
long in_another_unit(struct outer *o), by_address(struct outer *o), sum(long to);

__asm__("	.text\n"
	"	.globl	by_address\n	.type	by_address,@function\n"
	"by_address:\n"
	"	mov	$40,%r11\n"
	"	mov	8(%rdi),%rdi\n"
	"	mov	(%rdi),%rax\n"
	"	mov	8(%rdi),%rdi\n"
	"	jmp	*%rax\n"
	"	.size	by_address,.-by_address\n"
	"	.globl	in_another_unit\n	.type	in_another_unit,@function\n"
	"in_another_unit:\n"
	"	mov	$40,%r11\n"
	"	mov	8(%rdi),%rdi\n"
	"	mov	(%rdi),%rax\n"
	"	mov	8(%rdi),%rdi\n"
	"	cmp	$2,%rdi\n"
	"	jmp	sum\n"
	"	.size	in_another_unit,.-in_another_unit\n");

int main(void)
{
	struct argument argument = {sum, 2};
	struct outer outer = {0, &argument};

	printf("%ld %ld\n", by_address(&outer) & ~1, in_another_unit(&outer));
}
END
cat >jumped_to.c <<'END'
__asm__("	.text\n	.globl	sum\n	.type	sum,@function\n"
	"sum:\n	setz	%al\n	movzbl	%al,%eax\n	add	%r11,%rax\n	add	%rdi,%rax\n	ret\n	.size	sum,.-sum\n");
END
check "jumps out of the unit" alike -O2 jumps.c jumped_to.c
check "... with -fPIC" alike "-O2 -fPIC" jumps.c jumped_to.c

# main has not given those registers a value that the function returns something in.
cat >returns.c <<'END'
#include <stdio.h>

static long table[8];
static volatile long at = 3;

int main(void)
{
	long sum = 0;

	for (long i = 0; i < 100; i++) {
		register long x __asm__("rcx");
		register long y __asm__("r11");
		register long z __asm__("r9");

		__asm__ volatile("call\tthree" : "=r"(x), "=r"(y), "=r"(z) : "D"(i) : "memory");
		table[0] = x;
		table[at] = y;
		table[5] = z;
		sum += table[0] + 2 * table[3] + 3 * table[5];
	}
	printf("%ld\n", sum);
}
END
cat >three.s <<'END'
	.text
	.globl	three
	.type	three, @function
three:	lea	1(%rdi), %rcx
	lea	2(%rdi), %r11
	lea	3(%rdi), %r9
	ret
	.section	.note.GNU-stack, "", @progbits
END
check "what a call returns in other registers" alike -O2 returns.c three.s
check "... with -fPIC" alike "-O2 -fPIC" returns.c three.s

# Without .type, and so to all appearances a part of the function before it.
cat >untyped.c <<'END'
int before(int x)
{
	return x + 1;
}
__asm__("	.globl	pick\n"
	"pick:	mov	$0,%eax\n"
	"	test	%rdi,%rdi\n"
	"	je	1f\n"
	"	mov	(%rsi,%rdi),%rax\n"
	"	mov	(%rdx,%rax),%rax\n"
	"	add	(%rdx),%rax\n"
	"	add	(%rsi),%rax\n"
	"1:	ret\n");
END
cat >untyped_main.c <<'END'
#include <stdio.h>

long pick(long at, long *from, long *of);

int main(void)
{
	long from[4] = {1, 8, 3, 4}, of[4] = {10, 20, 30, 40}, sum = 0;

	for (int i = 0; i < 100; i++)
		sum += pick(8, from, of) + pick(0, from, of);
	printf("%ld\n", sum);
}
END
check "a function without a type behind another one" alike -O0 untyped.c untyped_main.c
check "... with -fPIC" alike "-O0 -fPIC" untyped.c untyped_main.c

# Each of those that main begins is left in the midst of a call. (With -DINLINE it is C that returns.)
cat >stacks.c <<'END'
#include <stdio.h>

#define SAVE(p) "push " p "rbx; push " p "rbp; push " p "r12; push " p "r13; push " p "r14; push " p "r15\n"
#define RESTORE(p) "pop " p "r15; pop " p "r14; pop " p "r13; pop " p "r12; pop " p "rbp; pop " p "rbx\n"

static void *main_stack, *other_stack;
static char memory[65536] __attribute__((aligned(16)));
static int n;

#ifdef INLINE
__attribute__((noinline)) static void switch_stacks(void **from, void **to)
{
	__asm__ volatile(SAVE("%%") "mov %%rsp,(%0); mov (%1),%%rsp\n" RESTORE("%%") ::"D"(from), "S"(to) : "memory");
}
#else
void switch_stacks(void **from, void **to);

__asm__("	.text\n	.globl	switch_stacks\n	.type	switch_stacks,@function\nswitch_stacks:\n"
	SAVE("%") "mov %rsp,(%rdi); mov (%rsi),%rsp\n" RESTORE("%") "ret\n"
	"	.size	switch_stacks,.-switch_stacks\n");
#endif

__attribute__((noinline)) static int work(int by)
{
	n += by;
	switch_stacks(&other_stack, &main_stack);
	n += 2;
	return n ^= by;
}

static void begin(void)
{
	for (;;)
		work(3);
}

int main(void)
{
	for (int i = 0; i < 50; i++) {
		void **top = (void **)(memory + sizeof memory) - 10;

		top[6] = begin;
		other_stack = top;
		switch_stacks(&main_stack, &other_stack);
		if (i % 5 == 0)
			switch_stacks(&main_stack, &other_stack);
	}
	printf("%d\n", n);
}
END
check "stacks that are not gone back to" alike -O1 stacks.c
check "... with C's return" alike "-O1 -DINLINE -fomit-frame-pointer -mno-red-zone" stacks.c

# Jumps to numeric labels by a table, past code of another set; there are others of the same numbers behind it.
cat >numeric.c <<'END'
#include <stdio.h>

int jumps(long where), first(void), second(void);

__asm__("	.text\n	.p2align 12\n	.type jumps,@function\njumps:	movl $4,%eax\n	jmp *table(,%rdi,8)\n"
	"	.p2align 6\n	.skip 3968,0x90\n"
	"1:	addl $5,%eax\n"
	"	.p2align 12\n"
	"2:	addl $3,%eax\n	ret\n	.size jumps,.-jumps\n"
	"	.data\ntable:	.quad 1b,2b\n	.text\n"
	"	.p2align 12\n	.type first,@function\nfirst:	movl $7,%eax\n	ret\n	.size first,.-first\n"
	"	.p2align 12\n	.type second,@function\nsecond:	movl $9,%eax\n	jmp 1f\n	nop\n1:	jmp 2f\n	nop\n2:	ret\n"
	"	.size second,.-second\n");

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 1000; i++) {
		sum += jumps(i % 3 != 0);
		sum += i & 1 ? first() : second();
		sum += jumps(1);
	}
	printf("%d\n", sum);
}
END
in_two_ways() { CACHEPROF_OPTIONS=I1=8192,2,64 alike "$@"; }
check "numeric labels that a table names" in_two_ways "-O1 -no-pie" numeric.c

# Jumps to numeric labels of another section, and back from there: past code of the same set.
cat >crosses.c <<'END'
#include <stdio.h>

int crosses(long where), first(void), second(void);

__asm__("	.text\n	.p2align 12\n	.type crosses,@function\ncrosses:	movl $4,%eax\n	testq %rdi,%rdi\n"
	"	jne 2f\n	addl $3,%eax\n"
	"3:	addl $3,%eax\n	ret\n	.size crosses,.-crosses\n"
	"	.pushsection .text.seldom,\"ax\"\n	.p2align 12\n2:	addl $5,%eax\n	jmp 3b\n	.popsection\n"
	"	.p2align 12\n	.type first,@function\nfirst:	movl $7,%eax\n	ret\n	.size first,.-first\n"
	"	.p2align 12\n	.type second,@function\nsecond:	movl $9,%eax\n	ret\n	.size second,.-second\n");

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 1000; i++) {
		sum += crosses(i % 3 != 0);
		sum += i & 1 ? first() : second();
		sum += crosses(1);
	}
	printf("%d\n", sum);
}
END
check "numeric labels of another section" in_two_ways -O1 crosses.c

# That control does not come back from exit nobody can see; the table's bytes are instructions as well.
cat >table.c <<'END'
#include <stdio.h>
#include <stdlib.h>

extern const int table[4];

__attribute__((noinline, noreturn)) static void complain(int sum)
{
	printf("%d\n", sum);
	exit(3);
}
__asm__("	.text\n	.p2align 2\n	.globl	table\ntable:	.long	1,2,3,4\n");

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 4; i++)
		sum += table[i];
	if (sum != 10)
		complain(sum);
	puts("the table is whole");
}
END
cat >landing.cc <<'END'
#include <cstdio>
#include <stdexcept>
__attribute__((noipa)) void thrower(int x)
{
	if (x > 100)
		throw std::runtime_error("x");
	asm volatile("");
}
__attribute__((noipa)) int work(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		try {
			unsigned a, d;

			thrower(i);
			asm volatile(".byte 0x0f,0x31" : "=a"(a), "=d"(d));
			sum += a && d ? 1 : 2;
		} catch (std::exception &e) {
			sum += 1000;
		}
	return sum;
}
int main() { return work(50) < 50; }
END
counts_of_work() {
	cacheprof g++ -O2 landing.cc -o landing && CACHEPROF_OPTIONS=quiet=1 ./landing &&
		sums_of cacheprof.out _Z4worki Ir Dr Dw | grep -v "^0 "
}
spelt_alike() {
	local as_bytes as_words
	as_bytes=$(counts_of_work) && sed -i 's/.byte 0x0f,0x31/rdtsc/' landing.cc && as_words=$(counts_of_work) &&
		[ -n "$as_words" ] && [ "$as_bytes" = "$as_words" ]
}
check "bytes behind a call whose end a table names" spelt_alike
check "a table behind the last call of a function" alike "-O2 -fno-toplevel-reorder" table.c
cat >table.s <<'END'
	.text
	.globl	main
main:	xor	%eax, %eax
	mov	$4, %ecx
1:	add	2f-4(,%rcx,4), %eax
	dec	%ecx
	jnz	1b
	sub	$10, %eax
	jnz	bad
	ret
bad:	mov	%eax, %edi
	mov	$60, %eax
	syscall
2:	.long	1, 2, 3, 4
	.section	.note.GNU-stack, "", @progbits
END
check "a table behind a system call" alike -no-pie table.s
sed 's/syscall/syscall; int3/; s/^2:/	.p2align 4\n2:/' table.s >trap.s
check "... with a trap between them" alike -no-pie trap.s

# Handlers look at registers that nothing reads any more, step over what faults, whose outputs stay as they are, and
# leave the block behind a trap for good.
cat >traps.c <<'END'
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

static long long rax, r11;
static int step, leave;
static sigjmp_buf out;

static void see(int s, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	rax = r[REG_RAX];
	r11 = r[REG_R11];
	r[REG_RIP] += step;
	if (leave)
		siglongjmp(out, 1);
}

#define FUNCTION(name, trap) \
	__attribute__((noinline)) static long name(long **p) \
	{ \
		long a, r; \
		__asm__ volatile("mov $5,%%eax\n mov $6,%%r11d\n mov (%2),%1\n " trap "\n mov (%1),%1" \
				 : "=&a"(a), "=&r"(r) : "r"(p), "c"(3L), "d"(0L) : "r11", "memory"); \
		return a * 100 + r; \
	}
FUNCTION(trapped, "int3")
FUNCTION(model_register, "rdmsr")
FUNCTION(port, "in %%dx,%%eax")
FUNCTION(hypervisor, "vmmcall\n xor %%eax,%%eax")

int main(void)
{
	static long n = 3, *at = &n;
	struct sigaction action = {.sa_sigaction = see, .sa_flags = SA_SIGINFO};

	sigaction(SIGTRAP, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	printf("%ld", trapped(&at));
	printf(" %lld %lld\n", rax, r11);
	step = 1;
	printf("%ld", port(&at));
	printf(" %lld %lld\n", rax, r11);
	step = 3;
	printf("%ld", hypervisor(&at));
	printf(" %lld %lld\n", rax, r11);
	step = 2;
	printf("%ld\n", model_register(&at));
	leave = 1;
	for (volatile int i = 0; i < 100; i++)
		if (!sigsetjmp(out, 1))
			trapped(&at);
}
END
check "traps in inline assembly" alike -O0 traps.c
check "... optimised" alike -O2 traps.c

# Where checks want registers but addresses have all that the frame leaves, one address is that of a register which the
# program is done with; and where all registers and the flags are in use.
cat >crowded.c <<'END'
#include <stdio.h>

long full(long a, long b, long **c);
void tight(char *memory);

static char memory[16 * 4096] __attribute__((aligned(4096)));

int main(void)
{
	long x = 0, *p = &x, sum = 0;

	for (int i = 0; i < 70; i++) {
		sum = sum * 3 + full(i % 10, 5, &p) + x;
		tight(memory + i % 7 * 64);
	}
	printf("%ld\n", sum);
}
END
{
	saved="rbx r12 r13 r14 r15"
	printf '\t.text\n\t.globl full\n\t.type full, @function\nfull:\n'
	printf '\tpush %%%s\n' rbp $saved
	printf '\tmov $%s\n' '3,%eax' '5,%ebx' '7,%ebp'
	cat <<-'END'
		jmp 1f
	1:	cmp %rsi,%rdi
		mov (%rdx),%rcx
		mov %rdi,(%rcx)
		mov $7,%ecx
		adc %rax,%rbx
	END
	printf '\tadd %s\n' %rbx,%rbp %rsi,%rdi %rcx,%rdx %r8,%r9 %r10,%r11 %r12,%r13 %r14,%r15
	printf '\tmovq %%xmm%d,%%rax\n' 13 14 15
	printf '\tmov %%rbp,%%rax\n'
	printf '\tpop %%%s\n' r15 r14 r13 r12 rbx rbp
	printf '\tret\n\t.size full, .-full\n'
	printf '\t.globl tight\n\t.type tight, @function\ntight:\t.cfi_startproc\n'
	printf '\tpush %%rbp\n\t.cfi_def_cfa_offset 16\n\tmov %%rsp,%%rbp\n\t.cfi_def_cfa_register 6\n'
	printf '\tpush %%%s\n' $saved
	n=0
	for register in rsi rdx rbx r8 r9 r10 r11 r12 r13 r15 rcx rax; do
		printf '\tlea %d*4096(%%rdi),%%%s\n' $((n += 1)) $register
	done
	printf '\tsub %%rax,%%rcx\n\tjmp 1f\n1:\tmov %%rax,%%r14\n\tlea (%%rax,%%rcx),%%rcx\n\tmov $1,%%eax\n'
	printf '\ttestb $1,(%%%s)\n' rcx rdx rbx rsi rdi r8 r9 r10 r11 r12 r13 r15 r14
	printf '\tcmp %s\n' %r14,%rax %rcx,%rdx %rbx,%rsi %rdi,%r8 %r9,%r10 %r11,%r12 %r13,%r15
	printf '\tpop %%%s\n' r15 r14 r13 r12 rbx rbp
	printf '\t.cfi_def_cfa 7, 8\n\tret\n\t.cfi_endproc\n\t.size tight, .-tight\n'
	printf '\t.section .note.GNU-stack, "", @progbits\n'
} >crowded.s
check "all registers in use" alike -O2 crowded.c crowded.s
check "... with -fPIC" alike "-O2 -fPIC" crowded.c crowded.s
finish
