# Intel syntax, and AT&T syntax without '%', count as AT&T syntax does: what compilers write with -masm=intel, and what
# people write by hand.
. "$(dirname "$0")/../tap.sh"
programs=$TOP/tests/e2e/programs
export CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1

# in_both COMPILER SOURCE FLAG...: the program of each syntax prints the same as the native one, and their profiles are
# the same file. Options of cacheprof: $options.
in_both() {
	local compiler=$1 source=$2 syntax
	shift 2
	rm -rf att intel native native.out
	"$compiler" "$source" -g "$@" -o native && { ./native >native.out 2>&1 || true; } || return 1
	for syntax in att intel; do
		mkdir $syntax
		# shellcheck disable=SC2086 # several options, or none
		(cd $syntax && cacheprof ${options-} "$compiler" "$source" -g "$@" -masm=$syntax -o program &&
			{ ./program >out 2>&1 || true; } && cmp ../native.out out && grep -q '^summary: [1-9]' cacheprof.out) ||
			return 1
	done
	cmp att/cacheprof.out intel/cacheprof.out
}

cat >mixed.c <<'END'
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

extern char **environ;
static __thread int own = 3;
__thread long shared[4] = {1, 2, 3, 4};
static double table[50];
static const char *const words[] = {"one", "two", "three"};
static jmp_buf again;

__attribute__((noinline)) static long choose(long n)
{
	static void *const ways[] = {&&first, &&second, &&third};

	goto *ways[n % 3];
first:
	return n * 5;
second:
	return shared[n & 3] += own++;
third:
	switch (n % 11) {
	case 0: return 8;
	case 2: return -2;
	case 3: return n + 70;
	case 5: return n << 3;
	case 6: return own;
	case 8: return 1;
	default: return 9;
	}
}

static int by_length(const char *word)
{
	char copy[64];

	strcpy(copy, word);
	memset(copy + 8, 'x', 40);
	return (int)strlen(copy) + copy[3];
}

int main(void)
{
	long sum = environ != 0;
	int (*volatile length)(const char *) = by_length;

	for (long i = 0; i < 1000; i++) {
		sum += choose(i) + length(words[i % 3]);
		table[i % 50] += (double)sum / 3;
	}
	if (setjmp(again) < 3)
		longjmp(again, (int)++sum % 2 + 3);
	for (int i = 0; i < 50; i++)
		sum += (long)table[i] % 17;
	printf("%ld\n", sum);
	return 0;
}
END
for flags in -O0 -O2 "-O2 -fPIC" "-O2 -fPIC -fno-plt" "-O3 -march=native" "-Os -fcf-protection=full" \
	"-O2 -mcmodel=large" "-O2 -fno-pic -no-pie" "-O2 -flto"; do
	# shellcheck disable=SC2086
	check "gcc $flags" in_both gcc "$PWD/mixed.c" $flags
done
for options in --level1 --branch-sim=yes --plain-copies=yes --no-g; do
	check "gcc -O2, $options" in_both gcc "$PWD/mixed.c" -O2
done
options=--level1
while read -r compiler source flags; do
	if command -v "$compiler" >/dev/null; then
		# shellcheck disable=SC2086
		check "$compiler" in_both "$compiler" "$programs/$source" -O2 $flags
	else
		skip "$compiler" "there is no $compiler"
	fi
done <<'END'
g++ everything.cc -std=c++20 -pthread
gfortran everything.f90
END
unset options

self_checked() {
	cacheprof --self-check gcc -masm=intel -g "$@" mixed.c -o checked && CACHEPROF_OPTIONS=out=/dev/null ./checked 2>err &&
		grep -q 'self-check: 0 differences' err
}
check "the self-check, -O2" self_checked -O2
check "the self-check, -O3 -march=native" self_checked -O3 -march=native

if clang -masm=intel -fno-integrated-as -c mixed.c -o clang.o 2>/dev/null; then
	check "clang" in_both clang "$PWD/mixed.c" -O2
else
	skip "clang" "there is no clang"
fi

# By hand: the same instructions in both, in files of one name.
mkdir -p hand/att hand/intel hand/naked
cat >hand/att/hand.s <<'END'
	.text
	.globl hand
	.type hand,@function
hand:	push %rbx
	sub $32, %rsp
	lea numbers+8(%rip), %rbx
	mov numbers(%rip), %rax
	mov 16+numbers(%rip), %rcx
	add (%rbx,%rcx,8), %rax
	mov -8(%rbx,%rcx,4), %edx
	mov %rax, 8(%rsp)
	addq $5, 3*4+4-8(%rsp)
	movb $'a', 20(%rsp)
	cmpb $',', 20(%rsp)
	je 3f
	mov $6, %ecx
1:	add 8(%rsp), %rax
	loop 1b
	mov %rax, %r8
	and $3, %r8d
	lea ways(%rip), %r9
	movslq (%r9,%r8,4), %r10
	add %r9, %r10
	jmp *%r10
