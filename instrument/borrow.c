/* A point needs up to two registers and destroys the flags. Mostly two registers are dead and so
 * are the flags; what is not is saved: flags in rax (lahf, seto), registers in other dead ones or in xmm13 to
 * xmm15, which take no store and leave the stack alone, else everything on the stack beyond the red zone. */
#include "instrument/borrow.h"

/* The order in which dead registers are taken: those without a REX prefix first. */
static const uint8_t preference[] = {RCX, RAX, RDX, RSI, RDI, RBX, RBP, R8,
				     R9,  R10, R11, R12, R13, R14, R15};

static uint8_t take(regset *pool)
{
	for (size_t i = 0; i < sizeof preference; i++)
		if (*pool >> preference[i] & 1) {
			*pool &= ~(1u << preference[i]);
			return preference[i];
		}
	return REG_NONE;
}

/* A register for planted code: a dead one, or one whose value the stack holds. */
static uint8_t take_or_push(struct point *p, regset *dead, regset *others)
{
	uint8_t r = take(dead);

	if (r != REG_NONE)
		return r;
	r = take(others);
	p->pushed |= 1u << r;
	return r;
}

/* Everything that is needed, on the stack. The flags wait in rax where that is not used and there are registers enough,
 * since popfq takes some twenty cycles. */
static void use_stack(struct point *p, regset dead, regset used, int need, bool flags)
{
	regset others = REGS_ALL & ~used & ~dead;

	p->flags_in_rax = flags && !(used >> RAX & 1) && __builtin_popcount(REGS_ALL & ~used) > need;
	p->flags_pushed = flags && !p->flags_in_rax;
	if (p->flags_in_rax) {
		p->pushed |= others & 1u << RAX;
		dead &= ~(1u << RAX);
		others &= ~(1u << RAX);
	}
	if (need)
		p->a = take_or_push(p, &dead, &others);
	if (need > 1)
		p->b = take_or_push(p, &dead, &others);
	p->rsp_moved = (p->red_zone ? RED_ZONE : 0) + 8 * (p->flags_pushed + __builtin_popcount(p->pushed));
}

/* A register for planted code: a dead one, or one whose value a dead vector register can hold. */
static uint8_t take_or_spare(struct point *p, regset *dead, regset *others, liveset live)
{
	uint8_t r = take(dead);

	for (int i = 0; r == REG_NONE && i < SPARES; i++)
		if (p->spare[i] == REG_NONE && !(live >> (LIVE_SPARE_BIT + i) & 1))
			r = p->spare[i] = take(others);
	return r;
}

static void use_none(struct point *p)
{
	p->a = p->b = p->rax_kept = REG_NONE;
	for (int i = 0; i < SPARES; i++)
		p->spare[i] = REG_NONE;
	p->flags_in_rax = false;
}

/* False if there are not enough registers. */
static bool use_registers(struct point *p, liveset live, regset used, int need, bool flags)
{
	regset dead = REGS_ALL & ~live & ~used, others = REGS_ALL & ~dead & ~used;
	bool keep_rax = flags && !(dead & 1u << RAX), enough = true;

	p->flags_in_rax = flags;
	if (flags) {
		dead &= ~(1u << RAX);
		others &= ~(1u << RAX);
	}
	if (keep_rax)
		enough &= (p->rax_kept = take_or_spare(p, &dead, &others, live)) != REG_NONE;
	if (need)
		enough &= (p->a = take_or_spare(p, &dead, &others, live)) != REG_NONE;
	if (need > 1)
		enough &= (p->b = take_or_spare(p, &dead, &others, live)) != REG_NONE;
	return enough;
}

void borrow_registers(struct point *p, liveset live, regset cfa, regset used, int need, bool flags)
{
	used |= cfa | 1u << RSP;
	flags &= (live & LIVE_STATUS) != 0;
	use_none(p);
	if (!(flags && cfa >> RAX & 1) && use_registers(p, live, used, need, flags))
		return;
	use_none(p);
	use_stack(p, REGS_ALL & ~live & ~used, used, need, flags);
}
