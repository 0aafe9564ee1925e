/* What passes through the instrumenter: one assembly file as a unit of sections, instructions,
 * and what is known of each. The passes fill it from top to bottom; a later pass reads what an
 * earlier one wrote and never goes back.
 *
 *	assemble  sections, instructions: statement, offset, bytes
 *	facts     what an instruction reads, writes, references, where it branches to
 *	lines     its cost centre
 *	blocks    its basic block
 */
#ifndef INSTRUMENT_UNIT_H
#define INSTRUMENT_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asmparse/asm.h"
#include "common/mem.h"

/* General registers by their hardware number (rax 0, rcx 1, rdx 2, rbx 3, rsp 4, rbp 5, rsi 6,
 * rdi 7, r8..r15); a regset has bit n for register n, whatever the width. */
enum {
	RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15,
	REG_IP = 16,
	REG_NONE = 0xff,
};
typedef uint32_t regset;
#define REGS_ALL 0xffffu

/* Flags as bits of a flagset. */
enum { FLAG_CF = 1, FLAG_PF = 2, FLAG_AF = 4, FLAG_ZF = 8, FLAG_SF = 16, FLAG_OF = 32, FLAG_DF = 64 };
typedef uint8_t flagset;
#define FLAGS_STATUS 0x3f /* all but DF: what planted code destroys */

/* Vector and mask registers: those that stubs use (slow_x86_64.S), bits 0 to 3 for zmm28 to zmm31, or their
 * lower parts, 4 to 6 for k5 to k7, which compilers take last; and the spare ones, in which planted code keeps
 * general registers, bits 7 to 9 for xmm13 to xmm15. */
typedef uint16_t vectorset;
#define VECTORS_STUBS 0x7f
#define VECTORS_SPARE 0x380
#define STUB_VECTORS 4
#define STUB_VECTOR_FIRST 28
#define STUB_MASKS 3
#define STUB_MASK_FIRST 5
#define VECTORS_ALL (VECTORS_STUBS | VECTORS_SPARE)
#define SPARES 3
#define SPARE_FIRST 13 /* the first one's number */
#define SPARE_BIT 7

enum ref_kind {
	REF_READ,
	REF_WRITE,
	REF_MODIFY, /* read-modify-write at one address: one Dr */
};

/* How the addresses of a reference come about. All but REF_PLAIN, REF_GOT and most of those under masks (groups.c) take
 * the special path: a call into the runtime, which computes them. */
enum ref_form {
	REF_PLAIN,    /* segment + base + index * scale + disp, always one reference of size bytes */
	REF_GOT,      /* operand sym@GOTPCREL(%rip) or sym@gottpoff(%rip): the linker may relax it
		       * away; what the instruction became is seen in the linked bytes */
	REF_REP,      /* movs, stos, lods, scas, cmps with a rep prefix: a dynamic number of references
		       * (without one they are REF_PLAIN, of rsi and rdi) */
	REF_BIT,      /* bt/bts/btr/btc %r, m: one byte at m + (bit >> 3) */
	REF_MASKED,   /* contiguous vector operand under a k mask: none when the mask is zero */
	REF_LANES,    /* vmaskmov, vpmaskmov, maskmovdqu: one reference per active lane */
	REF_GATHER,   /* gather or scatter: one reference per active lane */
	REF_XLAT,     /* rbx + al */
	REF_TLSCALL,  /* call *sym@TLSCALL(%rax): relaxed by the linker as REF_GOT */
	REF_TILE,     /* rows of a tile (AMX): index is what one is from the last one, mask the tile */
	REF_CALL,     /* a range that a called function refers to (callees.c): base points to it,
		       * mask is its enum call_length (site.h) */
};

