# Places in inline assembly that data names: where a fault is expected, where the program writes over its own code, where
# the kernel is to start again. The programs print what they print natively, while counting is off as well.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1:out=/dev/null

# Where a read or write of safe_* faults, a table says where to go on.
cat >faults.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

struct fault {
	long at, to;
};
extern struct fault __start_faults[], __stop_faults[];
static int handled;

static void on_fault(int number, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	for (struct fault *f = __start_faults; f < __stop_faults; f++)
		if (f->at == regs[REG_RIP]) {
			regs[REG_RIP] = f->to;
			handled++;
			return;
		}
	puts("a fault at an unknown place");
	fflush(stdout);
	_Exit(3);
}

#define TO_GO_ON_AT(label) ".pushsection faults,\"aw\"\n\t.quad 1b, " label "\n\t.popsection"

__attribute__((noinline)) static int safe_read(const long *from, long *to)
{
	int failed = 0;
	long value;

	__asm__ volatile("1:\tmovq\t(%2),%1\n2:\n\t.pushsection .text.failed,\"ax\"\n3:\tmovl\t$1,%0\n\txorl\t%k1,%k1\n"
			 "\tjmp\t2b\n\t.popsection\n\t" TO_GO_ON_AT("3b")
			 : "+r"(failed), "=&r"(value) : "r"(from) : "memory");
	*to = value;
	return failed;
}

__attribute__((noinline)) static int safe_write(long *to, long value)
{
	int failed = 0;

	__asm__ volatile("1:\tmovq\t%1,(%2)\n2:\n\t.pushsection .text.failed,\"ax\"\n3:\tmovl\t$1,%0\n\tjmp\t2b\n"
			 "\t.popsection\n\t" TO_GO_ON_AT("3b")
			 : "+r"(failed) : "r"(value), "r"(to) : "memory");
	return failed;
}

__attribute__((noinline)) static long safe_copy(char *to, const char *from, long n)
{
	__asm__ volatile("1:\trep movsb\n2:\n\t" TO_GO_ON_AT("2b") : "+c"(n), "+D"(to), "+S"(from) : : "memory");
	return n;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long x = 0, y = 42, sum = 0, left;

	sigaction(SIGSEGV, &action, 0);
	munmap(page + 4096, 4096);
	for (int i = 0; i < 1000; i++) {
		sum = sum * 31 + safe_read(i % 3 ? &y : (long *)(page + 4096 - (i % 7 ? 0 : 4)), &x) + x;
		sum = sum * 31 + safe_write(i % 5 ? &y : (long *)(page + 4096 + i % 500 * 8), i) + y;
	}
	left = safe_copy(page + 4000, page, 200);
	printf("%ld, %d faults, %ld bytes left\n", sum, handled, left);
	return 0;
}
END

# The same where what is to go on has a value in a register that the instruction behind the fault takes for another one,
# and in hand-written assembly (by_hand.S).
sed -e '/^#define TO_GO_ON_AT/,$d' faults.c >by_hand.c
cat >>by_hand.c <<'END'
long safe_by_hand(const long *from, long *to);

__attribute__((noinline)) static long safe_inline(const long *from, long *to)
{
	long value = -1, failed = 1;

	__asm__ volatile("1:\tmovq\t(%2),%0\n\txorl\t%k1,%k1\n2:\n\t.pushsection faults,\"aw\"\n\t.quad 1b, 2b\n\t"
			 ".popsection" : "+r"(value), "+r"(failed) : "r"(from) : "memory", "cc");
	*to = value;
	return failed;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	long x = 0, y = 42, sum = 0;

	sigaction(SIGSEGV, &action, 0);
	for (long i = 0; i < 1000; i++) {
		sum = sum * 31 + safe_inline(i % 3 ? &y : (long *)(i + 8), &x);
		sum = sum * 31 + safe_by_hand(i % 5 ? &x : (long *)(i + 8), &y) + x + y;
		y += i;
	}
	printf("%ld, %d faults\n", sum, handled);
	return 0;
}
END
cat >by_hand.S <<'END'
	.text
	.globl	safe_by_hand
	.type	safe_by_hand, @function
