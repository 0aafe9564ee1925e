/* Which registers are live: each row is a text, and for each of its instructions that reads memory into %rax, one after
 * the other, those that hold something there: of the vector registers that planted code and stubs use, or of some that
 * calls may change. */
#include "tests/instrument/assembling.h"

#include "instrument/liveness.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define COMPILED ".ident \"GCC\"\n.text\n"
#define CLANG ".ident \"Debian clang version 14.0.6\"\n.text\n"
#define END(name) ".Lfunc_end0:\n.size " name ", .Lfunc_end0-" name "\n"
#define F ".globl f\n.type f, @function\nf:\n"
#define G ".type g, @function\ng:\n"
#define K ".type k, @function\nk:\n"
#define MAIN ".type main, @function\nmain:\n"
#define HERE "mov (%rdi),%rax\n"
#define BY_HAND ".text\n"
#define WRITES "mov $1,%ecx\nmov $2,%esi\nmov $3,%r11d\n"

struct row {
	const char *text;
	const char *live;
};

static const struct row vector_rows[] = {
    {COMPILED F HERE "vpaddd %zmm1,%zmm2,%zmm28\n" HERE "vpaddd %zmm28,%zmm2,%zmm3\n" HERE "ret\n", "- zmm28 -"},
    {COMPILED F "vpaddd %ymm1,%ymm2,%ymm31\n" HERE "vmovdqu64 %ymm31,(%rsi)\n" HERE "ret\n", "zmm31 -"},
    {COMPILED F "vmovss (%rsi),%xmm29\n" HERE "vmovss %xmm29,(%rsi)\n" HERE "ret\n", "zmm29 -"},
    /* those that stubs do not use */
    {COMPILED F "vpaddd %zmm1,%zmm2,%zmm20\nkmovd %eax,%k3\n" HERE "vpaddd %zmm20,%zmm2,%zmm3{%k3}\nret\n", "-"},
    /* masks: what merges keeps what was there */
    {COMPILED F "kmovd %eax,%k6\n" HERE "vpaddd %zmm1,%zmm2,%zmm28{%k6}\n" HERE "vmovdqu64 %zmm28,(%rsi)\nret\n",
     "zmm28,k6 zmm28"},
    {COMPILED F "kmovd %eax,%k6\n" HERE "vpaddd %zmm1,%zmm2,%zmm28{%k6}{z}\n" HERE "vmovdqu64 %zmm28,(%rsi)\nret\n",
     "k6 zmm28"},
    {COMPILED F HERE "vpcmpeqd %zmm1,%zmm2,%k7\n" HERE "kmovd %k7,%eax\nret\n", "- k7"},
    {COMPILED F HERE "vpgatherdd (%rsi,%zmm29,4),%zmm2{%k7}\nret\n", "zmm29,k7"},
    /* the spare ones: SSE leaves upper halves as they are, AVX clears them, but for vzeroupper */
    {COMPILED F HERE "movapd %xmm1,%xmm14\n" HERE "movapd %xmm14,%xmm0\n" HERE "ret\n", "xmm14 xmm14 -"},
    {COMPILED F HERE "vmovapd %xmm1,%xmm14\n" HERE "vaddpd %xmm14,%xmm0,%xmm0\n" HERE "ret\n", "- xmm14 -"},
    {COMPILED F HERE "vcvtsi2sd %eax,%xmm15,%xmm15\n" HERE "vmovsd %xmm15,(%rsi)\n" HERE "ret\n", "xmm15 xmm15 -"},
    {COMPILED F "vmovapd %ymm1,%ymm15\n" HERE "vzeroupper\n" HERE "movapd %xmm15,%xmm0\n" HERE "ret\n",
     "xmm15 xmm15 -"},
    {COMPILED F HERE "vpgatherdd %xmm2,(%rsi,%xmm14,4),%xmm1\nret\n", "xmm14"},
    {COMPILED F "movapd %xmm1,%xmm14\n" HERE "call h@PLT\n" HERE "movapd %xmm14,%xmm0\nret\n", "- xmm14"},
    /* a loop */
    {COMPILED F "kmovd %eax,%k6\n.L1:\n" HERE "vmovdqu64 %zmm1,(%rsi){%k6}\n" HERE "dec %ecx\njne .L1\n" HERE "ret\n",
     "k6 k6 -"},
    /* calls: libc keeps nothing; a function of the unit may be known to leave a register alone */
    {COMPILED F "vpaddd %zmm1,%zmm2,%zmm28\n" HERE "call h@PLT\n" HERE "vpaddd %zmm28,%zmm2,%zmm3\nret\n", "- zmm28"},
    {COMPILED G HERE "ret\n" F "vpaddd %zmm1,%zmm2,%zmm28\ncall g\n" HERE "vpaddd %zmm28,%zmm2,%zmm3\nret\n", "zmm28 zmm28"},
    {COMPILED G HERE "ret\n" F "vpaddd %zmm1,%zmm2,%zmm28\ncall g\n" HERE "ret\n", "- -"},
    {COMPILED G "ret\n.p2align 4\n.type h, @function\nh:\n" HERE "ret\n" F "vpaddd %zmm1,%zmm2,%zmm28\ncall g\n" HERE
     "vpaddd %zmm28,%zmm2,%zmm3\nret\n", "- zmm28"},
    /* what changes it, or calls what may, leaves nothing there; what looks at it may put it back */
    {COMPILED G "call h@PLT\n" HERE "ret\n" F "vpaddd %zmm1,%zmm2,%zmm28\n" HERE "call g\n" HERE "vpaddd %zmm28,%zmm2,%zmm3\nret\n",
     "- - zmm28"},
    {COMPILED G "vmovdqu64 %zmm28,-64(%rsp)\ncall h@PLT\nvmovdqu64 -64(%rsp),%zmm28\nret\n" F "vpaddd %zmm1,%zmm2,%zmm28\n" HERE
     "call g\n" HERE "vpaddd %zmm28,%zmm2,%zmm3\nret\n", "zmm28 zmm28"},
    /* what is not understood may use them, but only where something does */
    {COMPILED F HERE "xsave (%rsi)\nret\n", "zmm28,zmm29,zmm30,zmm31,k5,k6,k7,xmm13,xmm14,xmm15"},
    {COMPILED F HERE "fxsave (%rsi)\nret\n", "xmm13,xmm14,xmm15"},
    {COMPILED F HERE "xbegin .L1\n.L1:\nret\n", "-"},
    {".text\n" F HERE "kmovd %eax,%k6\nret\n", "zmm28,zmm29,zmm30,zmm31,k5,k7"},
};

