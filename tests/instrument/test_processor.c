/* The facts of instructions against what this processor does. Encodings are drawn from all of the opcode space; each
 * that the processor has is executed with its operands at the ends of pages, where what is touched too much faults, and
 * with registers, flags and masks changed one at a time. Nothing else tells of AVX-512: Valgrind does not know it.
 * Branches, and what changes segments or needs the kernel, are left out. */
#include "instrument/decode.h"
#include "tests/instrument/assembling.h"

#include <cpuid.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE 4096ull
#define LONGEST 15 /* bytes of an instruction (SDM 2.3.11) */

/* ---- one instruction, executed ---- */

struct state {
	uint64_t r[16], flags, k[8];
	uint8_t zmm[32][64];
};

struct host {
	uint64_t rsp;
	uint32_t mxcsr;
};

#define IN ((struct state *)0x20000000)
#define OUT ((struct state *)0x20002000)
#define HOST ((struct host *)0x20004000)
#define CODE ((uint8_t *)0x20010000)
#define MXCSR_START 0x1f80 /* SDM 10.2.3 */

_Static_assert(offsetof(struct state, flags) == 128 && offsetof(struct state, k) == 136, "below");
_Static_assert(offsetof(struct state, zmm) == 200 && sizeof(struct state) < 0x2000, "below");

extern const uint8_t before_code[], before_code_end[], after_code[], after_code_end[];

__asm__(".macro general op,at\n\t"
	".set .Lat,\\at\n\t"
	".irp r,rax,rcx,rdx,rbx,rsp,rbp,rsi,rdi,r8,r9,r10,r11,r12,r13,r14,r15\n\t"
	".ifc \\op,load\n\t mov .Lat,%\\r\n\t .else\n\t mov %\\r,.Lat\n\t .endif\n\t"
	".set .Lat,.Lat+8\n\t.endr\n\t.endm\n"
	".macro vectors op,at\n\t"
	".set .Lat,\\at+136\n\t"
	".irp n,0,1,2,3,4,5,6,7\n\t"
	".ifc \\op,load\n\t kmovq .Lat,%k\\n\n\t .else\n\t kmovq %k\\n,.Lat\n\t .endif\n\t"
	".set .Lat,.Lat+8\n\t.endr\n\t"
	".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
	".ifc \\op,load\n\t vmovdqu64 .Lat,%zmm\\n\n\t .else\n\t vmovdqu64 %zmm\\n,.Lat\n\t .endif\n\t"
	".set .Lat,.Lat+64\n\t.endr\n\t.endm\n"
	".pushsection .rodata\n"
	"before_code:\n\t"
	"push %rbx\n\tpush %rbp\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\t"
	"mov %rsp,0x20004000\n\t"
	"fninit\n\tldmxcsr 0x20004008\n\t"
	"vectors load,0x20000000\n\t"
	"pushq 0x20000080\n\tpopfq\n\t"
	"general load,0x20000000\n"
	"before_code_end:\n"
	"after_code:\n\t"
	"general store,0x20002000\n\t"
	"mov 0x20004000,%rsp\n\t"
	"pushfq\n\tpopq 0x20002080\n\tcld\n\t"
	"vectors store,0x20002000\n\t"
	"fninit\n\tldmxcsr 0x20004008\n\tvzeroupper\n\t"
	"pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbp\n\tpop %rbx\n\tret\n"
	"after_code_end:\n\t"
	".popsection");

static sigjmp_buf interrupted;
static struct fault {
	int signal;
	bool writes; /* a page fault's error code (SDM 4.7) */
	bool page;
	uint64_t at;
} fault;

static void note_fault(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *u = context;

	fault.signal = signal;
	fault.page = signal == SIGSEGV && info->si_code != SI_KERNEL;
	fault.at = (uint64_t)info->si_addr;
	fault.writes = u->uc_mcontext.gregs[REG_ERR] & 2;
	siglongjmp(interrupted, 1);
}

static void map(void *at, size_t bytes, int rights)
{
	void *p = mmap(at, bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);

	ck_assert_ptr_eq(p, at);
}

/* Whether it ends without a signal; else fault tells of that. */
static bool execute(const struct state *s)
{
	*IN = *s;
	fault = (struct fault){0};
	if (!sigsetjmp(interrupted, 0))
		((void (*)(void))CODE)();
	else
		__asm__ volatile("fninit\n\tldmxcsr %0\n\tcld" : : "m"(HOST->mxcsr));
	return !fault.signal;
}

/* ---- places: each general register has a region, and no page of it can be touched unless it is open ---- */

#define REGION_BYTES 0x1000000ull
#define REGIONS_AT 0x40000000ull
#define MIDDLE (REGION_BYTES / 2)
#define OPEN_MAX 64

static uint64_t open_pages[OPEN_MAX];
static unsigned n_open;

