/* Instructions that are shown (runtime/show.h): before each one a jump to the runtime, whose table has all that it
 * refers to, as it is written. So who watches depends on nothing else that is planted. */
#include "instrument/emit_shown.h"

#include "instrument/emit_branches.h"
#include "instrument/emit_checks.h"

/* A TLS call's operand cannot be copied, and its references are not simulated. */
static uint32_t n_shown(const struct insn *insn)
{
	return is_tls_call(insn) ? 0 : insn->n_refs;
}

static void show_references(struct emitter *em, uint32_t i)
{
	const struct insn *insn = &em->unit->insns.at[i];

	for (uint32_t r = 0; r < n_shown(insn); r++) {
		struct planned_ref pr = {.insn = i, .ref = &insn->refs[r], .at = address_of(&insn->refs[r]),
					 .site = em->e->planned->first_site[i] + r};
		struct section_tables *t = tables_of(em, i);

		tables_reference(aside_out(&t->checks), em->unit, &pr, &pr.at, got_of(t, &pr));
	}
}

/* The first of the instructions that are shown at i: those at the block's beginning before which nothing
 * can be planted have no other place. */
static uint32_t first_shown(const struct emitter *em, const struct block_bb *b, uint32_t i)
{
	for (uint32_t k = i; k > b->first; k--)
		if (plantable(em->unit, k - 1))
			return i;
	return b->first;
}

/* The branch of the instruction that the point is before, if it is predicted there. */
static uint32_t shown_branch(const struct emitter *em, uint32_t at)
{
	return branch_of(em, at) && em->e->predicted->prediction[at] ? branch_of(em, at) : 0;
}

void plant_shown(struct emitter *em, uint32_t at)
{
	struct section_tables *t = tables_of(em, at);
	const struct insn *insn = &em->unit->insns.at[at];
	const struct block_bb *b = &em->flow->blocks.at[insn->block];
	uint32_t n = plant_always(em, at, "cacheprof_show", SEQ_COLD_TABLE), end = at + 1, refs = 0;
	uint32_t i = first_shown(em, b, at), before = 0;

	while (end < b->first + b->n && !plantable(em->unit, end))
		end++;
	for (uint32_t k = i; k < end; k++)
		refs += n_shown(&em->unit->insns.at[k]);
	for (uint32_t k = i; k < at; k++)
		before += n_shown(&em->unit->insns.at[k]);
	fprintf(aside_out(&t->checks), ".Lcpk%u:\n\t.long\t.Lcpc%u-.,%u,%u,%u,%u,%u,%u\n", n, insn->section,
		i - b->first, em->e->plan->counter[insn->block], end - i, shown_branch(em, at), before,
		refs);
	for (uint32_t k = i; k < end; k++)
		show_references(em, k);
}
