/* What is known of an instruction, one row each. The first table has each kind that is
 * counted in a way of its own. */
#include "include/site.h"
#include "tests/instrument/assembling.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* The only instruction of the text, its facts found. */
static const struct insn *facts_of(const char *text)
{
	struct unit *unit;
	char *lines = xasprintf("\t%s\n", text);

	unit = assembled(lines);
	facts_find(unit);
	ck_assert_uint_ge(unit->insns.n, 1);
	check_cover(unit);
	return &unit->insns.at[unit->insns.n - 1];
}

static const struct {
	const char *text;
	const char *refs;
} counted[] = {
    /* lea, nop with operand, prefetch*, clflush*, fences, cpuid, ...: none */
    {"lea 8(%rax,%rbx,2), %rcx", ""},
    {"lea foo(%rip), %rcx", ""},
    {"nopw 0(%rax,%rax,1)", ""},
    {"nopl foo(%rip)", ""},
    {"nop", ""},
    {"prefetcht0 (%rax)", ""},
    {"prefetchnta (%rax)", ""},
    {"prefetchw (%rax)", ""},
    {"clflush (%rax)", ""},
    {"clflushopt (%rax)", ""},
    {"clwb (%rax)", ""},
    {"cldemote (%rax)", ""},
    {"lfence", ""},
    {"mfence", ""},
    {"cpuid", ""},
    {"rdtsc", ""},
    {"syscall", ""},
    {"endbr64", ""},
    {"jmp foo", ""},
    {"mov %rax, %rbx", ""},

    /* loads and stores of any width */
    {"movb (%rax), %cl", "R1 (rax)"},
    {"movw (%rax), %cx", "R2 (rax)"},
    {"movl 4(%rax,%rbx,8), %ecx", "R4 4(rax,rbx,8)"},
    {"movq (,%rbx,8), %rcx", "R8 (,rbx,8)"},
    {"movzbl (%rax), %ecx", "R1 (rax)"},
    {"movslq (%rax), %rcx", "R4 (rax)"},
    {"nop; .byte 0x66, 0x63, 0x08", "R2 (rax)"},
    {"movb %ah, (%rbx)", "W1 (rbx)"},
    {"movl %ecx, -4(%rsp)", "W4 -4(rsp)"},
    {"movq $-1, (%r13)", "W8 (r13)"},
    {"movnti %eax, (%rbx)", "W4 (rbx)"},
    {"movaps (%rax), %xmm0", "R16 (rax)"},
    {"movntps %xmm0, (%rax)", "W16 (rax)"},
    {"vmovdqu (%rax), %ymm0", "R32 (rax)"},
    {"vmovdqu64 (%rax), %zmm20", "R64 (rax)"},
    {"vmovntpd %zmm0, 64(%rax)", "W64 64(rax)"},
    {"vmovups 0x1000(%rax), %zmm0", "R64 4096(rax)"},
    {"movhps (%rax), %xmm1", "R8 (rax)"},
    {"movd %xmm0, (%rax)", "W4 (rax)"},
    {"pinsrw $1, (%rax), %xmm0", "R2 (rax)"},
    {"vextracti128 $1, %ymm0, (%rax)", "W16 (rax)"},
    {"vbroadcastss (%rax), %ymm0", "R4 (rax)"},
    {"vbroadcastf128 (%rax), %ymm0", "R16 (rax)"},
    {"vpmovzxbq (%rax), %zmm0", "R8 (rax)"},
    {"movbe (%rax), %ecx", "R4 (rax)"},
    {"lddqu (%rax), %xmm0", "R16 (rax)"},
    {"kmovw (%rax), %k1", "R2 (rax)"},
    {"kmovq %k1, (%rax)", "W8 (rax)"},
    {"cmp %rax, (%rbx)", "R8 (rbx)"},
    {"testb $1, (%rbx)", "R1 (rbx)"},
    {"add (%rax), %rax", "R8 (rax)"},
    {"imul $10, (%rax), %ecx", "R4 (rax)"},
    {"mulq (%rbx)", "R8 (rbx)"},
    {"idivl (%rbx)", "R4 (rbx)"},
    {"crc32b (%rax), %ecx", "R1 (rax)"},
    {"popcnt (%rax), %rcx", "R8 (rax)"},
    {"ucomisd (%rax), %xmm0", "R8 (rax)"},
    {"cvtsi2sdl (%rax), %xmm0", "R4 (rax)"},
    {"cvtdq2pd (%rax), %xmm0", "R8 (rax)"},
    {"pshufb (%rax), %xmm0", "R16 (rax)"},
    {"ldmxcsr (%rax)", "R4 (rax)"},
    {"stmxcsr (%rax)", "W4 (rax)"},
    {"setne (%rax)", "W1 (rax)"},
    {"movdir64b (%rax), %rbx", "R64 (rax), W64 (rbx)"},

    /* read-modify-write: one Dr */
    {"incl (%rax)", "M4 (rax)"},
    {"addq $1, (%rax)", "M8 (rax)"},
    {"adcl %ecx, (%rax)", "M4 (rax)"},
    {"notw (%rax)", "M2 (rax)"},
    {"negb (%rax)", "M1 (rax)"},
    {"shll $3, (%rax)", "M4 (rax)"},
    {"shll %cl, (%rax)", "M4 (rax)"},
    {"shld $3, %rbx, (%rax)", "M8 (rax)"},
    {"xadd %ecx, (%rax)", "M4 (rax)"},
    {"lock xadd %ecx, (%rax)", "M4 (rax)"},
    {"btsl $3, (%rax)", "M4 (rax)"},
    {"btl $3, (%rax)", "R4 (rax)"},
    {"cmpxchg %ecx, (%rbx)", "M4 (rbx)"},
    {"lock cmpxchg %rcx, (%rbx)", "M8 (rbx)"},
    {"cmpxchg8b (%rsi)", "M8 (rsi)"},
    {"lock cmpxchg16b (%rsi)", "M16 (rsi)"},
    {"lock incl (%rax)", "M4 (rax)"},
    {"xchg %eax, (%rbx)", "M4 (rbx)"},
    {"cmovel (%rax), %ebx", "R4 (rax)"},

    /* the stack */
    {"push %rax", "W8 -8(rsp)"},
    {"push $5", "W8 -8(rsp)"},
    {"pushq $foo", "W8 -8(rsp)"},
    {"push %fs", "W8 -8(rsp)"},
    {"pushfq", "W8 -8(rsp)"},
    {"pushw %ax", "W2 -2(rsp)"},
    {"pop %rax", "R8 (rsp)"},
    {"popw %ax", "R2 (rsp)"},
    {"popfq", "R8 (rsp)"},
    {"pushq 8(%rsp)", "R8 8(rsp), W8 -8(rsp)"},
    {"pushq foo(%rip)", "R8 foo(rip), W8 -8(rsp)"},
    {"popq 8(%rsp)", "R8 (rsp), W8 16(rsp)"},
    {"popq (%rax)", "R8 (rsp), W8 (rax)"},
    {"popq foo(%rip)", "R8 (rsp), W8 foo(rip)"},
    {"call foo", "W8 -8(rsp)"},
    {"call *%rax", "W8 -8(rsp)"},
    {"call *8(%rsp)", "R8 8(rsp), W8 -8(rsp)"},
    {"ret", "R8 (rsp)"},
    {"rep ret", "R8 (rsp)"},
    {"ret $8", "R8 (rsp)"},
    {"leave", "R8 (rbp)"},
    {"enter $16, $0", "W8 -8(rsp)"},

    /* branches */
    {"jne foo", ""},
    {"1: loop 1b", ""},
    {"1: jrcxz 1b", ""},
    {"jmp *%rax", ""},
    {"jmp *(%rax)", "R8 (rax)"},
    {"notrack jmp *.Lx(,%rax,8)", "R8 .Lx(,rax,8)"},

    /* strings */
    {"movsb", "R1 (rsi), W1 (rdi)"},
    {"movsq", "R8 (rsi), W8 (rdi)"},
    {"movsl %fs:(%rsi), %es:(%rdi)", "R4 fs:(rsi), W4 (rdi)"},
    {"stosl", "W4 (rdi)"},
    {"lodsw", "R2 (rsi)"},
    {"lodsl (%esi), %eax", "R4 addr32:(rsi)"},
    {"scasb", "R1 (rdi)"},
    {"cmpsb", "R1 (rdi), R1 (rsi)"},
    {"rep movsq", "R8 rep (rsi), W8 rep (rdi)"},
    {"rep stosb", "W1 rep (rdi)"},
    {"rep lodsb", "R1 rep (rsi)"},
    {"repne scasb", "R1 rep (rdi)"},
    {"repe cmpsl", "R4 rep (rdi), R4 rep (rsi)"},
    {"xlat", "R1 xlat (rbx,rax,1)"},

    /* tiles: rows */
    {"tileloadd 8(%rsi,%rax,2), %tmm3", "R64 tile 8(rsi,rax,2)"},
    {"tileloaddt1 foo(,%rax,1), %tmm3", "R64 tile foo(,rax,1)"},
    {"tilestored %tmm7, (%rdi,%rbx,1)", "W64 tile (rdi,rbx,1)"},
    {"ldtilecfg (%rsp)", "R64 (rsp)"},
    {"sttilecfg (%rsp)", "W64 (rsp)"},
    {"tdpbssd %tmm1, %tmm2, %tmm3", ""},

    /* bits */
    {"bt %rax, (%rbx)", "R1 bit (rbx)"},
    {"bts %eax, 8(%rbx)", "M1 bit 8(rbx)"},
    {"lock btr %ax, (%rbx)", "M1 bit (rbx)"},
    {"btc %rax, (%rbx)", "M1 bit (rbx)"},
    {"bt %eax, %ebx", ""},
    {"bts $3, %ebx", ""},

    /* vectors */
    {"vmaskmovps (%rax), %ymm1, %ymm2", "R4 lanes (rax)"},
    {"vmaskmovpd %xmm2, %xmm1, (%rax)", "W8 lanes (rax)"},
    {"vpmaskmovd %ymm2, %ymm1, (%rax)", "W4 lanes (rax)"},
    {"vpmaskmovq (%rax), %ymm1, %ymm2", "R8 lanes (rax)"},
    {"maskmovdqu %xmm0, %xmm1", "W1 lanes (rdi)"},
    {"maskmovq %mm0, %mm1", "W1 lanes (rdi)"},
    {"vgatherdps %ymm1, (%rax,%ymm2,4), %ymm3", "R4 gather (rax,rdx,4)"},
    {"vpgatherdq 8(%rax,%ymm18,8), %zmm3{%k2}", "R8 gather 8(rax,18,8)"},
    {"vscatterqps %ymm3, (%rax,%zmm2,4){%k1}", "W4 gather (rax,rdx,4)"},
    {"vmovups (%rax), %zmm1{%k1}{z}", "R64 masked (rax)"},
    {"vmovdqu8 %ymm1, (%rax){%k1}", "W32 masked (rax)"},
    {"vaddpd (%rax), %zmm1, %zmm2{%k1}", "R64 masked (rax)"},
    {"vaddpd (%rax){1to8}, %zmm1, %zmm2", "R8 (rax)"},
    {"vaddpd 8(%rax){1to8}, %zmm1, %zmm2{%k1}", "R8 masked 8(rax)"},
    {"vpmovdb %zmm1, (%rax){%k1}", "W16 masked (rax)"},
    {"vpcompressd %zmm1, (%rax){%k1}", "W64 masked (rax)"},
    {"vmovss (%rax), %xmm2{%k3}", "R4 masked (rax)"},
    {"vmovddup (%rax), %xmm1{%k1}", "R8 (rax)"},
    {"vpermd (%rax), %zmm1, %zmm2{%k1}{z}", "R64 (rax)"},
    {"vpunpcklwd (%rax), %ymm1, %ymm2{%k1}", "R32 (rax)"},
    {"vinserti64x4 $1, (%rax), %zmm1, %zmm2{%k1}", "R32 (rax)"},
    {"vextractf32x4 $1, %zmm1, (%rax){%k1}", "W16 (rax)"},
    {"vdbpsadbw $1, (%rax), %xmm1, %xmm2{%k1}", "R16 (rax)"},
    {"vgf2p8affineqb $1, (%rax), %xmm1, %xmm2{%k1}", "R16 (rax)"},
    {"vcvtne2ps2bf16 (%rax){1to16}, %zmm1, %zmm2{%k1}", "R4 (rax)"},
    {"vfmadd231pd (%rax), %zmm0, %zmm1", "R64 (rax)"},
    {"vfmadd231ps (%rax), %ymm0, %ymm1", "R32 (rax)"},

    /* x87 and state */
    {"fldt (%rax)", "R10 (rax)"},
    {"fstpt (%rax)", "W10 (rax)"},
    {"fldl (%rax)", "R8 (rax)"},
    {"fsts (%rax)", "W4 (rax)"},
    {"fildll (%rax)", "R8 (rax)"},
    {"fistps (%rax)", "W2 (rax)"},
    {"fadds (%rax)", "R4 (rax)"},
    {"fldcw (%rax)", "R2 (rax)"},
    {"fnstcw (%rax)", "W2 (rax)"},
    {"fnstsw (%rax)", "W2 (rax)"},
    {"fnstenv (%rax)", "W28 (rax)"},
    {"fstenv (%rax)", "W28 (rax)"},
    {"fldenv (%rax)", "R28 (rax)"},
    {"fnsave (%rax)", "W108 (rax)"},
    {"frstor (%rax)", "R108 (rax)"},
    {"fxsave (%rax)", "W512 (rax)"},
    {"fxrstor (%rax)", "R512 (rax)"},
    {"xsave (%rax)", "W576 (rax)"},
    {"xsavec (%rax)", "W576 (rax)"},
    {"xrstor (%rax)", "R576 (rax)"},

    /* addresses */
    {"movl foo(%rip), %eax", "R4 foo(rip)"},
    {"movl 8+foo(%rip), %eax", "R4 foo+8(rip)"},
    {"movl foo+8-4(%rip), %eax", "R4 foo+4(rip)"},
    {"movl foo-8(%rip), %eax", "R4 foo-8(rip)"},
    {"movl $1, foo(%rip)", "W4 foo(rip)"},
    {"movl -0x10+.LC0(,%rax,4), %eax", "R4 .LC0-16(,rax,4)"},
    {"movl foo+0b101(%rax), %eax", "R4 foo+5(rax)"},
    {"movl foo*2-bar(%rax), %eax\nfoo=3\nbar=4", "R4 (foo*2-bar)(rax)"},
    {"movl 4*(1+1)(%rax), %eax", "R4 8(rax)"},
    {"movl foo, %eax", "R4 foo"},
    {"movl 0x1234, %eax", "R4 4660"},
    {"movabs foo, %al", "R1 foo"},
    {"movabs %rax, 0x1122334455667788", "W8 (rip)"},
    {"movl %fs:40, %eax", "R4 fs:40"},
    {"movq %fs:0, %rax", "R8 fs:"},
    {"movl %fs:x@tpoff+4, %eax", "R4 fs:x@tpoff+4"},
    {"movl %gs:(%rax), %eax", "R4 gs:(rax)"},
    {"movl %ds:(%rax), %eax", "R4 (rax)"},
    {"movl 8(%eax,%ebx,2), %eax", "R4 addr32:8(rax,rbx,2)"},
    {"movq foo@GOTPCREL(%rip), %rax", "R8 got foo@GOTPCREL(rip)"},
    {"addq x@gottpoff(%rip), %rax", "R8 got x@gottpoff(rip)"},
    {"addq x@GOTTPOFF(%rip), %rax", "R8 got x@GOTTPOFF(rip)"},
    {"call *foo@GOTPCREL(%rip)", "R8 got foo@GOTPCREL(rip), W8 -8(rsp)"},
    {"call *x@TLSCALL(%rax)", "R8 tlscall x@TLSCALL(rax), W8 -8(rsp)"},
    {"movq foo@GOT(%rbx), %rax", "R8 foo@GOT(rbx)"},
    {"movl x@dtpoff(%rax), %eax", "R4 x@dtpoff(rax)"},
    {"movl \"a b\"+1(%rip), %eax", "R4 \"a b\"+1(rip)"},
    {"movq $foo, -600(%rbp)", "W8 -600(rbp)"},
    {"movl $foo, 8(,%rax,4)", "W4 8(,rax,4)"},
    {"cmpl $foo+4, 4096", "R4 4096"},
    {"movl 4(%rip), %eax", "R4 (rip)"},
    {"movl .-4(%rip), %eax", "R4 (rip)"},
    {".byte 0x8b, 0x05, 0, 0, 0, 0\n.type f, @function\nf:", ""},
};