static uint64_t region(unsigned r)
{
	return REGIONS_AT + r * REGION_BYTES;
}

static void set_rights(uint64_t page, int rights)
{
	ck_assert_int_eq(mprotect((void *)page, PAGE, rights), 0);
}

static void open_page(uint64_t at)
{
	at &= -PAGE;
	for (unsigned i = 0; i < n_open; i++)
		if (open_pages[i] == at)
			return;
	ck_assert_uint_lt(n_open, OPEN_MAX);
	set_rights(at, PROT_READ | PROT_WRITE);
	open_pages[n_open++] = at;
}

static void close_pages(void)
{
	while (n_open) {
		memset((void *)open_pages[--n_open], 0, PAGE);
		set_rights(open_pages[n_open], PROT_NONE);
	}
}

static void start(void)
{
	static uint8_t stack[1 << 16];
	static const int signals[] = {SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGTRAP};
	struct sigaction action = {.sa_sigaction = note_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};

	map(IN, PAGE * 5, PROT_READ | PROT_WRITE);
	map(CODE, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	map((void *)region(0), 16 * REGION_BYTES, PROT_NONE);
	HOST->mxcsr = MXCSR_START;
	sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &action, NULL);
}

/* ---- encodings ---- */

struct encoding {
	uint8_t bytes[LONGEST];
	struct insn facts;
	ZydisDecodedInstruction d;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
};

static VEC(struct encoding) encodings;
static uint64_t seed = 88172645463325252;

/* xorshift64* (Vigna, 2016). */
static uint64_t any(void)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return seed * 0x2545f4914f6cdd1d;
}

static unsigned below(unsigned n)
{
	return (any() >> 33) % n;
}

/* Branches; what changes what is not saved, waits, or whose result is another one each time; and what this processor
 * or its kernel does in another way than is written: without MPX its instructions are NOPs, UMIP hides segments'
 * selectors and tables. Of the rules of counting, cache lines that are written back are none that is referred to, and
 * XSAVE's area is as large as what the system enables. */
static bool is_left_out(const struct encoding *e)
{
	static const ZydisInstructionCategory categories[] = {
		ZYDIS_CATEGORY_UNCOND_BR, ZYDIS_CATEGORY_COND_BR, ZYDIS_CATEGORY_CALL,	  ZYDIS_CATEGORY_RET,
		ZYDIS_CATEGORY_INTERRUPT, ZYDIS_CATEGORY_SYSCALL, ZYDIS_CATEGORY_SYSRET,  ZYDIS_CATEGORY_IO,
		ZYDIS_CATEGORY_SEGOP,	  ZYDIS_CATEGORY_SYSTEM,  ZYDIS_CATEGORY_MPX,	  ZYDIS_CATEGORY_XSAVE,
		ZYDIS_CATEGORY_XSAVEOPT,  ZYDIS_CATEGORY_UINTR,	  ZYDIS_CATEGORY_WAITPKG, ZYDIS_CATEGORY_RDRAND,
		ZYDIS_CATEGORY_RDSEED,	  ZYDIS_CATEGORY_PKU,	  ZYDIS_CATEGORY_ENQCMD,  ZYDIS_CATEGORY_AMX_TILE,
		ZYDIS_CATEGORY_RDWRFSGS,  ZYDIS_CATEGORY_IOSTRINGOP,
	};
	static const ZydisMnemonic mnemonics[] = {
		ZYDIS_MNEMONIC_UD0,    ZYDIS_MNEMONIC_UD1,	  ZYDIS_MNEMONIC_UD2,	  ZYDIS_MNEMONIC_XBEGIN,
		ZYDIS_MNEMONIC_XABORT, ZYDIS_MNEMONIC_CPUID,	  ZYDIS_MNEMONIC_FXRSTOR, ZYDIS_MNEMONIC_FXRSTOR64,
		ZYDIS_MNEMONIC_POPF,   ZYDIS_MNEMONIC_POPFQ,	  ZYDIS_MNEMONIC_PUSHF,	  ZYDIS_MNEMONIC_PUSHFQ,
		ZYDIS_MNEMONIC_ENTER,  ZYDIS_MNEMONIC_CLFLUSH,	  ZYDIS_MNEMONIC_CLWB,	  ZYDIS_MNEMONIC_CLFLUSHOPT,
		ZYDIS_MNEMONIC_VZEROALL, ZYDIS_MNEMONIC_VZEROUPPER, ZYDIS_MNEMONIC_STR,	  ZYDIS_MNEMONIC_VMCALL,
		ZYDIS_MNEMONIC_VMMCALL, ZYDIS_MNEMONIC_BNDMOV,	  ZYDIS_MNEMONIC_CLUI,	  ZYDIS_MNEMONIC_STUI,
	};

	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		if (e->d.meta.category == categories[i])
			return true;
	for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++)
		if (e->d.mnemonic == mnemonics[i])
			return true;
	return false;
}

