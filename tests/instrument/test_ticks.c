/* Where time goes on: each row is a text and how many ticks it gets besides those where nothing is known. Of every
 * text, and of ones made at random, random ways through it are gone: no two blocks that may have lines of one set
 * follow one another without a tick. */
#include "tests/instrument/timing.h"

#include "include/site.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

#define STRAIGHT SPACE(990) "je .L1\n" SPACE(990) "je .L1\n" SPACE(990) "je .L1\n"
#define SPACE(bytes) ".rept " #bytes "\nnop\n.endr\n"

static const struct {
	const char *text;
	unsigned ticks;
} rows[] = {
	/* near, and all of a way apart */
	{F ".L1: dec %eax\nje .L2\njmp .L1\n" SPACE(2000) ".L2: dec %ecx\njne .L1\nret\n", 0},
	{F "jmp .L1\n.L1: dec %eax\nje .L2\njmp .L1\n" SPACE(4080) ".L2: dec %ecx\njne .L1\nret\n", 2},
	{F "jmp .L1\n.L1: dec %eax\nje .L2\njmp .L1\n" SPACE(3600) ".L2: dec %ecx\njne .L1\nret\n", 0},
	{F "jmp .L1\n.L1: dec %eax\nje .L2\njmp .L1\n" SPACE(8170) ".L2: dec %ecx\njne .L1\nret\n", 2},
	/* not on the way back, where it has gone on meanwhile */
	{F "jmp .L1\n.L1: dec %eax\nje .L2\njmp .L1\n" SPACE(4080) ".L2: call *%rdx\ndec %ecx\njne .L1\nret\n", 2},
	/* a way from one block to many, of which one is of its set: behind that */
	{F "jmp .L0\n.L0: dec %ebx\nje .L9\nje .L1\nje .L2\nje .L3\n.L1: nop\njmp .L0\n.L2: nop\njmp .L0\n.L3: jmp .L4\n"
	 SPACE(4060) ".L4: nop\njmp .L0\n.L9: ret\n", 3},
	/* straight on */
	{F STRAIGHT STRAIGHT STRAIGHT ".L1: ret\n", 3},
	/* a section of its own */
	{F "dec %eax\nje .L1\nret\n.section .text.unlikely,\"ax\"\n.L1:\nret\n", 0},
};

/* Lines of FETCH_LINE_MAX at a place that is not known: bytes that lie so are of lines of one set, not of one. */
static bool may_share_set(const struct timed *f, uint32_t x, uint32_t y)
{
	const struct insn *insns = f->unit->insns.at;
	const struct block_bb *a = &f->flow.blocks.at[x], *b = &f->flow.blocks.at[y];
	const struct insn *la = &insns[a->first + a->n - 1], *lb = &insns[b->first + b->n - 1];

	int64_t least = (int64_t)insns[a->first].offset - (lb->offset + lb->len - 1);
	int64_t most = (int64_t)la->offset + la->len - 1 - insns[b->first].offset;

	for (int64_t d = least; d <= most; d++) {
		int64_t apart = (d < 0 ? -d : d) + FETCH_LINE_MAX - 1;

		if (apart >= FETCH_BYTES && apart % FETCH_BYTES < 2 * FETCH_LINE_MAX - 1)
			return true;
	}
	return false;
}

/* Goes on from a block until something unknown. Returns false if two follow one another. */
static bool walk(const struct timed *f, uint32_t block)
{
	uint32_t since[256], n = 0;

	for (int steps = 0; block != NO_BLOCK && steps < 300; steps++) {
		const struct block_bb *b = &f->flow.blocks.at[block];

		if (f->ticks.before[block])
			n = 0;
		for (uint32_t i = 0; i < n; i++)
			if (may_share_set(f, since[i], block))
				return false;
		if (n < COUNT(since))
			since[n++] = block;
		if (f->ticks.after[block])
			n = 0;
		block = any_way(b);
	}
	return true;
}

static bool walks(const struct timed *f, int n)
{
	for (int i = 0; i < n; i++)
		if (!walk(f, (uint32_t)rand() % (uint32_t)f->flow.blocks.n))
			return false;
	return true;
}

START_TEST(ticks)
{
	struct timed f = timed(rows[_i].text);
	unsigned n = 0;

	srand(1);
	for (uint32_t i = 0; i < f.flow.blocks.n; i++)
		n += (f.ticks.before[i] && !f.unknown[i]) + f.ticks.after[i];
	ck_assert(walks(&f, 20));
	ck_assert_uint_eq(n, rows[_i].ticks);
	ticks_free(&f.ticks);
}
END_TEST

/* Where control may come from anywhere time goes on: behind calls, and where they lead, function or not. */
START_TEST(unknown)
{
	struct timed f = timed(F "je .L1\ncall *%rdx\ncall .L1\nret\n.L1: nop\nret\n");

	ck_assert_uint_eq(f.flow.blocks.n, 5);
	for (uint32_t i = 0; i < f.flow.blocks.n; i++)
		ck_assert(f.ticks.before[i] == (i != 1));
	ticks_free(&f.ticks);
}
END_TEST

/* Of blocks where nothing is planted time goes on before what they lead to. */
START_TEST(nothing_planted)
{
	struct timed f = timed(F "dec %eax\nje .L1\nnop\n.L1: nop\njmp .L2\n.L2: ret\n");

	ck_assert_uint_eq(f.flow.blocks.n, 4);
	ck_assert(!f.ticks.before[1] && !f.ticks.before[2] && !f.ticks.before[3]);
	ticks_free(&f.ticks);
	f.fetched[0] = f.fetched[1] = false;
	ticks_find(&f.ticks, &f.flow, f.unknown, f.fetched);
	ck_assert(f.ticks.before[1] && f.ticks.before[2] && !f.ticks.before[3]);
	ticks_free(&f.ticks);
}
END_TEST

START_TEST(at_random)
{
	struct timed f;
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	srand((unsigned)_i);
	fputs(F, out);
	for (int i = 0; i < 40; i++) {
		fprintf(out, ".L%d: dec %%eax\n.rept %d\nnop\n.endr\n", i, rand() % 500);
		fprintf(out, rand() % 3 ? "je .L%d\n" : "jmp .L%d\n", rand() % 40);
	}
	fputs("ret\n", out);
	fclose(out);
	f = timed(text);
	ck_assert(walks(&f, 10));
	ticks_free(&f.ticks);
	free(text);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("ticks");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, ticks, 0, COUNT(rows));
	tcase_add_test(tc, unknown);
	tcase_add_test(tc, nothing_planted);
	tcase_add_loop_test(tc, at_random, 0, 40);
	return run_case(tc, "ticks");
}