START_TEST(counting)
{
	ck_assert_str_eq(refs_text(facts_of(counted[_i].text)), counted[_i].refs);
}
END_TEST

static const struct {
	const char *text;
	const char *reads, *writes, *clobbers;
} registered[] = {
    {"mov %rax, %rbx", "rax", "rbx", ""},
    {"mov %eax, %ebx", "rax", "rbx", ""},
    {"mov %ax, %bx", "rax rbx", "", "rbx"},
    {"mov %al, %bh", "rax rbx", "", "rbx"},
    {"mov %ah, %cl", "rax rcx", "", "rcx"},
    {"mov $5, %r15d", "", "r15", ""},
    {"movzbl %dil, %eax", "rdi", "rax", ""},
    {"xor %eax, %eax", "", "rax", ""},
    {"xor %r8, %r8", "", "r8", ""},
    {"xor %ax, %ax", "rax", "", "rax"},
    {"xor %al, %al", "rax", "", "rax"},
    {"xor %eax, %ebx", "rax rbx", "rbx", ""},
    {"sub %rcx, %rcx", "", "rcx", ""},
    {"sbb %eax, %eax", "", "rax", ""},
    {"sub %rax, %rcx", "rax rcx", "rcx", ""},
    {"pxor %xmm0, %xmm0", "", "", ""},
    {"cmove %rax, %rbx", "rax rbx", "", "rbx"},
    {"cmove %eax, %ebx", "rax rbx", "", "rbx"},
    {"sete %al", "rax", "", "rax"},
    {"bsf %rax, %rbx", "rax rbx", "", "rbx"},
    {"tzcnt %rax, %rbx", "rax", "rbx", ""},
    {"rdsspq %rax", "rax", "", "rax"},
    {"rdsspd %ebx", "rbx", "", "rbx"},
    {"lea (%rax,%rbx), %ecx", "rax rbx", "rcx", ""},
    {"movq (%rax,%rbx), %rcx", "rax rbx", "rcx", ""},
    {"movq %rcx, (%rax,%rbx)", "rax rcx rbx", "", ""},
    {"incq (%rax)", "rax", "", ""},
    {"xchg %rax, %rbx", "rax rbx", "rax rbx", ""},
    {"xchg %ax, %ax", "", "", ""},
    {"nopw 0(%rax,%rax,1)", "", "", ""},
    {"prefetcht0 (%rax)", "rax", "", ""},
    {"mul %rbx", "rax rbx", "rax rdx", ""},
    {"div %rbx", "rax rdx rbx", "rax rdx", ""},
    {"div %cl", "rax rcx", "", "rax"},
    {"cqto", "rax", "rdx", ""},
    {"cwtl", "rax", "rax", ""},
    {"cpuid", "rax rcx", "rax rcx rdx rbx", ""},
    {"rdtsc", "", "rax rdx", ""},
    {"syscall", "rax rdx rsi rdi r8 r9 r10", "rax rcx r11", ""},
    {"int $0x80", "all", "", "rax"},
    /* what a signal's handler or a hypervisor may look at */
    {"int3", "rax rcx rdx rbx rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15", "", ""},
    {"ret\nint3", "", "", ""},
    {"jmp *%rax\nint3", "", "", ""},
    {"ret\n1: int3", "rax rcx rdx rbx rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15", "", ""},
    {"in %dx, %eax", "rax rcx rdx rbx rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15", "", "rax"},
    {"out %eax, %dx", "rax rcx rdx rbx rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15", "", ""},
    {"vmmcall", "all", "", ""},
    {"vmcall", "all", "", ""},
    {"enclu", "all", "", ""},
    {"cmpxchg %ecx, (%rbx)", "rax rcx rbx", "", "rax"},
    {"cmpxchg16b (%rsi)", "rax rcx rdx rbx rsi", "", "rax rdx"},
    {"xadd %rcx, (%rbx)", "rcx rbx", "rcx", ""},
    {"push %rax", "rax rsp", "", ""},
    {"push %rsp", "rsp", "", ""},
    {"pop %rax", "rsp", "rax", ""},
    {"pop %rsp", "rsp", "rsp", ""},
    {"call foo", "rsp", "", ""},
    {"call *%rax", "rax rsp", "", ""},
    {"ret", "rsp", "", ""},
    {"leave", "rbp", "rsp rbp", ""},
    {"enter $8, $0", "rsp rbp", "rsp rbp", ""},
    {"jmp *(%rax,%rbx,8)", "rax rbx", "", ""},
    {"1: jrcxz 1b", "rcx", "", ""},
    {"1: loop 1b", "rcx", "rcx", ""},
    {"movsb", "rsi rdi", "rsi rdi", ""},
    {"cmpsb", "rsi rdi", "rsi rdi", ""},
    {"scasb", "rax rdi", "rdi", ""},
    {"stosq", "rax rdi", "rdi", ""},
    {"lodsq", "rsi", "rax rsi", ""},
    {"lodsb", "rax rsi", "rsi", "rax"},
    {"rep movsb", "rcx rsi rdi", "", "rcx rsi rdi"},
    {"rep stosl", "rax rcx rdi", "", "rcx rdi"},
    {"repne scasb", "rax rcx rdi", "", "rcx rdi"},
    {"xlat", "rax rbx", "", "rax"},
    {"shl %cl, %rax", "rax rcx", "rax", ""},
    {"shlx %rcx, %rax, %rbx", "rax rcx", "rbx", ""},
    {"mulx %rax, %rbx, %rcx", "rax rdx", "rcx rbx", ""},
    {"bt %rax, (%rbx)", "rax rbx", "", ""},
    {"vgatherdps %ymm1, (%rax,%ymm2,4), %ymm3", "rax", "", ""},
    {"maskmovdqu %xmm0, %xmm1", "rdi", "", ""},
    {"movmskpd %xmm0, %eax", "", "rax", ""},
    {"pextrb $1, %xmm0, %eax", "", "rax", ""},
    {"fnstsw %ax", "rax", "", "rax"},
    {"lahf", "rax", "", "rax"},
    {"xgetbv", "rcx", "rax rdx", ""},
    {"movl %fs:(%rax), %ecx", "rax", "rcx", ""},
    {"ud2", "", "", ""},
};

