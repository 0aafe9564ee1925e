/* The branch predictor (COUNTING.md, "Branches"): a 2-bit counter for the low bits of an address together
 * with the outcomes of the last seven conditional branches; of indirect branches, the last target. Planted
 * code steps it in line. Here are the rows, which follow from where each branch would be in the
 * uninstrumented program, and the steps for which there is no planted code. */
#include "runtime/branch.h"

/* In cacheprof_data: one per thread. */
extern uint8_t cacheprof_history;
extern int8_t cacheprof_directions[(DIRECTION_ROWS + 1) * DIRECTION_ROW];
extern uint64_t cacheprof_targets[2 * TARGET_ROWS];

#define STRONGLY_TAKEN 3

bool cacheprof_made_direct(const struct chunk *chunk, const struct branch *b)
{
	const struct got *gots = rel_at(&chunk->gots);

	return b->got &&
	       ((const struct got_words *)rel_at(&gots[b->got - 1].words))->entry == FILTER_NEVER;
}

static uint64_t place_of(const void *variable)
{
	return (uint64_t)variable - cacheprof_places();
}

static uint64_t row_of(const struct chunk *chunk, const struct branch *b)
{
	uint64_t address = cacheprof_text_of(chunk) + b->offset;
	uint64_t first = place_of(cacheprof_directions) + DIRECTION_ROW - 1;

	if (b->kind != PREDICT_TARGET)
		return (first & -DIRECTION_ROW) + address % DIRECTION_ROWS * DIRECTION_ROW;
	return place_of(&cacheprof_targets[address % TARGET_ROWS +
					   (cacheprof_made_direct(chunk, b) ? TARGET_ROWS : 0)]);
}

void cacheprof_branches_place(const struct chunk *chunk)
{
	const struct branch *b = rel_at(&chunk->branches);
	uint64_t *rows = (uint64_t *)rel_at(&chunk->rows);

	for (uint32_t i = 0; i < chunk->n_branches; i++)
		rows[i] = row_of(chunk, &b[i]);
}

void cacheprof_branch_repeat(struct thread *thread, const struct chunk *chunk, uint32_t branch, bool taken)
{
	const struct branch *b = (const struct branch *)rel_at(&chunk->branches) + branch;
	uint8_t *history = &cacheprof_history + thread->delta;
	uint64_t row = cacheprof_places() + ((const uint64_t *)rel_at(&chunk->rows))[branch];
	int8_t *counter = (int8_t *)row + thread->delta + *history;

	((uint64_t *)thread_array(thread, &chunk->dynamics))[b->block]++;
	((uint64_t *)thread_array(thread, &chunk->mispredicts))[branch] += taken != (*counter > 1);
	if (taken && *counter < STRONGLY_TAKEN)
		++*counter;
	if (!taken && *counter > 0)
		--*counter;
	*history = (uint8_t)(*history << 1 | (taken ? HISTORY_NEWEST : 0));
}

static const struct {
	void *variable;
	size_t size;
} parts[] = {
	{&cacheprof_history, sizeof cacheprof_history},
	{cacheprof_directions, sizeof cacheprof_directions},
	{cacheprof_targets, sizeof cacheprof_targets},
};

void cacheprof_branches_renew(const struct thread *thread)
{
	for (unsigned i = 0; i < sizeof parts / sizeof *parts && cacheprof_process.branches; i++)
		cacheprof_memset((char *)parts[i].variable + thread->delta, 0, parts[i].size);
}

/* What the predictor knows, to or from where the discounts of a thread's counters stand. */
static void copy_state(const struct thread *thread, bool back)
{
	for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
		char *state = (char *)parts[i].variable + thread->delta, *kept = state + thread->discounts;

		cacheprof_memcpy(back ? state : kept, back ? kept : state, parts[i].size);
	}
}

static void copy_states(const struct module *module, bool back)
{
	for (const struct thread *t = module->threads; t && cacheprof_process.branches; t = t->next)
		copy_state(t, back);
}

void cacheprof_branches_pause(const struct module *module)
{
	copy_states(module, false);
}

void cacheprof_branches_resume(const struct module *module)
{
	copy_states(module, true);
}