struct ref {
	uint8_t kind;	      /* enum ref_kind */
	uint8_t form;	      /* enum ref_form */
	uint16_t size;	      /* bytes; of one lane or element for the dynamic forms */
	uint8_t base;	      /* register number, REG_IP or REG_NONE */
	uint8_t index;	      /* register number (vector register number for REF_GATHER) or REG_NONE */
	uint8_t scale;	      /* 1, 2, 4, 8 */
	uint8_t segment;      /* 0, 'f' (%fs) or 'g' (%gs) */
	bool addr32;	      /* address-size prefix: the address is truncated to 32 bits */
	int64_t disp;	      /* the number in the displacement; for push, call: -8 from rsp as it is
			       * before the instruction; for pop m(%rsp): with the 8 added */
	struct asm_text symbol; /* the symbolic part of the displacement as written, with its
			       * @SUFFIX ("foo", "foo@GOTPCREL", "x@tpoff", ".LC0"), p == NULL if
			       * the displacement is a number. "8+foo", "foo+8", "foo-8" are split into
			       * symbol and disp; an expression that does not split so is the symbol
			       * whole, in parentheses as written, disp 0. base REG_IP with symbol.p
			       * NULL: the address is relative to the instruction and cannot be
			       * written elsewhere (macros, "4(%rip)", ".", a number of more than
			       * 32 bits): not countable, warned of */
	uint8_t mask;	      /* k register number 1..7 of REF_MASKED and EVEX gathers, or the vector
			       * register of REF_LANES and VEX gathers (gathers: evex tells which);
			       * REF_BIT: the general register with the bit offset, whose width in
			       * bytes (2, 4, 8; a signed number) is in vector */
	bool evex;	      /* the mask is a k register */
	uint8_t vector;	      /* bytes of the vector registers involved (8, 16, 32, 64) in the
			       * dynamic vector forms: the wider of index and data for REF_GATHER */
	uint8_t lanes;	      /* dynamic vector forms: how many mask bits (or lanes) count */
	uint8_t index_size;   /* REF_GATHER: bytes of one index, 4 or 8 */
	uint32_t centre;      /* REF_CALL: its own, an index into unit.centres */
};

/* Whether its address can be written elsewhere than in its instruction. */
static inline bool ref_has_address(const struct ref *r)
{
	return r->base != REG_IP || r->symbol.p;
}

/* Whether their number is known only when they are made. */
static inline bool ref_is_dynamic(const struct ref *r)
{
	return r->form == REF_REP || r->form == REF_CALL || r->form == REF_MASKED ||
	       r->form == REF_LANES || r->form == REF_GATHER || r->form == REF_TILE;
}

enum branch_kind {
	BRANCH_NONE,
	BRANCH_JUMP,	      /* direct jmp */
	BRANCH_COND,	      /* jcc */
	BRANCH_SHORT,	      /* jrcxz, jecxz, loop, loope, loopne: rel8 only */
	BRANCH_JUMP_INDIRECT, /* jmp *x */
	BRANCH_CALL,	      /* direct call */
	BRANCH_CALL_INDIRECT, /* call *x */
	BRANCH_RET,
	BRANCH_STOP,	      /* ud2, hlt: control does not come here or never goes on */
	BRANCH_BARRIER,	      /* not understood (unknown to Zydis, xbegin, ...): anything may follow */
};

/* A move of a known value, for following registers as value + constant. */
enum move_kind {
	MOVE_NONE, /* destinations get unknown values */
	MOVE_ADD,  /* to = from + constant (mov r,r: 0; lea c(r); add/sub $c; inc/dec; 64 bit only) */
	MOVE_ADD_REGISTER, /* to = to + from (add r,r; 64 bit only), which are different registers */
};

#define INSN_MAX_REFS 5 /* of a call through memory: what it reads, pushes, and up to three ranges (callees.c) */