START_TEST(registers)
{
	const struct insn *insn = facts_of(registered[_i].text);

	ck_assert_str_eq(regset_text(insn->reads), registered[_i].reads);
	ck_assert_str_eq(regset_text(insn->writes), registered[_i].writes);
	ck_assert_str_eq(regset_text(insn->clobbers), registered[_i].clobbers);
}
END_TEST

static const struct {
	const char *text;
	const char *read, *written;
} flagged[] = {
    {"add %eax, %ebx", "", "cpazso"},
    {"adc %eax, %ebx", "c", "cpazso"},
    {"inc %eax", "", "pazso"},
    {"cmp %eax, %ebx", "", "cpazso"},
    {"test %eax, %ebx", "", "cpazso"},
    {"xor %eax, %eax", "", "cpazso"},
    {"imul %eax, %ebx", "", "cpazso"},
    {"div %ebx", "", "cpazso"},
    {"mov %eax, %ebx", "", ""},
    {"lea 1(%rax), %rbx", "", ""},
    {"not %eax", "", ""},
    {"shl $3, %eax", "", "cpazso"},
    {"shl %eax", "", "cpazso"},
    {"shl $0, %eax", "", ""},
    {"shl $32, %eax", "", ""},
    {"shl $32, %rax", "", "cpazso"},
    {"shl %cl, %eax", "", ""},
    {"shld $0, %eax, %ebx", "", ""},
    {"shld $4, %eax, %ebx", "", "cpazso"},
    {"shld %cl, %eax, %ebx", "", ""},
    {"rol $3, %eax", "", "co"},
    {"rol $0, %eax", "", ""},
    {"ror %cl, %eax", "", ""},
    {"rcl $1, %eax", "c", "co"},
    {"shlx %rcx, %rax, %rbx", "", ""},
    {"sarx %rcx, %rax, %rbx", "", ""},
    {"bt %eax, %ebx", "", "cpaso"},
    {"jne foo", "z", ""},
    {"ja foo", "cz", ""},
    {"jle foo", "zso", ""},
    {"jp foo", "p", ""},
    {"sete %al", "z", ""},
    {"cmovl %eax, %ebx", "so", ""},
    {"sbb %eax, %eax", "c", "cpazso"},
    {"pushfq", "cpazsod", ""},
    {"popfq", "", "cpazsod"},
    {"lahf", "cpazs", ""},
    {"sahf", "", "cpazs"},
    {"clc", "", "c"},
    {"cmc", "c", "c"},
    {"std", "", "d"},
    {"movsb", "d", ""},
    {"cmpsb", "d", "cpazso"},
    {"repe cmpsb", "zd", ""},
    {"repne scasb", "zd", ""},
    {"ucomisd %xmm0, %xmm1", "", "cpazso"},
    {"ptest %xmm0, %xmm1", "", "cpazso"},
    {"kortestw %k1, %k1", "", "cpazso"},
    {"adcx %rax, %rbx", "c", "c"},
    {"adox %rax, %rbx", "o", "o"},
    {"mulx %rax, %rbx, %rcx", "", ""},
    {"rdrand %rax", "", "cpazso"},
    {"cmpxchg %ecx, (%rbx)", "", "cpazso"},
    {"cmpxchg16b (%rbx)", "", "z"},
    {"call foo", "", ""},
    {"syscall", "", ""},
    {"fcomi %st(1)", "", "cpzaso"},
};

