/* The branch predictor (the manual, 5.1): a 2-bit counter for the low bits of an address together
 * with the outcomes of the last seven conditional branches; of indirect branches, the last target. Planted
 * code steps it in line. Here are the rows, which follow from where each branch would be in the
 * uninstrumented program, and the steps for which there is no planted code. */
#include "runtime/branch.h"

struct predictor {
	int8_t directions[DIRECTION_ROWS * DIRECTION_ROW];
	uint64_t targets[2 * TARGET_ROWS];
	uint8_t history;
};
_Static_assert(offsetof(struct predictor, history) == PREDICTOR_HISTORY, "");

/* A thread has two: what it knows, and what it knew when counting went off. */
enum { USED, KEPT, PREDICTORS };

#ifdef CACHEPROF_SHARED
static struct predictor *predictor_memory(const struct thread *thread)
{
	(void)thread;
	return cacheprof_mmap(PREDICTORS * sizeof(struct predictor));
}
#else
/* In cacheprof_data. */
extern struct predictor cacheprof_predictor[PREDICTORS];

static struct predictor *predictor_memory(const struct thread *thread)
{
	return (struct predictor *)((char *)cacheprof_predictor + thread->delta);
}
#endif

bool cacheprof_branches_thread(struct thread *thread)
{
	thread->predictor = predictor_memory(thread);
	return thread->predictor;
}

void cacheprof_branches_move(struct thread *thread)
{
	struct predictor *to = predictor_memory(thread);

	cacheprof_memcpy(to, thread->predictor, PREDICTORS * sizeof *to);
	thread->predictor = to;
}

#define STRONGLY_TAKEN 3
#define ALL_TAKEN (256 - HISTORY_NEWEST) /* the history, then */

static uint64_t row_of(const struct chunk *chunk, const struct branch *b)
{
	uint64_t address = cacheprof_text_of(chunk) + b->offset;

	if (b->kind != PREDICT_TARGET)
		return address % DIRECTION_ROWS * DIRECTION_ROW;
	return offsetof(struct predictor, targets) +
	       (address % TARGET_ROWS + (got_is_gone(chunk, b->got) ? TARGET_ROWS : 0)) *
		   sizeof(uint64_t);
}

void cacheprof_branches_place(const struct chunk *chunk)
{
	const struct branch *b = rel_at(&chunk->branches);
	uint64_t *rows = (uint64_t *)rel_at(&chunk->rows);

	for (uint32_t i = 0; i < chunk->n_branches; i++)
		rows[i] = row_of(chunk, &b[i]);
}

/* One conditional branch. Returns whether it is mispredicted. */
static bool predict(struct predictor *p, uint64_t row, bool taken)
{
	int8_t *counter = &p->directions[row + p->history];
	bool mispredicted = taken != (*counter > 1);

	if (taken && *counter < STRONGLY_TAKEN)
		++*counter;
	if (!taken && *counter > 0)
		--*counter;
	p->history = (uint8_t)(p->history << 1 | (taken ? HISTORY_NEWEST : 0));
	return mispredicted;
}

void cacheprof_branch_repeat(struct thread *thread, const struct chunk *chunk, uint32_t branch, bool taken)
{
	const struct branch *b = (const struct branch *)rel_at(&chunk->branches) + branch;
	uint64_t row = ((const uint64_t *)rel_at(&chunk->rows))[branch];

	((uint64_t *)thread_array(thread, &chunk->dynamics))[b->block]++;
	((uint64_t *)thread_array(thread, &chunk->mispredicts))[branch] += predict(thread->predictor, row, taken);
}

void cacheprof_branch_taken(struct thread *thread, const struct chunk *chunk, uint32_t branch, uint64_t n)
{
	struct predictor *p = thread->predictor;
	uint64_t row = ((const uint64_t *)rel_at(&chunk->rows))[branch];
	uint64_t *mispredicts = (uint64_t *)thread_array(thread, &chunk->mispredicts) + branch;

	/* Where all is as taken as can be, one more changes nothing. */
	while (n && (p->history != ALL_TAKEN || p->directions[row + ALL_TAKEN] < STRONGLY_TAKEN)) {
		*mispredicts += predict(p, row, true);
		n--;
	}
}

void cacheprof_branches_renew(const struct thread *thread)
{
	cacheprof_memset(&thread->predictor[USED], 0, sizeof *thread->predictor);
}

static void copy_predictors(const struct module *module, int to, int from)
{
	for (const struct thread *t = module->threads; t && cacheprof_process.branches; t = t->next)
		cacheprof_memcpy(&t->predictor[to], &t->predictor[from], sizeof *t->predictor);
}

void cacheprof_branches_pause(const struct module *module)
{
	copy_predictors(module, KEPT, USED);
}

void cacheprof_branches_resume(const struct module *module)
{
	copy_predictors(module, USED, KEPT);
}