safe_by_hand:
	movl	$1, %eax
	movq	$-1, %rcx
1:	movq	(%rdi), %rcx
	xorl	%eax, %eax
2:	movq	%rcx, (%rsi)
	ret
	.size	safe_by_hand, .-safe_by_hand
	.section faults,"aw"
	.quad	1b, 2b
	.section .note.GNU-stack,"",@progbits
END

# The handler steps over a load: what it was to write keeps its value.
cat >steps.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

static int handled;

static void on_fault(int number, siginfo_t *info, void *context)
{
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 3;
	handled++;
}

__attribute__((noinline)) static long peek(const long *from, long otherwise)
{
	long value;

	__asm__ volatile("movq\t%2,%0\n\timulq\t$1,%1,%%rcx\n\tmovq\t(%%rcx),%0"
			 : "=&a"(value) : "r"(from), "r"(otherwise) : "rcx", "cc");
	return value;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	long y = 7, sum = 0;

	sigaction(SIGSEGV, &action, 0);
	for (int i = 0; i < 100; i++)
		sum = sum * 3 + peek(i % 3 ? &y : (long *)(64L * i + 64), 1000 + i);
	printf("%ld, %d faults\n", sum, handled);
	return 0;
}
END

# A NOP becomes a jump, and a NOP again.
cat >jumps.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

struct jump {
	char *at, *to;
};
extern struct jump __start_jumps[], __stop_jumps[];
static long table[1000];

static inline __attribute__((always_inline)) int is_on(void)
{
	__asm__ goto("1:\t.byte 0x0f,0x1f,0x44,0,0\n\t.pushsection jumps,\"aw\"\n\t.quad 1b, %l[on]\n\t.popsection" : : : : on);
	return 0;
on:
	return 1;
}

__attribute__((noinline)) static long work(int i)
{
	long s = table[i % 1000];

	if (is_on()) {
		s += 1000;
		table[i * 7 % 1000]++;
	}
	return s + i;
}

static void set(int on)
{
	for (struct jump *j = __start_jumps; j < __stop_jumps; j++) {
		char *page = (char *)((intptr_t)j->at & -4096);
		int32_t distance = (int32_t)(j->to - (j->at + 5));

		mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
		memcpy(j->at, on ? "\xe9" : "\x0f\x1f\x44\0", on ? 1 : 5);
		if (on)
			memcpy(j->at + 1, &distance, 4);
		mprotect(page, 8192, PROT_READ | PROT_EXEC);
	}
}

int main(void)
{
	unsigned long sum = 0;

	for (int round = 0; round < 6; round++) {
		set(round & 1);
		for (int i = 0; i < 10000; i++)
			sum = sum * 3 + work(i);
	}
	printf("%lu\n", sum);
	return 0;
}
END

# -fpatchable-function-entry: calls of a hook over the NOPs at functions' beginnings.
cat >hooks.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

extern char *__start___patchable_function_entries[], *__stop___patchable_function_entries[];
static long calls, table[1000];

__attribute__((used)) static void hook(void) { calls++; }
__asm__(".text\ntrampoline:\n" /* with rsp as functions want it: at a multiple of 16 where they are called */
	"\tpush %rdi\n\tpush %rsi\n\tpush %rdx\n\tpush %rcx\n\tpush %r8\n\tpush %r9\n\tpush %r10\n\tpush %r11\n\tpush %rax\n"
	"\tpush %rax\n\tcall hook\n\tpop %rax\n"
	"\tpop %rax\n\tpop %r11\n\tpop %r10\n\tpop %r9\n\tpop %r8\n\tpop %rcx\n\tpop %rdx\n\tpop %rsi\n\tpop %rdi\n\tret\n");
extern char trampoline[];

#define HOOKED __attribute__((noinline, patchable_function_entry(5)))
HOOKED static long inner(long x)
{
	table[x & 511] += x;
	return table[x * 7 & 511];
}
HOOKED static long outer(long x) { return inner(x) + inner(x + 1) * 3; }