/* "cpzaso" and "cpazso" are the same set. */
static flagset flags_named(const char *letters)
{
	flagset set = 0;

	for (; *letters; letters++)
		set |= 1 << (strchr("cpazsod", *letters) - "cpazsod");
	return set;
}

START_TEST(flags)
{
	const struct insn *insn = facts_of(flagged[_i].text);

	ck_assert_str_eq(flags_text(insn->flags_read), flags_text(flags_named(flagged[_i].read)));
	ck_assert_str_eq(flags_text(insn->flags_written),
			 flags_text(flags_named(flagged[_i].written)));
}
END_TEST

static const struct {
	const char *text;
	enum branch_kind branch;
	uint32_t target;
	const char *symbol;
} branching[] = {
    {"nop", BRANCH_NONE, UINT32_MAX, NULL},
    {".L1: nop; jmp .L1", BRANCH_JUMP, 0, ".L1"},
    {"nop; 1: jne 1b", BRANCH_COND, 1, "1b"},
    {".L1: .skip 200, 0x90; jne .L1", BRANCH_COND, 0, ".L1"},
    {"jmp foo", BRANCH_JUMP, UINT32_MAX, "foo"},
    {"jmp foo@PLT", BRANCH_JUMP, UINT32_MAX, "foo"},
    {"je foo@PLT", BRANCH_COND, UINT32_MAX, "foo"},
    {"nop; .globl f; f: call f", BRANCH_CALL, 1, "f"},
    {"nop; .globl f; f: call f@PLT", BRANCH_CALL, 1, "f"},
    {"f: nop; jmp f+1", BRANCH_JUMP, 1, "f+1"},
    {"nop; .globl f; f: nop; jmp f+1", BRANCH_JUMP, 2, "f+1"},
    {"nop; .globl f; f: nop; jne 1+f@PLT", BRANCH_COND, 2, "1+f"},
    {"nop; .globl f; f: nop; call \"f\" + 1", BRANCH_CALL, 2, "\"f\" + 1"},
    {"nop; nop; .globl f; f: nop; call f-1", BRANCH_CALL, 1, "f-1"},
    {"nop; .globl f; f: nop; call f-2", BRANCH_CALL, UINT32_MAX, "f-2"},
    {"nop; .weak f; f: nop; call f+1", BRANCH_CALL, UINT32_MAX, "f+1"},
    {"nop; .globl f; f: nop; call f+100", BRANCH_CALL, UINT32_MAX, "f+100"},
    {"jmp foo+1", BRANCH_JUMP, UINT32_MAX, "foo+1"},
    {"jmp .+2", BRANCH_JUMP, 2, ".+2"},
    {"call foo", BRANCH_CALL, UINT32_MAX, "foo"},
    {"notrack jmp *%rax", BRANCH_JUMP_INDIRECT, UINT32_MAX, NULL},
    {"jmp *foo(%rip)", BRANCH_JUMP_INDIRECT, UINT32_MAX, NULL},
    {"call *%rax", BRANCH_CALL_INDIRECT, UINT32_MAX, NULL},
    {"ret", BRANCH_RET, UINT32_MAX, NULL},
    {"repz ret", BRANCH_RET, UINT32_MAX, NULL},
    {"lretl", BRANCH_BARRIER, UINT32_MAX, NULL},
    {"iretq", BRANCH_BARRIER, UINT32_MAX, NULL},
    {"1: jrcxz 1b", BRANCH_SHORT, 0, "1b"},
    {"1: jecxz 1b", BRANCH_SHORT, 0, "1b"},
    {"1: loop 1b", BRANCH_SHORT, 0, "1b"},
    {"1: loopne 1b", BRANCH_SHORT, 0, "1b"},
    {"1: xbegin 1b", BRANCH_BARRIER, UINT32_MAX, NULL},
    {"ud2", BRANCH_STOP, UINT32_MAX, NULL},
    {"hlt", BRANCH_STOP, UINT32_MAX, NULL},
    {"int3", BRANCH_NONE, UINT32_MAX, NULL},
    {"int $0x80", BRANCH_NONE, UINT32_MAX, NULL},
    {"syscall", BRANCH_NONE, UINT32_MAX, NULL},
    {"endbr64", BRANCH_NONE, UINT32_MAX, NULL},
    {"cpuid", BRANCH_NONE, UINT32_MAX, NULL},
};

