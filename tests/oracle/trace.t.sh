# cacheprof --trace: the stream of a program's references is lackey's, the same in each form, and
# what the built-in simulator, cachegen's and the plain one make of it is the same.
. "$(dirname "$0")/../tap.sh"
here=$TOP/tests/oracle
programs=$here/programs
plainsim=$BUILD/tests/oracle/plainsim
unset CACHEPROF_OPTIONS

# traced FLAGS SOURCE...: into cacheprof.trace; by $option, too
option=
traced() {
	cacheprof --trace $option gcc $1 -o traced "${@:2}" && CACHEPROF_OPTIONS=quiet=1 ./traced >out 2>err &&
		[ ! -s err ] || { cat err; return 1; }
}

# as_lackey FLAGS SOURCE...
as_lackey() {
	gcc $1 -static -no-pie -o native "${@:2}" && traced "$1 -static -no-pie" "${@:2}" || return 1
	valgrind --tool=lackey --trace-mem=yes --basic-counts=no --vex-iropt-level=0 \
		--vex-guest-chase=no --log-file=lackey.trace ./native >/dev/null &&
		"$here/same-stream" native lackey.trace traced cacheprof.trace \
			$(sed -n 's/^fn=//p' cacheprof.out | sort -u)
}

# Operands whose addresses stand in a table that the linker fills, several of them in one line.
cat >user.c <<'END'
extern int one, two, three, four;
int main(void) { return one + two + three + four; }
END
echo 'int one, two, three, four;' >owner.c
# Units whose loops keep registers aside, each behind another, of four lengths.
longer=
for i in 1 2 3 4; do
	longer+=" n = n * 3 ^ $i; n += n >> 7;"
	echo "int before$i(int n) {$longer return n; }" >before$i.c
	cat >crowded$i.c <<-END
		long crowded$i(const int *a, long n, long p, long q, long r, long s)
		{
			long sum = 0, t = p * q, u = q * r, v = r * s, w = p + s, x = p ^ r;

			do
				sum += a[--n];
			while (n);
			return sum + t + 3 * u + 5 * v + 7 * w + 11 * x + 13 * p + 17 * q + 19 * r + 23 * s;
		}
	END
done
cat >calls.c <<'END'
#define CALL(i) \
	int before##i(int n); \
	long crowded##i(const int *a, long n, long p, long q, long r, long s); \
	sum += crowded##i(a, 8, before##i(round), 2, 3, 4);
int main(void)
{
	int a[] = {1, 2, 3, 4, 5, 6, 7, 8};
	long sum = 0;
	for (int round = 0; round < 100; round++) {
		CALL(1)
		CALL(2)
		CALL(3)
		CALL(4)
	}
	return sum == 0;
}
END
if command -v valgrind >/dev/null; then
	for flags in -O0 -O1 -O2; do
		check "lackey's stream $flags" as_lackey $flags "$programs/ordinary.c"
	done
	check "lackey's stream of GOT operands" as_lackey "-O1 -fPIC -Wl,--no-relax" user.c owner.c
	check "which it has" grep -qE '^ L [0-9a-f]+,8$' cacheprof.trace
	mv lackey.trace other.trace
	check "another stream is found out" fails "$here/same-stream" native other.trace traced \
		/dev/null main
else
	skip "lackey's stream" "no valgrind"
fi

# summary FILE
summary() {
	sed -n 's/^summary: //p' "$1"
}

profile_totals() {
	totals_of cacheprof.out Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
}

# agree I1 D1 [FORMAT]: the run's profile and the plain simulator on its trace
agree() {
	local format=${3-lackey} wanted
	CACHEPROF_OPTIONS=quiet=1:I1=$1:D1=$2:trace-format=$format ./traced >/dev/null &&
		"$plainsim" --I1=$1 --D1=$2 --format=$format <cacheprof.trace >plain || return 1
	wanted=$(profile_totals)
	echo "plain $(summary plain), ours $wanted"
	[ "$(summary plain)" = "$wanted" ]
}

# cachegen_agrees SIZE WAYS LINE: cachegen's D1 on the same trace
cachegen_agrees() {
	cachegen $1 $3 $2 >doref.c &&
		gcc -O2 -I"$TOP" -o generated "$here/cachegensim.c" doref.c &&
		./generated <cacheprof.trace >misses &&
		[ "$(cat misses)" = "$(profile_totals | cut -d ' ' -f 5,8 )" ]
}

loop_keeps() {
	cacheprof gcc -O2 -SA crowded1.c && grep -A 2 xmm14 crowded1.sA | grep balign
}
# fetches_as_traced FLAGS SOURCE...: executions and I1's misses are those of the traced program, whose loops keep
# nothing.
fetches_as_traced() {
	local i1=I1=256,1,64
	traced "$@" && CACHEPROF_OPTIONS=quiet=1:$i1 ./traced && profile_totals >wanted &&
		cacheprof gcc $1 -o untraced "${@:2}" && CACHEPROF_OPTIONS=quiet=1:$i1 ./untraced &&
		profile_totals >got && cat wanted got && [ "$(cut -d ' ' -f 1-2 wanted)" = "$(cut -d ' ' -f 1-2 got)" ]
}
check "a loop that keeps registers aside" loop_keeps
check "... lies where it does natively" fetches_as_traced "-O2 -static" calls.c \
	before1.c crowded1.c before2.c crowded2.c before3.c crowded3.c before4.c crowded4.c

