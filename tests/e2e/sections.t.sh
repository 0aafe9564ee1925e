# Sections of code of any name, several of one name, and in groups: what is planted lives and dies with the section
# that it is for.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1

# code_of NAME RESULT: in the section that is open.
code_of() {
	cat <<-END
		.globl $1
		.type $1, @function
	$1:	mov \$$2, %eax
		ret
		.size $1, .-$1
	END
}

# Two objects have a group of the same name, which is not COMDAT; what is linked to another section stands before it.
for name in first second; do
	flags='"axG", @progbits'
	if [ $name = second ]; then flags='"axoG", @progbits, .text'; fi
	cat >$name.s <<END
	.section .text.$name, $flags, group
	.globl $name
	.type $name, @function
$name:	mov \$3, %eax
	ret
	.size $name, .-$name
	.section .note.GNU-stack, "", @progbits
END
done
echo 'int first(void), second(void); int main(void) { return first() + second() - 6; }' >both.c
groups() {
	silently cacheprof gcc -c first.s second.s && ! readelf -gW first.o | grep COMDAT &&
		cacheprof gcc both.c first.o second.o -o both && ./both
}
check "groups that are not COMDAT" groups

# In a group and by a number, too, as of clang's -fno-unique-section-names: two objects have a function of one group.
for name in here there; do
	{
		cat <<-END
			.text
			.globl $name
		$name:	jmp shared
		END
		echo '	.section .text, "axG", @progbits, shared, comdat, unique, 1'
		echo '	.weak shared'
		code_of shared 7 | grep -v globl
		echo '	.section .note.GNU-stack, "", @progbits'
	} >$name.s
done
echo 'int here(void), there(void); int main(void) { return here() + there() - 14; }' >places.c
numbered() {
	silently cacheprof gcc -c here.s there.s && ! readelf -gW here.o | grep -v COMDAT | grep '^group' || return
	rm -f cacheprof.out
	cacheprof gcc "$@" places.c here.o there.o -o places && ./places
}
check "groups of sections that have numbers" numbered
for ld in gold lld; do
	command -v ld.$ld >/dev/null && check "the same, $ld" numbered -no-pie -fuse-ld=$ld
done

# Names with what gas takes in quotes only, or not where another section is linked to one; and two sections of one name,
# as of clang's -fno-unique-section-names.
cat >main.c <<'END'
static inline int four(void) { return 4; }
int odd(void), percent(void), one(void), two(void);
int main(void) { return odd() * percent() + ONE() * two() - 26; }
END
{
	echo '	.section "odd name,x", "ax", @progbits'
	code_of odd 2
	echo '	.section .text.%percent, "ax", @progbits'
	code_of percent 3
	echo '	.section .text.same, "ax", @progbits, unique, 1'
	code_of one 4
	echo '	.section .text.same, "ax", @progbits, unique, 2'
	code_of two 5
	echo '	.section .note.GNU-stack, "", @progbits'
} >named.s

# named OPTION ONE INSTRUCTIONS: the linker leaves out what is not called.
named() {
	gcc -O1 -DONE="$2" -c main.c && silently cacheprof "$1" gcc -c named.s &&
		cacheprof "$1" gcc -Wl,--gc-sections main.o named.o -o named || return
	rm -f cacheprof.out
	./named || { echo "status $?"; false; } || return
	[ "$(totals_of cacheprof.out Ir)" = "$3" ] || { totals_of cacheprof.out Ir; false; }
}
for option in --level2 --level1 --branch-sim=yes --self-check --plain-copies=yes; do
	check "names $option" named $option one 8
	check "one of two sections $option" named $option four 6
done

