/* An ordinary LL (d1.h): where each line of memory is in it. A line stays in its way until another one takes that. A
 * byte for each line says in which way it is, or that it is in none, so no line is looked for: a hit only stamps the
 * way with the next number of its set, and a miss takes the way with the earliest stamp and clears the byte of the line
 * that goes. Of the host's caches a program's lines take a 64th of them here, besides a third of a line a set.
 *
 * The bytes of a region of memory lie side by side, and are there from when one of its lines first comes. What of them,
 * and of the table of all regions, is never written to takes no memory.
 *
 * Threads share all of this, and a signal handler may come in between anywhere. A byte is set before its line's tag
 * goes in, and who takes a tag out, which one instruction does, clears the byte: so none stays set for a line that is
 * not there. The stubs (slow_x86_64.S) and strided loops work on it as this does. */
#include <sys/syscall.h>

#include "runtime/ll.h"

#include "runtime/d1.h"

#define WAYS 16

/* A set: when its ways were used. */
struct stamps {
	uint8_t of[WAYS]; /* 0: never */
	uint8_t last;
} __attribute__((aligned(4)));
_Static_assert(sizeof(struct stamps) == LL_STAMPS && offsetof(struct stamps, last) == LL_STAMPS_LAST, "");

/* What the stubs read and change. */
struct stamps *cacheprof_ll_stamps;
uint32_t *cacheprof_ll_tags[WAYS]; /* of each set: of an address its bits from LL_TAG_AT on, as their complement; 0:
				    * none */
uint8_t **cacheprof_ll_regions;	   /* of each its bytes, or NULL. A byte: the way that its line is in, and LL_PRESENT; or
				    * 0 */

static uint64_t sets; /* a power of 2 */

/* Bytes between the tags of two ways: not all of them in one set of the host's cache. */
#define WAYS_APART 64

void cacheprof_ll_map_start(const struct cache *ll)
{
	uint64_t tags;
	char *at;

	sets = ll->set_mask + 1;
	tags = sets * sizeof(uint32_t) + WAYS_APART;
	at = cacheprof_ll_memory(LL_REGIONS * sizeof *cacheprof_ll_regions + sets * sizeof *cacheprof_ll_stamps +
				 WAYS * tags);
	cacheprof_ll_regions = (uint8_t **)at;
	at += LL_REGIONS * sizeof *cacheprof_ll_regions;
	cacheprof_ll_stamps = (struct stamps *)at;
	at += sets * sizeof *cacheprof_ll_stamps;
	for (unsigned way = 0; way < WAYS; way++, at += tags)
		cacheprof_ll_tags[way] = (uint32_t *)at;
}

/* ---- regions ---- */

static uint8_t **region_of(uint64_t line)
{
	return &cacheprof_ll_regions[(line >> LL_REGION_AT) % LL_REGIONS];
}

/* Gives the region of the line its bytes. */
void cacheprof_ll_new_region(uint64_t line);
void cacheprof_ll_new_region(uint64_t line)
{
	uint8_t *bytes = cacheprof_mmap(LL_REGION_LINES), *none = NULL;

	if (!bytes)
		cacheprof_ll_no_memory();
	if (!__atomic_compare_exchange_n(region_of(line), &none, bytes, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		cacheprof_syscall(SYS_munmap, (long)bytes, LL_REGION_LINES, 0, 0, 0, 0);
}

static uint8_t *byte_of(uint64_t line)
{
	uint8_t *const *region = region_of(line);

	if (!*region)
		cacheprof_ll_new_region(line);
	return *region + (line >> LL_LINE_AT) % LL_REGION_LINES;
}

/* ---- sets ---- */

static struct stamps *set_of(uint64_t line)
{
	return cacheprof_ll_stamps + (line >> LL_LINE_AT & (sets - 1));
}

/* The set of the line has no number left: its stamps become the first ones, in the same order. */
void cacheprof_ll_number_again(uint64_t line);
void cacheprof_ll_number_again(uint64_t line)
{
	struct stamps *set = set_of(line), was = *set;
	uint64_t given[(UINT8_MAX + 1) / 64] = {0}; /* a bit for each number that is some way's stamp */
	uint8_t now[UINT8_MAX + 1], n = 0;	    /* what it becomes; threads may have given two ways the same one */

	for (unsigned way = 0; way < WAYS; way++)
		given[was.of[way] / 64] |= 1ul << was.of[way] % 64;
	given[0] &= ~1ul;
	now[0] = 0;
	for (unsigned word = 0; word < sizeof given / sizeof *given; word++)
		for (uint64_t left = given[word]; left; left &= left - 1)
			now[64 * word + (unsigned)__builtin_ctzl(left)] = ++n;
	for (unsigned way = 0; way < WAYS; way++)
		set->of[way] = now[was.of[way]];
	set->last = n;
}

static void use(uint64_t line, unsigned way)
{
	struct stamps *set = set_of(line);
	uint8_t next = set->last + 1;

	if (!next) {
		cacheprof_ll_number_again(line);
		next = set->last + 1;
	}
	set->last = set->of[way] = next; /* never 0, whatever another thread has made of last meanwhile */
}

static unsigned earliest(const struct stamps *set)
{
	unsigned found = 0;

	for (unsigned way = 1; way < WAYS; way++)
		if (set->of[way] < set->of[found])
			found = way;
	return found;
}

void cacheprof_ll_map_ask_for(uint64_t line)
{
	__builtin_prefetch(set_of(line), 1);
}

bool cacheprof_ll_map_touch(uint64_t line)
{
	uint8_t *byte = byte_of(line), held = *byte;
	struct stamps *set = set_of(line);
	unsigned way = held ? held % WAYS : earliest(set);
	uint32_t *tag = &cacheprof_ll_tags[way][set - cacheprof_ll_stamps], before;

	use(line, way);
	if (held)
		return true;
	*byte = LL_PRESENT | way;
	before = ~__atomic_exchange_n(tag, ~(uint32_t)(line >> LL_TAG_AT), __ATOMIC_SEQ_CST);
	if (~before)
		*byte_of((uint64_t)before << LL_TAG_AT | (line & ((1ul << LL_TAG_AT) - 1))) = 0;
	return false;
}
