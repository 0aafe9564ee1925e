# Macros, repetitions and included files count as what they stand for: in hand-written assembly and in inline assembly.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1

mkdir macros written
cat >main.c <<'END'
#include <stdio.h>
long work(long *table, long n);
long table[4096];
int main(void)
{
	long sum = 0;

	for (long i = 0; i < 4096; i++)
		table[i] = i * 7;
	for (long i = 0; i < 300; i++)
		sum = sum * 3 + work(table + i, i);
	printf("%ld\n", sum);
	return 0;
}
END
cat >macros/work.s <<'END'
	.altmacro
	.macro	advance by
	LOCAL	skip
	test	$1,%sil
	jz	skip
	add	$\by,%rdi
skip:	nop
	.endm
	.noaltmacro
	.macro	nothing what:vararg
	.ifb	\what
	mov	(%rax),%rax
	.endif
	.endm
	.macro	load p, to=%rcx, n=1
	mov	(\p),\to
	.if	\n > 1
	add	$64,\p
	load	\p, \to, (\n-1)
	.exitm
	.endif
	lea	64(\p),\p ; add	\to,%rax /* two of them */
	.endm
	.macro	.fetch	p, to
	LOAD	\p, \to
	.endm
	.MACRO	store	to:req, from
9\@:	mov	\from,\to	# 9: is a label
	dec	%r8
	jnz	9\@b
	.irp	r,%rcx,%rdx
	push	\r
	.endr
	nothing	this
	.endm
	.macro	define name
	.macro	drop_\name
	pop	%\name
	.endm
	.endm
	.text
	.globl	work
	.type	work,@function
work:	.cfi_startproc
	xor	%eax,%eax
	nothing	1, 2
	load	%rdi
	mov	$3,%r8d
entry:	load	p=%rdi, to=%rdx, n=3 ; load %rdi
	store	to="(%rdi,%rsi,8)", from=%rax
	.cfi_adjust_cfa_offset	16
	define	rdx
	drop_rdx
	.Fetch	%rdi, %rdx
	pop	%rcx
	.cfi_adjust_cfa_offset	-16
	.altmacro
	advance	640
	advance	64
	.noaltmacro
	.set	i, 0
	.rept	4
	.if	i % 2
	add	i*8(%rdi),%rax
	.else
	sub	%rax,i*8(%rdi)
	.endif
	.set	i, i + 1
	.endr
	.rept	0
	ud2
	.endr
	.purgem	load
	.irpc	c,135
	cmpb	$\c,(%rdi)
	.endr
	ret
	.cfi_endproc
	.size	work,.-work
	.section .rodata
	.rept	3
	.ascii	"a;b#\"\n"
	.endr
	.section .note.GNU-stack,"",@progbits
END
cat >written/work.s <<'END'
	.text
	.globl	work
	.type	work,@function
work:	.cfi_startproc
	xor	%eax,%eax
	mov	(%rdi),%rcx
	lea	64(%rdi),%rdi
	add	%rcx,%rax
	mov	$3,%r8d
entry:	mov	(%rdi),%rdx
	add	$64,%rdi
	mov	(%rdi),%rdx
	add	$64,%rdi
	mov	(%rdi),%rdx
	lea	64(%rdi),%rdi
	add	%rdx,%rax
	mov	(%rdi),%rcx
	lea	64(%rdi),%rdi
	add	%rcx,%rax
1:	mov	%rax,(%rdi,%rsi,8)
	dec	%r8
	jnz	1b
	push	%rcx
	push	%rdx
	.cfi_adjust_cfa_offset	16
	pop	%rdx
	mov	(%rdi),%rdx
	lea	64(%rdi),%rdi
	add	%rdx,%rax
	pop	%rcx
	.cfi_adjust_cfa_offset	-16
	test	$1,%sil
	jz	1f
	add	$640,%rdi
1:	nop
	test	$1,%sil
	jz	1f
	add	$64,%rdi
1:	nop
	sub	%rax,0(%rdi)
	add	8(%rdi),%rax
	sub	%rax,16(%rdi)
	add	24(%rdi),%rax
	cmpb	$1,(%rdi)
	cmpb	$3,(%rdi)
	cmpb	$5,(%rdi)
	ret
	.cfi_endproc
	.size	work,.-work
	.section .rodata
	.ascii	"a;b#\"\n"
	.ascii	"a;b#\"\n"
	.ascii	"a;b#\"\n"
	.section .note.GNU-stack,"",@progbits
END

disassembled() {
	objdump -d "$1" | sed 1,3d | sed 's/[<(].*//'
}

# both OPTION...: with these the program counts the same with macros and without.
both() {
	local way
	for way in macros written; do
		(cd $way && as work.s -o native.o && gcc -O2 ../main.c native.o -o native &&
			cacheprof "$@" gcc -O2 ../main.c work.s -o program && ./native >native.out && ./program >program.out &&
			cmp native.out program.out && disassembled native.o >code &&
			by_function cacheprof.out >counts) || return 1
	done
	cmp macros/code written/code && diff macros/counts written/counts && grep -q '^fn=work [1-9]' macros/counts
}
for options in --level2 --level1 --branch-sim=yes; do
	check "by hand, $options" both $options