# Subsections, the last of which stands first in the text: addresses of code are the native ones.
{
	echo '	.text 1'
	code_of late 1
	echo '	.text'
	code_of main 0 | sed 's/	mov/	call late\n	call behind\n	call later\n&/'
	echo '	.pushsection .text, 7'
	code_of later 2
	echo '	.popsection'
	echo '	.section .note.GNU-stack, "", @progbits'
} >parts.s
code_of behind 3 >behind.s
subsections() {
	gcc -no-pie parts.s behind.s -o native && cacheprof --trace gcc -no-pie parts.s behind.s -o parts &&
		CACHEPROF_OPTIONS=quiet=1:fixed-addresses=1:trace=parts.trace ./parts || return
	objdump -d --no-show-raw-insn native | sed -n 's/^ *\([0-9a-f]*\):.*/00\1/p' | sort >native.addresses
	sed -n 's/^I *\([0-9a-f]*\),.*/\1/p' parts.trace | sort -u >ours.addresses
	[ "$(wc -l <ours.addresses)" = 11 ] && [ -z "$(comm -23 ours.addresses native.addresses)" ]
}
check "addresses of subsections" subsections

# Types of sections that clang names for its own assembler only: in C++20 always, else for #pragma comment.
echo 'int main() { return 0; }' >modern.cc
echo 'int datum = 1;' >data.cc
cat >wants.cc <<'END'
#pragma comment(lib, "m")
extern "C" double cos(double);
int main(int n, char **) { return cos(n - 1) != 1; }
END
types() {
	local source

	for source in modern data wants; do
		silently cacheprof clang++ -std=c++20 -c "$source.cc" -Wa,--fatal-warnings || return
		# Newer ones have it only where there is a use for it.
		clang++ -std=c++20 -S -o - "$source.cc" | grep -q 'llvm_linker_options' || continue
		readelf -SW "$source.o" | grep -qE '\.linker-options  *(LOOS\+0xfff4c01|LLVM_LINKER_OPTIONS)' || return
	done
	readelf -SW wants.o | grep -E '\.deplibs  *(LOOS\+0xfff4c04|LLVM_DEPENDENT_LIBRARIES) .* MS '
}
# And where it is asked for them: these have the type that its own assembler gives them.
cat >asked.c <<'END'
int chosen(int which, int x)
{
	switch (which) {
	case 0: return x + 3;
	case 1: return x * 5;
	case 2: return x / 7;
	case 3: return x ^ 9;
	case 4: return x % 11;
	default: return 0;
	}
}
END
types_of() { readelf -SW "$1" | grep -oE '\.llvm(_bb_addr_map|_jump_table_sizes|\.callgraph) +[^ ]+'; }
asked() {
	local flags

	for flags in -fbasic-block-sections=labels -fbasic-block-address-map -fexperimental-call-graph-section \
		"-mllvm -emit-jump-table-sizes-section"; do
		# shellcheck disable=SC2086
		silently clang -O2 $flags -c asked.c -o native.o || continue
		types_of native.o >native.types || return
		# shellcheck disable=SC2086
		silently cacheprof clang -O2 $flags -Wa,--fatal-warnings -c asked.c && types_of asked.o | diff native.types - ||
			return
	done
}
# clang writes the prefixes of such a call on lines of their own, which gas warns of; one of the user's own it does.
lookups() {
	printf '%s\n' 'extern __thread int x;' 'int *f(void) { return &x; }' >lookups.c
	for words in '' --level0 --level1 --asm; do
		# shellcheck disable=SC2086
		silently cacheprof $words clang -O2 -fPIC -c lookups.c -Wa,--fatal-warnings || return
	done
	cacheprof clang -O2 -fPIC -c lookups.c || return
	objdump -d lookups.o | tr -s ' \t' ' ' >lookups.dis
	grep -q ' 66 48 8d 3d ' lookups.dis && grep -q ' 66 66 48 e8 ' lookups.dis || return
	printf '\tdata16\n\tnop\n' >lone.s
	cacheprof clang -c lone.s 2>&1 | grep -q '^lone.s:1: Warning: '
}
if command -v clang++ >/dev/null; then
	check "types of sections that gas does not know" types
	check "... that are asked for" asked
	check "prefixes on lines of their own" lookups
else
	skip "types of sections that gas does not know" "there is no clang++"
	skip "... that are asked for" "there is no clang++"
	skip "prefixes on lines of their own" "there is no clang++"
fi
# By gas's other names of .section: data between instructions, a group, and a table of jumps behind debug information.
cat >spelled.s <<'END'
	.data
