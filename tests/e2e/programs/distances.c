/* Jumps over so many bytes, as people write them. */
#include <stdio.h>

static int stored;

__attribute__((noinline)) static int forward(int x)
{
	__asm__("cmpl $3,%0\n\tjle .+5\n\taddl $10,%0\n\tmovl %0,%1" : "+r"(x), "=m"(stored) : : "cc");
	return x;
}

__attribute__((noinline)) static int backward(int x)
{
	int rounds = 0;

	__asm__("incl %1\n\tdecl %0\n\tjnz .-4\n\tnop" : "+a"(x), "+d"(rounds) : : "cc");
	return rounds;
}

__attribute__((noinline)) static int beyond_a_label(int x)
{
	__asm__("jmp 1f+1\n1:\tnop\n\tincl %0" : "+r"(x) : : "cc");
	return x;
}

__attribute__((noinline)) static int unconditional(int x)
{
	int sum = 0;

	__asm__("jmp .+7\n\tmovl $9,%0\n\taddl %1,%0" : "+a"(sum) : "r"(x) : "cc");
	return sum;
}

int main(void)
{
	printf("%d %d %d %d", forward(2), forward(7), backward(100), stored);
	printf(" %d %d\n", beyond_a_label(4), unconditional(5));
	return 0;
}
