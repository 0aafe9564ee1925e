/* An ordinary LL (d1.h): where each line of memory is in it. A line stays in its way until another one takes that. A
 * byte for each line says which way it is, or that there is none, so nothing is looked for: a hit only stamps the way
 * with the next number of its set, and a miss looks for the earliest stamp and clears the byte of the line that goes.
 * Of the host's caches a program's lines take a 64th of them here, besides a third of a line a set.
 *
 * The bytes of a region of memory lie side by side. Regions are found by a table, or, where another one has the place
 * there, in a list. When there are many, one that has no line in LL any more gives its bytes to the next.
 *
 * Threads share all of this, and a signal handler may come in between anywhere. A byte is set before its line's tag
 * goes in, and who takes a tag out, which one instruction does, clears the byte: so none stays set for a line that is
 * not there. The stubs (slow_x86_64.S) and strided loops work on it as this does. */
#include <sys/syscall.h>

#include "runtime/ll.h"

#include "runtime/d1.h"

#define WAYS 16
#define REGION_LINES (1ul << (LL_REGION_AT - LL_LINE_AT))
#define MANY_REGIONS 64
#define WORD_NUMBER_AT 40 /* of a listed region: its number, of the address bits that a tag has; below, the page where
			   * its bytes are */
#define NUMBERS (1ul << (LL_TAG_AT + 32 - LL_REGION_AT))
#define PAGE_AT 12

struct region {
	uint64_t first; /* its first line, of all that memory may have, or NONE */
	uint8_t *ways;	/* a byte for each line: the way, and LL_PRESENT; or 0 */
};
#define NONE (1ul << 60)
_Static_assert(sizeof(struct region) == 16 && offsetof(struct region, ways) == LL_REGION_WAYS, "");

/* A set: when its ways were used. */
struct stamps {
	uint8_t of[WAYS]; /* 0: never */
	uint8_t last;
} __attribute__((aligned(4)));
_Static_assert(sizeof(struct stamps) == LL_STAMPS && offsetof(struct stamps, last) == LL_STAMPS_LAST, "");

/* What the stubs read and change. */
struct stamps *cacheprof_ll_stamps;
uint32_t *cacheprof_ll_tags[WAYS];   /* of each set: of an address its bits from LL_TAG_AT on, as their complement; 0:
				      * none */
struct region *cacheprof_ll_regions; /* LL_REGIONS, each at the lowest bits of its number: of an address its bits from
				      * LL_REGION_AT on */

static uint64_t *listed; /* regions, as many as LL has lines; ends with a 0 */
static uint64_t sets; /* a power of 2 */

/* Bytes between the tags of two ways: not all of them in one set of the host's cache. */
#define WAYS_APART 64

void cacheprof_ll_map_start(const struct cache *ll)
{
	uint64_t tags;
	char *at;

	sets = ll->set_mask + 1;
	tags = sets * sizeof(uint32_t) + WAYS_APART;
	at = cacheprof_ll_memory(LL_REGIONS * sizeof(struct region) + sets * sizeof *cacheprof_ll_stamps + WAYS * tags +
				 (sets * WAYS + 1) * sizeof *listed);
	cacheprof_ll_regions = (struct region *)at;
	if (!cacheprof_ll_regions[0].ways)
		cacheprof_ll_regions[0].first = NONE;
	at += LL_REGIONS * sizeof(struct region);
	cacheprof_ll_stamps = (struct stamps *)at;
	at += sets * sizeof *cacheprof_ll_stamps;
	for (unsigned way = 0; way < WAYS; way++, at += tags)
		cacheprof_ll_tags[way] = (uint32_t *)at;
	listed = (uint64_t *)at;
}

static uint64_t number_of(uint64_t line)
{
	return line >> LL_REGION_AT;
}

static uint64_t first_of(uint64_t number)
{
	return number << (LL_REGION_AT - LL_LINE_AT);
}

/* ---- regions ---- */

static uint64_t word_of(uint64_t number, const uint8_t *ways)
{
	return number % NUMBERS << WORD_NUMBER_AT | (uint64_t)ways >> PAGE_AT;
}

static bool is_of(uint64_t word, uint64_t number)
{
	return word && word >> WORD_NUMBER_AT == number % NUMBERS;
}

static uint8_t *ways_of(uint64_t word)
{
	return (uint8_t *)((word & ((1ul << WORD_NUMBER_AT) - 1)) << PAGE_AT);
}

static bool has_lines(uint64_t number)
{
	for (unsigned way = 0; way < WAYS; way++)
		for (uint64_t set = 0; set < sets; set++) {
			uint32_t tag = cacheprof_ll_tags[way][set];

			if (tag && number_of((uint64_t)~tag << LL_TAG_AT) == number)
				return true;
		}
	return false;
}

static struct region *place_of(uint64_t number)
{
	return &cacheprof_ll_regions[number % LL_REGIONS];
}

static void forget(uint64_t number)
{
	struct region *r = place_of(number);

	if (r->first == first_of(number))
		r->first = NONE;
}

/* A region that was not listed, of which there are n, is, or the list has changed: bytes of another one are its, or
 * new ones. */
static void list_region(uint64_t number, unsigned n)
{
	static unsigned next;
	uint64_t end = 0;
	uint8_t *ways;

	for (unsigned tries = 0; n >= MANY_REGIONS && tries < n; tries++) {
		uint64_t *at = &listed[next++ % n], word = *at;

		if (has_lines(word >> WORD_NUMBER_AT))
			continue;
		if (__atomic_compare_exchange_n(at, &word, word_of(number, ways_of(word)), false, __ATOMIC_SEQ_CST,
						__ATOMIC_SEQ_CST))
			forget(word >> WORD_NUMBER_AT);
		return;
	}
	ways = cacheprof_mmap(REGION_LINES);
	if (!ways)
		cacheprof_ll_no_memory();
	if (!__atomic_compare_exchange_n(&listed[n], &end, word_of(number, ways), false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST))
		cacheprof_syscall(SYS_munmap, (long)ways, REGION_LINES, 0, 0, 0, 0);
}

/* Brings the line's region into the table. */
void cacheprof_ll_find_region(uint64_t line);
void cacheprof_ll_find_region(uint64_t line)
{
	uint64_t number = number_of(line);
	struct region *r = place_of(number);
	unsigned i = 0;

	while (!is_of(listed[i], number))
		if (listed[i++] == 0) {
			list_region(number, i - 1);
			i = 0;
		}
	r->first = NONE;
	__atomic_store_n(&r->ways, ways_of(listed[i]), __ATOMIC_SEQ_CST);
	__atomic_store_n(&r->first, first_of(number), __ATOMIC_SEQ_CST);
	if (!is_of(listed[i], number))
		forget(number);
}

/* The line's byte. */
static uint8_t *byte_of(uint64_t line)
{
	const struct region *r = place_of(number_of(line));

	while (r->first != first_of(number_of(line)))
		cacheprof_ll_find_region(line);
	return r->ways + (line >> LL_LINE_AT) % REGION_LINES;
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

	for (unsigned way = 0; way < WAYS; way++) {
		unsigned n = 1;

		for (unsigned other = 0; other < WAYS; other++)
			n += was.of[other] < was.of[way];
		set->of[way] = was.of[way] ? (uint8_t)n : 0;
	}
	set->last = WAYS;
}

static void use(uint64_t line, unsigned way)
{
	struct stamps *set = set_of(line);

	if (set->last == UINT8_MAX)
		cacheprof_ll_number_again(line);
	set->of[way] = ++set->last;
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
