/* The branch predictor, as far as planted code does not step it itself. */
#ifndef RUNTIME_BRANCH_H
#define RUNTIME_BRANCH_H

#include "runtime/models.h"

/* Fills in chunk->rows; the places of the sections and the GOT's words must be known. */
void cacheprof_branches_place(const struct chunk *chunk);

/* Makes a thread's predictor; false without memory. */
bool cacheprof_branches_thread(struct thread *thread);

/* In an executable: brings that of a thread which another module has made known into the memory where
 * planted code looks for it. */
void cacheprof_branches_move(struct thread *thread);

/* Lets the thread's predictor forget all that it knows. */
void cacheprof_branches_renew(const struct thread *thread);

/* One more branch of a rep prefix, chunk's branch of that number: counted and predicted. */
void cacheprof_branch_repeat(struct thread *thread, const struct chunk *chunk, uint32_t branch, bool taken);

/* n conditional branches more, chunk's branch of that number, all taken: predicted. Their block is counted, and they
 * with it, elsewhere. */
void cacheprof_branch_taken(struct thread *thread, const struct chunk *chunk, uint32_t branch, uint64_t n);

/* Counting goes off: what the predictor knows is put away; and before it goes on, it is put back. */
void cacheprof_branches_pause(const struct module *module);
void cacheprof_branches_resume(const struct module *module);

#endif