/* Segments' registers, and addresses that no general register leads to. */
static bool has_other_operands(const struct encoding *e)
{
	for (unsigned i = 0; i < e->d.operand_count; i++) {
		const ZydisDecodedOperand *o = &e->ops[i];

		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    o->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
		    ZydisRegisterGetClass(o->reg.value) == ZYDIS_REGCLASS_SEGMENT)
			return true;
		if (o->type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		if (o->mem.segment == ZYDIS_REGISTER_FS || o->mem.segment == ZYDIS_REGISTER_GS)
			return true;
		if (o->mem.base == ZYDIS_REGISTER_NONE || o->mem.base == ZYDIS_REGISTER_RIP ||
		    o->mem.base == ZYDIS_REGISTER_EIP)
			return true;
	}
	return false;
}

static void add_encoding(const uint8_t *bytes)
{
	struct encoding e = {0};

	if (!decode_full(bytes, LONGEST, &e.d, e.ops) || is_left_out(&e) || has_other_operands(&e))
		return;
	memcpy(e.bytes, bytes, e.d.length);
	VEC_PUSH(&encodings, e);
}

/* ModR/M, SIB and displacement; a register twice in five times. */
static uint8_t *put_operands(uint8_t *p)
{
	unsigned mod = below(5), rm = below(8);
	int32_t far = (int)below(2000) - 1000;

	mod = mod < 3 ? mod : 3;
	if (mod == 0 && rm == 5)
		rm = 3;
	*p++ = mod << 6 | below(8) << 3 | rm;
	if (mod != 3 && rm == 4)
		*p++ = below(4) << 6 | below(8) << 3 | (mod == 0 ? below(5) : below(8));
	if (mod == 1)
		*p++ = far;
	if (mod == 2) {
		memcpy(p, &far, sizeof far);
		p += sizeof far;
	}
	return p;
}

/* What follows the prefixes: opcode, operands, and numbers for whatever immediate there may be. */
static void put_rest(uint8_t *bytes, uint8_t *p, unsigned opcode)
{
	*p++ = opcode;
	for (p = put_operands(p); p < bytes + 2 * LONGEST; p++)
		*p = any();
	add_encoding(bytes);
}

static void draw_legacy(unsigned draws)
{
	static const uint8_t prefixes[] = {0, 0x66, 0xf3, 0xf2}, maps[] = {0, 0, 0x38, 0x3a};
	uint8_t bytes[2 * LONGEST], *p;

	for (unsigned i = 0; i < 4 * 4 * 256 * draws; i++) {
		unsigned prefix = i & 3, map = i >> 2 & 3, opcode = i >> 4 & 255;

		if (!map && opcode >> 4 == 4) /* REX */
			continue;
		p = bytes;
		if (!below(12))
			*p++ = 0x67;
		if (!below(12))
			*p++ = 0xf0;
		if (prefix)
			*p++ = prefixes[prefix];
		if (below(3))
			*p++ = 0x40 | below(16);
		if (map)
			*p++ = 0x0f;
		if (maps[map])
			*p++ = maps[map];
		put_rest(bytes, p, opcode);
	}
}

static void draw_vex(unsigned draws)
{
	uint8_t bytes[2 * LONGEST], *p;

	for (unsigned i = 0; i < 3 * 4 * 2 * 2 * 256 * draws; i++) {
		unsigned v = below(2) ? 15 : below(16);

		p = bytes;
		if (!below(16))
			*p++ = 0x67;
		*p++ = 0xc4;
		*p++ = below(8) << 5 | (1 + i % 3);
		*p++ = (i / 3 & 1) << 7 | v << 3 | (i / 6 & 1) << 2 | (i / 12 & 3);
		put_rest(bytes, p, i / 48 & 255);
	}
}

static void draw_evex(unsigned draws)
{
	static const uint8_t maps[] = {1, 2, 3, 5, 6};
	uint8_t bytes[2 * LONGEST], *p;

	for (unsigned i = 0; i < 5 * 4 * 2 * 4 * 2 * 256 * draws; i++) {
		unsigned v = below(2) ? 31 : below(32), mask = below(3) ? below(8) : 0;

		p = bytes;
		if (!below(16))
			*p++ = 0x67;
		*p++ = 0x62;
		*p++ = below(16) << 4 | maps[i % 5];
		*p++ = (i / 5 & 1) << 7 | (v & 15) << 3 | 4 | (i / 10 & 3);
		*p++ = below(2) << 7 | (i / 40 & 3) << 5 | (i / 160 & 1) << 4 | (v >> 4) << 3 | mask;
		put_rest(bytes, p, i / 320 & 255);
	}
}

