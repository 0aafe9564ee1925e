/* generate SEED [sse|avx|avx512]: a program in assembly, made at random, that does the same wherever it runs.
 *
 * What gcc makes leaves some register free nearly everywhere. Here any number of registers, vector registers and
 * flags are in use at any place, and what is done with them ends in memory: a planted sequence that changes one
 * that is in use, or an instruction that is lost, changes what is printed.
 *
 * Functions, of which there is a table, functions[], that ends with 0, are given an arena and a state (main.c). Each
 * chooses registers: one for the arena, some that it loads from the state, goes on with and stores there. It leaves
 * the others alone. So does it with vector registers. Its body is straight code, branches, loops, tables of labels
 * and calls; references are to the arena, to the stack, to what is below it and to a variable.
 *
 * Whatever an instruction leaves undefined is not read: of flags it is known which are defined. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof *(a))

#define REGISTERS 16
#define RAX 0
#define RCX 1
#define RDX 2
#define RBX 3
#define RSP 4
#define RBP 5
#define RSI 6
#define RDI 7
#define R12 12
#define CALLEE_SAVED (1u << RBX | 1u << RBP | 0xfu << R12)

#define ARENA 65536	/* bytes; 4096 more may be touched */
#define VECTORS_AT 128	/* of the state: behind 16 general registers */
#define FRAME 64	/* bytes of the stack that a function has, above rsp */
#define SAVED_STATE 64	/* where it keeps the state's address there */
#define RED_ZONE 128	/* System V ABI, 3.2.2 */
#define MOST_DEPTH 2

enum vectors { SSE, AVX, AVX512 };

/* How much is known of the flags. */
enum flags { FLAGS_NONE, FLAGS_NO_AUXILIARY, FLAGS_ALL };