struct insn {
	uint32_t stmt;	  /* the statement it stands in; several instructions of one statement (a
			   * macro, .byte, padding) follow one another. A lone prefix before the
			   * instruction is its first statement: planted code goes before that */
	uint32_t text_stmt; /* the ASM_INSN statement that spells it, whose operands are its own;
			     * UINT32_MAX: none (macro, .byte, padding) */
	uint32_t section; /* index into unit.sections */
	uint32_t offset;  /* in that section as the original object has it */
	uint8_t len;
	bool padding;	  /* written by gas for an alignment directive */
	bool data;	  /* bytes that do not decode (data in text): not an instruction, one entry
			   * for the whole run whatever its length; len is then 0 */
	bool behind_end;  /* such data behind a function's end: control never comes to them */
	bool unknown;	  /* Zydis does not know it */
	bool jumps_over;  /* a jump over data to what stands behind that, which is part of it: does nothing */
	bool relocated;	  /* the linker completes some of its bytes */
	bool glued;	  /* nothing may be planted directly before it: it is part of a contiguous
			   * sequence (TLS general/local dynamic, after a lone prefix, the ret after
			   * call __morestack) or not the first of its statement */
	const uint8_t *bytes;
	bool written_over; /* a NOP that may be, with its neighbours (anchors.h) */
	bool after_morestack; /* the ret behind call __morestack */
	bool request; /* the first of a client request's (requests.c) */
	bool unsure;  /* control may go on behind it more or less often than it comes to it: the last of a client
		       * request's, a system call, which may end, fork, or wait for a signal, a trap, whose signal
		       * may have a handler */
	/* facts */
	regset reads;	  /* registers whose value matters, address registers included */
	regset writes;	  /* registers surely overwritten in full (32- or 64-bit writes) */
	regset clobbers;  /* registers changed, but perhaps not in full (8/16 bit, conditional) */
	flagset flags_read;
	flagset flags_written; /* surely overwritten (or left undefined) */
	vectorset vectors_read;
	vectorset vectors_written; /* surely overwritten in full */
	uint8_t branch;	  /* enum branch_kind */
	uint8_t condition; /* BRANCH_COND, BRANCH_SHORT: as in struct branch (site.h) */
	uint8_t target_register; /* of an indirect branch, or REG_NONE: the target is in memory, at refs[0] */
	uint32_t target;  /* offset of a direct branch within the same section, or UINT32_MAX */
	uint32_t address; /* offset within the same section that a lea has written as so many bytes from here, or from
			   * a label; or UINT32_MAX */
	struct asm_text target_symbol; /* of a direct branch, as written, without @PLT; p NULL if none */
	bool by_distance; /* its target is written as so many bytes from here or from a label: it must
			   * be written as the target's own label, for what lies between gets longer */
	uint8_t move, move_to, move_from; /* enum move_kind and registers */
	int32_t move_constant;
	int16_t rsp_change; /* push -8, pop 8, ...; rsp is then not in writes. call, ret: 0 */
	uint8_t n_refs;
	struct ref refs[INSN_MAX_REFS]; /* in program order: reads before writes of one instruction */
	uint32_t alias;	  /* 1 + index into unit.aliases, or 0 */
	uint32_t anchor;  /* 1 + the statement of its label, before which what is planted for it goes; or 0
			   * (anchors.h) */
	bool rep;	  /* rep-prefixed string instruction */
	bool uses_evex;	  /* touches zmm16-31, ymm16-31, xmm16-31 or a k register */
	bool uses_spare;  /* touches xmm13 to xmm15 or what they are part of */
	bool uses_vex;	  /* touches vector registers as only processors with AVX can */
	bool caught;	  /* what it throws may be caught in its function (cfi.h) */
	regset cfa;	  /* that unwinders tell frames by before it, and nothing else may be in: not rsp (cfi.h) */
	/* lines */
	uint32_t centre;  /* index into unit.centres */
	/* blocks */
	uint32_t block;
};

struct text_section {
	const char *name;    /* as in the object */
	struct asm_text directive; /* arguments that switch to it again (".text.foo,\"ax\",@progbits",
			      * or ".text"), as the file first wrote them */
	uint64_t align;
	uint64_t size;	     /* of the original */
	uint32_t elf_index;  /* in the first object */
	uint32_t first_insn, n_insns;
};

struct centre {
	uint32_t file, line, function; /* indices into unit.files, unit.functions; line from 1, 0 unknown */
};

/* A label of a text section: every symbol that the file itself defines there. */
struct label {
	const char *name;
	uint32_t stmt; /* UINT32_MAX: not by a label statement of its own (.set, inside a macro) */
	uint32_t section, offset;
	uint32_t insn; /* the first instruction at or after it in its section, or UINT32_MAX */
	bool function; /* .type name, @function (or gnu_indirect_function) */
	bool ifunc;    /* gnu_indirect_function */
	bool global;   /* not local (global or weak) */
	bool weak;     /* another unit's of the name goes before it (object.h) */
	/* blocks */
	bool arrival;  /* control may come to it */
};

struct unit {
	const struct asm_file *file;
	char *said; /* what gas had to say of it */
	VEC(struct text_section) sections;
	VEC(struct insn) insns; /* section after section, each by offset */
	VEC(struct label) labels; /* by section, offset */
	uint32_t *stmt_insn; /* per statement: its first instruction, or UINT32_MAX */
	bool has_locs; /* .loc directives: a compiler's output */
	VEC(struct centre) centres;
	VEC(const char *) files, functions; /* index 0: "???" */
	VEC(struct asm_text) aliases; /* what they mean: as the operands have it */
	VEC(const char *) needs; /* names that it uses and does not define, but for weak ones */
};

static inline bool is_call(const struct insn *i)
{
	return i->branch == BRANCH_CALL || i->branch == BRANCH_CALL_INDIRECT;
}

#endif