/* All as one unit, behind a nop each, since bytes that follow bytes may be data. */
static void find_all_facts(void)
{
	struct unit *unit;
	size_t len, at = 0;
	char *text;
	FILE *out = open_memstream(&text, &len);

	fputs("\t.type f, @function\nf:\n", out);
	for (size_t i = 0; i < encodings.n; i++) {
		fputs("\tnop\n\t.byte ", out);
		for (unsigned b = 0; b < encodings.at[i].d.length; b++)
			fprintf(out, "%s%u", b ? "," : "", encodings.at[i].bytes[b]);
		fputc('\n', out);
	}
	fclose(out);
	unit = assembled(text);
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr)); /* what is not known, and far addresses */
	facts_find(unit);
	ck_assert_uint_eq(unit->insns.n, 2 * encodings.n);
	for (size_t i = 1; i < unit->insns.n; i += 2, at++) {
		ck_assert_mem_eq(unit->insns.at[i].bytes, encodings.at[at].bytes, encodings.at[at].d.length);
		encodings.at[at].facts = unit->insns.at[i];
	}
}

/* ---- what is found ---- */

static unsigned n_wrong;

static __attribute__((format(printf, 2, 3))) void wrong(const struct encoding *e, const char *what, ...)
{
	ZydisFormatter formatter;
	char text[200];
	va_list args;

	if (n_wrong++ >= 20)
		return;
	ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_ATT);
	ZydisFormatterFormatInstruction(&formatter, &e->d, e->ops, e->d.operand_count_visible, text, sizeof text, 0,
					NULL);
	printf("# %s [%s]: ", text, refs_text(&e->facts));
	for (unsigned i = 0; i < e->d.length; i++)
		printf("%02x", e->bytes[i]);
	printf(": ");
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	putchar('\n');
}

/* ---- references ---- */

static uint64_t address_of(const struct state *s, const struct ref *r)
{
	uint64_t a = r->disp + s->r[r->base];

	if (r->form == REF_XLAT)
		a += s->r[RAX] & 255;
	else if (r->form != REF_GATHER && r->index != REG_NONE)
		a += s->r[r->index] * r->scale;
	return r->addr32 ? (uint32_t)a : a;
}

/* A bit's reference is counted as its byte, but more is touched. */
static unsigned bytes_of(const struct ref *r)
{
	return r->form == REF_LANES ? r->vector : r->form == REF_BIT ? 8 : r->size;
}

static bool is_index(const struct ref *r, unsigned reg)
{
	return (r->form != REF_GATHER && r->index == reg) || (r->form == REF_BIT && r->mask == reg);
}

static bool makes_address(const struct insn *f, unsigned reg)
{
	for (unsigned i = 0; i < f->n_refs; i++)
		if (f->refs[i].base == reg || is_index(&f->refs[i], reg))
			return true;
	return f->rep && reg == RCX;
}

/* Indices small and all lanes there, in one place. Whether that can be. */
static bool put_indices(struct state *s, const struct insn *f)
{
	memset(s->k, 0xff, sizeof s->k);
	for (unsigned i = 0; i < f->n_refs; i++) {
		const struct ref *r = &f->refs[i];

		if (r->base > R15 || is_index(r, RSP))
			return false;
		for (unsigned j = 0; j < f->n_refs; j++)
			if (is_index(r, f->refs[j].base) || (f->rep && f->refs[j].base == RCX))
				return false;
		if (r->form == REF_GATHER) {
			memset(s->zmm[r->index], 0, sizeof *s->zmm);
			if (!r->evex)
				memset(s->zmm[r->mask], 0xff, sizeof *s->zmm);
		} else if (r->form == REF_XLAT) {
			s->r[RAX] &= -256;
		} else if (r->index != REG_NONE) {
			s->r[r->index] = below(3) * 8;
		}
		if (r->form == REF_LANES)
			memset(s->zmm[r->mask], 0xff, sizeof *s->zmm);
		if (r->form == REF_BIT)
			s->r[r->mask] = 0;
	}
	if (f->rep)
		s->r[RCX] = 1;
	for (unsigned i = 0; i < f->n_refs; i++)
		if (s->r[f->refs[i].base] / REGION_BYTES != address_of(s, &f->refs[i]) / REGION_BYTES)
			return false;
	return true;
}

static void fill(struct state *s)
{
	for (unsigned r = 0; r < 16; r++)
		s->r[r] = below(3) ? any() : below(2) * below(256);
	s->flags = 0x202 | (any() & 0x8d5);
	for (unsigned k = 0; k < 8; k++)
		s->k[k] = any();
	for (uint8_t *p = *s->zmm; p < s->zmm[32]; p++)
		*p = any();
}

/* Which reference the fault is of, or -1. */
static int faulting_reference(const struct encoding *e, const struct state *s)
{
	for (unsigned i = 0; i < e->facts.n_refs; i++) {
		const struct ref *r = &e->facts.refs[i];

		if (fault.at - address_of(s, r) < bytes_of(r))
			return (int)i;
	}
	return -1;
}