check "builds" traced -O2 "$programs/ordinary.c"
for cache in 32768,8,64 1024,1,16 4096,4,32 8192,2,128 49152,12,64 8388608,16,64; do
	check "the plain simulator agrees, $cache" agree $cache $cache
	check "cachegen's agrees, $cache" cachegen_agrees ${cache//,/ }
done
check "the binary form is the same" agree 1024,2,16 1024,2,16 binary
check "and compact" test "$(stat -c %s cacheprof.trace)" -lt 400000
for program in "rows.c base.S" "rows.c forms.S" "tls.c tls_elsewhere.c" misses.c; do
	check "builds $program" traced -O1 $(printf "$programs/%s " $program)
	check "the plain simulator agrees" agree 4096,2,64 2048,4,32 binary
done

cat >din.c <<'END'
char text[3];
int main(void)
{
	char *at = text;
	long n = 3;
	__asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(0) : "memory");
	__asm__ volatile("incb %0\n\tmovb $1,%0" : "+m"(text));
	return n;
}
END
traced "-O1 -static -no-pie" din.c
sed -n 's/^\(..\) .*,/\1 /p' cacheprof.trace >events
check "a fetch for each round, one reference that modifies" \
	grep -Pzq 'I  2\n S 1\nI  2\n S 1\nI  2\n S 1\nI  2\nI  6\n M 1\nI  7\n S 1\n' events
# The stack, from which main returns, lies elsewhere each time.
last_but() {
	sed '$d' "$@"
}
last_but cacheprof.trace | sed 's/^I */2 /; s/^ [LM]/0/; s/^ S/1/; s/,.*//; s/ 0*\([0-9a-f]\)/ \1/' >wanted
# run OPTIONS: quietly
run() {
	CACHEPROF_OPTIONS=quiet=1:$1 ./traced
}
check "din" run trace=t.din:trace-format=din
check "is made" test "$(last_but t.din)" = "$(cat wanted)"
check "a pipe" test "$(run trace=/dev/stdout | last_but)" = "$(last_but cacheprof.trace)"
full() {
	run trace=/dev/full 2>err
	[ $? -eq 0 ] && [ "$(cat err)" = \
		"==cacheprof== cannot write /dev/full: No space left on device (ENOSPC)" ]
}
check "a full disk is told of once" full
check "nothing else is left" fails sh -c 'ls | grep tmp'

cat >fork.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
volatile int mine;
int main(void)
{
	int status;
	if (!fork()) {
		for (int i = 0; i < 1000; i++)
			mine++;
		exit(0);
	}
	return wait(&status) < 0 || status;
}
END
rm -f cacheprof.trace*
check "a child of fork" traced -O0 fork.c
check "has a trace of its own" test "$(wc -l <"$(echo cacheprof.trace.*)")" -gt 5000
check "and its parent's is whole" test "$(wc -l <cacheprof.trace)" -lt 100
piped() {
	{ run trace=/dev/stdout 2>err; } | cat >lines
	[ ! -s err ] && [ -s lines ] && [ "$(wc -l <lines)" -lt 100 ]
}
check "but none in a pipe of its parent's" piped
check "nor where there is no other" eval 'run trace=/dev/null 2>err && [ ! -s err ]'

# Units of one long instruction each, the only ones of their lengths, with code that is not counted between two of them:
# as long as it is aligned, and longer.
unit() {
	printf '\t.text\n\t.p2align %d\n\t.globl %s\n\t.type %s, @function\n%s:\t%s\n\tret\n\t.p2align %d\n' \
		"$2" "$1" "$1" "$1" "$3" "$4" >"$1.s"
}
foreign() {
	printf '\t.text\n\t.p2align 4\n\t.skip %d, 0x90\n' "$2" | gcc -x assembler -c -o "$1.o" -
}
# Of addresses, from the first one on.
distances() {
	local address first=
	while read -r address; do echo $((0x$address - 0x${first:=$address})); done
}
placed() {
	unit a 4 "nopl 0x11111(%rax,%rax)" 4 && foreign f 16 && unit b 4 "nopw 0x11111(%rax,%rax)" 0 && foreign g 21 &&
		unit c 0 'movabs $0x1111111111,%rax' 0 && unit d 6 'movabs $0x1111111111,%rax' 0 || return 1
	echo 'void a(void), b(void), c(void), d(void); int main(void) { a(); b(); c(); d(); return 0; }' >four.c
	set -- four.c a.s f.o b.s g.o c.s d.s
	gcc -z noexecstack "$@" -o native && traced "-z noexecstack" "$@" || return 1
	nm native | sed -n 's/ T [abcd]$//p' | sort | distances >native.places
	sed -n 's/^I *\([0-9a-f]*\),\([89]\|10\)$/\1/p' cacheprof.trace | distances >places
	[ "$(wc -l <places)" = 4 ] && diff native.places places
}
check "units lie as far apart as natively" placed

