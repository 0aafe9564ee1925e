/* A plain cache simulator to check the others against: written from the rules (the manual, 5.1) alone, shares no
 * code with the runtime or with cachegen, and takes no short cut.
 *
 *	valgrind --tool=lackey --trace-mem=yes --basic-counts=no --log-file=trace ./program
 *	plainsim [--I1=SIZE,ASSOC,LINE] [--D1=...] [--LL=...] [--format=FORMAT] <trace
 *
 * reads a trace and prints the totals of the nine cache events. FORMAT, of which
 * docs/cacheprof-trace.5 says more, is
 *
 *	lackey	"I  addr,size", " L addr,size", " S ...", " M ...", addresses hexadecimal; lines of
 *		Valgrind's own are passed over
 *	din	"2 addr", "0 addr", "1 addr": each is taken for one byte
 *	binary	that of cacheprof
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

static void event(char kind, uint64_t address, uint64_t size)
{
	if (kind == 'I')
		count(&I1, &instructions, address, size);
	else if (kind == 'S')
		count(&D1, &writes, address, size);
	else
		count(&D1, &reads, address, size);
}

static bool lackey_line(const char *text)
{
	char kind;
	unsigned long long address, size;

	if (!strncmp(text, "==", 2))
		return true;
	if (sscanf(text, " %c %llx,%llu", &kind, &address, &size) != 3)
		return false;
	if (!strchr("ILSM", kind) || !size)
		return false;
	event(kind, address, size);
	return true;
}

static bool din_line(const char *text)
{
	unsigned label;
	unsigned long long address;

	if (sscanf(text, "%u %llx", &label, &address) != 2 || label > 2)
		return false;
	event("LSI"[label], address, 1);
	return true;
}

static void read_lines(const char *format, bool (*line)(const char *text))
{
	char text[256];

	for (unsigned long n = 1; fgets(text, sizeof text, stdin); n++)
		if (!line(text))
			errx(1, "line %lu is none of %s's: %s", n, format, text);
}

static void read_lackey(void)
{
	read_lines("lackey", lackey_line);
}

static void read_din(void)
{
	read_lines("din", din_line);
}

static uint64_t leb128(void)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		int byte = getchar();

		if (byte == EOF)
			errx(1, "the trace ends in the middle of a record");
		n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return n;
	}
	errx(1, "a number has more than 64 bits");
}

static void read_binary(void)
{
	char magic[16];
	uint64_t code = 0, data = 0;
	int byte;

	if (fread(magic, 1, sizeof magic, stdin) != sizeof magic || memcmp(magic, "cacheprof-trace1", 16))
		errx(1, "no binary trace");
	while ((byte = getchar()) != EOF) {
		uint64_t size = byte >> 2 ? (uint64_t)byte >> 2 : leb128(), distance = leb128();
		uint64_t *from = byte & 3 ? &data : &code;

		*from += distance >> 1 ^ -(distance & 1);
		event("ILSM"[byte & 3], *from, size);
		code += byte & 3 ? 0 : size;
	}
}

static const struct format {
	const char *option;
	void (*read)(void);
} formats[] = {
	{"--format=lackey", read_lackey},
	{"--format=din", read_din},
	{"--format=binary", read_binary},
};
static const struct format *format = formats;

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
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(text, formats[i].option)) {
			format = &formats[i];
			return;
		}
	errx(2, "%s: expected --I1=SIZE,ASSOC,LINE, --D1=, --LL= or --format=lackey, din, binary", text);
}

static void print(const struct counts *c)
{
	printf(" %lu %lu %lu", c->refs, c->l1_misses, c->ll_misses);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		read_option(argv[i]);
	for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
		set_up(caches[i]);
	format->read();
	printf("events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw\nsummary:");
	print(&instructions);
	print(&reads);
	print(&writes);
	putchar('\n');
	return 0;
}