static const char *const names[4][REGISTERS] = {
	{"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b",
	 "r15b"},
	{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"},
	{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d",
	 "r15d"},
	{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"},
};
static const char suffixes[] = "bwlq";
static const char *const conditions[] = {"e", "ne", "b", "ae", "be", "a", "l", "ge", "le", "g", "s", "ns", "o", "no",
					 "p", "np"};

static uint64_t random_state;
static enum vectors vectors;
static unsigned labels;

/* The function that is being made. */
static struct {
	unsigned number;
	uint32_t used, changeable; /* general registers */
	uint32_t vectors;
	int base;
	bool leaf; /* it may use the red zone */
	enum flags flags;
} f;

/* Numerical Recipes' constants for a 64-bit linear congruential generator; the upper bits are used. */
static uint32_t below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((random_state >> 33) % n);
}

static bool chance(uint32_t percent)
{
	return below(100) < percent;
}

__attribute__((format(printf, 1, 2))) static void emit(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	putchar('\t');
	vprintf(format, args);
	putchar('\n');
	va_end(args);
}

/* One of the set, which is not empty. */
static int one_of(uint32_t set)
{
	uint32_t nth = below((uint32_t)__builtin_popcount(set));

	while (nth--)
		set &= set - 1;
	return __builtin_ctz(set);
}

static uint32_t some_of(uint32_t set, unsigned percent)
{
	uint32_t chosen = 0;

	for (int i = 0; i < 32; i++)
		if (set >> i & 1 && chance(percent))
			chosen |= 1u << i;
	return chosen;
}

static int any(void)
{
	return one_of(f.used);
}

static int target(void)
{
	return one_of(f.changeable);
}

static const char *name(int r, int size)
{
	return names[size][r];
}

/* A place for so many bytes. Where the address has an index, that is masked first, which takes the flags, unless
 * they are wanted. The text is valid until the next call but one. */
static const char *place(unsigned bytes, bool keep_flags)
{
	static char texts[2][64];
	static int turn;
	char *text = texts[turn ^= 1];
	unsigned kind = below(f.leaf ? 6 : 5), at;

	if (kind < 2) {
		at = below(8) ? below(512) : below(ARENA);
		snprintf(text, sizeof texts[0], "%u(%%%s)", at, name(f.base, 3));
	} else if (kind == 2) {
		snprintf(text, sizeof texts[0], "%u(%%rsp)", below(FRAME - bytes + 1));
	} else if (kind == 3) {
		snprintf(text, sizeof texts[0], "variable+%u(%%rip)", below(256));
	} else if (kind == 4 && !keep_flags && f.changeable) {
		int index = target();

		emit("andl\t$%u, %%%s", 4095, name(index, 2));
		f.flags = FLAGS_NO_AUXILIARY;
		snprintf(text, sizeof texts[0], "%u(%%%s,%%%s,%u)", below(1024), name(f.base, 3), name(index, 3),
			 1u << below(4));
	} else if (kind == 5 && bytes <= RED_ZONE) {
		snprintf(text, sizeof texts[0], "-%u(%%rsp)", bytes + below(RED_ZONE - bytes + 1));
	} else {
		snprintf(text, sizeof texts[0], "%u(%%%s)", below(256), name(f.base, 3));
	}
	return text;
}

/* ---- straight code ---- */

static void move(void)
{
	static const char *const widening[] = {"movzbl", "movsbl", "movzwl", "movswl"};
	int size = (int)below(4), r = target(), w = (int)below(LENGTH(widening));

	switch (below(6)) {
	case 0:
		emit("mov%c\t%%%s, %%%s", suffixes[size], name(any(), size), name(r, size));
		return;
	case 1:
		emit("mov%c\t%s, %%%s", suffixes[size], place(1u << size, true), name(r, size));
		return;
	case 2:
		emit("mov%c\t%%%s, %s", suffixes[size], name(any(), size), place(1u << size, true));
		return;
	case 3:
		emit("%s\t%s, %%%s", widening[w], place(w < 2 ? 1 : 2, true), name(r, 2));
		return;
	case 4:
		emit("mov%c\t$%u, %s", suffixes[size], below(128), place(1u << size, true));
		return;
	default:
		emit("leaq\t%d(%%%s,%%%s,%u), %%%s", (int)below(256) - 128, name(any(), 3), name(any(), 3), 1u << below(4),
		     name(r, 3));
	}
}

static void arithmetic(void)
{
	static const char *const kinds[] = {"add", "sub", "cmp", "adc", "sbb", "and", "or", "xor", "test"};
	unsigned kind = below(LENGTH(kinds));
	int size = (int)below(4), r = target();
	bool with_carry = kind == 3 || kind == 4;
	const char *to, *insn = kinds[kind];

	if (with_carry && f.flags == FLAGS_NONE)
		return;
	switch (below(4)) {
	case 0:
		emit("%s%c\t%%%s, %%%s", insn, suffixes[size], name(any(), size), name(r, size));
		break;
	case 1:
		to = place(1u << size, with_carry);
		emit("%s%c\t%%%s, %s", insn, suffixes[size], name(any(), size), to);
		break;
	case 2:
		to = place(1u << size, with_carry);
		if (kind == 8)
			emit("%s%c\t%%%s, %s", insn, suffixes[size], name(r, size), to);
		else
			emit("%s%c\t%s, %%%s", insn, suffixes[size], to, name(r, size));
		break;
	default:
		to = place(1u << size, with_carry);
		emit("%s%c\t$%u, %s", insn, suffixes[size], below(128), to);
	}
	f.flags = kind < 5 ? FLAGS_ALL : FLAGS_NO_AUXILIARY;
}

static void one_operand(void)
{
	static const char *const kinds[] = {"inc", "dec", "neg", "not", "shl", "shr", "sar", "rol"};
	unsigned kind = below(LENGTH(kinds));
	int size = (int)below(4);
	const char *to = place(1u << size, kind == 3);

	if (kind < 4 && chance(50))
		emit("%s%c\t%s", kinds[kind], suffixes[size], to);
	else if (kind < 4)
		emit("%s%c\t%%%s", kinds[kind], suffixes[size], name(target(), size));
	else
		emit("%s%c\t$%u, %%%s", kinds[kind], suffixes[size], 1 + below(7), name(target(), size));
	if (kind != 3)
		f.flags = kind == 2 ? FLAGS_ALL : FLAGS_NONE;
}

static void by_condition(void)
{
	const char *condition = conditions[below(LENGTH(conditions))];
	int size = 1 + (int)below(3);

	if (f.flags == FLAGS_NONE)
		return;
	switch (below(4)) {
	case 0:
		emit("set%s\t%%%s", condition, name(target(), 0));
		return;
	case 1:
		emit("set%s\t%s", condition, place(1, true));
		return;
	case 2:
		emit("cmov%s%c\t%%%s, %%%s", condition, suffixes[size], name(any(), size), name(target(), size));
		return;
	default:
		emit("cmov%s%c\t%s, %%%s", condition, suffixes[size], place(1u << size, true), name(target(), size));
	}
}

static void exchange(void)
{
	int size = (int)below(4), r = target();

	switch (below(6)) {
	case 0:
		emit("xchg%c\t%%%s, %%%s", suffixes[size], name(r, size), name(target(), size));
		return;
	case 1:
		emit("xchg%c\t%%%s, %s", suffixes[size], name(r, size), place(1u << size, true));
		return;
	case 2:
		emit("lock xadd%c\t%%%s, %s", suffixes[size], name(r, size), place(1u << size, true));
		f.flags = FLAGS_ALL;
		return;
	case 3:
		if (!(f.changeable >> RAX & 1))
			return;
		emit("lock cmpxchg%c\t%%%s, %s", suffixes[size], name(r, size), place(1u << size, true));
		f.flags = FLAGS_ALL;
		return;
	case 4:
		emit("andl\t$0x7fff, %%%s", name(r, 2));
		emit("%s\t%%%s, %u(%%%s)", chance(50) ? "btl" : "btsl", name(r, 2), below(512), name(f.base, 3));
		f.flags = FLAGS_NONE;
		return;
	default:
		emit("bswap\t%%%s", name(r, 3));
	}
}

static void multiply(void)
{
	int size = 1 + (int)below(3);

	if (f.changeable >> RAX & f.changeable >> RDX & 1 && chance(50))
		emit("mul%c\t%%%s", suffixes[size], name(any(), size));
	else
		emit("imul%c\t%s, %%%s", suffixes[size], place(1u << size, false), name(target(), size));
	f.flags = FLAGS_NONE;
}

static void stack(void)
{
	int r = any();

	if (f.leaf && chance(80))
		return;
	emit("pushq\t%%%s", name(r, 3));
	if (chance(50))
		emit("addq\t%%%s, (%%rsp)", name(any(), 3)), f.flags = FLAGS_ALL;
	emit("popq\t%%%s", name(target(), 3));
}

/* Flags as a number. Those that are always the same are left out, and all but what is defined. */
static void flags_to_register(void)
{
	int r = target();

	if (f.flags != FLAGS_ALL || f.leaf)
		return;
	emit("pushfq");
	emit("popq\t%%%s", name(r, 3));
	emit("andl\t$0x8d5, %%%s", name(r, 2));
	f.flags = FLAGS_NO_AUXILIARY;
}

static void string(void)
{
	static const char *const moves[] = {"rep movsb", "rep movsq", "rep stosl", "movsb", "stosq", "lodsl", "repe cmpsb",
					    "repne scasw"};
	unsigned kind = below(LENGTH(moves));
	uint32_t needs = 1u << RCX | 1u << RSI | 1u << RDI | (kind == 5 ? 1u << RAX : 0);

	if ((f.changeable & needs) != needs || !(f.used >> RAX & 1))
		return;
	emit("leaq\t%u(%%%s), %%rsi", below(4096), name(f.base, 3));
	emit("leaq\t%u(%%%s), %%rdi", below(4096), name(f.base, 3));
	emit("movl\t$%u, %%ecx", 1 + below(70));
	emit("%s", moves[kind]);
	if (kind > 5)
		f.flags = FLAGS_ALL;
	/* Addresses are not what is printed. */
	emit("movl\t$%u, %%esi", below(1000));
	emit("movl\t$%u, %%edi", below(1000));
}

/* Of four doublewords, each of which a mask's sign asks for. The indices, the mask and what is loaded differ. */
static void gather(int to, int from)
{
	int mask = one_of(f.vectors & 0xffff);

	if (to == from || to == mask || from == mask)
		return;
	emit("vpsrld\t$18, %%xmm%d, %%xmm%d", from, from);
	emit("vpgatherdd\t%%xmm%d, %u(%%%s,%%xmm%d,%u), %%xmm%d", mask, below(512), name(f.base, 3), from, 1u << below(3), to);
}

static void vector(void)
{
	static const char *const binary[] = {"paddq", "pxor", "psubb", "pcmpeqb", "punpcklqdq", "pmuludq"};
	static const char kinds[] = {'x', 'y', 'z'};
	const char *insn = binary[below(LENGTH(binary))];
	int v, w, width;

	if (!f.vectors)
		return;
	v = one_of(f.vectors), w = one_of(f.vectors);
	if (vectors == SSE) {
		switch (below(6)) {
		case 0:
			emit("movdqu\t%s, %%xmm%d", place(16, true), v);
			return;
		case 1:
			emit("movups\t%%xmm%d, %s", v, place(16, true));
			return;
		case 2:
			emit("movq\t%%%s, %%xmm%d", name(any(), 3), v);
			return;
		case 3:
			emit("movq\t%%xmm%d, %%%s", v, name(target(), 3));
			return;
		case 4:
			emit("pmovmskb\t%%xmm%d, %%%s", v, name(target(), 2));
			return;
		default:
			emit("%s\t%%xmm%d, %%xmm%d", insn, w, v);
			return;
		}
	}
	width = (int)below(vectors == AVX512 ? 3 : 2);
	if (width == 2 || v > 15 || w > 15) {
		int k = 1 + (int)below(7);

		switch (below(6)) {
		case 0:
			emit("vmovdqu64\t%s, %%zmm%d", place(64, true), v);
			return;
		case 1:
			emit("vmovdqu32\t%%zmm%d, %s", v, place(64, true));
			return;
		case 2:
			emit("kmovw\t%%%s, %%k%d", name(any(), 2), k);
			emit("vmovdqu32\t%s, %%zmm%d{%%k%d}", place(64, true), v, k);
			return;
		case 3:
			if (chance(50))
				emit("vpcmpeqq\t%%zmm%d, %%zmm%d, %%k%d", v, w, k);
			emit("kmovw\t%%k%d, %%%s", k, name(target(), 2));
			return;
		case 4:
			emit("vpaddq\t%s, %%zmm%d, %%zmm%d", place(64, true), v, w);
			return;
		default:
			emit("vpternlogq\t$%u, %%zmm%d, %%zmm%d, %%zmm%d", below(256), v, w, one_of(f.vectors));
			return;
		}
	}
	switch (below(7)) {
	case 0:
		emit("vmovdqu\t%s, %%%cmm%d", place(16u << width, true), kinds[width], v);
		return;
	case 1:
		emit("vmovups\t%%%cmm%d, %s", kinds[width], v, place(16u << width, true));
		return;
	case 2:
		emit("vmovq\t%%%s, %%xmm%d", name(any(), 3), v);
		return;
	case 3:
		emit("vmovq\t%%xmm%d, %%%s", v, name(target(), 3));
		return;
	case 4:
		emit("vpmovmskb\t%%%cmm%d, %%%s", kinds[width], v, name(target(), 2));
		return;
	case 5:
		gather(v, w);
		return;
	default:
		emit("v%s\t%%%cmm%d, %%%cmm%d, %%%cmm%d", insn, kinds[width], v, kinds[width], w, kinds[width],
		     (int)one_of(f.vectors & 0xffff));
	}
}

static void straight(unsigned n)
{
	static void (*const makers[])(void) = {move, move, move, arithmetic, arithmetic, arithmetic, one_operand,
					       by_condition, by_condition, exchange, multiply, stack, flags_to_register,
					       string, vector, vector};

	while (n--)
		makers[below(LENGTH(makers))]();
}

/* ---- the ways of control ---- */

static void body(unsigned depth, unsigned n);

/* Sets all flags. */
static void compare(void)
{
	if (chance(50))
		emit("cmpq\t%%%s, %%%s", name(any(), 3), name(any(), 3));
	else
		emit("cmpl\t$%u, %s", below(128), place(4, true));
	f.flags = FLAGS_ALL;
}

static void diamond(unsigned depth)
{
	unsigned label = labels++;
	enum flags known;

	compare();
	straight(below(2));
	if (f.flags == FLAGS_NONE)
		compare();
	known = f.flags;
	emit("j%s\t.L%ue", conditions[below(LENGTH(conditions))], label);
	body(depth + 1, 1 + below(4));
	if (chance(50)) {
		emit("jmp\t.L%uo", label);
		printf(".L%ue:\n", label);
		f.flags = known;
		body(depth + 1, 1 + below(4));
		printf(".L%uo:\n", label);
	} else {
		printf(".L%ue:\n", label);
	}
	f.flags = FLAGS_NONE;
}

/* Often one of a single block, of more iterations than a byte counts, which leaves most registers alone. */
static void loop(unsigned depth)
{
	unsigned label = labels++, n = depth ? 1 + below(20) : 1 + below(below(4) ? 40 : 600);
	uint32_t used = f.used, changeable = f.changeable, vectors_used = f.vectors;
	int counter;

	if (__builtin_popcount(f.changeable) < 2)
		return;
	counter = target();
	f.changeable &= ~(1u << counter);
	if (chance(70)) {
		f.changeable = 1u << target() | some_of(f.changeable, 30);
		f.used = f.changeable | some_of(f.used, 20);
		f.vectors = chance(50) ? 0 : some_of(f.vectors, 30);
	}
	emit("movl\t$%u, %%%s", n, name(counter, 2));
	if (chance(30))
		emit(".p2align\t4");
	printf(".L%ul:\n", label);
	f.flags = FLAGS_NONE;
	if (chance(40))
		emit("%s\t%u(%%%s,%%%s,%u), %%%s", chance(50) ? "movq" : "addq", below(512), name(f.base, 3),
		     name(counter, 3), 1u << below(4), name(target(), 3));
	if (chance(40))
		emit("movb\t%%%s, %u(%%%s,%%%s,%u)", name(any(), 0), below(512), name(f.base, 3), name(counter, 3),
		     1u << below(4));
	if (chance(65))
		straight(below(8));
	else
		body(depth + 1, 1 + below(5));
	if (counter == RCX && chance(20)) {
		emit("jrcxz\t1f");
		emit("leaq\t-1(%%rcx), %%rcx");
		emit("jrcxz\t1f");
		emit("jmp\t.L%ul", label);
		puts("1:");
	} else {
		emit(chance(50) ? "decl\t%%%s" : "subl\t$1, %%%s", name(counter, 2));
		emit("jnz\t.L%ul", label);
	}
	f.used = used;
	f.changeable = changeable;
	f.vectors = vectors_used;
	/* What the last comparison said is read behind it, sometimes. All but the carry, which dec leaves, is known. */
	f.flags = FLAGS_NONE;
	if (counter != RCX && chance(20))
		emit("set%s\t%%%s", chance(50) ? "e" : "s", name(target(), 0));
}

static void table(unsigned depth)
{
	unsigned label = labels++;
	int r = target();

	emit("andl\t$3, %%%s", name(r, 2));
	emit("leaq\t.L%ut(%%rip), %%%s", label, name(r == RAX ? RAX : r, 3));
	/* The index is lost: another one, from memory. */
	emit("pushq\t%%%s", name(f.base, 3));
	emit("movzbl\t%u(%%%s), %%%s", below(512), name(f.base, 3), name(f.base, 2));
	emit("andl\t$3, %%%s", name(f.base, 2));
	emit("movslq\t(%%%s,%%%s,4), %%%s", name(r, 3), name(f.base, 3), name(f.base, 3));
	emit("addq\t%%%s, %%%s", name(f.base, 3), name(r, 3));
	emit("popq\t%%%s", name(f.base, 3));
	emit("jmp\t*%%%s", name(r, 3));
	emit(".section .rodata");
	emit(".balign 4");
	printf(".L%ut:\n", label);
	for (int i = 0; i < 4; i++)
		emit(".long\t.L%uc%d-.L%ut", label, i, label);
	emit(".text");
	for (int i = 0; i < 4; i++) {
		printf(".L%uc%d:\n", label, i);
		/* An address of code is not what is printed. */
		emit("movl\t$%u, %%%s", below(1000), name(r, 2));
		f.flags = FLAGS_NONE;
		body(depth + 1, 1 + below(3));
		if (i < 3 && chance(80))
			emit("jmp\t.L%uo", label);
	}
	printf(".L%uo:\n", label);
	f.flags = FLAGS_NONE;
}

static void load_vectors(const char *from)
{
	for (int v = 0; v < 32; v++) {
		if (!(f.vectors >> v & 1))
			continue;
		if (vectors == SSE)
			emit("movdqu\t%d(%%%s), %%xmm%d", VECTORS_AT + 64 * v, from, v);
		else
			emit("vmovdqu%s\t%d(%%%s), %%%cmm%d", vectors == AVX ? "" : "64", VECTORS_AT + 64 * v, from,
			     vectors == AVX ? 'y' : 'z', v);
	}
	for (int k = 1; vectors == AVX512 && k < 8; k++)
		emit("kmovw\t%d(%%%s), %%k%d", k * 8, from, k);
}

static void store_vectors(const char *to)
{
	for (int v = 0; v < 32; v++) {
		if (!(f.vectors >> v & 1))
			continue;
		if (vectors == SSE)
			emit("movdqu\t%%xmm%d, %d(%%%s)", v, VECTORS_AT + 64 * v, to);
		else
			emit("vmovdqu%s\t%%%cmm%d, %d(%%%s)", vectors == AVX ? "" : "64", vectors == AVX ? 'y' : 'z', v,
			     VECTORS_AT + 64 * v, to);
	}
}

/* Of an earlier function. Who calls keeps what may be lost. */
static void call(void)
{
	uint32_t kept = f.used & ~CALLEE_SAVED;

	if (f.leaf || !f.number)
		return;
	for (int r = 0; r < REGISTERS; r++)
		if (kept >> r & 1)
			emit("pushq\t%%%s", name(r, 3));
	emit("pushq\t%%%s", name(f.base, 3));
	emit("movq\t%%%s, %%rdi", name(f.base, 3));
	emit("leaq\tscratch(%%rip), %%rsi");
	emit("call\tf%u", below(f.number));
	emit("popq\t%%%s", name(f.base, 3));
	for (int r = REGISTERS; r-- > 0;)
		if (kept >> r & 1)
			emit("popq\t%%%s", name(r, 3));
	load_vectors(name(f.base, 3));
	f.flags = FLAGS_NONE;
}

static void body(unsigned depth, unsigned n)
{
	while (n--) {
		unsigned kind = below(10);

		if (kind < 5 || depth > MOST_DEPTH)
			straight(1 + below(8));
		else if (kind < 7)
			loop(depth);
		else if (kind < 8)
			diamond(depth);
		else if (kind < 9 && !f.leaf)
			table(depth);
		else if (!depth)
			call();
	}
}

/* ---- functions ---- */

static void choose(unsigned number)
{
	static const unsigned percents[] = {25, 50, 75, 100, 100};

	f.number = number;
	f.used = some_of(0xffff & ~(1u << RSP), percents[below(LENGTH(percents))]);
	f.base = one_of(0xffff & ~(1u << RSP));
	f.used |= 1u << one_of(0xffff & ~(1u << RSP | 1u << f.base));
	f.used |= 1u << one_of(0xffff & ~(1u << RSP | 1u << f.base));
	f.used &= ~(1u << f.base);
	f.changeable = f.used;
	f.vectors = some_of(vectors == AVX512 && chance(50) ? 0xffffffff : 0xffff, percents[below(LENGTH(percents))]);
	f.leaf = chance(40);
	f.flags = FLAGS_NONE;
}

/* rdi: the arena; rsi: the state. */
static void begin(void)
{
	uint32_t saved = CALLEE_SAVED & (f.used | 1u << f.base);

	printf("\t.globl\tf%u\n\t.type\tf%u,@function\nf%u:\n\t.cfi_startproc\n", f.number, f.number, f.number);
	for (int r = 0; r < REGISTERS; r++)
		if (saved >> r & 1)
			emit("pushq\t%%%s", name(r, 3));
	emit("subq\t$%d, %%rsp", FRAME + 8);
	emit("movq\t%%rsi, %d(%%rsp)", SAVED_STATE);
	for (int i = 0; i < FRAME; i += 8)
		emit("movq\t$%u, %d(%%rsp)", below(1000), i);
	if (f.leaf)
		for (int i = 8; i <= RED_ZONE; i += 8)
			emit("movq\t$%u, -%d(%%rsp)", below(1000), i);
	load_vectors("rsi");
	if (f.base != RDI)
		emit("movq\t%%rdi, %%%s", name(f.base, 3));
	for (int r = 0; r < REGISTERS; r++)
		if (f.used >> r & 1 && r != RSI)
			emit("movq\t%d(%%rsi), %%%s", 8 * r, name(r, 3));
	if (f.used >> RSI & 1)
		emit("movq\t%d(%%rsi), %%rsi", 8 * RSI);
}

static void end(void)
{
	uint32_t saved = CALLEE_SAVED & (f.used | 1u << f.base);
	int to = f.base;

	emit("movq\t%d(%%rsp), %%%s", SAVED_STATE, name(to, 3));
	for (int r = 0; r < REGISTERS; r++)
		if (f.used >> r & 1)
			emit("movq\t%%%s, %d(%%%s)", name(r, 3), 8 * r, name(to, 3));
	store_vectors(name(to, 3));
	emit("addq\t$%d, %%rsp", FRAME + 8);
	for (int r = REGISTERS; r-- > 0;)
		if (saved >> r & 1)
			emit("popq\t%%%s", name(r, 3));
	if (vectors != SSE)
		emit("vzeroupper");
	emit("ret");
	printf("\t.cfi_endproc\n\t.size\tf%u,.-f%u\n", f.number, f.number);
}

int main(int argc, char **argv)
{
	unsigned n;

	if (argc < 2) {
		fputs("usage: generate SEED [sse|avx|avx512]\n", stderr);
		return 2;
	}
	random_state = strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15u + 1;
	vectors = argc < 3 || !strcmp(argv[2], "sse") ? SSE : !strcmp(argv[2], "avx") ? AVX : AVX512;
	n = 2 + below(5);
	/* What does not look like a compiler's keeps no convention. */
	if (chance(85))
		puts("\t.file\t\"random.c\"");
	puts("\t.text");
	for (unsigned i = 0; i < n; i++) {
		choose(i);
		begin();
		body(0, 3 + below(8));
		end();
	}
	puts("\t.section .data.rel.ro,\"aw\"\n\t.globl\tfunctions\n\t.balign 8\nfunctions:");
	for (unsigned i = 0; i < n; i++)
		emit(".quad\tf%u", i);
	emit(".quad\t0");
	puts("\t.section .note.GNU-stack,\"\",@progbits");
	return 0;
}