START_TEST(branches)
{
	const struct insn *insn = facts_of(branching[_i].text);

	ck_assert_int_eq(insn->branch, branching[_i].branch);
	ck_assert_uint_eq(insn->target, branching[_i].target);
	ck_assert_int_eq(insn->by_distance, insn->target != UINT32_MAX && strpbrk(branching[_i].symbol, "+-"));
	if (branching[_i].symbol)
		ck_assert(asm_text_is(insn->target_symbol, branching[_i].symbol));
	else
		ck_assert_ptr_null(insn->target_symbol.p);
}
END_TEST

static const struct {
	const char *text;
	unsigned condition, target_register;
} conditions[] = {
    {"1: jo 1b", 0, 0},
    {"1: jne 1b", 5, 0},
    {"jg foo", 15, 0},
    {"1: loopne 1b", CONDITION_LOOP, 0},
    {"1: loope 1b", CONDITION_LOOP + 1, 0},
    {"1: loop 1b", CONDITION_LOOP + 2, 0},
    {"1: jrcxz 1b", CONDITION_LOOP + 3, 0},
    {"1: jecxz 1b", CONDITION_LOOP + 3 + CONDITION_ECX, 0},
    {"jmp *%rax", 0, RAX},
    {"call *%r13", 0, R13},
    {"jmp *(%rdx)", 0, REG_NONE},
    {"call *foo@GOTPCREL(%rip)", 0, REG_NONE},
};

