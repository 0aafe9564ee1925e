/* Which blocks note the time, and that the others' follows from theirs: each row is a text, and for each of its blocks
 * whether it notes the time (*), or which of them tell it. Through every text, and ones made at random, random ways are
 * gone: whenever time goes on, every block's time is the latest of those that tell it. */
#include "tests/instrument/timing.h"

#include "instrument/stamps.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define BLOCKS_MOST 512
#define STEPS 400

static const struct {
	const char *text, *told;
} rows[] = {
	/* one way or the other */
	{F "je .L1\nnop\njmp .L2\n.L1:\nnop\n.L2:\nret\n", "2,1 * * 2,1"},
	/* one way or none */
	{F "je .L1\nnop\n.L1:\nret\n", "* * 0"},
	/* a loop, behind which it goes on */
	{F "nop\n.L1:\ndec %eax\njne .L1\nret\n", "* 0 0"},
	{F "nop\n.L1:\ndec %eax\nje .L2\ndec %ecx\njne .L1\n.L2:\nret\n", "* 0 * 0"},
	/* two ways that meet: nothing is known of where both began */
	{F "je .L1\ncall g\njmp .L2\n.L1:\ncall h\njmp .L2\n.L2:\nret\n", "3,1 * * * * 4,2"},
	/* of which one is gone from elsewhere, too */
	{F "je .L1\nnop\n.globl inside\ninside:\nnop\n.L1:\nret\n", "* * * *"},
	{F "je .L1\nnop\ninside:\nnop\n.L1:\nret\n", "* * * 2,0"},
	/* two ways that meet in a loop */
	{F "je .L1\ncall g\njmp .L2\n.L1:\ncall h\njmp .L2\n.L2:\ndec %eax\njne .L2\nret\n", "3,1 * * * * 4,2 4,2"},
	/* a way that leads away */
	{F "je .L1\ncall g\n.L1:\nret\n", "* * *"},
	{F "je .L1\ncall g\nret\n.L1:\nret\n", "3,1 * * *"},
	{F "je g\nnop\nret\n", "* *"},
	/* branches one behind the other: of four ways, of five */
	{F "je .L1\nje .L2\nret\n.L1:\nje .L3\nret\n.L2:\nret\n.L3:\nret\n", "6,4,5,2 5,2 * 6,4 * * *"},
	{F "je .L1\nje .L2\nje .L4\nret\n.L1:\nje .L3\nret\n.L2:\nret\n.L3:\nret\n.L4:\nret\n",
	 "* 6,8,3 8,3 * 7,5 * * * *"},
	/* behind a system call counting may be off */
	{F "nop\nsyscall\nret\n", "* *"},
	/* with a tick in between */
	{F "je .L1\n.rept 4096\nnop\n.endr\n.L1:\nret\n", NULL},
	/* without an end */
	{F "je .L1\n.L2:\nnop\njmp .L2\n.L1:\nret\n", "2,1 * *"},
};

struct found {
	struct timed timed;
	struct stamps stamps;
};

/* In one of so many blocks, at random, nothing is planted; 0: in all something is. */
static struct found found(const char *text, int one_of)
{
	struct found f = {.timed = timed(text)};
	uint32_t n = (uint32_t)f.timed.flow.blocks.n;
	float *weight = xalloc(n, sizeof *weight);

	ck_assert_uint_le(n, BLOCKS_MOST);
	for (uint32_t i = 0; one_of && i < n; i++)
		f.timed.fetched[i] &= rand() % one_of > 0;
	ticks_free(&f.timed.ticks);
	ticks_find(&f.timed.ticks, &f.timed.flow, f.timed.unknown, f.timed.fetched);
	for (uint32_t i = 0; i < n; i++)
		weight[i] = 1;
	stamps_find(&f.stamps, &f.timed.flow, &f.timed.ticks, f.timed.fetched, weight);
	free(weight);
	return f;
}

static void release(struct found *f)
{
	ticks_free(&f->timed.ticks);
	stamps_free(&f->stamps, f->timed.unit->sections.n);
}

/* Those that tell the block's time. */
static const uint32_t *tellers(const struct found *f, uint32_t block, uint32_t *n)
{
	uint32_t section = f->timed.flow.blocks.at[block].section;
	const uint32_t *times = f->stamps.sections[section].at + f->stamps.times[block] - 1;

	*n = times[0];
	return times + 1;
}

static char *told(const struct found *f)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (uint32_t i = 0; i < f->timed.flow.blocks.n; i++) {
		uint32_t n;

		fputs(i ? " " : "", out);
		if (f->stamps.noted[i])
			fputc('*', out);
		else if (f->timed.fetched[i])
			for (const uint32_t *t = tellers(f, i, &n); n; n--, t++)
				fprintf(out, n > 1 ? "%u," : "%u", *t);
	}
	fclose(out);
	return text;
}