# Addresses that the runtime works out, which the self-check has from the same code: those in b, as the processor has
# them.
cat >special.S <<'END'
	.text
	.globl	main
	.type	main, @function
main:	push	%rbx
	std
	mov	$b+64, %esi
	mov	$b+16, %edi
	mov	$3, %ecx
	rep movsb
	cld
	movb	$1, b+132
	mov	$1, %eax
	mov	$b+128, %edi
	movabs	$0x100000002, %rcx
	addr32 repne scasb
	mov	$b+700, %edx
	bts	$32, %rdx
	testb	$1, (%edx)
	mov	$-9, %rax
	bt	%rax, b+256
	mov	$0x1fff7, %eax
	bt	%ax, b+300
	mov	$b+512, %ebx
	mov	$0x105, %eax
	xlat
#ifdef __AVX2__
	mov	$b+1024, %eax
	vmovdqa	index(%rip), %xmm1
	vpcmpeqd %xmm2, %xmm2, %xmm2
	vpgatherdd %xmm2, (%rax,%xmm1,4), %xmm0
	vpcmpeqd %xmm2, %xmm2, %xmm2
	vpgatherdd %xmm2, b+1536(,%xmm1,2), %xmm0
	vpcmpeqd %xmm2, %xmm2, %xmm2
	vmovdqa	index+16(%rip), %xmm1
	vpgatherqq %xmm2, (%rax,%xmm1,8), %xmm0
	vmovdqa	index(%rip), %xmm1
	vmaskmovps 2048(%rax), %xmm1, %xmm0
#endif
#ifdef __AVX512VL__
	mov	$0x10, %ecx
	kmovw	%ecx, %k1
	vmovups	2560(%rax), %xmm0{%k1}
	vmovups	2560(%rax), %ymm0{%k1}
	kxnorw	%k2, %k2, %k2
	vmovdqa	index(%rip), %xmm1
	vpgatherdd 2560(%rax,%xmm1,1), %xmm0{%k2}
#endif
	xor	%eax, %eax
	pop	%rbx
	ret
	.size	main, .-main
	.section .rodata
	.p2align 4
index:	.long	-1, 2, 0, -3
	.quad	-1, 3
	.local	b
	.comm	b, 8192, 4096
	.section .note.GNU-stack, "", @progbits
END
# worked_out SOURCE FLAGS KIND,OFFSET,SIZE...
worked_out() {
	local from kind at size
	traced "-no-pie $2" "$1" || return 1
	shift 2
	from=0x$(nm traced | sed -n 's/ [bd] b$//p')
	while IFS=' ,' read -r kind at size; do
		((0x$at >= from && 0x$at < from + 8192)) && echo "$kind,$((0x$at - from)),$size"
	done < <(grep '^ [LSM]' cacheprof.trace) >addresses
	printf '%s\n' "$@" | diff - addresses
}
wanted=(L,64,1 S,16,1 L,63,1 S,15,1 L,62,1 S,14,1 S,132,1 L,128,1 L,129,1 L,700,1 L,254,1 L,298,1 L,517,1)
check "rep, bit strings, xlat" worked_out special.S "" "${wanted[@]}"
wanted+=(L,1020,4 L,1032,4 L,1024,4 L,1012,4 L,1534,4 L,1540,4 L,1536,4 L,1530,4 L,1016,8 L,1048,8 L,3072,4 L,3084,4)
if processor_has avx2; then
	check "gathers and lanes" worked_out special.S -mavx2 "${wanted[@]}"
else
	skip "gathers and lanes" "the processor has no AVX2"
fi
if processor_has avx512f avx512vl; then
	check "... under masks" worked_out special.S "-mavx2 -mavx512vl" "${wanted[@]}" L,3584,32 L,3583,4 L,3586,4 L,3584,4 L,3581,4
else
	skip "... under masks" "the processor has no AVX-512"
fi

cat >strings.c <<'END'
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static char b[8192] __attribute__((aligned(4096))) = "abc\0\0z";
int main(void)
{
	volatile size_t two = 2, many = 40, more = 1 << 20;
	size_t sum = strnlen(b, many) + strnlen(b, two) + (strchr(b, 'b') != 0) + (strchr(b, 'z') != 0);

	strncpy(b + 128, b, two);
	strncpy(b + 160, b, many);
	strcat(b + 128, b);
	strncat(b + 224, b, two);
	sum += strncmp(b, b + 160, two) != 0;
	return sum != 6 || munmap(b + 4096, 4096) || read(-1, b + 4056, more) != -1;
}
END
option=--libc-model=yes
check "what functions of libc refer to" worked_out strings.c "-O1 -fno-builtin" L,0,4 L,0,2 L,0,2 L,0,4 \
	L,0,2 S,128,2 L,0,4 S,160,32 S,192,8 L,128,3 L,0,4 S,130,4 L,224,1 L,0,2 S,224,3 L,0,2 L,160,2 S,4056,8 S,4064,32
finish