int main(void)
{
	unsigned long sum = 0;

	for (int i = 0; i < 1000; i++)
		sum = sum * 3 + outer(i);
	for (char **entry = __start___patchable_function_entries; entry < __stop___patchable_function_entries; entry++) {
		char *at = *entry;
		int32_t distance = (int32_t)(trampoline - (at + 5));

		mprotect((char *)((intptr_t)at & -4096), 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
		*at = '\xe8';
		memcpy(at + 1, &distance, 4);
	}
	for (int i = 0; i < 1000; i++)
		sum = sum * 3 + outer(i);
	printf("%lu, %ld calls\n", sum, calls);
	return 0;
}
END

# -fxray-instrument: clang's runtime writes calls of a handler over jumps at functions' beginnings and before their calls
# in place of a return, and over their returns.
cat >sleds.c <<'END'
#include <stdio.h>

int __xray_set_handler(void (*handler)(int function, int kind)), __xray_patch(void), __xray_unpatch(void);
#define SLEDS __attribute__((noinline, xray_always_instrument))
#define NO_SLEDS __attribute__((xray_never_instrument))

static long kinds[8], table[4096];
NO_SLEDS static void on_sled(int function, int kind) { kinds[kind & 7] += function; }

SLEDS static long inner(long a, long b, long *c, long *d, long *e, long *f)
{
	table[a % 4096] += b;
	*c += *d + *e;
	*f ^= *c;
	return a + b + *c;
}
SLEDS static long outer(long a, long b, long *c, long *d, long *e, long *f)
{
	return a % 3 ? inner(b, a, d, c, f, e) : *e;
}

NO_SLEDS int main(void)
{
	long c = 1, d = 2, e = 3, f = 4;
	unsigned long sum = 0;

	__xray_set_handler(on_sled);
	for (int round = 0; round < 6; round++) {
		if (round & 1)
			__xray_patch();
		else
			__xray_unpatch();
		for (long i = 0; i < 10000; i++)
			sum = sum * 3 + (unsigned long)outer(i, i * 3, &c, &d, &e, &f);
	}
	printf("%lu, sleds %ld %ld %ld\n", sum, kinds[0], kinds[1], kinds[2]);
	return 0;
}
END

# as_natively OPTION FLAGS PROGRAM
as_natively() {
	# shellcheck disable=SC2086 # one word a flag
	set -- "$1" "$2" "$3.c $(ls "$3.S" 2>/dev/null)"
	$compiler $2 -o native $3 && ./native >native.printed && cacheprof $1 $compiler $2 -o ours $3 &&
		timeout 60 ./ours >printed &&
		cat printed && diff native.printed printed &&
		CACHEPROF_OPTIONS=$CACHEPROF_OPTIONS:instr-at-start=no timeout 60 ./ours >printed && diff native.printed printed
}
compiler=gcc
for flags in -O2 -O0 "-O2 -fPIC" "-O2 -fcf-protection -g"; do
	for option in --level2 --level1 --branch-sim=yes --plain-copies=yes; do
		for program in faults by_hand steps jumps hooks; do
			check "$program $flags $option" as_natively $option "$flags" $program
		done
	done
done
# clang's NOPs are instructions of several bytes, and their label is that of the function's beginning.
compiler=clang
for flags in -O2 "-O0 -fcf-protection" "-O1 -g -fPIC"; do
	for option in --level2 --level1 --branch-sim=yes --plain-copies=yes; do
		if clang -w -O2 hooks.c -o native 2>log && ./native >printed; then
			check "clang's hooks $flags $option" as_natively $option "-w $flags" hooks
		else
			skip "clang's hooks $flags $option" "there is no clang, or none that can do that"
		fi
	done
done
for option in --level2 --level1 --branch-sim=yes --plain-copies=yes; do
	for flags in -O2 -O0; do
		if clang -fxray-instrument sleds.c -o native 2>log; then
			check "sleds $flags $option" as_natively $option "-fxray-instrument $flags" sleds
		else
			skip "sleds $flags $option" "there is no clang, or no runtime for -fxray-instrument"
		fi
	done
done

# What stands before the label is counted all the same: each of these is executed as often as main calls it.
counts() {
	cacheprof gcc -O2 -g -o faults faults.c && CACHEPROF_OPTIONS=quiet=1 ./faults >printed && awk '
		/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i } /^fn=/ { f = substr($0, 4) }
		/^[0-9]/ { dr[f] += $at["Dr"]; dw[f] += $at["Dw"] }
		END { print dr["safe_read"], dw["safe_read"], dr["safe_write"], dw["safe_write"]
			exit !(dr["safe_read"] == 2000 && dw["safe_read"] == 1000 &&
				dr["safe_write"] == 1000 && dw["safe_write"] == 1000) }' cacheprof.out
}
check "their references are counted" counts