done

checked() {
	cacheprof --self-check gcc "$@" -o checked && CACHEPROF_OPTIONS=out=/dev/null ./checked 2>err &&
		grep -q 'self-check: 0 differences' err
}
check "by hand, the self-check" checked -O2 main.c macros/work.s

# What a line's macros make is the line's.
at_its_line() {
	local line
	line=$(grep -n 'load	%rdi$' macros/work.s | sed 's/:.*//')
	(cd macros && cacheprof gcc -g ../main.c work.s -o program && ./program >program.out) &&
		grep -q "^$line 900 " macros/cacheprof.out
}
check "three instructions at the line of the first invocation" at_its_line

annotated() {
	cacheprof gcc -SA macros/work.s -o work.sA && cacheprof gcc -O2 main.c work.sA -o annotated && ./annotated >out &&
		cmp macros/native.out out && diff <(by_function cacheprof.out | grep '^fn=work') <(grep '^fn=work' macros/counts)
}
check "the same again" both --level2
check "... and from annotated assembly" annotated

# Files that are included have their own lines; they may have what the others use, and use what others have.
mkdir -p included/parts/deeper
{
	sed '/^	.text/,$d' macros/work.s
	printf '\t.include "deeper/entry.s"\n'
} >included/parts/macros.s
sed -n '/^work:/,/^	mov	.3/p' macros/work.s >included/parts/deeper/entry.s
{
	printf '\t.text\n\t.globl\twork\n\t.type\twork,@function\n\t.include "macros.s" ; nop # behind it\n'
	sed -n '/^entry:/,$p' macros/work.s
} >included/work.s
sed -n '/^	.text/,$p' written/work.s | sed '/^	mov	.3/a nop' >included/same.s
included() {
	cd included && as same.s -o same.o && as -I parts work.s -o native.o && disassembled same.o >same && disassembled native.o | cmp same - &&
		gcc -O2 ../main.c native.o -o native && ./native >native.out &&
		cacheprof --self-check gcc -O2 -Wa,-I,parts ../main.c work.s -o program &&
		CACHEPROF_OPTIONS=out=cacheprof.out ./program 2>err >program.out && cmp native.out program.out &&
		grep -q 'self-check: 0 differences' err &&
		awk '/^f[lie]*=/ { file = $0 } /^[0-9]/ && file ~ /\.s$/ { ir[file] += $2 } END { for (f in ir) print f, ir[f] }' \
			cacheprof.out | sort >files && cat files &&
		[ "$(grep -c '/parts/deeper/entry.s 1500$' files)" = 1 ] && [ "$(grep -c 'included/work.s ' files)" = 1 ] &&
		line=$(grep -n 'behind it' work.s | sed 's/:.*//') && grep -q "^$line 300 " cacheprof.out
}
check "files that are included" included
echo '	.include "nowhere.s"' >lost.s
lost() {
	! gcc -c lost.s -o native.o 2>native.err && ! cacheprof gcc -c lost.s -o ours.o 2>ours.err && diff native.err ours.err
}
check "... and are not there" lost

# The preprocessor leaves a line mark where a long comment was, also within a macro: what follows has its lines.
comment=$(printf '\n * x%.0s' {1..20})
{
	printf '\t.macro\ttwice r\n\tadd\t(%%rsp), \\r\n/*%s*/\n\tadd\t(%%rsp), \\r\n\t.endm\n' "$comment"
	printf '\t.globl\tmain\n\t.type\tmain, @function\nmain:\txor\t%%eax, %%eax\n\ttwice\t%%eax\n'
	printf '\t.rept\t2\n\tadd\t(%%rsp), %%eax\n/*%s*/\n\tnop\n\t.endr\n\txor\t%%eax, %%eax\n\tret\n' "$comment"
	printf '\t.section .note.GNU-stack,"",@progbits\n'
} >long.S
sed '/^\ttwice/d;/\.rept/,/\.endr/d' long.S >idle.S
lines_of() {
	cacheprof gcc "$1" -o program && ./program && sed -n 's/^\([0-9]* [0-9]*\) .*/\1/p' cacheprof.out >lines && cat lines &&
		shift && printf '%s\n' "$@" | diff - lines
}
check "lines behind long comments in macros" lines_of long.S "28 1" "29 2" "30 4" "55 1" "56 1"
check "... that nobody invokes" lines_of idle.S "28 1" "29 1" "30 1"
unknown() {
	sed 's/\tret/\tjmp . + 4; nop; add $1000, %eax; nop; ret/' long.S >odd.S
	! cacheprof gcc -c odd.S -o odd.o 2>err && cat err && grep -q '^cacheprof: odd.S:56: .* error: ' err
}
check "... and in messages" unknown

