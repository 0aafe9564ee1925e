/* The models: I1, D1, LL, and what the planted code's slow paths call. */
#ifndef RUNTIME_MODELS_H
#define RUNTIME_MODELS_H

#include "runtime/cache.h"
#include "runtime/runtime.h"

/* Of functions whose frames would else be part of their callers', all at once: stacks may be small. */
#define APART __attribute__((noinline))

/* The caches of the process, set when it starts. */
struct models {
	struct cache i1, d1, ll;
	uint64_t *ll_rows;  /* shared by all threads; see ll.c */
	bool d1_built_in;   /* the geometry is that of cachesim_doref.c */
	bool filter;	    /* the planted checks may be believed: see d1.c */
	bool times;	    /* and the planted times: see i1.c */
	bool i1_usual;	    /* and I1 is the one that i1.c is compiled for */
	bool steady;	    /* D1's rows are steady: see d1.h */
	bool ll_by_map;	    /* see ll_map.c; set by cacheprof_ll_start */
	bool ranked;	    /* or ranked */
};
extern struct models cacheprof_models;

/* One block of instructions of a module as the fetch model sees it. Addresses are relative to
 * module->text_base. */
struct flat_block {
	uint32_t start, end;
	uint32_t state;	  /* offset from module->data of its struct block_state */
};

/* Which blocks elsewhere have times that tell those of some of a line's own: how many states they lie behind its first
 * block's. */
#define OTHERS_NEAR 2
union others {
	int16_t near[OTHERS_NEAR]; /* if they are no more; 0: none */
	uint32_t list;		   /* else in module->others from there on */
};

/* The blocks of which a line has instructions. */
struct code_line {
	uint64_t touch;	  /* of an instruction of a block that began before the line, which touches it first: in its
			   * high half the bytes of it that lie before the line, in the low one what chunk.insns has of
			   * it */
	uint32_t first;	  /* index into flat: the first block that ends behind the line's beginning */
	uint32_t state;	  /* its state, as in flat */
	union others others;
	uint16_t n_others;
	uint16_t n;
	uint16_t before;  /* lines before this one that the first block fetches */
	uint16_t behind;  /* lines behind it that the last one does */
	bool together;	  /* their states follow one another */
};

/* What a module that was built with --self-check or --trace has besides (show.c). */
struct shows {
	void (*zero)(void);   /* counts begin again */
	void (*end)(void);    /* the module ends, or the process does */
	bool (*compares)(void); /* counts are compared with what is shown: of all modules of the process or of none */
	void (*report)(bool by_exit); /* for all modules, when the process ends, by exit(3), or not: stdio writes what
				       * it holds only then; the self-check ends it with status 1 if anything was
				       * different */
};
extern const struct shows *const cacheprof_shows; /* NULL: nothing (watchers.c) */

/* Of all modules of a process that ends. */
void cacheprof_shows_end(bool by_exit);

/* This thread, as this module knows it; NULL before the first instrumented function. */
struct thread *cacheprof_this_thread(void);

/* Makes the caches of the process; at level 1 only looks what registers there are to be saved. */
void cacheprof_models_start(const struct options *options, int level);

/* From now on no reference and no fetch changes anything; before counting goes on: they do again. */
void cacheprof_models_pause(const struct module *module);
void cacheprof_models_resume(const struct module *module);

/* A thread is about to be entered into the list of its module's: perhaps while counting is off. */
void cacheprof_models_enter(struct thread *thread);

bool cacheprof_models_thread(struct thread *thread);

/* Empties the caches of one that is gone, for the running thread; false without memory. */
bool cacheprof_models_renew(struct thread *thread);

/* Looks this module's chunks over; called before the options are read. */
void cacheprof_module_check(void);

/* What I1 is like; before threads come. */
void cacheprof_i1_start(struct geometry geometry);

/* Makes a thread's I1, empty; false without memory. */
bool cacheprof_i1_thread(struct thread *thread);

/* Finds which lines of a new record's module are in it; false without memory. */
bool cacheprof_i1_enter(struct thread *thread);

/* Empties it. */
void cacheprof_i1_renew(struct thread *thread);

/* The thread's module is unloaded: its lines stay, as in a cache, and what is loaded at their addresses later hits
 * them; but they know no blocks any more. */
void cacheprof_i1_leave(struct thread *thread);

/* In an executable: brings the filter of a thread that another module has made known into the memory where
 * planted code looks for it. */
void cacheprof_models_move(struct thread *thread);

/* At the very end, in the running thread: leaves none of the addresses that the program referred to in registers, where
 * a leak checker, which comes last, looks for them. */
void cacheprof_models_forget(void);

/* Whether this copy of the runtime is an executable's: for what is built for those %gs shows the
 * thread's copy of cacheprof_data, too. */
#ifdef CACHEPROF_SHARED
enum { IN_EXECUTABLE = 0 };
#else
enum { IN_EXECUTABLE = 1 };
#endif

/* When counting goes off: the times of the thread's blocks are put away, beside their discounts. */
void cacheprof_i1_keep_times(const struct thread *thread);

/* While it is off: the thread's own blocks are all taken for known, so that they do not come to the
 * model. */