# So is what stands where the table says to go on: 1000 times, of which 200 by it.
goes_on() {
	cacheprof gcc -O2 -g -o by_hand by_hand.c by_hand.S && CACHEPROF_OPTIONS=quiet=1 ./by_hand >printed && awk '
		/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i } /^fn=/ { f = substr($0, 4) }
		/^[0-9]/ { dw[f] += $at["Dw"] } END { print dw["safe_by_hand"]; exit dw["safe_by_hand"] != 1000 }' cacheprof.out
}
check "so is what is gone on with" goes_on

# Where control comes to such a place by its address, too, its references are counted each time.
cat >led.c <<'END'
__attribute__((noipa)) static long led(const long *from, long n)
{
	long sum = 0;

	__asm__ volatile("MOVE\n3:\tjmp\t*%%rax\n\tud2\n1:\taddq\t(%2),%0\n2:\tdecq\t%1\n\tjne\t3b\n\t"
			 ".pushsection faults,\"aw\"\n\t.quad 1b, 2b\n\t.popsection"
			 : "+r"(sum), "+r"(n) : "r"(from) : "rax", "memory", "cc");
	return sum;
}
int main(void) { long one = 1; return led(&one, 100) != 100; }
END
comes_by_address() {
	sed "s/MOVE/$1/" led.c >leads.c && cacheprof gcc -O1 -no-pie leads.c -o leads && CACHEPROF_OPTIONS=quiet=1 ./leads &&
		awk '/^fn=/ { f = substr($0, 4) } /^[0-9]/ && f == "led" { ir += $2; dr += $5 }
			END { print ir, dr; exit !(ir >= 400 && dr == 101) }' cacheprof.out
}
for move in "leaq 1f(%%rip),%%rax" 'movq $1f,%%rax'; do check "come to by $move" comes_by_address "$move"; done

# Behind a large alignment, which gas jumps over, they are together as well; and nothing can be planted among them. For
# I1 time goes on all the same.
cat >entered.c <<'END'
#define APART __attribute__((noipa, aligned(4096)))
APART int last(volatile int *p) { return *p + 1; }
APART int loop(volatile int *p) { do { if (!*p) return last(p); *p -= 1; } while (*p & 1); return last(p); }
END
cat >entering.c <<'END'
#define APART __attribute__((noipa, aligned(4096)))
int loop(volatile int *p);
APART int calls(int i) { volatile int x = i & 7; return loop(&x) + loop(&x) + loop(&x) + loop(&x) + loop(&x); }
APART int main(void) { int sum = 0; for (int i = 0; i < 500; i++) sum += calls(i); return sum < 0; }
END
nops_together() {
	cacheprof gcc $1 -fpatchable-function-entry=6,2 -SA entered.c && awk '/^[.]LPFE/ { label = $1; n = 0 } /^\tnop/ { n++ }
		/^\t[a-z]/ && !/^\tnop/ && label { print label, n; wrong += n != 6; found++; label = "" }
		END { exit wrong || found != 2 }' entered.sA
}
for flags in -Os -O1 -O2; do check "NOPs stay together behind an alignment, $flags" nops_together $flags; done
# Nor can anything be planted where a distance is measured.
cat >measured.s <<'END'
	.ident "GCC"
	.text
	.balign 4096
	.globl loop
	.type loop, @function
loop:
	nop
.Lloop:
	cmpl $0, (%rdi)
	je .Lend
	decl (%rdi)
	testb $1, (%rdi)
	jne .Lloop
.Lend:
	jmp last
	.size loop, .-loop
	.if .Lloop - loop > 8
	.error "too long"
	.endif
	.balign 4096
	.type last, @function
last:
	mov (%rdi), %eax
	ret
	.section .note.GNU-stack,"",@progbits
