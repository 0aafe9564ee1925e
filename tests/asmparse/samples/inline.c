/* asm statements of several instructions, comments, separators, prefixes, clobbers, goto. */
#include <stdint.h>

uint64_t add_carry(uint64_t *a, const uint64_t *b, long n)
{
	uint64_t sum;

	__asm__ volatile("clc	# no carry; yet\n"
			 "1:	movq (%[a]), %[s] ; adcq (%[b]), %[s]\n\t"
			 "movq %[s], (%[a])\n"
			 "lea 8(%[a]), %[a]; lea 8(%[b]), %[b] /* step */\n\t"
			 "dec %[n]\n\tjnz 1b"
			 : [s] "=&r"(sum), [a] "+r"(a), [b] "+r"(b), [n] "+r"(n)
			 :
			 : "memory", "cc");
	return sum;
}

int exchange(int *p, int old, int new)
{
	__asm__ volatile("lock; cmpxchgl %2, %1" : "+a"(old), "+m"(*p) : "r"(new) : "memory");
	__asm__ volatile("rep ; nop\n.byte 0xf3; .byte 0x90" ::: "memory");
	return old;
}

int branch(int x)
{
	__asm__ goto("test %0, %0\n\tjs %l[negative]" ::"r"(x) : "cc" : negative);
	return 1;
negative:
	return -1;
}

void raw(void *to, const void *from, long n)
{
	__asm__ volatile(".intel_syntax noprefix\n\trep movsb byte ptr [rdi], byte ptr [rsi]\n"
			 ".att_syntax prefix" : "+D"(to), "+S"(from), "+c"(n)::"memory");
}

__asm__(".pushsection .rodata.note, \"a\", @progbits\n"
	"note: .ascii \"a;b#c\" , \"d\\\"e\" ; .byte ';', '#'\n"
	".set note_size, . - note\n"
	"note_end = . ; .popsection");
