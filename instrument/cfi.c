/* gas keeps the state of an open FDE per section: whether there is one, what its CFA is computed
 * from, and the states that .cfi_remember_state put aside (Using as, chapter CFI directives). A directive
 * that planted code adds where no FDE is open would be an error; so where macros, conditionals or
 * subsections hide what gas sees, nothing is believed of the file at all. */
#include "instrument/cfi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "instrument/sequence.h"

struct cfi_place {
	struct asm_text name;
	bool open;
	regset cfa; /* what it is computed from; 0: something else */
	VEC(regset) remembered;
	UT_hash_handle hh;
};

/* DWARF 5, 7.24: call frame instructions that set the CFA */
enum { CFA_DEF_CFA = 0x0c, CFA_DEF_CFA_EXPRESSION = 0x0f, CFA_DEF_CFA_SF = 0x12, CFA_DEF_CFA_OFFSET_SF = 0x13 };

static bool mentions(struct asm_text t, const char *s)
{
	return memmem(t.p, t.len, s, strlen(s));
}

static bool hides(const struct asm_stmt *s)
{
	if (s->kind == ASM_RAW)
		return mentions(s->text, ".cfi_") || mentions(s->text, "section") ||
		       mentions(s->text, ".text") || mentions(s->text, ".previous");
	return s->kind == ASM_DIRECTIVE &&
	       (asm_text_begins(s->name, ".if") || asm_text_is(s->name, ".subsection") ||
		asm_text_is(s->name, ".include") || (asm_text_is(s->name, ".text") && s->args.len));
}

static void find_place(struct cfi *c)
{
	struct asm_text name = c->switches.now.name;

	HASH_FIND(hh, c->places, name.p, name.len, c->now);
	if (c->now)
		return;
	c->now = xalloc(1, sizeof *c->now);
	c->now->name = name;
	HASH_ADD_KEYPTR(hh, c->places, name.p, name.len, c->now);
}

void cfi_begin(struct cfi *c, const struct asm_file *file)
{
	*c = (struct cfi){0};
	for (size_t i = 0; i < file->n && !c->blind; i++)
		c->blind = hides(&file->stmts[i]);
	switches_begin(&c->switches);
	find_place(c);
}

regset cfi_register(struct asm_text args)
{
	static const uint8_t numbers[] = {RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP};
	size_t len = 0;

	while (len < args.len && !strchr(" \t,", args.p[len]))
		len++;
	args.len = len;
	for (uint8_t i = 0; i < 16; i++) {
		uint8_t r = i < sizeof numbers ? numbers[i] : i;
		char number[4];

		snprintf(number, sizeof number, "%u", i);
		if (asm_text_is(args, number) || asm_text_is(args, register_name(r)) ||
		    asm_text_is(args, register_name(r) + 1))
			return 1u << r;
	}
	return 0;
}

static void start(struct cfi_place *p, struct asm_text args)
{
	p->open = true;
	p->cfa = args.len ? 0 : 1u << RSP; /* "simple": no rule to begin with */
}

static void end(struct cfi_place *p, struct asm_text args)
{
	(void)args;
	p->open = false;
	p->remembered.n = 0;
}

static void define(struct cfi_place *p, struct asm_text args)
{
	p->cfa = cfi_register(args);
}

static void remember(struct cfi_place *p, struct asm_text args)
{
	(void)args;
	VEC_PUSH(&p->remembered, p->cfa);
}

static void restore(struct cfi_place *p, struct asm_text args)
{
	(void)args;
	if (p->remembered.n)
		p->cfa = p->remembered.at[--p->remembered.n];
}

/* gas does not look at what it is told to escape: nothing can be added to a CFA that was set so. */
static void escape(struct cfi_place *p, struct asm_text args)
{
	unsigned long op = strtoul(args.p, NULL, 0);

	if ((op >= CFA_DEF_CFA && op <= CFA_DEF_CFA_EXPRESSION) || op == CFA_DEF_CFA_SF ||
	    op == CFA_DEF_CFA_OFFSET_SF)
		p->cfa = 0;
}

static const struct {
	const char *name;
	void (*go)(struct cfi_place *p, struct asm_text args);
} directives[] = {
    {".cfi_startproc", start},	       {".cfi_endproc", end},
    {".cfi_def_cfa", define},	       {".cfi_def_cfa_register", define},
    {".cfi_remember_state", remember}, {".cfi_restore_state", restore},
    {".cfi_escape", escape},
};

void cfi_follow(struct cfi *c, const struct asm_stmt *stmt)
{
	if (stmt->kind != ASM_DIRECTIVE)
		return;
	if (switches_follow(&c->switches, stmt)) {
		find_place(c);
		return;
	}
	if (!asm_text_begins(stmt->name, ".cfi_"))
		return;
	for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
		if (asm_text_is(stmt->name, directives[i].name))
			directives[i].go(c->now, stmt->args);
}

bool cfi_on_rsp(const struct cfi *c)
{
	return !c->blind && c->now->open && c->now->cfa == 1u << RSP;
}

void cfi_end(struct cfi *c)
{
	struct cfi_place *p, *next;

	HASH_ITER(hh, c->places, p, next)
	{
		HASH_DEL(c->places, p);
		VEC_FREE(&p->remembered);
		free(p);
	}
	switches_end(&c->switches);
}

/* An expression mostly begins with rbp. */
static regset told_by(const struct cfi *c)
{
	if (c->blind || !c->now->open)
		return 0;
	return (c->now->cfa ? c->now->cfa : 1u << RBP) & ~(1u << RSP);
}

/* gcc has these labels around what throws to a landing pad, by call or, with -fnon-call-exceptions as in Ada and Go, by
 * trap. */
static void follow_region(const struct asm_stmt *stmt, bool *inside)
{
	if (stmt->kind != ASM_LABEL)
		return;
	if (asm_text_begins(stmt->name, ".LEHB"))
		*inside = true;
	else if (asm_text_begins(stmt->name, ".LEHE"))
		*inside = false;
}

void cfi_find(struct unit *unit)
{
	bool inside = false;
	struct cfi c;

	cfi_begin(&c, unit->file);
	for (uint32_t i = 0; i < unit->file->n; i++) {
		cfi_follow(&c, &unit->file->stmts[i]);
		follow_region(&unit->file->stmts[i], &inside);
		for (uint32_t k = unit->stmt_insn[i]; k < unit->insns.n && unit->insns.at[k].stmt == i; k++) {
			unit->insns.at[k].cfa = told_by(&c);
			unit->insns.at[k].caught = inside;
		}
	}
	cfi_end(&c);
}