END
ticks_behind() {
	cacheprof --self-check gcc -Os -fno-stack-protector -fpatchable-function-entry=6,2 -c $1 -o entered.o 2>err &&
		cacheprof --self-check gcc -Os -fno-stack-protector entered.o entering.c -o entered &&
		CACHEPROF_OPTIONS=I1=8192,2,64 ./entered 2>err && grep "self-check: 0 differences" err
}
for source in entered.c measured.s; do
	check "time goes on behind what nothing is planted in, $source" ticks_behind $source
done

# Where a loop begins directly behind them, or behind endbr64, they are counted behind themselves, as often as the
# function is called, and not in the loop.
cat >begins.c <<'END'
__attribute__((noipa, noinline)) int loop(volatile int *p) { do { if (!*p) return 1; *p -= 1; } while (*p & 1); return 2; }
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 1000; i++) {
		volatile int x = i & 7;

		sum += loop(&x);
	}
	return sum < 0;
}
END
# instructions_of_loop OPTION FLAGS
instructions_of_loop() {
	# shellcheck disable=SC2086 # one word a flag
	cacheprof $1 $compiler -w -fcf-protection=none $2 -o begins begins.c && CACHEPROF_OPTIONS= ./begins 2>err &&
		awk '/^fn=/ { f = substr($0, 4) } /^[0-9]/ && f == "loop" { n += $2 } END { print n }' cacheprof.out
}
# Of the function those before the loop itself: gcc from 15 on aligns that by NOPs which are executed, too.
instructions_before_loop() {
	# shellcheck disable=SC2086 # one word a flag
	$compiler -w -fcf-protection=none $1 -c begins.c && objdump -d --no-show-raw-insn begins.o |
		awk '/<loop>:$/ { on = 1; next } on && /(%rdi)/ { print n + 0; exit } on && /^ /{ n++ }'
}
counted_behind() {
	local without with before
	without=$(instructions_of_loop "$1" "$2") && with=$(instructions_of_loop "$1" "$2 $3") || return
	echo "$without $with" && cat err
	case $1 in --self-check*) grep -q "self-check: 0 differences" err || return ;; esac
	before=$(instructions_before_loop "$2 $3") && [ "$before" -ge "$4" ] && [ $((with - without)) -eq $((before * 1000)) ]
}
for option in --level2 --level1 --branch-sim=yes --plain-copies=yes "--self-check --branch-sim=yes"; do
	compiler=clang
	nops="-fcf-protection=branch -fpatchable-function-entry=20"
	if clang -w $nops -c begins.c 2>log; then
		check "behind clang's NOPs $option" counted_behind "$option" -Os "$nops" 3
	else
		skip "behind clang's NOPs $option" "there is no clang, or none that can do that"
	fi
	compiler=gcc
	for flags in -Os "-O1 -fPIC"; do
		check "behind endbr64 $flags $option" counted_behind "$option" "$flags" -fcf-protection=branch 1
		check "behind NOPs $flags $option" counted_behind "$option" "$flags" -fpatchable-function-entry=7,2 5
	done
done

# A restartable sequence stays as it is.
cat >restart.c <<'END'
long cells[64];
int add(long cell, long value)
{
	__asm__ goto(".pushsection __rseq_cs,\"aw\"\n\t.balign 32\n3:\t.long 0,0\n\t.quad 1f,2f-1f,4f\n\t.popsection\n"
		     "1:\tmovq\t(%0),%%rax\n\taddq\t%1,%%rax\n\tmovq\t%%rax,(%0)\n2:\n\t"
		     ".pushsection .text.again,\"ax\"\n\t.long 0x53053053\n4:\tjmp\t%l[again]\n\t.popsection"
		     : : "r"(cells + cell), "r"(value) : "rax", "memory" : again);
	return 1;
again:
	return 0;
}
END
is_whole() {
	cacheprof gcc -O2 -SA restart.c 2>err && cat err && sed -n '/^1:/,/^2:/p' restart.sA >sequence && cat sequence &&
		grep -q 'restart.c:.*restartable sequence' err && [ "$(grep -c . sequence)" -eq 4 ]
}
check "a restartable sequence stays whole" is_whole
finish
