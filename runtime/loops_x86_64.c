/* Loops of one block with registers of ours (instrument/loops.h). */
#include "runtime/loops.h"

#include "runtime/models.h"
#include "runtime/regions.h"
#include "runtime/strides.h"

#include <ucontext.h>

/* By the hardware's numbers. */
static const uint8_t registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
				    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

/* The record that the running thread has for the module, or NULL. */
static struct thread *thread_in(const struct module *module)
{
	struct thread *first = cacheprof_this_thread(), *t = first;

	if (!first)
		return 0;
	while (t->module != module)
		if ((t = t->beside) == first)
			return 0;
	return t;
}

static const struct loop *loop_at(const struct chunk *c, const char *ip)
{
	const struct loop *loops = rel_at(&c->loops);

	for (uint32_t i = 0; i < c->n_loops; i++)
		if ((const char *)rel_at(&loops[i].begin) <= ip && ip < (const char *)rel_at(&loops[i].end))
			return &loops[i];
	return 0;
}

/* That of one without checks: its references, too. */
static void flush_strided(struct thread *thread, const struct loop *loop, greg_t *gregs)
{
	const struct strided *strided = rel_at(&loop->strided);
	uint64_t regs[16];

	for (unsigned i = 0; i < 16; i++)
		regs[i] = (uint64_t)gregs[registers[i]];
	cacheprof_strided_flush(thread, regs, strided, rel_at(&loop->begin), (const char *)gregs[REG_RIP]);
	gregs[registers[loop->counter]] = (greg_t)regs[loop->counter];
}

/* Where it has overflown planted code is about to count the iterations itself. */
static void flush_counter(struct thread *thread, const struct chunk *c, const struct loop *loop, greg_t *counter)
{
	uint64_t begun = (uint64_t)*counter, n = loop->start ? (uint16_t)(begun - loop->start) : (uint8_t)begun;

	if (loop->start && !(uint16_t)begun)
		return;
	*counter_of(c, thread_array(thread, &c->counters), loop->block) += n;
	*counter = loop->start;
}

static void flush(struct thread *thread, const struct chunk *c, const struct loop *loop, ucontext_t *at, bool for_good)
{
	greg_t *regs = at->uc_mcontext.gregs;

	if (loop->strided) {
		flush_strided(thread, loop, regs);
	} else if (loop->counter != LOOP_NONE) {
		flush_counter(thread, c, loop, &regs[registers[loop->counter]]);
	}
	for (int k = 0; for_good && k < LOOP_PARKS; k++)
		if (loop->parked[k] != LOOP_NONE && at->uc_mcontext.fpregs) {
			const uint32_t *kept = at->uc_mcontext.fpregs->_xmm[LOOP_PARK + k].element;

			regs[registers[loop->parked[k]]] = (greg_t)(kept[0] | (uint64_t)kept[1] << 32);
		}
}

void cacheprof_loops_flush(void *context, bool for_good)
{
	ucontext_t *at = context;
	const char *ip = (const char *)at->uc_mcontext.gregs[REG_RIP];

	for (const struct module *m = cacheprof_process.modules; m; m = m->next)
		for (const struct chunk *c = m->chunks; c < m->chunks_end; c++) {
			const struct loop *loop = loop_at(c, ip);
			struct thread *thread = loop ? thread_in(m) : 0;

			if (thread)
				flush(thread, c, loop, at, for_good);
		}
}