/* With nothing to touch, page by page: what is referred to is touched, in the right way, and nothing else. */
static void try_references(const struct encoding *e, const struct state *s)
{
	const struct insn *f = &e->facts;
	bool touched[INSN_MAX_REFS] = {0};

	while (!execute(s) && fault.page) {
		int i = faulting_reference(e, s);

		if (i < 0 || n_open == OPEN_MAX) {
			wrong(e, "touches %#llx beside its references", (unsigned long long)fault.at);
			break;
		}
		if (!touched[i] && fault.writes != (f->refs[i].kind != REF_READ))
			wrong(e, "reference %d is of another kind", i);
		for (unsigned j = 0; j < f->n_refs; j++)
			touched[j] |= address_of(s, &f->refs[j]) / PAGE == fault.at / PAGE;
		open_page(fault.at);
	}
	for (unsigned i = 0; !fault.signal && i < f->n_refs; i++)
		if (!touched[i])
			wrong(e, "reference %u is not touched", i);
	close_pages();
}

/* All that it refers to but reference which. */
static void open_others(const struct insn *f, const struct state *s, unsigned which)
{
	for (unsigned i = 0; i < f->n_refs; i++) {
		uint64_t a = address_of(s, &f->refs[i]);

		if (i == which)
			continue;
		open_page(a);
		open_page(a + bytes_of(&f->refs[i]) - 1);
	}
}

/* The reference at this address, in the middle page of its base's region, which is open; whether it touches another. */
static bool leaves_page(const struct insn *f, const struct state *s, unsigned which, uint64_t address)
{
	const struct ref *r = &f->refs[which];
	struct state moved = *s;
	bool leaves;

	moved.r[r->base] += address - address_of(s, r);
	open_others(f, &moved, which);
	open_page(region(r->base) + MIDDLE);
	leaves = !execute(&moved) && fault.page;
	close_pages();
	return leaves;
}

static bool shares_base(const struct insn *f, unsigned which)
{
	for (unsigned i = 0; i < f->n_refs; i++)
		if (i != which && f->refs[i].base == f->refs[which].base)
			return true;
	return false;
}

/* No byte too many, and none too few, at its beginning and its end. Where it must be aligned, as many as that. */
static void try_extent(const struct encoding *e, const struct state *s, unsigned which)
{
	static const unsigned shifts[] = {1, 16, 32, 64, 4, 8};
	const struct insn *f = &e->facts;
	uint64_t page = region(f->refs[which].base) + MIDDLE;
	unsigned bytes = bytes_of(&f->refs[which]);

	if (f->refs[which].form == REF_BIT || shares_base(f, which))
		return;
	if (leaves_page(f, s, which, page))
		wrong(e, "reference %u begins before its address", which);
	if (leaves_page(f, s, which, page + PAGE - bytes))
		wrong(e, "reference %u has more than %u bytes", which, bytes);
	for (size_t i = 0; i < sizeof shifts / sizeof *shifts && shifts[i] <= bytes; i++) {
		if (leaves_page(f, s, which, page + PAGE - bytes + shifts[i]))
			break;
		if (!fault.signal) {
			wrong(e, "reference %u has less than %u bytes", which, bytes);
			break;
		}
	}
}

static void try_mask(const struct encoding *e, const struct state *s)
{
	const struct ref *r = &e->facts.refs[0];
	struct state masked = *s;

	for (unsigned k = 0; k < 8; k++)
		masked.k[k] = r->lanes == 64 ? 0 : -1ull << r->lanes;
	if (!execute(&masked) && fault.page)
		wrong(e, "touches memory by mask bits from %u on", r->lanes);
	for (unsigned k = 0; k < 8; k++)
		masked.k[k] = 1ull << (r->lanes - 1);
	if (execute(&masked))
		wrong(e, "touches nothing by mask bit %u", r->lanes - 1);
}

/* Without any bit of its mask, which does not count. */
static void try_without_mask(const struct encoding *e, const struct state *s)
{
	struct state masked = *s;

	memset(masked.k, 0, sizeof masked.k);
	if (execute(&masked))
		wrong(e, "touches nothing without a mask bit");
}

/* Each lane in a page of its own. */
static void try_gather(const struct encoding *e, const struct state *s)
{
	const struct ref *r = &e->facts.refs[0];
	struct state spread = *s;

	for (uint64_t i = 0; i < sizeof *s->zmm / r->index_size; i++) {
		uint64_t index = 2 * PAGE * i / r->scale;

		memcpy(spread.zmm[r->index] + i * r->index_size, &index, r->index_size);
	}
	while (!execute(&spread) && fault.page && n_open < OPEN_MAX)
		open_page(fault.at);
	if (!fault.signal && n_open != r->lanes)
		wrong(e, "touches %u lanes", n_open);
	close_pages();
}

