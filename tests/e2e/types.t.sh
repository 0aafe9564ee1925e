# What clang's sanitizers keep beside functions stays where their callers look for it, and what it belongs to is
# counted.
. "$(dirname "$0")/../tap.sh"
export CACHEPROF_OPTIONS=quiet=1

# Whether the profile says that the program executed so many instructions.
executed() {
	local instructions
	instructions=$(totals_of cacheprof.out Ir)
	[ "$instructions" = "$1" ] || { echo "$instructions instructions, not $1"; false; }
}

# -fsanitize=function up to clang 16: behind a function's label there is a jump over a signature and where the type is;
# who calls it by address looks whether the signature is there.
cat >caller.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int square(int), twice(int);
void *thread(void *);

int main(void)
{
	int (*volatile functions[])(int) = {square, twice}, sum = 0;
	unsigned signature;
	pthread_t t;

	for (int i = 0; i < 1000; i++) {
		int (*function)(int) = functions[i % 2];

		memcpy(&signature, (char *)function, 4);
		if (signature != 846595819) {
			puts("there is no signature");
			return 1;
		}
		sum += function(i);
	}
	pthread_create(&t, NULL, thread, &sum);
	pthread_join(t, NULL);
	printf("%d\n", sum);
	return 0;
}
END
cat >signed.s <<'END'
	.text
	.globl square
	.type square, @function
square:
	.long 846595819
	.long type-square
	mov %edi, %eax
	imul %edi, %eax
	ret
	.size square, .-square
	.globl twice
	.type twice, @function
twice:
	.long 846595819
	.long type-twice
	lea (%rdi,%rdi), %eax
	ret
	.size twice, .-twice
	.globl thread
	.type thread, @function
thread:
	.long 846595819
	.long type-thread
	mov $1000, %ecx
1:	addl $3, (%rdi)
	dec %ecx
	jnz 1b
	xor %eax, %eax
	ret
	.size thread, .-thread
	.section .rodata
type:	.quad 0
	.section .note.GNU-stack, "", @progbits
END

signed() {
	gcc -O1 caller.c signed.s -o signed_natively -lpthread || return
	gcc -O1 -c caller.c || return
	# shellcheck disable=SC2086 # one word an option, or none
	silently cacheprof $1 gcc -c signed.s && cacheprof $1 gcc caller.o signed.o -o signed -lpthread || return
	rm -f cacheprof.out
	./signed_natively >expected && ./signed >printed && cmp expected printed && executed 6504
}

for option in "" --level1 --branch-sim=yes --self-check --plain-copies=yes; do
	check "signatures behind labels $option" signed "$option"
done

# Elsewhere, by hand, what jumps over data is counted as any instruction, where something leads to it, too.
cat >jumps.s <<'END'
	.globl main
	.type main, @function
main:
	mov $100, %ecx
	xor %eax, %eax
1:	.byte 0xeb, 2, 0, 0
2:	test $1, %cl
	jz 3f
	jmp 4f
3:	.byte 0xeb, 5
	.long 0x11223344 - 0x11000000
	.byte 0
	incl %eax
4:	.byte 0xeb, 1, 0xcc
5:	dec %ecx
	jnz 1b
	cmp $50, %eax
	jmp 6f
6:	.byte 0xeb, 2
	.value 77
7:	setne %al
	movzbl %al, %eax
	ret
	.size main, .-main
	.section .note.GNU-stack, "", @progbits
END

# Cachegrind counts as many instructions.
jumps() {
	# shellcheck disable=SC2086 # one word an option, or none
	silently cacheprof $1 gcc jumps.s -o jumps || return
	rm -f cacheprof.out
	./jumps && executed 758 && [ "$(totals_of cacheprof.out Dr)" = 1 ]
}

for option in "" --level1 --branch-sim=yes --self-check --plain-copies=yes; do
	check "jumps over data $option" jumps "$option"
done

# -fsanitize=kcfi: a number stands in an instruction before the function, and with -fpatchable-function-entry NOPs are
# between the two.
cat >numbered.s <<'END'
	.text
	.globl __cfi_square
	.type __cfi_square, @function
__cfi_square:
	nop
	nop
	nop
	mov $329620, %eax
