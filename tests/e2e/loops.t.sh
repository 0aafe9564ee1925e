# Loops of one block, around which registers are made free, and which one of them counts: the same at each level and as
# the self-check has it, however often the loop runs, and also where signals come in between or end the process.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1

cat >loops.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static double sums[2];

__attribute__((noinline)) double dot(const double *a, const double *b, long n)
{
	double sum = 0;

	for (long i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Every register that a callee may change is in use around the loop, and one of the loop's own. */
__attribute__((noinline)) long crowded(const int *a, long n, long p, long q, long r, long s)
{
	long sum = 0, t = p * q, u = q * r, v = r * s, w = p + s, x = p ^ r;

	do
		sum += a[--n];
	while (n);
	return sum + t + 3 * u + 5 * v + 7 * w + 11 * x + 13 * p + 17 * q + 19 * r + 23 * s;
}

/* The same, and a thread may come in at its label. */
__attribute__((noinline, noclone)) long visible(const long *a, long n, long p, long q, long r, long s)
{
	long sum = 0, t = p * q, u = q * r, v = r * s, w = p + s, x = p ^ r, y = q ^ s, z = p - q, k = p ^ s;

	do {
		__asm__ volatile(".globl seen\nseen:");
		sum += a[--n];
	} while (n);
	return sum + t + 3 * u + 5 * v + 7 * w + 11 * x + 13 * p + 17 * q + 19 * r + 23 * s + 29 * y + 31 * z + 37 * k;
}

/* Its only branch leads back and its flags live on. */
__attribute__((noinline)) unsigned long carry(unsigned long *a, const unsigned long *b, long n)
{
	unsigned char c = 0;
	long i = 0;

	do {
		unsigned long long t;

		c = __builtin_ia32_addcarryx_u64(c, a[i], b[i], &t);
		a[i] = t;
	} while (++i < n);
	return c;
}

__attribute__((noinline)) int touch(volatile char *p, volatile char *end)
{
	int sum = 0;

	while (p < end)
		sum += *p++;
	return sum;
}

static void on_alarm(int number)
{
	static double a[300], b[300];

	(void)number;
	sums[1] += dot(a, b, 300);
	handled++;
}

static double a[1000], b[1000];
static int c[1000];
static unsigned long d[1000], e[1000];

int main(int argc, char **argv)
{
	struct itimerval tick = {{0, 300}, {0, 300}}, off = {{0, 0}, {0, 0}};
	long calls = 0, lengths[] = {1, 2, 255, 256, 257, 511, 512, 513, 1000};

	for (int i = 0; i < 1000; i++) {
		a[i] = i;
		b[i] = 1000 - i;
		c[i] = i * i;
		d[i] = e[i] = -1ul >> (i % 3);
	}
	if (!strcmp(argv[1], "run"))
		for (int i = 0; i < 9; i++)
			printf("%g %ld %ld %lu\n", dot(a, b, lengths[i]), crowded(c, lengths[i], 2, 3, 5, 7),
			       visible((long *)e, lengths[i], 2, 3, 5, 7), carry(d, e, lengths[i]));
	if (!strcmp(argv[1], "timer")) {
		signal(SIGALRM, on_alarm);
		setitimer(ITIMER_REAL, &tick, 0);
		while (handled < 200 && calls < 200000)
			sums[0] += dot(a, b, 1000), calls++;
		setitimer(ITIMER_REAL, &off, 0);
		printf("%ld %d\n", calls, (int)handled);
	}
	if (!strcmp(argv[1], "fault")) {
		char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		munmap(p + 4096, 4096);
		return touch(p + atoi(argv[2]), p + 8192);
	}
	if (!strcmp(argv[1], "crowd")) {
		char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		munmap(p, 4096);
		return crowded((int *)(p + 4096) - 100, 200, 2, 3, 5, 7);
	}
	return 0;
}
END

# lines FUNCTION...: Ir, Dr and Dw of the lines of these functions.
lines() {
	awk -v functions=" $* " '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i } /^fn=/ { f = substr($0, 4) }
		/^[0-9]/ && $at["Ir"] && index(functions, " " f " ") { print f, $1, $at["Ir"], $at["Dr"], $at["Dw"] }' cacheprof.out
}

# build FLAGS OPTION: the programs of which same compares what they count.
builds="level1 level2 self-check"
build() {
	local kind
	for kind in $builds; do cacheprof --$kind $2 gcc -g $1 loops.c -o $kind -lm || exit 1; done
	gcc $1 loops.c -o native
}

# same ARGUMENT...: their counts, and their outputs.
same() {
	local kind status=()
	for kind in $builds; do
		rm -f cacheprof.out
		"./$kind" "$@" >$kind.printed 2>$kind.err
		status+=($?)
		lines dot crowded visible seen carry touch main >$kind.counts
	done
	[ "${status[0]}" = "${status[1]}" ] && [ "${status[0]}" = "${status[2]}" ] && [ -s level1.counts ] &&
		diff level1.counts self-check.counts && diff level2.counts self-check.counts &&
		diff level1.printed level2.printed && ./native "$@" | diff - level2.printed
}
all_counted() {
	same run && CACHEPROF_OPTIONS= ./self-check run 2>&1 | grep "self-check: 0 differences"
}
# ended OFFSET: the iteration that faults is the last.
ended() {
	same fault $1 && awk -v n=$((4097 - $1)) '/^touch/ { print } /^touch/ && $3 >= n && $3 % n == 0 { found = 1 }
		END { exit !found }' level2.counts
}

for flags in -O1 -O2 "-O2 -fPIC" "-O2 -fPIE -pie" "-O3 -fno-tree-vectorize" "-O3 -march=native" "-Os -fno-pic -no-pie"; do
	build "$flags" ""
	check "any number of iterations, $flags" all_counted
	for offset in 0 1 3839 3840 3841 4095; do
		check "... that a fault ends, $flags, from $offset" ended $offset
	done
done

# Where branches are predicted, what that needs stands at the end of a loop as well.
for flags in -O1 -O2 "-O2 -fPIC" "-O3 -march=native"; do
	build "$flags" --branch-sim=yes
	check "with branches, $flags" all_counted
done

# Loops around which 0 to 13 registers are in use: fewer and fewer are free for what is planted; and so are the vector
# registers that are named, in which others may wait.
many() {
	local held= declarations= v
	for v; do declarations+=" register double $v __asm__(\"$v\") = v[0];" held+="${held:+, }\"+x\"($v)"; done
	echo '#include <stdio.h>'
	echo 'static long v[13], a[1000];'
	for n in {0..13}; do
		local all= operands=
		for ((i = 0; i < n; i++)); do
			all+=" x$i = v[$i]," operands+="${operands:+, }\"+r\"(x$i)"
		done
		cat <<-END
			__attribute__((noinline)) long many$n(long n)
			{
				long$all sum = 0;
				$declarations
				__asm__ volatile("" : $operands);
				__asm__ volatile("" : $held);
				do
					sum += a[--n];
				while (n);
				__asm__ volatile("" : $operands);
				__asm__ volatile("" : $held);
				$(for v; do echo "sum += $v;"; done)
				$(for ((i = 0; i < n; i++)); do echo "v[$i] = x$i + $i;"; done)
				return sum;
			}
		END
	done
	cat <<-'END'
		/* What the loop's last comparison says is asked for behind it. */
		__asm__(".text\n.type after,@function\nafter:\n\txorl\t%eax,%eax\n1:\taddq\t$8,%rdi\n\taddq\t-8(%rdi),%rax\n"
			"\tcmpq\t%rsi,%rdi\n\tjb\t1b\n\tsete\t%al\n\tret\n.size after,.-after");
		long after(const long *from, const long *to);
		int main(int argc, char **argv)
		{
			long (*all[])(long) = {many0, many1, many2, many3, many4, many5, many6, many7, many8, many9, many10, many11, many12, many13};
			long sum = 0;

			for (int i = 0; i < 1000; i++)
				a[i] = i, v[i % 13] = i;
			if (argc > 1)
				return many13(1l << 40);
			for (int i = 0; i < 14; i++)
				for (long n = 1; n < 1000; n += 17)
					sum = sum * 31 + all[i](n) + after(v, v + i % 12 + 1);
			for (int i = 0; i < 13; i++)
				sum = sum * 31 + v[i];
			printf("%ld\n", sum);
			return 0;
		}
	END
}
# as_many OPTION VECTOR...: what it prints and what it counts.
as_many() {
	local kind
	many "${@:2}" >many.c
	gcc -O2 -w -o native many.c && ./native >native.printed || return 1
	for kind in $builds; do
		cacheprof --$kind $1 gcc -O2 -g -w -o $kind many.c && CACHEPROF_OPTIONS= ./$kind >printed 2>$kind.err &&
			diff native.printed printed && lines many{0..13} after >$kind.counts || return 1
	done
	[ "$(wc -l <level1.counts)" -gt 13 ] && diff level1.counts self-check.counts && diff level2.counts self-check.counts &&
		grep "self-check: 0 differences" self-check.err
}
for held in xmm13 xmm14 xmm15 "xmm13 xmm14" "xmm14 xmm15" "xmm13 xmm14 xmm15"; do
	check "few registers are free, and $held in use" as_many "" $held
done
check "... and branches are predicted" as_many --branch-sim=yes $held
check "... and no vector register in use" as_many --branch-sim=yes
check "... and no branches are predicted" as_many ""
check "... where they are counted in one for all that" \
	test "$(cacheprof gcc -O2 -w -SA -o many.sA many.c && grep -c "inc[bw]" many.sA)" -ge 10

# A register counts these loops indeed, and one that is in use waits meanwhile.
cacheprof --level1 gcc -O2 -SA loops.c
check "a register counts" grep -q "incb" loops.sA
check "... and xmm13 keeps what was in it" test "$(sed -n '/^crowded:/,/size/p' loops.sA | grep -c '%xmm13')" -eq 2
cacheprof --level1 gcc -O2 -fPIC -SA loops.c -o pic.sA
check "... in code of shared objects, too" grep -q "incb" pic.sA
cacheprof gcc -O2 -SA loops.c -o two.sA
check "... and where caches are simulated" grep -q "incb" two.sA

# What checks need there waits outside.
sed -n '/^crowded:/,/size/p' two.sA | grep -E '%xmm1[345]|^\.Lcp[li]' >crowded.text
sed -n '/Lcpl/,/Lcpi/p' crowded.text | grep xmm >inside
waits_outside() {
	cat crowded.text
	grep -q Lcpl crowded.text && [ "$(grep -c ",%xmm1[345]" crowded.text)" -eq "$(grep -c "%xmm1[345]," crowded.text)" ] &&
		[ "$(grep -c ',%xmm1[345]' crowded.text)" -gt 0 ] && [ ! -s inside ]
}
check "checks' registers wait around a loop" waits_outside

# rcx counts, which alone is free all through the loop; where all others are in use, too, checks take others.
printf '\t%s\n' '.ident "GCC"' .text ".globl full" ".type full,@function" "full: mov %rsi,%r8" "xor %eax,%eax" \
	"mov \$1,%esi" "mov \$2,%edx" "mov \$5,%r9d" "mov \$6,%r10d" "mov \$7,%r11d" "1: add (%rdi),%rax" "add %rsi,%rax" \
	"add %rdx,%rax" nop "mov \$3,%esi" "mov \$4,%edx" "dec %r8" "jne 1b" "add %r9,%rax" "add %r10,%rax" "add %r11,%rax" \
	ret ".size full,.-full" '.section .note.GNU-stack,"",@progbits' >full.s
echo "long full(const long *, long); int main(void) { return full(&(long){5}, 100) != 500 + 3 + 99 * 7 + 18; }" >counter.c
counts_alone() {
	cacheprof --self-check gcc -fPIC -SA full.s && grep "incb.*%cl" full.sA &&
		cacheprof --self-check gcc -O1 -fPIC -o counter counter.c full.s &&
		CACHEPROF_OPTIONS= ./counter 2>err && grep "self-check: 0 differences" err
}
check "a register that counts is not taken for checks" counts_alone

# Where sections lie in lines is natively as their alignment wants it, which loops' is not to change.
alignments() {
	readelf -SW "$1" | awk '$2 ~ /^\.text/ { print $2, $NF } $3 ~ /^\.text/ { print $3, $NF }'
}
aligned_as_natively() {
	cacheprof gcc "$1" -c loops.c -o ours.o && gcc "$1" -c loops.c -o theirs.o && alignments theirs.o >theirs &&
		alignments ours.o >ours && cat ours && grep -q '\.text ' ours && diff theirs ours
}
for flags in -O2 -Os; do
	check "sections are aligned as natively, $flags" aligned_as_natively "$flags"
done

# Where a fault ends it, a core dump has in them what it has natively: registers when the signal comes again.
# registers STOPS PROGRAM TEXT: those that the text has wait
registers() {
	local stops=$1
	printf 'set disable-randomization on\nset startup-with-shell off\nrun crowd\n' >commands
	for ((; stops > 1; stops--)); do echo continue >>commands; done
	printf 'echo %s\\ \nprint $%s\n' $(sed -n 's/.*movq.%\(r[a-z0-9]*\),%xmm1.*/\1 \1/p' "$3") >>commands
	timeout -k 1 60 gdb -nx -q -batch -x commands "$2" 2>&1 | grep ' = ' | sed 's/\$[0-9]* =//'
}
# dumped SOURCE FUNCTION N
dumped() {
	cacheprof gcc -O2 -w "$1" -o two && gcc -O2 -w "$1" -o native && cacheprof gcc -O2 -w -SA "$1" -o two.sA || return 1
	sed -n "/^$2:/,/size/p" two.sA | grep -E '%xmm1[345]' >text
	registers 1 ./native text >registers.native
	registers 2 ./two text >registers.two
	cat registers.native registers.two
	[ "$(wc -l <registers.native)" -eq $3 ] && diff registers.native registers.two
}
if command -v gdb >/dev/null; then
	check "a core dump has the values of what waits" dumped loops.c crowded 2
	check "... of three registers, too" dumped many.c many13 3
else
	skip "a core dump has the values of what waits" "no gdb"
	skip "... of three registers, too" "no gdb"
fi

# Handlers execute the loop that they interrupt: n calls of 1000 iterations and m of 300.
interrupted() {
	local calls handlers
	rm -f cacheprof.out
	./timed timer >out && read -r calls handlers <out && cat out && [ "$calls" -gt 10 ] && [ "$handlers" -gt 10 ] &&
		lines dot | awk -v n=$((calls * 1000 + handlers * 300)) '{ print } $3 >= n && $3 % n == 0 { found = 1 }
			END { exit !found }'
}
for flags in -O2 "-O2 -fPIC"; do
	# shellcheck disable=SC2086 # one word a flag
	for level in 1 2; do
		cacheprof --level$level gcc -g $flags loops.c -o timed
		check "handlers that execute the loop that they interrupt, level $level $flags" interrupted
	done
done
finish
