/* pages=first-touch: LL takes an address by its page's number in order of first use, as if the system had
 * given the program one page frame after the other. Where the kernel put stack, heap and code then does
 * not matter to LL. First use is the first miss of a first-level cache: before it the page cannot
 * have been in one.
 *
 * A page is 4096 bytes, or a line of LL if that is larger. Numbers are kept in a tree of two levels; two
 * threads may ask for one page at the same time, and get the same number. */
#include "runtime/d1.h"
#include "runtime/models.h"

/* For the stubs (slow_x86_64.S), which find a page's number as this does. */
uint32_t **cacheprof_page_leaves;

static void *tree_part(size_t bytes)
{
	return cacheprof_memory_for(bytes, "the numbers of pages");
}

void cacheprof_pages_start(void)
{
	if (!cacheprof_process.page_leaves)
		cacheprof_process.page_leaves = tree_part(PAGE_LEAVES * sizeof *cacheprof_process.page_leaves);
	cacheprof_page_leaves = cacheprof_process.page_leaves;
}

static uint32_t *leaf_of(uint64_t page)
{
	uint32_t **slot = &cacheprof_page_leaves[(page >> PAGE_LEAF_BITS) % PAGE_LEAVES];
	uint32_t *leaf = __atomic_load_n(slot, __ATOMIC_ACQUIRE), *made;

	if (leaf)
		return leaf;
	made = tree_part(PAGE_LEAF * sizeof *made);
	if (__atomic_compare_exchange_n(slot, &leaf, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return made;
	return leaf;
}

uint64_t cacheprof_page_address(uint64_t address)
{
	unsigned shift = cacheprof_models.ll.line_shift > PAGE_AT ? cacheprof_models.ll.line_shift : PAGE_AT;
	uint64_t page = address >> shift;
	uint32_t *number = leaf_of(page) + page % PAGE_LEAF, seen = __atomic_load_n(number, __ATOMIC_RELAXED);

	if (!seen) {
		uint32_t mine = __atomic_add_fetch(&cacheprof_process.last_page, 1, __ATOMIC_RELAXED);

		if (__atomic_compare_exchange_n(number, &seen, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			seen = mine;
	}
	return (uint64_t)seen << shift | (address & ((UINT64_C(1) << shift) - 1));
}