.Lend:	.size __cfi_square, .Lend-__cfi_square
.Ltmp0:	nop
	nop
	.globl square
	.type square, @function
square:
	nop
	mov %edi, %eax
	imul %edi, %eax
	ret
	.size square, .-square
	.section __patchable_function_entries, "aw", @progbits
	.quad .Ltmp0
	.text
	.globl main
	.type main, @function
main:
	push %rbx
	mov $100, %ebx
1:	mov %ebx, %edi
	lea square(%rip), %r11
	mov $-329620, %r10d
	add -6(%r11), %r10d
	jz 2f
	ud2
2:	call *%r11
	dec %ebx
	jnz 1b
	xor %eax, %eax
	pop %rbx
	ret
	.size main, .-main
	.section .note.GNU-stack, "", @progbits
END

numbered() {
	gcc numbered.s -o numbered_natively && ./numbered_natively || return
	# shellcheck disable=SC2086 # one word an option, or none
	silently cacheprof $1 gcc numbered.s -o numbered || return
	rm -f cacheprof.out
	./numbered && executed 1205
}

for option in "" --level1 --branch-sim=yes --self-check --plain-copies=yes; do
	check "numbers before functions $option" numbered "$option"
done

# -fsanitize=function from clang 17 on: signature and type stand before the label. Here they stand behind a call that
# does not come back, and their last byte would begin an instruction.
cat >before.s <<'END'
	.file "before.c"
	.text
	.type stop, @function
stop:
	sub $8, %rsp
	xor %edi, %edi
	call exit@PLT
	.size stop, .-stop
	.type square, @function
	.long 3238382334
	.long 2383069682
square:
	push %rbp
	mov %edi, %eax
	imul %edi, %eax
	pop %rbp
	ret
	.size square, .-square
	.globl main
	.type main, @function
main:
	push %rbx
	mov $100, %ebx
.LBB0_1:
	mov %ebx, %edi
	lea square(%rip), %rax
	cmpl $-1056584962, -8(%rax)
	jne .LBB0_2
	cmpl $-1911897614, -4(%rax)
	jne .LBB0_2
	call *%rax
	dec %ebx
	jnz .LBB0_1
	call stop
.LBB0_2:
	ud2
	.size main, .-main
	.ident "clang version 17"
	.section .note.GNU-stack, "", @progbits
END

before() {
	gcc before.s -o before_natively && ./before_natively || return
	# shellcheck disable=SC2086 # one word an option, or none
	silently cacheprof $1 gcc before.s -o before || return
	rm -f cacheprof.out
	CACHEPROF_OPTIONS=quiet=1:D1=1k,1,64 ./before && executed 1406 && [ "$(totals_of cacheprof.out Dr Dw)" = "$2" ]
}

for option in "" --level1 --branch-sim=yes --self-check --plain-copies=yes; do
	check "signatures before functions $option" before "$option" "400 203"
done

# By clang itself.
cat >program.cc <<'END'
#include <cstdio>
#include <stdexcept>
static int steps(int n)
{
	if (!n)
		throw std::runtime_error("x");
	return steps(n - 1) + 1;
}
static int twice(int x) { return 2 * x; }
int main()
{
	int (*volatile function)(int) = twice;
	int sum = 0;

	for (int i = 0; i < 100; i++)
		try {
			sum += function(i) + steps(i);
		} catch (const std::exception &e) {
			sum += e.what()[0];
		}
	std::printf("%d\n", sum);
}
END
of_clang() {
	silently cacheprof --self-check clang++ "$@" program.cc -o program &&
		./natively >expected && ./program >printed && cmp expected printed
}
for flags in "-O2 -fsanitize=function" "-O0 -fsanitize=undefined" "-O1 -g -fPIC -fsanitize=undefined" \
	"-O1 -fsanitize=address,undefined"; do
	# shellcheck disable=SC2086 # one word a flag
	if clang++ $flags program.cc -o natively 2>log; then
		# shellcheck disable=SC2086
		check "clang++ $flags" of_clang $flags
	else
		skip "clang++ $flags" "there is no clang, or no runtime for it"
	fi
done
finish