void cacheprof_i1_know_all(struct thread *thread);

/* Before it goes on, from any thread: the times again, and only those blocks known that are. */
void cacheprof_i1_resume(struct thread *thread);

/* In the thread itself, when the toggled functions let other blocks be known than before (toggle.c). */
void cacheprof_i1_know_again(struct thread *thread);

/* As cache_touch, of a row that is steady, or ranked (d1.h). */
void cacheprof_steady_none(const struct thread *thread); /* no line is there yet */
bool cacheprof_touch_steady(const struct thread *thread, uint64_t line);
bool cacheprof_touch_ranked(const struct thread *thread, uint64_t line);
void cacheprof_ranked_start(unsigned ways);

/* For the self-check: the lines of a set of the thread's I1 or D1, or of LL, as many as it has ways, the one that was
 * used last first. Where none ever was there is what is no line's address. */
void cacheprof_i1_order(const struct thread *thread, uint64_t set, uint64_t *lines);
void cacheprof_d1_order(const struct thread *thread, uint64_t set, uint64_t *lines);
void cacheprof_ll_order(const struct thread *any, uint64_t set, uint64_t *lines);
void cacheprof_order_steady(const struct thread *thread, uint64_t line, uint64_t *lines); /* line: one of the set */
void cacheprof_order_ranked(const struct thread *thread, uint64_t line, uint64_t *lines);

/* Makes LL; without memory ends the process with a message. cacheprof_ll_rows: NULL if it has no compact rows. True if
 * it is as is wanted, which has lines of FILTER_LINE bytes. */
enum ll_form {
	LL_ANY,
	LL_HALVES, /* rows as in ordinary caches: d1.h */
	LL_MAP,	   /* ll_map.c */
};
bool cacheprof_ll_start(const struct cache *ll, enum ll_form wanted);
extern uint32_t *cacheprof_ll_rows;
extern uint64_t cacheprof_ll_set_bits; /* of an address: by which set it is */

/* pages=first-touch: LL takes addresses as pages.c has them. */
extern uint8_t cacheprof_ll_paged;

/* Makes the numbers of pages, and says by which address LL takes another. */
void cacheprof_pages_start(void);
uint64_t cacheprof_page_address(uint64_t address);

/* A hint that the line will be looked up soon. */
void cacheprof_ll_ask_for(uint64_t line);

/* The lines of size bytes at address, through LL; true if any missed. */
bool cacheprof_ll_reference(uint64_t address, uint64_t size);

/* Where the thread's filter has the line of the address, if that is at the front of its set. */
static inline uint64_t *filter_entry(const struct thread *thread, uint64_t address)
{
	return (uint64_t *)((char *)thread->filter + (address & FILTER_MASK));
}

/* D1: looks a reference up and counts its misses for the site. */
void cacheprof_d1_reference(struct thread *thread, const struct chunk *chunk, uint32_t site,
			    uint64_t address, uint64_t size);

/* Whether planted checks would find it: nothing changes then. Not where a stub has stored the line in the filter. */
static inline bool would_pass(const struct thread *thread, uint64_t address, uint64_t size)
{
	return size <= FILTER_LINE && (address ^ *filter_entry(thread, address)) <= FILTER_LINE - size;
}

/* The same of a reference that comes to a new line; if that misses, LL gets size bytes at address. */
void cacheprof_d1_line(struct thread *thread, const struct chunk *chunk, uint32_t site, uint64_t line,
		       uint64_t address, uint64_t size);

/* A line that is known to be there is used once more. */
void cacheprof_d1_again(struct thread *thread, uint64_t line);

/* The address of a plain reference. regs: values by register number. The second one is not made a part of its callers,
 * whose frames would be larger. */
static inline uint64_t address_at(const uint64_t *regs, const struct reference *r)
{
	uint64_t a = (uint64_t)(int64_t)r->disp;

	if (r->flags & REFERENCE_RIP)
		a = (uint64_t)rel_at(&r->disp);
	if (r->base != 0xff)
		a += regs[r->base];
	if (r->index != 0xff)
		a += regs[r->index] * r->scale;
	if (r->flags & REFERENCE_ADDR32)
		a = (uint32_t)a;
	if (r->flags & REFERENCE_FS)
		a += cacheprof_thread_pointer();
	return a;
}
uint64_t cacheprof_address(const uint64_t *regs, const struct reference *r);

/* The time of a thread's fetches: with its filter, since all modules' planted code has it there. */
static inline uint64_t *clock_of(uint64_t *filter)
{
	return filter + FILTER_CLOCK / sizeof *filter;
}

/* Whether the linker has made something else of the memory operand that is number got - 1 of the chunk's gots (site.h);
 * false for 0, which is none. */
static inline bool got_is_gone(const struct chunk *chunk, uint32_t got)
{
	const struct got *gots = rel_at(&chunk->gots);

	return got && ((const struct got_words *)rel_at(&gots[got - 1].words))->entry == FILTER_NEVER;
}

/* A per-thread array of a chunk. */
static inline void *thread_array(const struct thread *thread, const rel *field)
{
	return (char *)rel_at(field) + thread->delta;
}

#endif
