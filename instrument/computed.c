/* A jump's register is followed back, through the instructions that stand before it, to what it was made of: as
 *
 *	lea	0f(%rip),%rax
 *	lea	(%rax,%rdi,8),%rax
 *	jmp	*%rax
 *
 * does it. What was read from memory is an address, or a distance from a table of such (movslq, add), unless it was
 * multiplied since: then it is a number of pieces. Compilers write no such jumps. */
#include "instrument/computed.h"

#include "instrument/blocks.h"
#include "instrument/decode.h"
#include "instrument/expression.h"

#define LOOK 32 /* instructions */

struct origins {
	const struct unit *unit;
	const struct names *names;
	regset as_they_are, multiplied; /* that the target is made of */
	uint32_t from;			/* the instruction whose address it is made of */
	bool computed;			/* something was added to an address */
};

static uint32_t code_at(const struct unit *u, uint32_t i)
{
	return i < u->insns.n && !u->insns.at[i].data ? i : UINT32_MAX;
}

/* The code whose address an operand is or has: $pieces, pieces(,%rax,8). A difference of labels is none. */
static uint32_t named_in(const struct origins *o, const struct asm_operand *operand, uint32_t stmt)
{
	struct asm_text text = operand->disp.p ? operand->disp : operand->text, symbol;
	const struct label *label;
	int64_t addend;

	if (operand->kind == ASM_OP_IMMEDIATE && !operand->disp.p && text.len && *text.p == '$')
		text = (struct asm_text){text.p + 1, text.len - 1};
	if (operand->kind == ASM_OP_REGISTER || expression_split(text, &symbol, &addend) != EXPRESSION_SYMBOL)
		return UINT32_MAX;
	label = names_label(o->names, symbol, stmt);
	return label ? code_at(o->unit, label->insn) : UINT32_MAX;
}

/* The code whose address the instruction names, or UINT32_MAX. */
static uint32_t named(const struct origins *o, const struct insn *insn, const ZydisDecodedInstruction *d)
{
	const struct unit *u = o->unit;
	const struct asm_stmt *s = insn->text_stmt == UINT32_MAX ? NULL : &u->file->stmts[insn->text_stmt];
	uint32_t code = UINT32_MAX;

	if (d->mnemonic != ZYDIS_MNEMONIC_LEA && d->mnemonic != ZYDIS_MNEMONIC_MOV)
		return UINT32_MAX;
	if (d->mnemonic == ZYDIS_MNEMONIC_LEA && !insn->relocated && !d->raw.modrm.mod && d->raw.modrm.rm == 5)
		return code_at(u, insn_from(u, insn->section,
					    insn->offset + insn->len + (uint32_t)d->raw.disp.value));
	for (uint32_t i = 0; s && i < s->n_operands && code == UINT32_MAX; i++)
		code = named_in(o, &s->operands[i], insn->stmt);
	return code;
}

static bool multiplies(const ZydisDecodedInstruction *d)
{
	switch (d->mnemonic) {
	case ZYDIS_MNEMONIC_LEA:
		return d->raw.sib.scale;
	case ZYDIS_MNEMONIC_SHL:
	case ZYDIS_MNEMONIC_SHLX:
	case ZYDIS_MNEMONIC_IMUL:
	case ZYDIS_MNEMONIC_MUL:
		return true;
	default:
		return false;
	}
}

static bool adds(const struct insn *insn, const ZydisDecodedInstruction *d)
{
	return insn->move == MOVE_ADD ? insn->move_constant : d->mnemonic == ZYDIS_MNEMONIC_ADD ||
							      d->mnemonic == ZYDIS_MNEMONIC_SUB ||
							      d->mnemonic == ZYDIS_MNEMONIC_LEA;
}

/* To before an instruction that changes some of those registers; false if the target is from memory, or something that
 * the linker knows is part of it (-mcmodel=large: sym@GOTOFF). */
static bool go_back(struct origins *o, const struct insn *insn)
{
	bool reads_memory = insn->n_refs && insn->refs[0].kind != REF_WRITE;
	regset plain = o->as_they_are & (insn->writes | insn->clobbers);
	ZydisDecodedInstruction d;
	uint32_t code;

	if ((plain && reads_memory) || insn->unknown || !decode_length(insn->bytes, insn->len, &d))
		return false;
	o->as_they_are &= ~insn->writes;
	o->multiplied &= ~insn->writes;
	if (reads_memory)
		return true;
	code = named(o, insn, &d);
	if (code == UINT32_MAX && insn->relocated)
		return false;
	if (code != UINT32_MAX)
		o->from = code;
	if (adds(insn, &d))
		o->computed |= insn->reads;
	if (plain && !multiplies(&d))
		o->as_they_are |= insn->reads;
	else
		o->multiplied |= insn->reads;
	return true;
}

/* Whether control comes to the next instruction, with what this one has made. */
static bool goes_on(const struct insn *insn)
{
	return !insn->data &&
	       (insn->branch == BRANCH_NONE || insn->branch == BRANCH_COND || insn->branch == BRANCH_SHORT);
}

uint32_t computed_from(const struct unit *unit, const struct names *names, uint32_t jump)
{
	const struct insn *insns = unit->insns.at;
	uint32_t first = unit->sections.at[insns[jump].section].first_insn;
	struct origins o = {.unit = unit, .names = names, .from = UINT32_MAX};

	if (insns[jump].target_register == REG_NONE)
		return UINT32_MAX;
	o.as_they_are = 1u << insns[jump].target_register;
	for (uint32_t i = jump; i > first && jump - i < LOOK && (o.as_they_are | o.multiplied); i--) {
		const struct insn *insn = &insns[i - 1];

		if (!goes_on(insn))
			break;
		if ((insn->writes | insn->clobbers) & (o.as_they_are | o.multiplied) && !go_back(&o, insn))
			return UINT32_MAX;
	}
	return o.computed ? o.from : UINT32_MAX;
}