static void try_lanes(const struct encoding *e, const struct state *s)
{
	const struct ref *r = &e->facts.refs[0];

	for (unsigned i = 0; i < r->lanes; i++) {
		struct state one = *s;

		memset(one.zmm[r->mask], 0, sizeof *one.zmm);
		memset(one.zmm[r->mask] + i * r->size, 0xff, r->size);
		if (execute(&one))
			wrong(e, "touches nothing by lane %u", i);
	}
}

/* k0 as a mask means that there is none. */
static bool has_mask(const struct encoding *e)
{
	return e->d.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && e->d.avx.mask.reg != ZYDIS_REGISTER_NONE &&
	       e->d.avx.mask.reg != ZYDIS_REGISTER_K0;
}

/* Whether the processor has the instruction. */
static bool try_memory(const struct encoding *e)
{
	const struct insn *f = &e->facts;
	struct state s;

	fill(&s);
	for (unsigned r = 0; r < 16; r++)
		s.r[r] = region(r) + MIDDLE + PAGE / 4;
	if (!put_indices(&s, f))
		return true;
	try_references(e, &s);
	if (fault.signal == SIGILL)
		return false;
	for (unsigned i = 0; i < f->n_refs; i++)
		try_extent(e, &s, i);
	if (!f->n_refs)
		return true;
	if (f->refs[0].form == REF_MASKED || (f->refs[0].form == REF_GATHER && f->refs[0].evex))
		try_mask(e, &s);
	else if (has_mask(e) && f->refs[0].form == REF_PLAIN)
		try_without_mask(e, &s);
	if (f->refs[0].form == REF_GATHER)
		try_gather(e, &s);
	if (f->refs[0].form == REF_LANES)
		try_lanes(e, &s);
	return true;
}

/* ---- registers, flags, vectors ---- */

#define AREA 256

struct outcome {
	struct state s;
	uint8_t memory[INSN_MAX_REFS][AREA];
};

struct trial {
	const struct encoding *e;
	struct state s;
	struct outcome first;
	uint8_t *areas[INSN_MAX_REFS]; /* around the references */
	uint8_t contents[INSN_MAX_REFS][AREA];
};

/* What may differ. */
struct apart {
	unsigned general; /* a register's number; 16: none */
	uint64_t flags;
	uint8_t k;
	uint32_t zmm;
};

static bool repeat(struct trial *t, const struct state *s, struct outcome *o)
{
	bool ends;

	for (unsigned i = 0; i < t->e->facts.n_refs; i++)
		memcpy(t->areas[i], t->contents[i], AREA);
	ends = execute(s);
	o->s = *OUT;
	for (unsigned i = 0; i < t->e->facts.n_refs; i++)
		memcpy(o->memory[i], t->areas[i], AREA);
	return ends;
}

#define STATUS_AND_DIRECTION 0xcd5

static bool same(const struct trial *t, const struct outcome *o, struct apart but)
{
	const struct outcome *first = &t->first;

	for (unsigned r = 0; r < 16; r++)
		if (r != but.general && o->s.r[r] != first->s.r[r])
			return false;
	if ((o->s.flags ^ first->s.flags) & STATUS_AND_DIRECTION & ~but.flags)
		return false;
	for (unsigned k = 0; k < 8; k++)
		if (!(but.k >> k & 1) && o->s.k[k] != first->s.k[k])
			return false;
	for (unsigned z = 0; z < 32; z++)
		if (!(but.zmm >> z & 1) && memcmp(o->s.zmm[z], first->s.zmm[z], sizeof *o->s.zmm))
			return false;
	return !memcmp(o->memory, first->memory, t->e->facts.n_refs * sizeof *o->memory);
}

/* What the processor leaves open may be anything. */
static uint64_t undefined(const struct trial *t)
{
	return t->e->d.cpu_flags ? t->e->d.cpu_flags->undefined : 0;
}

static void try_general(struct trial *t, unsigned r)
{
	const struct insn *f = &t->e->facts;
	bool reads = f->reads >> r & 1, writes = f->writes >> r & 1, keeps = !((f->writes | f->clobbers) >> r & 1);
	struct state other = t->s;
	struct outcome o;

	if (keeps && t->first.s.r[r] != t->s.r[r])
		wrong(t->e, "changes register %u", r);
	if (reads)
		return;
	other.r[r] = below(2) ? any() : ~other.r[r];
	if (!repeat(t, &other, &o) || !same(t, &o, (struct apart){r, undefined(t), 0, 0}))
		wrong(t->e, "reads register %u", r);
	else if (writes ? o.s.r[r] != t->first.s.r[r] : keeps && o.s.r[r] != other.r[r])
		wrong(t->e, "%s register %u", writes ? "does not write all of" : "changes", r);
}

