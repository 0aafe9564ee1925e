/* The D1 cache: 32768 B, 64 B, 8-way associative, LRU; 64 sets. Written by
 *	cachegen 32768 64 8
 * for runtime/cachesim_doref.c. With -DCACHESIM_MAIN it is a program that
 * reads a trace. All but the next three lines is the same for every cache. */
#define SIZE 32768u
#define LINE 64u
#define ASSOC 8u

#include "runtime/cachesim.h"

#define SETS (SIZE / LINE / ASSOC)
#define ROW_WAYS CACHESIM_ROW_WAYS(ASSOC)

const struct geometry cacheprof_d1_geometry = {SIZE, ASSOC, LINE};

/* Makes line the most recently used of its set. Each way takes over what the way before it held,
 * which ends where the line is found; if it never is, what the last way held is dropped. */
static inline unsigned refer_to_line(uint64_t *rows, uint64_t line)
{
	uint64_t *way = rows + line / LINE % SETS * ROW_WAYS;
	uint64_t moved = line;

#pragma GCC unroll 16
	for (unsigned i = 0; i < ASSOC; i++) {
		uint64_t held = way[i];

		way[i] = moved;
		if (held == line)
			return 0;
		moved = held;
	}
	return 1;
}

unsigned cachesim_doref(uint64_t *rows, uint64_t address, uint64_t size)
{
	uint64_t line = address & -(uint64_t)LINE;
	uint64_t last = (address + size - 1) & -(uint64_t)LINE;
	unsigned missed = refer_to_line(rows, line);

	while (__builtin_expect(line != last, 0)) {
		line += LINE;
		missed |= refer_to_line(rows, line);
	}
	return missed;
}

#ifdef CACHESIM_MAIN
/* A program: reads a Dinero "din" trace on standard input, prints references and misses. One
 * reference a line: label (0 read, 1 write; others are not data and are passed over), address and
 * size, the last two hexadecimal. Without a size it is the aligned word of 4 bytes, as in Dinero.
 * What follows is a comment. */
#include <stdio.h>
#include <string.h>

static uint64_t rows[SETS * ROW_WAYS];
static uint64_t refs[2], misses[2];

static void refer(unsigned label, uint64_t address, uint64_t size)
{
	/* Traces made by hand like to begin at address 0, whose line would be taken for an empty
	 * way. One way's size further on, every line is in the same set as before. */
	refs[label]++;
	misses[label] += cachesim_doref(rows, address + (uint64_t)SETS * LINE, size);
}

/* Returns 0 when text is no record. */
static int read_record(const char *text)
{
	unsigned label;
	unsigned long long address, size;
	int fields = sscanf(text, "%u %llx %llx", &label, &address, &size);

	if (fields < 2 || (fields == 3 && size == 0))
		return 0;
	if (fields == 2) {
		address &= ~3ULL;
		size = 4;
	}
	if (label <= 1)
		refer(label, address, size);
	return 1;
}

static void print_counts(const char *name, const uint64_t *count)
{
	printf("%-7s %llu (%llu reads + %llu writes)\n", name,
	       (unsigned long long)(count[0] + count[1]), (unsigned long long)count[0],
	       (unsigned long long)count[1]);
}

/* A comment may be longer than what is read of a line. */
static void pass_over_rest(const char *text)
{
	int c = strchr(text, '\n') ? '\n' : 0;

	while (c != '\n' && c != EOF)
		c = getchar();
}

int main(void)
{
	char text[256];

	for (unsigned long number = 1; fgets(text, sizeof text, stdin); number++) {
		if (!read_record(text)) {
			fprintf(stderr, "line %lu is no din record: %s", number, text);
			return 1;
		}
		pass_over_rest(text);
	}
	if (ferror(stdin)) {
		perror("the trace cannot be read");
		return 1;
	}
	print_counts("refs:", refs);
	print_counts("misses:", misses);
	if (fclose(stdout)) {
		perror("the counts cannot be written");
		return 1;
	}
	return 0;
}
#endif