2:	fldl numbers(%rip)
	fld %st(0)
	fadd %st(1), %st
	fstpl 24(%rsp)
	fstp %st(0)
	lea numbers(%rip), %rsi
	lea copy(%rip), %rdi
	mov $4, %ecx
	rep movsq
	lock incl copy(%rip)
	mov %fs:0, %rdx
	xor own@tpoff(%rdx), %eax
	mov %fs:own@tpoff, %edx
	jmp 4f
3:	add copy+8(%rip), %rax
4:	movdqu numbers(%rip), %xmm1
	pshufd $0x1b, %xmm1, %xmm2
	movups %xmm2, copy(%rip)
	call *target(%rip)
	add $32, %rsp
	pop %rbx
	ret
	.size hand,.-hand
inner:	mov 8(%rsp), %rcx
	lea 5(,%rax,2), %rax
	ret
	.section .rodata
ways:	.long 2b-ways, 3b-ways, 4b-ways, 2b-ways
	.data
	.balign 32
numbers: .quad 1, 2, 3, 4, 5, 6, 7, 8
copy:	.zero 64
target:	.quad inner
	.section .tbss,"awT",@nobits
own:	.zero 8
	.section .note.GNU-stack,"",@progbits
END
cat >hand/intel/hand.s <<'END'
	.intel_syntax noprefix
	.text
	.globl hand
	.type hand,@function
base = rbx
	.set room, 32
hand:	push rbx
	sub rsp, room
	lea base, numbers[rip+8]
	mov rax, [rip+numbers]
	mov rcx, QWORD PTR [16+rip+numbers]
	add rax, [rbx+rcx*8]
	.att_syntax
	mov -8(%rbx,%rcx,4), %edx
	mov %rax, 8(%rsp)
	.intel_syntax prefix
	add QWORD PTR [%rsp+3*4+4-8], 5
	mov BYTE PTR 20[%rsp], 'a' ; cmp byte ptr [%rsp][20], ',' # one, line
	.intel_syntax noprefix
	je 3f
	mov ecx, 6
1:	add rax, [rsp + (4+4)]
	loop 1b
	mov r8, rax
	and r8d, 3
	lea r9, ways[rip]
	movsxd r10, dword ptr [4*r8+r9]
	add r10, r9
	jmp r10
2:	fld QWORD PTR numbers[rip]
	fld st(0)
	fadd st, st(1)
	fstp QWORD PTR [rsp][24]
	fstp st(0)
	lea rsi, numbers[rip]
	lea rdi, [rip][copy]
	mov ecx, 4
	rep movsq
	lock inc DWORD PTR copy[rip]
	mov rdx, fs:0
	xor eax, own@tpoff[rdx]
	mov edx, DWORD PTR fs:own@tpoff
	jmp short 4f
	.macro	sum
	add rax, copy+8[rip]
	.endm
3:	add rax, [copy + 4*2 + rip]
4:	movdqu xmm1, XMMWORD PTR numbers[rip]
	pshufd xmm2, xmm1, 0x1b
	movups XMMWORD PTR copy[rip], xmm2
	call [QWORD PTR target[rip]]
	add rsp, room
	pop base
	ret
	.size hand,.-hand
inner:	mov rcx, [rsp+8]
	lea rax, [rax*2+5]
	ret
	.section .rodata
ways:	.long 2b-ways, 3b-ways, 4b-ways, 2b-ways
	.data
	.balign 32
numbers: .quad 1, 2, 3, 4, 5, 6, 7, 8
copy:	.zero 64
target:	.quad inner
	.section .tbss,"awT",@nobits
own:	.zero 8
	.section .note.GNU-stack,"",@progbits
END
{ printf '\t.att_syntax noprefix\n' && sed 's/%//g' hand/att/hand.s; } >hand/naked/hand.s
cat >hand/main.c <<'END'
#include <stdio.h>
long hand(void);
int main(void)
{
	long sum = 0;

	for (int i = 0; i < 100; i++)
		sum = sum * 3 + hand();
	printf("%ld\n", sum);
	return 0;
}
END

by_hand() {
	local syntax
	for syntax in att intel naked; do
		(cd hand/$syntax && as hand.s -o native.o && gcc -O2 ../main.c native.o -o native &&
			cacheprof "$@" gcc -O2 ../main.c hand.s -o program && ./native >native.out && ./program >program.out &&
			cmp native.out program.out && objdump -dr native.o | sed 1,3d >code && by_function cacheprof.out >counts) ||
			return 1
	done
	cmp hand/att/code hand/naked/code && diff hand/att/counts hand/naked/counts || return 1
	# gas 2.47 of October 2026 makes of [16+rip+numbers] another operand than its forebears.
	if [ "$(objdump -dr -M intel hand/intel/native.o | grep -c '\.data+0xc')" -gt 0 ]; then
		cmp hand/att/code hand/intel/code && diff hand/att/counts hand/intel/counts || return 1
	fi
	grep -q '^fn=hand [1-9]' hand/att/counts
}
for options in --level2 --level1 --branch-sim=yes; do
	check "by hand, $options" by_hand $options
done