static void try_flag(struct trial *t, unsigned which)
{
	static const uint64_t bits[] = {1, 4, 0x10, 0x40, 0x80, 0x800, 0x400}; /* as enum FLAG_CF... */
	const struct insn *f = &t->e->facts;
	uint64_t bit = bits[which];
	struct state other = t->s;
	struct outcome o;

	if (f->flags_read >> which & 1)
		return;
	other.flags ^= bit;
	if (!repeat(t, &other, &o) || !same(t, &o, (struct apart){16, bit | undefined(t), 0, 0}))
		wrong(t->e, "reads flag %u", which);
	else if ((f->flags_written >> which & 1) && ((o.s.flags ^ t->first.s.flags) & bit & ~undefined(t)))
		wrong(t->e, "does not write flag %u", which);
}

/* Bit which of a vectorset. */
static void try_vector(struct trial *t, unsigned which)
{
	const struct insn *f = &t->e->facts;
	bool mask = which - STUB_VECTORS < STUB_MASKS, writes = f->vectors_written >> which & 1;
	unsigned n = which < STUB_VECTORS ? STUB_VECTOR_FIRST + which
		     : mask		  ? STUB_MASK_FIRST + which - STUB_VECTORS
					  : SPARE_FIRST + which - SPARE_BIT;
	size_t bytes = mask ? sizeof *t->s.k : sizeof *t->s.zmm;
	struct state other = t->s;
	struct outcome o;
	uint8_t *in = mask ? (uint8_t *)&other.k[n] : other.zmm[n], *out = mask ? (uint8_t *)&o.s.k[n] : o.s.zmm[n];
	const uint8_t *first = mask ? (uint8_t *)&t->first.s.k[n] : t->first.s.zmm[n];

	if (memcmp(in, first, bytes) && !(which < SPARE_BIT ? f->uses_evex : f->uses_spare))
		wrong(t->e, "changes vector %u", which);
	if (f->vectors_read >> which & 1)
		return;
	for (size_t i = 0; i < bytes; i++)
		in[i] = any();
	if (!repeat(t, &other, &o) ||
	    !same(t, &o, (struct apart){16, undefined(t), mask ? 1 << n : 0, mask ? 0 : 1u << n}))
		wrong(t->e, "reads vector %u", which);
	else if (memcmp(out, writes ? first : in, bytes))
		wrong(t->e, "%s vector %u", writes ? "does not write all of" : "changes", which);
}

/* All registers at once that it does not use: those that only EVEX names and masks, or the spare ones. */
static void try_unused(struct trial *t, bool spare)
{
	struct apart but = {16, undefined(t), spare ? 0 : 0xff, spare ? 7u << SPARE_FIRST : 0xffff0000};
	struct state other = t->s;
	struct outcome o;

	if (spare ? t->e->facts.uses_spare : t->e->facts.uses_evex)
		return;
	for (unsigned k = 0; k < 8; k++)
		other.k[k] = but.k >> k & 1 ? any() : other.k[k];
	for (unsigned z = 0; z < 32; z++)
		for (unsigned i = 0; (but.zmm >> z & 1) && i < sizeof *other.zmm; i++)
			other.zmm[z][i] = any();
	if (!repeat(t, &other, &o) || !same(t, &o, but)) {
		wrong(t->e, "reads vectors that it does not use");
		return;
	}
	for (unsigned z = 0; z < 32; z++)
		if ((but.zmm >> z & 1) && memcmp(o.s.zmm[z], other.zmm[z], sizeof *other.zmm))
			wrong(t->e, "changes zmm%u", z);
	for (unsigned k = 0; k < 8; k++)
		if ((but.k >> k & 1) && o.s.k[k] != other.k[k])
			wrong(t->e, "changes k%u", k);
}

static void try_moves(const struct trial *t)
{
	const struct insn *f = &t->e->facts;
	const uint64_t *from = t->s.r, *to = t->first.s.r;

	if (!((f->writes | f->clobbers) >> RSP & 1) && f->move_to != RSP && to[RSP] != from[RSP] + f->rsp_change)
		wrong(t->e, "changes rsp by %lld", (long long)(to[RSP] - from[RSP]));
	if (f->move == MOVE_ADD && to[f->move_to] != from[f->move_from] + f->move_constant)
		wrong(t->e, "is another move");
	if (f->move == MOVE_ADD_REGISTER && to[f->move_to] != from[f->move_from] + from[f->move_to])
		wrong(t->e, "is another addition");
}

