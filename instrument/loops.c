#include "instrument/loops.h"

#include <string.h>

#include "instrument/groups.h"

/* A branch that can be written with another target, as the statement that it is, with code behind it. */
static bool can_lead_elsewhere(const struct flow *flow, const struct block_bb *b)
{
	const struct unit *unit = flow->unit;
	uint32_t last = b->first + b->n - 1;
	const struct insn *branch = &unit->insns.at[last];

	return branch->branch == BRANCH_COND && !branch->unsure && !branch->glued &&
	       branch->text_stmt == branch->stmt && unit->stmt_insn[branch->stmt] == last &&
	       unit->file->stmts[branch->stmt].n_operands == 1 && last + 1 < unit->insns.n &&
	       !unit->insns.at[last + 1].glued;
}

static bool is_loop(const struct flow *flow, uint32_t i)
{
	const struct block_bb *b = &flow->blocks.at[i];

	return b->target == i && b->next != NO_BLOCK && !b->entry && !b->opaque && !b->odd &&
	       plantable(flow->unit, b->first) &&
	       flow->blocks.at[b->next].section == b->section && can_lead_elsewhere(flow, b);
}

/* An iteration of one that repeats something may take long: its count would lag behind. */
static bool is_quick(const struct flow *flow, const struct block_bb *b)
{
	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		const struct insn *insn = &flow->unit->insns.at[i];

		if (insn->rep)
			return false;
		for (int r = 0; r < insn->n_refs; r++)
			if (ref_is_dynamic(&insn->refs[r]))
				return false;
	}
	return true;
}

static uint8_t take_last(liveset *free)
{
	uint8_t r = *free ? (uint8_t)(31 - __builtin_clz(*free)) : REG_NONE;

	if (*free)
		*free &= ~((liveset)1 << r);
	return r;
}

static uint8_t take(liveset *free)
{
	uint8_t r = *free ? (uint8_t)__builtin_ctz(*free) : REG_NONE;

	*free &= *free - 1;
	return r;
}

/* The registers in a loop. */
struct use {
	liveset behind, all; /* live behind it; anywhere in it or behind it */
	regset used;	     /* its instructions touch them */
	bool spares;	     /* or those for waiting */
};

static struct use use_of(const struct flow *flow, const struct liveness *live, uint32_t i)
{
	const struct block_bb *b = &flow->blocks.at[i];
	liveset behind = live->before[flow->blocks.at[b->next].first];
	struct use use = {.behind = behind, .all = behind, .used = 1u << RSP};

	for (uint32_t k = b->first; k < b->first + b->n; k++) {
		const struct insn *insn = &flow->unit->insns.at[k];

		use.all |= live->before[k];
		use.used |= insn->reads | insn->writes | insn->clobbers | insn->cfa;
		use.spares |= insn->uses_spare;
	}
	return use;
}

/* Those it leaves alone, whose values may wait. A handler may read what is fixed by -ffixed-REG, and unwinders what
 * is a caller's. */
static liveset idle(const struct liveness *live, const struct use *use)
{
	return REGS_ALL & ~(CALLEE_SAVED | live->kept | use->used);
}

static bool may_wait_in(const struct use *use, int spare)
{
	return !use->spares && !(use->all >> (LIVE_SPARE_BIT + spare) & 1);
}

static void use_registers(struct loops *loops, const struct flow *flow, const struct liveness *live, uint32_t i,
			  bool pic)
{
	struct use use = use_of(flow, live, i);
	liveset free = REGS_ALL & ~use.all & ~use.used, dead = REGS_ALL & ~(1u << RSP) & ~use.behind;
	liveset waiting = may_wait_in(&use, 0) ? idle(live, &use) : 0;
	bool parked = !free;
	uint8_t counter = take(parked ? &waiting : &free), here = REG_NONE;

	if (counter == REG_NONE || use.behind & LIVE_STATUS)
		return;
	dead &= ~(1u << counter);
	if (pic && (here = take(&dead)) == REG_NONE)
		return;
	loops->counter[i] = counter;
	loops->here[i] = here;
	if (parked)
		loops->parked[i][0] = counter;
}

void loops_none(struct loops *loops, const struct flow *flow)
{
	loops->counter = xalloc(flow->blocks.n, sizeof *loops->counter);
	loops->here = xalloc(flow->blocks.n, sizeof *loops->here);
	loops->parked = xalloc(flow->blocks.n, sizeof *loops->parked);
	memset(loops->counter, REG_NONE, flow->blocks.n);
	memset(loops->here, REG_NONE, flow->blocks.n);
	memset(loops->parked, REG_NONE, flow->blocks.n * sizeof *loops->parked);
}

bool loops_has(const struct loops *loops, uint32_t block)
{
	bool any = loops->counter[block] != REG_NONE;

	for (int k = 0; k < SPARES; k++)
		any |= loops->parked[block][k] != REG_NONE;
	return any;
}