hand_checked() {
	cacheprof --self-check gcc -O2 hand/main.c "hand/$1/hand.s" -o checked &&
		CACHEPROF_OPTIONS=out=/dev/null ./checked 2>err && grep -q 'self-check: 0 differences' err
}
check "by hand, the self-check" hand_checked intel
check "... without %" hand_checked naked

# Registers by names of the source's own are no symbols.
cat >named.s <<'END'
	.intel_syntax noprefix
	.globl main
area = rsp
main:	push rbx
	mov rax, [area]
	mov rax, [area+8]
	pop rbx
	xor eax, eax
	ret
	.section .note.GNU-stack,"",@progbits
END
named() {
	cacheprof gcc "$1.s" -o "$1" && "./$1" &&
		grep -q '^summary: 6 [0-9]* [0-9]* 4 [0-9]* [0-9]* 1 ' cacheprof.out
}
check "registers with names" named named
sed 's/\.intel_syntax/.att_syntax/; s/rax, \[area+8\]/8(area), rax/; s/rax, \[area\]/(area), rax/' named.s >naked.s
check "... in AT&T syntax" named naked
sed "$(printf '%s\n' '/syntax/d; s/rsp/%rsp\na = %rax/; s/rbx/%rbx/; s/rax, \[area+8\]/8(area), a/' \
	's/rax, \[area\]/(area), a/; s/eax, eax/%eax, %eax/')" named.s >percent.s
check "... with a sign" named percent
told() {
	sed 's/\[area+8\]/[counter+area]/' named.s >told.s && echo '.data; counter: .quad 0' >>told.s &&
		cacheprof gcc -c told.s -o told.o 2>err && cat err && [ "$(grep -c . err)" = 1 ] &&
		grep -q '^cacheprof: told.s:6: warning: .* a register by another name is counted, but not simulated$' err
}
check "... beside a symbol are told" told

# The assembler is told of the syntax, which the text does not name.
cat >told_of.s <<'END'
	push	rbx
	lea	rbx, [rip+table]
	mov	eax, [rbx+8]
	add	eax, [rbx+16]
	sub	eax, dword ptr table[rip+12]
	pop	rbx
	ret
table:	.long	1, 2, 3, 4, 5
END
{ printf 'main:\t.globl\tmain\n' && cat told_of.s && printf '\t.section\t.note.GNU-stack, "", @progbits\n'; } >naked.S
sed 's/\b\(r[bi][xp]\|eax\)\b/%\1/g' naked.S >prefixed.S
cat >att.s <<'END'
main:	.globl	main
	push	rbx
	lea	table(rip), rbx
	mov	8(rbx), eax
	add	16(rbx), eax
	sub	table+12(rip), eax
	pop	rbx
	ret
table:	.long	1, 2, 3, 4, 5
	.section	.note.GNU-stack, "", @progbits
END
# gives_4 PROGRAM
gives_4() {
	"$1"
	[ $? = 4 ]
}
# by_options FILE OPTION: runs as natively, and is counted
by_options() {
	gcc "-Wa,$2" "$1" -o native && gives_4 ./native && silently cacheprof gcc "-Wa,$2" "$1" -o one || return
	CACHEPROF_OPTIONS=quiet=1:out=options.out gives_4 ./one && [ "$(sums_of options.out main Ir Dr Dw)" = "7 5 1" ] &&
		grep -q "^fl=.*/$1$" options.out && grep -q "^3 1 0 0 0" options.out || return
	cacheprof gcc "-Wa,$2" -SA "$1" -o one.sA && cacheprof gcc "-Wa,$2" -c one.sA -o one.o &&
		cacheprof gcc one.o -o one && gives_4 ./one
}
check "Intel syntax by an option of the assembler" by_options naked.S -msyntax=intel,-mnaked-reg
check "... with %" by_options prefixed.S -msyntax=intel
check "AT&T syntax without %" by_options att.s -mnaked-reg
beside() {
	local compiler
	cp naked.S beside.s
	for compiler in gcc "cacheprof gcc"; do
		$compiler -c -Wa,-msyntax=intel,-mnaked-reg,--MD,depends,-adhln=listing beside.s -o beside.o &&
			cat depends listing >"beside by $compiler" || return
	done
	diff "beside by gcc" "beside by cacheprof gcc"
}
check "... and what is written beside the object" beside

# What is wrong is told as gas tells it without cacheprof.
cat >wrong.s <<'END'
	.intel_syntax noprefix
	mov eax, [rax]
	mov eax, [rax*3]
	mov eax, nothing nothing
END
wrong() {
	! gcc -c wrong.s -o native.o 2>native.err && ! cacheprof gcc -c wrong.s -o ours.o 2>ours.err && [ ! -e ours.o ] &&
		diff native.err ours.err
}
check "errors are the assembler's" wrong

annotated() {
	cacheprof gcc -O2 -masm=intel -g -SA mixed.c -o mixed.sA && cacheprof gcc -c mixed.sA -o again.o &&
		cacheprof gcc again.o -o again && ./again >again.out && gcc -O2 mixed.c -o native && ./native | cmp - again.out
}
check "annotated assembly" annotated
finish