/* Reads change nothing, and what is overwritten does not matter. */
static void try_contents(struct trial *t)
{
	const struct insn *f = &t->e->facts;
	const struct ref *r = &f->refs[0];
	uint64_t at = address_of(&t->s, r) - (uint64_t)t->areas[0];
	struct outcome o;

	if (f->n_refs != 1 || r->form != REF_PLAIN || at + r->size > AREA)
		return;
	if (r->kind == REF_READ && memcmp(t->first.memory[0], t->contents[0], AREA))
		wrong(t->e, "changes what it reads");
	if (r->kind != REF_WRITE || has_mask(t->e))
		return;
	for (unsigned i = 0; i < r->size; i++)
		t->contents[0][at + i] ^= 0xff;
	if (!repeat(t, &t->s, &o) || !same(t, &o, (struct apart){16, undefined(t), 0, 0}))
		wrong(t->e, "reads what it is to write");
}

/* Registers and memory at random, the first times; then such that divisions end and values are tame. */
static bool prepare(struct trial *t, unsigned attempt)
{
	const struct insn *f = &t->e->facts;
	struct state *s = &t->s;
	uint64_t k[8];

	fill(s);
	memcpy(k, s->k, sizeof k);
	for (unsigned r = 0; r < 16; r++) {
		if (attempt > 1)
			s->r[r] |= 1ull << 62;
		if (makes_address(f, r) || r == RSP)
			s->r[r] = region(r) + MIDDLE + PAGE / 4;
	}
	if (attempt > 1 && !makes_address(f, RDX) && !makes_address(f, RAX)) {
		s->r[RDX] = 0;
		s->r[RAX] &= 127;
	}
	if (!put_indices(s, f))
		return false;
	memcpy(s->k, k, sizeof k);
	open_page(s->r[RSP]);
	for (unsigned i = 0; i < f->n_refs; i++) {
		t->areas[i] = (uint8_t *)(address_of(s, &f->refs[i]) & -64ull);
		open_page((uint64_t)t->areas[i] - PAGE / 4);
		open_page((uint64_t)t->areas[i] + PAGE / 4);
		for (unsigned b = 0; b < AREA; b++)
			t->contents[i][b] = attempt > 1 && b % 2 ? 0 : any();
	}
	return true;
}

static void try_registers(const struct encoding *e)
{
	struct trial t = {.e = e};
	struct outcome again;
	bool ends = false;

	for (unsigned attempt = 0; attempt < 6 && !ends; attempt++) {
		close_pages();
		ends = prepare(&t, attempt) && repeat(&t, &t.s, &t.first);
	}
	/* What is another one each time cannot be compared. */
	if (ends && repeat(&t, &t.s, &again) && same(&t, &again, (struct apart){16, 0, 0, 0})) {
		for (unsigned r = 0; r < 16; r++)
			if (r != RSP)
				try_general(&t, r);
		for (unsigned i = 0; i < 7; i++)
			try_flag(&t, i);
		for (unsigned i = 0; i < SPARE_BIT + SPARES; i++)
			try_vector(&t, i);
		try_unused(&t, false);
		try_unused(&t, true);
		try_moves(&t);
		try_contents(&t);
	}
	close_pages();
}

static void put_code(const struct encoding *e)
{
	uint8_t *p = mempcpy(CODE, before_code, before_code_end - before_code);

	p = mempcpy(p, e->bytes, e->d.length);
	memcpy(p, after_code, after_code_end - after_code);
}

/* ---- the tests ---- */

static const struct {
	void (*draw)(unsigned draws);
	unsigned draws;
	unsigned at_least; /* so many encodings are executed */
} sets[] = {
	{draw_legacy, 12, 10000},
	{draw_vex, 12, 5000},
	{draw_evex, 12, 10000},
};

START_TEST(facts_hold)
{
	unsigned executed = 0;

	sets[_i].draw(sets[_i].draws);
	find_all_facts();
	start();
	for (size_t i = 0; i < encodings.n; i++) {
		const struct encoding *e = &encodings.at[i];

		if (e->facts.unknown)
			continue;
		put_code(e); 
		if (!try_memory(e))
			continue;
		executed++;
		for (unsigned n = 0; n < 4; n++)
			try_registers(e);
	}
	printf("# %u encodings executed\n", executed);
	fflush(stdout);
	ck_assert_uint_eq(n_wrong, 0);
	ck_assert_uint_ge(executed, sets[_i].at_least);
}
END_TEST

/* What other makers' processors leave undefined, or do beyond it, was not tried. */
static bool is_tried(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0, &a, &b, &c, &d) && b == signature_INTEL_ebx && __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
	       __builtin_cpu_supports("avx512vl");
}

int main(void)
{
	TCase *tc = tcase_create("processor");

	if (!is_tried()) {
		puts("1..1\nok 1 - facts against the processor # SKIP tried on Intel's with AVX-512 only");
		return EXIT_SUCCESS;
	}
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, facts_hold, 0, sizeof sets / sizeof *sets);
	return run_case(tc, "processor");
}