START_TEST(outcomes)
{
	const struct insn *insn = facts_of(conditions[_i].text);

	ck_assert_uint_eq(insn->condition, conditions[_i].condition);
	ck_assert_uint_eq(insn->target_register, conditions[_i].target_register);
}
END_TEST

static const struct {
	const char *text;
	const char *move; /* "to=from+constant", or "" */
	int rsp_change;
} moved[] = {
    {"mov %rax, %rbx", "rbx=rax+0", 0},
    {"mov %eax, %ebx", "", 0},
    {"mov (%rax), %rbx", "", 0},
    {"mov $5, %rbx", "", 0},
    {"mov %rsp, %rbp", "rbp=rsp+0", 0},
    {"mov %rax, %fs", "", 0},
    {"lea 8(%rax), %rbx", "rbx=rax+8", 0},
    {"lea -128(%rsp), %rsp", "rsp=rsp-128", 0},
    {"lea (%rax), %ebx", "", 0},
    {"lea (%eax), %rbx", "", 0},
    {"lea 8(%rax,%rcx), %rbx", "", 0},
    {"lea foo(%rax), %rbx", "", 0},
    {"lea foo(%rip), %rbx", "", 0},
    {".L1: nop; .L2: lea .L2-.L1(%rax), %rbx", "", 0},
    {"add $8, %rsp", "rsp=rsp+8", 0},
    {"add $-128, %rax", "rax=rax-128", 0},
    {"sub $-128, %rsp", "rsp=rsp+128", 0},
    {"sub $0x7fffffff, %rsp", "rsp=rsp-2147483647", 0},
    {"sub $-0x80000000, %rsp", "", 0},
    {"add $8, %eax", "", 0},
    {"add $foo, %rax", "", 0},
    {"add %rcx, %rax", "", 0},
    {"addq $8, (%rax)", "", 0},
    {"inc %r9", "r9=r9+1", 0},
    {"dec %r9", "r9=r9-1", 0},
    {"inc %r9d", "", 0},
    {"push %rax", "", -8},
    {"pushq (%rax)", "", -8},
    {"pushw %ax", "", -2},
    {"pushfq", "", -8},
    {"pop %rax", "", 8},
    {"popw %ax", "", 2},
    {"popq (%rax)", "", 8},
    {"pop %rsp", "", 0},
    {"popfq", "", 8},
    {"call foo", "", 0},
    {"ret", "", 0},
    {"leave", "rsp=rbp+8", 0},
    {"enter $8, $0", "", 0},
};

START_TEST(moves)
{
	const struct insn *insn = facts_of(moved[_i].text);
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (insn->move == MOVE_ADD) {
		print_register(out, insn->move_to);
		fputc('=', out);
		print_register(out, insn->move_from);
		fprintf(out, "%+d", insn->move_constant);
	}
	fclose(out);
	ck_assert_str_eq(text, moved[_i].move);
	ck_assert_int_eq(insn->rsp_change, moved[_i].rsp_change);
}
END_TEST