value:	.long 3
	.sect .text.one, "ax", @progbits
	.globl one
	.type one, @function
one:	mov (%rdi), %eax
	call 1f
	.quad main
	.byte 0x48, 0x83, 0xc4, 0x08, 0xeb, 0x04
1:	pop %rdx
	ret
	.size one, .-one
	.section .debug_str, "MS", @progbits, 1
	.string "debug"
	.sect.s .rodata
table:	.quad .Lfirst, .Lsecond
	.data
	.section.s .text.main, "axG", @progbits, main, comdat
	.globl main
	.type main, @function
main:	lea value(%rip), %rdi
	call one
	xor %ecx, %ecx
	mov $2, %esi
again:	jmp *table(,%rcx,8)
.Lfirst:
	inc %ecx
	mov value(%rip), %edx
.Lsecond:
	dec %esi
	jne again
	sub %edx, %eax
	ret
	.size main, .-main
	.section .note.GNU-stack, "", @progbits
END
sed 's/\.sect\(ion\)\?\(\.s\)\?\t* /.section /' spelled.s >plainly.s
spelled() {
	local file

	for file in plainly spelled; do
		silently cacheprof "$@" gcc -no-pie $file.s -o $file && cacheprof "$@" gcc -c $file.s || return
		rm -f cacheprof.out
		./$file || return
		totals_of cacheprof.out Ir Dr Dw >$file.totals
		readelf -gW $file.o | grep -o '[.c][a-z_.]*$' | sort >$file.group
	done
	grep cacheprof plainly.group && diff plainly.group spelled.group && diff plainly.totals spelled.totals
}
for option in --level2 --level1 --branch-sim=yes --self-check --plain-copies=yes; do
	check "sections by other names of the directive, $option" spelled $option
done
# Three pieces of one function, in sections of their own and all of one set of I1: time goes on from each to the next,
# or nobody knows which of two lines was used last.
cat >apart.s <<'END'
	.text
	.ident	"a compiler"
	.globl	main
	.type	main, @function
main:
	.cfi_startproc
	movl	$3000, %ecx
	xorl	%edx, %edx
	jmp	.La
	.p2align 12
.La:	incl	%eax
	jmp	.Lb
	.p2align 7
.Ld:	decl	%ecx
	jne	.La
	xorl	%eax, %eax
	ret
	.cfi_endproc
	.size	main, .-main
	.section .text.unlikely,"ax",@progbits
	.p2align 12
.Lb:	xorl	$1, %edx
	je	.Ld
	jmp	.Lc
	.section .text.other,"ax",@progbits
	.p2align 12
.Lc:	incl	%eax
	jmp	.Lb
	.section .note.GNU-stack,"",@progbits
END
apart() {
	local cache
	cacheprof --self-check gcc apart.s -o apart || return 1
	for cache in 8192,2,64 4096,1,64 16384,4,64; do
		CACHEPROF_OPTIONS=quiet=1:I1=$cache ./apart 2>err && [ ! -s err ] || { cat err; return 1; }
	done
}
check "pieces of a function in three sections" apart

# Each section numbers the lines that it counts for itself, also those that another one has too.
cat >lines.s <<'END'
	.file	1 "x.c"
	.text
	.globl	main
	.type	main, @function
main:	.loc	1 1
	jmp	.Lb
.Lback:	xor	%eax, %eax
	ret
	.section .text.b,"ax",@progbits
.Lb:	.loc	1 7
	nop
	.loc	1 8
	jmp	.Lc
	.section .text.c,"ax",@progbits
.Lc:	.loc	1 8
	nop
	jmp	.Lback
	.section .note.GNU-stack,"",@progbits
END
lines_of_both() {
	cacheprof gcc lines.s -o lines && CACHEPROF_OPTIONS=quiet=1 ./lines || return 1
	sed -n '/^fn=/p; s/^\([0-9]* [0-9]*\) .*/\1/p' cacheprof.out | paste -sd' ' >got
	cat got
	[ "$(cat got)" = "fn=??? 7 1 8 3 fn=main 1 3" ]
}
check "a line in two sections" lines_of_both
finish
