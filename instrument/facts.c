/* What an instruction reads, writes, references and where it goes: in the first place what the
 * decoder says of its operands, hidden ones included; then the rows of facts_x86_64.def put right
 * what the decoder leaves open or what is counted otherwise (the manual, 5.1 and 5.2). Symbols come from the text,
 * since the bytes only have what gas could resolve. */
#include "instrument/facts.h"

#include "common/diag.h"
#include "include/site.h"
#include "instrument/blocks.h"
#include "instrument/decode.h"
#include "instrument/expression.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define NONE UINT32_MAX
/* Instructions behind the lea of a TLS sequence up to its call: the large model has two between. */
#define TLS_MAX 4

struct name {
	struct asm_text text;
	uint32_t label; /* index into unit.labels */
	UT_hash_handle hh;
};

struct work {
	struct unit *unit;
	struct insn *insn;
	const struct asm_stmt *text; /* that spells it, or NULL */
	ZydisDecodedInstruction d;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	struct name *labels;  /* made when first needed */
	struct name *unknown; /* mnemonics already warned of */
	bool told_place;
	unsigned tls; /* instructions left of a TLS sequence */
	unsigned morestack; /* instructions left in which the function that was loaded last may be called */
};

/* Registers */

static struct {
	uint8_t number; /* REG_NONE: no general register */
	uint8_t bytes;
} registers[ZYDIS_REGISTER_MAX_VALUE + 1];

static void fill_registers(void)
{
	static const struct {
		ZydisRegisterClass class;
		uint8_t bytes;
	} classes[] = {
	    {ZYDIS_REGCLASS_GPR8, 1},
	    {ZYDIS_REGCLASS_GPR16, 2},
	    {ZYDIS_REGCLASS_GPR32, 4},
	    {ZYDIS_REGCLASS_GPR64, 8},
	};

	for (size_t r = 0; r <= ZYDIS_REGISTER_MAX_VALUE; r++) {
		ZydisRegister whole =
		    ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);

		registers[r].number = REG_NONE;
		for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
			if (ZydisRegisterGetClass(r) == classes[i].class) {
				registers[r].number = ZydisRegisterGetId(whole);
				registers[r].bytes = classes[i].bytes;
			}
	}
	registers[ZYDIS_REGISTER_RIP].number = REG_IP;
	registers[ZYDIS_REGISTER_EIP].number = REG_IP;
}

static regset bit_of(ZydisRegister r)
{
	return registers[r].number < REG_IP ? 1u << registers[r].number : 0;
}

static bool is_64_bit(const ZydisDecodedOperand *op)
{
	return op->type == ZYDIS_OPERAND_TYPE_REGISTER && registers[op->reg.value].bytes == 8;
}