static const struct {
	const char *text;
	int evex, mask, k, vector, lanes, index_size;
} vectors[] = {
    {"vmovups (%rax), %ymm1", 0, 0, 0, 0, 0, 0},
    {"vmovups (%rax), %zmm1", 0, 0, 0, 0, 0, 0},
    {"vmovups (%rax), %zmm17", 1, 0, 0, 0, 0, 0},
    {"vpaddd %xmm17, %xmm1, %xmm1", 1, 0, 0, 0, 0, 0},
    {"kmovw (%rax), %k1", 1, 0, 0, 0, 0, 0},
    {"kxorw %k0, %k0, %k0", 1, 0, 0, 0, 0, 0},
    {"vmovups (%rax), %zmm1{%k1}{z}", 1, 1, 1, 64, 16, 0},
    {"vmovupd (%rax), %ymm1{%k7}", 1, 7, 1, 32, 4, 0},
    {"vmovdqu8 (%rax), %zmm1{%k2}", 1, 2, 1, 64, 64, 0},
    {"vaddsd (%rax), %xmm1, %xmm2{%k3}", 1, 3, 1, 16, 1, 0},
    {"vaddpd (%rax){1to8}, %zmm1, %zmm2{%k1}", 1, 1, 1, 64, 8, 0},
    {"vpcmpd $1, (%rax), %zmm1, %k1{%k2}", 1, 2, 1, 64, 16, 0},
    {"vpcmpd $1, (%rax){1to16}, %zmm1, %k1{%k2}", 1, 2, 1, 64, 16, 0},
    {"vfpclasspd $1, (%rax){1to4}, %k1{%k2}", 1, 2, 1, 32, 4, 0},
    {"vcvtps2pd (%rax), %zmm1{%k1}", 1, 1, 1, 64, 8, 0},
    {"vcvtps2ph $0, %zmm1, (%rax){%k1}", 1, 1, 1, 64, 16, 0},
    {"vpmovdb %zmm1, (%rax){%k1}", 1, 1, 1, 64, 16, 0},
    {"vpmovqb %xmm1, (%rax){%k1}", 1, 1, 1, 16, 2, 0},
    {"vpmovzxbq (%rax), %zmm1{%k1}", 1, 1, 1, 64, 8, 0},
    {"vbroadcastss (%rax), %zmm1{%k1}", 1, 1, 1, 64, 16, 0},
    {"vbroadcasti64x4 (%rax), %zmm1{%k1}", 1, 1, 1, 64, 8, 0},
    {"vcvtpd2dqx (%rax), %xmm1{%k1}", 1, 1, 1, 16, 2, 0},
    {"vcvttpd2udq (%rax){1to2}, %xmm1{%k1}{z}", 1, 1, 1, 16, 2, 0},
    {"vcvtpd2phz (%rax), %xmm1{%k1}", 1, 1, 1, 64, 8, 0},
    {"vcvtuqq2phx (%rax), %xmm1{%k1}", 1, 1, 1, 16, 2, 0},
    {"vpexpandb (%rax), %xmm1{%k1}{z}", 1, 1, 1, 16, 16, 0},
    {"vmovss %xmm1, (%rax){%k1}", 1, 1, 1, 16, 1, 0},
    {"vmovsh %xmm1, (%rax){%k1}", 1, 1, 1, 16, 1, 0},
    {"vgatherdps %ymm1, (%rax,%ymm2,4), %ymm3", 0, 1, 0, 32, 8, 4},
    {"vgatherdps %xmm1, (%rax,%xmm2,4), %xmm3", 0, 1, 0, 16, 4, 4},
    {"vgatherqps %xmm1, (%rax,%xmm2,4), %xmm3", 0, 1, 0, 16, 2, 8},
    {"vgatherqps %xmm1, (%rax,%ymm2,4), %xmm3", 0, 1, 0, 32, 4, 8},
    {"vgatherdpd %ymm1, (%rax,%xmm2,8), %ymm3", 0, 1, 0, 32, 4, 4},
    {"vpgatherqq %ymm9, (%rax,%ymm2,8), %ymm3", 0, 9, 0, 32, 4, 8},
    {"vpgatherdq 8(%rax,%ymm18,8), %zmm3{%k2}", 1, 2, 1, 64, 8, 4},
    {"vgatherqps (%rax,%zmm2,4), %ymm3{%k2}", 1, 2, 1, 64, 8, 8},
    {"vscatterqps %ymm3, (%rax,%zmm2,4){%k1}", 1, 1, 1, 64, 8, 8},
    {"vpscatterdd %zmm3, (%rax,%zmm2,4){%k1}", 1, 1, 1, 64, 16, 4},
    {"vmaskmovps (%rax), %ymm1, %ymm2", 0, 1, 0, 32, 8, 0},
    {"vpmaskmovq %xmm2, %xmm12, (%rax)", 0, 12, 0, 16, 2, 0},
    {"maskmovdqu %xmm3, %xmm1", 0, 3, 0, 16, 16, 0},
    {"vmaskmovdqu %xmm3, %xmm1", 0, 3, 0, 16, 16, 0},
    {"maskmovq %mm3, %mm1", 0, 3, 0, 8, 8, 0},
    {"bt %r9, (%rbx)", 0, R9, 0, 8, 0, 0},
    {"bts %ecx, (%rbx)", 0, RCX, 0, 4, 0, 0},
    {"btr %dx, (%rbx)", 0, RDX, 0, 2, 0, 0},
};

START_TEST(dynamic)
{
	const struct insn *insn = facts_of(vectors[_i].text);

	ck_assert_int_eq(insn->uses_evex, vectors[_i].evex);
	ck_assert_int_eq(insn->refs[0].mask, vectors[_i].mask);
	ck_assert_int_eq(insn->refs[0].evex, vectors[_i].k);
	ck_assert_int_eq(insn->refs[0].vector, vectors[_i].vector);
	ck_assert_int_eq(insn->refs[0].lanes, vectors[_i].lanes);
	ck_assert_int_eq(insn->refs[0].index_size, vectors[_i].index_size);
}
END_TEST

/* All vector registers at once, which no operand says. */
static const struct {
	const char *text;
	int read, spare, evex;
} all_at_once[] = {
    {"fxsave (%rax)", VECTORS_SPARE, 1, 0},
    {"fxsave64 (%rax)", VECTORS_SPARE, 1, 0},
    {"fxrstor64 (%rax)", 0, 1, 0},
    {"xsave (%rax)", VECTORS_ALL, 1, 1},
    {"xsavec64 (%rax)", VECTORS_ALL, 1, 1},
    {"xsaveopt (%rax)", VECTORS_ALL, 1, 1},
    {"xrstor64 (%rax)", VECTORS_ALL, 1, 1},
    {"vzeroall", 0, 1, 0},
    {"vzeroupper", 0, 0, 0},
    {"movaps (%rax), %xmm13", 1 << SPARE_BIT, 1, 0},
};

START_TEST(without_operands)
{
	const struct insn *insn = facts_of(all_at_once[_i].text);

	ck_assert_int_eq(insn->vectors_read, all_at_once[_i].read);
	ck_assert_int_eq(insn->vectors_written, 0);
	ck_assert_int_eq(insn->uses_spare, all_at_once[_i].spare);
	ck_assert_int_eq(insn->uses_evex, all_at_once[_i].evex);
}
END_TEST

