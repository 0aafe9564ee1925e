/* An LL of lines of 64 bytes, without AVX-512 and where caches are not ordinary (d1.h): where each line of memory is in
 * it. A line stays in its way until another one takes that. A byte for each line says in which way it is, or that it is
 * in none, so no line is looked for: a hit only stamps the way with the next number of its set, and a miss takes the
 * way with the earliest stamp and clears the byte of the line that goes. Of the host's caches a program's lines take a
 * 64th of them here, besides a third of a line a set, or half a one, or more than one.
 *
 * The bytes of a region of memory lie side by side, and are there from when one of its lines first comes. What of them,
 * and of the table of all regions, is never written to takes no memory. Some are there from the start, for a program
 * that lowers its limits of memory for good: no other can be had from then on.
 *
 * Threads share all of this, and a signal handler may come in between anywhere. A byte is set before its line's tag
 * goes in, and who takes a tag out, which one instruction does, clears the byte: so none stays set for a line that is
 * not there. The stubs (slow_x86_64.S) and strided loops work on it as this does. */
#include <sys/syscall.h>

#include "runtime/ll.h"

#include "runtime/d1.h"

/* A set: when its ways were used. */
struct set {
	uint8_t last; /* 0: none was */
	uint8_t stamps[]; /* of cacheprof_ll_room ways; 0: never; NO_WAY: there is no such way */
};
_Static_assert(offsetof(struct set, last) == LL_LAST && offsetof(struct set, stamps) == LL_STAMPS, "");
#define NO_WAY UINT8_MAX /* never the earliest: the last way that was used is the only other that may have it */

/* What the stubs read and change. */
char *cacheprof_ll_sets;
uint64_t cacheprof_ll_set_bytes; /* from one to the next */
uint8_t cacheprof_ll_room; /* the ways that they have bytes for: LL_FEW, LL_MORE or LL_MOST */
/* Of each way that of each set: of an address its bits from LL_TAG_AT on, as their complement; 0: none. */
uint32_t *cacheprof_ll_tags[LL_MOST];
/* Of each its bytes, or NULL. A byte: the way that its line is in, and LL_PRESENT; or 0. */
uint8_t **cacheprof_ll_regions;
/* The same, where LL takes lines as they are; else nothing, and stubs turn to routines that know better. */
uint8_t **cacheprof_ll_direct;

/* Regions that have bytes kept for them: text, heap, libraries and stack, each twice as many as such a program has. */
#define SPARE_REGIONS 8
static uint8_t *spare;
static unsigned *n_spare; /* were taken of them, by all modules */

static uint64_t n_sets; /* a power of 2 */
static unsigned ways;

/* Bytes between the tags of two ways: not all of them in one set of the host's cache. */
#define WAYS_APART 64

static struct set *set_at(uint64_t number)
{
	return (struct set *)(cacheprof_ll_sets + number * cacheprof_ll_set_bytes);
}

void cacheprof_ll_map_start(const struct cache *ll)
{
	uint64_t tags, regions = LL_REGIONS * sizeof *cacheprof_ll_regions;
	uint64_t spares = SPARE_REGIONS * LL_REGION_LINES;
	char *at;

	n_sets = ll->set_mask + 1;
	ways = ll->ways;
	cacheprof_ll_room = ways <= LL_FEW ? LL_FEW : ways <= LL_MORE ? LL_MORE : LL_MOST;
	/* Not a power of 2, so that sets far apart do not all come to a few sets of the host's. */
	cacheprof_ll_set_bytes = cacheprof_ll_room + 4u;
	tags = n_sets * sizeof(uint32_t) + WAYS_APART;
	at = cacheprof_ll_memory(regions + n_sets * cacheprof_ll_set_bytes + ways * tags +
				 (cacheprof_ll_paged ? regions : 0) + spares + sizeof *n_spare);
	cacheprof_ll_regions = (uint8_t **)at;
	at += regions;
	spare = (uint8_t *)at;
	at += spares;
	cacheprof_ll_sets = at;
	at += n_sets * cacheprof_ll_set_bytes;
	for (unsigned way = 0; way < ways; way++, at += tags)
		cacheprof_ll_tags[way] = (uint32_t *)at;
	cacheprof_ll_direct = cacheprof_ll_paged ? (uint8_t **)at : cacheprof_ll_regions;
	at += cacheprof_ll_paged ? regions : 0;
	n_spare = (unsigned *)at;
}