#define CALLS_G F "mov $1,%r11d\n" HERE "call g\n" HERE "mov %r11,%rax\nret\n"

static const struct row register_rows[] = {
    /* arguments of a function that is seen, and of one that another module may replace */
    {COMPILED G "lea (%rdi,%rsi),%rax\nret\n" F "mov $1,%ecx\nmov $1,%esi\n" HERE "call g\nret\n", "rsi"},
    {COMPILED ".globl g\n" G "lea (%rdi,%rsi),%rax\nret\n" F "mov $1,%ecx\nmov $1,%esi\n" HERE "call g\nret\n", "rcx,rsi"},
    {COMPILED G "xor %eax,%eax\nret\n.globl i\n.set i, g\n" F "mov $1,%ecx\nmov $1,%esi\n" HERE "call i@PLT\nret\n", "rcx,rsi"},
    {COMPILED F "mov $1,%ecx\nmov $1,%esi\n" HERE "call h@PLT\nret\n", "rcx,rsi"},
    {COMPILED G "xor %eax,%eax\nret\n.type i, @gnu_indirect_function\n.set i, g\n" F "mov $1,%ecx\nmov $1,%esi\n" HERE
     "call i@PLT\nret\n", "rcx,rsi"},
    /* what a macro branches over may be needed, and so may all that it leaves behind by a ret */
    {COMPILED ".macro m\nje 1f\nxor %esi,%esi\n1: mov %rsi,%rdx\n.endm\n" F "mov $1,%esi\n" HERE "m\nmov %rdx,%rax\nret\n",
     "rcx,rsi,r11"},
    {COMPILED ".macro m\nret\nmov $1,%esi\n.endm\n" F "mov $1,%esi\n" HERE "je .L1\n" HERE "m\n.L1: mov %rsi,%rax\nret\n",
     "rcx,rsi,r11 rcx,rsi,r11"},
    {COMPILED ".macro m\ncall h\nmov $2,%r11d\n.endm\n" F "mov $1,%r11d\n" HERE "m\nmov %r11,%rax\nret\n", "rcx,rsi,r11"},
    /* a place within a function that it calls itself has what the function has */
    {COMPILED F "mov $1,%esi\njmp .L2\n.L1:\nxor %eax,%eax\njne .L3\n" HERE "mov %rsi,%rdx\n.L3:\nret\n.L2:\ncall .L1\n"
     "mov %rdx,%rax\nret\n", "rsi"},
    {COMPILED F "jmp .L2\n.L1:\nmov $1,%esi\nret\n.L2:\ncall .L1\n" HERE "mov %rsi,%rax\nret\n", "rsi"},
    /* a caller keeps something in what the function leaves alone */
    {COMPILED G "xor %eax,%eax\nret\n" CALLS_G, "r11 r11"},
    {COMPILED G "mov $2,%r11d\nret\n" CALLS_G, "- r11"},
    {COMPILED G "test %eax,%eax\nje .L1\nmov $2,%r11d\n.L1:\nret\n" CALLS_G, "- r11"},
    {COMPILED G "call h@PLT\nret\n" CALLS_G, "rcx,rsi r11"},
    {COMPILED G "call *%rax\nret\n" CALLS_G, "rcx,rsi r11"},
    {COMPILED G "jmp h@PLT\n" CALLS_G, "rcx,rsi r11"},
    /* ... as what it calls does */
    {COMPILED G "call k\nret\n" K "xor %eax,%eax\nret\n" CALLS_G, "r11 r11"},
    {COMPILED G "call k\nret\n" K "mov $2,%r11d\nret\n" CALLS_G, "- r11"},
    {COMPILED G "jmp k\n" K "mov $2,%r11d\nret\n" CALLS_G, "- r11"},
    {COMPILED G "call k\nret\n" K "test %edi,%edi\nje .L1\ncall g\n.L1:\nmov $2,%r11d\nret\n" CALLS_G, "- r11"},
    /* ... but not what stands behind it */
    {COMPILED G "xor %eax,%eax\nret\nint3\n" K "mov $2,%r11d\nret\n" CALLS_G, "r11 r11"},
    {COMPILED G "xor %eax,%eax\nret\n#APP\nstray: mov $2,%r11d\ncall h\njmp k\n#NO_APP\n" K "mov $2,%r11d\nret\n" CALLS_G, "r11 r11"},
    /* ... or puts back */
    {COMPILED G "push %r11\nmov $2,%r11d\npop %r11\nret\n" CALLS_G, "r11 r11"},
    {COMPILED G "mov %r11,-8(%rsp)\nmov $2,%r11d\nmov -8(%rsp),%r11\nret\n" CALLS_G, "r11 r11"},
    {COMPILED G "push %r11\ncall h@PLT\npop %r11\nret\n" CALLS_G, "rcx,rsi,r11 r11"},
    {COMPILED G "push %r11\ncall k\npop %r11\nret\n" K "mov $2,%r11d\nret\n" CALLS_G, "r11 r11"},
    /* who saves rdi, as CFI says, keeps rsi, too; who only stores it does not */
    {COMPILED F ".cfi_startproc\nmov %rdi,-8(%rsp)\n.cfi_offset 5, -16\nlea t(%rip),%rdi\n" HERE "mov -8(%rsp),%rdi\n"
     "ret\n.cfi_endproc\n", "rsi"},
    {COMPILED F ".cfi_startproc\nmov %rdi,-8(%rsp)\nlea t(%rip),%rdi\n" HERE "mov -8(%rsp),%rdi\nret\n.cfi_endproc\n",
     "-"},
    /* ... and so does who has them saved by what gcc's -mcall-ms2sysv-xlogues calls */
    {COMPILED F "call __sse_savms64f_12\nlea t(%rip),%rdi\n" HERE "ret\n", "rsi"},
    /* who saves its arguments, or rcx, keeps all but what it returns in; in clang's code who does little, too */
    {COMPILED F ".cfi_startproc\npush %rdi\n.cfi_offset 5, -16\n" HERE "pop %rdi\nret\n.cfi_endproc\n", "rcx,rsi,r11"},
    {COMPILED F ".cfi_startproc\npush %rcx\n.cfi_offset 2, -16\nmov $1,%ecx\n" HERE "pop %rcx\nret\n.cfi_endproc\n",
     "rsi,r11"},
    {COMPILED F ".cfi_startproc\npush %rcx\n.cfi_offset 2, -16\nmov $1,%ecx\npop %rcx\n" HERE "jmp *%rdx\n.cfi_endproc\n",
     "rcx,rsi,r11"},
    {CLANG F ".cfi_startproc\npush %rcx\n.cfi_offset %rcx, -16\nmov $1,%ecx\n" HERE "pop %rcx\nret\n.cfi_endproc\n" END("f"),
     "rsi,r11"},
    {CLANG F HERE "ret\n" END("f"), "rcx,rsi,r11"},
    {CLANG F HERE "mov $1,%ecx\nmov %ecx,(%rsi)\nret\n" END("f"), "rsi"},
    {COMPILED F HERE "ret\n", "-"},
    /* and it is called where something else than what is returned is read behind a call, or given on: there nothing is
     * lost by calls */
    {COMPILED F "mov $1,%r11d\n" HERE "call h@PLT\n" HERE "mov %r11,(%rdi)\nret\n", "rcx,rsi,r11 r11"},
    {COMPILED F "call h@PLT\nmov $1,%edi\n" HERE "mov %eax,%edi\ncall h@PLT\nret\n", "-"},
    {CLANG F "call h@PLT\nmov $1,%edi\n" HERE "mov %eax,%edi\ncall h@PLT\nret\n" END("f"), "-"},
    {CLANG F "call h@PLT\nmov %r8,%rdi\n" HERE "mov %eax,%edi\ncall h@PLT\nret\n" END("f"), "rcx,rsi"},
    {CLANG F "call h@PLT\nmov $1,%edi\nmov $1,%esi\n" HERE "call h@PLT\nret\n" END("f"), "rsi"},
    {CLANG F "call h@PLT\nmov $1,%esi\n" HERE "call h@PLT\nret\n" END("f"), "rcx,rsi"},
    /* a branch, written as data, to where nothing is */
    {COMPILED F HERE "call h@PLT\n.byte 0xe0,0x3f\n", "rcx,rsi"},
    /* what stands before the first function of a section is of none */
    {COMPILED F "ret\n.section .text.a,\"ax\"\nmov $1,%ecx\n" HERE "ret\n", "rcx,rsi,r11"},
    /* where a section ends, who knows what stands behind */
    {COMPILED F "mov $1,%ecx\n" HERE "jne f\n.section .text.a,\"ax\"\n" G "ret\n", "rcx,rsi,r11"},
    {COMPILED F "mov $1,%ecx\n" HERE "loop f\n", "rcx,rsi,r11"},
    /* what the handler of a trap sees, and what that of a fault steps over in inline assembly */
    {COMPILED F "mov $1,%esi\n" HERE "int3\nmov $2,%esi\nret\n", "rcx,rsi,r11"},
    {COMPILED F HERE "rdtscp\nmov %rcx,%rax\nret\n", "-"},
    {COMPILED F "#APP\n" HERE "rdtscp\n#NO_APP\nmov %rcx,%rax\nret\n", "rcx"},
    /* what several callers keep, each for itself; through who goes on in another function, by a jump or by running
     * into it */
    {COMPILED G HERE "ret\n" F "mov $1,%r11d\ncall g\nmov %r11,%rax\nret\n" K "mov $1,%ecx\ncall g\nmov %rcx,%rax\nret\n",
     "rcx,r11"},
    {COMPILED G "jmp k\n" K HERE "ret\n" CALLS_G, "r11 r11 r11"},
    {COMPILED G "test %edi,%edi\n" K HERE "ret\n" CALLS_G, "r11 r11 r11"},
    {COMPILED K HERE "ret\n" G "jmp k\n" F "mov $1,%r11d\ncall g\n.L1:\nmov %r11,%rax\nret\n", "r11"},
    /* in the large code model through registers and thunks, too */
    {COMPILED G HERE "ret\n" K "mov $1,%r11d\nmovabs $g,%rdx\n" HERE "call *%rdx\nmov %r11,%rax\nret\n", "r11 rcx,rsi,r11"},
    {COMPILED G "movabs $k,%rdx\n" HERE "jmp *%rdx\n" K HERE "ret\n" CALLS_G,
     "rcx,rsi,r11 r11 rcx,rsi,r11 r11"},
    {COMPILED G HERE "ret\n" K "mov $1,%r11d\nmovabs $g,%rdx\n" HERE "call __x86_indirect_thunk_rdx\nmov %r11,%rax\nret\n",
     "r11 rcx,rsi,r11"},
    /* what keeps no convention: inline assembly that calls or returns, thunks and who returns for them */
    {COMPILED F HERE "call h@PLT\n" WRITES "ret\n", "rcx,rsi"},
    /* clang's preserve_none has an argument in r11: nobody else writes there what he does not read */
    {COMPILED F "mov $3,%r11d\n" HERE "call h@PLT\nret\n", "rcx,rsi,r11"},
    {COMPILED F "mov $3,%r11d\n" HERE "call *h(%rip)\nret\n", "rcx,rsi,r11"},
    {COMPILED F "mov $3,%r11d\n" HERE "jmp h@PLT\n", "rcx,rsi,r11"},
    {COMPILED F "mov $3,%r11d\n" HERE "jmp *h(%rip)\n", "rcx,rsi,r11"},
    {COMPILED F "mov $3,%r11d\nmov %r11d,%edx\n" HERE "call h@PLT\nret\n", "rcx,rsi"},
    {COMPILED F "mov 8(%r11),%r11\n" HERE "call h@PLT\nret\n", "rcx,rsi,r11"},
    {COMPILED F "mov $3,%r11d\njmp .L1\n.L1:\n" HERE "call *%r11\nret\n", "rcx,rsi,r11"},
    {COMPILED F "call k@PLT\n" HERE "call h@PLT\nret\n", "-"},
    {COMPILED F "#APP\n" HERE "call h\n#NO_APP\n" WRITES "ret\n", "rcx,rsi,r11"},
    {COMPILED F HERE "call __x86_indirect_thunk_rdx\n" WRITES "ret\n", "rcx,rsi,r11"},
    {COMPILED F HERE "jmp __x86_indirect_thunk_rdx\n", "rcx,rsi,r11"},
    {COMPILED F HERE "call *x@TLSCALL(%rax)\n" WRITES "ret\n", "rcx,rsi,r11"},
    {COMPILED F "#APP\n" HERE "ret\n#NO_APP\n", "rcx,rsi,r11"},
    {COMPILED F "#APP\n" HERE "jmp *%rdx\n#NO_APP\n", "rcx,rsi,r11"},
    {COMPILED F "#APP\n" HERE "jmp h\n#NO_APP\n", "rcx,rsi,r11"},
    {COMPILED F "#APP\n" HERE "jmp 1f\n1:\n#NO_APP\n" WRITES "ret\n", "-"},
    {COMPILED ".type __x86_return_thunk, @function\n__x86_return_thunk:\n" HERE "ret\n", "rcx,rsi,r11"},
    {COMPILED F HERE "mov %rdx,(%rsp)\nret\n", "rcx,rsi,r11"},
    {COMPILED F "call .L1\n.L2: pause\njmp .L2\n.L1:\n" HERE "lea 8(%rsp),%rsp\nret\n", "rcx,rsi,r11"},
    /* where nobody gave a register anything: behind calls, but for those that may return in any, and in main */
    {COMPILED F "call h@PLT\n" HERE "call h@PLT\nret\n", "-"},
    {COMPILED F "call h@PLT\n#APP\ncall h\n#NO_APP\n" HERE "call h@PLT\nret\n", "rcx,rsi"},
    {COMPILED F "call h@PLT\ncall __x86_indirect_thunk_rdx\n" HERE "call h@PLT\nret\n", "rcx,rsi"},
    {COMPILED F "call h@PLT\nmov $1,%ecx\njmp .L1\n.L1:\n" HERE "call h@PLT\nret\n", "rcx"},
    {COMPILED F "call h@PLT\n#APP\nfoo:\n#NO_APP\n" HERE "call h@PLT\nret\n", "rcx,rsi"},
    {COMPILED F "call h@PLT\ntest %eax,%eax\nje .L1\njmp *%rdx\n.L1:\n" HERE "call h@PLT\nret\n.section .rodata\n.quad .L1\n", "rcx,rsi"},
    {COMPILED "foo: call h@PLT\n" HERE "call h@PLT\nhlt\n", "rcx,rsi"},
    {COMPILED F HERE "call h@PLT\nret\n", "rcx,rsi"},
    {COMPILED ".globl main\n" MAIN HERE "call h@PLT\nret\n", "rsi"},
    {COMPILED MAIN HERE "call h@PLT\nret\n", "rcx,rsi"},
    {COMPILED ".globl main\n" MAIN HERE "call h@PLT\nret\n.data\n.quad main\n", "rcx,rsi"},
    {COMPILED ".globl main\n" MAIN HERE "mov %rcx,(%rsi)\ncall h@PLT\nret\n", "rcx,rsi"},
    /* by hand: branches lead where they say, whatever else may use registers by conventions of its own */
    {BY_HAND F HERE "je 1f\n" WRITES "ret\n1:\n" WRITES "ret\n", "-"},
    {BY_HAND F HERE "je 1f\n" WRITES "ret\n1:\nmov $2,%esi\nret\n", "rcx,r11"},
    {BY_HAND F "1:\n" HERE "loop 1b\n" WRITES "ret\n", "rcx"},
    {BY_HAND F HERE "jmp 1f\n1:\n" WRITES "ret\n", "-"},
    {BY_HAND F HERE "ret\n", "rcx,rsi,r11"},
    {BY_HAND F HERE "jmp g\n", "rcx,rsi,r11"},
    {BY_HAND F HERE "je g\n" WRITES "ret\n", "rcx,rsi,r11"},
    {BY_HAND F HERE "call g\n" WRITES "ret\n", "rcx,rsi,r11"},
    {BY_HAND F HERE "jmp *%rdx\n1:\n" WRITES "ret\n.data\n.quad 1b\n", "rcx,rsi,r11"},
    {BY_HAND F HERE "je 1f+2\n" WRITES "ret\n1:\n" WRITES "ret\n", "rcx,rsi,r11"},
};