# What gas has to say of a macro's instructions, and of an included file's, is said once and where gas says it, and none
# of the sources' words are said twice.
cat >talk.s <<'END'
	.macro	say what
	.print	"\what"
	.warning "careful"
	nop
	.endm
	say	hello
	.include "talk.inc"
	.rept	2
	.data
	.byte	256
	.text
	.endr
END
printf '\tnop\n\t.warning "included"\n' >talk.inc
talks() {
	gcc -c talk.s -o native.o >native.out 2>native.err && cacheprof gcc -c talk.s -o talk.o >out 2>err &&
		diff native.out out && diff native.err err
}
check "messages are said once" talks
printf '\t.section .rodata\n\t.print "data"\n\t.byte 256\n' >talk.s
check "... of a file without code, too" talks
cat >wrong.s <<'END'
	.macro	load p
	nop
	mov	(\p),%nothing
	.endm
	load	%rdi
END
wrong() {
	! gcc -c wrong.s -o native.o 2>native.err && ! cacheprof gcc -c wrong.s -o ours.o 2>ours.err && [ ! -e ours.o ] &&
		diff native.err ours.err
}
check "errors are the assembler's" wrong

# Where gas makes something else of what was written out, that is said, and the program works.
cat >other.s <<'END'
	.macro	twice
	add	%eax,%eax
	.endm
	.text
	.globl	main
	.type	main,@function
main:	mov	$5,%eax
	twice
	ret
	.code32
	twice
	.code64
	.size	main,.-main
	.section .note.GNU-stack,"",@progbits
END
other() {
	cacheprof gcc other.s -o other 2>err && [ "$(grep -c . err)" = 1 ] &&
		grep -q '^cacheprof: other.s:8: warning: macros cannot be written out here' err && { ./other; [ $? = 10 ]; }
}
check "what cannot be written out is told" other

# ... and nothing is planted where numbers in it lead from it to no label; to its end they may.
cat >leading.s <<'END'
	.macro	lead distance
	testl	%ecx, %ecx
	.byte	0x75, 1
	ret
	.byte	0x75, \distance
	.endm
	.text
	.globl	main
	.type	main,@function
main:	movl	$1, %eax
	movl	$3, %ecx
	lead	FIRST
	ret
	addl	two(%rip), %eax
	addl	two(%rip), %eax
	decl	%ecx
	lead	LAST
	ret
	.code32
	lead	0
	.code64
	.size	main,.-main
	.data
two:	.long	2
	.section .note.GNU-stack,"",@progbits
END
# leading FIRST LAST TIMES STATUS: so many times the length of code is said to be used.
leading() {
	local how
	sed "s/FIRST/$1/; s/LAST/$2/" leading.s >led.s
	for how in --level1 --level2 --self-check; do
		cacheprof $how gcc led.s -o led 2>err && [ "$(grep -c 'the length of code is used' err)" = "$3" ] || return 1
		./led
		[ $? = "$4" ] || return 1
	done
}
check "numbers lead out of a macro" leading 1 "-(12 + 2 + 7)" 1 13
check "... and to its end" leading 0 0 0 1

# A macro is one statement, in whose midst control may come and go.
cat >inline.c <<'END'
#include <stdio.h>
__asm__(".macro choose from, to\n\ttest $1, \\from\n\tje 771f\n\txor %esi, %esi\n\tret\n771:\tmov %rsi, \\to\n\t.endm\n"
	"\t.text\n\t.type f, @function\nf:\tmov %rdi, %rax\n\tchoose %rdi, %rdx\n\tadd %rdx, %rax\n\tret\n\t.size f, .-f\n");
long f(long a, long b);
static long inner(long a, long b)
{
	long r;

	__asm__("mov %2, %0\n\ttest $1, %1\n\t.macro m%= x\n\tje 772f\n\txor %%ecx, %%ecx\n772:\tadd %%rcx, \\x\n\t.endm\n\tm%= %0"
		: "=&r"(r) : "r"(a), "c"(b) : "cc");
	return r;
}
int main(void)
{
	static long sums[108] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
	long sum = 0;

	for (long i = 0; i < 100; i++)
		sum += f(i, i * 7) + inner(i, i * 3);
	for (int i = 0; i < 100; i++) {
		const long *at = sums + i;
		long two;

		__asm__(".include \"inline.inc\"" : "+D"(at), "=c"(two) : "m"(sums) : "cc");
		sums[i] = sum += two;
	}
	printf("%ld\n", sum);
	return 0;
}
END
inline() {
	gcc inline.c "$@" -o native && ./native >native.out && checked inline.c "$@" && ./checked | diff native.out -
}
cat >inline.inc <<'END'
	mov	(%rdi), %rcx
	add	$64, %rdi
	add	(%rdi), %rcx
END
for flags in -O0 -O2 "-O2 -fPIC" "-O2 -g"; do
	# shellcheck disable=SC2086 # several flags
	check "inline assembly: $flags" inline $flags
done

finish