/* Which instructions nothing may be planted before: "-" plain, "g" glued. */
static const struct {
	const char *text;
	const char *pattern;
} gluing[] = {
    {"nop\nnop\n", "--"},
    {"data16 leaq x@tlsgd(%rip), %rdi\n.value 0x6666\nrex64\ncall __tls_get_addr@PLT\nnop\n",
     "-g-"},
    {".byte 0x66\nleaq x@tlsgd(%rip), %rdi\n.byte 0x66\nrex64\n"
     "call *__tls_get_addr@GOTPCREL(%rip)\nnop\n",
     "-g-"},
    {"leaq x@tlsgd(%rip), %rdi\nmovabsq $__tls_get_addr@pltoff, %rax\naddq %rbx, %rax\n"
     "call *%rax\nnop\n",
     "-ggg-"},
    {"leaq x@tlsld(%rip), %rdi\ncall __tls_get_addr@PLT\nleaq x@dtpoff(%rax), %rax\n", "-g-"},
    {"leaq x@TLSLD(%rip), %rdi\ncallq __tls_get_addr@PLT\n", "-g"},
    {"leaq x@tlsdesc(%rip), %rax\ncall *x@TLSCALL(%rax)\n", "--"},
    {"call __morestack\nret\nnop\n", "-g-"},
    {"call other\nret\n", "--"},
    {"movabsq $__morestack_large_model@GOT, %r11\nmovq (%r10,%r11), %r11\nmovl $8, %r10d\ncall *%r11\nret\nnop\n",
     "----g-"},
    {"movabsq $other@GOT, %r11\nmovq (%r10,%r11), %r11\nmovl $8, %r10d\ncall *%r11\nret\nnop\n", "------"},
    {"lock\nincl (%rax)\nnop\n", "--"},
    {"lock; incl (%rax); nop\n", "--"},
    {"fstenv (%rax)\nnop\n", "-g-"},
    {".byte 0x90, 0x90\nnop\n.type f, @function\n", "-g-"},
    {".macro two\nnop\nnop\n.endm\ntwo\ntwo\n", "-g-g"},
    {".rept 3\nnop\n.endr\nnop\n", "-gg-"},
};

START_TEST(glue)
{
	char *text = xasprintf("f:\n%s.type f, @function\n", gluing[_i].text);
	struct unit *unit = assembled(text);
	char pattern[16] = "";

	facts_find(unit);
	ck_assert_uint_lt(unit->insns.n, sizeof pattern);
	for (size_t i = 0; i < unit->insns.n; i++)
		pattern[i] = unit->insns.at[i].glued ? 'g' : '-';
	ck_assert_str_eq(pattern, gluing[_i].pattern);
}
END_TEST

/* The linker may make a TLS call into something that pushes nothing. */
START_TEST(tls_calls)
{
	struct unit *unit = assembled("leaq x@tlsld(%rip), %rdi\ncall __tls_get_addr@PLT\n");

	facts_find(unit);
	ck_assert_str_eq(refs_text(&unit->insns.at[1]), "W8 tlscall -8(rsp)");
}
END_TEST

/* A macro's operands are not those of its invocation. */
START_TEST(macros)
{
	struct unit *unit = assembled(".macro get x\nmovl 8+\\x, %eax\n.endm\nget foo(%rip)\n"
				      "get 16(%rsp)\n");

	facts_find(unit);
	ck_assert_uint_eq(unit->insns.n, 2);
	ck_assert_str_eq(refs_text(&unit->insns.at[0]), "R4 (rip)");
	ck_assert_str_eq(refs_text(&unit->insns.at[1]), "R4 24(rsp)");
	ck_assert_uint_eq(unit->insns.at[1].text_stmt, UINT32_MAX);
}
END_TEST

/* MPX's prefix, which gas has forgotten from 2.43 on. */
START_TEST(bounds)
{
	struct unit unit;

	if (try_unit(&unit, "t.s", "bnd call foo\n", NULL))
		return;
	facts_find(&unit);
	ck_assert_int_eq(unit.insns.at[0].branch, BRANCH_CALL);
	ck_assert(asm_text_is(unit.insns.at[0].target_symbol, "foo"));
}
END_TEST

/* Each was new to some version of gas, which the decoder of that time did not know yet. */
static const char *const newest[] = {"vpdpbssd (%rax), %ymm1, %ymm2", "vminmaxpd $1, (%rax), %zmm1, %zmm2",
				     "movrsb (%rax), %r16b"};

/* The first of them that gas knows and the decoder does not, between two others. */
static bool find_unknown(struct unit *unit)
{
	for (size_t i = 0; i < sizeof newest / sizeof *newest; i++) {
		if (try_unit(unit, "t.s", xasprintf("nop\n%s\nnop\n", newest[i]), NULL))
			continue;
		facts_find(unit);
		if (unit->insns.at[1].unknown)
			return true;
	}
	return false;
}

START_TEST(unknown)
{
	struct unit unit;

	ck_assert(find_unknown(&unit));
	check_cover(&unit);
	ck_assert_uint_eq(unit.insns.n, 3);
	ck_assert_int_eq(unit.insns.at[1].branch, BRANCH_BARRIER);
	ck_assert_uint_eq(unit.insns.at[1].reads, REGS_ALL);
	ck_assert(!unit.insns.at[2].unknown);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("facts");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, counting, 0, COUNT(counted));
	tcase_add_loop_test(tc, registers, 0, COUNT(registered));
	tcase_add_loop_test(tc, flags, 0, COUNT(flagged));
	tcase_add_loop_test(tc, branches, 0, COUNT(branching));
	tcase_add_loop_test(tc, outcomes, 0, COUNT(conditions));
	tcase_add_loop_test(tc, moves, 0, COUNT(moved));
	tcase_add_loop_test(tc, dynamic, 0, COUNT(vectors));
	tcase_add_loop_test(tc, without_operands, 0, COUNT(all_at_once));
	tcase_add_loop_test(tc, glue, 0, COUNT(gluing));
	tcase_add_test(tc, tls_calls);
	tcase_add_test(tc, macros);
	tcase_add_test(tc, bounds);
	tcase_add_test(tc, unknown);
	return run_case(tc, "facts");
}