/* ---- regions ---- */

static uint8_t **region_of(uint64_t line)
{
	return &cacheprof_ll_regions[(line >> LL_REGION_AT) % LL_REGIONS];
}

static uint8_t *region_bytes(void)
{
	uint8_t *bytes = cacheprof_mmap(LL_REGION_LINES);
	unsigned at;

	if (bytes)
		return bytes;
	at = __atomic_fetch_add(n_spare, 1, __ATOMIC_RELAXED);
	return at < SPARE_REGIONS ? spare + at * LL_REGION_LINES : NULL;
}

/* Gives the region of the line its bytes. */
void cacheprof_ll_new_region(uint64_t line);
void cacheprof_ll_new_region(uint64_t line)
{
	uint8_t *bytes = region_bytes(), *none = NULL;

	if (!bytes)
		cacheprof_no_memory_for(LL_MEMORY);
	if (!__atomic_compare_exchange_n(region_of(line), &none, bytes, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		SYSCALL(munmap, bytes, LL_REGION_LINES);
}

static uint8_t *byte_of(uint64_t line)
{
	uint8_t *const *region = region_of(line);

	if (!*region)
		cacheprof_ll_new_region(line);
	return *region + (line >> LL_LINE_AT) % LL_REGION_LINES;
}

/* ---- sets ---- */

static uint64_t number_of(uint64_t line)
{
	return line >> LL_LINE_AT & (n_sets - 1);
}

static struct set *set_of(uint64_t line)
{
	return set_at(number_of(line));
}

/* The set of the line has no number left: its stamps become the first ones, in the same order. Or none of its ways was
 * ever used: those that are not there are told apart. */
void cacheprof_ll_number_again(uint64_t line);
void cacheprof_ll_number_again(uint64_t line)
{
	struct set *set = set_of(line);
	uint8_t was[LL_MOST];
	uint64_t given[(UINT8_MAX + 1) / 64] = {0}; /* a bit for each number that is some way's stamp */
	uint8_t now[UINT8_MAX + 1], n = 0;	    /* what it becomes; threads may have given two ways the same one */

	if (!set->last)
		cacheprof_memset(set->stamps + ways, NO_WAY, cacheprof_ll_room - ways);
	for (unsigned way = 0; way < ways; way++) {
		was[way] = set->stamps[way];
		given[was[way] / 64] |= 1ul << was[way] % 64;
	}
	given[0] &= ~1ul;
	now[0] = 0;
	for (unsigned word = 0; word < sizeof given / sizeof *given; word++)
		for (uint64_t left = given[word]; left; left &= left - 1)
			now[64 * word + (unsigned)__builtin_ctzl(left)] = ++n;
	for (unsigned way = 0; way < ways; way++)
		set->stamps[way] = now[was[way]];
	set->last = n;
}

static void use(uint64_t line, unsigned way)
{
	struct set *set = set_of(line);
	uint8_t next;

	if (!set->last || set->last == UINT8_MAX)
		cacheprof_ll_number_again(line);
	next = set->last + 1;
	set->last = set->stamps[way] = next; /* never 0, whatever another thread has made of last meanwhile */
}

static unsigned earliest(const struct set *set)
{
	unsigned found = 0;

	for (unsigned way = 1; way < ways; way++)
		if (set->stamps[way] < set->stamps[found])
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
	unsigned way = held ? held % LL_MOST : earliest(set_of(line));
	uint32_t *tag = &cacheprof_ll_tags[way][number_of(line)], before;

	use(line, way);
	if (held)
		return true;
	*byte = LL_PRESENT | way;
	before = ~__atomic_exchange_n(tag, ~(uint32_t)(line >> LL_TAG_AT), __ATOMIC_SEQ_CST);
	if (~before)
		*byte_of((uint64_t)before << LL_TAG_AT | (line & ((1ul << LL_TAG_AT) - 1))) = 0;
	return false;
}

void cacheprof_ll_map_order(uint64_t number, uint32_t *tags)
{
	const struct set *set = set_at(number);
	uint8_t stamps[LL_MOST];

	for (unsigned way = 0; way < ways; way++) {
		unsigned at = way;

		for (; at && stamps[at - 1] < set->stamps[way]; at--) {
			stamps[at] = stamps[at - 1];
			tags[at] = tags[at - 1];
		}
		stamps[at] = set->stamps[way];
		tags[at] = cacheprof_ll_tags[way][number];
	}
}
