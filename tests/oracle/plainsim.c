/* A plain cache simulator to check the others against: written from COUNTING.md alone, shares no
 * code with the runtime or with cachegen, and takes no short cut.
 *
 *	valgrind --tool=lackey --trace-mem=yes --basic-counts=no --log-file=trace ./program
 *	plainsim [--I1=SIZE,ASSOC,LINE] [--D1=...] [--LL=...] <trace
 *
 * reads a trace in lackey's form ("I  addr,size", " L addr,size", " S ...", " M ...", addresses
 * hexadecimal, lines of Valgrind's own passed over) and prints the totals of the nine cache events.
 *
 *  - A reference that covers several lines looks up and installs all of them, low first; it is one
 *    reference and at most one miss.
 *  - Only a reference that missed in its L1 goes to LL, and then the whole of it.
 *  - True LRU; reads and writes alike. I1 and D1 share LL.
 *  - M, a read and a write at one address in one instruction, is one read. */
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EMPTY UINT64_MAX

struct cache {
	const char *option;
	uint64_t size, assoc, line;
	uint64_t sets;
	uint64_t *blocks; /* of set s, the youngest first: blocks[s * assoc] on */
};

static struct cache I1 = {.option = "--I1=", .size = 32768, .assoc = 8, .line = 64};
static struct cache D1 = {.option = "--D1=", .size = 32768, .assoc = 8, .line = 64};
static struct cache LL = {.option = "--LL=", .size = 8388608, .assoc = 16, .line = 64};
static struct cache *const caches[] = {&I1, &D1, &LL};

struct counts {
	uint64_t refs, l1_misses, ll_misses;
};

static struct counts instructions, reads, writes;

static bool refer_to_block(struct cache *c, uint64_t block)
{
	uint64_t *set = c->blocks + block % c->sets * c->assoc;
	uint64_t i = 0;
	bool missed;

	while (i < c->assoc - 1 && set[i] != block)
		i++;
	missed = set[i] != block;
	memmove(set + 1, set, i * sizeof *set);
	set[0] = block;
	return missed;
}

static bool refer(struct cache *c, uint64_t address, uint64_t size)
{
	uint64_t last = (address + size - 1) / c->line;
	bool missed = false;

	for (uint64_t block = address / c->line; block <= last; block++)
		missed |= refer_to_block(c, block);
	return missed;
}

static void count(struct cache *l1, struct counts *counts, uint64_t address, uint64_t size)
{
	counts->refs++;
	if (!refer(l1, address, size))
		return;
	counts->l1_misses++;
	if (refer(&LL, address, size))
		counts->ll_misses++;
}

/* Returns false when the line is none of lackey's. */
static bool event(const char *text)
{
	char kind;
	unsigned long long address, size;

	if (sscanf(text, " %c %llx,%llu", &kind, &address, &size) != 3 || size == 0)
		return false;
	if (kind == 'I')
		count(&I1, &instructions, address, size);
	else if (kind == 'L' || kind == 'M')
		count(&D1, &reads, address, size);
	else if (kind == 'S')
		count(&D1, &writes, address, size);
	else
		return false;
	return true;
}

static bool power_of_two(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* The checks and their words, in Cachegrind's order. */
static void check(const struct cache *c)
{
	uint64_t row = c->line * c->assoc;
	const struct {
		bool wrong;
		const char *words;
	} checks[] = {
		{!row || c->size % row || !power_of_two(c->size / row),
		 "Cache set count is not a power of two."},
		{!power_of_two(c->line), "Cache line size is not a power of two."},
		{c->line < 8, "Cache line size is too small."},
		{c->size <= c->line, "Cache size <= line size."},
		{c->line && c->assoc > c->size / c->line,
		 "Cache associativity > (size / line size)."},
	};

	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		if (checks[i].wrong)
			errx(1, "%.2s: %s", c->option + 2, checks[i].words);
}

static void set_up(struct cache *c)
{
	check(c);
	c->sets = c->size / c->line / c->assoc;
	c->blocks = malloc(c->sets * c->assoc * sizeof *c->blocks);
	if (!c->blocks)
		err(1, "%lu bytes", c->size);
	for (uint64_t i = 0; i < c->sets * c->assoc; i++)
		c->blocks[i] = EMPTY;
}

static void read_option(const char *text)
{
	for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
		struct cache *c = caches[i];
		size_t len = strlen(c->option);
		char more;

		if (!strncmp(text, c->option, len) &&
		    sscanf(text + len, "%lu,%lu,%lu%c", &c->size, &c->assoc, &c->line, &more) == 3)
			return;
	}
	errx(2, "%s: expected --I1=SIZE,ASSOC,LINE, --D1= or --LL=", text);
}

static void print(const struct counts *c)
{
	printf(" %lu %lu %lu", c->refs, c->l1_misses, c->ll_misses);
}

int main(int argc, char **argv)
{
	char text[256];

	for (int i = 1; i < argc; i++)
		read_option(argv[i]);
	for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
		set_up(caches[i]);
	for (unsigned long n = 1; fgets(text, sizeof text, stdin); n++)
		if (strncmp(text, "==", 2) && !event(text))
			errx(1, "line %lu is none of lackey's: %s", n, text);
	printf("events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw\nsummary:");
	print(&instructions);
	print(&reads);
	print(&writes);
	putchar('\n');
	return 0;
}