/* Whether a register of callers waits to be found where control does not go on. */
static const struct row unwound_rows[] = {
    {COMPILED F HERE "mov $1,%ebx\nret\n", "-"},
    {COMPILED F HERE "je .L1\nnop\n.L1:\nmov $1,%ebx\nret\n", "-"},
    {COMPILED F HERE "ud2\n", "rbx"},
    {COMPILED F ".L1:\n" HERE "mov $1,%ebx\njmp .L1\n", "-"},
    {COMPILED F ".L1:\n" HERE "jmp .L1\n", "rbx"},
    {COMPILED F HERE "call h@PLT\nmov $1,%ebx\nret\n", "rbx"},
    {COMPILED F HERE "jmp h@PLT\n", "rbx"},
};

static const struct {
	const char *name;
	bool odd;
} callees[] = {
    {"__fentry__", true}, {"mcount", true}, {"_mcount", true}, {"__morestack", true},
    {"__morestack_large_model", true}, {"__x86_indirect_thunk_rax", true}, {"__x86_return_thunk", true},
    {"__indirect_thunk_start", true}, {"__llvm_retpoline_r11", true}, {"__llvm_lvi_thunk_r11", true},
    {"__tls_get_addr", true}, {"__savms64_12", true}, {"__sse_savms64f_12", true}, {"__avx_savms64_12", true},
    {"__resms64x_12", true}, {"__sse_resms64fx_12", true}, {"__avx_resms64_12", true},
    {"OUTLINED_FUNCTION_0", true}, {"__regcall3__f", true}, {"_Z11__regcall3__fi", true},
    {"mcoun", false}, {"my_mcount", false}, {"f", false}, {"", false},
};