/* A write of less than 32 bits keeps the rest, a conditional one perhaps everything. */
static void note_register(struct work *w, const ZydisDecodedOperand *op)
{
	regset bit = bit_of(op->reg.value);

	if (op->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		w->insn->reads |= bit;
	if (!(op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
		return;
	if ((op->actions & ZYDIS_OPERAND_ACTION_WRITE) && registers[op->reg.value].bytes >= 4) {
		w->insn->writes |= bit;
	} else {
		w->insn->clobbers |= bit;
		w->insn->reads |= bit;
	}
}

static bool is_vector(ZydisRegister r)
{
	ZydisRegisterClass class = ZydisRegisterGetClass(r);

	return class == ZYDIS_REGCLASS_XMM || class == ZYDIS_REGCLASS_YMM ||
	       class == ZYDIS_REGCLASS_ZMM;
}

/* k0 as a mask means that there is none. */
static bool needs_evex(const ZydisDecodedOperand *op)
{
	ZydisRegister r = op->reg.value;

	if (ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_MASK)
		return op->encoding != ZYDIS_OPERAND_ENCODING_MASK || r != ZYDIS_REGISTER_K0;
	return is_vector(r) && ZydisRegisterGetId(r) >= 16;
}

static vectorset vector_bit(ZydisRegister r)
{
	/* n registers from first on, which have bits from bit on. */
	static const struct {
		bool mask;
		unsigned first, n, bit;
	} kinds[] = {
		{false, STUB_VECTOR_FIRST, STUB_VECTORS, 0},
		{true, STUB_MASK_FIRST, STUB_MASKS, STUB_VECTORS},
		{false, SPARE_FIRST, SPARES, SPARE_BIT},
	};
	bool mask = ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_MASK;
	unsigned id = (unsigned)ZydisRegisterGetId(r);

	for (size_t k = 0; (mask || is_vector(r)) && k < sizeof kinds / sizeof *kinds; k++)
		if (kinds[k].mask == mask && id - kinds[k].first < kinds[k].n)
			return (vectorset)(1 << (id - kinds[k].first + kinds[k].bit));
	return 0;
}

static bool is_vex(const struct work *w)
{
	return w->d.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX || w->d.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
}

/* What a mask leaves out stays as it is, unless it becomes zero, and so does what SSE does not write; all else
 * clears that. */
static bool writes_all(const struct work *w, const ZydisDecodedOperand *op)
{
	bool merges = w->d.avx.mask.reg != ZYDIS_REGISTER_NONE && w->d.avx.mask.reg != ZYDIS_REGISTER_K0 &&
		      w->d.avx.mask.mode != ZYDIS_MASK_MODE_ZEROING && is_vector(op->reg.value);

	return (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == ZYDIS_OPERAND_ACTION_WRITE &&
	       !(op->actions & ZYDIS_OPERAND_ACTION_MASK_READ) && !merges && is_vex(w);
}

static void note_vector(struct work *w, const ZydisDecodedOperand *op)
{
	vectorset bit = vector_bit(op->reg.value);

	w->insn->uses_evex |= needs_evex(op);
	w->insn->uses_spare |= (bit & VECTORS_SPARE) != 0;
	w->insn->uses_vex |= is_vector(op->reg.value) && is_vex(w);
	if (writes_all(w, op))
		w->insn->vectors_written |= bit;
	else
		w->insn->vectors_read |= bit;
}

/* Flags */

static flagset flagset_of(ZydisAccessedFlagsMask mask)
{
	static const struct {
		ZydisAccessedFlagsMask theirs;
		flagset ours;
	} table[] = {
	    {ZYDIS_CPUFLAG_CF, FLAG_CF}, {ZYDIS_CPUFLAG_PF, FLAG_PF}, {ZYDIS_CPUFLAG_AF, FLAG_AF},
	    {ZYDIS_CPUFLAG_ZF, FLAG_ZF}, {ZYDIS_CPUFLAG_SF, FLAG_SF}, {ZYDIS_CPUFLAG_OF, FLAG_OF},
	    {ZYDIS_CPUFLAG_DF, FLAG_DF},
	};
	flagset set = 0;

	for (size_t i = 0; mask && i < sizeof table / sizeof *table; i++)
		if (mask & table[i].theirs)
			set |= table[i].ours;
	return set;
}

/* The decoder forgets to say of cmc, adcx and adox that they write; what it does say is which
 * writes are conditional: shifts by %cl, rep cmps. */
static void note_flags(struct work *w, const ZydisDecodedOperand *op)
{
	const ZydisAccessedFlags *flags = w->d.cpu_flags;

	w->insn->flags_read = flagset_of(flags->tested);
	if (!(op->actions & ZYDIS_OPERAND_ACTION_CONDWRITE))
		w->insn->flags_written =
		    flagset_of(flags->modified | flags->set_0 | flags->set_1 | flags->undefined);
}

/* References */

/* The operand of the text that names memory. Where two look like symbols, one may be a name that was given to a
 * register. */
static const struct asm_operand *memory_text(const struct work *w)
{
	const struct asm_operand *bare = NULL;
	unsigned n_bare = 0;

	if (!w->text)
		return NULL;
	for (uint32_t i = 0; i < w->text->n_operands; i++) {
		const struct asm_operand *op = &w->text->operands[i];

		if (op->kind == ASM_OP_MEMORY)
			return op;
		if (op->kind == ASM_OP_BARE) {
			bare = op;
			n_bare++;
		}
	}
	return n_bare == 1 ? bare : NULL;
}

static void no_address(struct work *w, struct ref *ref, const char *why)
{
	ref->base = REG_IP;
	ref->index = REG_NONE;
	ref->disp = 0;
	if (!w->told_place)
		warn_at(asm_place(w->unit->file, w->insn->stmt), NULL, 0, "%s", why);
	w->told_place = true;
}

static const char of_hidden_register[] =
    "an address of a symbol and a register by another name is counted, but not simulated";
static const char beside_itself[] = "an operand relative to its own instruction is counted, but not simulated";

/* Without a text, the bytes say it all unless the linker completes them. */
static void address_from_bytes(struct work *w, struct ref *ref, const char *why)
{
	if (ref->base == REG_IP || (w->insn->relocated && w->d.raw.disp.size >= 32))
		no_address(w, ref, why);
}

/* A name that was given to a register looks like a symbol: without '%' anywhere, and with it where it stands alone,
 * also as another operand than the one of memory. */
static bool hides_register(const struct work *w, const struct asm_operand *op, const struct ref *ref)
{
	unsigned named = (op->base.p != NULL) + (op->index.p != NULL);

	return (w->text->syntax.p || w->text->naked || op->kind == ASM_OP_BARE) &&
	       named != (unsigned)(ref->base != REG_NONE) + (ref->index != REG_NONE);
}

static void note_symbol(struct work *w, struct ref *ref)
{
	const struct asm_operand *op = memory_text(w);
	int64_t addend;

	if (!op || hides_register(w, op, ref)) {
		address_from_bytes(w, ref, w->text ? of_hidden_register : beside_itself);
		return;
	}
	switch (expression_split(op->disp, &ref->symbol, &addend)) {
	case EXPRESSION_NUMBER: /* what the linker completes is another operand */
		if (ref->base == REG_IP)
			no_address(w, ref, beside_itself);
		break;
	case EXPRESSION_PLACE:
		no_address(w, ref, beside_itself);
		break;
	case EXPRESSION_SYMBOL:
		ref->disp = addend;
		if (expression_has_suffix(ref->symbol, "@gotpcrel") ||
		    expression_has_suffix(ref->symbol, "@gottpoff"))
			ref->form = REF_GOT;
		else if (expression_has_suffix(ref->symbol, "@tlscall"))
			ref->form = REF_TLSCALL;
		break;
	}
}

static enum ref_kind kind_of(const ZydisDecodedOperand *op)
{
	if (!(op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
		return REF_READ;
	return op->actions & ZYDIS_OPERAND_ACTION_MASK_READ ? REF_MODIFY : REF_WRITE;
}

static uint8_t segment_of(ZydisRegister r)
{
	return r == ZYDIS_REGISTER_FS ? 'f' : r == ZYDIS_REGISTER_GS ? 'g' : 0;
}

static uint8_t index_of(ZydisRegister r)
{
	return is_vector(r) ? ZydisRegisterGetId(r) : registers[r].number;
}

/* Reads go before writes. */
static struct ref *place_for(struct insn *insn, enum ref_kind kind)
{
	uint8_t at = insn->n_refs++;

	for (; at && kind == REF_READ && insn->refs[at - 1].kind != REF_READ; at--)
		insn->refs[at] = insn->refs[at - 1];
	return &insn->refs[at];
}

static struct ref reference_of(const struct work *w, const ZydisDecodedOperand *op)
{
	return (struct ref){
	    .kind = kind_of(op),
	    .size = op->size / 8,
	    .base = registers[op->mem.base].number,
	    .index = index_of(op->mem.index),
	    .scale = op->mem.scale ? op->mem.scale : 1,
	    .segment = segment_of(op->mem.segment),
	    .addr32 = w->d.address_width == 32,
	    .disp = op->mem.disp.value,
	};
}

/* movabs alone can have such an operand. */
static bool is_far_number(const struct ref *ref)
{
	return ref->base == REG_NONE && ref->index == REG_NONE && !ref->symbol.p && ref->disp != (int32_t)ref->disp;
}

static void note_reference(struct work *w, const ZydisDecodedOperand *op)
{
	struct ref *ref;

	if (w->insn->n_refs == INSN_MAX_REFS || !op->size)
		return;
	ref = place_for(w->insn, kind_of(op));
	*ref = reference_of(w, op);
	if (op->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT)
		note_symbol(w, ref);
	if (is_far_number(ref))
		no_address(w, ref,
			   "an address of more than 32 bits, written as a number, is counted, but not simulated");
}

static uint8_t scalar_lanes(const struct work *w, const ZydisDecodedOperand *mem)
{
	return mem->element_count == 1 && mem->element_size <= 64 && !w->d.avx.broadcast.mode &&
	       w->d.mnemonic != ZYDIS_MNEMONIC_VMOVDDUP;
}

/* How many bits of the mask count: one for each element of the destination, but no more than the source has. */
static uint8_t masked_lanes(const struct work *w, const ZydisDecodedOperand *mem)
{
	const ZydisDecodedOperand *to = &w->ops[0];
	uint16_t lanes = w->d.avx.vector_length / mem->element_size;

	if (scalar_lanes(w, mem))
		return 1;
	if (to->type == ZYDIS_OPERAND_TYPE_MEMORY || is_vector(to->reg.value))
		return lanes < to->element_count ? lanes : to->element_count;
	return lanes;
}

/* Whether nothing is touched where the mask has no bit: all others "do not support fault suppression" (SDM 2.8,
 * exceptions of type E4NF, E5NF, E6NF). Zydis has some of these among those of type E4 (facts_x86_64.def). */
static bool mask_suppresses(const struct work *w)
{
	ZydisRegister k = w->d.avx.mask.reg;

	switch (w->d.meta.exception_class) {
	case ZYDIS_EXCEPTION_CLASS_E4NF:
	case ZYDIS_EXCEPTION_CLASS_E5NF:
	case ZYDIS_EXCEPTION_CLASS_E6NF:
		return false;
	default:
		return w->d.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && k != ZYDIS_REGISTER_NONE &&
		       k != ZYDIS_REGISTER_K0;
	}
}

static void note_mask(struct work *w, const ZydisDecodedOperand *mem)
{
	if (!w->insn->n_refs || !mask_suppresses(w))
		return;
	w->insn->refs[0].form = REF_MASKED;
	w->insn->refs[0].evex = true;
	w->insn->refs[0].mask = ZydisRegisterGetId(w->d.avx.mask.reg);
	w->insn->refs[0].vector = w->d.avx.vector_length / 8;
	w->insn->refs[0].lanes = masked_lanes(w, mem);
}

static void note_memory(struct work *w, const ZydisDecodedOperand *op)
{
	w->insn->reads |= bit_of(op->mem.base) | bit_of(op->mem.index);
	if (op->mem.type == ZYDIS_MEMOP_TYPE_VSIB) {
		w->insn->uses_evex |= ZydisRegisterGetId(op->mem.index) >= 16;
		w->insn->uses_spare |= (vector_bit(op->mem.index) & VECTORS_SPARE) != 0;
		w->insn->vectors_read |= vector_bit(op->mem.index);
	}
	if (op->mem.type != ZYDIS_MEMOP_TYPE_MEM && op->mem.type != ZYDIS_MEMOP_TYPE_VSIB)
		return;
	note_reference(w, op);
	note_mask(w, op);
}

static void note_operand(struct work *w, const ZydisDecodedOperand *op)
{
	if (op->type == ZYDIS_OPERAND_TYPE_MEMORY) {
		note_memory(w, op);
	} else if (op->type == ZYDIS_OPERAND_TYPE_REGISTER) {
		if (op->reg.value == ZYDIS_REGISTER_RFLAGS)
			note_flags(w, op);
		note_register(w, op);
		note_vector(w, op);
	}
}

/* Control flow */

static void read_everything(struct work *w)
{
	w->insn->reads = REGS_ALL;
	w->insn->writes = 0;
	w->insn->flags_read = FLAGS_STATUS | FLAG_DF;
	w->insn->flags_written = 0;
	w->insn->vectors_read = VECTORS_ALL;
	w->insn->vectors_written = 0;
}

static void barrier(struct work *w)
{
	read_everything(w);
	w->insn->branch = BRANCH_BARRIER;
}

static void stop(struct work *w)
{
	w->insn->branch = BRANCH_STOP;
}

static struct name *find_name(struct name *table, struct asm_text text)
{
	struct name *found;

	HASH_FIND(hh, table, text.p, text.len, found);
	return found;
}

static void add_name(struct name **table, struct asm_text text, uint32_t label)
{
	struct name *name = arena_alloc(sizeof *name);

	*name = (struct name){.text = text, .label = label};
	HASH_ADD_KEYPTR(hh, *table, name->text.p, name->text.len, name);
}

static void fill_labels(struct work *w)
{
	for (size_t i = 0; i < w->unit->labels.n; i++) {
		const char *s = w->unit->labels.at[i].name;
		struct asm_text name = {s, strlen(s)};

		if (!(*s >= '0' && *s <= '9') && !find_name(w->labels, name))
			add_name(&w->labels, name, i);
	}
}

/* A label of the instruction's own section, or NULL. */
static const struct label *label_here(struct work *w, struct asm_text name)
{
	const struct label *label;
	struct name *found;

	if (!w->labels)
		fill_labels(w);
	found = find_name(w->labels, name);
	label = found ? &w->unit->labels.at[found->label] : NULL;
	return label && label->section == w->insn->section ? label : NULL;
}

/* A target that the linker fills in may still be of this section: a global symbol. */
static uint32_t target_by_name(struct work *w)
{
	const struct label *label = w->insn->target_symbol.p ? label_here(w, w->insn->target_symbol) : NULL;

	return label ? label->offset : NONE;
}

/* What the linker fills in may also be so many bytes from a global symbol. For a weak one it may take another. */
static uint32_t place_beside_name(struct work *w, struct asm_text text)
{
	const struct label *label;
	struct asm_text symbol;
	int64_t addend, place;

	if (expression_split(text, &symbol, &addend) != EXPRESSION_SYMBOL || !addend)
		return NONE;
	label = label_here(w, expression_unquoted(expression_strip_suffix(symbol, "@plt")));
	if (!label || label->weak)
		return NONE;
	place = label->offset + addend;
	return place >= 0 && (uint64_t)place < w->unit->sections.at[label->section].size ? (uint32_t)place : NONE;
}

/* By a statement of its own. */
static bool is_labelled(const struct unit *u, uint32_t section, uint32_t offset)
{
	for (size_t i = label_from(u, section, offset); i < u->labels.n; i++) {
		const struct label *l = &u->labels.at[i];

		if (l->section != section || l->offset != offset)
			break;
		if (l->stmt != NONE)
			return true;
	}
	return false;
}

static bool begins_statement(const struct unit *u, uint32_t section, uint32_t offset)
{
	uint32_t to = insn_at(u, section, offset);

	return to != NONE && u->stmt_insn[u->insns.at[to].stmt] == to;
}

/* Whether what gas works out to be that place is so many bytes from somewhere. The name of a label is not, but that of
 * a symbol that was set may be, and a sum that cannot be split. */
static bool is_by_distance(const struct work *w, struct asm_text text, uint32_t place)
{
	const struct unit *u = w->unit;
	uint32_t section = w->insn->section;
	struct asm_text symbol;
	int64_t addend;
	enum expression_kind kind = expression_split(text, &symbol, &addend);
	bool labelled;

	if (w->insn->relocated || kind == EXPRESSION_NUMBER)
		return false;
	if (kind == EXPRESSION_PLACE || addend)
		return true;
	labelled = is_labelled(u, section, place);
	if (*symbol.p == '(')
		return !labelled || begins_statement(u, section, place);
	return !labelled && begins_statement(u, section, place);
}

static void direct(struct work *w, enum branch_kind kind)
{
	const struct asm_operand *op = memory_text(w);
	struct insn *insn = w->insn;
	bool bare = op && op->kind == ASM_OP_BARE;
	uint32_t beside = bare && insn->relocated ? place_beside_name(w, op->disp) : NONE;

	insn->branch = kind;
	if (bare)
		insn->target_symbol = expression_unquoted(expression_strip_suffix(op->disp, "@plt"));
	if (beside != NONE)
		insn->target = beside;
	else if (insn->relocated)
		insn->target = target_by_name(w);
	else
		insn->target = insn->offset + insn->len + w->ops[0].imm.value.s;
	insn->by_distance = beside != NONE || (bare && is_by_distance(w, op->disp, insn->target));
}

/* Calls and jumps to another segment do more than branch. */
static void transfer(struct work *w, enum branch_kind to_symbol, enum branch_kind indirect)
{
	if (w->d.meta.branch_type != ZYDIS_BRANCH_TYPE_NEAR &&
	    w->d.meta.branch_type != ZYDIS_BRANCH_TYPE_SHORT) {
		barrier(w);
	} else if (w->ops[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		direct(w, to_symbol);
	} else {
		w->insn->branch = indirect;
		w->insn->target_register = w->ops[0].type == ZYDIS_OPERAND_TYPE_REGISTER
					       ? registers[w->ops[0].reg.value].number
					       : REG_NONE;
	}
}

static void jump(struct work *w)
{
	transfer(w, BRANCH_JUMP, BRANCH_JUMP_INDIRECT);
}

static void conditional(struct work *w)
{
	transfer(w, BRANCH_COND, BRANCH_BARRIER);
	w->insn->condition = w->d.opcode & 15;
}

static void short_branch(struct work *w)
{
	w->insn->branch = BRANCH_SHORT;
	w->insn->condition = (w->d.opcode & 3) | CONDITION_LOOP |
			     (w->d.address_width == 32 ? CONDITION_ECX : 0);
}

/* The return address goes below rsp, which comes back as it was. */
static void call(struct work *w)
{
	struct insn *insn = w->insn;

	for (unsigned i = 0; i < insn->n_refs; i++)
		if (insn->refs[i].kind == REF_WRITE)
			insn->refs[i].disp = -8;
	insn->writes &= ~(1u << RSP);
	transfer(w, BRANCH_CALL, BRANCH_CALL_INDIRECT);
}

static void ret(struct work *w)
{
	w->insn->writes &= ~(1u << RSP);
	if (w->d.meta.branch_type == ZYDIS_BRANCH_TYPE_NEAR)
		w->insn->branch = BRANCH_RET;
	else
		barrier(w);
}

/* The kernel keeps the flags and gets its arguments in registers (ABI A.2.1). */
static void syscall_registers(struct work *w)
{
	struct insn *insn = w->insn;

	insn->unsure = true;
	insn->reads =
	    1u << RAX | 1u << RDI | 1u << RSI | 1u << RDX | 1u << R10 | 1u << R8 | 1u << R9;
	insn->writes = 1u << RAX | 1u << RCX | 1u << R11;
	insn->flags_read = insn->flags_written = 0;
}

/* int3 behind a jump or return keeps processors from speculating (-mharden-sls). */
static bool is_against_speculation(const struct work *w)
{
	const struct insn *i = w->insn, *last = i == w->unit->insns.at ? NULL : i - 1;

	return w->d.mnemonic == ZYDIS_MNEMONIC_INT3 && last && last->section == i->section &&
	       (last->branch == BRANCH_RET || last->branch == BRANCH_JUMP || last->branch == BRANCH_JUMP_INDIRECT) &&
	       !is_labelled(w->unit, i->section, i->offset);
}

/* A signal's handler, or a hypervisor, sees all registers and may go on elsewhere. rsp is there as ever. */
static void trap(struct work *w)
{
	struct insn *insn = w->insn;

	if (is_against_speculation(w))
		return;
	insn->clobbers |= insn->writes;
	read_everything(w);
	insn->reads &= ~(1u << RSP);
	insn->unsure = true;
}

static void interrupt(struct work *w)
{
	read_everything(w);
	w->insn->clobbers = 1u << RAX;
	w->insn->unsure = true;
}

/* The stack */

static void push(struct work *w)
{
	struct insn *insn = w->insn;
	struct ref *stack = &insn->refs[insn->n_refs - 1];

	stack->disp = -(int64_t)stack->size;
	insn->rsp_change = -stack->size;
	insn->writes &= ~(1u << RSP);
}

/* An address based on rsp is taken after the pop; popping rsp itself leaves no known value. */
static void pop(struct work *w)
{
	struct insn *insn = w->insn;
	const ZydisDecodedOperand *to = &w->ops[0];
	int size = insn->refs[0].size;

	if (insn->n_refs == 2 && insn->refs[1].base == RSP)
		insn->refs[1].disp += size;
	if (w->d.operand_count_visible && to->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	    bit_of(to->reg.value) == 1u << RSP)
		return;
	insn->rsp_change = size;
	insn->writes &= ~(1u << RSP);
}

static void known_move(struct work *w, uint8_t to, uint8_t from, int64_t constant)
{
	if (constant != (int32_t)constant)
		return;
	w->insn->move = MOVE_ADD;
	w->insn->move_to = to;
	w->insn->move_from = from;
	w->insn->move_constant = constant;
}

static void leave(struct work *w)
{
	w->insn->reads = 1u << RBP;
	if (w->insn->refs[0].size == 8)
		known_move(w, RSP, RBP, 8);
}

/* enter n,k pushes rbp and, for k > 0, k - 1 frame pointers copied from the frame before, which no
 * compiler asks for and which are left out, and the new frame's (SDM, ENTER). */
static void enter(struct work *w)
{
	struct insn *i = w->insn;

	i->refs[0].disp = -(int64_t)i->refs[0].size;
	if (i->n_refs == 1 && w->ops[1].imm.value.u > 0) {
		i->refs[1] = i->refs[0];
		i->refs[1].disp *= 1 + (int64_t)w->ops[1].imm.value.u;
		i->n_refs = 2;
	}
}

/* Known moves */

static void move(struct work *w)
{
	const ZydisDecodedOperand *op = w->ops;

	if (is_64_bit(&op[0]) && is_64_bit(&op[1]))
		known_move(w, registers[op[0].reg.value].number, registers[op[1].reg.value].number,
			   0);
}

static bool is_number(struct asm_text t)
{
	struct asm_text symbol;
	int64_t addend;

	return expression_split(t, &symbol, &addend) == EXPRESSION_NUMBER;
}

/* A TLS sequence begins with the lea of its argument. It must stay whole for the linker to find it. */
static void begin_tls(struct work *w, struct asm_text disp)
{
	struct asm_text symbol;
	int64_t addend;

	if (!memchr(disp.p, '@', disp.len) ||
	    expression_split(disp, &symbol, &addend) != EXPRESSION_SYMBOL)
		return;
	if (expression_has_suffix(symbol, "@tlsgd") || expression_has_suffix(symbol, "@tlsld"))
		w->tls = TLS_MAX;
}

/* "lea 0(%rip),%r14" before the beginning of a loop, to which "jmp *%r14" then goes. */
static void load_place(struct work *w, const struct asm_operand *text)
{
	uint32_t place = w->insn->offset + w->insn->len + (uint32_t)w->ops[1].mem.disp.value;
	struct asm_text symbol;
	int64_t addend;
	bool named = text && expression_split(text->disp, &symbol, &addend) == EXPRESSION_SYMBOL;

	if (w->insn->relocated)
		w->insn->address = named ? place_beside_name(w, text->disp) : NONE;
	else if (!named || is_by_distance(w, text->disp, place))
		w->insn->address = place;
}

static void load_address(struct work *w)
{
	const ZydisDecodedOperand *to = &w->ops[0], *from = &w->ops[1];
	const struct asm_operand *text = memory_text(w);
	uint8_t base = registers[from->mem.base].number;

	if (text && text->disp.p)
		begin_tls(w, text->disp);
	if (base == REG_IP)
		load_place(w, text);
	if (!is_64_bit(to) || base >= REG_IP || registers[from->mem.base].bytes != 8 ||
	    from->mem.index != ZYDIS_REGISTER_NONE || w->insn->relocated)
		return;
	if (!text || !text->disp.p || is_number(text->disp))
		known_move(w, registers[to->reg.value].number, base, from->mem.disp.value);
}

/* A difference of labels is a number to gas, but changes as code is planted. */
static bool constant_is_number(const struct work *w)
{
	bool intel = w->text && w->text->syntax.p;

	if (w->insn->relocated)
		return false;
	for (uint32_t i = 0; w->text && i < w->text->n_operands; i++) {
		const struct asm_operand *o = &w->text->operands[i];

		if (intel && (o->kind == ASM_OP_IMMEDIATE || o->kind == ASM_OP_BARE))
			return is_number(o->disp);
		if (o->kind == ASM_OP_IMMEDIATE && o->text.len)
			return is_number((struct asm_text){o->text.p + 1, o->text.len - 1});
	}
	return true;
}

static void add_number(struct work *w, int64_t number)
{
	uint8_t r;

	if (!is_64_bit(&w->ops[0]))
		return;
	r = registers[w->ops[0].reg.value].number;
	known_move(w, r, r, number);
}

static void add_immediate(struct work *w, int sign)
{
	const ZydisDecodedOperand *op = &w->ops[1];

	if (op->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && constant_is_number(w))
		add_number(w, sign * op->imm.value.s);
}

static void add(struct work *w)
{
	const ZydisDecodedOperand *op = w->ops;

	add_immediate(w, 1);
	if (!is_64_bit(&op[0]) || !is_64_bit(&op[1]) || op[0].reg.value == op[1].reg.value)
		return;
	w->insn->move = MOVE_ADD_REGISTER;
	w->insn->move_to = registers[op[0].reg.value].number;
	w->insn->move_from = registers[op[1].reg.value].number;
}

/* x - x is 0 and x - x - carry is minus the carry, whatever x is. */
static void zeroing(struct work *w)
{
	const ZydisDecodedOperand *op = w->ops;

	if (op[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	    op[1].type == ZYDIS_OPERAND_TYPE_REGISTER && op[0].reg.value == op[1].reg.value &&
	    registers[op[0].reg.value].bytes >= 4)
		w->insn->reads &= ~bit_of(op[0].reg.value);
}

static void subtract(struct work *w)
{
	zeroing(w);
	add_immediate(w, -1);
}

static void increment(struct work *w)
{
	add_number(w, 1);
}

static void decrement(struct work *w)
{
	add_number(w, -1);
}

static void keeps_destination(struct work *w)
{
	regset bit = bit_of(w->ops[0].reg.value);

	w->insn->writes &= ~bit;
	w->insn->clobbers |= bit;
	w->insn->reads |= bit;
}

/* As long as what is read (SDM, MOVSXD). */
static void extend(struct work *w)
{
	if (w->insn->n_refs && w->ops[0].size == 16)
		w->insn->refs[0].size = 2;
}

/* By %cl the decoder says that flags are written conditionally. */
static void shift(struct work *w)
{
	for (unsigned i = 1; i < w->d.operand_count_visible; i++)
		if (w->ops[i].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
		    !(w->ops[i].imm.value.u & (w->d.operand_width == 64 ? 63 : 31)))
			w->insn->flags_written = 0;
}

/* Implicit registers and addresses */

static bool is_repeated(const struct work *w)
{
	return w->d.attributes &
	       (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
}

/* The decoder does not always tell that rsi and rdi move on. With rep nothing may happen at all. */
static void string(struct work *w)
{
	struct insn *insn = w->insn;
	regset pointers = 0;

	insn->rep = is_repeated(w);
	for (unsigned i = 0; i < insn->n_refs; i++) {
		pointers |= 1u << insn->refs[i].base;
		insn->refs[i].form = insn->rep ? REF_REP : REF_PLAIN;
	}
	if (insn->rep)
		pointers |= 1u << RCX;
	insn->reads |= pointers;
	insn->writes = (insn->writes & ~pointers) | (insn->rep ? 0 : pointers);
	insn->clobbers = (insn->clobbers & ~pointers) | (insn->rep ? pointers : 0);
	/* Cachegrind has cmps look at rdi first. */
	if (insn->n_refs == 2 && insn->refs[1].kind == REF_READ && insn->refs[0].base == RSI) {
		struct ref first = insn->refs[1];

		insn->refs[1] = insn->refs[0];
		insn->refs[0] = first;
	}
}

static void xlat(struct work *w)
{
	w->insn->refs[0].form = REF_XLAT;
	w->insn->refs[0].index = RAX;
	w->insn->reads |= 1u << RAX;
}

/* A bit offset in a register reaches beyond the operand; an immediate does not. */
static void bit(struct work *w)
{
	const ZydisDecodedOperand *offset = &w->ops[1];
	struct ref *ref = &w->insn->refs[0];

	if (!w->insn->n_refs || offset->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return;
	ref->form = REF_BIT;
	ref->size = 1;
	ref->mask = registers[offset->reg.value].number;
	ref->vector = registers[offset->reg.value].bytes;
}

/* Vectors */

/* Odd opcodes of gathers and scatters have 64-bit indices. */
static void gather(struct work *w)
{
	struct ref *ref = &w->insn->refs[0];
	uint8_t wider;

	if (!w->insn->n_refs)
		return;
	ref->evex = w->d.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
	ref->form = REF_GATHER;
	ref->mask = ZydisRegisterGetId(ref->evex ? w->d.avx.mask.reg : w->ops[2].reg.value);
	ref->index_size = w->d.opcode & 1 ? 8 : 4;
	ref->vector = w->d.avx.vector_length / 8;
	wider = ref->size > ref->index_size ? ref->size : ref->index_size;
	ref->lanes = ref->vector / wider;
}

static void lanes_of(struct work *w, const ZydisDecodedOperand *mask, unsigned size)
{
	struct ref *ref = &w->insn->refs[0];

	ref->form = REF_LANES;
	ref->vector = mask->size / 8;
	ref->size = size;
	ref->lanes = ref->vector / size;
	ref->mask = ZydisRegisterGetId(mask->reg.value);
}

static void lanes(struct work *w)
{
	lanes_of(w, &w->ops[1], w->ops[0].element_size / 8);
}

static void byte_lanes(struct work *w)
{
	lanes_of(w, &w->ops[1], 1);
}

static void without_mask(struct work *w)
{
	struct ref *ref = &w->insn->refs[0];

	if (!w->insn->n_refs)
		return;
	ref->form = REF_PLAIN;
	ref->evex = false;
	ref->mask = ref->vector = ref->lanes = 0;
}

/* Matrices. How many rows of how many bytes a tile has is only known when it is moved. */
static void tile(struct work *w)
{
	bool store = w->ops[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
	struct ref *ref = &w->insn->refs[0];

	w->insn->n_refs = 1;
	*ref = reference_of(w, &w->ops[!store]);
	ref->form = REF_TILE;
	ref->size = TILE_ROW;
	ref->mask = ZydisRegisterGetId(w->ops[store].reg.value);
	note_symbol(w, ref);
}

static void written(struct work *w)
{
	w->insn->refs[0].kind = REF_WRITE;
}

static void no_reference(struct work *w)
{
	w->insn->n_refs = 0;
}

static void nothing(struct work *w)
{
	w->insn->n_refs = 0;
	w->insn->reads = w->insn->writes = w->insn->clobbers = 0;
}

/* All vector registers, of which no operand tells. */
static void all_vectors(struct work *w)
{
	w->insn->vectors_read = VECTORS_ALL;
	w->insn->uses_spare = w->insn->uses_evex = true;
}

static void saves_vectors(struct work *w)
{
	w->insn->vectors_read = VECTORS_SPARE;
	w->insn->uses_spare = true;
}

static void changes_vectors(struct work *w)
{
	w->insn->uses_spare = true;
}

/* The table of exceptions */

typedef void fix(struct work *w);

static fix *const category_fixes[ZYDIS_CATEGORY_MAX_VALUE + 1] = {
#define BY_CATEGORY(category, function) [ZYDIS_CATEGORY_##category] = function,
#include "instrument/facts_x86_64.def"
};

static fix *const mnemonic_fixes[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
#define BY_MNEMONIC(mnemonic, function) [ZYDIS_MNEMONIC_##mnemonic] = function,
#include "instrument/facts_x86_64.def"
};

static void apply_fixes(struct work *w)
{
	fix *category = category_fixes[w->d.meta.category];
	fix *mnemonic = mnemonic_fixes[w->d.mnemonic];

	if (category)
		category(w);
	if (mnemonic)
		mnemonic(w);
}

/* One instruction */

static void warn_unknown(struct work *w)
{
	const struct asm_stmt *stmt = &w->unit->file->stmts[w->insn->stmt];
	struct asm_text name = w->text ? w->text->name : stmt->name;

	w->insn->unknown = true;
	barrier(w);
	if (find_name(w->unknown, name))
		return;
	add_name(&w->unknown, name, 0);
	warn_at(asm_place(w->unit->file, w->insn->stmt), NULL, 0,
		"the memory references of '%.*s' are not counted: the instruction is not known",
		(int)name.len, name.p);
}

#define MORESTACK "__morestack"
#define MORESTACK_MAX 4 /* from movabsq $__morestack_large_model@GOT,%r11 to the ret behind call *%r11 */

static void note_morestack(struct work *w)
{
	struct insn *insn = w->insn;
	const struct insn *last = insn - 1;
	const struct asm_operand *o = w->text && w->text->n_operands ? &w->text->operands[0] : NULL;
	bool loaded = w->morestack && w->morestack--;

	if (w->d.mnemonic == ZYDIS_MNEMONIC_MOV && o && o->kind == ASM_OP_IMMEDIATE &&
	    memmem(o->text.p, o->text.len, MORESTACK, strlen(MORESTACK)))
		w->morestack = MORESTACK_MAX;
	if (insn->branch != BRANCH_RET || insn == w->unit->insns.at || last->section != insn->section)
		return;
	insn->after_morestack =
	    (last->branch == BRANCH_CALL && last->target_symbol.p && asm_text_is(last->target_symbol, MORESTACK)) ||
	    (last->branch == BRANCH_CALL_INDIRECT && loaded);
	insn->glued |= insn->after_morestack;
}

/* A call in a TLS sequence may be relaxed away with what it does. */
static void note_sequence(struct work *w)
{
	struct insn *insn = w->insn;

	if (!w->tls)
		return;
	w->tls--;
	insn->glued = true;
	if (insn->branch != BRANCH_CALL && insn->branch != BRANCH_CALL_INDIRECT)
		return;
	w->tls = 0;
	for (unsigned i = 0; i < insn->n_refs; i++)
		insn->refs[i].form = REF_TLSCALL;
}

/* By what it refers to, or since the kernel keeps it from programs: rdmsr, rdpmc, rdtsc. */
static bool may_fault(const struct work *w)
{
	return w->insn->n_refs || w->d.meta.category == ZYDIS_CATEGORY_SYSTEM;
}

/* A handler of a fault may step over an instruction of inline assembly that is meant to fault, and what it was to write
 * keeps its value. */
static void may_be_stepped_over(struct work *w)
{
	struct insn *i = w->insn;

	if (i->branch == BRANCH_STOP)
		barrier(w);
	if (!may_fault(w) || i->move != MOVE_NONE)
		return;
	i->clobbers |= i->writes;
	i->writes = 0;
	i->flags_written = 0;
	i->vectors_written = 0;
}

static void find_facts(struct work *w)
{
	struct insn *insn = w->insn;
	unsigned tls = w->tls;

	if (insn->jumps_over)
		return;
	if (insn->unknown || !decode_full(insn->bytes, insn->len, &w->d, w->ops)) {
		warn_unknown(w);
		return;
	}
	for (unsigned i = 0; i < w->d.operand_count; i++)
		note_operand(w, &w->ops[i]);
	apply_fixes(w);
	if (w->tls == tls)
		note_sequence(w);
	note_morestack(w);
	if (w->unit->file->stmts[insn->stmt].in_asm)
		may_be_stepped_over(w);
}

void facts_find(struct unit *unit)
{
	struct work w = {.unit = unit};

	fill_registers();
	for (size_t i = 0; i < unit->insns.n; i++) {
		w.insn = &unit->insns.at[i];
		w.insn->target = w.insn->address = NONE;
		w.text = w.insn->text_stmt == NONE ? NULL : &unit->file->stmts[w.insn->text_stmt];
		if (!w.insn->data)
			find_facts(&w);
	}
	HASH_CLEAR(hh, w.labels);
	HASH_CLEAR(hh, w.unknown);
}

static void dump_reference(FILE *out, const struct ref *r)
{
	static const char *const kinds[] = {
		[REF_READ] = "read", [REF_WRITE] = "write", [REF_MODIFY] = "modify"};
	static const char *const forms[] = {
		[REF_PLAIN] = "", [REF_GOT] = " got", [REF_REP] = " repeated",
		[REF_BIT] = " bit", [REF_MASKED] = " masked", [REF_LANES] = " lanes",
		[REF_GATHER] = " gathered", [REF_XLAT] = " xlat", [REF_TLSCALL] = " tlscall",
		[REF_CALL] = " called", [REF_TILE] = " tile"};

	fprintf(out, "; %s %u%s", kinds[r->kind], r->size, forms[r->form]);
}

void facts_dump(const struct unit *unit, FILE *out)
{
	for (size_t i = 0; i < unit->insns.n; i++) {
		const struct insn *insn = &unit->insns.at[i];
		const struct asm_stmt *s = &unit->file->stmts[insn->stmt];

		fprintf(out, "line %u: %.*s%s, %u bytes", s->line, (int)s->name.len, s->name.p,
			insn->padding ? " (padding)" : insn->data ? " (data)" : "", insn->len);
		for (int r = 0; r < insn->n_refs; r++)
			dump_reference(out, &insn->refs[r]);
		fputc('\n', out);
	}
}