/* When the blocks were executed, and what they noted. */
struct times {
	unsigned executed[BLOCKS_MOST], noted[BLOCKS_MOST];
};

/* An assertion that holds is written to a file by check, too; there are millions. */
#define HOLD(what)                                                                                 \
	do                                                                                         \
		if (!(what))                                                                       \
			ck_abort_msg("not so: %s", #what);                                         \
	while (0)

static void check(const struct found *f, const struct times *t)
{
	for (uint32_t i = 0; i < f->timed.flow.blocks.n; i++) {
		unsigned latest = t->noted[i];
		uint32_t n = 0;

		if (!f->timed.fetched[i])
			continue;
		if (!f->stamps.noted[i])
			for (const uint32_t *of = tellers(f, i, &n); n; n--, of++) {
				HOLD(f->stamps.noted[*of]);
				latest = t->noted[*of] > latest ? t->noted[*of] : latest;
			}
		HOLD(latest == t->executed[i]);
	}
}

static bool leads_elsewhere(const struct found *f, const struct block_bb *b)
{
	const struct insn *last = &f->timed.unit->insns.at[b->first + b->n - 1];

	return is_call(last) || last->unsure;
}

/* Goes on from a block that control comes to from anywhere, as it may from one that leads elsewhere. */
static void walk(const struct found *f, uint32_t block)
{
	struct times t = {0};
	unsigned now = 1;

	for (int steps = 0; block != NO_BLOCK && steps < STEPS; steps++) {
		const struct block_bb *b = &f->timed.flow.blocks.at[block];

		if (f->timed.ticks.before[block] && f->timed.fetched[block]) {
			check(f, &t);
			now++;
		}
		t.executed[block] = now;
		if (f->stamps.noted[block])
			t.noted[block] = now;
		if (f->timed.ticks.after[block] || leads_elsewhere(f, b)) {
			check(f, &t);
			now++;
		}
		block = any_way(b);
		if (block == NO_BLOCK)
			check(f, &t);
	}
}

static void walks(const struct found *f, int n)
{
	for (uint32_t i = 0; i < f->timed.flow.blocks.n; i++)
		for (int k = 0; f->timed.unknown[i] && k < n; k++)
			walk(f, i);
}

START_TEST(stamps)
{
	struct found f = found(rows[_i].text, 0);
	char *text = told(&f);

	srand(1);
	if (rows[_i].told)
		ck_assert_str_eq(text, rows[_i].told);
	walks(&f, 20);
	free(text);
	release(&f);
}
END_TEST

START_TEST(by_hand)
{
	struct found f = {.timed = timed(".text\nje .L1\nnop\n.L1:\nret\n")};

	ck_assert_uint_eq(f.timed.flow.blocks.n, 3);
	stamps_find(&f.stamps, &f.timed.flow, &f.timed.ticks, f.timed.fetched, NULL);
	for (uint32_t i = 0; i < f.timed.flow.blocks.n; i++)
		ck_assert(f.stamps.noted[i] && !f.stamps.times[i]);
	release(&f);
}
END_TEST

/* Blocks that lead on, somewhere, away, and back. */
static char *random_text(void)
{
	static const char *const ends[] = {"", "call g\n", "je g\n", "ret\n", "syscall\n"};
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int n = 5 + rand() % 40, length = rand() % 3 ? 3 : 300;

	fputs(F, out);
	for (int i = 0; i < n; i++) {
		fprintf(out, ".L%d: dec %%eax\n.rept %d\nnop\n.endr\n", i, rand() % length);
		if (rand() % 5)
			fprintf(out, rand() % 3 ? "je .L%d\n" : "jmp .L%d\n",
				rand() % 4 ? i + rand() % 4 < n ? i + rand() % 4 : i : rand() % n);
		else
			fputs(ends[(size_t)rand() % COUNT(ends)], out);
	}
	/* The last of the numbers above are not always below n. */
	for (int i = n; i < n + 4; i++)
		fprintf(out, ".L%d: dec %%ecx\n", i);
	fputs("ret\n", out);
	fclose(out);
	return text;
}

START_TEST(at_random)
{
	struct found f;
	char *text;

	srand((unsigned)_i);
	text = random_text();
	f = found(text, _i % 2 ? 6 : 0);
	walks(&f, 30);
	release(&f);
	free(text);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("stamps");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, stamps, 0, COUNT(rows));
	tcase_add_test(tc, by_hand);
	tcase_add_loop_test(tc, at_random, 0, 200);
	return run_case(tc, "stamps");
}