static const char *const unwound_names[16] = {[RBX] = "rbx"};
static const char *const vector_names[] = {"zmm28", "zmm29", "zmm30", "zmm31", "k5", "k6", "k7",
					    "xmm13", "xmm14", "xmm15"};
static const char *const register_names[16] = {[RCX] = "rcx", [RSI] = "rsi", [R11] = "r11"};

/* live: a bit for each name. */
static const char *text_of(liveset live, const char *const *names, size_t n)
{
	static char text[64];

	*text = '\0';
	for (size_t i = 0; i < n; i++)
		if (names[i] && live >> i & 1)
			strcat(strcat(text, *text ? "," : ""), names[i]);
	return *text ? text : "-";
}

static void compare(const struct row *row, unsigned first, const char *const *names, size_t n)
{
	struct unit *unit = assembled(row->text);
	struct flow flow = {0};
	struct liveness live = {0};
	char got[512] = "";

	facts_find(unit);
	blocks_find(&flow, unit);
	liveness_find(&live, &flow, 0);
	for (size_t i = 0; i < unit->insns.n; i++) {
		const struct insn *insn = &unit->insns.at[i];

		if (insn->len == 3 && insn->bytes && !memcmp(insn->bytes, "\x48\x8b\x07", 3))
			strcat(strcat(got, *got ? " " : ""), text_of(live.before[i] >> first, names, n));
	}
	ck_assert_str_eq(got, row->live);
}

START_TEST(vectors)
{
	compare(&vector_rows[_i], LIVE_VECTOR, vector_names, COUNT(vector_names));
}
END_TEST

START_TEST(registers)
{
	compare(&register_rows[_i], 0, register_names, COUNT(register_names));
}
END_TEST

START_TEST(unwound)
{
	compare(&unwound_rows[_i], 0, unwound_names, COUNT(unwound_names));
}
END_TEST

START_TEST(odd)
{
	const char *name = callees[_i].name;

	ck_assert_int_eq(is_odd_callee((struct asm_text){name, strlen(name)}), callees[_i].odd);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("liveness");

	tcase_add_loop_test(tc, vectors, 0, COUNT(vector_rows));
	tcase_add_loop_test(tc, registers, 0, COUNT(register_rows));
	tcase_add_loop_test(tc, unwound, 0, COUNT(unwound_rows));
	tcase_add_loop_test(tc, odd, 0, COUNT(callees));
	return run_case(tc, "liveness");
}
