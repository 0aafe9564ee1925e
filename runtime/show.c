/* Shows the program to its watchers. Before every instruction the planted code shows it here, as it is
 * about to run, with the registers of that moment: no blocks, no groups, no filter. Shares the tables
 * and the working out of special addresses with the runtime, and nothing of the models. */
#include "runtime/show.h"

/* The trace ends before the self-check, which may end the process. */
static const struct watcher *const *const watchers[] = {&cacheprof_trace, &cacheprof_selfcheck};

#define EACH_WATCHER(w)                                                                            \
	for (const struct watcher *const *const *w = watchers; w < watchers + sizeof watchers / sizeof *watchers; w++) \
		if (**w)

struct showing {
	struct sink sink;
	struct place place;
};

static void show_reference(const struct sink *sink, uint32_t site, uint64_t address, uint64_t size)
{
	EACH_WATCHER(w)
		(**w)->refer(&((const struct showing *)sink)->place, site, address, size);
}

static void show_repeats(const struct sink *sink, uint32_t site, uint64_t n)
{
	EACH_WATCHER(w)
		(**w)->repeat(&((const struct showing *)sink)->place, site, n);
}

static void show_fetches(const struct place *place, const struct shown *shown)
{
	const struct chunk *chunk = place->chunk;
	const struct block *block = (const struct block *)rel_at(&chunk->blocks) + shown->block;
	const uint32_t *insns = (const uint32_t *)rel_at(&chunk->insns) + block->first_insn;
	uint64_t address = cacheprof_text_of(chunk) + block->offset;

	for (uint32_t i = 0; i < shown->insn; i++)
		address += insns[i] & 0xff;
	for (uint32_t i = shown->insn; i < shown->insn + shown->n_insns; i++) {
		EACH_WATCHER(w)
			(**w)->fetch(place, insns[i] >> 8, address, insns[i] & 0xff);
		address += insns[i] & 0xff;
	}
}

/* The thread that shows, by its identity; 0: none. */
static uint64_t holder;

/* False where this very thread holds it: a signal came while it was showing. */
static bool hold(const struct thread *thread)
{
	uint64_t nobody = 0;

	if (__atomic_load_n(&holder, __ATOMIC_RELAXED) == thread->self)
		return false;
	while (!__atomic_compare_exchange_n(&holder, &nobody, thread->self, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED))
		nobody = 0;
	return true;
}

/* From show_x86_64.S. */
void cacheprof_show_instruction(const struct saved *saved, const struct shown *shown,
				const struct vectors *vectors);
void cacheprof_show_instruction(const struct saved *saved, const struct shown *shown,
				const struct vectors *vectors)
{
	struct showing s = {{show_reference, show_repeats},
			    {cacheprof_this_thread(), rel_at(&shown->chunk), shown->refs}};
	bool held = hold(s.place.thread);

	show_fetches(&s.place, shown);
	cacheprof_special_expand(saved, vectors, shown->n, shown->refs, &s.sink);
	if (held)
		__atomic_store_n(&holder, 0, __ATOMIC_RELEASE);
}

static void end(void)
{
	EACH_WATCHER(w)
		(**w)->end();
}

void (*const cacheprof_show_end)(void) = end;