static bool can_count_at(const struct liveness *live, uint32_t place)
{
	return place != UINT32_MAX && !(live->before[place] & LIVE_STATUS);
}

void loops_find(struct loops *loops, const struct flow *flow, const struct liveness *live, const uint32_t *place,
		bool pic)
{
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		if (can_count_at(live, place[i]) && is_loop(flow, i) && is_quick(flow, &flow->blocks.at[i]))
			use_registers(loops, flow, live, i, pic);
}

void loops_keep(struct loops *loops, const struct flow *flow, const struct liveness *live, const uint32_t *place)
{
	for (uint32_t i = 0; i < flow->blocks.n; i++)
		if (loops->counter[i] != REG_NONE && !can_count_at(live, place[i]))
			loops->counter[i] = REG_NONE;
}

/* Registers that planted code in the loop wants. */
static int wanted(const struct flow *flow, const struct block_bb *b, bool pic)
{
	for (uint32_t i = b->first; i < b->first + b->n; i++)
		if (flow->unit->insns.at[i].n_refs)
			return CHECK_REGISTERS;
	return 1 + pic;
}

/* The most that are dead at one place of the loop where checks may stand, with the flags. */
static int most_dead(const struct flow *flow, const struct liveness *live, const struct block_bb *b)
{
	int most = 0;

	for (uint32_t i = b->first; i < b->first + b->n; i++) {
		int n = __builtin_popcount(REGS_ALL & ~(1u << RSP) & ~(regset)live->before[i]);

		if (plantable(flow->unit, i) && !(live->before[i] & LIVE_STATUS) && n > most)
			most = n;
	}
	return most;
}

/* What waits in the next vector register from *k on that is free in the loop, or REG_NONE. */
static uint8_t park(struct loops *loops, uint32_t index, const struct use *use, liveset *waiting, int *k)
{
	while (*k < SPARES && !may_wait_in(use, *k))
		++*k;
	return *k < SPARES ? loops->parked[index][(*k)++] = take(waiting) : REG_NONE;
}

static void set_live(struct liveness *live, const struct block_bb *b, liveset bits)
{
	for (uint32_t i = b->first; i < b->first + b->n; i++)
		live->before[i] |= bits;
}

static void set_dead(struct liveness *live, const struct block_bb *b, liveset bits)
{
	for (uint32_t i = b->first; i < b->first + b->n; i++)
		live->before[i] &= ~bits;
}

/* Whether a register may count it that none of its addresses then can have. */
static bool may_count(const struct flow *flow, const struct block_bb *b, const struct use *use)
{
	return !(use->behind & LIVE_STATUS) && is_quick(flow, b) &&
	       __builtin_popcount(REGS_ALL & ~use->used) > CHECK_REGISTERS;
}

static void free_registers(struct loops *loops, const struct flow *flow, struct liveness *live, uint32_t index,
			   bool strided, bool pic, bool count)
{
	const struct block_bb *b = &flow->blocks.at[index];
	struct use use = use_of(flow, live, index);
	liveset waiting = idle(live, &use) & use.all, free = REGS_ALL & ~(use.all | use.used);
	liveset dead = REGS_ALL & ~((liveset)1 << RSP | use.behind);
	int left = wanted(flow, b, pic) - most_dead(flow, live, b), k = 0;
	uint8_t counter = REG_NONE, r;

	count = count && may_count(flow, b, &use);
	if (count && (counter = take_last(&free)) != REG_NONE)
		left++;
	else if (count && strided && waiting)
		counter = park(loops, index, &use, &waiting, &k);
	while (left > 0 && waiting && (r = park(loops, index, &use, &waiting, &k)) != REG_NONE) {
		set_dead(live, b, (liveset)1 << r);
		left--;
	}
	if (left > 0 && !strided)
		counter = REG_NONE;
	else if (count && counter == REG_NONE && waiting)
		counter = park(loops, index, &use, &waiting, &k);
	for (int s = 0; s < SPARES; s++)
		if (loops->parked[index][s] != REG_NONE)
			set_live(live, b, (liveset)1 << (LIVE_SPARE_BIT + s));
	if (counter == REG_NONE)
		return;
	set_live(live, b, (liveset)1 << counter);
	dead &= ~((liveset)1 << counter);
	loops->here[index] = pic ? take(&dead) : REG_NONE;
	if (!pic || loops->here[index] != REG_NONE)
		loops->counter[index] = counter;
}

void loops_free_registers(struct loops *loops, const struct flow *flow, struct liveness *live,
			  const struct strides *strides, bool pic, bool count)
{
	for (uint32_t i = 0; i < flow->blocks.n; i++) {
		const struct block_bb *b = &flow->blocks.at[i];

		if (b->reachable && !b->outer && !runs_early(flow, b) && is_loop(flow, i))
			free_registers(loops, flow, live, i, stride_of(strides, i), pic, count);
	}
}
